// SPDX-License-Identifier: Apache-2.0
#pragma once
typedef unsigned sigset_t;
#define SIG_SETMASK 3
extern "C" {
int sigfillset(sigset_t *);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
}
