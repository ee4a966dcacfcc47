// SPDX-License-Identifier: Apache-2.0
#include "base/cpu.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define AIOLI_HAS_CPUID
#elif defined(__aarch64__) && defined(__linux__) && !defined(AIOLI_FREESTANDING)
#include <sys/auxv.h>
#elif defined(__aarch64__) && defined(__APPLE__) && !defined(AIOLI_FREESTANDING)
#include <sys/sysctl.h>
#endif

namespace aioli {
namespace {

#if defined(AIOLI_HAS_CPUID)
struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};
// All zero where there is no such leaf.
Registers leaf_1() {
  Registers r;
  if (!__get_cpuid(1, &r.a, &r.b, &r.c, &r.d)) return {};
  return r;
}
Registers leaf_7() {
  Registers r;
  if (!__get_cpuid_count(7, 0, &r.a, &r.b, &r.c, &r.d)) return {};
  return r;
}
// Whether the operating system saves these registers (bits of XCR0).
bool saves(unsigned state) {
  constexpr unsigned osxsave = 1u << 27;
  if ((leaf_1().c & osxsave) == 0) return false;
  unsigned enabled, high;
  __asm__("xgetbv" : "=a"(enabled), "=d"(high) : "c"(0));
  return (enabled & state) == state;
}
constexpr unsigned ymm_state = 0x6, zmm_state = 0xe6;  // xmm, ymm; masks, upper halves of zmm 0-15, zmm 16-31

bool has(unsigned word, unsigned bits) { return (word & bits) == bits; }
#endif

#if defined(__aarch64__) && defined(__APPLE__) && !defined(AIOLI_FREESTANDING)
bool has_optional(const char *name) {
  int value = 0;
  size_t bytes = sizeof value;
  return sysctlbyname(name, &value, &bytes, nullptr, 0) == 0 && value != 0;
}
#endif

}  // namespace

#if defined(AIOLI_HAS_CPUID)
bool cpu_has_aes() {
  constexpr unsigned aes = 1u << 25, sse2 = 1u << 26;
  const Registers r = leaf_1();
  return has(r.c, aes) && has(r.d, sse2);
}
bool cpu_has_avx2_aes() {
  constexpr unsigned popcnt = 1u << 23, avx = 1u << 28;  // compilers take popcnt for a part of AVX
  constexpr unsigned bmi1 = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;
  return cpu_has_aes() && has(leaf_1().c, popcnt | avx) && saves(ymm_state) && has(leaf_7().b, bmi1 | avx2 | bmi2);
}
bool cpu_has_avx2_vaes() {
  constexpr unsigned vaes = 1u << 9;
  return cpu_has_avx2_aes() && has(leaf_7().c, vaes);
}
bool cpu_has_gfni() {
  constexpr unsigned gfni = 1u << 8;
  return cpu_has_avx2_vaes() && has(leaf_7().c, gfni);
}
bool cpu_has_avx512() {
  constexpr unsigned f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31, vbmi = 1u << 1;
  const Registers r = leaf_7();
  return cpu_has_gfni() && has(r.b, f | dq | bw | vl) && has(r.c, vbmi) && saves(zmm_state);
}
#else
bool cpu_has_aes() { return false; }
bool cpu_has_avx2_aes() { return false; }
bool cpu_has_avx2_vaes() { return false; }
bool cpu_has_gfni() { return false; }
bool cpu_has_avx512() { return false; }
#endif

#if defined(__aarch64__) && defined(__linux__) && !defined(AIOLI_FREESTANDING)
// HWCAP_AES and HWCAP_SHA3 of Linux' asm/hwcap.h.
bool cpu_has_arm_aes() { return (getauxval(AT_HWCAP) & 1u << 3) != 0; }
bool cpu_has_arm_sha3() { return cpu_has_arm_aes() && (getauxval(AT_HWCAP) & 1u << 17) != 0; }
#elif defined(__aarch64__) && defined(__APPLE__) && !defined(AIOLI_FREESTANDING)
bool cpu_has_arm_aes() { return has_optional("hw.optional.arm.FEAT_AES") || has_optional("hw.optional.armv8_2_sha3"); }
bool cpu_has_arm_sha3() {  // the second name is that of macOS 11
  return cpu_has_arm_aes() && (has_optional("hw.optional.arm.FEAT_SHA3") || has_optional("hw.optional.armv8_2_sha3"));
}
#else  // nobody to ask, and the processor's own register may be read by an operating system only: what the build is for
#if defined(__ARM_FEATURE_AES)
bool cpu_has_arm_aes() { return true; }
#else
bool cpu_has_arm_aes() { return false; }
#endif
#if defined(__ARM_FEATURE_AES) && defined(__ARM_FEATURE_SHA3)
bool cpu_has_arm_sha3() { return true; }
#else
bool cpu_has_arm_sha3() { return false; }
#endif
#endif

}  // namespace aioli
