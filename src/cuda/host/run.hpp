// SPDX-License-Identifier: Apache-2.0
// Lets all devices of a context work on one plan, each with a thread of its own and two lanes, so that a device computes while
// the host prepares and copies.
#pragma once
#include <pthread.h>

#include "cuda/host/device.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// What became of a lane's wave when the device had done what it was given.
enum class Progress { done, more };

// A Work has, for each device, a type Waves (what its lanes are at), and the functions
//   bool prepare(Device &, Waves &)                    memory and kernels; false: this device does nothing
//   bool begin(Device &, Waves &, int lane)            takes the next piece and starts it; false: none is left, or the device
//                                                      failed
//   Progress advance(Device &, Waves &, int lane)      after the lane's work is done; may start more of it
template <class Work> void work_on(Work &work, Device &device) {
  typename Work::Waves waves = {};
  if (!device.enter()) return;
  if (work.prepare(device, waves)) {
    bool busy[Device::lanes] = {}, more = true;
    int at_work = 0;
    for (int l = 0; more || at_work > 0; l = (l + 1) % Device::lanes) {
      if (busy[l]) {
        if (!device.wait(device.at[l])) break;
        busy[l] = work.advance(device, waves, l) == Progress::more;
        at_work -= !busy[l];
      }
      if (!busy[l] && more) {
        more = busy[l] = work.begin(device, waves, l);
        at_work += busy[l];
      }
      if (!device.ok()) break;
    }
  }
  if (Work::secret) device.clear();
  device.leave();
}

template <class Work> struct Worker {
  Work *work;
  Device *device;
  pthread_t thread;
  bool running;
  static void *start(void *self) {
    Worker &w = *static_cast<Worker *>(self);
    work_on(*w.work, *w.device);
    return nullptr;
  }
};

// The caller's thread works, too.  A thread that the system does not give leaves its device idle.
template <class Work> void run(Work &work, Device *devices, size_t count) {
  constexpr size_t most = 16;
  Worker<Work> workers[most];
  for (size_t i = 1; i < count && i < most; i++) {
    workers[i] = {&work, &devices[i], {}, false};
    workers[i].running = pthread_create(&workers[i].thread, nullptr, Worker<Work>::start, &workers[i]) == 0;
  }
  if (count > 0) work_on(work, devices[0]);
  for (size_t i = 1; i < count && i < most; i++)
    if (workers[i].running) pthread_join(workers[i].thread, nullptr);
}

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
