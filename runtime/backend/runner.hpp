// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sporos {
struct Checkpoints;
struct Decision;
struct Objective;
class SegmentLauncher;
class SystemGrid;
}  // namespace sporos

namespace sporos::runtime {

/// What a backend does with a model, whatever the model's type.
struct Runner {
  /// Runs an experiment over these design points.
  ExperimentResult (*simulate)(std::span<const ParameterValues> design, const Plan& plan, const Watcher& watcher,
                               const Observer& observer, const Checkpoints& checkpoints, const Recorder& recorder);
  /// Runs one replication of one design point of that experiment alone, and returns its responses.
  std::vector<double> (*replay)(std::span<const ParameterValues> design, const Plan& plan, std::size_t point,
                                std::int64_t replication);
  /// Throws std::invalid_argument where `simulate` would, and runs nothing.
  void (*check)(std::span<const ParameterValues> design, const Plan& plan);
  /// The model as a problem for searches, whose parameters have these values where they are not decided. Throws as
  /// SimulatedObjective does; null for a model whose data come from files.
  std::unique_ptr<SampledProblem> (*objective)(const ParameterValues& values, std::span<const Decision> decisions,
                                               const Objective& objective) = nullptr;
  /// The same with gradients by likelihood ratios; null for a model that is no ScoredModel.
  std::unique_ptr<SampledProblem> (*scored_objective)(const ParameterValues& values,
                                                      std::span<const Decision> decisions,
                                                      const Objective& objective) = nullptr;
  /// The model as systems whose parameters differ as `grid` says. Throws as ModelLauncher does; null where there is no
  /// `objective`.
  std::unique_ptr<SystemLauncher> (*systems)(const ParameterValues& values, const SystemGrid& grid,
                                             const SystemResponse& which) = nullptr;
  /// So many long runs of the model with that seed, for steady_state. Throws as SeriesLauncher does; null for a model
  /// that is no SeriesModel.
  std::unique_ptr<SegmentLauncher> (*series)(const ParameterValues& values, std::uint64_t seed,
                                             std::int64_t runs) = nullptr;
  /// As `simulate`, with the model's controls as further responses (WithControls); null for a model that names none.
  ExperimentResult (*simulate_with_controls)(std::span<const ParameterValues> design, const Plan& plan,
                                             const Watcher& watcher, const Observer& observer,
                                             const Checkpoints& checkpoints, const Recorder& recorder) = nullptr;
  /// What happens over the time of one replication of that design point, as a script for io::PictureFile; null for a
  /// model without such a picture.
  std::string (*timeline)(const ParameterValues& values, const Plan& plan, std::size_t point,
                          std::int64_t replication) = nullptr;
};

/// The runner of a described model or case on the backend for which this program is built. Each is compiled alone, in
/// runners/.
template <class Described>
Runner runner();

}  // namespace sporos::runtime
