# SPDX-License-Identifier: Apache-2.0
# What the toolchain files of foreign Linux systems share: Debian's cross compiler for `triple`; programs are linked statically
# and run by
# `emulator` of qemu-user, so that no foreign system is needed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CXX_COMPILER ${triple}-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator})
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
