// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "complaint.hpp"

#include "runtime_names.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/io/one_line.hpp>

#include <unistd.h>

#include <cstdio>

namespace sporos::apps {

namespace {

bool complained = false;

void write_all(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

// Writes the line in one piece, whatever other threads write meanwhile.
void write_line(std::string_view message) {
  const std::string name = program().name + ": ";
  const std::string line = io::one_line(message, io::longest_message - name.size() - 1);
  std::fflush(stderr);
  write_all(name + line + "\n");
}

}  // namespace

void complain(std::string_view message) {
  complained = true;
  if (is_first_process()) write_line(message);
}

void clear_status_line() {
  constexpr std::string_view clear_line = "\r\x1b[K";
  if (is_first_process() && ::isatty(STDERR_FILENO) == 1) write_all(clear_line);
}

void complain_of_failure(std::string_view message) {
  if (is_first_process() || !has_failed_separately()) return complain(message);
  complained = true;
  write_line("process " + std::to_string(processes().rank()) + ": " + std::string(message));
}

bool has_complained() { return complained; }

}  // namespace sporos::apps
