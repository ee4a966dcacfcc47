/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "device.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* A function of the library, as POSIX has it: by way of an object pointer. */
static void *find(aioli_device *device, const char *name) {
  void *const function = dlsym(device->library, name);
  if (function == NULL) snprintf(device->text, sizeof device->text, "the library has no %s", name);
  return function;
}
#define FIND(type, name) \
  type name;             \
  *(void **)&name = find(device, "aioli_" #name)

typedef aioli_status (*new_fn)(aioli_cuda **, const aioli_cuda_options *);
typedef void (*free_fn)(aioli_cuda *);
typedef size_t (*devices_fn)(const aioli_cuda *);
typedef const char *(*why_fn)(void);
typedef const aioli_alg *(*by_name_fn)(const char *);
typedef aioli_status (*verify_fn)(aioli_cuda *, const aioli_alg *, aioli_status *, const aioli_verify_row *, size_t,
                                  const aioli_batch_options *);
typedef aioli_status (*sign_fn)(aioli_cuda *, const aioli_alg *, aioli_status *, const aioli_sign_row *, size_t,
                                const aioli_batch_options *);

/* The algorithm and the options as the other library may have them: no pool or cache of this one, its own source of zeros. */
static aioli_status prepare(aioli_device *device, const aioli_alg **alg, const aioli_batch_options *given,
                            aioli_batch_options *options) {
  FIND(by_name_fn, alg_by_name);
  FIND(aioli_rng_fn, rng_zero);
  if (alg_by_name == NULL || rng_zero == NULL) return AIOLI_ERR_NO_DEVICE;
  *options = *given;
  options->pool = NULL;
  options->verifiers = NULL;
  options->threads = device->threads;
  if (options->rng == aioli_rng_zero) options->rng = rng_zero;
  *alg = alg_by_name(aioli_alg_name(*alg));
  return *alg != NULL ? AIOLI_OK : AIOLI_ERR_ALGORITHM;
}

static aioli_status every(aioli_status status, aioli_status *statuses, size_t count) {
  for (size_t i = 0; i < count; i++) statuses[i] = status;
  return status;
}

static aioli_status verify(void *context, const aioli_alg *alg, aioli_status *status, const aioli_verify_row *rows, size_t count,
                           const aioli_batch_options *given) {
  aioli_device *const device = context;
  aioli_batch_options options;
  const aioli_status ready = prepare(device, &alg, given, &options);
  FIND(verify_fn, cuda_verify_batch);
  if (ready != AIOLI_OK) return every(ready, status, count);
  if (cuda_verify_batch == NULL) return every(AIOLI_ERR_NO_DEVICE, status, count);
  return cuda_verify_batch(device->cuda, alg, status, rows, count, &options);
}

static aioli_status sign(void *context, const aioli_alg *alg, aioli_status *status, const aioli_sign_row *rows, size_t count,
                         const aioli_batch_options *given) {
  aioli_device *const device = context;
  aioli_batch_options options;
  const aioli_status ready = prepare(device, &alg, given, &options);
  FIND(sign_fn, cuda_sign_batch);
  if (ready != AIOLI_OK) return every(ready, status, count);
  if (cuda_sign_batch == NULL) return every(AIOLI_ERR_NO_DEVICE, status, count);
  return cuda_sign_batch(device->cuda, alg, status, rows, count, &options);
}

aioli_status aioli_device_open(aioli_device *device, const char *library, uint32_t flags, size_t least_rows, uint32_t threads) {
  memset(device, 0, sizeof *device);
  device->threads = threads;
  device->worker = (aioli_arrow_worker){device, verify, sign};
  device->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (device->library == NULL) {
    const char *const why = dlerror();
    snprintf(device->text, sizeof device->text, "%s", why != NULL ? why : library);
    return AIOLI_ERR_NO_DEVICE;
  }
  const aioli_cuda_options options = {sizeof options, flags, 0, NULL, 0, least_rows};
  FIND(new_fn, cuda_new);
  FIND(why_fn, cuda_why_no_device);
  aioli_status status = AIOLI_ERR_NO_DEVICE;
  if (cuda_new != NULL && cuda_why_no_device != NULL) {
    aioli_cuda *cuda = NULL;
    status = cuda_new(&cuda, &options);
    device->cuda = cuda;
    const char *const why = status == AIOLI_OK ? NULL : cuda_why_no_device();
    if (why != NULL) snprintf(device->text, sizeof device->text, "%s", why);
  }
  if (status != AIOLI_OK) aioli_device_close(device);
  return status;
}

size_t aioli_device_count(const aioli_device *device) {
  devices_fn devices;
  if (device->library == NULL) return 0;
  *(void **)&devices = dlsym(device->library, "aioli_cuda_devices");
  return devices != NULL ? devices(device->cuda) : 0;
}

void aioli_device_close(aioli_device *device) {
  if (device->library == NULL) return;
  free_fn release;
  *(void **)&release = dlsym(device->library, "aioli_cuda_free");
  if (release != NULL) release(device->cuda);
  dlclose(device->library);
  device->library = device->cuda = NULL;
}
