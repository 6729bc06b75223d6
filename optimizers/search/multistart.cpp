// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>
#include <sporos/optimizers/search/runs_side_by_side.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

inline std::deque<SearchRun> runs_from_starts(const SearchRun& run, const MultistartOptions& options) {
  const auto kept = static_cast<std::int64_t>(options.final_share * static_cast<double>(run.budget()));
  const std::int64_t budget = (run.budget() - kept) / options.starts;
  SearchUniforms uniforms(run.seed());
  std::deque<SearchRun> runs;
  for (std::int64_t i = 0; i < options.starts; ++i)
    runs.push_back(run.part(i == 0 ? run.start() : drawn_point(run, uniforms), budget));
  return runs;
}

}  // namespace impl

void check(const MultistartOptions& options) {
  impl::check_parameter(options.starts >= 1, "number of starts", options.starts, "at least 1");
  impl::check_parameter(options.final_share > 0 && options.final_share < 1, "final share", options.final_share,
                        "a number between 0 and 1");
}

Search multistart(SearchRun& run, Solver solver, MultistartOptions options) {
  check(options);
  impl::check_finite_bounds(run, "several starts");
  std::deque<SearchRun> runs = impl::runs_from_starts(run, options);
  impl::RunsSideBySide side_by_side(solver, runs);
  run.recommend(run.start());
  while (side_by_side.is_at_work()) {
    std::vector<SampleMean> means = co_await run.evaluate(side_by_side.take_wanted());
    side_by_side.give(std::move(means));
    if (run.recommended() != runs.front().recommended()) run.recommend(runs.front().recommended());
  }
  const std::int64_t each = run.left() / options.starts;
  if (each == 0) co_return;
  std::vector<Sample> samples;
  for (const SearchRun& part : runs)
    samples.push_back({part.recommended(), run.seed(), impl::replications_of_ends, each});
  const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
  const auto least = std::ranges::min_element(means, {}, &SampleMean::mean);
  run.recommend(runs[static_cast<std::size_t>(least - means.begin())].recommended());
}

}  // namespace sporos
