// SPDX-License-Identifier: Apache-2.0
// AIOLI_ARMV7M: whether the assembly for the Cortex-M4 is compiled (Thumb-2, little-endian, words at any address).  For C++ and
// assembler.
#pragma once
#if (defined(AIOLI_WITH_CORTEX_M4_SMALL) || defined(AIOLI_WITH_CORTEX_M4_FAST)) && defined(__thumb2__) && defined(__ARMEL__) && \
    defined(__ARM_FEATURE_UNALIGNED)
#define AIOLI_ARMV7M 1
#endif
// The same, and a compiler that takes conditions on template arguments in naked functions; with clang the C++ equivalents are
// compiled.
#if defined(AIOLI_ARMV7M) && defined(__GNUC__) && !defined(__clang__)
#define AIOLI_ARMV7M_GCC 1
#endif
