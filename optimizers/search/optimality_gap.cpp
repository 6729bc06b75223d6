// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/optimality_gap.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/run_searches.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>

namespace sporos {

namespace {

void check(const OptimalityGapOptions& options) {
  impl::check_parameter(options.batches >= 2, "number of batches", options.batches, "at least 2");
  impl::check_parameter(options.replications >= 1, "replications of a batch", options.replications, "at least 1");
  impl::check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                        "a number between 0 and 1");
  impl::check_parameter(options.evaluations >= 1, "number of evaluations", options.evaluations, "at least 1");
}

// Gap f_b(x) − min φ_b of each batch: the minimum of `lower` among x and the batch's `ends`, ordered by batch.
std::vector<double> gaps_at(const SampledProblem& problem, SampledProblem& lower, const std::vector<double>& x,
                            const std::vector<SearchResult>& ends, const std::vector<Sample>& batches) {
  const std::size_t of_batch = ends.size() / batches.size();
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    Sample sample = batches[i / of_batch];
    if (i % of_batch == 0) {
      sample.x = x;
      samples.push_back(sample);
    }
    sample.x = ends[i].x;
    samples.push_back(sample);
  }
  const std::vector<SampleMean> means = lower.evaluate(samples);
  std::vector<double> gaps;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const auto first = means.begin() + static_cast<std::ptrdiff_t>(b * (1 + of_batch));
    const auto least = std::min_element(first, first + static_cast<std::ptrdiff_t>(1 + of_batch),
                                        [](const auto& p, const auto& q) { return p.mean < q.mean; });
    gaps.push_back(std::isinf(first->mean) ? first->mean : problem.estimate(x, first->moments).mean - least->mean);
  }
  return gaps;
}

// Returns max_v gᵀ(x − v).
double gap_of(const SampledProblem& problem, const std::vector<double>& x, const std::vector<double>& gradient) {
  if (gradient.empty()) return std::numeric_limits<double>::infinity();
  const std::vector<double> least = problem.region().least(gradient);
  double gap = 0;
  for (std::size_t i = 0; i < x.size(); ++i) gap += gradient[i] * (x[i] - least[i]);
  return gap;
}

// Returns Student's one-sided bound of the mean gap.
OptimalityGap bounded(const std::vector<double>& gaps, double confidence, std::int64_t replications,
                      std::int64_t of_batch) {
  OptimalityGap found{0, 0, replications, of_batch, static_cast<std::int64_t>(gaps.size())};
  const auto count = static_cast<double>(gaps.size());
  for (const double gap : gaps) found.mean += gap / count;
  double squares = 0;
  for (const double gap : gaps) squares += (gap - found.mean) * (gap - found.mean);
  const double quantile = one_sided_student_t(confidence, found.batches);
  found.bound = std::isinf(found.mean) ? found.mean : found.mean + quantile * std::sqrt(squares / (count - 1) / count);
  return found;
}

}  // namespace

OptimalityGap optimality_gap(SampledProblem& problem, const std::vector<double>& x,
                             const std::vector<std::vector<double>>& starts, const OptimalityGapOptions& options,
                             const std::function<bool()>& is_enough) {
  return impl::gap_above(problem, problem, x, starts, options, is_enough);
}

OptimalityGap impl::gap_above(SampledProblem& problem, SampledProblem& lower, const std::vector<double>& x,
                              const std::vector<std::vector<double>>& starts, const OptimalityGapOptions& options,
                              const std::function<bool()>& is_enough) {
  check(options);
  std::vector<std::vector<double>> all_starts{x};
  all_starts.insert(all_starts.end(), starts.begin(), starts.end());
  for (const std::vector<double>& start : all_starts) {
    impl::check_dimension("point", static_cast<std::int64_t>(start.size()),
                          static_cast<std::int64_t>(problem.dimension()));
  }
  const std::int64_t n = (options.replications + impl::batch_count - 1) / impl::batch_count * impl::batch_count;
  RetrospectiveLbfgsOptions inner;
  inner.replications = n;
  inner.growth = 1;
  inner.tolerance = 1e-3;  // a small fraction of E (f_b(x*) − min f_b)
  const std::int64_t budget = n * options.evaluations * problem.gradient_cost();
  std::vector<Sample> batches;
  std::deque<SearchRun> runs;
  for (std::int64_t b = 0; b < options.batches; ++b) {
    batches.push_back({{}, options.seed, impl::replications_of_gaps + b * n, n});
    for (const std::vector<double>& start : all_starts)
      runs.emplace_back(lower, start, budget, options.seed, batches.back().first);
  }
  const Solver solver = [&](SearchRun& run) { return retrospective_lbfgs(run, inner); };
  bool is_ended = false;
  const std::vector<SearchResult> ends =
      run_searches(lower, solver, runs, [&] { return is_ended = is_ended || is_enough(); });
  std::int64_t replications = 0;
  for (const SearchResult& end : ends) replications += end.replications;
  if (is_ended) {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    return {unknown, unknown, replications, n, options.batches};
  }
  const std::vector<double> gaps = gaps_at(problem, lower, x, ends, batches);
  replications += (static_cast<std::int64_t>(ends.size()) + options.batches) * n;  // at all ends and at x
  return bounded(gaps, options.confidence, replications, n);
}

OptimalityGap frank_wolfe_gap(SampledProblem& problem, const std::vector<double>& x,
                              const OptimalityGapOptions& options) {
  return impl::frank_wolfe_gap_above(problem, problem, x, options);
}

OptimalityGap impl::frank_wolfe_gap_above(SampledProblem& problem, SampledProblem& lower, const std::vector<double>& x,
                                          const OptimalityGapOptions& options) {
  check(options);
  impl::check_dimension("point", static_cast<std::int64_t>(x.size()), static_cast<std::int64_t>(problem.dimension()));
  for (const DecisionRange& bounds : problem.bounds())
    impl::check_parameter(std::isfinite(bounds.low) && std::isfinite(bounds.high), "bound",
                          std::isfinite(bounds.low) ? bounds.high : bounds.low, "a finite number");
  const std::int64_t n = options.replications;
  std::vector<Sample> samples;
  for (std::int64_t b = 0; b < options.batches; ++b)
    samples.push_back({x, options.seed, impl::replications_of_gaps + b * n, n, true});
  std::vector<double> gaps;
  for (const SampleMean& mean : lower.evaluate(samples)) {
    const double above = &problem == &lower || mean.count == 0 ? 0 : problem.estimate(x, mean.moments).mean - mean.mean;
    gaps.push_back(gap_of(problem, x, mean.gradient) + above);
  }
  return bounded(gaps, options.confidence, options.batches * n * problem.gradient_cost(), n);
}

}  // namespace sporos
