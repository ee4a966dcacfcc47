// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "operations.hpp"

#include <cstdio>
#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  bool backends = false;
  OidOptions oids;
};

Document describe(const aioli_alg *alg, const OidTable &oids) {
  Document workspace = Document::object();
  for (const Operation &operation : kOperations) workspace.add(operation.name, aioli_workspace_bytes(alg, operation.op));
  return {{"name", aioli_alg_name(alg)},
          {"round", aioli_alg_round(alg)},
          {"category", aioli_alg_category(alg)},
          {"public_key_bytes", aioli_public_key_bytes(alg)},
          {"secret_key_bytes", aioli_secret_key_bytes(alg)},
          {"signature_bytes", aioli_signature_bytes(alg)},
          {"randomness_bytes", aioli_randomness_bytes(alg)},
          {"digest_bytes", aioli_digest_bytes(alg)},
          {"signer_bytes", aioli_signer_bytes(alg)},
          {"verifier_bytes", aioli_verifier_bytes(alg)},
          {"workspace_bytes", workspace},
          {"oid", aioli_key_oid(alg, oids.entries())}};
}

ExitStatus list_algorithms(const Options &options, const Session &session) {
  const OidTable oids = options.oids.table();
  Document document = Document::array();
  std::string text = "algorithm           round  category  public key  secret key  signature  (bytes)  object identifier\n";
  for (const aioli_alg *alg : all_algorithms()) {
    document.push_back(describe(alg, oids));
    char line[256];
    std::snprintf(line, sizeof line, "%-18s  %5d  %8d  %10zu  %10zu  %9zu           %s\n", aioli_alg_name(alg),
                  aioli_alg_round(alg), aioli_alg_category(alg), aioli_public_key_bytes(alg), aioli_secret_key_bytes(alg),
                  aioli_signature_bytes(alg), aioli_key_oid(alg, oids.entries()));
    text += line;
  }
  if (session.json) print_json(document);
  print_text(session, text);
  return kExitOk;
}

ExitStatus list_backends(const Session &session) {
  const std::string active = active_backend();
  Document document = Document::array();
  std::string text;
  for (size_t i = 0; i < aioli_backend_count(); i++) {
    const std::string name = aioli_backend_name(i);
    const bool usable = aioli_backend_usable(i) == 1, in_use = name == active;
    document.push_back({{"name", name}, {"usable", usable}, {"active", in_use}});
    text += name + (in_use ? ": in use" : usable ? ": can run here" : ": this processor cannot run it") + "\n";
  }
  if (session.json) print_json(document);
  print_text(session, text);
  return kExitOk;
}

}  // namespace

void add_list(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command = add_command(
      arguments, session, "list", "List the algorithms with their sizes, or the backends",
      [options, &session] { return options->backends ? list_backends(session) : list_algorithms(*options, session); });
  command.example(
      "aioli list\n"
      "aioli list --json | jq -r '.[].name'");
  command.flag("-b,--backends", options->backends, "List the backends instead");
  add_oid_option(command, options->oids);
}

}  // namespace aioli::cli
