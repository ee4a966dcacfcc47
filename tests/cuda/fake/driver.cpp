// SPDX-License-Identifier: Apache-2.0
// The functions of cuda/host/driver.def over memory of this process.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/device/kernels.hpp"
#include "cuda/host/driver.hpp"
#include "fake.hpp"
#include "shim/shim.hpp"

using namespace aioli::cuda;

namespace {

enum Error : int {
  success = 0,
  invalid_value = 1,
  not_initialized = 3,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  invalid_handle = 400,
  not_found = 500,
};

struct Allocation {
  std::vector<uint8_t> bytes;
  int device;  // -1: pinned
};

}  // namespace

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {
struct ContextOfTheDriver {
  int device, users;
};
struct StreamOfTheDriver {
  int device;
  std::vector<std::function<void()>> work;
};
struct ModuleOfTheDriver {
  int device;
  std::vector<Function> functions;
};
struct FunctionOfTheDriver {
  const aioli::shim::Kernel *kernel;
  unsigned shared_bytes;
};
}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli

namespace {

constexpr int most_devices = 8;
// As much shared memory as every architecture has that we build for: of sm_86, sm_89 and sm_120 it is 99 KB.
constexpr unsigned shared_without_asking = 48 * 1024, shared_at_most = 99 * 1024;

size_t number_from_environment(const char *name, size_t otherwise) {
  const char *text = std::getenv(name);
  return text != nullptr ? size_t(std::strtoull(text, nullptr, 10)) : otherwise;
}

struct State {
  std::recursive_mutex lock;
  FakeMachine machine = {int(number_from_environment("AIOLI_FAKE_CUDA_DEVICES", 1)),
                         number_from_environment("AIOLI_FAKE_CUDA_MEMORY", size_t{1} << 30), 5,
                         1};  // a pass is of more rows than keys
  bool initialized = false;
  ContextOfTheDriver contexts[most_devices] = {};
  std::map<uintptr_t, Allocation> allocations;
  std::vector<Stream> streams;
  std::vector<Module> modules;
  size_t used[most_devices] = {};
  uint64_t calls = 0, fail_at = 0, found = 0;
  int error = 0;
  bool sticky = false, broken = false;
  const char *failed = nullptr;
  std::vector<std::vector<uint8_t>> secrets;
  std::map<std::string, uint64_t> launches;
  std::string spoil;  // part of the name of a kernel
  bool singular = false;
};
State &state() {
  static State *s = new State;  // outlives everything that may still call
  return *s;
}
thread_local std::vector<Context> current;

// Every call begins with this: counts it, and fails it if that was asked for.
struct Call {
  std::lock_guard<std::recursive_mutex> guard{state().lock};
  int error = success;
  Call(const char *name, bool wants_context = true, bool gives_back = false) {
    State &s = state();
    s.calls++;
    if (s.fail_at != 0 && --s.fail_at == 0) {
      s.failed = name;
      error = s.error;
      s.broken = s.sticky;
    } else if (s.broken && !gives_back) {
      error = s.error;
    } else if (!s.initialized && std::strcmp(name, "cuInit") != 0) {
      error = not_initialized;
    } else if (wants_context && current.empty()) {
      error = invalid_context;
    }
  }
};
#define BEGIN(...)                                      \
  const Call call(__func__ __VA_OPT__(, ) __VA_ARGS__); \
  if (call.error != success) return call.error;         \
  State &s = state();                                   \
  (void)s

uint64_t occurrences(const std::vector<uint8_t> &bytes) {
  uint64_t n = 0;
  for (const auto &secret : state().secrets)
    if (std::search(bytes.begin(), bytes.end(), secret.begin(), secret.end()) != bytes.end()) n++;
  return n;
}

// The allocation that holds [at, at + bytes), or null.
const Allocation *holder(uintptr_t at, size_t bytes, bool pinned) {
  auto next = state().allocations.upper_bound(at);
  if (next == state().allocations.begin()) return nullptr;
  --next;
  const Allocation &a = next->second;
  if ((a.device < 0) != pinned || at - next->first > a.bytes.size() || bytes > a.bytes.size() - (at - next->first))
    return nullptr;
  if (!pinned && a.device != current.back()->device) return nullptr;
  return &a;
}
uint8_t *host(DevicePointer p) { return reinterpret_cast<uint8_t *>(uintptr_t(p)); }

template <class T> bool known(const std::vector<T> &all, T one) { return std::find(all.begin(), all.end(), one) != all.end(); }
template <class T> void forget(std::vector<T> &all, T one) { all.erase(std::find(all.begin(), all.end(), one)); }

uintptr_t add(size_t bytes, int device) {
  std::vector<uint8_t> memory(bytes, 0xa5);
  const uintptr_t at = reinterpret_cast<uintptr_t>(memory.data());
  state().allocations[at] = {std::move(memory), device};
  return at;
}
int drop(uintptr_t at, bool pinned) {
  State &s = state();
  const auto it = s.allocations.find(at);
  if (it == s.allocations.end() || (it->second.device < 0) != pinned) return invalid_value;
  s.found += occurrences(it->second.bytes);
  if (!pinned) s.used[it->second.device] -= it->second.bytes.size();
  s.allocations.erase(it);
  return success;
}

void end_of_device_if_unused() {
  State &s = state();
  for (const auto &context : s.contexts)
    if (context.users > 0) return;
  s.broken = false;
}

}  // namespace

extern "C" {

FakeMachine *fake_machine() { return &state().machine; }
void fake_fail(uint64_t countdown, int error, bool sticky) {
  State &s = state();
  s.fail_at = countdown;
  s.error = error;
  s.sticky = sticky;
  s.broken = false;
  s.failed = nullptr;
}
uint64_t fake_calls() { return state().calls; }
const char *fake_failed() { return state().failed; }
FakeUse fake_use() {
  State &s = state();
  FakeUse use = {};
  for (const auto &[at, a] : s.allocations) {
    (a.device < 0 ? use.pinned_allocations : use.device_allocations)++;
    if (a.device >= 0) use.device_bytes += a.bytes.size();
  }
  use.streams = s.streams.size();
  use.modules = s.modules.size();
  for (const auto &context : s.contexts) use.contexts += size_t(context.users);
  return use;
}
uint64_t fake_launches(const char *name) {
  uint64_t n = 0;
  for (const auto &[kernel, times] : state().launches)
    if (kernel.find(name) != std::string::npos) n += times;
  return n;
}
void fake_spoil(const char *name) { state().spoil = name; }
void fake_singular(bool always) { state().singular = always; }
void fake_watch(const void *secret, size_t bytes) {
  const uint8_t *p = static_cast<const uint8_t *>(secret);
  state().secrets.emplace_back(p, p + bytes);
}
uint64_t fake_found() {
  uint64_t n = state().found;
  for (const auto &[at, a] : state().allocations) n += occurrences(a.bytes);
  return n;
}
uint64_t fake_nonzero(size_t least_bytes) {
  uint64_t n = 0;
  for (const auto &[at, a] : state().allocations)
    if (a.bytes.size() >= least_bytes) n += a.bytes.size() - size_t(std::count(a.bytes.begin(), a.bytes.end(), uint8_t{0}));
  return n;
}
void fake_forget() {
  state().secrets.clear();
  state().launches.clear();
  state().found = 0;
}

// ---- the driver --------------------------------------------------------------------------------------------------------------

int cuInit(unsigned flags) {
  BEGIN(false);
  if (flags != 0) return invalid_value;
  if (s.machine.devices == 0) return no_device;
  s.initialized = true;
  return success;
}
int cuDriverGetVersion(int *version) {
  BEGIN(false);
  *version = 13000;
  return success;
}
// Works whatever else does not, and is no call that fails.
int cuGetErrorName(int error, const char **name) {
  switch (error) {
    case invalid_value: *name = "CUDA_ERROR_INVALID_VALUE"; break;
    case out_of_memory: *name = "CUDA_ERROR_OUT_OF_MEMORY"; break;
    case no_device: *name = "CUDA_ERROR_NO_DEVICE"; break;
    case 700: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; break;
    default: *name = "CUDA_ERROR_OF_THE_FAKE_DRIVER"; break;
  }
  return success;
}
int cuDeviceGetCount(int *count) {
  BEGIN(false);
  *count = s.machine.devices;
  return success;
}
int cuDeviceGet(int *device, int ordinal) {
  BEGIN(false);
  if (ordinal < 0 || ordinal >= s.machine.devices || ordinal >= most_devices) return invalid_device;
  *device = ordinal;
  return success;
}
int cuDeviceGetName(char *name, int bytes, int device) {
  BEGIN(false);
  std::snprintf(name, size_t(bytes), "fake device %d", device);
  return success;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  BEGIN(false);
  switch (attribute) {
    case multiprocessors: *value = s.machine.multiprocessors; return success;
    case clock_kilohertz: *value = 1000; return success;
    case compute_major: *value = 9; return success;
    case compute_minor: *value = 0; return success;
    case second_level_cache_bytes: *value = 1 << 20; return success;
    default: return invalid_value;
  }
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  BEGIN(false);
  *bytes = s.machine.memory_bytes;
  return success;
}
int cuDevicePrimaryCtxRetain(Context *context, int device) {
  BEGIN(false);
  if (device < 0 || device >= most_devices) return invalid_device;
  s.contexts[device].device = device;
  s.contexts[device].users++;
  *context = &s.contexts[device];
  return success;
}
int cuDevicePrimaryCtxRelease_v2(int device) {
  BEGIN(false, true);
  if (device < 0 || device >= most_devices || s.contexts[device].users == 0) return invalid_context;
  s.contexts[device].users--;
  end_of_device_if_unused();
  return success;
}
int cuCtxPushCurrent_v2(Context context) {
  BEGIN(false, true);
  if (context == nullptr || context->users == 0) return invalid_context;
  current.push_back(context);
  return success;
}
int cuCtxPopCurrent_v2(Context *context) {
  BEGIN(true, true);
  *context = current.back();
  current.pop_back();
  return success;
}
int cuMemGetInfo_v2(size_t *free_bytes, size_t *all_bytes) {
  BEGIN();
  const size_t used = s.used[current.back()->device];
  *all_bytes = s.machine.memory_bytes;
  *free_bytes = used < *all_bytes ? *all_bytes - used : 0;
  return success;
}
int cuMemAlloc_v2(DevicePointer *memory, size_t bytes) {
  BEGIN();
  if (bytes == 0) return invalid_value;
  const int device = current.back()->device;
  if (bytes > s.machine.memory_bytes || s.used[device] > s.machine.memory_bytes - bytes) return out_of_memory;
  s.used[device] += bytes;
  *memory = add(bytes, device);
  return success;
}
int cuMemFree_v2(DevicePointer memory) {
  BEGIN(true, true);
  return drop(uintptr_t(memory), false);
}
int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  BEGIN();
  if (bytes == 0) return invalid_value;
  *memory = reinterpret_cast<void *>(add(bytes, -1));
  return success;
}
int cuMemFreeHost(void *memory) {
  BEGIN(true, true);
  return drop(reinterpret_cast<uintptr_t>(memory), true);
}

// A copy is asynchronous only from and to pinned memory, so all of ours must be.
int cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes, Stream stream) {
  BEGIN();
  if (!known(s.streams, stream)) return invalid_handle;
  if (!holder(uintptr_t(to), bytes, false) || !holder(reinterpret_cast<uintptr_t>(from), bytes, true)) return invalid_value;
  stream->work.push_back([=] { std::memcpy(host(to), from, bytes); });
  return success;
}
int cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes, Stream stream) {
  BEGIN();
  if (!known(s.streams, stream)) return invalid_handle;
  if (!holder(uintptr_t(from), bytes, false) || !holder(reinterpret_cast<uintptr_t>(to), bytes, true)) return invalid_value;
  stream->work.push_back([=] { std::memcpy(to, host(from), bytes); });
  return success;
}
int cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes, Stream stream) {
  BEGIN();
  if (!known(s.streams, stream)) return invalid_handle;
  if (!holder(uintptr_t(from), bytes, false) || !holder(uintptr_t(to), bytes, false)) return invalid_value;
  stream->work.push_back([=] { std::memmove(host(to), host(from), bytes); });
  return success;
}
int cuMemsetD8Async(DevicePointer to, unsigned char value, size_t bytes, Stream stream) {
  BEGIN();
  if (!known(s.streams, stream)) return invalid_handle;
  if (!holder(uintptr_t(to), bytes, false)) return invalid_value;
  stream->work.push_back([=] { std::memset(host(to), value, bytes); });
  return success;
}
int cuStreamCreate(Stream *stream, unsigned flags) {
  BEGIN();
  if (flags != stream_non_blocking) return invalid_value;
  *stream = new StreamOfTheDriver{current.back()->device, {}};
  s.streams.push_back(*stream);
  return success;
}
int cuStreamDestroy_v2(Stream stream) {
  BEGIN(true, true);
  if (!known(s.streams, stream)) return invalid_handle;
  forget(s.streams, stream);
  delete stream;
  return success;
}
int cuStreamSynchronize(Stream stream) {
  BEGIN();
  if (!known(s.streams, stream)) return invalid_handle;
  // What is left of a stream that fails is done later or never.
  const std::vector<std::function<void()>> work = std::move(stream->work);
  stream->work.clear();
  for (const auto &step : work) step();
  return success;
}
int cuModuleLoadData(Module *module, const void *image) {
  BEGIN();
  const bool fatbin = std::memcmp(image, "\x50\xed\x55\xba", 4) == 0, ours = std::memcmp(image, "fake", 4) == 0;
  if (!fatbin && !ours) return invalid_image;
  *module = new ModuleOfTheDriver{current.back()->device, {}};
  s.modules.push_back(*module);
  return success;
}
int cuModuleUnload(Module module) {
  BEGIN(true, true);
  if (!known(s.modules, module)) return invalid_handle;
  for (Function f : module->functions) delete f;
  forget(s.modules, module);
  delete module;
  return success;
}
int cuModuleGetFunction(Function *function, Module module, const char *name) {
  BEGIN();
  if (!known(s.modules, module)) return invalid_handle;
  const aioli::shim::Kernel *kernel = aioli::shim::find(name);
  if (kernel == nullptr) return not_found;
  module->functions.push_back(new FunctionOfTheDriver{kernel, shared_without_asking});
  *function = module->functions.back();
  return success;
}
int cuFuncSetAttribute(Function function, int attribute, int value) {
  BEGIN();
  if (attribute != function_shared_bytes || value < 0 || unsigned(value) > shared_at_most) return invalid_value;
  function->shared_bytes = std::max(unsigned(value), shared_without_asking);
  return success;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function, int, size_t) {
  BEGIN();
  *blocks = 2;
  return success;
}
int cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared_bytes, Stream stream, void **parameters, void **extra) {
  BEGIN();
  if (!known(s.streams, stream)) return invalid_handle;
  const unsigned threads = block_x * block_y * block_z;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_y > 65535 || grid_z > 65535 || threads == 0 || threads > 1024 ||
      extra != nullptr || shared_bytes > function->shared_bytes)
    return invalid_value;
  const aioli::shim::Kernel *kernel = function->kernel;
  s.launches[kernel->name]++;
  const uint8_t *arguments = static_cast<const uint8_t *>(parameters[0]);
  const bool spoil = !s.spoil.empty() && kernel->name.find(s.spoil) != std::string::npos;
  if (spoil) s.spoil.clear();
  stream->work.push_back([=, copied = std::vector<uint8_t>(arguments, arguments + kernel->argument_bytes)] {
    aioli::shim::Launch launch;
    launch.grid = {grid_x, grid_y, grid_z};
    launch.block = {block_x, block_y, block_z};
    launch.shared_bytes = shared_bytes;
    launch.seed = state().machine.schedule;
    const std::string trouble = aioli::shim::run(launch, [&] { kernel->call(copied.data()); });
    if (trouble.empty()) {
      uint8_t *output = nullptr;
      std::memcpy(&output, copied.data(), sizeof output);
      if (spoil) *output ^= 1;
      if (state().singular && kernel->name.find("sign_solve") != std::string::npos) {
        SignSolveArgs args;
        std::memcpy(&args, copied.data(), sizeof args);
        args.solved[0] = 0;
      }
      return;
    }
    std::fprintf(stderr, "fake driver: %s: %s\n", kernel->name.c_str(), trouble.c_str());
    std::abort();  // a fault of ours, which no test may survive
  });
  return success;
}
}
