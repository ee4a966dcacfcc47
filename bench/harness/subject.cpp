// SPDX-License-Identifier: Apache-2.0
#include "subject.hpp"

#include <cstring>

namespace bench {

const char *op_name(Op op) {
  switch (op) {
    case Op::keygen: return "keygen";
    case Op::expand_sk: return "expand_sk";
    case Op::expand_pk: return "expand_pk";
    case Op::sign: return "sign";
    case Op::sign_expanded: return "sign_expanded";
    case Op::verify: return "verify";
    case Op::verify_expanded: return "verify_expanded";
  }
  return "?";
}

Op op_by_name(const std::string &name) {
  for (Op op : all_ops)
    if (name == op_name(op)) return op;
  throw std::invalid_argument("no such operation: " + name);
}

Bytes test_bytes(uint64_t &state, size_t n) {  // splitmix64
  Bytes out(n);
  for (size_t i = 0; i < n; i++) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    out[i] = uint8_t((z ^ (z >> 31)) >> 24);
  }
  return out;
}

namespace {
const uint8_t *tape_at = nullptr;
size_t tape_left = 0;
bool tape_short = false;
}  // namespace

void Tape::load(const Bytes &bytes) {
  tape_at = bytes.data();
  tape_left = bytes.size();
  tape_short = false;
}

bool Tape::draw(uint8_t *out, size_t n) {
  if (n > tape_left) {
    std::memset(out, 0, n);
    tape_short = true;
    return false;
  }
  std::memcpy(out, tape_at, n);
  tape_at += n;
  tape_left -= n;
  return true;
}

bool Tape::used_up() { return tape_left == 0 && !tape_short; }

}  // namespace bench
