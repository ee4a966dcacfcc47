// SPDX-License-Identifier: Apache-2.0
// Which sets and backends there are, and which backend runs.
#pragma once
#include "abi/instance.hpp"

struct aioli_alg {
  const char *name;
  int index;  // in registry.def
  bool message_first;
};

namespace aioli {

enum {
  backend_count = 0
#define AIOLI_BACKEND(...) +1
#include "backend/backends.def"
#undef AIOLI_BACKEND
};

extern const aioli_alg algs[set_count];

const char *backend_name(int backend);
bool backend_usable(int backend);
// Of the backend, or of the last one before it that serves the set.
const Instance &instance(const aioli_alg &alg, int backend);
DigestMany *digest_many(int backend);  // null if the build leaves it out
// Of the active backend, or of the first where there is none.
KeccakPermutation active_keccak_f1600;
// The sizes are those of any backend.
inline const SetSizes &sizes(const aioli_alg &alg) { return instance(alg, 0).sizes; }

// Clears the vector registers of every backend that this processor can run: a call on a narrow one may have been through a C
// function that takes all there are (memcpy).
void clear_registers();

// The backend that runs: forced by use_backend or AIOLI_BACKEND, else the last usable row of backends.def.  Negative: none can.
int active_backend();
// By name, for all later calls; null: back to the default.  False if there is no such backend or this processor cannot run it.
bool use_backend(const char *name);

}  // namespace aioli
