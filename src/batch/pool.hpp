// SPDX-License-Identifier: Apache-2.0
// Threads that run one function at a time, all together.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct aioli_pool;

namespace aioli {

// What every thread of a pool does; `thread` counts from 0, the caller.
struct Job {
  void (*run)(void *context, size_t thread);
  void *context;
};

// A pool of `threads` threads, the caller's among them.  With `fewer` it contents itself with what the system gives, be it the
// caller's alone.  Null if there is no memory or, without `fewer`, not that many threads.
aioli_pool *make_pool(size_t threads, bool fewer);
void free_pool(aioli_pool *pool);
size_t pool_threads(const aioli_pool *pool);

// The job is done by the caller and by those threads that join in before the caller's own run ends: it must be one whose every
// run goes on until nothing is left to do.  Returns when all that joined have finished.  Callers from several threads take turns.
// No pool is a pool of one.
void run(aioli_pool *pool, Job job);

}  // namespace aioli
