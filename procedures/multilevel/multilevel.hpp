// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/host_view.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/level_pair.hpp>
#include <sporos/procedures/multilevel/multilevel_result.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

// Replications of a level.
template <class Model, class ExecutionSpace>
struct LevelRunner {
  using Numbers = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

  int level;
  Numbers differences, fines;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const {
    const LevelPair pair = model.at_level(inputs, level);
    differences(replication.row) = pair.fine - pair.coarse;
    fines(replication.row) = pair.fine;
  }
};

}  // namespace impl

/// The mean of a model's response on a level so fine that its bias is small, by multilevel Monte Carlo (Giles:
/// Multilevel Monte Carlo path simulation, Oper. Res. 56, 2008; Multilevel Monte Carlo methods, Acta Numerica 24, 2015,
/// algorithm 1): the mean on level 0 and the means of the differences between neighbouring levels, each by its own
/// replications, as many as make the cost least for the variance that `options.rmse` leaves. Levels are added until the
/// means of the last three say that finer ones add less than that. Half of the mean square error is left to each.
///
/// A model names its inputs and has, const,
///
///     template <class Inputs>
///     KOKKOS_FUNCTION LevelPair at_level(Inputs& inputs, int level) const;
///     double level_cost(int level) const;   // of one replication, in any unit
///
/// and travels byte by byte. What is drawn depends on (seed, level, replication) alone: the same bits on every backend
/// with any number of threads. Memory where kernels of `space` run: 16 bytes a replication, of at most 2^18 at once.
///
/// Throws std::invalid_argument for options out of range, std::runtime_error where the levels do not converge, where a
/// level needs more than `options.most_replications`, where a response is not finite, and where the coarse responses of
/// a level do not have the mean of the fine ones before it.
template <class Model, class ExecutionSpace>
MultilevelResult multilevel(const ExecutionSpace& space, const Model& model, const MultilevelOptions& options = {}) {
  static_assert(std::is_trivially_copyable_v<Model>, "Sporos: a model must be a trivially copyable class");
  using Runner = impl::LevelRunner<Model, ExecutionSpace>;
  constexpr std::int64_t most = std::int64_t{1} << 18;
  const auto run = [&](int level, std::int64_t first, std::int64_t count, impl::LevelMoments& moments) {
    const auto rows = static_cast<std::size_t>(std::min(most, count));
    const Runner runner{level, typename Runner::Numbers("sporos::multilevel::differences", rows),
                        typename Runner::Numbers("sporos::multilevel::fines", rows)};
    const Design<Model, ExecutionSpace> design(model,
                                               design_point_seed(options.seed, static_cast<std::uint64_t>(level)));
    std::vector<double> differences(rows), fines(rows);
    for (std::int64_t done = 0; done < count; done += most) {
      const std::int64_t now = std::min(most, count - done);
      for_each_replication_with<DefaultSource>("sporos::multilevel::replications", space, design, {},
                                               ReplicationRange{first + done, now}, by_threads, runner);
      space.fence();
      Kokkos::deep_copy(host_view(differences), runner.differences);
      Kokkos::deep_copy(host_view(fines), runner.fines);
      for (std::size_t row = 0; row < static_cast<std::size_t>(now); ++row) {
        moments.differences.add(differences[row]);
        moments.fines.add(fines[row]);
      }
    }
  };
  return impl::multilevel_result(
      run, [&](int level) { return model.level_cost(level); }, options);
}

}  // namespace sporos
