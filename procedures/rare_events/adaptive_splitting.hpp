// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_task.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/procedures/rare_events/adaptive_levels.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

// Chains as they began: at the chain's start, or where an older chain first exceeded a level. Each has the replication
// whose random numbers it has drawn since.
template <class State, class ExecutionSpace>
struct BranchedChains {
  template <class Number>
  using View = Kokkos::View<Number*, typename ExecutionSpace::memory_space>;

  BranchedChains(const ExecutionSpace& space, std::size_t count)
      : origins(Kokkos::view_alloc(space, "sporos::adaptive splitting::origins"), count),
        replications(Kokkos::view_alloc(space, "sporos::adaptive splitting::replications"), count),
        has_origin(Kokkos::view_alloc(space, "sporos::adaptive splitting::has origin"), count),
        peaks(Kokkos::view_alloc(space, "sporos::adaptive splitting::peaks"), count),
        steps(Kokkos::view_alloc(space, "sporos::adaptive splitting::steps"), count) {}

  View<State> origins;
  View<std::uint64_t> replications;
  View<std::int32_t> has_origin;
  View<double> peaks;        // largest levels
  View<std::int64_t> steps;  // steps in the latest launch; −1 for a chain that did not end
};

// Runs chains from their start, or from where their parent first exceeded a level. To find that state, the parent's
// path is simulated again with the parent's random numbers, so that no path is stored.
template <class Chain, class ExecutionSpace>
struct BranchRunner {
  using State = typename Chain::State;
  using Inputs =
      typename DefaultSource::template InputsOn<ExecutionSpace, Mapping::thread, static_cast<int>(Chain::input_count)>;
  using Branches = Kokkos::View<ChainBranch*, typename ExecutionSpace::memory_space>;

  Chain chain;
  DeviceSource source;
  BranchedChains<State, ExecutionSpace> all;
  Branches branches;
  double target;
  std::int64_t max_steps;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (leaves_replication_out()) return;
    const ChainBranch& branch = branches(i);
    std::int64_t steps = 0;
    Inputs inputs(source, branch.seed, branch.replication, draws_of(chain));
    const bool branches_off = branch.parent >= 0;
    State state = branches_off ? entrance(branch, steps) : chain.start(inputs);
    if (branches_off) all.origins(branch.row) = state;
    all.has_origin(branch.row) = branches_off ? 1 : 0;
    all.replications(branch.row) = branch.replication;
    double level = chain.level(state), peak = level;
    const std::int64_t most = steps + max_steps;
    while (level < target && !chain.is_over(state) && steps < most) {
      chain.step(state, inputs);
      level = chain.level(state);
      if (!(level <= peak)) peak = level;
      ++steps;
    }
    all.peaks(branch.row) = peak;
    all.steps(branch.row) = level < target && !chain.is_over(state) ? -1 : steps;
  }

 private:
  KOKKOS_FUNCTION State entrance(const ChainBranch& branch, std::int64_t& steps) const {
    Inputs inputs(source, branch.seed, all.replications(branch.parent), draws_of(chain));
    State state = all.has_origin(branch.parent) != 0 ? all.origins(branch.parent) : chain.start(inputs);
    while (!(chain.level(state) > branch.level)) {
      chain.step(state, inputs);
      ++steps;
    }
    return state;
  }
};

}  // namespace impl

/// Estimates the probability that a Markov chain, as split takes it (splitting.hpp), reaches level `target` before it
/// is over, by adaptive multilevel splitting (Cérou, Guyader: Adaptive multilevel splitting for rare event analysis,
/// Stoch. Anal. Appl. 25, 2007). In each run, `options.chains` chains first run to their end. Then, repeatedly, the
/// chains with the lowest peaks are discarded, including all that came no higher. Each is replaced by a clone of a
/// chain that came higher, drawn uniformly. The clone starts where its parent first exceeded that level, with separate
/// random numbers. The run's estimate is the product of the shares that were kept and of the share at the target. It is
/// unbiased, although its levels are found during the run (Bréhier, Gazeau, Goudenège, Lelièvre, Rousset: Unbiasedness
/// of some generalized adaptive multilevel splitting algorithms, Ann. Appl. Probab. 26, 2016). About `options.share` of
/// the chains are kept each time, by default a larger share than in split. The interval is Student's over the
/// independent runs.
///
/// Draws depend only on (seed, run, round, chain), so that results are bitwise identical on every backend with any
/// number of threads. Memory in the space of `space`: a state and 28 bytes for each of runs · chains. The result has no
/// levels and shares, since they differ between runs. Blocks until `space` is done. Processes share the runs, and each
/// gets the whole result, which does not depend on their number. This call is collective.
///
/// Throws the same exceptions as split.
template <class Chain, class ExecutionSpace>
SplittingResult adaptive_split(const ExecutionSpace& space, const Chain& chain, double target,
                               const SplittingOptions& options = {.share = default_kept_share},
                               Processes& processes = single_process) {
  using State = typename Chain::State;
  static_assert(std::is_trivially_copyable_v<State>, "Sporos: the State of a chain must be trivially copyable");
  using Runner = impl::BranchRunner<Chain, ExecutionSpace>;
  check(options);
  if (!std::isfinite(target))
    throw std::invalid_argument("target is " + std::to_string(target) + ", expected a finite number");
  impl::BranchedChains<State, ExecutionSpace> all(space, 0);
  std::vector<double> peaks;
  std::vector<std::int64_t> steps;
  const PreparedSource<ExecutionSpace> source;
  return impl::adaptive_splitting_result(
      [&](std::vector<impl::ChainBranch>& branches) {
        check_launch_stop();
        if (branches.size() > peaks.size()) {  // the first launch of new runs, which are more than those before
          all = impl::BranchedChains<State, ExecutionSpace>(space, branches.size());
          peaks.resize(branches.size());
          steps.resize(branches.size());
        }
        typename Runner::Branches on_device(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::adaptive splitting::branches"), branches.size());
        copy_elements(on_device, branches);
        for_each_task("sporos::adaptive splitting::chains",
                      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                          space, 0, static_cast<std::int64_t>(branches.size())),
                      Runner{chain, source.on_device(), all, on_device, target, options.max_steps});
        space.fence();
        if constexpr (runs_on_host<ExecutionSpace>) check_launch_stop();
        copy_elements(peaks, all.peaks);
        copy_elements(steps, all.steps);
        return impl::ChainEnds{peaks, steps};
      },
      impl::min_runs(space.concurrency(), options.chains), target, options, processes);
}

}  // namespace sporos
