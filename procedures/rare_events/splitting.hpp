// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/execution/timed_pieces.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/procedures/rare_events/splitting_result.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Multilevel splitting for rare events of Markov chains: chains that have come part of the way are cloned.
///
///     struct Ruin {  // a gambler who begins with 1 wins before losing all
///       struct State {
///         std::int64_t money;
///       };
///       enum Input { game, input_count };
///       double win;  // probability
///
///       template <class Inputs>
///       KOKKOS_FUNCTION State start(Inputs&) const { return {1}; }
///       template <class Inputs>
///       KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const { state.money += inputs(game) < win ? 1 : -1; }
///       KOKKOS_FUNCTION double level(const State& state) const { return static_cast<double>(state.money); }
///       KOKKOS_FUNCTION bool is_over(const State& state) const { return state.money == 0; }
///     };
///     const sporos::SplittingResult rich = sporos::split(Space(), Ruin{0.3}, 40);  // P(40 before 0)
namespace sporos {

namespace impl {

// Chains of all runs, and, run by run, the states in which those that reached the previous level entered this one.
template <class State, class ExecutionSpace>
struct SplitChains {
  template <class Number>
  using View = Kokkos::View<Number*, typename ExecutionSpace::memory_space>;

  SplitChains(const ExecutionSpace& space, std::int64_t runs, std::int64_t chains_of_run)
      : chains(chains_of_run),
        states(Kokkos::view_alloc(space, "sporos::splitting::states"), static_cast<std::size_t>(runs * chains)),
        entrances(Kokkos::view_alloc(space, "sporos::splitting::entrances"), states.extent(0)),
        first_entrance(Kokkos::view_alloc(space, "sporos::splitting::first entrances"),
                       static_cast<std::size_t>(runs) + 1),
        peaks(Kokkos::view_alloc(space, "sporos::splitting::peaks"), states.extent(0)),
        steps(Kokkos::view_alloc(space, "sporos::splitting::steps"), states.extent(0)),
        has_reached(Kokkos::view_alloc(space, "sporos::splitting::has reached"), states.extent(0)) {}

  std::int64_t chains;  // chains of a run
  View<State> states, entrances;
  View<std::int64_t> first_entrance;  // index for each run, then the total
  View<double> peaks;                 // largest levels; NaN if a level was NaN
  View<std::int64_t> steps;
  View<std::int32_t> has_reached;
};

// Runs a chain until `target`. It begins at its start or at one of the states that entered its run's level, in turn.
template <class Chain, class ExecutionSpace>
struct ChainRunner {
  using State = typename Chain::State;
  static constexpr double lowest = -std::numeric_limits<double>::infinity();

  SplitChains<State, ExecutionSpace> all;
  double target;
  bool is_first;
  std::int64_t max_steps;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Chain& chain, Inputs& inputs, const Replication& replication) const {
    const std::int64_t row = replication.row;
    const std::int64_t begin = all.first_entrance(replication.point);
    const std::int64_t entered = all.first_entrance(replication.point + 1) - begin;
    all.steps(row) = 0;
    all.has_reached(row) = 0;
    all.peaks(row) = lowest;
    if (!is_first && entered == 0) return;
    State state =
        is_first ? chain.start(inputs) : all.entrances(begin + (row - replication.point * all.chains) % entered);
    double level = chain.level(state), peak = level;
    std::int64_t steps = 0;
    while (level < target && !chain.is_over(state) && steps < max_steps) {
      chain.step(state, inputs);
      level = chain.level(state);
      if (!(level <= peak)) peak = level;
      ++steps;
    }
    all.states(row) = state;
    all.steps(row) = steps;
    all.peaks(row) = peak;
    all.has_reached(row) = level >= target ? 1 : 0;
  }
};

// Collects the states that have reached a level, without gaps.
template <class State, class ExecutionSpace>
struct EntranceWriter {
  using value_type = std::int64_t;

  SplitChains<State, ExecutionSpace> all;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& place, bool is_final) const {
    if (is_final && row % all.chains == 0) all.first_entrance(row / all.chains) = place;
    if (all.has_reached(row) != 0) {
      if (is_final) all.entrances(place) = all.states(row);
      ++place;
    }
    if (is_final && row + 1 == static_cast<std::int64_t>(all.states.extent(0))) {
      all.first_entrance((row + 1) / all.chains) = place;
    }
  }
};

// Counts the steps, the chains that did not end, and the levels that are NaN.
template <class State, class ExecutionSpace>
struct StepCounter {
  SplitChains<State, ExecutionSpace> all;
  std::int64_t max_steps;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& steps, std::int64_t& endless,
                                  std::int64_t& wrong) const {
    steps += all.steps(row);
    if (all.steps(row) >= max_steps && all.has_reached(row) == 0) ++endless;
    if (all.peaks(row) != all.peaks(row)) ++wrong;
  }
};

// Runs chains of several splitting runs, level by level.
template <class Chain, class ExecutionSpace>
class SplittingRuns {
 public:
  using State = typename Chain::State;
  static_assert(std::is_trivially_copyable_v<State>, "Sporos: the State of a chain must be trivially copyable");

  // Takes one seed for each run.
  SplittingRuns(const ExecutionSpace& space, const Chain& chain, const std::vector<std::uint64_t>& seeds,
                const SplittingOptions& options)
      : m_space(space),
        m_design(std::span<const DesignPoint<Chain>>(points(chain, seeds))),
        m_chains(space, static_cast<std::int64_t>(seeds.size()), options.chains),
        m_max_steps(options.max_steps) {}

  std::int64_t steps() const { return m_steps; }

  // Runs the chains of this level, and returns the largest level of each.
  std::vector<double> peaks(double target) {
    run_chains(target);
    std::vector<double> peaks(m_chains.peaks.extent(0));
    copy_elements(peaks, m_chains.peaks);
    return peaks;
  }

  // Runs the chains of this level, and returns how many of each run reached `target`. Chains of the next level start
  // from these states.
  std::vector<std::int64_t> reach(double target) {
    run_chains(target);
    Kokkos::parallel_scan("sporos::splitting::entrances", rows(), EntranceWriter<State, ExecutionSpace>{m_chains});
    std::vector<std::int64_t> firsts(m_chains.first_entrance.extent(0));
    m_space.fence();
    copy_elements(firsts, m_chains.first_entrance);
    ++m_level;
    std::vector<std::int64_t> counts;
    for (std::size_t run = 0; run + 1 < firsts.size(); ++run) counts.push_back(firsts[run + 1] - firsts[run]);
    return counts;
  }

 private:
  static std::vector<DesignPoint<Chain>> points(const Chain& chain, const std::vector<std::uint64_t>& seeds) {
    std::vector<DesignPoint<Chain>> all;
    for (const std::uint64_t seed : seeds) all.push_back({chain, seed});
    return all;
  }

  Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>> rows() const {
    return {m_space, 0, static_cast<std::int64_t>(m_chains.states.extent(0))};
  }

  // Each level has separate replications, and so separate random numbers.
  void run_chains(double target) {
    const ReplicationRange range{m_level * m_chains.chains, m_chains.chains};
    for_each_replication("sporos::splitting::chains", m_space, m_design, {}, range, by_threads,
                         ChainRunner<Chain, ExecutionSpace>{m_chains, target, m_level == 0, m_max_steps});
    std::int64_t steps = 0, endless = 0, wrong = 0;
    Kokkos::parallel_reduce("sporos::splitting::steps", rows(),
                            StepCounter<State, ExecutionSpace>{m_chains, m_max_steps}, steps, endless, wrong);
    m_space.fence();
    m_steps += steps;
    if (wrong > 0) throw std::runtime_error("the level of a state is not a number");
    if (endless > 0) {
      throw std::runtime_error(
          "a chain has made " + std::to_string(m_max_steps) +
          " steps without ending or reaching the next level: use a chain that ends, or allow more steps");
    }
  }

  ExecutionSpace m_space;
  Design<Chain, ExecutionSpace> m_design;
  SplitChains<State, ExecutionSpace> m_chains;
  std::int64_t m_max_steps, m_level = 0, m_steps = 0;
};

// Returns the next level: so high that `share` of chains with these peaks reach it, or the next higher peak if that
// level is not above `level`, or `target` if no chain came higher.
inline double next_level(std::vector<double> peaks, double level, double target, double share) {
  const auto wanted = static_cast<std::ptrdiff_t>(bounded_count(std::ceil(share * static_cast<double>(peaks.size()))));
  const auto place = peaks.begin() + (wanted - 1);
  std::nth_element(peaks.begin(), place, peaks.end(), std::greater<>());
  if (*place > level) return std::min(*place, target);
  double next = target;
  for (const double peak : peaks) {
    if (peak > level && peak < next) next = peak;
  }
  return next;
}

// Number of chains that reached each level, by level and run.
using CountsOfLevels = std::vector<std::vector<std::int64_t>>;

// Gathers the counts of each process's runs, by level and run. Collective.
inline CountsOfLevels gathered_counts(Processes& processes, const CountsOfLevels& mine) {
  CountsOfLevels counts;
  for (const auto& of_level : mine) counts.push_back(gather(processes, std::span<const std::int64_t>(of_level)));
  return counts;
}

// Makes runs with these seeds, a few at a time, until all are made or a launch stop is requested. Returns the number of
// steps.
template <class Chain, class ExecutionSpace>
std::int64_t make_runs(const ExecutionSpace& space, const Chain& chain, std::span<const std::uint64_t> seeds,
                       std::span<const double> levels, const SplittingOptions& options, CountsOfLevels& reached) {
  std::int64_t steps = 0;
  const std::int64_t least = min_runs(space.concurrency(), options.chains);
  for_each_timed_piece(0, static_cast<std::int64_t>(seeds.size()), least, [&](std::int64_t begin, std::int64_t end) {
    SplittingRuns<Chain, ExecutionSpace> runs(space, chain, {seeds.begin() + begin, seeds.begin() + end}, options);
    CountsOfLevels of_piece;
    for (const double level : levels) of_piece.push_back(runs.reach(level));
    for (std::size_t i = 0; i < levels.size(); ++i)
      reached[i].insert(reached[i].end(), of_piece[i].begin(), of_piece[i].end());
    steps += runs.steps();
  });
  return steps;
}

}  // namespace impl

/// Estimates the probability that a Markov chain reaches level `target` before it is over, by fixed-effort multilevel
/// splitting (Garvels: The splitting method in rare event simulation, 2000; L'Ecuyer, Demers, Tuffin: Rare events,
/// splitting, and quasi-Monte Carlo, ACM TOMACS 17, 2007). In each run and for each level, `options.chains` chains
/// start in turn from the states in which earlier chains reached the previous level. The run's estimate is the product
/// of the shares that arrive. It is unbiased for any levels that do not depend on the run. A pilot run, which is not
/// counted, chooses the levels so that about `options.share` of the chains reach each (adaptive splitting: Cérou,
/// Guyader, Stoch. Anal. Appl. 25, 2007). The interval is Student's over the independent runs. It is approximate, and
/// too narrow if few runs carry the sum, which happens if the level says little about how near the event is.
///
/// A chain has inputs as models do, a State that can be copied byte by byte, and the const device functions
/// `start(inputs)`, `step(state, inputs)`, `level(state)` and `is_over(state)`. It is itself copied byte by byte, and
/// ends with probability 1. Draws depend only on (seed, run, level, chain), so that results are bitwise identical on
/// every backend with any number of threads. Memory in the space of `space`: 2 states and 20 bytes for each of runs ·
/// chains. Processes share the runs, and each gets the whole result, which does not depend on their number. This call
/// is collective.
///
/// If a launch stop is requested (core/execution/launch_stop.hpp), the result is that of the runs done so far.
///
/// Throws std::invalid_argument if an option is out of range or the target is not finite, std::runtime_error if a level
/// is NaN or a chain takes more than `options.max_steps` steps, and LaunchStopped if fewer than 2 runs are done when a
/// launch stop is requested.
template <class Chain, class ExecutionSpace>
SplittingResult split(const ExecutionSpace& space, const Chain& chain, double target,
                      const SplittingOptions& options = {}, Processes& processes = single_process) {
  check(options);
  if (!std::isfinite(target))
    throw std::invalid_argument("target is " + std::to_string(target) + ", expected a finite number");

  impl::SplittingRuns<Chain, ExecutionSpace> pilot(space, chain, {design_point_seed(options.seed, 0)}, options);
  std::vector<double> levels;
  for (bool is_there = false; !is_there;) {
    const double before = levels.empty() ? -std::numeric_limits<double>::infinity() : levels.back();
    const bool is_last = static_cast<std::int64_t>(levels.size()) + 1 == options.max_levels;
    levels.push_back(is_last ? target : impl::next_level(pilot.peaks(target), before, target, options.share));
    is_there = levels.back() >= target;
    if (!is_there) pilot.reach(levels.back());
  }

  const PartRange mine = parts_of_process(processes, processes.rank(), options.runs);
  std::vector<std::uint64_t> seeds;
  for (std::int64_t run = mine.first; run < mine.end; ++run) {
    seeds.push_back(design_point_seed(options.seed, static_cast<std::size_t>(run) + 1));
  }
  std::int64_t steps = 0;
  impl::CountsOfLevels mine_reached(levels.size());
  together(processes, [&] { steps = impl::make_runs(space, chain, seeds, levels, options, mine_reached); });
  const auto reached = impl::gathered_counts(processes, mine_reached);
  if (reached.front().size() < 2) throw LaunchStopped();
  SplittingResult result = splitting_result(reached, std::move(levels), options);
  result.steps = pilot.steps();
  for (const std::int64_t of_process : gather(processes, steps)) result.steps += of_process;
  return result;
}

}  // namespace sporos
