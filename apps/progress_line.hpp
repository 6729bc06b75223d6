// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/experiment.hpp>

#include <string>

namespace sporos::apps {

/// A line on standard error that tells how far an experiment has come, if that is a terminal; gone with this object.
class ProgressLine {
 public:
  /// For an experiment with this model and plan; never visible unless `wanted`.
  ProgressLine(std::string model, const Plan& plan, bool wanted);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Shows the progress, but not more than a few times a second and nothing in the first moment.
  void show(const Progress& progress);

 private:
  std::string m_model;
  const Plan& m_plan;
  bool m_is_visible;
  double m_shown_at = 0;  // seconds since the start
};

}  // namespace sporos::apps
