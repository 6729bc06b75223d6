// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/tried_point.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace sporos {

void check(const RandomSearchOptions& options) {
  impl::check_parameter(options.replications >= 1, "replications at a point", options.replications, "at least 1");
  impl::check_parameter(options.points >= 1, "points of a round", options.points, "at least 1");
  impl::check_parameter(options.max_candidates >= 1, "candidates", options.max_candidates, "at least 1");
}

Search random_search(SearchRun& run, RandomSearchOptions options) {
  check(options);
  run.check_only_bounds("random search");
  impl::check_can_be_drawn(run, "random search");
  constexpr std::int64_t first_round = 4;
  DecisionEngine engine = decision_engine(RandomDecision::search, run.seed());
  std::vector<impl::TriedPoint> lowest;
  run.recommend(run.start());
  std::int64_t round = std::min(first_round, options.points);
  for (std::vector<double> next = run.start(); run.left() >= options.replications;) {
    const std::int64_t count = std::min(round, run.left() / options.replications);
    round = std::min(2 * round, options.points);
    std::vector<Sample> samples;
    for (std::vector<double>& point : impl::drawn_points(run, count, engine)) {
      samples.push_back({std::move(next), run.seed(), 0, options.replications, false});
      next = std::move(point);
    }
    run.try_points(count);
    std::vector<Sample> tried = samples;
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    for (std::size_t i = 0; i < means.size(); ++i) {
      if (means[i].count > 0) lowest.push_back(impl::tried_point(std::move(tried[i].x), means[i]));
    }
    std::ranges::sort(lowest);
    lowest.erase(std::unique(lowest.begin(), lowest.end()), lowest.end());  // integer points can repeat
    lowest.resize(std::min(lowest.size(), static_cast<std::size_t>(options.max_candidates)));
    if (lowest.empty()) continue;
    run.recommend(lowest.front().x);
    if (run.problem().constraints_on_means() > 0) continue;  // candidates are compared only by the objective
    std::vector<std::vector<double>> candidates;
    for (const impl::TriedPoint& point : lowest) candidates.push_back(point.x);
    run.consider(std::move(candidates));
  }
}

}  // namespace sporos
