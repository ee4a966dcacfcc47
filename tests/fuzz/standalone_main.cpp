// SPDX-License-Identifier: Apache-2.0
//
// Runs a harness without libFuzzer, with any compiler: its seeds, the files given, and then mutations of both, always the same
// ones.
//
// usage: fuzz_NAME [--mutations=N] [--random-seed=N] [--write-seeds=DIRECTORY] [FILE or DIRECTORY]...
//
// An input that brings the harness down is left in crash-fuzz_NAME in the current directory: give that file to run it again.
#include <csignal>
#include <iterator>

#include "write_seeds.hpp"

namespace {

const char *name = "fuzz";
const uint8_t *current = nullptr;
size_t current_size = 0;

// In a signal handler: system calls and the like, nothing that allocates.
void save_current(int signal) {
  static char path[256];
  std::snprintf(path, sizeof path, "crash-%s", name);
  if (FILE *out = std::fopen(path, "wb")) {
    std::fwrite(current, 1, current_size, out);
    std::fclose(out);
    std::fprintf(stderr, "input of %zu bytes saved in %s\n", current_size, path);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const fuzz::Bytes &input) {
  const fuzz::Block exact(input.data(), input.size());
  current = exact.data();
  current_size = exact.size();
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

// The same numbers on every machine (xorshift64*).
struct Random {
  uint64_t state;
  uint64_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
  }
  size_t below(size_t n) { return size_t((next() >> 16) % n); }
};

void mutate(fuzz::Bytes &b, const std::vector<fuzz::Bytes> &corpus, Random &random) {
  static const uint8_t interesting[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x06, 0x0a, 0x0d, 0x20,
                                        0x2d, 0x30, 0x3d, 0x7f, 0x80, 0x81, 0x82, 0xa0, 0xff};
  for (size_t edits = 1 + random.below(4); edits > 0; edits--) {
    const size_t kind = random.below(10);
    if (b.empty() && kind != 6) continue;
    // Half of the edits near the front, where headers are.
    const size_t at = b.empty() ? 0 : random.below(random.below(2) ? b.size() : std::min<size_t>(b.size(), 48));
    const auto position = b.begin() + long(at);
    switch (kind) {
      case 0:
      case 1: b[at] ^= uint8_t(1u << random.below(8)); break;
      case 2: b[at] = uint8_t(random.next() >> 32); break;
      case 3: b[at] = interesting[random.below(sizeof interesting)]; break;
      case 4: b[at] = uint8_t(b[at] + (random.below(2) ? 1 : -1)); break;
      case 5: b.resize(at); break;
      case 6: b.insert(position, 1 + random.below(8), uint8_t(random.next() >> 32)); break;
      case 7: b.erase(position, b.begin() + long(std::min(b.size(), at + 1 + random.below(8)))); break;
      case 8: {  // a piece of another input over this one
        const fuzz::Bytes &other = corpus[random.below(corpus.size())];
        for (size_t i = at, n = random.below(64); n > 0 && i < b.size() && i < other.size(); i++, n--) b[i] = other[i];
        break;
      }
      default: {  // the end of another input behind the front of this one
        const fuzz::Bytes &other = corpus[random.below(corpus.size())];
        b.resize(at);
        if (at < other.size()) b.insert(b.end(), other.begin() + long(at), other.end());
      }
    }
  }
}

uint64_t number_of(const char *argument, const char *text) {
  char *end = nullptr;
  const uint64_t value = std::strtoull(text, &end, 10);
  if (end == text || *end != 0) {
    std::fprintf(stderr, "%s: %s is not a number\n", name, argument);
    std::exit(2);
  }
  return value;
}

void load(const std::filesystem::path &path, std::vector<fuzz::Bytes> &corpus) {
  if (std::filesystem::is_directory(path)) {
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto &file : files) load(file, corpus);
    return;
  }
  std::ifstream in(path, std::ios::binary);
  corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (!in) {
    std::fprintf(stderr, "%s: cannot read %s\n", name, path.c_str());
    std::exit(2);
  }
}

}  // namespace

int main(int count, char **arguments) {
  static const std::string own_name = std::filesystem::path(arguments[0]).filename().string();
  name = own_name.c_str();
  uint64_t mutations = 0, random_seed = 1;
  std::vector<fuzz::Bytes> corpus = fuzz::seeds();
  for (int i = 1; i < count; i++) {
    const std::string argument = arguments[i];
    if (const char *directory = fuzz::seeds_directory(arguments[i])) {
      fuzz::write_seeds(directory);
      return 0;
    }
    if (argument.rfind("--mutations=", 0) == 0)
      mutations = number_of(arguments[i], arguments[i] + 12);
    else if (argument.rfind("--random-seed=", 0) == 0)
      random_seed = number_of(arguments[i], arguments[i] + 14);
    else if (argument.rfind("-", 0) == 0) {
      std::fprintf(stderr, "usage: %s [--mutations=N] [--random-seed=N] [--write-seeds=DIRECTORY] [FILE or DIRECTORY]...\n",
                   name);
      return 2;
    } else {
      load(argument, corpus);
    }
  }
  if (corpus.empty()) corpus.emplace_back();
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, save_current);

  for (const fuzz::Bytes &input : corpus) run(input);
  Random random{random_seed * 0x9e3779b97f4a7c15u | 1};
  for (uint64_t i = 0; i < mutations; i++) {
    fuzz::Bytes input = corpus[random.below(corpus.size())];
    mutate(input, corpus, random);
    run(input);
  }
  std::printf("%s: %zu inputs and %llu mutations\n", name, corpus.size(), static_cast<unsigned long long>(mutations));
}
