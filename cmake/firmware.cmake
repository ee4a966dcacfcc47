# SPDX-License-Identifier: Apache-2.0
# What a build for a machine without an operating system, which CMake calls Generic, has unless somebody says otherwise: the
# caller's memory and
# randomness, the static library, and where the compiler makes Thumb-2 with the DSP instructions, the backends of the Cortex-M4
# and no other.
set(aioli_bare OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
  set(aioli_bare ON)
endif()
option(AIOLI_FREESTANDING "No operating system: no allocation, randomness of the caller, static library only" ${aioli_bare})

set(aioli_thumb OFF)
set(aioli_wipe)
set(aioli_wipe_hash)
if(AIOLI_FREESTANDING)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # no program can be linked yet
  include(CheckCXXSourceCompiles)
  set(aioli_thumb2_dsp "defined(__thumb2__) && defined(__ARM_FEATURE_DSP) && defined(__ARMEL__)")
  check_cxx_source_compiles("#if !(${aioli_thumb2_dsp})\n#error\n#endif\nint x;" AIOLI_THUMB2_DSP)
  if(AIOLI_THUMB2_DSP)
    set(aioli_thumb ON)
    # How deep gcc's code goes: `tools/m4` looks at the board's stack and finds nothing left.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      set(aioli_wipe 2816)
      set(aioli_wipe_hash 768)
    endif()
  endif()
endif()
set(AIOLI_CORTEX_M4 ${aioli_thumb} CACHE STRING
    "The backends for the Cortex-M4 (any ARM processor with Thumb-2): OFF, ON, or one of the two policies, small or fast")
option(AIOLI_WITHOUT_PORTABLE "Leave the portable backend out: firmware holds one of AIOLI_CORTEX_M4 alone" ${aioli_thumb})
set(AIOLI_WIPE_STACK_BYTES "${aioli_wipe}" CACHE STRING
    "How much of the stack is wiped after a call with a secret key; empty: as base/secret.hpp says")
set(AIOLI_WIPE_HASH_STACK_BYTES "${aioli_wipe_hash}" CACHE STRING "The same after hashing a message; empty: as much")
