/* aioli: the ARMv7-M variant of MAYO (ePrint 2023/540).  FOR RESEARCH ONLY: not a round of NIST's call, not interoperable with
 * any, keys of 70 to 183 kB.  In a library of its own, libaioli_research, which is not installed.  research/mayo_armv7m/README.md
 * says more.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The conventions are those of aioli.h, but for the environment: it must be given, with a workspace and, to make keys and to
 * sign, a source of randomness.  There is no default for either.  Random bytes are drawn in order, so a seeded stream always
 * gives the same keys and signatures.
 */
#ifndef AIOLI_MAYO_ARMV7M_H
#define AIOLI_MAYO_ARMV7M_H

#include <aioli/aioli.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "MAYO-armv7m-orig-1", "MAYO-armv7m-new-1", "MAYO-armv7m-new-1-k14", in this order. */
typedef struct aioli_armv7m_set aioli_armv7m_set;

AIOLI_API size_t aioli_armv7m_count(void);
AIOLI_API const aioli_armv7m_set *aioli_armv7m_at(size_t index); /* NULL if index >= aioli_armv7m_count() */
AIOLI_API const char *aioli_armv7m_name(const aioli_armv7m_set *set);
AIOLI_API size_t aioli_armv7m_public_key_bytes(const aioli_armv7m_set *set);
AIOLI_API size_t aioli_armv7m_secret_key_bytes(const aioli_armv7m_set *set); /* expanded: there is no compact form */
AIOLI_API size_t aioli_armv7m_signature_bytes(const aioli_armv7m_set *set);
/* At any alignment, for AIOLI_OP_KEYPAIR, _SIGN and _VERIFY; 0 for others. */
AIOLI_API size_t aioli_armv7m_workspace_bytes(const aioli_armv7m_set *set, aioli_op op);

/* Draws 32 bytes. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_armv7m_keypair(const aioli_armv7m_set *set, uint8_t *pk, size_t pk_bytes,
                                                             uint8_t *sk, size_t sk_bytes, const aioli_env *env);
/* Draws, for each attempt: the salt, the vinegar vectors, and the choice of columns.  Signatures are randomised; msg may be NULL
 * if msg_bytes is 0. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_armv7m_sign(const aioli_armv7m_set *set, uint8_t *sig, size_t sig_bytes,
                                                          const uint8_t *msg, size_t msg_bytes, const uint8_t *sk,
                                                          size_t sk_bytes, const aioli_env *env);
/* AIOLI_OK, or AIOLI_ERR_SIGNATURE.  env->rng is not used. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_armv7m_verify(const aioli_armv7m_set *set, const uint8_t *sig, size_t sig_bytes,
                                                            const uint8_t *msg, size_t msg_bytes, const uint8_t *pk,
                                                            size_t pk_bytes, const aioli_env *env);

#ifdef __cplusplus
}
#endif
#endif
