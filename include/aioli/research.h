/* aioli: for tests, measurements and research.  Nothing here is needed to use the library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AIOLI_RESEARCH_H
#define AIOLI_RESEARCH_H

#include <aioli/aioli.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes all later calls of this process use the named backend, also with expanded keys that were made before.  NULL goes back to
 * the default: what AIOLI_BACKEND names, else the fastest.  As with AIOLI_BACKEND, a call with a small workspace takes an earlier
 * backend; one with aioli_workspace_bytes never does.  AIOLI_ERR_BACKEND if there is none of that name or this processor cannot
 * run it. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_backend_use(const char *name);

/* What NIST's call has as a signed message of this algorithm: 1 if it is message || signature (UOV), 0 if it is signature ||
 * message (MAYO). */
AIOLI_API int aioli_nist_message_first(const aioli_alg *alg);

#ifdef __cplusplus
}
#endif
#endif
