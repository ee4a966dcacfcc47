// SPDX-License-Identifier: Apache-2.0
// Known answers in the form of NIST's response files.
#include <aioli/research.h>

#include "commands.hpp"
#include "drbg.hpp"
#include "text.hpp"

#include <memory>
#include <numeric>

namespace aioli::cli {
namespace {

struct Options {
  std::string alg = "MAYO-1";
  std::optional<std::string> seed;
  size_t count = 100;
};

struct Record {
  size_t count;
  std::array<uint8_t, NistDrbg::kSeedBytes> seed;
  std::vector<uint8_t> message, public_key, secret_key, signed_message;
};

Record make_record(const aioli_alg *alg, NistDrbg &outer, size_t count) {
  Record record{count,
                {},
                std::vector<uint8_t>(33 * (count + 1)),
                std::vector<uint8_t>(aioli_public_key_bytes(alg)),
                std::vector<uint8_t>(aioli_secret_key_bytes(alg)),
                std::vector<uint8_t>(aioli_signature_bytes(alg))};
  outer.generate(record.seed);
  outer.generate(record.message);

  NistDrbg inner(record.seed);
  aioli_env env{};
  env.rng = NistDrbg::rng;
  env.rng_context = &inner;
  auto &signature = record.signed_message;
  check(aioli_keypair(alg, record.public_key.data(), record.public_key.size(), record.secret_key.data(), record.secret_key.size(),
                      &env),
        "cannot make a key");
  check(aioli_sign(alg, signature.data(), signature.size(), record.message.data(), record.message.size(),
                   record.secret_key.data(), record.secret_key.size(), &env),
        "cannot sign");
  check(aioli_verify(alg, signature.data(), signature.size(), record.message.data(), record.message.size(),
                     record.public_key.data(), record.public_key.size(), nullptr),
        "the signature of record " + std::to_string(count) + " does not verify");
  // What NIST's call had as a signed message: MAYO puts the signature first, UOV the message.
  const bool message_first = aioli_nist_message_first(alg) != 0;
  signature.insert(message_first ? signature.begin() : signature.end(), record.message.begin(), record.message.end());
  return record;
}

std::string response(const Record &record) {
  return "count = " + std::to_string(record.count) + "\nseed = " + hex_upper(record.seed) +
         "\nmlen = " + std::to_string(record.message.size()) + "\nmsg = " + hex_upper(record.message) +
         "\npk = " + hex_upper(record.public_key) + "\nsk = " + hex_upper(record.secret_key) +
         "\nsmlen = " + std::to_string(record.signed_message.size()) + "\nsm = " + hex_upper(record.signed_message) + "\n";
}

Document as_json(const Record &record) {
  return {{"count", record.count},
          {"seed", hex_upper(record.seed)},
          {"mlen", record.message.size()},
          {"msg", hex_upper(record.message)},
          {"pk", hex_upper(record.public_key)},
          {"sk", hex_upper(record.secret_key)},
          {"smlen", record.signed_message.size()},
          {"sm", hex_upper(record.signed_message)}};
}

ExitStatus run(const Options &options, const Session &session) {
  const aioli_alg *alg = algorithm_by_name(options.alg);
  std::array<uint8_t, NistDrbg::kSeedBytes> seed;
  if (!options.seed) {
    std::iota(seed.begin(), seed.end(), uint8_t{0});
  } else if (!hex_decode(*options.seed, seed)) {
    throw Failure("--seed takes 48 bytes, that is 96 hexadecimal digits; got " + std::to_string(options.seed->size()) +
                  " characters" + (options.seed->size() == 96 ? ", not all of them hexadecimal digits" : ""));
  }
  NistDrbg outer(seed);
  for (size_t count = 0; count < options.count; count++) {
    const Record record = make_record(alg, outer, count);
    if (session.json) {
      write_stdout((count == 0 ? "[\n" : ",\n") + as_json(record).json(false));
    } else {
      write_stdout((count == 0 ? "" : "\n") + response(record));
    }
  }
  if (session.json) write_stdout("\n]\n");
  return kExitOk;
}

}  // namespace

void add_kat(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command =
      add_command(arguments, session, "kat", "Print known answers in the form of NIST's response files (.rsp)",
                  [options, &session] { return run(*options, session); });
  command.example("aioli kat -a MAYO-1 | sha256sum  # 62bbc430...");
  command.text("-a,--alg", "NAME", options->alg, "Algorithm, see `aioli list`");
  command.text("-s,--seed", "HEX48", options->seed, "Seed of the generator of all records, 48 bytes; default 000102..2F");
  command.number("-n,--count", "N", options->count, 1, 100000, "Number of records");
}

}  // namespace aioli::cli
