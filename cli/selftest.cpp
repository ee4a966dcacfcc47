// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  std::vector<std::string> algorithms;
  std::string backend;
};

std::vector<std::string> backends_to_test(const Options &options) {
  if (!options.backend.empty()) return {options.backend};
  if (const char *forced = std::getenv("AIOLI_BACKEND"); forced != nullptr && *forced != '\0') return {forced};
  std::vector<std::string> names;
  for (size_t i = 0; i < aioli_backend_count(); i++) {
    if (aioli_backend_usable(i) == 1) names.push_back(aioli_backend_name(i));
  }
  return names;
}

// The status of each algorithm on this backend.  The library chooses its backend once per process, so each has a process of its
// own; an instruction that the processor does not have then ends that process only.
std::vector<aioli_status> test_backend(const std::string &backend, const std::vector<const aioli_alg *> &algorithms) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Failure(std::string("cannot make a pipe: ") + std::strerror(errno));
  const pid_t child = ::fork();
  if (child < 0) throw Failure(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    int8_t status = AIOLI_ERR_BACKEND;
    bool written = true;
    ::setenv("AIOLI_BACKEND", backend.c_str(), 1);
    const char *active = aioli_backend_active();
    const bool selected = active != nullptr && backend == active;
    for (const aioli_alg *alg : algorithms) {
      if (selected) status = static_cast<int8_t>(aioli_selftest(alg));
      written &= ::write(ends[1], &status, 1) == 1;
    }
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::vector<aioli_status> results;
  int8_t status = 0;
  for (ssize_t n; (n = ::read(ends[0], &status, 1)) == 1 || (n < 0 && errno == EINTR);) {
    if (n == 1) results.push_back(static_cast<aioli_status>(status));
  }
  ::close(ends[0]);
  int ending = 0;
  while (::waitpid(child, &ending, 0) < 0 && errno == EINTR) {}
  if (results.size() != algorithms.size()) {
    throw Failure("the self-test of " + std::string(aioli_alg_name(algorithms[results.size()])) + " on the backend \"" + backend +
                  "\" crashed" + (WIFSIGNALED(ending) ? std::string(": ") + ::strsignal(WTERMSIG(ending)) : std::string()));
  }
  return results;
}

ExitStatus run(const Options &options, const Session &session) {
  std::vector<const aioli_alg *> algorithms;
  algorithms.reserve(options.algorithms.size());
  for (const std::string &name : options.algorithms) algorithms.push_back(algorithm_by_name(name));
  if (algorithms.empty()) algorithms = all_algorithms();

  bool all_good = true;
  Document results = Document::array();
  for (const std::string &backend : backends_to_test(options)) {
    require_backend(backend);
    const std::vector<aioli_status> statuses = test_backend(backend, algorithms);
    for (size_t i = 0; i < algorithms.size(); i++) {
      const bool good = statuses[i] == AIOLI_OK;
      const std::string name = aioli_alg_name(algorithms[i]);
      all_good &= good;
      Document result{{"backend", backend}, {"algorithm", name}, {"ok", good}};
      if (!good) result.add("error", aioli_status_text(statuses[i]));
      results.push_back(result);
      print_text(session,
                 backend + "  " + name + "  " + (good ? "ok" : std::string("WRONG: ") + aioli_status_text(statuses[i])) + "\n");
    }
  }
  if (session.json) print_json({{"ok", all_good}, {"version", aioli_version()}, {"results", results}});
  print_text(session, all_good ? "all known answers are right\n" : "SELF-TEST FAILED: do not use this program\n");
  return all_good ? kExitOk : kExitInvalid;
}

}  // namespace

void add_selftest(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command = add_command(arguments, session, "selftest", "Compare known answers, on every backend that runs here",
                                         [options, &session] { return run(*options, session); });
  command.example("aioli selftest -a MAYO-1");
  command.texts("-a,--alg", "NAME", options->algorithms, "Only this algorithm (repeatable)");
  command.text("-b,--backend", "NAME", options->backend, "Only this backend");
}

}  // namespace aioli::cli
