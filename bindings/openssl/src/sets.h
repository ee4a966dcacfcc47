/* SPDX-License-Identifier: Apache-2.0
 *
 * The one table of the provider: the sets that it offers, their names, and their code points in TLS 1.3.
 *
 * X(IDENTIFIER, name, name in oqs-provider or NULL, code point of TLS or 0)
 *
 * Object identifiers are those of src/keyfile/oids.cpp and of bindings/composite.  openssl.cnf can override identifiers and code
 * points (provider.c).  Round 2 of MAYO has the code points under which oqs-provider offers the same algorithm; round 3 and
 * composites have points of ours, from the range for private use.  Public keys of UOV are too long for TLS.
 */
#ifndef AIOLI_OPENSSL_SETS_H
#define AIOLI_OPENSSL_SETS_H

#define AIOLI_OPENSSL_SETS(X)                                      \
  X(mayo_1, "MAYO-1", NULL, 0xffe0)                                \
  X(mayo_2, "MAYO-2", NULL, 0xffe1)                                \
  X(mayo_3, "MAYO-3", NULL, 0xffe2)                                \
  X(mayo_5, "MAYO-5", NULL, 0xffe3)                                \
  X(mayo_1_r2, "MAYO-1-r2", "mayo1", 0xff32)                       \
  X(mayo_2_r2, "MAYO-2-r2", "mayo2", 0xff33)                       \
  X(mayo_3_r2, "MAYO-3-r2", "mayo3", 0xff34)                       \
  X(mayo_5_r2, "MAYO-5-r2", "mayo5", 0xff35)                       \
  X(mayo_1_ed25519, "MAYO-1-Ed25519", NULL, 0xffe4)                \
  X(mayo_2_ed25519, "MAYO-2-Ed25519", NULL, 0xffe5)                \
  X(mayo_3_ed25519, "MAYO-3-Ed25519", NULL, 0xffe6)                \
  X(mayo_5_ed25519, "MAYO-5-Ed25519", NULL, 0xffe7)                \
  X(mayo_1_p256, "MAYO-1-P256", NULL, 0xffe8)                      \
  X(mayo_2_p256, "MAYO-2-P256", NULL, 0xffe9)                      \
  X(mayo_3_p256, "MAYO-3-P256", NULL, 0xffea)                      \
  X(mayo_5_p256, "MAYO-5-P256", NULL, 0xffeb)                      \
  X(uov_is_pkc, "UOV-Is-pkc", "OV_Is_pkc", 0)                      \
  X(uov_is_pkc_skc, "UOV-Is-pkc-skc", "OV_Is_pkc_skc", 0)          \
  X(uov_ip_pkc, "UOV-Ip-pkc", NULL, 0)                             \
  X(uov_ip_pkc_skc, "UOV-Ip-pkc-skc", NULL, 0)                     \
  X(uov_iii_pkc, "UOV-III-pkc", NULL, 0)                           \
  X(uov_iii_pkc_skc, "UOV-III-pkc-skc", NULL, 0)                   \
  X(uov_v_pkc, "UOV-V-pkc", NULL, 0)                               \
  X(uov_v_pkc_skc, "UOV-V-pkc-skc", NULL, 0)                       \
  X(uov_ip_pkc_r2, "UOV-Ip-pkc-r2", "OV_Ip_pkc", 0)                \
  X(uov_ip_pkc_skc_r2, "UOV-Ip-pkc-skc-r2", "OV_Ip_pkc_skc", 0)    \
  X(uov_iii_pkc_r2, "UOV-III-pkc-r2", "OV_III_pkc", 0)             \
  X(uov_iii_pkc_skc_r2, "UOV-III-pkc-skc-r2", "OV_III_pkc_skc", 0) \
  X(uov_v_pkc_r2, "UOV-V-pkc-r2", "OV_V_pkc", 0)                   \
  X(uov_v_pkc_skc_r2, "UOV-V-pkc-skc-r2", "OV_V_pkc_skc", 0)

enum {
#define X(id, name, alias, point) set_##id,
  AIOLI_OPENSSL_SETS(X)
#undef X
      set_count
};

#endif
