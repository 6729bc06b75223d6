// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "progress_line.hpp"

#include "runtime_names.hpp"

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

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

ProgressLine::ProgressLine(std::string model, const Plan& plan, std::int64_t first, bool wanted)
    : m_model(std::move(model)), m_plan(plan), m_first(static_cast<double>(first)), m_line(wanted) {}

void ProgressLine::show(const Progress& progress) {
  if (!m_line.is_due(progress.seconds)) return;
  const auto done = static_cast<double>(progress.replications), at_most = static_cast<double>(progress.at_most);
  const double rate = (done - m_first) / progress.seconds;
  const double left = std::min((at_most - done) / rate, std::max(m_plan.time_limit - progress.seconds, 0.0));
  m_line.show(progress.seconds,
              fmt::format("{}: {} of {}{} replications, {:.0f} %, {:.3g}/s, {}{} left", m_model, progress.replications,
                          m_plan.precision.is_set() ? "at most " : "", progress.at_most, 100 * done / at_most, rate,
                          m_plan.precision.is_set() ? "at most " : "", duration_text(left)));
}

}  // namespace sporos::apps
