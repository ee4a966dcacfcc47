// SPDX-License-Identifier: Apache-2.0
// aioli_gpu_bench: batches on a CUDA device, on the processor, and by the naive port, if this is linked with one, in turn in one
// run.  Every output is compared with the processor's before anything is timed.  tools/gpu_run calls it and adds what it knows of
// the machine.
#include <aioli/cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "yardstick.hpp"

using gpu_bench::Yardstick;

namespace gpu_bench {
OpenYardstick open_yardstick;
}

namespace {

using Bytes = std::vector<uint8_t>;
using Json = nlohmann::json;

struct Options {
  std::vector<std::string> sets = {"MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5"};
  std::vector<size_t> sizes = {1, 10, 100, 1000, 10000, 100000, 1000000};
  double seconds = 0.5;  // for each measurement, at least
  uint32_t device = 0, threads = 1;
  size_t most_processor_rows = 10000, most_naive_rows = 100000;
  std::string naive, json;  // directory of naive_<SET>.ptx; where to write
};

[[noreturn]] void usage() {
  std::cerr << "usage: aioli_gpu_bench [--sets A,B] [--sizes N,N] [--seconds S] [--device N] [--threads N] [--processor-rows N]\n"
               "                       [--naive-rows N] [--naive DIRECTORY] [--json FILE]\n";
  std::exit(2);
}

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) usage();
    const std::string value = argv[i + 1];
    if (name == "--sets")
      o.sets = split(value);
    else if (name == "--sizes") {
      o.sizes.clear();
      for (const std::string &n : split(value)) o.sizes.push_back(std::stoul(n));
    } else if (name == "--seconds")
      o.seconds = std::stod(value);
    else if (name == "--device")
      o.device = uint32_t(std::stoul(value));
    else if (name == "--threads")
      o.threads = uint32_t(std::stoul(value));
    else if (name == "--processor-rows")
      o.most_processor_rows = std::stoul(value);
    else if (name == "--naive-rows")
      o.most_naive_rows = std::stoul(value);
    else if (name == "--naive")
      o.naive = value;
    else if (name == "--json")
      o.json = value;
    else
      usage();
  }
  return o;
}

void want(bool good, const std::string &what) {
  if (!good) throw std::runtime_error(what);
}

// A batch of one kind: `keys` keys in turn, messages of 32 bytes.
struct Batch {
  const aioli_alg *alg;
  size_t count, keys;
  Bytes pk, sk, msg, sig;
  std::vector<aioli_keypair_row> key_rows;
  std::vector<aioli_sign_row> sign_rows;
  std::vector<aioli_verify_row> verify_rows;
  std::vector<aioli_status> status;

  Batch(const aioli_alg *a, size_t n, size_t k) : alg(a), count(n), keys(k), status(std::max(n, k)) {
    const size_t pk_bytes = aioli_public_key_bytes(alg), sk_bytes = aioli_secret_key_bytes(alg),
                 sig_bytes = aioli_signature_bytes(alg);
    pk.resize(keys * pk_bytes), sk.resize(keys * sk_bytes), msg.resize(count * 32), sig.resize(count * sig_bytes);
    for (size_t i = 0; i < sk.size(); i++) sk[i] = uint8_t(i * 7 + i / sk_bytes * 31 + (i / sk_bytes >> 8));
    for (size_t i = 0; i < msg.size(); i++) msg[i] = uint8_t(i % 32 < 8 ? i / 32 >> (8 * (i % 32)) : i);
    for (size_t i = 0; i < keys; i++) {
      uint8_t *s = sk.data() + i * sk_bytes;
      std::memcpy(s, &i, sizeof i);
      key_rows.push_back({pk.data() + i * pk_bytes, pk_bytes, s, sk_bytes, s, sk_bytes});
    }
    for (size_t i = 0; i < count; i++) {
      const size_t key = i % keys;
      sign_rows.push_back({sig.data() + i * sig_bytes, sig_bytes, msg.data() + i * 32, 32, sk.data() + key * sk_bytes, sk_bytes});
      verify_rows.push_back(
          {sig.data() + i * sig_bytes, sig_bytes, msg.data() + i * 32, 32, pk.data() + key * pk_bytes, pk_bytes});
    }
  }
};

struct Bench {
  Options options;
  aioli_cuda *cuda = nullptr;
  aioli_batch_options processor = AIOLI_BATCH_OPTIONS_INIT, deterministic = AIOLI_BATCH_OPTIONS_INIT;
  Json results = Json::array(), notes = Json::array();

  explicit Bench(const Options &o) : options(o) {
    processor.threads = o.threads;
    processor.rng = deterministic.rng = aioli_rng_zero;
    aioli_cuda_options c = AIOLI_CUDA_OPTIONS_INIT;
    c.device_count = 1;
    c.devices = &options.device;
    const aioli_status made = aioli_cuda_new(&cuda, &c);
    if (made != AIOLI_OK) {
      const char *why = aioli_cuda_why_no_device();
      throw std::runtime_error(std::string(aioli_status_text(made)) + (why != nullptr ? std::string(": ") + why : ""));
    }
  }
  ~Bench() { aioli_cuda_free(cuda); }
  Bench(const Bench &) = delete;

  // Runs it until there is enough, three times at least, after once to warm up.
  template <class F> void measure(const char *where, const aioli_alg *alg, const char *op, size_t rows, F run) {
    run();
    std::vector<double> took;
    double all = 0;
    while (took.size() < 3 || (all < options.seconds && took.size() < 1000)) {
      const auto start = std::chrono::steady_clock::now();
      run();
      const std::chrono::duration<double> one = std::chrono::steady_clock::now() - start;
      took.push_back(one.count());
      all += one.count();
    }
    add(where, alg, op, rows, took);
  }
  void add(const char *where, const aioli_alg *alg, const char *op, size_t rows, std::vector<double> took) {
    std::sort(took.begin(), took.end());
    const double median = took[took.size() / 2];
    results.push_back({{"where", where},
                       {"set", aioli_alg_name(alg)},
                       {"op", op},
                       {"rows", rows},
                       {"seconds", median},
                       {"seconds_min", took.front()},
                       {"runs", took.size()},
                       {"per_second", double(rows) / median}});
    std::printf("%-9s %-7s %-22s %8zu rows  %10.3f ms  %12.0f /s\n", where, aioli_alg_name(alg), op, rows, 1e3 * median,
                double(rows) / median);
    std::fflush(stdout);
  }

  void ok(aioli_status status, const char *what) const {
    if (status == AIOLI_OK) return;
    const char *error = aioli_cuda_error(cuda);
    throw std::runtime_error(std::string(what) + ": " + aioli_status_text(status) +
                             (error != nullptr ? std::string(": ") + error : ""));
  }

  void set(const aioli_alg *alg, Yardstick *naive) {
    for (const size_t rows : options.sizes) {
      one_size(alg, rows, 1, naive);
      if (rows > 1) one_size(alg, rows, rows, naive);
    }
  }

  void one_size(const aioli_alg *alg, size_t rows, size_t keys, Yardstick *naive) {
    Batch b(alg, rows, keys);
    const bool many = keys > 1;
    const auto keygen = [&] {
      ok(aioli_cuda_keypair_batch(cuda, alg, b.status.data(), b.key_rows.data(), keys, nullptr), "keygen");
    };
    const auto sign = [&] {
      ok(aioli_cuda_sign_batch(cuda, alg, b.status.data(), b.sign_rows.data(), rows, &deterministic), "sign");
    };
    const auto verify = [&] {
      ok(aioli_cuda_verify_batch(cuda, alg, b.status.data(), b.verify_rows.data(), rows, nullptr), "verify");
    };
    keygen();
    sign();
    compare(alg, b);
    if (many || rows == 1) measure("device", alg, "keygen", keys, keygen);
    measure("device", alg, many ? "sign, distinct keys" : "sign, one key", rows, sign);
    measure("device", alg, many ? "verify, distinct keys" : "verify, one key", rows, verify);
    if (rows <= options.most_processor_rows) {
      if (many || rows == 1)
        measure("processor", alg, "keygen", keys,
                [&] { ok(aioli_keypair_batch(alg, b.status.data(), b.key_rows.data(), keys, &processor), "keygen"); });
      measure("processor", alg, many ? "sign, distinct keys" : "sign, one key", rows,
              [&] { ok(aioli_sign_batch(alg, b.status.data(), b.sign_rows.data(), rows, &processor), "sign"); });
      measure("processor", alg, many ? "verify, distinct keys" : "verify, one key", rows,
              [&] { ok(aioli_verify_batch(alg, b.status.data(), b.verify_rows.data(), rows, &processor), "verify"); });
    }
    if (naive != nullptr && (many || rows == 1)) run_naive(alg, b, *naive);
  }

  // The first rows and the last, against the one-shot calls; and a wrong signature must be found.
  void compare(const aioli_alg *alg, Batch &b) {
    const size_t sig_bytes = aioli_signature_bytes(alg), pk_bytes = aioli_public_key_bytes(alg),
                 sk_bytes = aioli_secret_key_bytes(alg);
    Bytes sig(sig_bytes), pk(pk_bytes), sk(sk_bytes);
    for (size_t i = 0; i < b.count; i++) {
      if (i == 64 && b.count > 128) i = b.count - 64;
      const size_t key = i % b.keys;
      const uint8_t *seed = b.sk.data() + key * sk_bytes;
      ok(aioli_sign_deterministic(alg, sig.data(), sig_bytes, b.msg.data() + i * 32, 32, seed, sk_bytes, nullptr), "sign");
      want(std::memcmp(sig.data(), b.sig.data() + i * sig_bytes, sig_bytes) == 0,
           "the device's signature is not the processor's");
      if (i >= b.keys && i > 0) continue;
      ok(aioli_keypair_from_seed(alg, pk.data(), pk_bytes, sk.data(), sk_bytes, seed, sk_bytes, nullptr), "keygen");
      want(std::memcmp(pk.data(), b.pk.data() + key * pk_bytes, pk_bytes) == 0, "the device's public key is not the processor's");
    }
    const size_t spoilt = b.count / 2;
    b.sig[spoilt * sig_bytes + 3] ^= 1;
    const aioli_status found = aioli_cuda_verify_batch(cuda, alg, b.status.data(), b.verify_rows.data(), b.count, nullptr);
    b.sig[spoilt * sig_bytes + 3] ^= 1;
    want(found == AIOLI_ERR_SIGNATURE, "the device does not find a wrong signature");
    for (size_t i = 0; i < b.count; i++) want((b.status[i] == AIOLI_OK) == (i != spoilt), "the device errs about a signature");
  }

  void run_naive(const aioli_alg *alg, Batch &b, Yardstick &runner) {
    gpu_bench::Rows r;
    r.count = uint32_t(b.count);
    r.sk = b.sk;
    r.ok.resize(b.count);
    const size_t digest_bytes = aioli_digest_bytes(alg);
    r.digest.resize(b.count * digest_bytes);
    r.R.resize(b.count * aioli_randomness_bytes(alg));  // zero: deterministic
    std::vector<const uint8_t *> msgs;
    for (size_t i = 0; i < b.count; i++) msgs.push_back(b.msg.data() + i * 32);
    const std::vector<size_t> msg_bytes(b.count, 32);
    ok(aioli_digest_batch(alg, r.digest.data(), digest_bytes, msgs.data(), msg_bytes.data(), b.count), "digest");
    const char *names[] = {"keygen", "sign, distinct keys", "verify, distinct keys"};
    for (const gpu_bench::Operation op : {gpu_bench::keypair, gpu_bench::sign, gpu_bench::verify}) {
      if (b.count > options.most_naive_rows || b.count > runner.most_rows(op)) continue;
      r.pk = b.pk, r.sig = b.sig;
      if (op == gpu_bench::keypair) std::fill(r.pk.begin(), r.pk.end(), uint8_t(0));
      if (op == gpu_bench::sign) std::fill(r.sig.begin(), r.sig.end(), uint8_t(0));
      std::vector<double> took;
      for (int i = 0; i < 4; i++) took.push_back(runner.run(op, r));
      took.erase(took.begin());
      want(r.pk == b.pk && r.sig == b.sig && std::count(r.ok.begin(), r.ok.end(), 1) == long(b.count), "the naive port errs");
      add("naive", alg, names[op], b.count, took);
    }
  }
};

std::string read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return in ? text.str() : "";
}

int run(const Options &options) {
  Bench bench(options);
  aioli_cuda_device d;
  bench.ok(aioli_cuda_device_at(&d, options.device), "device");
  for (const std::string &name : options.sets) {
    const aioli_alg *alg = aioli_alg_by_name(name.c_str());
    want(alg != nullptr, "no set " + name);
    std::unique_ptr<Yardstick> naive;
    std::string identifier = name;
    std::replace(identifier.begin(), identifier.end(), '-', '_');
    const std::string image = options.naive.empty() ? "" : read_file(options.naive + "/naive_" + identifier + ".ptx");
    try {
      if (!image.empty() && gpu_bench::open_yardstick != nullptr)
        naive = gpu_bench::open_yardstick(options.device, image, identifier);
    } catch (const std::exception &e) {
      bench.notes.push_back("no naive port of " + name + ": " + e.what());
      std::cerr << bench.notes.back().get<std::string>() << "\n";
    }
    bench.set(alg, naive.get());
  }
  const Json document = {{"header",
                          {{"format", 1},
                           {"device", d.name},
                           {"memory_bytes", d.memory_bytes},
                           {"compute_capability", d.compute_capability},
                           {"multiprocessors", d.multiprocessors},
                           {"clock_kilohertz", d.clock_kilohertz},
                           {"driver_version", d.driver_version},
                           {"processor_threads", options.threads},
                           {"processor_backend", aioli_backend_active()},
                           {"library_version", aioli_version()},
                           {"notes", bench.notes}}},
                         {"results", bench.results}};
  if (!options.json.empty()) {
    std::ofstream out(options.json);
    out << document.dump(1) << "\n";
    out.close();
    want(bool(out), "cannot write " + options.json);
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return run(parse(argc, argv));
  } catch (const std::exception &e) {
    std::cerr << "aioli_gpu_bench: " << e.what() << "\n";
    return 1;
  }
}
