// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interruption.hpp"
#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/simulation/convergence.hpp>
#include <sporos/runtime/simulation/questions.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sporos::apps {

/// Shows how far a run has come, and ends it where a signal came.
Watcher watcher_of(ProgressLine& line, const Interruption& interruption);

/// An experiment whose results are written.
class WatchedExperiment final : public Run {
 public:
  /// Of `experiment`, as the options ask, to `destination`; all three must live as long.
  WatchedExperiment(const ModelOptions& options, const Experiment& experiment, const Destination& destination);

  double time_limit() const override { return m_experiment.plan.time_limit; }
  io::Json description() const override;
  std::string restore(const io::Json& state, const std::string& what) override;
  void compute(const Backend& backend, const RunControl& control) override;
  bool has_ended() const override;
  io::Json state() const override;
  void write(const Machine& machine, double seconds) override;
  Ending ending(int signal) const override;

 private:
  Observer observer();
  std::optional<int> rescued(int signal, const std::function<int(int)>& write);
  void take_exact_means(const RunControl& control);

  const ModelOptions& m_options;
  const Experiment& m_experiment;
  const Destination& m_destination;
  std::optional<Requirements> m_requirements;
  Recording m_recording;
  QuantilePrecision m_precision;
  std::optional<Simultaneous> m_simultaneous;
  bool m_has_controls, m_is_conditional;
  Plan m_plan;  // of what was simulated: as many replications as a precision took
  PointQuestions m_questions;
  ReportFile m_page;
  PictureFiles m_pictures, m_timelines;
  std::string m_timeline;                    // what is drawn of it
  std::optional<Convergence> m_convergence;  // of a page
  std::optional<ExperimentState> m_start;
  EarlyEnd m_early_end;
  ExperimentResult m_result;
  std::vector<std::vector<std::optional<double>>> m_exact;  // of each design point
};

}  // namespace sporos::apps
