/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices for columns: libaioli_cuda, opened when it is asked for.  It brings a libaioli of its own, whose handles are not
 * those of this module: algorithms go over by name, and neither pools nor caches do. */
#ifndef AIOLI_PYTHON_DEVICE_H
#define AIOLI_PYTHON_DEVICE_H
#include <aioli/arrow.h>
#include <aioli/cuda.h>

typedef struct aioli_device {
  aioli_arrow_worker worker; /* for aioli_arrow_options, while the device is open */
  void *library, *cuda;
  uint32_t threads; /* of the processor, for what is left to it */
  char text[160];   /* what went wrong in the last call */
} aioli_device;

/* `library` is a file, or a name that the system's loader knows.  `flags` and `least_rows` are those of aioli_cuda_options.
 * AIOLI_ERR_NO_DEVICE if there is no such library, or it is not one of ours, or aioli_cuda_new says so. */
aioli_status aioli_device_open(aioli_device *device, const char *library, uint32_t flags, size_t least_rows, uint32_t threads);
size_t aioli_device_count(const aioli_device *device); /* that work; 0: the processor does all */
void aioli_device_close(aioli_device *device);
#endif
