// SPDX-License-Identifier: Apache-2.0
// Runs kernels on the CPU: one fiber for each thread of a block, one block after another.  Stricter than a GPU:
//   - threads run one at a time, in an order that a seed decides, from one meeting point (barrier, shuffle, vote) to the next;
//   - shared memory is exactly as large as asked for, and full of rubbish at the start of every block;
//   - threads that wait at different places for each other, or for one that has returned, end the launch with an error that names
//     both;
//   - under ThreadSanitizer each thread is one of its fibers and only meeting points and atomic operations order them: it then
//     reports races between threads, of one warp or several, in shared and in global memory.
// What it cannot see: bank conflicts, registers, the memory model between blocks (which run one after another).
#pragma once
#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <string>
#include <vector>

namespace aioli::shim {

struct Size {
  uint32_t x = 1, y = 1, z = 1;
};
struct Barrier {  // in a kernel's source
  std::string file;
  int line;
  bool operator==(const Barrier &) const = default;
};
struct Launch {
  Size grid, block;
  size_t shared_bytes = 0;
  uint64_t seed = 0;                    // of the order
  std::vector<Barrier> *met = nullptr;  // every barrier that a thread came to is put here once
  const Barrier *without = nullptr;     // a planted fault: this one is not there
  size_t shared_limit = 227 * 1024;     // 227 KiB: H100; 99 KiB: the smallest of those that we build for
  uint32_t shared_base = 1024;          // the address of shared memory
  bool *leaves_shared = nullptr;        // set if some block leaves anything but zeros in shared memory
};

// Empty, or what was wrong.  Any number of host threads may launch at once.
std::string run(const Launch &launch, const std::function<void()> &kernel);

// The kernels that are linked in, by the names of their entry points.
struct Kernel {
  std::string name;
  size_t argument_bytes;
  void (*call)(const void *arguments);
};
const std::vector<Kernel> &kernels();
const Kernel *find(const std::string &name);  // null: there is none
struct Registration {                         // registration.inc makes one for each set
  explicit Registration(const std::vector<Kernel> &kernels);
};

}  // namespace aioli::shim
