// SPDX-License-Identifier: Apache-2.0
// What the two checkers have in common: a secret is tainted, which is to say undefined memory; taint follows all that is computed
// from them, and a branch or an address that carries it is an error.  valgrind's memcheck does this to machine code,
// MemorySanitizer to the compiler's intermediate code.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(AIOLI_CT_VALGRIND)
#include <valgrind/memcheck.h>
#elif defined(AIOLI_CT_MSAN)
#include <sanitizer/msan_interface.h>
#else
#error "build these tests by way of tests/ct/matrix.sh, which sets AIOLI_CT"
#endif

namespace ct {

inline constexpr int exit_failed = 1, exit_usage = 2, exit_skipped = 4;

#if defined(AIOLI_CT_VALGRIND)
inline constexpr const char checker[] = "valgrind";
inline bool checker_is_here() { return RUNNING_ON_VALGRIND != 0; }
inline void taint(const void *p, size_t n) { VALGRIND_MAKE_MEM_UNDEFINED(p, n); }
inline void untaint(const void *p, size_t n) { VALGRIND_MAKE_MEM_DEFINED(p, n); }
// Branches and addresses reported so far in this process.
inline unsigned long reports() { return VALGRIND_COUNT_ERRORS; }
// The first of n bytes that carries the taint; n if none does.
inline size_t first_secret(const void *memory, size_t n) {
  const uint8_t *p = static_cast<const uint8_t *>(memory);
  for (size_t at = 0; at < n;) {
    uint8_t taint[256];
    const size_t piece = n - at < sizeof taint ? n - at : sizeof taint;
    if (VALGRIND_GET_VBITS(p + at, taint, piece) != 1) {
      fprintf(stderr, "valgrind does not give the taint of %zu bytes at %p\n", piece, static_cast<const void *>(p + at));
      exit(exit_failed);
    }
    for (size_t i = 0; i < piece; i++)
      if (taint[i] != 0) return at + i;
    at += piece;
  }
  return n;
}
// Which bits of a word carry the taint.
inline uint64_t secret_bits(const uint64_t &word) {
  uint64_t bits = 0;
  VALGRIND_GET_VBITS(&word, &bits, sizeof bits);
  return bits;
}
#else
inline constexpr const char checker[] = "MemorySanitizer";
inline bool checker_is_here() { return true; }  // it is compiled in
inline void taint(const void *p, size_t n) { __msan_poison(p, n); }
inline void untaint(const void *p, size_t n) { __msan_unpoison(p, n); }
inline unsigned long reports() { return 0; }  // the first one ends the process
inline size_t first_secret(const void *memory, size_t n) {
  const intptr_t at = __msan_test_shadow(memory, n);
  return at < 0 ? n : size_t(at);
}
inline uint64_t secret_bits(const uint64_t &word) {
  uint64_t bits = 0;
  for (int i = 0; i < 64; i++) {
    volatile uint8_t bit = word >> i & 1;
    bits |= uint64_t(__msan_test_shadow(const_cast<const uint8_t *>(&bit), 1) >= 0) << i;
  }
  return bits;
}
#endif

inline bool any_secret(const void *p, size_t n) { return first_secret(p, n) != n; }
inline bool all_secret(const void *memory, size_t n) {
  const uint8_t *p = static_cast<const uint8_t *>(memory);
  for (size_t i = 0; i < n; i++)
    if (!any_secret(p + i, 1)) return false;
  return true;
}

// The stack that calls have left behind.  Only MemorySanitizer can tell: to valgrind memory below the stack pointer is gone.
inline constexpr size_t dead_stack_bytes = 64 * 1024;
#if defined(AIOLI_CT_MSAN)
__attribute__((noinline)) inline void clear_dead_stack() {
  uint8_t memory[dead_stack_bytes];
  memset(memory, 0, sizeof memory);
  __asm__ __volatile__("" : : "r"(memory) : "memory");
}
// In bytes below the caller's frame; 0 if there is none.
__attribute__((noinline)) inline size_t secret_in_dead_stack() {
  const uint8_t *top = static_cast<const uint8_t *>(__builtin_frame_address(0));
  const size_t at = first_secret(top - dead_stack_bytes, dead_stack_bytes);
  return dead_stack_bytes - at;
}
#else
inline void clear_dead_stack() {}
inline size_t secret_in_dead_stack() { return 0; }
#endif

// Tainted memory says that it is: else nothing that follows would mean anything.
inline void require_checker() {
  uint8_t probe[64] = {};
  if (checker_is_here()) {
    taint(probe, sizeof probe);
    probe[5] = 0;
    const bool works = first_secret(probe, sizeof probe) == 0 && !any_secret(probe + 5, 1) && all_secret(probe + 6, 58);
    untaint(probe, sizeof probe);
    if (works && !any_secret(probe, sizeof probe)) return;
  }
  fprintf(stderr, "%s is not watching this process, so nothing would be checked\n", checker);
  exit(exit_usage);
}

}  // namespace ct
