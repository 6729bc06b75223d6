// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>
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

// Named, as a coroutine's frame has members of these types.
namespace impl {

inline std::deque<SearchRun> runs_from_starts(const SearchRun& run, const MultistartOptions& options) {
  const auto kept = bounded_count(options.final_share * static_cast<double>(run.budget()));
  const std::int64_t budget = (run.budget() - kept) / options.starts;
  SearchUniforms uniforms(run.seed());
  std::deque<SearchRun> runs;
  for (std::int64_t i = 0; i < options.starts; ++i)
    runs.push_back(run.part(i == 0 ? run.start() : drawn_point(run, uniforms), budget));
  return runs;
}

// Where the runs' ends lie, by batches of replications.
struct ComparedEnds {
  const SearchRun& run;
  const std::deque<SearchRun>& runs;
  std::int64_t of_batch;  // replications
  std::int64_t batches;   // one where no bounds are wanted

  std::vector<Sample> samples() const {
    std::vector<Sample> all;
    for (const SearchRun& part : runs) {
      for (std::int64_t b = 0; b < batches; ++b)
        all.push_back({part.recommended(), run.seed(), replications_of_ends + b * of_batch, of_batch});
    }
    return all;
  }

  // By the means of the samples: the least mean; under constraints on means the best end by certificates that hold
  // together. Ends at which there is nothing to run are none, unless all are.
  const std::vector<double>& best(std::vector<SampleMean> found) const {
    const SampledProblem& problem = run.problem();
    const double confidence = 1 - 0.05 / static_cast<double>(runs.size());
    std::vector<const std::vector<double>*> points;
    std::vector<double> objectives;
    std::vector<Certificate> certificates;
    auto next = found.begin();
    for (const SearchRun& part : runs) {
      std::vector<SampleMoments> moments;
      for (std::int64_t b = 0; b < batches; ++b) moments.push_back(std::move((next++)->moments));
      if (moments.front().count == 0) continue;
      SampleMoments all = moments.front();
      for (std::size_t b = 1; b < moments.size(); ++b) all.add(moments[b]);
      points.push_back(&part.recommended());
      objectives.push_back(problem.estimate(*points.back(), std::move(all)).mean);
      if (batches > 1) certificates.push_back({certified_bounds(problem, *points.back(), moments, confidence), 0});
    }
    if (points.empty()) return runs.front().recommended();
    const auto least = std::ranges::min_element(objectives) - objectives.begin();
    return *points[batches > 1 ? best_certified(objectives, certificates) : static_cast<std::size_t>(least)];
  }
};

}  // namespace impl

void check(const MultistartOptions& options) {
  impl::check_parameter(options.starts >= 1, "number of starts", options.starts, "at least 1");
  impl::check_parameter(options.final_share > 0 && options.final_share < 1, "final share", options.final_share,
                        "a number between 0 and 1");
}

Search multistart(SearchRun& run, Solver solver, MultistartOptions options) {
  check(options);
  impl::check_can_be_drawn(run, "several starts");
  std::deque<SearchRun> runs = impl::runs_from_starts(run, options);
  impl::RunsSideBySide side_by_side(solver, runs);
  run.recommend(run.start());
  while (side_by_side.is_at_work()) {
    std::vector<SampleMean> means = co_await run.evaluate(side_by_side.take_wanted());
    side_by_side.give(std::move(means));
    if (run.recommended() != runs.front().recommended()) run.recommend(runs.front().recommended());
  }
  constexpr std::int64_t batches_of_bounds = 20;
  const std::int64_t batches = run.problem().constraints_on_means() > 0 ? batches_of_bounds : 1;
  const impl::ComparedEnds ends{run, runs, run.left() / options.starts / batches, batches};
  if (ends.of_batch < (batches > 1 ? 2 : 1)) co_return;
  std::vector<SampleMean> found = co_await run.evaluate(ends.samples());
  run.recommend(ends.best(std::move(found)));
}

}  // namespace sporos
