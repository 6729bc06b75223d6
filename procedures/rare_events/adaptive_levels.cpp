// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/rare_events/adaptive_levels.hpp>

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/timed_pieces.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/proportion.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace sporos::impl {

namespace {

// Parents are drawn from a separate stream of the run, whose number no input reaches.
constexpr std::uint32_t parent_input = 0xffff;

// A run in progress. Its chains are consecutive among those of this process.
struct AdaptiveRun {
  std::uint64_t seed;
  std::int64_t first;  // index of its first chain among those of this process
  double weight = 1;   // product of the shares kept
  double estimate = 0;
  bool is_over = false;
};

// Returns the level above which at most `share` of the chains are kept; those at the level are discarded, too.
double level_of(std::span<const double> peaks, double share) {
  const auto count = static_cast<double>(peaks.size());
  const auto given_up = static_cast<std::ptrdiff_t>(bounded_count(std::max(1.0, count - std::ceil(share * count))));
  std::vector<double> sorted(peaks.begin(), peaks.end());
  std::nth_element(sorted.begin(), sorted.begin() + (given_up - 1), sorted.end());
  return sorted[static_cast<std::size_t>(given_up - 1)];
}

// Ends the run if its level is the target, the maximum number of levels is reached or no chain is kept. Otherwise
// appends the chains to run in its next round.
void advance(AdaptiveRun& run, std::span<const double> peaks, std::int64_t round, double target,
             const SplittingOptions& options, std::vector<ChainBranch>& branches) {
  const double level = level_of(peaks, options.share);
  const auto count = static_cast<double>(peaks.size());
  const auto reached = std::count_if(peaks.begin(), peaks.end(), [&](double peak) { return peak >= target; });
  if (level >= target || round >= options.max_levels) {
    run.is_over = true;
    run.estimate = run.weight * static_cast<double>(reached) / count;
    return;
  }
  std::vector<std::int64_t> kept;
  for (std::size_t chain = 0; chain < peaks.size(); ++chain) {
    if (peaks[chain] > level) kept.push_back(run.first + static_cast<std::int64_t>(chain));
  }
  run.is_over = kept.empty();
  if (run.is_over) return;
  for (std::size_t chain = 0; chain < peaks.size(); ++chain) {
    if (peaks[chain] > level) continue;
    const std::uint64_t replication =
        static_cast<std::uint64_t>(round) * peaks.size() + static_cast<std::uint64_t>(chain);
    DecisionEngine engine({run.seed, replication, parent_input});
    const std::size_t parent = index_below(kept.size(), engine);
    branches.push_back({run.first + static_cast<std::int64_t>(chain), kept[parent], level, run.seed, replication});
  }
  run.weight *= static_cast<double>(kept.size()) / count;
}

void count_steps(const ChainEnds& ends, const std::vector<ChainBranch>& branches, const SplittingOptions& options,
                 std::int64_t& all) {
  for (const ChainBranch& branch : branches) {
    const auto row = static_cast<std::size_t>(branch.row);
    if (std::isnan(ends.peaks[row])) throw std::runtime_error("the level of a state is not a number");
    if (ends.steps[row] < 0) {
      throw std::runtime_error(
          "a chain has made " + std::to_string(options.max_steps) +
          " steps without ending or reaching the target: use a chain that ends, or allow more steps");
    }
    all += ends.steps[row];
  }
}

SplittingResult result_of(const std::vector<AdaptiveRun>& runs, const SplittingOptions& options) {
  SplittingResult result;
  Moments moments;
  double weights = 0;
  bool was_seen = false;
  for (const AdaptiveRun& run : runs) {
    result.estimates.push_back(run.estimate);
    moments = combine(moments, {1, run.estimate, 0, 0});
    weights += run.weight;
    was_seen = was_seen || run.estimate > 0;
  }
  result.probability = moments.mean;
  result.half_width = half_width(moments, options.confidence);
  if (!was_seen) {
    const auto count = static_cast<std::int64_t>(runs.size());
    result.at_most =
        weights / static_cast<double>(count) * proportion_at_most(0, count * options.chains, options.confidence);
  }
  return result;
}

// Makes these runs from start to end. Returns the number of steps of all their chains.
std::int64_t make(std::vector<AdaptiveRun>& runs, const PartRange& range, const BranchRun& run, double target,
                  const SplittingOptions& options) {
  const auto chains = static_cast<std::size_t>(options.chains);
  std::vector<ChainBranch> branches;
  for (std::int64_t r = range.first; r < range.end; ++r) {
    runs.push_back(
        {design_point_seed(options.seed, static_cast<std::uint64_t>(r) + 1), (r - range.first) * options.chains});
    for (std::int64_t chain = 0; chain < options.chains; ++chain) {
      branches.push_back({runs.back().first + chain, -1, 0, runs.back().seed, static_cast<std::uint64_t>(chain)});
    }
  }
  std::int64_t steps = 0;
  for (std::int64_t round = 1; !branches.empty(); ++round) {
    const ChainEnds ends = run(branches);
    count_steps(ends, branches, options, steps);
    branches.clear();
    for (AdaptiveRun& each : runs) {
      if (each.is_over) continue;
      advance(each, ends.peaks.subspan(static_cast<std::size_t>(each.first), chains), round, target, options, branches);
    }
  }
  return steps;
}

// Makes these runs, a few at a time, until all are made or a launch stop is requested.
std::int64_t make_pieces(std::vector<AdaptiveRun>& runs, const PartRange& range, std::int64_t min_runs,
                         const BranchRun& run, double target, const SplittingOptions& options) {
  std::int64_t steps = 0;
  for_each_timed_piece(range.first, range.end, min_runs, [&](std::int64_t begin, std::int64_t end) {
    std::vector<AdaptiveRun> of_piece;
    steps += make(of_piece, {begin, end}, run, target, options);
    runs.insert(runs.end(), of_piece.begin(), of_piece.end());
  });
  return steps;
}

}  // namespace

SplittingResult adaptive_splitting_result(const BranchRun& run, std::int64_t min_runs, double target,
                                          const SplittingOptions& options, Processes& processes) {
  const PartRange mine = parts_of_process(processes, processes.rank(), options.runs);
  std::vector<AdaptiveRun> my_runs;
  std::int64_t steps = 0;
  together(processes, [&] { steps = make_pieces(my_runs, mine, min_runs, run, target, options); });
  const std::vector<AdaptiveRun> runs = gather(processes, std::span<const AdaptiveRun>(my_runs));
  if (runs.size() < 2) throw LaunchStopped();
  SplittingResult result = result_of(runs, options);
  for (const std::int64_t of_process : gather(processes, steps)) result.steps += of_process;
  return result;
}

}  // namespace sporos::impl
