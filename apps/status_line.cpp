// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "status_line.hpp"

#include <sporos/core/io/format.hpp>

#include <unistd.h>

#include <cstdio>

namespace sporos::apps {

namespace {

constexpr auto clear_line = "\r\x1b[K";

}  // namespace

StatusLine::StatusLine(bool wanted) : m_is_visible(wanted && ::isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() {
  if (m_shown_at > 0) std::fputs(clear_line, stderr);
}

bool StatusLine::is_due(double seconds) const {
  constexpr double seconds_between = 0.2;
  return m_is_visible && seconds >= m_shown_at + seconds_between;
}

void StatusLine::show(double seconds, std::string_view text) {
  m_shown_at = seconds;
  const std::string line = fmt::format("{}{}", clear_line, text);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace sporos::apps
