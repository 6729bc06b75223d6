// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/events/trace.hpp>
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
struct ArrayRqmcOptions;
struct ArrayRqmcResult;
struct Checkpoints;
struct Decision;
struct ImportanceOptions;
struct ImportanceResult;
struct MultilevelOptions;
struct MultilevelResult;
struct Objective;
class SegmentLauncher;
struct SplittingOptions;
struct SplittingResult;
struct StratifiedOptions;
struct StratifiedResult;
class SystemGrid;
enum class Tail;
}  // namespace sporos

namespace sporos::runtime {

/// The events of one replication, in order, and what their kinds are called.
struct EventListing {
  std::vector<TracedEvent> events;         ///< in order
  std::vector<std::string> kinds;          ///< names of the kinds, by number; none where nothing was traced
  std::vector<std::string> stations = {};  ///< names of the stations, by number; none where they have no names
};

/// What a backend does with a model, whatever the model's type.
struct Runner {
  /// Runs an experiment over these design points.
  ExperimentResult (*simulate)(std::span<const ParameterValues> design, const Plan& plan, const Watcher& watcher,
                               const Observer& observer, const Checkpoints& checkpoints, const Recorder& recorder);
  /// Runs one replication of one design point of that experiment alone, and returns its responses, which may mark a
  /// failure (core/events/failure.hpp).
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
  /// The events of the replication that `replay` runs (traced_events); null for a model that names none.
  EventListing (*trace)(std::span<const ParameterValues> design, const Plan& plan, std::size_t point,
                        std::int64_t replication) = nullptr;
  /// As `simulate`, of the responses' conditional expectations (Conditioned); null for a model that offers none.
  ExperimentResult (*simulate_conditionally)(std::span<const ParameterValues> design, const Plan& plan,
                                             const Watcher& watcher, const Observer& observer,
                                             const Checkpoints& checkpoints, const Recorder& recorder) = nullptr;
  /// The probability that a response is at or beyond a threshold, by importance sampling. Throws as importance_sampled
  /// does.
  ImportanceResult (*rare_response)(const ParameterValues& values, int response, double threshold, Tail tail,
                                    const ImportanceOptions& options) = nullptr;
  /// The probability that the model's chain reaches a level, by importance sampling. Throws as importance_sampled does;
  /// null for a model that offers no chain.
  ImportanceResult (*sampled_chain)(const ParameterValues& values, double level,
                                    const ImportanceOptions& options) = nullptr;
  /// The same by splitting. Throws as split does.
  SplittingResult (*split_chain)(const ParameterValues& values, double level,
                                 const SplittingOptions& options) = nullptr;
  /// The same by adaptive splitting. Throws as adaptive_split does.
  SplittingResult (*split_chain_adaptively)(const ParameterValues& values, double level,
                                            const SplittingOptions& options) = nullptr;
  /// The mean of a response by multilevel Monte Carlo. Throws as multilevel does; null for a model without levels.
  MultilevelResult (*multilevel)(const ParameterValues& values, int response,
                                 const MultilevelOptions& options) = nullptr;
  /// The means of the responses from strata. Throws as stratified does; null for a model whose
  /// number of responses is known only at run time.
  StratifiedResult (*stratified)(const ParameterValues& values, const StratifiedOptions& options) = nullptr;
  /// The mean response of the model's chain by array-RQMC. Throws as array_rqmc does; null where it offers none.
  ArrayRqmcResult (*array_rqmc)(const ParameterValues& values, const ArrayRqmcOptions& options) = nullptr;
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
