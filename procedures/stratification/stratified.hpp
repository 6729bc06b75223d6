// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/sampling/stratified_inputs.hpp>
#include <sporos/procedures/stratification/stratified_result.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos {

namespace impl {

// Runs one replication in its stratum.
template <int response_count, class ExecutionSpace>
struct StratumRunner {
  using Numbers = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

  int input;
  std::int64_t strata;
  std::int64_t first_stratum;
  Numbers responses;

  template <class Model, class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const {
    const double width = 1.0 / static_cast<double>(strata);
    StratifiedInputs<Inputs> stratified(inputs, input, static_cast<double>(first_stratum + replication.point) * width,
                                        width);
    const auto found = model(stratified);
    for (int i = 0; i < response_count; ++i) responses(replication.row, i) = found[i];
  }
};

}  // namespace impl

/// Estimates the means of a model's responses by stratified sampling (Cochran: Sampling Techniques, 3rd edition,
/// chapter 5). The first uniform that a replication draws from one input lies in a stratum, one of several equally
/// likely intervals of (0, 1). Each stratum gets the same number of replications or, for one response, a number in
/// proportion to the response's deviation there (Neyman), which an uncounted pilot estimates. The mean of the strata's
/// means is unbiased, and its variance excludes the differences between strata. The model's source code needs no
/// change.
///
/// Stratification pays off if a replication depends strongly on one draw, such as a demand or a final price. Draws
/// depend only on (seed, stratum, replication), so that results are bitwise identical on every backend with any number
/// of threads. Memory in the space of `space`: 8 bytes per response and replication, for at most 2^18 replications at
/// once. Blocks until `space` is done. Processes share the replications, and each gets the whole result, which does not
/// depend on their number. This call is collective.
///
/// If a launch stop is requested (core/execution/launch_stop.hpp), the estimates use the replications done so far.
///
/// Throws std::invalid_argument in the same cases as check, or if the model draws by entity; LaunchStopped if a stratum
/// has fewer than 2 replications when a launch stop is requested.
template <SimulationModel Model, class ExecutionSpace>
StratifiedResult stratified(const ExecutionSpace& space, const Model& model, const StratifiedOptions& options = {},
                            Processes& processes = single_process) {
  static_assert(!WideModel<Model>,
                "Sporos: stratified sampling requires a model with response_names, not with response_count()");
  constexpr auto responses = static_cast<std::size_t>(response_count<Model>);
  check(options, static_cast<int>(Model::input_count), responses);
  if constexpr (DrawsByEntity<Model>) refuse_draws_by_entity();
  if constexpr (impl::ChecksItself<Model>) model.check();
  using Runner = impl::StratumRunner<response_count<Model>, ExecutionSpace>;
  const auto rows = [&](std::uint64_t seed, std::size_t begin, std::size_t end, const ReplicationRange& range) {
    std::vector<DesignPoint<Model>> points;
    for (std::size_t stratum = begin; stratum < end; ++stratum) {
      points.push_back({model, design_point_seed(seed, stratum)});
    }
    const Design<Model, ExecutionSpace> design{std::span<const DesignPoint<Model>>(points.data(), points.size())};
    const Runner runner{options.input, options.strata, static_cast<std::int64_t>(begin),
                        typename Runner::Numbers(Kokkos::view_alloc(space, "sporos::stratified::responses"),
                                                 static_cast<std::size_t>(range.count) * points.size(), responses)};
    for_each_replication_with<DefaultSource>("sporos::stratified::replications", space, design, {}, range, by_threads,
                                             runner);
    space.fence();
    std::vector<double> found(runner.responses.size());
    copy_elements(found, runner.responses);
    return found;
  };
  return impl::stratified_result(rows, responses, options, processes);
}

}  // namespace sporos
