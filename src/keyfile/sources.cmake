# SPDX-License-Identifier: Apache-2.0
# Key files (include/aioli/keyfile.h).  Paths are relative to src/.
set(AIOLI_KEYFILE_SOURCES keyfile/keyfile.cpp keyfile/oids.cpp)
