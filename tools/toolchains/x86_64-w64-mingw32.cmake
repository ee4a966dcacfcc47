# SPDX-License-Identifier: Apache-2.0
# Windows on x86-64: Debian's mingw-w64, with winpthreads; programs are linked statically and run by Wine, in a folder of their
# own and without a
# display.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triple x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${triple}-gcc-posix)
set(CMAKE_CXX_COMPILER ${triple}-g++-posix)
set(CMAKE_RC_COMPILER ${triple}-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_COMMAND};-E;env;WINEPREFIX=${CMAKE_BINARY_DIR}/wine;WINEDEBUG=-all;DISPLAY=;wine)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
