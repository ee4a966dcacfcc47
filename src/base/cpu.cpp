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

}  // namespace aioli
