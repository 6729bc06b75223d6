// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "interruption.hpp"
#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/simulation/experiment_part.hpp>
#include <sporos/runtime/simulation/requested_experiment.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/station_animation.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>

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
  WatchedExperiment(const ModelOptions& options, const Backend& backend, const MergedParts* merged = nullptr);

  /// Options of the run.
  const OptionTable& options() const { return m_request.options(); }
  /// Settings with which the backend is to be started.
  const ExecutionSettings& settings() const { return m_settings; }

  double time_limit() const override { return m_request.plan().time_limit; }
  io::Json description() const override { return m_request.description(); }
  std::string restore(const io::Json& state, const std::string& what) override;
  void compute(const Backend& backend, const RunControl& control) override;
  std::optional<std::string> make_results() override;
  bool has_ended() const override;
  io::Json state() const override;
  void write(const Machine& machine, double seconds) override;
  Ending ending(int signal) const override;

 private:
  std::optional<int> rescued(int signal, const std::function<int(int)>& write);
  void take_animations(const Backend& backend, const RunControl& control);
  void take_exact_means(const RunControl& control);

  RequestedExperiment m_request;
  ExecutionSettings m_settings;
  Destination m_destination;
  std::optional<ExperimentState> m_start;
  EarlyEnd m_early_end;
  ExperimentResult m_result;
  std::vector<std::vector<std::optional<double>>> m_exact;  // exact means of the responses at each design point
  std::optional<io::StationTimeline> m_timeline;            // timeline to draw
  std::vector<PointAnimation> m_animations;                 // for the HTML report
};

}  // namespace sporos::apps
