/* SPDX-License-Identifier: Apache-2.0 */
#include <aioli/aioli.h>
#include <aioli/batch.h>
#include <aioli/keyfile.h>
#include <aioli/nistapi.h>
#include <aioli/research.h>

_Static_assert(AIOLI_MAYO_1_PUBLIC_KEY_BYTES == 1456 && AIOLI_MAYO_2_SIGNATURE_BYTES == 239, "published sizes");
