// SPDX-License-Identifier: Apache-2.0
#include "shim.hpp"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>

#if defined(__SANITIZE_ADDRESS__)
#define AIOLI_SHIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AIOLI_SHIM_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define AIOLI_SHIM_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AIOLI_SHIM_TSAN 1
#endif
#endif
#if defined(AIOLI_SHIM_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(AIOLI_SHIM_TSAN)
#include <sanitizer/tsan_interface.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#include "dialect.hpp"

namespace aioli::shim {

#if defined(__x86_64__)
// Saves what a function has to keep, and the stack's place in *from; goes on where `to` stopped.
extern "C" void aioli_shim_switch(void **from, void *to);
__asm__(R"(
.text
.type aioli_shim_switch, @function
aioli_shim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size aioli_shim_switch, . - aioli_shim_switch
)");
#endif

namespace {

enum class State { running, at_warp, at_block, returned };

constexpr size_t stack_bytes = 256 * 1024;

struct Fiber {
#if defined(__x86_64__)
  void *stack_pointer;
#else
  ucontext_t context;
#endif
  State state;
  Place place;
  uint32_t lanes;  // who is to meet
  Coordinates at;
  uint32_t index;
  int turn;
  void *fake_stack = nullptr;
  void *tsan = nullptr;
};

struct Warp {
  uint32_t value[2][32];
  uint32_t present;
};

// One launch on one host thread.
struct Machine {
  const Launch &launch;
  const std::function<void()> &kernel;
  std::vector<Fiber> fibers;
  std::vector<Warp> warps;
  std::unique_ptr<uint8_t[]> shared;
  uint8_t *stacks = nullptr;
  Fiber *current = nullptr;
  std::string error;
#if defined(__x86_64__)
  void *stack_pointer;
#else
  ucontext_t context;
#endif
  void *fake_stack = nullptr, *tsan = nullptr;

  Machine(const Launch &l, const std::function<void()> &k, size_t threads)
      : launch(l), kernel(k), fibers(threads), shared(std::make_unique<uint8_t[]>(l.shared_bytes)) {}
  ~Machine() {
#if defined(AIOLI_SHIM_TSAN)
    for (Fiber &f : fibers)
      if (f.tsan) __tsan_destroy_fiber(f.tsan);
#endif
    if (stacks) munmap(stacks, fibers.size() * stack_bytes);
  }
  uint8_t *stack(uint32_t i) const { return stacks + i * stack_bytes; }
};
thread_local Machine *machine;

void enter(Fiber &f) {
  Machine &m = *machine;
  m.current = &f;
  f.state = State::running;
#if defined(AIOLI_SHIM_ASAN)
  __sanitizer_start_switch_fiber(&m.fake_stack, m.stack(f.index), stack_bytes);
#endif
#if defined(AIOLI_SHIM_TSAN)
  __tsan_switch_to_fiber(f.tsan, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__)
  aioli_shim_switch(&m.stack_pointer, f.stack_pointer);
#else
  swapcontext(&m.context, &f.context);
#endif
#if defined(AIOLI_SHIM_ASAN)
  __sanitizer_finish_switch_fiber(m.fake_stack, nullptr, nullptr);
#endif
}

#if defined(AIOLI_SHIM_ASAN)
thread_local size_t host_stack_bytes = 0;
thread_local const void *host_stack_bottom = nullptr;
#endif

void leave(bool for_good) {
  Machine &m = *machine;
  Fiber &f = *m.current;
#if defined(AIOLI_SHIM_ASAN)
  __sanitizer_start_switch_fiber(for_good ? nullptr : &f.fake_stack, host_stack_bottom, host_stack_bytes);
#else
  (void)for_good;
#endif
#if defined(AIOLI_SHIM_TSAN)
  __tsan_switch_to_fiber(m.tsan, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__)
  aioli_shim_switch(&f.stack_pointer, m.stack_pointer);
#else
  swapcontext(&f.context, &m.context);
#endif
#if defined(AIOLI_SHIM_ASAN)
  __sanitizer_finish_switch_fiber(f.fake_stack, nullptr, nullptr);
#endif
}

void start_of_fiber() {
#if defined(AIOLI_SHIM_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &host_stack_bottom, &host_stack_bytes);
#endif
#if defined(AIOLI_SHIM_TSAN)
  __tsan_acquire(machine);
#endif
  machine->kernel();
#if defined(AIOLI_SHIM_TSAN)
  __tsan_release(machine->current);
#endif
  machine->current->state = State::returned;
  leave(true);
  abort();  // nobody comes back
}

void prepare(Fiber &f, uint32_t index) {
  Machine &m = *machine;
  f.state = State::running;
  f.index = index;
  f.turn = 0;
  f.place = {"", 0};
  f.fake_stack = nullptr;
#if defined(__x86_64__)
  void **top = reinterpret_cast<void **>(m.stack(index) + stack_bytes);
  *--top = nullptr;  // as if called: 8 off a multiple of 16 where the function begins
  *--top = reinterpret_cast<void *>(start_of_fiber);
  for (int i = 0; i < 6; i++) *--top = nullptr;
  f.stack_pointer = top;
#else
  getcontext(&f.context);
  f.context.uc_stack.ss_sp = m.stack(index);
  f.context.uc_stack.ss_size = stack_bytes;
  f.context.uc_link = nullptr;
  makecontext(&f.context, start_of_fiber, 0);
#endif
}

std::string text(Place p) {
  const char *slash = strrchr(p.file, '/');
  return std::string(slash ? slash + 1 : p.file) + ":" + std::to_string(p.line);
}
std::string who(const Fiber &f) {
  return "thread " + std::to_string(f.at.thread.x) + " of block (" + std::to_string(f.at.block.x) + ", " +
         std::to_string(f.at.block.y) + ")";
}
bool same(Place a, Place b) { return a.line == b.line && strcmp(a.file, b.file) == 0; }

void run_block(Machine &m, Index block, std::mt19937_64 &random) {
  const Size &size = m.launch.block;
  const uint32_t threads = size.x * size.y * size.z, warps = (threads + 31) / 32;
  for (size_t i = 0; i < m.launch.shared_bytes; i += sizeof(uint64_t)) {
    const uint64_t rubbish = random();
    memcpy(&m.shared[i], &rubbish, std::min(sizeof rubbish, m.launch.shared_bytes - i));
  }
  m.warps.assign(warps, {});
  for (uint32_t i = 0; i < threads; i++) {
    m.warps[i / 32].present |= 1u << i % 32;
    prepare(m.fibers[i], i);
    m.fibers[i].at = {{i % size.x, i / size.x % size.y, i / size.x / size.y},
                      block,
                      {size.x, size.y, size.z},
                      {m.launch.grid.x, m.launch.grid.y, m.launch.grid.z}};
  }
#if defined(AIOLI_SHIM_TSAN)
  __tsan_release(&m);
#endif
  std::vector<uint32_t> order(warps);
  for (uint32_t i = 0; i < warps; i++) order[i] = i;
  for (uint32_t live = threads; live > 0;) {
    std::shuffle(order.begin(), order.end(), random);
    for (uint32_t w : order) {
      Warp &warp = m.warps[w];
      while (warp.present != 0) {
        // Lanes in an order of their own, each to its next meeting point.
        uint32_t lanes[32];
        uint32_t count = 0;
        for (uint32_t i = 0; i < 32; i++)
          if (warp.present >> i & 1) lanes[count++] = i;
        std::shuffle(lanes, lanes + count, random);
        if (m.fibers[32 * w + lanes[0]].state == State::at_block) break;  // they wait for other warps
        for (uint32_t i = 0; i < count; i++) {
          Fiber &f = m.fibers[32 * w + lanes[i]];
          enter(f);
          if (f.state == State::returned) warp.present &= ~(1u << lanes[i]), live--;
        }
        // They have to be at the same place, all that it is for.
        const Fiber *first = nullptr;
        for (uint32_t i = 0; i < 32; i++) {
          if (!(warp.present >> i & 1)) continue;
          const Fiber &f = m.fibers[32 * w + i];
          if (!first) first = &f;
          if (f.state != first->state || !same(f.place, first->place)) {
            m.error = who(*first) + " waits at " + text(first->place) + ", " + who(f) + " at " + text(f.place);
            return;
          }
          if (f.state == State::at_warp && f.lanes != warp.present) {
            m.error = who(f) + " waits at " + text(f.place) + " for lanes that have returned, or not for all";
            return;
          }
        }
        if (!first || first->state == State::at_block) break;
      }
    }
    // All that live wait for the block.
    const Fiber *first = nullptr;
    for (uint32_t i = 0; i < threads && live > 0; i++) {
      Fiber &f = m.fibers[i];
      if (f.state == State::returned) {
        for (uint32_t j = 0; j < threads; j++)
          if (m.fibers[j].state == State::at_block) {
            m.error = who(m.fibers[j]) + " waits at " + text(m.fibers[j].place) + ", but " + who(f) + " has returned";
            return;
          }
      }
      if (!first) first = &f;
      if (!same(f.place, first->place)) {
        m.error = who(*first) + " waits at " + text(first->place) + ", " + who(f) + " at " + text(f.place);
        return;
      }
    }
    for (uint32_t i = 0; i < threads; i++)
      if (m.fibers[i].state == State::at_block) m.fibers[i].state = State::running;
  }
#if defined(AIOLI_SHIM_TSAN)
  for (Fiber &f : m.fibers) __tsan_acquire(&f);
#endif
  if (m.launch.leaves_shared)
    for (size_t i = 0; i < m.launch.shared_bytes; i++)
      if (m.shared[i] != 0) *m.launch.leaves_shared = true;
}

}  // namespace

const Coordinates &coordinates() { return machine->current->at; }
void *shared_memory() { return machine->shared.get(); }
uint32_t shared_address(const void *p) {
  return machine->launch.shared_base + uint32_t(static_cast<const uint8_t *>(p) - machine->shared.get());
}
const uint32_t *shared_word(uint32_t address) {
  static const uint32_t nothing = 0;
  Machine &m = *machine;
  const uint32_t at = address - m.launch.shared_base;
  if (at % 4 == 0 && at < m.launch.shared_bytes && m.launch.shared_bytes - at >= 4)
    return reinterpret_cast<const uint32_t *>(m.shared.get() + at);
  if (m.error.empty()) m.error = who(*m.current) + " loads from shared address " + std::to_string(address);
  return &nothing;
}
uint32_t lane() { return machine->current->index % 32; }
uint32_t present() { return machine->warps[machine->current->index / 32].present; }

namespace {
// Whether the barrier is one that this launch does without.
bool left_out(Place place) {
  const Launch &launch = machine->launch;
  if (!launch.met && !launch.without) return false;
  const char *slash = strrchr(place.file, '/');
  const Barrier barrier = {slash ? slash + 1 : place.file, place.line};
  if (launch.met && std::find(launch.met->begin(), launch.met->end(), barrier) == launch.met->end())
    launch.met->push_back(barrier);
  return launch.without && *launch.without == barrier;
}
}  // namespace

void wait_for_warp(Place place) {
  if (!left_out(place)) exchange(present(), 0, place);
}

void wait_for_block(Place place) {
  if (left_out(place)) return;
  Fiber &f = *machine->current;
  f.state = State::at_block;
  f.place = place;
#if defined(AIOLI_SHIM_TSAN)
  __tsan_release(machine->shared.get());
#endif
  leave(false);
#if defined(AIOLI_SHIM_TSAN)
  __tsan_acquire(machine->shared.get());
#endif
}

const uint32_t *exchange(uint32_t lanes, uint32_t value, Place place) {
  Fiber &f = *machine->current;
  Warp &warp = machine->warps[f.index / 32];
  // Two buffers in turn: who comes here twice has been left by all others once, and they have read what was said then.
  f.state = State::at_warp;
  f.place = place;
  f.lanes = lanes;
  f.turn ^= 1;
  uint32_t *values = warp.value[f.turn];
  values[f.index % 32] = value;
#if defined(AIOLI_SHIM_TSAN)
  __tsan_release(&warp);
#endif
  leave(false);
#if defined(AIOLI_SHIM_TSAN)
  __tsan_acquire(&warp);
#endif
  return values;
}

uint32_t atomic(uint32_t *word, uint32_t (*operation)(uint32_t old, uint32_t operand), uint32_t operand) {
  uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
  __atomic_store_n(word, operation(old, operand), __ATOMIC_RELAXED);  // threads run one at a time
  return old;
}

std::string run(const Launch &launch, const std::function<void()> &kernel) {
  const uint64_t threads = uint64_t(launch.block.x) * launch.block.y * launch.block.z;
  if (threads == 0 || threads > 1024) return "a block of " + std::to_string(threads) + " threads";
  if (uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z == 0 || launch.grid.y > 65535 || launch.grid.z > 65535)
    return "a grid that there is not";
  if (launch.shared_bytes > launch.shared_limit)
    return std::to_string(launch.shared_bytes) + " bytes of shared memory; a block may have " +
           std::to_string(launch.shared_limit);

  Machine m(launch, kernel, threads);
  m.stacks = static_cast<uint8_t *>(
      mmap(nullptr, threads * stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (m.stacks == MAP_FAILED) {
    m.stacks = nullptr;
    return "no memory for stacks";
  }
#if defined(AIOLI_SHIM_TSAN)
  m.tsan = __tsan_get_current_fiber();
  for (Fiber &f : m.fibers) f.tsan = __tsan_create_fiber(0);
#endif
  Machine *const before = machine;
  machine = &m;
  std::mt19937_64 random(launch.seed);
  for (uint32_t z = 0; z < launch.grid.z && m.error.empty(); z++)
    for (uint32_t y = 0; y < launch.grid.y && m.error.empty(); y++)
      for (uint32_t x = 0; x < launch.grid.x && m.error.empty(); x++) run_block(m, {x, y, z}, random);
  machine = before;
  return m.error;
}

namespace {
std::vector<Kernel> &known() {
  static std::vector<Kernel> kernels;
  return kernels;
}
}  // namespace
const std::vector<Kernel> &kernels() { return known(); }
const Kernel *find(const std::string &name) {
  for (const Kernel &k : known())
    if (k.name == name) return &k;
  return nullptr;
}
Registration::Registration(const std::vector<Kernel> &kernels) { known().insert(known().end(), kernels.begin(), kernels.end()); }

}  // namespace aioli::shim
