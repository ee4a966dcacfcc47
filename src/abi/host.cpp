// SPDX-License-Identifier: Apache-2.0
#include "abi/host.hpp"

#if !defined(AIOLI_FREESTANDING)
#include <errno.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <windows.h>
// after it
#include <bcrypt.h>
#elif defined(__linux__)
#include <sys/random.h>
#elif defined(__APPLE__)
#include <sys/random.h>  // getentropy
#else
#include <unistd.h>  // getentropy, of the BSDs
#endif
#endif

namespace aioli {

#if defined(AIOLI_FREESTANDING)

void *host_allocate(size_t) { return nullptr; }
void host_free(void *) {}
bool host_random(uint8_t *, size_t) { return false; }
const char *host_getenv(const char *) { return nullptr; }

#else

void *host_allocate(size_t n) { return malloc(n); }
void host_free(void *p) { free(p); }
const char *host_getenv(const char *name) { return getenv(name); }

bool host_random(uint8_t *out, size_t n) {
  while (n > 0) {
#if defined(_WIN32)
    const ULONG got = n < 0x10000000 ? ULONG(n) : 0x10000000;
    if (BCryptGenRandom(nullptr, out, got, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) return false;
#elif defined(__linux__)
    const ssize_t got = getrandom(out, n, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
#else
    const size_t got = n < 256 ? n : 256;
    if (getentropy(out, got) != 0) return false;
#endif
    out += got;
    n -= size_t(got);
  }
  return true;
}

#endif

}  // namespace aioli
