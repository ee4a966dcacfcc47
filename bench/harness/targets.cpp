// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

#include "table.hpp"

namespace bench {

namespace {

enum class Form { classic, pkc, pkc_skc };

struct Target {
  Form form;
  Op op;
  double at_least;
};

// What liboqs does differently for each form: classic works on expanded keys, pkc expands the public key first, pkc-skc the
// secret one, too.
constexpr Target targets[] = {
    {Form::classic, Op::keygen, 2.5}, {Form::classic, Op::sign, 2.0}, {Form::classic, Op::verify, 1.5},
    {Form::pkc, Op::keygen, 2.5},     {Form::pkc, Op::verify, 2.5},   {Form::pkc_skc, Op::keygen, 2.5},
    {Form::pkc_skc, Op::sign, 6.0},
};

bool is_of(const std::string &set, Form form) {
  if (set.rfind("UOV-", 0) != 0) return false;
  const bool pkc = set.find("-pkc") != std::string::npos, skc = set.find("-skc") != std::string::npos;
  return form == (skc ? Form::pkc_skc : pkc ? Form::pkc : Form::classic);
}

}  // namespace

std::vector<TimesFaster> times_faster(const std::vector<Measurement> &all) {
  std::vector<TimesFaster> out;
  for (const Target &target : targets)
    for (const Measurement &peer : all) {
      if (peer.impl != "liboqs" || peer.backend != "avx2" || peer.op != target.op || !is_of(peer.set, target.form)) continue;
      const Measurement *best = nullptr;
      for (const Measurement &m : all)
        if (m.impl == "aioli" && m.set == peer.set && m.op == peer.op && m.group == peer.group &&
            (best == nullptr || m.ticks.median < best->ticks.median))
          best = &m;
      if (best != nullptr)
        out.push_back({best, &peer, peer.ticks.median / best->ticks.median, paired_ratio(peer.samples, best->samples, peer.burst),
                       target.at_least});
    }
  return out;
}

void print_targets(std::ostream &out, const std::vector<TimesFaster> &reached) {
  if (reached.empty()) return;
  Table t({"set", "operation", "backend", "aioli", "liboqs avx2", "times faster [quartiles]", "at least", ""}, 3);
  for (const TimesFaster &r : reached)
    t.add({r.ours->set, op_name(r.ours->op), r.ours->backend, thousands(r.ours->ticks.median), thousands(r.peer->ticks.median),
           fixed(r.times, 2) + " [" + fixed(r.paired.q1, 2) + " " + fixed(r.paired.q3, 2) + "]", fixed(r.at_least, 1),
           r.met() ? "yes" : "NO"});
  out << "\nUOV of round 2, our fastest backend against liboqs avx2: median ticks of one call\n";
  t.print(out);
}

}  // namespace bench
