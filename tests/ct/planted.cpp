// SPDX-License-Identifier: Apache-2.0
// MAYO with one thing wrong at a time, and each of them must be reported: a check that cannot fail would prove nothing.  The
// scheme is that of src/; what leaks is a backend made for the purpose, or a caller that forgets what src/abi does.
//
// usage: planted --list     one name a line
//        planted NAME       under the checker, which must end it with its exit status ("none": must not)
#include "backend/portable/kernels.hpp"
#include "base/workspace.hpp"
#include "scheme/mayo.hpp"
#include "taint.hpp"

namespace {

using namespace aioli;
using P = Mayo2;

// Where leaks leave something that the compiler must not optimise away.
volatile unsigned trace;
volatile uint8_t table[16];

// ---- backends that leak -------------------------------------------------------------------------------------------------------

struct Good : PortableKernels<P> {};

// A secret bit decides what is executed.
struct Branch : Good {
  template <int N, int R> struct Factor : Good::template Factor<N, R> {
    void set(const Fmat<N, R> &from) {
      if (from(0, 0).n & 1) trace = 1;
      Good::template Factor<N, R>::set(from);
    }
  };
};

// A secret element is a table index.
struct Lookup : Good {
  template <int N, int R> struct Factor : Good::template Factor<N, R> {
    void set(const Fmat<N, R> &from) {
      trace = table[from(N - 1, R - 1).n];
      Good::template Factor<N, R>::set(from);
    }
  };
};

// A product by repeated addition: as many turns as the secret says.
struct SecretLoop : Good {
  template <int N, int C> struct Factor : Good::template Factor<N, C> {
    void set(const Fmat<N, C> &X) {
      for (unsigned i = 0; i < X(N / 2, 0).n; i++) trace = i;
      Good::template Factor<N, C>::set(X);
    }
  };
};

// Looks for a pivot until it has one.
struct EarlyExit : Good {
  struct Solver : Good::Solver {
    bool solve(typename Good::Solver::X &x, const typename Good::Solver::X &r) {
      int j = 0;
      while (j < Good::Solver::columns && (this->A[j].w[0] & 15) == 0) j++;
      trace = unsigned(j);
      return Good::Solver::solve(x, r);
    }
  };
};

// A comparison that stops at the first difference.
struct Compare : Good {
  struct Solver : Good::Solver {
    bool solve(typename Good::Solver::X &x, const typename Good::Solver::X &r) {
      const auto &a = this->A[0], &b = this->A[1];
      int i = 0;
      while (i < Mvector<P>::words && a.w[i] == b.w[i]) i++;
      trace = unsigned(i);
      return Good::Solver::solve(x, r);
    }
  };
};

// As though the public seed had not been revealed: rows of P, which are table indices, would then be secret.
struct UnrevealedSeed : Good {
  struct Aes : Good::Aes {
    void init(const uint8_t key[16], const uint8_t iv[16]) {
      uint8_t secret[16];
      copy(secret, key, sizeof secret);
      ct::taint(secret, sizeof secret);
      Good::Aes::init(secret, iv);
    }
  };
};

// As though the solver's verdict had not been revealed.
struct UnrevealedVerdict : Good {
  struct Solver : Good::Solver {
    bool solve(typename Good::Solver::X &x, const typename Good::Solver::X &r) {
      volatile bool solved = Good::Solver::solve(x, r);
      ct::taint(const_cast<bool *>(&solved), sizeof solved);
      return solved;
    }
  };
};

// ---- running them -------------------------------------------------------------------------------------------------------------

uint8_t seed[P::sk_seed_bytes], R[P::R_bytes], digest[P::digest_bytes], sig[P::signature_bytes];
alignas(workspace_alignment) uint8_t workspace[1 << 17];

// Status of a process that the checks in this file end; the script gives the checker the same one.
constexpr int noticed = 99;

template <class K> int sign() {
  using S = Mayo<P, K>;
  static_assert(Contract<P, K>::kept && sizeof(typename S::Work::Sign) <= sizeof workspace);
  Scratch<typename S::Work::Sign> w(workspace);
  return S::sign(sig, digest, seed, R, *w) ? 0 : ct::exit_failed;
}

template <class K> int sign_and_look() {
  const int status = sign<K>();
  if (status != 0) return status;
  return ct::any_secret(workspace, sizeof workspace) || ct::any_secret(sig, sizeof sig) ? noticed : 0;
}

// Working memory whose owner is never destroyed, so that nothing wipes it.
int forgotten_wipe() {
  using S = Mayo<P, Good>;
  typename S::Work::Sign &w = *new (Place{workspace}) typename S::Work::Sign;
  if (!S::sign(sig, digest, seed, R, w)) return ct::exit_failed;
  return ct::any_secret(workspace, sizeof workspace) ? noticed : 0;
}

__attribute__((noinline)) void forgetful() {
  uint8_t copied[P::sk_seed_bytes];
  copy(copied, seed, sizeof copied);
  __asm__ __volatile__("" : : "r"(copied) : "memory");
}
[[maybe_unused]] int forgotten_stack() {
  ct::clear_dead_stack();
  forgetful();
  return ct::secret_in_dead_stack() != 0 ? noticed : 0;
}

struct Plant {
  const char *name;
  int (*run)();
};
const Plant plants[] = {
    {"none", sign_and_look<Good>},
    {"branch", sign<Branch>},
    {"lookup", sign<Lookup>},
    {"secret-loop", sign<SecretLoop>},
    {"early-exit", sign<EarlyExit>},
    {"compare", sign<Compare>},
    {"unrevealed-seed", sign<UnrevealedSeed>},
    {"unrevealed-verdict", sign<UnrevealedVerdict>},
    {"forgotten-wipe", forgotten_wipe},
#if defined(AIOLI_CT_MSAN)  // valgrind takes the stack below the stack pointer for gone
    {"forgotten-stack", forgotten_stack},
#endif
};

}  // namespace

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (const Plant &plant : plants) puts(plant.name);
    return 0;
  }
  ct::require_checker();
  for (const Plant &plant : plants)
    if (argc == 2 && strcmp(argv[1], plant.name) == 0) {
      for (size_t i = 0; i < sizeof seed; i++) seed[i] = uint8_t(3 + 7 * i);
      ct::taint(seed, sizeof seed);
      ct::taint(R, sizeof R);
      return plant.run();
    }
  fprintf(stderr, "usage: planted --list | planted NAME\n");
  return ct::exit_usage;
}
