// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "subject.hpp"

namespace bench {

// Holds two implementations of one set against each other, on the first `exercises` or all: equal seeds give equal keys, equal R
// equal signatures, each accepts what the other signed, and both refuse a changed message, salt, solution or key.  Throws
// std::runtime_error with what differs; returns the number of comparisons made.
size_t check_interop(Subject &a, Subject &b, size_t exercises = SIZE_MAX);

}  // namespace bench
