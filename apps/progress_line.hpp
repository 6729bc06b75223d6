// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sporos::apps {

/// A line on standard error that shows the progress of a run if standard error is a terminal. The line is cleared when
/// the object is destroyed.
class StatusLine {
 public:
  /// Creates a line that stays hidden if `wanted` is false.
  explicit StatusLine(bool wanted);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether the line should be updated `seconds` after the start of the run. A visible line is updated at most five
  /// times a second.
  bool is_due(double seconds) const;
  /// Replaces the displayed text with `text`, `seconds` after the start of the run.
  void show(double seconds, std::string_view text);

 private:
  bool m_is_visible;
  double m_shown_at = 0;  // seconds since the start
};

/// A status line that shows the progress of an experiment.
class ProgressLine {
 public:
  /// Shows an experiment with this model and plan that continues after `first` replications. The line is never visible
  /// unless `wanted`.
  ProgressLine(std::string model, const Plan& plan, std::int64_t first, bool wanted);

  /// Shows the progress if an update is due.
  void show(const Progress& progress);

 private:
  std::string m_model;
  const Plan& m_plan;
  double m_first;  // replications before this run
  StatusLine m_line;
};

}  // namespace sporos::apps
