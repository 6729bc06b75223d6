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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

// One replication in its stratum.
template <class Model, class ExecutionSpace>
struct StratumRunner {
  using Numbers = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

  int input;
  std::int64_t strata;
  std::int64_t first_stratum;
  Numbers responses;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const {
    const double width = 1.0 / static_cast<double>(strata);
    StratifiedInputs<Inputs> stratified(inputs, input, static_cast<double>(first_stratum + replication.point) * width,
                                        width);
    const auto found = model(stratified);
    for (int i = 0; i < response_count<Model>; ++i) responses(replication.row, i) = found[i];
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
/// Throws std::invalid_argument as check does.
template <SimulationModel Model, class ExecutionSpace>
StratifiedResult stratified(const ExecutionSpace& space, const Model& model, const StratifiedOptions& options = {},
                            Processes& processes = alone) {
  static_assert(!WideModel<Model>, "Sporos: stratified sampling takes a model that names its responses");
  constexpr auto responses = static_cast<std::size_t>(response_count<Model>);
  check(options, static_cast<int>(Model::input_count), responses);
  if constexpr (impl::ChecksItself<Model>) model.check();
  using Runner = impl::StratumRunner<Model, ExecutionSpace>;
  constexpr std::int64_t most = std::int64_t{1} << 18;
  const auto run = [&](const std::vector<std::int64_t>& counts, std::uint64_t seed,
                       std::vector<std::vector<MomentsTree>>& moments) {
    // Neighbouring strata of equal counts run in one launch; of one stratum at most so many at once.
    for (std::size_t begin = 0, end = 0; begin < counts.size(); begin = end) {
      const std::int64_t count = counts[begin];
      while (end < counts.size() && counts[end] == count &&
             static_cast<std::int64_t>(end - begin) * std::min(count, most) < most) {
        ++end;
      }
      std::vector<DesignPoint<Model>> points;
      for (std::size_t stratum = begin; stratum < end; ++stratum) {
        points.push_back({model, design_point_seed(seed, stratum)});
      }
      const Design<Model, ExecutionSpace> design{std::span<const DesignPoint<Model>>(points)};
      for (std::int64_t done = 0; done < count; done += most) {
        const std::int64_t now = std::min(most, count - done);
        const PartRange mine = parts_of_process(processes, processes.rank(), now);
        std::vector<double> found;  // response by response, stratum by stratum
        together(processes, [&] {
          const auto rows = static_cast<std::size_t>(mine.count()) * points.size();
          if (rows == 0) return;
          const Runner runner{options.input, options.strata, static_cast<std::int64_t>(begin),
                              typename Runner::Numbers("sporos::stratified::responses", rows, responses)};
          for_each_replication_with<DefaultSource>("sporos::stratified::replications", space, design, {},
                                                   ReplicationRange{done + mine.first, mine.count()}, by_threads,
                                                   runner);
          space.fence();
          const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), runner.responses);
          found.assign(host.data(), host.data() + host.size());
        });
        const auto gathered = gather(processes, std::span<const double>(found));
        std::size_t first = 0;  // of a process
        for (int rank = 0; rank < processes.count(); ++rank) {
          const auto own = static_cast<std::size_t>(parts_of_process(processes, rank, now).count());
          for (std::size_t i = 0; i < responses; ++i) {
            for (std::size_t point = 0; point < points.size(); ++point) {
              for (std::size_t row = 0; row < own; ++row) moments[begin + point][i].add(gathered[first++]);
            }
          }
        }
      }
    }
  };
  return impl::stratified_result(run, responses, options);
}

}  // namespace sporos
