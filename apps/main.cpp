// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"
#include "failure.hpp"
#include "runtime_names.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Replaces this process by Python if the second argument is a model in Python, such as bakery.py or bakery.py:Bakery.
// The Python package compiles a program for the model, which runs the command. Returns otherwise. The environment
// variable SPOROS_PYTHON names the interpreter; it is python3 by default.
void hand_over_python_model(int argc, char** argv) {
  if (argc < 3) return;
  const std::string_view file(argv[2]);
  if (!file.ends_with(".py") && file.find(".py:") == std::string_view::npos) return;
  const char* const chosen = std::getenv("SPOROS_PYTHON");
  std::string python = chosen != nullptr ? chosen : "python3", option = "-m", package = "sporos";
  std::vector<char*> words{python.data(), option.data(), package.data()};
  words.insert(words.end(), argv + 1, argv + argc);
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  std::fprintf(stderr,
               "sporos: %s does not start, which compiles models in Python: install it with the package sporos, or set "
               "SPOROS_PYTHON\n",
               python.c_str());
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  hand_over_python_model(argc, argv);
  const sporos::apps::FailureReport failures;
  sporos::apps::ProcessSession session;  // may wait for other processes after Kokkos has ended
  const auto backend = sporos::apps::kokkos_backend();
  return sporos::apps::run_command_line({argv + (argc > 0 ? 1 : 0), argv + argc}, session, *backend);
}
