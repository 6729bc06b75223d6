// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "status_line.hpp"

#include <sporos/core/replication/experiment.hpp>

#include <string>

namespace sporos::apps {

/// A status line that tells how far an experiment has come.
class ProgressLine {
 public:
  /// For an experiment with this model and plan; never visible unless `wanted`.
  ProgressLine(std::string model, const Plan& plan, bool wanted);

  /// Shows the progress where that is due.
  void show(const Progress& progress);

 private:
  std::string m_model;
  const Plan& m_plan;
  StatusLine m_line;
};

}  // namespace sporos::apps
