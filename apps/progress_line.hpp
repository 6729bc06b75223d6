// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "status_line.hpp"

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <cstdint>
#include <string>

namespace sporos::apps {

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
