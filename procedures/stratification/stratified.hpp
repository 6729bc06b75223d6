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

// One replication in its stratum.
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

/// The means of a model's responses by stratified sampling (Cochran: Sampling Techniques, 3rd edition, chapter 5): the
/// first uniform that a replication draws of one input lies in a stratum, an interval of (0, 1), of which there are
/// equally likely ones; of each the model is replicated, as often as in all others or, for one response, in proportion
/// to its deviation there (Neyman), which a pilot that is not counted estimates. The mean of the strata's means has no
/// bias, its variance no part of what the strata differ in. The model's text is as always.
///
/// Worth it where a replication depends much on one number: a demand, a price at the end. What is drawn depends on
/// (seed, stratum, replication) alone: the same bits on every backend with any number of threads. Memory where kernels
/// of `space` run: 8 bytes a response and replication, of at most 2^18 at once. Waits for `space`. Several processes
/// share the replications, and each gets the whole result, the same for any number of them: collective.
///
/// Where launches are asked to end (core/execution/launch_stop.hpp), the estimates are made of the replications that
/// are done.
///
/// Throws std::invalid_argument as check does, and LaunchStopped where a stratum has fewer than 2 replications when
/// launches are asked to end.
template <SimulationModel Model, class ExecutionSpace>
StratifiedResult stratified(const ExecutionSpace& space, const Model& model, const StratifiedOptions& options = {},
                            Processes& processes = alone) {
  static_assert(!WideModel<Model>, "Sporos: stratified sampling takes a model that names its responses");
  constexpr auto responses = static_cast<std::size_t>(response_count<Model>);
  check(options, static_cast<int>(Model::input_count), responses);
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
