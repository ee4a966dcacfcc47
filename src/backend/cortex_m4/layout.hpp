// SPDX-License-Identifier: Apache-2.0
// Where the columns of a small matrix stand in 32-bit words, eight to a word.
//
// A row of C elements is `words` words: what a look-up gives.  C columns of m-vectors are `words` words for each equation, and
// sliced (slices.hpp) they are groups of thirty-two elements: eight columns in four equations; or, so that a word with few
// columns in it does not cost as much as a full one, four columns in eight equations, two in sixteen, one in thirty-two.  V | O
// is two parts, each with full words and a rest: what belongs to V comes first, as a matrix of k columns would have it.
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Some neighbouring columns in one word.
struct Run {
  int column, count;  // these columns of the matrix
  int word, place;    // are elements place .. place + count - 1 of this word
  int lanes;          // of which so many (count, rounded up to a power of two) are kept for them in a group
  int group;          // the first of its groups
  int quad_bits;      // a group holds 2^quad_bits times four equations
  constexpr int quads() const { return 1 << quad_bits; }
};

// First: the columns of the first part; the others are the second one.
template <int M, int C, int First> struct Layout {
  static constexpr int equations = (M + 3) / 4;  // in quads
  static constexpr int most_runs = C / 8 + 3;
  Run run[most_runs]{};
  int runs = 0, words = 0, groups = 0;

  consteval Layout() {
    const int parts[2] = {First, C - First}, rests[2] = {First % 8, (C - First) % 8};
    const bool shared = rests[0] > 0 && rests[0] <= 4 && rests[1] > 0 && rests[1] <= 4;
    words = First / 8 + (C - First) / 8;  // rests are in the last words
    int full = 0;
    for (int part = 0, column = 0; part < 2; part++) {
      for (int i = 0; i < parts[part] / 8; i++, column += 8) append(column, 8, full++, 0);
      const int rest = rests[part];
      if (rest > 0) append(column, rest, words, shared && part == 1 ? 4 : 0);
      if (rest > 0 && !(shared && part == 0)) words++;
      column += rest;
    }
  }
  constexpr const Run &of_column(int c) const {
    int i = 0;
    while (c >= run[i].column + run[i].count) i++;
    return run[i];
  }

 private:
  consteval void append(int column, int count, int word, int place) {
    const int lanes = count > 4 ? 8 : count > 2 ? 4 : count;
    run[runs++] = {column, count, word, place, lanes, groups, lanes == 8 ? 0 : lanes == 4 ? 1 : lanes == 2 ? 2 : 3};
    groups += (equations + 8 / lanes - 1) / (8 / lanes);
  }
};

}  // namespace AIOLI_ISA
}  // namespace aioli
