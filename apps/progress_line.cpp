// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "progress_line.hpp"

#include "duration.hpp"

#include <sporos/core/io/format.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace sporos::apps {

namespace {

constexpr auto clear_line = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::string model, const Plan& plan, bool wanted)
    : m_model(std::move(model)), m_plan(plan), m_is_visible(wanted && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (m_shown_at > 0) std::fputs(clear_line, stderr);
}

void ProgressLine::show(const Progress& progress) {
  constexpr double seconds_between = 0.2;
  if (!m_is_visible || progress.seconds < m_shown_at + seconds_between) return;
  m_shown_at = progress.seconds;
  const auto done = static_cast<double>(progress.replications), at_most = static_cast<double>(progress.at_most);
  const double rate = done / progress.seconds;
  const double left = std::min((at_most - done) / rate, std::max(m_plan.time_limit - progress.seconds, 0.0));
  const std::string line =
      fmt::format("{}{}: {} of {}{} replications, {:.0f} %, {:.3g}/s, {}{} left", clear_line, m_model,
                  progress.replications, m_plan.precision.is_set() ? "at most " : "", progress.at_most,
                  100 * done / at_most, rate, m_plan.precision.is_set() ? "at most " : "", duration_text(left));
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace sporos::apps
