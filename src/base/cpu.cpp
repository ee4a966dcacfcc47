// SPDX-License-Identifier: Apache-2.0
#include "base/cpu.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace aioli {

bool cpu_has_aes() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  return (c & bit_AES) != 0 && (d & bit_SSE2) != 0;
#else
  return false;
#endif
}

bool cpu_has_avx2_aes() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!cpu_has_aes() || !__get_cpuid(1, &a, &b, &c, &d)) return false;
  if ((c & bit_OSXSAVE) == 0 || (c & bit_AVX) == 0) return false;
  unsigned enabled, high;  // XCR0: bits 1 and 2 are the XMM and YMM state
  __asm__("xgetbv" : "=a"(enabled), "=d"(high) : "c"(0));
  if ((enabled & 6) != 6) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2) != 0;
#else
  return false;
#endif
}

}  // namespace aioli
