// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help.hpp"

#include <algorithm>
#include <cstdio>

namespace sporos::apps {

namespace {

bool complained = false;

}  // namespace

void complain(std::string_view message) {
  complained = true;
  std::string line = "sporos: " + std::string(message);
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool has_complained() { return complained; }

}  // namespace sporos::apps
