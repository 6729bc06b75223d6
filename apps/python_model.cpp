// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python_model.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

void sporos::apps::hand_over_python_model(int argc, char** argv) {
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
