// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/kept_outputs.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/summarized_rows.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::impl {

/// Interface through which an experiment uses its models, one per design point, and the execution space that runs them.
class ReplicationLauncher {
 public:
  virtual ~ReplicationLauncher() = default;

  /// Number of design points.
  virtual std::size_t point_count() const = 0;
  /// Throws std::invalid_argument if parameters are invalid, or if design points differ in their responses.
  virtual void check_models() const = 0;
  /// Names of the responses. This function and all following ones require at least one design point.
  virtual std::vector<std::string> response_names() const = 0;
  /// Names of the stations at which entities can be, for messages; empty if the models name none.
  virtual std::vector<std::string> station_names() const = 0;
  /// Number of responses.
  virtual std::size_t response_count() const = 0;
  /// Pairs of responses whose covariances summaries contain, in order.
  virtual std::vector<ResponsePair> pairs() const = 0;
  /// Properties of the responses of a design point.
  virtual ResponseProperties properties(std::size_t point) const = 0;
  /// Properties of the model that MappingChooser uses.
  virtual WarpUse warp_use() const = 0;

  /// Whether the execution space runs on the host.
  virtual bool is_on_host() const = 0;
  /// Number of threads of the execution space.
  virtual std::int64_t threads() const = 0;
  /// Whether Mapping::warp differs from Mapping::thread.
  virtual bool has_warps() const = 0;
  /// Largest number of outputs of a launch that fit into memory. Throws OutOfMemory if one run does not fit.
  virtual std::int64_t affordable_outputs() const = 0;

  /// Prepares the data that launches share. Call it once, before the first launch. Throws std::invalid_argument if the
  /// plan's source cannot serve a model.
  virtual void prepare() = 0;
  /// Runs replications `range` of these design points. Blocks until they are done.
  virtual void launch(std::span<const std::size_t> points, const ReplicationRange& range, Mapping mapping) = 0;
  /// Throws std::runtime_error if a kernel of the last launch failed, or if a replication drew more often than its
  /// model states.
  virtual void check_launch() const {}
  /// Checks the last launch and reduces its outputs in the memory of the execution space. Pieces begin at multiples of
  /// `cut` (LaunchSummary). The result is valid until the next launch.
  virtual const SummarizedRows& summarize(std::int64_t cut, std::span<const ResponsePair> pairs) = 0;
  /// The outputs of the last launch, column by column. They are valid until the next launch.
  virtual std::span<const double> outputs() = 0;

  /// Makes empty kept outputs for each design point, with memory for the replications of the plan. Throws OutOfMemory
  /// if they do not fit, and std::logic_error if the launcher has no execution space.
  virtual OutputsOfPoints new_kept_outputs() const {
    throw std::logic_error("outputs of a model without an execution space cannot be kept: use an observer");
  }
  /// Adds rows of the last launch to the kept outputs: the first counts[i] replications of each points[i].
  virtual void keep(std::span<const std::size_t> /*points*/, std::span<const std::int64_t> /*counts*/,
                    const OutputsOfPoints& /*kept*/) {}
};

/// Runs an experiment round by round, with replications from `launcher`. Each round covers the same replications of all
/// design points that are still running, in one launch, or in several launches if several processes share it. See
/// `simulate` for exceptions and for the rules for collective calls. If `kept` is given, the responses of all
/// replications are added to it, in the memory of the execution space; kept outputs of an earlier run of the
/// experiment, which this one continues, are extended. Only a single process can keep outputs (std::invalid_argument).
ExperimentResult run_experiment(ReplicationLauncher& launcher, const Plan& plan, const Watcher& watcher,
                                const Observer& observer, Processes& processes, const Checkpoints& checkpoints,
                                const Recorder& recorder, OutputsOfPoints* kept = nullptr);

}  // namespace sporos::impl
