// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "progress_line.hpp"

#include "runtime_names.hpp"

#include <sporos/runtime/options/duration.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <utility>

namespace sporos::apps {

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
