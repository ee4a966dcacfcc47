# SPDX-License-Identifier: Apache-2.0
# Debian's bare-metal cross compiler, for the Cortex-M4 with its floating-point unit; programs are run by tools/m4 on an emulated
# board. With this file alone CMake makes the library for firmware (cmake/firmware.cmake says what that is) and those programs.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
foreach(language IN ITEMS C CXX ASM)
  set(CMAKE_${language}_FLAGS_INIT
      "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -ffunction-sections -fdata-sections")
endforeach()
string(APPEND CMAKE_C_FLAGS_INIT " -ffreestanding")
string(APPEND CMAKE_CXX_FLAGS_INIT " -ffreestanding -fno-use-cxa-atexit")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(AIOLI_BUILD_FIRMWARE ON CACHE BOOL "")
