// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

namespace test {

const std::vector<DeviceSet> &device_sets() {
  static const std::vector<DeviceSet> sets = {
#define AIOLI_DEVICE_SET(identifier, name, family, round, scheme, params) {name, #identifier, cuda::set_layout<aioli::params>()},
#include "device_sets.inc"
#undef AIOLI_DEVICE_SET
  };
  return sets;
}

}  // namespace test
