// SPDX-License-Identifier: Apache-2.0
#include <aioli/aioli.h>
aioli_status aioli_selftest(const aioli_alg *) { return AIOLI_ERR_SELFTEST; }
