// SPDX-License-Identifier: Apache-2.0
// Secrets: wiped on every way out, masked without branches, and made public in visible places only.
#pragma once
#include "base/isa.hpp"
#include "base/registers.hpp"
#if defined(AIOLI_CT_VALGRIND)
#include <valgrind/memcheck.h>
#endif
#if defined(AIOLI_CT_MSAN)
#include <sanitizer/msan_interface.h>
#endif

namespace aioli {
inline namespace AIOLI_ISA {

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

// Zeroes the stack below the caller's frame, and registers that calls need not preserve.  Functions that have returned leave
// temporaries and spilled registers there, which no destructor reaches: every call that handles a secret key ends with this.
// Longer than any of them is deep (test ct/test_residue); MemorySanitizer's frames are larger, those of emulated vectors most of
// all (its builds see themselves whether this suffices).
#if defined(AIOLI_CT_MSAN)
#undef AIOLI_WIPE_STACK_BYTES
#undef AIOLI_WIPE_HASH_STACK_BYTES
#define AIOLI_WIPE_STACK_BYTES 24576
#elif !defined(AIOLI_WIPE_STACK_BYTES)
#define AIOLI_WIPE_STACK_BYTES 4608
#endif
#if !defined(AIOLI_WIPE_HASH_STACK_BYTES)
#define AIOLI_WIPE_HASH_STACK_BYTES AIOLI_WIPE_STACK_BYTES
#endif
template <int bytes = AIOLI_WIPE_STACK_BYTES>
#if defined(__GNUC__)
__attribute__((noinline))  // its frame has to lie where theirs lay
#endif
inline void
wipe_stack() {
  uint8_t dead[bytes];
  wipe(dead, sizeof dead);
  clear_vector_registers(), clear_general_registers();
}
// After hashing alone, which is less deep: of a message, which may be secret.
inline void wipe_stack_of_hashing() { wipe_stack<AIOLI_WIPE_HASH_STACK_BYTES>(); }

// From here on these bytes are public.  Every call states why; `grep -rn reveal src` is the list of all such places, and the
// constant-time checks hook in here: whatever was derived from a secret and has not been revealed may steer no branch or address.
inline void reveal_bytes(const void *p, size_t n) {
#if defined(AIOLI_CT_VALGRIND)
  VALGRIND_MAKE_MEM_DEFINED(p, n);
#elif defined(AIOLI_CT_MSAN)
  __msan_unpoison(p, n);
#elif defined(AIOLI_CT_TRACE)
  // The same for every key: whatever still differs between two keys in the trace of addresses (tools/m4 trace) comes from a
  // secret.
  uint8_t *q = static_cast<uint8_t *>(const_cast<void *>(p));
  for (size_t i = 0; i < n; i++) q[i] = 0;
#else
  (void)p;
  (void)n;
#endif
}
template <class T> const T &reveal(const T &value) {
  reveal_bytes(&value, sizeof value);
  return value;
}

// A public number that the compiler does not know.
constexpr int unknown(int n) {
#if defined(__GNUC__)
  if (!__builtin_is_constant_evaluated()) __asm__("" : "+r"(n));
#endif
  return n;
}

// Hides from the compiler that a mask has two values only, lest it makes a branch of it.
inline uint64_t opaque(uint64_t mask) {
#if defined(AIOLI_CT_MSAN)
  // MemorySanitizer takes what an asm statement returns for public, so the mask itself must not pass through one.
  return mask ^ uint64_t(unknown(0));
#elif defined(__GNUC__)
  __asm__("" : "+r"(mask));
  return mask;
#else
  volatile uint64_t hidden = mask;
  return hidden;
#endif
}

// Arithmetic on secrets.  MemorySanitizer follows logic, shifts and comparisons bit by bit, but no carry: it takes 0 - bit for a
// mask of one secret bit and 63 public ones.  So all that carries is here, and its builds have it as shifts, by distances that
// are hidden from the compiler because it would make differences and products of them again.
constexpr bool without_carries() {
#if defined(AIOLI_CT_MSAN)
  return !__builtin_is_constant_evaluated();
#else
  return false;
#endif
}
// All ones for 1, zero for 0.
constexpr uint64_t all_ones_if(uint64_t bit) {
  if (without_carries()) return uint64_t(int64_t(bit << unknown(63)) >> unknown(63));
  return 0 - bit;
}
// The lowest bit that is set.
constexpr uint64_t lowest_bit(uint64_t x) {
  if (!without_carries()) return x & (0 - x);
  uint64_t above = x << unknown(1);
  for (int n = 1; n < 64; n *= 2) above |= above << unknown(n);
  return x & ~above;
}
// x * pattern where no two products of bits meet, so that nothing carries.
constexpr uint64_t spread(uint64_t x, uint64_t pattern) {
  if (!without_carries()) return x * pattern;
  uint64_t r = 0;
  for (; pattern != 0; pattern &= pattern - 1) r |= x << unknown(__builtin_ctzll(pattern));
  return r;
}
// The same in 32 bits, where a wider product would take another instruction.
constexpr uint32_t spread32(uint32_t x, uint32_t pattern) {
  return without_carries() ? uint32_t(spread(x, pattern)) : x * pattern;
}
// a + b and a - b, carries and all.
template <class T> constexpr T plus(T a, T b) {
  if (!without_carries()) return a + b;
  for (size_t n = 0; n < 8 * sizeof(T); n++) {
    const T carries = T((a & b) << unknown(1));
    a ^= b;
    b = carries;
  }
  return a;
}
template <class T> constexpr T minus(T a, T b) { return without_carries() ? plus(plus(a, T(~b)), T(1)) : a - b; }
// 1 if a < b, else 0; both below 2^31.
constexpr uint32_t less(uint32_t a, uint32_t b) { return without_carries() ? uint32_t(a < b) : (a - b) >> 31; }
// 1 if x is not zero, else 0.
constexpr uint64_t nonzero_bit(uint64_t x) { return without_carries() ? uint64_t(x != 0) : (x | (0 - x)) >> 63; }

// All ones if the lowest bit is set, else zero.
inline uint64_t mask_of_bit(uint64_t bit) { return all_ones_if(opaque(bit & 1)); }
// All ones if x is not zero, else zero.
inline uint64_t mask_of_nonzero(uint64_t x) { return mask_of_bit(nonzero_bit(x)); }

// What a vector instruction makes of its operands (structs of registers, numbers).  MemorySanitizer knows few such instructions:
// of a shuffle it takes byte i of the result to come from byte i of the table.  In its builds the whole result is secret if any
// bit of an operand is.
template <class Instruction, class... Operands> inline auto ct_propagate(Instruction instruction, Operands... operands) {
#if defined(AIOLI_CT_MSAN)
  const bool secret = (... || (__msan_test_shadow(&operands, sizeof operands) >= 0));
  (__msan_unpoison(&operands, sizeof operands), ...);
  auto result = instruction(operands...);
  if (secret) __msan_poison(&result, sizeof result);
  return result;
#else
  return instruction(operands...);
#endif
}

}  // namespace AIOLI_ISA
}  // namespace aioli
