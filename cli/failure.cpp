// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include "text.hpp"

#include <cstdlib>

namespace aioli::cli {

void require_backend(const std::string &name) {
  std::string usable;
  bool known = false, can_run = false;
  for (size_t i = 0; i < aioli_backend_count(); i++) {
    const std::string one = aioli_backend_name(i);
    known |= name == one;
    if (aioli_backend_usable(i) != 1) continue;
    can_run |= name == one;
    usable += (usable.empty() ? "" : ", ") + one;
  }
  if (!known) throw Failure("there is no backend \"" + printable(name) + "\"; this processor can run: " + usable);
  if (!can_run) throw Failure("this processor cannot run the backend \"" + name + "\"; it can run: " + usable);
}

void require_backend_of_environment() {
  const char *forced = std::getenv("AIOLI_BACKEND");
  if (forced == nullptr || *forced == '\0') return;  // as the library reads it
  try {
    require_backend(forced);
  } catch (const Failure &failure) {
    throw Failure(std::string("the environment variable AIOLI_BACKEND: ") + failure.what());
  }
}

void check(aioli_status status, const std::string &doing) {
  if (status != AIOLI_OK) throw Failure(doing + ": " + aioli_status_text(status));
}

}  // namespace aioli::cli
