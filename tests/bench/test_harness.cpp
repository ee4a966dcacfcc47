// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "interop.hpp"
#include "ours.hpp"
#include "report.hpp"
#include "stats.hpp"
#include "targets.hpp"
#include "timer.hpp"

using namespace bench;

namespace {

const char *const library_path = AIOLI_SHARED_LIBRARY;

// An implementation that is right, but for what it is told to get wrong.
class Impostor final : public Subject {
 public:
  enum class Fault { none, wrong_key, wrong_signature, accepts_all, accepts_none, fails };
  Impostor(std::unique_ptr<Subject> honest, const Keyring &ring, Fault fault, std::string impl = "impostor")
      : Subject(std::move(impl), "portable", ring), honest_(std::move(honest)), fault_(fault) {}
  bool has(Op op) const override { return op == Op::keygen || op == Op::sign || op == Op::verify; }
  void prepare(Op op, size_t i) override { honest_->prepare(op, i); }
  void call(Op op, size_t i) override {
    calls++;
    honest_->call(op, i);
  }
  void check(Op op, size_t i) override {
    if (fault_ == Fault::fails) fail(op, i, "made to fail");
    if (op == Op::keygen && fault_ == Fault::wrong_key) fail(op, i, "wrong key");
    honest_->check(op, i);
    sig_ = honest_->signature();
    if (fault_ == Fault::wrong_signature) sig_.at(sig_.size() / 3) ^= 0x10;
  }
  const Bytes &signature() const override { return sig_; }
  bool accepts(const Bytes &sig, const Bytes &m, const Bytes &pk) override {
    if (fault_ == Fault::accepts_all) return true;
    if (fault_ == Fault::accepts_none) return false;
    return honest_->accepts(sig, m, pk);
  }
  size_t calls = 0;

 private:
  std::unique_ptr<Subject> honest_;
  Fault fault_;
  Bytes sig_;
};

struct Fixture {
  Aioli aioli{library_path, "portable"};
  Keyring ring = aioli.make_keyring("MAYO-2-r2", 3);
  std::unique_ptr<Subject> ours = aioli.subject(ring);
  Impostor impostor(Impostor::Fault fault, std::string impl = "impostor") {
    return Impostor(aioli.subject(ring), ring, fault, std::move(impl));
  }
};

}  // namespace

TEST_CASE("quartiles lie between neighbours in proportion") {
  const Summary s = summarize({4, 1, 3, 2});
  CHECK(s.min == 1);
  CHECK(s.q1 == doctest::Approx(1.75));
  CHECK(s.median == doctest::Approx(2.5));
  CHECK(s.q3 == doctest::Approx(3.25));
  CHECK(s.max == 4);
  CHECK(s.runs == 4);
  CHECK(summarize({7}).median == 7);
  CHECK(median({5, 1, 9}) == 5);
  CHECK_THROWS_AS(summarize({}), std::invalid_argument);
}

TEST_CASE("paired ratios cancel drift") {
  std::vector<double> a, b;
  for (int i = 0; i < 60; i++) {
    const double speed = 1 + 0.05 * i;  // the machine slows down to a quarter
    a.push_back(200 * speed);
    b.push_back(100 * speed);
  }
  const Summary r = paired_ratio(a, b, 3);
  CHECK(r.runs == 20);
  CHECK(r.q1 == doctest::Approx(2));
  CHECK(r.q3 == doctest::Approx(2));
  a.pop_back();
  CHECK_THROWS_AS(paired_ratio(a, b, 3), std::invalid_argument);
}

TEST_CASE("ticks advance at a steady rate") {
  const uint64_t t = ticks_now();
  CHECK(ticks_now() >= t);
  const double hz = measure_tick_hz();
  CHECK(hz > 1e6);
  CHECK(measure_tick_hz() == doctest::Approx(hz).epsilon(0.02));
#if defined(__x86_64__) || defined(__aarch64__)
  const double cycles = measure_cycles_per_tick() * hz;
  CHECK(cycles > 1e8);
  CHECK(cycles < 2e10);
#endif
}

TEST_CASE("the tape is handed out once and not beyond its end") {
  uint8_t out[4] = {9, 9, 9, 9};
  const Bytes tape{1, 2, 3};
  Tape::load(tape);
  CHECK(Tape::draw(out, 2));
  CHECK_FALSE(Tape::used_up());
  CHECK(Tape::draw(out + 2, 1));
  CHECK(Tape::used_up());
  CHECK((out[0] == 1 && out[1] == 2 && out[2] == 3));
  CHECK_FALSE(Tape::draw(out, 1));
  CHECK(out[0] == 0);
  CHECK_FALSE(Tape::used_up());
}

TEST_CASE("one library loaded twice keeps two backends") {
  const auto backends = Aioli::usable_backends(library_path);
  REQUIRE(!backends.empty());
  const Aioli first(library_path, backends.front()), last(library_path, backends.back());
  first.select();
  CHECK(first.backend_active_() == backends.front());
  last.select();
  CHECK(last.backend_active_() == backends.back());
  first.select();
  CHECK(first.backend_active_() == backends.front());
  CHECK_THROWS_AS(Aioli(library_path, "no-such-backend"), std::runtime_error);
  CHECK_THROWS_AS(Library("/no/such/library.so"), std::runtime_error);
  CHECK_THROWS_AS(first.alg("MAYO-4"), std::runtime_error);
}

TEST_CASE_FIXTURE(Fixture, "every operation is checked and counted") {
  std::vector<std::pair<Subject *, Op>> cases;
  for (Op op : all_ops) cases.emplace_back(ours.get(), op);
  const auto all = measure("g", cases, Plan{2, 3});
  REQUIRE(all.size() == std::size(all_ops));
  for (const Measurement &m : all) {
    CHECK(m.ticks.runs == 6);
    CHECK(m.ticks.min > 1000);  // nothing here can be done in so few ticks
    CHECK(m.ticks.q1 <= m.ticks.q3);
  }
}

TEST_CASE_FIXTURE(Fixture, "the clock is calibrated before, between and after") {
  double next = 0;
  Plan plan{17, 1, [&] { return next += 1; }};
  const auto all = measure("g", {{ours.get(), Op::verify_expanded}}, plan);
  CHECK(next == 3);
  CHECK(all[0].cycles_per_tick == 2);
  CHECK(all[0].clock_spread == doctest::Approx(1.0));
  plan.clock = [] { return 0.0; };  // no such chain of additions is known here
  CHECK(measure("g", {{ours.get(), Op::verify_expanded}}, plan)[0].clock_spread == 0);
}

TEST_CASE_FIXTURE(Fixture, "each case takes as many turns as the others") {
  Impostor a = impostor(Impostor::Fault::none), b = impostor(Impostor::Fault::none);
  (void)measure("g", {{&a, Op::verify}, {&b, Op::verify}}, Plan{5, 3});
  CHECK(a.calls >= 20);
  CHECK(b.calls >= 20);
}

TEST_CASE_FIXTURE(Fixture, "a wrong answer stops the measurement") {
  using Fault = Impostor::Fault;
  Impostor bad_key = impostor(Fault::wrong_key), failing = impostor(Fault::fails);
  CHECK_THROWS_AS(measure("g", {{&bad_key, Op::keygen}}, Plan{1, 1}), std::runtime_error);
  CHECK_THROWS_AS(measure("g", {{&failing, Op::sign}}, Plan{1, 1}), std::runtime_error);

  // The same with the real subject: its keyring says otherwise than it computes.
  Keyring other = aioli.make_keyring("MAYO-2-r2", 2);
  KeyPair changed = *other.exercises[1].key;
  changed.pk.back() ^= 1;
  other.exercises[1].key = std::make_shared<const KeyPair>(changed);
  other.exercises[1].sig.front() ^= 1;
  other.exercises[0].sig_first.front() ^= 1;
  const auto subject = aioli.subject(other);
  for (Op op : all_ops) {
    CAPTURE(op_name(op));
    CHECK_THROWS_AS(measure("g", {{subject.get(), op}}, Plan{2, 2}), std::runtime_error);
  }
}

TEST_CASE_FIXTURE(Fixture, "exercises may share keys") {
  const Keyring shared = aioli.make_keyring("UOV-Is-pkc-skc", 3, 2);
  CHECK(shared.exercises[0].key->pk != shared.exercises[1].key->pk);
  CHECK(shared.exercises[0].key == shared.exercises[2].key);
  CHECK(shared.exercises[0].sig != shared.exercises[2].sig);
  CHECK(shared.exercises[2].sig == shared.exercises[2].sig_first);
}

TEST_CASE_FIXTURE(Fixture, "an expanded key is spoilt where the signature notices") {
  // Over GF(16) one signature in sixteen begins with a zero, and the first row of P1 counts for nothing.
  const Keyring expanded = aioli.make_keyring("UOV-Is", 60, 1);
  const auto a = aioli.subject(expanded), b = aioli.subject(expanded);
  CHECK(check_interop(*a, *b) == 60 * 16);
}

TEST_CASE_FIXTURE(Fixture, "no further round begins when time is up") {
  Plan plan;
  plan.rounds = 8, plan.seconds = 0, plan.least_rounds = 4;
  CHECK(measure("g", {{ours.get(), Op::verify}}, plan)[0].samples.size() == 4 * plan.burst);
  plan.least_rounds = 20;
  CHECK(measure("g", {{ours.get(), Op::verify}}, plan)[0].samples.size() == 8 * plan.burst);
}

TEST_CASE("the fastest backend is held against liboqs avx2") {
  const auto timed = [](const char *impl, const char *set, const char *backend, Op op, double ticks) {
    Measurement m;
    m.impl = impl, m.set = set, m.backend = backend, m.op = op, m.group = "g", m.burst = 1;
    m.samples = {ticks, ticks, ticks};
    m.ticks = summarize(m.samples);
    return m;
  };
  const std::vector<Measurement> all{timed("aioli", "UOV-Ip-pkc-skc-r2", "portable", Op::sign, 90),
                                     timed("aioli", "UOV-Ip-pkc-skc-r2", "avx512", Op::sign, 10),
                                     timed("aioli", "UOV-Ip-pkc-skc-r2", "avx2", Op::sign, 20),
                                     timed("liboqs", "UOV-Ip-pkc-skc-r2", "ref", Op::sign, 200),
                                     timed("liboqs", "UOV-Ip-pkc-skc-r2", "avx2", Op::sign, 59),
                                     timed("aioli", "UOV-Ip-pkc-r2", "avx2", Op::sign, 1),  // of which nothing is asked
                                     timed("liboqs", "UOV-Ip-pkc-r2", "avx2", Op::sign, 1),
                                     timed("aioli", "UOV-Is", "avx2", Op::verify, 10),
                                     timed("liboqs", "UOV-Is", "avx2", Op::verify, 15),
                                     timed("aioli", "MAYO-1-r2", "avx2", Op::verify, 10),
                                     timed("liboqs", "MAYO-1-r2", "avx2", Op::verify, 15)};
  const auto reached = times_faster(all);
  REQUIRE(reached.size() == 2);
  CHECK(reached[0].ours->set == "UOV-Is");
  CHECK(reached[0].met());
  CHECK(reached[1].ours->backend == "avx512");
  CHECK(reached[1].times == doctest::Approx(5.9));
  CHECK(!reached[1].met());
  std::ostringstream text;
  print_targets(text, reached);
  CHECK(text.str().find("5.90 [5.90 5.90]") != std::string::npos);
  CHECK(text.str().find(" NO\n") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "interoperation is believed only where it is so") {
  using Fault = Impostor::Fault;
  Impostor good = impostor(Fault::none);
  CHECK(check_interop(*ours, good) == 3 * 16);
  for (Fault fault : {Fault::wrong_key, Fault::wrong_signature, Fault::accepts_all, Fault::accepts_none, Fault::fails}) {
    CAPTURE(int(fault));
    Impostor bad = impostor(fault);
    CHECK_THROWS_AS(check_interop(*ours, bad), std::runtime_error);
    CHECK_THROWS_AS(check_interop(bad, *ours), std::runtime_error);
  }
  const Keyring other = aioli.make_keyring("MAYO-2-r2", 3);
  CHECK_THROWS_AS(check_interop(*ours, *aioli.subject(other)), std::invalid_argument);
}

TEST_CASE_FIXTURE(Fixture, "ratios compare what was measured in turns, and the file has them") {
  Measurement m;
  m.impl = "aioli", m.set = "MAYO-2-r2", m.backend = "portable", m.op = Op::sign, m.group = "g", m.burst = 1;
  m.samples = {10, 20, 30};
  m.ticks = summarize(m.samples);
  Measurement peer = m, elsewhere = m, newer = m;
  peer.impl = "liboqs", peer.backend = "ref", peer.samples = {20, 40, 60};
  peer.ticks = summarize(peer.samples);
  elsewhere = peer, elsewhere.group = "h";
  newer.set = "MAYO-2";
  const std::vector<Measurement> all{m, peer, elsewhere, newer};
  REQUIRE(ratios(all, false).size() == 1);
  CHECK(ratios(all, false)[0].of_medians == doctest::Approx(0.5));
  CHECK(ratios(all, true).size() == 2);
  CHECK(against_baseline(all).empty());
  Measurement before = m, of_another = m;
  before.impl = baseline_impl, before.samples = {25, 50, 75};
  before.ticks = summarize(before.samples);
  of_another = before, of_another.backend = "avx2";
  const std::vector<Measurement> with_baseline{m, newer, before, of_another};
  REQUIRE(against_baseline(with_baseline).size() == 1);
  CHECK(against_baseline(with_baseline)[0].of_medians == doctest::Approx(0.4));
  CHECK(ratios(with_baseline, true).empty());
  std::ostringstream faster;
  print_tables(faster, with_baseline, 1.0);
  CHECK(faster.str().find("2.500 [2.500 2.500]") != std::string::npos);
  CHECK(report_json(Header{}, with_baseline)["ratios"].size() == 1);

  std::ostringstream text;
  print_tables(text, all, 1.0);
  CHECK(text.str().find("0.500 [0.500 0.500]  ") != std::string::npos);
  CHECK(text.str().find(" yes\n") != std::string::npos);
  text.str("");
  print_tables(text, all, 0.4);
  CHECK(text.str().find(" NO\n") != std::string::npos);

  Header h = describe_machine();
  h.commit = "a \"quoted\" name";
  h.tick_hz = 2e9;
  Throughput batch{"aioli", "MAYO-2", "portable", "verify_batch_one_key", 2, 64, summarize({5, 7, 9})};
  write_json("test_harness.json", h, all, {batch});
  std::ifstream in("test_harness.json");
  const auto json = nlohmann::json::parse(in);
  CHECK(json["header"]["commit"] == h.commit);
  CHECK(json["results"].size() == 4);
  CHECK(json["results"][0]["median"] == 20);
  CHECK(json["results"][0]["median_cycles"].is_null());
  CHECK(json["results"][0]["clock_spread"].is_null());
  CHECK(json["throughput"].size() == 1);
  CHECK(json["throughput"][0]["op"] == "verify_batch_one_key");
  CHECK(json["throughput"][0]["rows"] == 64);
  CHECK(json["throughput"][0]["median"] == 7);
  CHECK(json["ratios"].size() == 2);
  CHECK(json["ratios"][0]["ratio"] == 0.5);
  std::remove("test_harness.json");
  CHECK_THROWS_AS(write_json("/no/such/directory/x.json", h, all), std::runtime_error);
}
