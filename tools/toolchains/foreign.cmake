# SPDX-License-Identifier: Apache-2.0
# Programs come from this machine, headers and libraries of /usr/`triple`, with one exception: doctest is a header for every
# machine, and is
# shown alone, lest the others beside it are found as well.
set(CMAKE_FIND_ROOT_PATH /usr/${triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
if(EXISTS /usr/include/doctest AND NOT EXISTS ${CMAKE_BINARY_DIR}/include/doctest)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
  file(CREATE_LINK /usr/include/doctest ${CMAKE_BINARY_DIR}/include/doctest SYMBOLIC)
endif()
set(AIOLI_DOCTEST_INCLUDE ${CMAKE_BINARY_DIR}/include CACHE PATH "Where doctest/doctest.h is")
