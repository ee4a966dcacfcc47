// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opaque, as they are everywhere.
typedef struct thread *pthread_t;
struct pthread_mutex_t {
  long opaque[8];
};
struct pthread_cond_t {
  long opaque[8];
};
struct pthread_attr_t;
struct pthread_mutexattr_t;
struct pthread_condattr_t;
extern "C" {
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
}
