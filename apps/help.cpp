// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help.hpp"

#include "processes.hpp"

#include <algorithm>
#include <cstdio>

namespace sporos::apps {

namespace {

bool complained = false;

void write_line(std::string_view message) {
  std::string line = "sporos: " + std::string(message);
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void complain(std::string_view message) {
  complained = true;
  if (is_first_process()) write_line(message);
}

void complain_of_failure(std::string_view message) {
  if (is_first_process() || !has_failed_alone()) return complain(message);
  complained = true;
  write_line("process " + std::to_string(processes().rank()) + ": " + std::string(message));
}

bool has_complained() { return complained; }

}  // namespace sporos::apps
