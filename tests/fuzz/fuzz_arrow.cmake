# SPDX-License-Identifier: Apache-2.0
# The file that is fuzzed, compiled here so that it is instrumented, and for systems where the library for columns is not built.
target_sources(${harness} PRIVATE ${PROJECT_SOURCE_DIR}/bindings/arrow/src/import.c)
target_include_directories(${harness} PRIVATE ${PROJECT_SOURCE_DIR}/bindings/arrow/include)
