// SPDX-License-Identifier: Apache-2.0
// What the kernels of naive.cu are given; all pointers are the device's.
#pragma once
#include <stdint.h>

namespace aioli {

struct NaiveArguments {
  uint8_t *work;  // work_stride bytes for each thread
  uint64_t work_stride;
  uint8_t *pk, *sig, *ok;  // row after row
  const uint8_t *sk, *R, *digest;
  uint32_t count;
};

}  // namespace aioli
