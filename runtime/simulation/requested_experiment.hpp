// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/convergence.hpp>
#include <sporos/runtime/simulation/experiment_part.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/questions.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/requirements.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/station_animation.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The outcome of an experiment, for its report.
struct ExperimentOutcome {
  ExperimentResult& result;                               ///< result of all replications; loses its controls
  Machine machine;                                        ///< machine that ran them
  std::vector<std::vector<std::optional<double>>> exact;  ///< exact means by design point and response
  std::optional<io::StationTimeline> timeline = {};       ///< timeline to draw, if one is requested
  std::vector<PointAnimation> animations = {};            ///< animations for the page
};

/// Checks the options of an experiment, and returns its plan. Throws std::invalid_argument if they do not fit.
Plan plan_of(const ModelOptions& options);

/// An experiment, or a part of one, that `sporos simulate` or Python's `simulate` runs, with all that they are asked
/// about it. The object collects results during the run, and makes the report after it.
class RequestedExperiment {
 public:
  /// Takes the options and their experiment, and checks the files that the options name. If `merged` is given, takes
  /// the replications from these parts instead of running them; they must outlive this object. Throws
  /// std::invalid_argument or io::WriteError for an option, a file or a part that does not fit.
  RequestedExperiment(ModelOptions options, Experiment experiment, const MergedParts* merged = nullptr);
  RequestedExperiment(const RequestedExperiment&) = delete;
  RequestedExperiment& operator=(const RequestedExperiment&) = delete;

  /// The rounds of a run, which the caller simulates one by one.
  class Rounds {
   public:
    /// The plan of the next round.
    const Plan& plan() const { return m_plan; }
    /// Receives the observations of the round.
    const Observer& observer() const { return m_observer; }
    /// Receives the replications of the round.
    const Recorder& recorder() const { return m_recorder; }
    /// Where the round starts, and what it saves.
    const Checkpoints& checkpoints() const { return m_checkpoints; }
    /// Takes the result of a round, and completes it if it is the last one. Otherwise plans another round and returns
    /// true. Collective.
    bool needs_another(ExperimentResult& result);

   private:
    friend class RequestedExperiment;
    Rounds(RequestedExperiment& request, Checkpoints checkpoints);
    void take_plan();

    RequestedExperiment& m_request;
    Checkpoints m_checkpoints;
    Observer m_observer;
    Recorder m_recorder;
    QuantileRounds m_rounds;
    Plan m_plan;
  };

  /// Options of the run.
  const OptionTable& options() const { return m_options.table; }
  /// The model of the experiment.
  const ModelDescription& model() const { return m_experiment.model; }
  /// The design points.
  const std::vector<ParameterValues>& design() const { return m_experiment.design; }
  /// The requested plan.
  const Plan& plan() const { return m_experiment.plan; }
  /// The part to run; empty for the whole experiment.
  const std::optional<ExperimentPart>& part() const { return m_part; }
  /// Whether means are estimated with controls.
  bool has_controls() const { return m_has_controls; }
  /// The responses to observe.
  SimulatedResponses responses() const { return simulated_responses(m_has_controls, m_is_conditional); }
  /// Requested precision of quantiles.
  const QuantilePrecision& quantile_precision() const { return m_precision; }
  /// Records of the replications.
  Recording& recording() { return m_recording; }
  /// Records of the replications.
  const Recording& recording() const { return m_recording; }

  /// Chooses the mapping of replications to hardware.
  void choose(Mapping mapping) { m_plan.mapping = mapping; }
  /// Also passes all observations to `observer`. Call it before `begin`.
  void observe(Observer observer) { m_also = std::move(observer); }
  /// Leaves out what the page shows of observations, because the run continues from a checkpoint, which holds none.
  void forget_observations() { m_convergence.reset(); }

  /// Describes everything that determines the result.
  io::Json description() const;

  /// Begins the run from `checkpoints` on. It has several rounds if quantiles have a requested precision.
  Rounds begin(Checkpoints checkpoints);

  /// Whether a timeline is to be drawn.
  bool has_timeline() const { return !m_timelines.empty(); }
  /// Simulates replication 0 of a design point over time.
  io::StationTimeline timeline(const Backend& backend, std::size_t point) const;
  /// Returns the design points that the page animates.
  std::vector<std::size_t> animated_points(const ExperimentResult& result) const;

  /// Returns the text of the part's file.
  std::string part_text(const ExperimentResult& result, const std::vector<std::string>& arguments) const;
  /// Draws the requested pictures, writes the page and finishes the file of responses. Returns the result.
  ResultDocument write(const ExperimentOutcome& outcome);

 private:
  Report report_of(const ExperimentOutcome& outcome);
  void add_notes_to(Report& report) const;
  Observer observer();

  ModelOptions m_options;
  Experiment m_experiment;
  Plan m_plan;  // plan of the simulated replications, whose number a precision may have determined
  const MergedParts* m_merged;
  std::optional<ExperimentPart> m_part;
  std::optional<Requirements> m_requirements;
  Recording m_recording;
  QuantilePrecision m_precision;
  std::optional<Simultaneous> m_simultaneous;
  bool m_has_controls, m_is_conditional;
  PointQuestions m_questions;
  std::optional<PartRecord> m_record;  // results of the part
  ReportFile m_page;
  PictureFiles m_pictures, m_timelines;
  std::optional<Convergence> m_convergence;  // for the page
  Observer m_also;
};

}  // namespace sporos::runtime
