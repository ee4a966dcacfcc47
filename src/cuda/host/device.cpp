// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/device.hpp"

#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

bool Device::open(const Driver &driver, uint32_t index, size_t budget) {
  *this = {};
  driver_ = &driver;
  ordinal = index;
  did("cuDeviceGet", driver.device(&device_, int(index)));
  const auto attribute = [&](Attribute which) {
    int value = 0;
    if (ok()) did("cuDeviceGetAttribute", driver.device_attribute(&value, which, device_));
    return uint32_t(value);
  };
  multiprocessors = attribute(Attribute::multiprocessors);
  cache_bytes = attribute(second_level_cache_bytes);
  if (ok()) did("cuDevicePrimaryCtxRetain", driver.retain_context(&context_, device_));
  if (!ok()) context_ = nullptr;
  if (enter()) {
    size_t free_bytes = 0, all_bytes = 0;
    did("cuMemGetInfo", driver.memory_info(&free_bytes, &all_bytes));
    budget_ = budget > 0 ? budget : free_bytes / 2;
    for (Lane &l : at)
      if (ok() && !did("cuStreamCreate", driver.create_stream(&l.stream, stream_non_blocking))) l.stream = nullptr;
    leave();
  }
  return ok();
}

void Device::close() {
  if (context_ == nullptr) return;
  // Even of a device that has failed everything is given back, as far as it goes: errors no longer matter.
  const bool in = driver_->push_context(context_) == 0;
  clear();
  for (Lane &l : at) {
    give_back(l);
    if (l.stream != nullptr) (void)driver_->destroy_stream(l.stream);
  }
  for (const Loaded &l : loaded_)
    if (l.module != nullptr) (void)driver_->unload(l.module);
  Context popped;
  if (in) (void)driver_->pop_context(&popped);
  (void)driver_->release_context(device_);
  context_ = nullptr;
}

bool Device::enter() { return did("cuCtxPushCurrent", ok() ? driver_->push_context(context_) : -1); }
void Device::leave() {
  Context popped;
  did("cuCtxPopCurrent", driver_->pop_context(&popped));
}

void Device::give_back(Lane &l) {
  // A device that has failed is asked to clear what it holds all the same: many a failure is that of one call.
  if (l.memory != 0) {
    (void)driver_->wait(l.stream);
    if (l.dirty_memory > 0 && driver_->fill(l.memory, 0, l.dirty_memory, l.stream) == 0) (void)driver_->wait(l.stream);
    (void)driver_->free(l.memory);
  }
  if (l.pinned != nullptr) {
    wipe(l.pinned, l.pinned_bytes);
    (void)driver_->free_pinned(l.pinned);
  }
  l.memory = 0, l.pinned = nullptr;
  l.memory_bytes = l.pinned_bytes = l.dirty_memory = l.dirty_pinned = 0;
}

bool Device::reserve(Lane &l, size_t memory_bytes, size_t pinned_bytes) {
  if (!ok()) return false;
  if (l.memory_bytes >= memory_bytes && l.pinned_bytes >= pinned_bytes) {
    if (memory_bytes > l.dirty_memory) l.dirty_memory = memory_bytes;
    if (pinned_bytes > l.dirty_pinned) l.dirty_pinned = pinned_bytes;
    return true;
  }
  if (memory_bytes > lane_budget()) return false;
  if (memory_bytes < l.memory_bytes) memory_bytes = l.memory_bytes;
  if (pinned_bytes < l.pinned_bytes) pinned_bytes = l.pinned_bytes;
  if (!clear(l)) return false;
  give_back(l);
  int error = driver_->allocate(&l.memory, memory_bytes);
  if (error == 0) {
    l.memory_bytes = memory_bytes;
    void *pinned = nullptr;
    error = driver_->allocate_pinned(&pinned, pinned_bytes, 0);
    if (error == 0) {
      l.pinned = static_cast<uint8_t *>(pinned);
      l.pinned_bytes = l.dirty_pinned = pinned_bytes;
      l.dirty_memory = memory_bytes;
      return true;
    }
  } else {
    l.memory = 0;
  }
  give_back(l);
  if (error != out_of_memory) did("cuMemAlloc", error);
  return false;
}

bool Device::clear(Lane &l) {
  if (l.pinned != nullptr && l.dirty_pinned > 0) {
    if (ok()) wait(l);  // what is still on its way
    wipe(l.pinned, l.dirty_pinned);
    l.dirty_pinned = 0;
  }
  if (l.dirty_memory > 0 && fill(l, reinterpret_cast<void *>(uintptr_t(l.memory)), 0, l.dirty_memory) && wait(l))
    l.dirty_memory = 0;
  return ok();
}

bool Device::clear() {
  for (Lane &l : at) clear(l);
  return ok();
}

bool Device::load_entry(const Set &set, Step step, Loaded &loaded) {
  Entry &entry = loaded.entries[step];
  const Shape &shape = set.layout.shape[step];
  char name[most_entry_bytes];
  entry_name(name, set, step);
  if (!did("cuModuleGetFunction", driver_->function(&entry.function, loaded.module, name))) return false;
  // What a launch may have without asking is less.
  constexpr uint32_t unasked = 48 * 1024;
  if (shape.shared_bytes > unasked &&
      !did("cuFuncSetAttribute", driver_->set_attribute(entry.function, function_shared_bytes, int(shape.shared_bytes))))
    return false;
  int blocks = 0;
  if (shape.persistent && !did("cuOccupancyMaxActiveBlocksPerMultiprocessor",
                               driver_->occupancy(&blocks, entry.function, int(shape.threads), shape.shared_bytes)))
    return false;
  entry.resident = blocks > 0 ? uint32_t(blocks) * multiprocessors : multiprocessors;
  return true;
}

bool Device::load(const Set &set, int number) {
  if (!ok()) return false;
  Loaded &loaded = loaded_[number];
  if (loaded.module == nullptr) {
    if (!did("cuModuleLoadData", driver_->load(&loaded.module, set.image))) {
      loaded.module = nullptr;
      return false;
    }
    for (int step = 0; step < steps; step++)
      if (!load_entry(set, Step(step), loaded)) return false;
  }
  current_ = &loaded;
  set_ = &set;
  return true;
}

bool Device::launch(const Lane &l, Step step, uint32_t count, const void *args) {
  if (!ok()) return false;
  if (count == 0) return true;
  const Shape &shape = set_->layout.shape[step];
  const Entry &entry = current_->entries[step];
  uint32_t blocks = ceil_div(count, shape.rows);
  if (shape.persistent && blocks > entry.resident) blocks = entry.resident;
  void *parameters[] = {const_cast<void *>(args)};
  return did("cuLaunchKernel", driver_->launch(entry.function, blocks, shape.blocks, 1, shape.threads, 1, 1, shape.shared_bytes,
                                               l.stream, parameters, nullptr));
}

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
