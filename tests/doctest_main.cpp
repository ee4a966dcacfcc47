// SPDX-License-Identifier: Apache-2.0
// Linked from a library, so only into programs without a main of their own.
#include <doctest/doctest.h>

int main(int argc, char **argv) { return doctest::Context(argc, argv).run(); }
