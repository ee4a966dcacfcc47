// SPDX-License-Identifier: Apache-2.0
#include "throughput.hpp"

#include "stats.hpp"
#include "timer.hpp"

namespace bench {

double rate_of(const std::vector<Rate> &rates, const std::string &instruction, int bytes) {
  for (const Rate &r : rates)
    if (r.instruction == instruction && r.bytes == bytes) return r.per_cycle;
  return 0;
}

#if defined(__x86_64__)
namespace {

constexpr int registers = 14, repeated = 8, turns = 400;

// Each of 14 registers is the source and the destination of its own chain, 8 times over: enough chains to fill two units of a
// latency of seven cycles.  `text` is the instruction of register \r; registers 14 and 15 are operands that nobody writes.
#define AIOLI_BENCH_LOOP(name, text)                                                                                     \
  void name(const void *memory) {                                                                                        \
    asm volatile("mov %0, %%ecx\n1:\n.rept 8\n.irp r,0,1,2,3,4,5,6,7,8,9,10,11,12,13\n" text                             \
                 "\n.endr\n.endr\n"                                                                                      \
                 "dec %%ecx\njnz 1b\nvzeroupper"                                                                         \
                 :                                                                                                       \
                 : "i"(turns), "r"(memory)                                                                               \
                 : "ecx", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");                                                         \
  }
AIOLI_BENCH_LOOP(aes_16, "vaesenc %%xmm14, %%xmm\\r, %%xmm\\r")
AIOLI_BENCH_LOOP(aes_32, "vaesenc %%ymm14, %%ymm\\r, %%ymm\\r")
AIOLI_BENCH_LOOP(aes_64, "vaesenc %%zmm14, %%zmm\\r, %%zmm\\r")
AIOLI_BENCH_LOOP(affine_32, "vgf2p8affineqb $0, %%ymm14, %%ymm\\r, %%ymm\\r")
AIOLI_BENCH_LOOP(affine_64, "vgf2p8affineqb $0, %%zmm14, %%zmm\\r, %%zmm\\r")
AIOLI_BENCH_LOOP(shuffle_32, "vpshufb %%ymm14, %%ymm\\r, %%ymm\\r")
AIOLI_BENCH_LOOP(shuffle_64, "vpshufb %%zmm14, %%zmm\\r, %%zmm\\r")
AIOLI_BENCH_LOOP(permute_64, "vpermb %%zmm\\r, %%zmm14, %%zmm\\r")
AIOLI_BENCH_LOOP(shift_32, "vpsrlq $1, %%ymm\\r, %%ymm\\r")
AIOLI_BENCH_LOOP(shift_64, "vpsrlq $1, %%zmm\\r, %%zmm\\r")
AIOLI_BENCH_LOOP(logic_32, "vpxor %%ymm14, %%ymm\\r, %%ymm\\r")
AIOLI_BENCH_LOOP(logic_64, "vpternlogq $0x96, %%zmm14, %%zmm15, %%zmm\\r")
AIOLI_BENCH_LOOP(load_32, "vmovdqa 32*\\r(%1), %%ymm\\r")
AIOLI_BENCH_LOOP(load_64, "vmovdqa64 64*\\r(%1), %%zmm\\r")
// By turns: whether they share a unit.
#define AIOLI_BENCH_BY_TURNS(one, other) ".if \\r & 1\n" one "\n.else\n" other "\n.endif"
AIOLI_BENCH_LOOP(affine_aes_64,
                 AIOLI_BENCH_BY_TURNS("vaesenc %%zmm14, %%zmm\\r, %%zmm\\r", "vgf2p8affineqb $0, %%zmm14, %%zmm\\r, %%zmm\\r"))
AIOLI_BENCH_LOOP(affine_aes_32,
                 AIOLI_BENCH_BY_TURNS("vaesenc %%ymm14, %%ymm\\r, %%ymm\\r", "vgf2p8affineqb $0, %%ymm14, %%ymm\\r, %%ymm\\r"))
AIOLI_BENCH_LOOP(shuffle_aes_32,
                 AIOLI_BENCH_BY_TURNS("vaesenc %%ymm14, %%ymm\\r, %%ymm\\r", "vpshufb %%ymm14, %%ymm\\r, %%ymm\\r"))
AIOLI_BENCH_LOOP(shuffle_aes_16,
                 AIOLI_BENCH_BY_TURNS("vaesenc %%xmm14, %%xmm\\r, %%xmm\\r", "vpshufb %%ymm14, %%ymm\\r, %%ymm\\r"))
#undef AIOLI_BENCH_BY_TURNS
#undef AIOLI_BENCH_LOOP

double rate(void (*loop)(const void *)) {
  alignas(64) static const uint8_t memory[64 * registers] = {};
  std::vector<double> rates;
  for (int trial = 0; trial < 51; trial++) {
    const double cycles_per_tick = measure_cycles_per_tick();
    const uint64_t start = ticks_now();
    loop(memory);
    const double cycles = double(ticks_now() - start) * cycles_per_tick;
    if (trial > 0) rates.push_back(double(registers * repeated * turns) / cycles);
  }
  return median(std::move(rates));
}

}  // namespace

std::vector<Rate> measure_rates() {
  const bool avx2 = __builtin_cpu_supports("avx2"), aes = __builtin_cpu_supports("aes"), gfni = __builtin_cpu_supports("gfni"),
             vaes = __builtin_cpu_supports("vaes"),
             avx512 = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vl");
  std::vector<Rate> rates;
  const auto add = [&](bool there, const char *instruction, int bytes, void (*loop)(const void *)) {
    if (there) rates.push_back({instruction, bytes, rate(loop)});
  };
  add(avx2 && aes, "AES round", 16, aes_16);
  add(avx2 && vaes, "AES round", 32, aes_32);
  add(avx512 && vaes, "AES round", 64, aes_64);
  add(avx2 && gfni, "affine map", 32, affine_32);
  add(avx512 && gfni, "affine map", 64, affine_64);
  add(avx2 && gfni && vaes, "affine map and AES round by turns", 32, affine_aes_32);
  add(avx512 && gfni && vaes, "affine map and AES round by turns", 64, affine_aes_64);
  add(avx2, "byte shuffle", 32, shuffle_32);
  add(avx2 && aes, "byte shuffle and AES round of 16 bytes by turns", 32, shuffle_aes_16);
  add(avx2 && vaes, "byte shuffle and AES round by turns", 32, shuffle_aes_32);
  add(avx512, "byte shuffle", 64, shuffle_64);
  add(avx512, "byte permutation", 64, permute_64);
  add(avx2, "shift", 32, shift_32);
  add(avx512, "shift", 64, shift_64);
  add(avx2, "exclusive or", 32, logic_32);
  add(avx512, "logic of three", 64, logic_64);
  add(avx2, "load", 32, load_32);
  add(avx512, "load", 64, load_64);
  return rates;
}
#else
std::vector<Rate> measure_rates() { return {}; }
#endif

}  // namespace bench
