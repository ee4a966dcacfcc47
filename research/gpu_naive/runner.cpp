// SPDX-License-Identifier: Apache-2.0
#include "gpu_naive/runner.hpp"

#include <cstring>
#include <stdexcept>

using namespace aioli::cuda;

namespace naive {

constexpr unsigned threads = 64;

void Runner::check(int error, const char *call) const {
  if (error != 0) throw std::runtime_error(std::string(call) + ": " + driver_.name_of(error));
}

DevicePointer Runner::allocate(size_t bytes) {
  DevicePointer p = 0;
  check(driver_.allocate(&p, bytes), "cuMemAlloc");
  allocations_.push_back(p);
  return p;
}

void Runner::free_all() {
  for (DevicePointer p : allocations_) (void)driver_.free(p);
  for (void *p : pinned_) (void)driver_.free_pinned(p);
  allocations_.clear();
  pinned_.clear();
}

template <class T> void Runner::upload(T *&to, const std::vector<uint8_t> &from) {
  if (from.empty()) return;
  const DevicePointer p = allocate(from.size());
  void *pinned = nullptr;
  check(driver_.allocate_pinned(&pinned, from.size(), 0), "cuMemHostAlloc");
  pinned_.push_back(pinned);
  std::memcpy(pinned, from.data(), from.size());
  to = reinterpret_cast<uint8_t *>(uintptr_t(p));
}

Runner::Runner(uint32_t ordinal, const std::string &image, const std::string &identifier) {
  const char *why = driver_.open();
  if (why != nullptr) throw std::runtime_error(why);
  check(driver_.device(&device_, int(ordinal)), "cuDeviceGet");
  check(driver_.retain_context(&context_, device_), "cuDevicePrimaryCtxRetain");
  try {
    check(driver_.push_context(context_), "cuCtxPushCurrent");
    check(driver_.load(&module_, image.c_str()), "cuModuleLoadData");
    const char *names[] = {"keypair", "sign", "verify"};
    for (int i = 0; i < 3; i++)
      check(driver_.function(&functions_[i], module_, (std::string("naive_") + names[i] + "_" + identifier).c_str()),
            "cuModuleGetFunction");
    Function sizes;
    check(driver_.function(&sizes, module_, ("naive_bytes_" + identifier).c_str()), "cuModuleGetFunction");
    check(driver_.create_stream(&stream_, stream_non_blocking), "cuStreamCreate");
    const DevicePointer p = allocate(sizeof bytes_);
    void *pinned = nullptr;
    check(driver_.allocate_pinned(&pinned, sizeof bytes_, 0), "cuMemHostAlloc");
    pinned_.push_back(pinned);
    aioli::NaiveArguments arguments = {};
    arguments.work = reinterpret_cast<uint8_t *>(uintptr_t(p));
    void *parameters[] = {&arguments};
    check(driver_.launch(sizes, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr), "cuLaunchKernel");
    check(driver_.to_host(pinned, p, sizeof bytes_, stream_), "cuMemcpyDtoHAsync");
    check(driver_.wait(stream_), "cuStreamSynchronize");
    std::memcpy(bytes_, pinned, sizeof bytes_);
    free_all();
  } catch (...) {
    free_all();
    (void)driver_.release_context(device_);
    throw;
  }
}

Runner::~Runner() {
  free_all();
  if (stream_ != nullptr) (void)driver_.destroy_stream(stream_);
  if (module_ != nullptr) (void)driver_.unload(module_);
  Context popped;
  (void)driver_.pop_context(&popped);
  (void)driver_.release_context(device_);
}

uint32_t Runner::most_rows(Operation op) {
  size_t free_bytes = 0, all_bytes = 0;
  check(driver_.memory_info(&free_bytes, &all_bytes), "cuMemGetInfo");
  const uint64_t stride = (bytes_[op] + 255) / 256 * 256;
  return uint32_t(free_bytes / 4 * 3 / (stride + 8192));
}

double Runner::run(Operation op, Rows &rows) {
  const uint64_t stride = (bytes_[op] + 255) / 256 * 256;
  aioli::NaiveArguments a = {};
  a.count = rows.count;
  a.work_stride = stride;
  a.work = reinterpret_cast<uint8_t *>(uintptr_t(allocate(stride * rows.count)));
  std::vector<uint8_t> *arrays[] = {&rows.pk, &rows.sig, &rows.ok, &rows.sk, &rows.R, &rows.digest};
  const uint8_t *sk = nullptr, *R = nullptr, *digest = nullptr;
  upload(a.pk, rows.pk), upload(a.sig, rows.sig), upload(a.ok, rows.ok), upload(sk, rows.sk), upload(R, rows.R),
      upload(digest, rows.digest);
  a.sk = sk, a.R = R, a.digest = digest;
  const uint8_t *places[] = {a.pk, a.sig, a.ok, sk, R, digest};

  const auto start = std::chrono::steady_clock::now();
  size_t at = 0;
  for (int i = 0; i < 6; i++)
    if (!arrays[i]->empty())
      check(driver_.to_device(DevicePointer(uintptr_t(places[i])), pinned_[at++], arrays[i]->size(), stream_),
            "cuMemcpyHtoDAsync");
  void *parameters[] = {&a};
  check(
      driver_.launch(functions_[op], (rows.count + threads - 1) / threads, 1, 1, threads, 1, 1, 0, stream_, parameters, nullptr),
      "cuLaunchKernel");
  at = 0;
  for (int i = 0; i < 6; i++)
    if (!arrays[i]->empty()) {
      if (i < 3)
        check(driver_.to_host(pinned_[at], DevicePointer(uintptr_t(places[i])), arrays[i]->size(), stream_), "cuMemcpyDtoHAsync");
      at++;
    }
  check(driver_.wait(stream_), "cuStreamSynchronize");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  at = 0;
  for (int i = 0; i < 6; i++)
    if (!arrays[i]->empty()) std::memcpy(arrays[i]->data(), pinned_[at++], arrays[i]->size());
  free_all();
  return took.count();
}

}  // namespace naive

namespace {
[[maybe_unused]] const bool opened_here =
    (gpu_bench::open_yardstick = [](uint32_t device, const std::string &image,
                                    const std::string &identifier) -> std::unique_ptr<gpu_bench::Yardstick> {
      return std::make_unique<naive::Runner>(device, image, identifier);
    }) != nullptr;
}  // namespace
