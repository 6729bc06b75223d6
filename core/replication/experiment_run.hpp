// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/summarized_rows.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::impl {

/// What an experiment asks of its models, one a design point, and of the execution space that runs them.
class ReplicationLauncher {
 public:
  virtual ~ReplicationLauncher() = default;

  /// How many design points there are.
  virtual std::size_t point_count() const = 0;
  /// Throws std::invalid_argument where parameters are refused, or design points differ in their responses.
  virtual void check_models() const = 0;
  /// Names of the responses. Throws where there is no design point, as all below.
  virtual std::vector<std::string> response_names() const = 0;
  /// Names of the stations at which entities can be, for messages; empty where the models name none.
  virtual std::vector<std::string> station_names() const = 0;
  /// How many responses there are.
  virtual std::size_t response_count() const = 0;
  /// The pairs of responses whose covariances summaries keep, in order.
  virtual std::vector<ResponsePair> pairs() const = 0;
  /// What is known of the responses of a design point.
  virtual ResponseProperties properties(std::size_t point) const = 0;
  /// What MappingChooser knows of the model.
  virtual WarpUse warp_use() const = 0;

  /// Whether the execution space is a host's.
  virtual bool is_on_host() const = 0;
  /// Threads of the execution space.
  virtual std::int64_t threads() const = 0;
  /// Whether Mapping::warp is another mapping than Mapping::thread.
  virtual bool has_warps() const = 0;
  /// The most outputs of a launch that memory has room for. Throws OutOfMemory where one run is too much.
  virtual std::int64_t affordable_outputs() const = 0;

  /// Makes ready what launches share; once, before the first. Throws std::invalid_argument where the plan's source
  /// cannot serve a model.
  virtual void prepare() = 0;
  /// Runs replications `range` of these design points. Waits for them.
  virtual void launch(std::span<const std::size_t> points, const ReplicationRange& range, Mapping mapping) = 0;
  /// Checks the last launch, and reduces it where it lies; pieces begin at multiples of `cut` (LaunchSummary). It is
  /// valid until the next launch.
  virtual const SummarizedRows& summarize(std::int64_t cut, std::span<const ResponsePair> pairs) = 0;
  /// The outputs of the last launch, column by column, until the next one.
  virtual std::span<const double> outputs() = 0;
};

/// Runs the experiment whose replications `launcher` runs, round by round. Each round covers the same replications of
/// all design points still running, in one launch, or in several where several processes share it. What is thrown, and
/// what is collective, is said of `simulate`.
ExperimentResult run_experiment(ReplicationLauncher& launcher, const Plan& plan, const Watcher& watcher,
                                const Observer& observer, Processes& processes, const Checkpoints& checkpoints,
                                const Recorder& recorder);

}  // namespace sporos::impl
