// SPDX-License-Identifier: Apache-2.0
// Devices and contexts: the first half of cuda.h.
#include "cuda/host/context.hpp"

#include "base/bytes.hpp"
#include "base/workspace.hpp"
#include "batch/memory.hpp"

using namespace aioli;
using namespace aioli::cuda;

namespace {

static_assert(sizeof(aioli_cuda_options) == 4 * sizeof(size_t) + 8, "no padding, which nobody would zero");

aioli_status read(aioli_cuda_options &options, const aioli_cuda_options *given) {
  options = AIOLI_CUDA_OPTIONS_INIT;
  if (given == nullptr) return AIOLI_OK;
  if (given->bytes < sizeof options) return AIOLI_ERR_ARGUMENT;
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(given);
  for (size_t i = sizeof options; i < given->bytes; i++)
    if (bytes[i] != 0) return AIOLI_ERR_ARGUMENT;
  options = *given;
  constexpr uint32_t known = AIOLI_CUDA_FALLBACK | AIOLI_CUDA_CHECK_SIGNATURES;
  bool sound = (options.flags & ~known) == 0 && options.device_count <= AIOLI_CUDA_MAX_DEVICES &&
               (options.devices != nullptr) == (options.device_count > 0) &&
               (options.least_rows == 0 || (options.flags & AIOLI_CUDA_FALLBACK) != 0);
  for (uint32_t i = 0; sound && i < options.device_count; i++)
    for (uint32_t j = 0; j < i; j++) sound = sound && options.devices[i] != options.devices[j];
  return sound ? AIOLI_OK : AIOLI_ERR_ARGUMENT;
}

// Of a driver that is open; 0 if it does not say.
uint32_t count_devices(const Driver &driver) {
  int count = 0;
  return driver.device_count(&count) == 0 && count > 0 ? uint32_t(count) : 0;
}

void append(char *&at, const char *end, const char *text) {
  while (*text != 0 && at < end) *at++ = *text++;
}

}  // namespace

void cuda::drop_failed(aioli_cuda &c) {
  size_t kept = 0;
  for (size_t i = 0; i < c.count; i++) {
    Device &d = c.devices[i];
    if (d.ok()) {
      if (kept != i) c.devices[kept] = d;
      kept++;
      continue;
    }
    char *at = c.error;
    const char *end = c.error + sizeof c.error - 1;
    append(at, end, d.failed_call());
    append(at, end, ": ");
    append(at, end, c.driver.name_of(d.error()));
    *at = 0;
    d.close();
  }
  c.count = kept;
}

const char *aioli_cuda_why_no_device(void) {
  Driver driver;
  const char *why = driver.open();
  return why != nullptr ? why : count_devices(driver) == 0 ? "the driver knows no device" : nullptr;
}

size_t aioli_cuda_device_count(void) {
  Driver driver;
  return driver.open() == nullptr ? count_devices(driver) : 0;
}

aioli_status aioli_cuda_device_at(aioli_cuda_device *device, size_t index) {
  if (device == nullptr) return AIOLI_ERR_ARGUMENT;
  *device = {};
  Driver driver;
  if (driver.open() != nullptr || index >= count_devices(driver)) return AIOLI_ERR_NO_DEVICE;
  int d = 0, version = 0, major = 0, minor = 0, processors = 0, clock = 0;
  const bool read =
      driver.device(&d, int(index)) == 0 && driver.version(&version) == 0 &&
      driver.device_name(device->name, sizeof device->name, d) == 0 && driver.device_memory(&device->memory_bytes, d) == 0 &&
      driver.device_attribute(&major, compute_major, d) == 0 && driver.device_attribute(&minor, compute_minor, d) == 0 &&
      driver.device_attribute(&processors, multiprocessors, d) == 0;
  if (!read) {
    *device = {};
    return AIOLI_ERR_DEVICE;
  }
  device->name[sizeof device->name - 1] = 0;
  if (driver.device_attribute(&clock, clock_kilohertz, d) != 0) clock = 0;  // not every driver says it
  device->compute_capability = uint32_t(10 * major + minor);
  device->multiprocessors = uint32_t(processors);
  device->clock_kilohertz = uint32_t(clock);
  device->driver_version = uint32_t(version);
  return AIOLI_OK;
}

aioli_status aioli_cuda_new(aioli_cuda **cuda, const aioli_cuda_options *given) {
  if (cuda == nullptr) return AIOLI_ERR_ARGUMENT;
  *cuda = nullptr;
  aioli_cuda_options options;
  const aioli_status sound = read(options, given);
  if (sound != AIOLI_OK) return sound;
  aioli_cuda *c = allocate<aioli_cuda>(1);
  if (c == nullptr) return AIOLI_ERR_MEMORY;
  new (Place{c}) aioli_cuda{};
  c->flags = options.flags;
  c->least_rows = options.least_rows;
  const bool have_driver = c->driver.open() == nullptr;
  const uint32_t present = have_driver ? count_devices(c->driver) : 0;
  uint32_t wanted = options.device_count > 0 ? options.device_count : present;
  if (wanted > AIOLI_CUDA_MAX_DEVICES) wanted = AIOLI_CUDA_MAX_DEVICES;
  bool all = wanted > 0, failed = false;
  for (uint32_t i = 0; i < wanted; i++) {
    const uint32_t ordinal = options.device_count > 0 ? options.devices[i] : i;
    if (ordinal >= present) {
      all = false;
      continue;
    }
    failed = !c->devices[c->count++].open(c->driver, ordinal, options.memory_bytes) || failed;
  }
  drop_failed(*c);
  if ((all && !failed) || c->may_fall_back()) {
    *cuda = c;
    return AIOLI_OK;
  }
  aioli_cuda_free(c);
  return failed ? AIOLI_ERR_DEVICE : AIOLI_ERR_NO_DEVICE;
}

void aioli_cuda_free(aioli_cuda *cuda) {
  if (cuda == nullptr) return;
  for (size_t i = 0; i < cuda->count; i++) cuda->devices[i].close();
  free(cuda);
}

size_t aioli_cuda_devices(const aioli_cuda *cuda) { return cuda != nullptr ? cuda->count : 0; }

const char *aioli_cuda_error(const aioli_cuda *cuda) { return cuda != nullptr && cuda->error[0] != 0 ? cuda->error : nullptr; }
