// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <Random123/philox.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <string>
#include <utility>

namespace sporos {

namespace {

void check_search(const SampledProblem& problem, const std::vector<double>& start, std::int64_t budget) {
  impl::check_dimension("start", static_cast<std::int64_t>(start.size()),
                        static_cast<std::int64_t>(problem.dimension()));
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto& [low, high, is_integer] = problem.bounds()[i];
    impl::check_parameter(start[i] >= low && start[i] <= high, "coordinate " + std::to_string(i) + " of the start",
                          start[i], "one from " + impl::number_text(low) + " to " + impl::number_text(high));
  }
  impl::check_parameter(budget >= 1, "budget", budget, "at least 1 replication");
}

}  // namespace

std::vector<SearchResult> run_searches(SampledProblem& problem, const Solver& solver, const std::vector<double>& start,
                                       std::int64_t budget, const std::vector<std::uint64_t>& seeds,
                                       const std::function<bool()>& is_enough) {
  check_search(problem, start, budget);
  std::deque<SearchRun> runs;
  std::vector<Search> searches;
  std::vector<std::size_t> at_work;
  for (const std::uint64_t seed : seeds) {
    searches.push_back(solver(runs.emplace_back(problem, start, budget, seed)));
    if (searches.back().resume()) at_work.push_back(searches.size() - 1);
  }
  std::vector<Sample> samples;
  std::vector<std::size_t> ends;  // of each run's samples
  while (!at_work.empty() && !is_enough()) {
    samples.clear();
    ends.clear();
    for (const std::size_t i : at_work) {
      std::ranges::move(runs[i].take_wanted(), std::back_inserter(samples));
      ends.push_back(samples.size());
    }
    auto found = problem.evaluate(samples);
    auto next = found.begin();
    std::vector<std::size_t> left;
    for (std::size_t run = 0; run < at_work.size(); ++run) {
      const std::size_t i = at_work[run];
      const auto end = found.begin() + static_cast<std::ptrdiff_t>(ends[run]);
      runs[i].give({std::make_move_iterator(next), std::make_move_iterator(end)});
      next = end;
      if (searches[i].resume()) left.push_back(i);
    }
    at_work = std::move(left);
  }
  std::vector<SearchResult> results;
  for (const SearchRun& run : runs) {
    const auto& all = run.recommendations();
    results.push_back({all.empty() ? run.start() : all.back().x, run.budget() - run.left(), all, run.candidates()});
  }
  return results;
}

std::vector<std::uint64_t> seeds_of_runs(std::uint64_t seed, std::int64_t runs) {
  constexpr std::uint32_t of_runs = 0x52554e53;  // the counter's last word, as SearchUniforms has one
  const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  std::vector<std::uint64_t> seeds{seed};
  for (std::int64_t run = 1; run < runs; ++run) {
    const auto number = static_cast<std::uint64_t>(run);
    const auto bits = r123::Philox4x32()(
        {{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), 0, of_runs}}, key);
    seeds.push_back(static_cast<std::uint64_t>(bits[1]) << 32 | bits[0]);
  }
  return seeds;
}

std::vector<Sample> unseen_samples(const std::vector<std::vector<double>>& points, std::int64_t count,
                                   std::uint64_t seed, std::int64_t skipped) {
  constexpr std::int64_t behind_all_budgets = std::int64_t{1} << 62;  // runs number their replications from 0 on
  std::vector<Sample> samples;
  for (const std::vector<double>& x : points) samples.push_back({x, seed, behind_all_budgets + skipped, count});
  return samples;
}

std::vector<SampleMean> unseen_means(SampledProblem& problem, const std::vector<std::vector<double>>& points,
                                     std::int64_t count, std::uint64_t seed, std::int64_t skipped) {
  std::vector<Sample> samples = unseen_samples(points, count, seed, skipped);
  for (Sample& sample : samples) sample.has_values = true;
  return problem.evaluate(samples);
}

}  // namespace sporos
