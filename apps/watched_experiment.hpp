// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interruption.hpp"
#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/simulation/convergence.hpp>
#include <sporos/runtime/simulation/experiment_part.hpp>
#include <sporos/runtime/simulation/questions.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/station_animation.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sporos::apps {

/// Returns a watcher that shows progress on `line`, and stops the experiment after a signal.
Watcher watcher_of(ProgressLine& line, const Interruption& interruption);

/// Runs an experiment, or a part of it, and writes the results.
class WatchedExperiment final : public Run {
 public:
  /// Takes the options of `sporos simulate`, and checks them and the files that they name. If `merged` is given, takes
  /// the replications from these parts instead of running them; they must outlive this object. Throws
  /// std::invalid_argument or io::WriteError for an option, a file or a part that does not fit.
  WatchedExperiment(ModelOptions options, const Backend& backend, const MergedParts* merged = nullptr);

  /// Options of the run.
  const OptionTable& options() const { return m_options.table; }
  /// Settings with which the backend is to be started.
  const ExecutionSettings& settings() const { return m_settings; }

  double time_limit() const override { return m_experiment.plan.time_limit; }
  io::Json description() const override;
  std::string restore(const io::Json& state, const std::string& what) override;
  void compute(const Backend& backend, const RunControl& control) override;
  std::optional<std::string> make_results() override;
  bool has_ended() const override;
  io::Json state() const override;
  void write(const Machine& machine, double seconds) override;
  Ending ending(int signal) const override;

 private:
  Observer observer();
  std::string part_text() const;
  std::optional<int> rescued(int signal, const std::function<int(int)>& write);
  io::StationTimeline timeline(const Backend& backend, std::size_t point) const;
  std::vector<std::size_t> animated_points() const;
  void take_animations(const Backend& backend, const RunControl& control);
  void take_exact_means(const RunControl& control);

  ModelOptions m_options;
  Experiment m_experiment;
  ExecutionSettings m_settings;
  Destination m_destination;
  const MergedParts* m_merged;
  std::optional<ExperimentPart> m_part;
  std::optional<Requirements> m_requirements;
  Recording m_recording;
  QuantilePrecision m_precision;
  std::optional<Simultaneous> m_simultaneous;
  bool m_has_controls, m_is_conditional;
  Plan m_plan;  // plan of the simulated replications, whose number a precision may have determined
  PointQuestions m_questions;
  std::optional<PartRecord> m_record;  // results of the part
  ReportFile m_page;
  PictureFiles m_pictures, m_timelines;
  std::optional<io::StationTimeline> m_timeline;  // timeline to draw
  std::vector<PointAnimation> m_animations;       // for the HTML report
  std::optional<Convergence> m_convergence;       // for the HTML report
  std::optional<ExperimentState> m_start;
  EarlyEnd m_early_end;
  ExperimentResult m_result;
  std::vector<std::vector<std::optional<double>>> m_exact;  // exact means of the responses at each design point
};

}  // namespace sporos::apps
