# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler for arm-linux-gnueabihf; programs are linked statically and run by qemu-user, so that no foreign system
# is needed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR armv7l)

set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_CXX_COMPILER arm-linux-gnueabihf-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

# Programs come from this machine, headers and libraries do not, with one exception: doctest is a header for every machine, and is
# shown alone, lest the others beside it are found as well.
set(CMAKE_FIND_ROOT_PATH /usr/arm-linux-gnueabihf)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
if(EXISTS /usr/include/doctest AND NOT EXISTS ${CMAKE_BINARY_DIR}/include/doctest)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
  file(CREATE_LINK /usr/include/doctest ${CMAKE_BINARY_DIR}/include/doctest SYMBOLIC)
endif()
set(AIOLI_DOCTEST_INCLUDE ${CMAKE_BINARY_DIR}/include CACHE PATH "Where doctest/doctest.h is")
