// SPDX-License-Identifier: Apache-2.0
// One device: its context, two lanes of work that overlap, the kernels that were loaded.  After the first call of the driver that
// fails, nothing more is asked of it; every function then returns false.
#pragma once
#include "cuda/host/driver.hpp"
#include "cuda/host/sets.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// Work in order, with memory of its own on both sides.
struct Lane {
  Stream stream;
  DevicePointer memory;
  uint8_t *pinned;
  size_t memory_bytes, pinned_bytes;
  size_t dirty_memory, dirty_pinned;  // how much of them has been used since it was cleared
};

#define AIOLI_KERNEL(step, Args) \
  constexpr Step step_of(const Args &) { return step_##step; }
#include "cuda/device/kernels.def"
#undef AIOLI_KERNEL

class Device {
 public:
  static constexpr int lanes = 2;

  // Takes the device `ordinal`; `budget`: most bytes of its memory, 0 for half of what is free.
  bool open(const Driver &driver, uint32_t ordinal, size_t budget);
  // Gives everything back; what the lanes' memory holds is cleared first, if the device still works.
  void close();

  // Around all calls below, on whatever thread.
  bool enter();
  void leave();

  // Memory of a lane, at least this much; what it held is lost.  False, but no failure, if there is not so much: ask for less.
  bool reserve(Lane &lane, size_t memory_bytes, size_t pinned_bytes);
  size_t lane_budget() const { return budget_ / lanes; }
  // Loads the kernels of a set.
  bool load(const Set &set, int number);
  // Of the set loaded last.  A count of zero is no launch.
  template <class Args> bool launch(const Lane &lane, const Args &args) { return launch(lane, step_of(args), args.count, &args); }
  bool upload(const Lane &lane, const void *to, const void *from, size_t bytes) {
    return bytes == 0 || did("cuMemcpyHtoDAsync", ok() ? driver_->to_device(address(to), from, bytes, lane.stream) : -1);
  }
  bool download(const Lane &lane, void *to, const void *from, size_t bytes) {
    return bytes == 0 || did("cuMemcpyDtoHAsync", ok() ? driver_->to_host(to, address(from), bytes, lane.stream) : -1);
  }
  bool fill(const Lane &lane, const void *to, uint8_t value, size_t bytes) {
    return bytes == 0 || did("cuMemsetD8Async", ok() ? driver_->fill(address(to), value, bytes, lane.stream) : -1);
  }
  bool wait(const Lane &lane) { return did("cuStreamSynchronize", ok() ? driver_->wait(lane.stream) : -1); }
  // Clears all that the lanes hold, on the device and in pinned memory, and waits.
  bool clear();

  bool ok() const { return call_ == nullptr; }
  bool is_open() const { return context_ != nullptr; }
  const char *failed_call() const { return call_; }
  int error() const { return error_; }

  Lane at[lanes];
  uint32_t ordinal;
  uint32_t multiprocessors;
  uint32_t cache_bytes;  // of the second level

 private:
  struct Entry {
    Function function;
    uint32_t resident;  // blocks that the device holds at once
  };
  struct Loaded {
    Module module;
    Entry entries[steps];
  };

  static DevicePointer address(const void *p) { return DevicePointer(reinterpret_cast<uintptr_t>(p)); }
  // Takes down the first failure.
  bool did(const char *call, int result) {
    if (ok() && result != 0) call_ = call, error_ = result;
    return ok();
  }
  bool launch(const Lane &lane, Step step, uint32_t count, const void *args);
  bool load_entry(const Set &set, Step step, Loaded &loaded);
  bool clear(Lane &lane);
  void give_back(Lane &lane);

  const Driver *driver_;
  Context context_;
  int device_;
  size_t budget_;
  Loaded loaded_[most_sets];
  const Loaded *current_;
  const Set *set_;
  const char *call_;
  int error_;
};

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
