// SPDX-License-Identifier: Apache-2.0
// Secrets: wiped on every way out, masked without branches, and made public in visible places only.
#pragma once
#include "base/isa.hpp"
#if defined(AIOLI_CT_VALGRIND)
#include <valgrind/memcheck.h>
#endif
#if defined(AIOLI_CT_MSAN)
#include <sanitizer/msan_interface.h>
#endif

namespace aioli::inline AIOLI_ISA {

// Zeroes memory that the compiler may think is dead.
inline void wipe(void *p, size_t n) {
  uint8_t *q = static_cast<uint8_t *>(p);
  for (size_t i = 0; i < n; i++) q[i] = 0;
#if defined(__GNUC__)
  __asm__ __volatile__("" : : "r"(p) : "memory");
#else
  for (size_t i = 0; i < n; i++) static_cast<volatile uint8_t *>(q)[i] = 0;
#endif
}

// An object that wipes itself.  Built in place, never copied by accident.
template <class T> struct Secret : T {
  Secret() {}
  Secret(const Secret &) = delete;
  Secret &operator=(const Secret &) = delete;
  ~Secret() { wipe(this, sizeof *this); }
};

// Zeroes the stack below the caller's frame.  Functions that have returned leave temporaries and spilled registers there, which no
// destructor reaches: every call that handles a secret key ends with this.  Longer than any of them is deep (test ct/test_residue).
#if !defined(AIOLI_WIPE_STACK_BYTES)
#define AIOLI_WIPE_STACK_BYTES 4608
#endif
#if defined(__GNUC__)
__attribute__((noinline))  // its frame has to lie where theirs lay
#endif
inline void
wipe_stack() {
  uint8_t dead[AIOLI_WIPE_STACK_BYTES];
  wipe(dead, sizeof dead);
}

// From here on these bytes are public.  Every call states why; `grep -rn reveal src` is the list of all such places, and the
// constant-time checks hook in here: whatever was derived from a secret and has not been revealed may steer no branch or address.
inline void reveal_bytes(const void *p, size_t n) {
#if defined(AIOLI_CT_VALGRIND)
  VALGRIND_MAKE_MEM_DEFINED(p, n);
#elif defined(AIOLI_CT_MSAN)
  __msan_unpoison(p, n);
#else
  (void)p;
  (void)n;
#endif
}
template <class T> const T &reveal(const T &value) {
  reveal_bytes(&value, sizeof value);
  return value;
}

// Hides from the compiler that a mask has two values only, lest it makes a branch of it.
inline uint64_t opaque(uint64_t mask) {
#if defined(AIOLI_CT_MSAN)
  // MemorySanitizer takes what an asm statement returns for public, so the mask itself must not pass through one.
  uint64_t nothing = 0;
  __asm__("" : "+r"(nothing));
  return mask ^ nothing;
#elif defined(__GNUC__)
  __asm__("" : "+r"(mask));
  return mask;
#else
  volatile uint64_t hidden = mask;
  return hidden;
#endif
}

// All ones if the lowest bit is set, else zero.
inline uint64_t mask_of_bit(uint64_t bit) { return 0 - opaque(bit & 1); }
// All ones if x is not zero, else zero.
inline uint64_t mask_of_nonzero(uint64_t x) { return mask_of_bit((x | (0 - x)) >> 63); }

}  // namespace aioli::inline AIOLI_ISA
