// SPDX-License-Identifier: Apache-2.0
#include "batch/pool.hpp"

#include <pthread.h>
#include <stdlib.h>
#if !defined(_WIN32)
#include <signal.h>
#endif

namespace {
struct Worker {
  aioli_pool *pool;
  size_t number;
  pthread_t thread;
};
}  // namespace

struct aioli_pool {
  pthread_mutex_t turn;  // held by the caller whose job runs
  pthread_mutex_t lock;  // of what follows
  pthread_cond_t start, done;
  aioli::Job job;
  uint64_t jobs;   // given out so far
  bool open;       // the last of them may still be joined
  size_t working;  // threads that have joined it and not finished
  bool stop;
  size_t workers;  // threads besides the caller's
  Worker *worker;
};

namespace {

void *work(void *argument) {
  const Worker &me = *static_cast<Worker *>(argument);
  aioli_pool &pool = *me.pool;
  uint64_t seen = 0;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (!pool.stop && (!pool.open || pool.jobs == seen)) pthread_cond_wait(&pool.start, &pool.lock);
    if (pool.stop) break;
    seen = pool.jobs;
    pool.working++;
    const aioli::Job job = pool.job;
    pthread_mutex_unlock(&pool.lock);
    job.run(job.context, me.number);
    pthread_mutex_lock(&pool.lock);
    if (--pool.working == 0) pthread_cond_signal(&pool.done);
  }
  pthread_mutex_unlock(&pool.lock);
  return nullptr;
}

// A program's signals are for threads that it knows: those that are started while one of these exists receive none.
class WithoutSignals {
#if !defined(_WIN32)  // has none
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
#endif
};

// The locks in the order in which they are made, and how many were: the system may refuse one.
size_t make_locks(aioli_pool *pool) {
  if (pthread_mutex_init(&pool->turn, nullptr) != 0) return 0;
  if (pthread_mutex_init(&pool->lock, nullptr) != 0) return 1;
  if (pthread_cond_init(&pool->start, nullptr) != 0) return 2;
  return pthread_cond_init(&pool->done, nullptr) != 0 ? 3 : 4;
}

void destroy(aioli_pool *pool, size_t locks) {
  if (locks > 3) pthread_cond_destroy(&pool->done);
  if (locks > 2) pthread_cond_destroy(&pool->start);
  if (locks > 1) pthread_mutex_destroy(&pool->lock);
  if (locks > 0) pthread_mutex_destroy(&pool->turn);
  free(pool->worker);
  free(pool);
}

// Starts as many of the workers as the system allows.
void start_workers(aioli_pool *pool, size_t wanted) {
  [[maybe_unused]] const WithoutSignals quiet;
  while (pool->workers < wanted) {
    Worker &w = pool->worker[pool->workers];
    w.pool = pool;
    w.number = pool->workers + 1;
    if (pthread_create(&w.thread, nullptr, work, &w) != 0) break;
    pool->workers++;
  }
}

}  // namespace

namespace aioli {

aioli_pool *make_pool(size_t threads, bool fewer) {
  const size_t wanted = threads - 1;
  aioli_pool *pool = static_cast<aioli_pool *>(malloc(sizeof *pool));
  if (pool == nullptr) return nullptr;
  *pool = aioli_pool{};
  pool->worker = static_cast<Worker *>(malloc((wanted + 1) * sizeof(Worker)));
  const size_t locks = pool->worker != nullptr ? make_locks(pool) : 0;
  if (locks != 4) {
    destroy(pool, locks);
    return nullptr;
  }
  start_workers(pool, wanted);
  if (pool->workers < wanted && !fewer) {
    free_pool(pool);
    return nullptr;
  }
  return pool;
}

void free_pool(aioli_pool *pool) {
  if (pool == nullptr) return;
  pthread_mutex_lock(&pool->lock);
  pool->stop = true;
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->lock);
  for (size_t i = 0; i < pool->workers; i++) pthread_join(pool->worker[i].thread, nullptr);
  destroy(pool, 4);
}

size_t pool_threads(const aioli_pool *pool) { return pool != nullptr ? pool->workers + 1 : 1; }

void run(aioli_pool *pool, Job job) {
  if (pool == nullptr) return job.run(job.context, 0);
  pthread_mutex_lock(&pool->turn);
  pthread_mutex_lock(&pool->lock);
  pool->job = job;
  pool->open = true;
  pool->jobs++;
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->lock);
  job.run(job.context, 0);
  // A thread that has not even woken up is not waited for: there is nothing left for it to do.
  pthread_mutex_lock(&pool->lock);
  pool->open = false;
  while (pool->working > 0) pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
  pthread_mutex_unlock(&pool->turn);
}

}  // namespace aioli
