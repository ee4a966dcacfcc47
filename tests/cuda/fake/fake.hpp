// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 that is no driver: devices are memory of this process, and kernels run on the processor by way of the shim.  So
// the whole host side of libaioli_cuda runs, through dlopen and dlsym, on a machine without a GPU.
//
// It is stricter than a real one.  Work in a stream is done no earlier than somebody waits for the stream, so that data read too
// early or overwritten too early come out wrong.  New memory is full of rubbish.  Copies and fills must lie inside one
// allocation.  Memory is watched for secrets.  Any call can be made to fail.
#pragma once
#include <stddef.h>
#include <stdint.h>

extern "C" {

// What the pretended machine is like.  Set before the library opens the driver; memory_bytes at any time.
struct FakeMachine {
  int devices;
  size_t memory_bytes;  // of each device
  int multiprocessors;
  unsigned schedule;  // seed of the order in which warps run; 0: in order
};
FakeMachine *fake_machine();

// From now on the call number `countdown` (1: the next one) that is counted by fake_calls fails with `error`; 0: none.  A
// `sticky` failure is followed by others until everything of the device is given back, as after a kernel that crashed.
void fake_fail(uint64_t countdown, int error, bool sticky);
uint64_t fake_calls();
// The name of the call that failed by fake_fail, or null.
const char *fake_failed();

// What is not given back: memory of devices and of the host, streams, modules, contexts.
struct FakeUse {
  size_t device_allocations, pinned_allocations, streams, modules, contexts, device_bytes;
};
FakeUse fake_use();
uint64_t fake_launches(const char *name);  // since the last fake_forget, of kernels whose names contain `name`

// The next launch of a kernel whose name contains `name` leaves one bit wrong in the first byte of its first output: a device
// that errs without knowing it.
void fake_spoil(const char *name);
// While this is so, the first row of each wave finds no solution.
void fake_singular(bool always);

// Secrets to look for.  A secret counts once for each allocation of a device or of pinned memory that holds it when it is given
// back, or now.
void fake_watch(const void *secret, size_t bytes);
uint64_t fake_found();
// Bytes that are not zero in allocations of at least so many bytes: what a caller allocates for itself is smaller.
uint64_t fake_nonzero(size_t least_bytes);
void fake_forget();  // secrets, counts of launches and of finds
}
