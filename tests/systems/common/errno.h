// SPDX-License-Identifier: Apache-2.0
#pragma once
extern "C" int *address_of_errno(void);
#define errno (*address_of_errno())
#define EINTR 4
