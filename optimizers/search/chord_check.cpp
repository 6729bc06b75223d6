// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/chord_check.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>

#include <cmath>
#include <cstddef>

namespace sporos {

namespace {

// Returns the mean of both ends, replication by replication.
SampleMean mean_of_ends(const SampleMean& first, const SampleMean& second) {
  SampleMean mean = first;
  mean.mean = (first.mean + second.mean) / 2;
  for (std::size_t r = 0; r < mean.values.size(); ++r) mean.values[r] = (first.values[r] + second.values[r]) / 2;
  return mean;
}

}  // namespace

bool is_shown_not_convex(SampledProblem& problem, const std::vector<double>& start, const ChordCheckOptions& options) {
  impl::check_parameter(options.chords >= 1, "number of chords", options.chords, "at least 1");
  impl::check_parameter(options.replications >= 2, "replications of a chord", options.replications, "at least 2");
  impl::check_parameter(options.error_probability > 0 && options.error_probability < 0.5, "error probability",
                        options.error_probability, "a number between 0 and 1/2");
  const SearchRun run(problem, start, 1, options.seed);
  impl::check_can_be_drawn(run, "chords");
  DecisionEngine engine = decision_engine(RandomDecision::search, options.seed);
  const std::vector<std::vector<double>> ends = impl::spread_points(run, 2 * options.chords, engine);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    std::vector<double> middle = ends[i];
    for (std::size_t j = 0; j < middle.size(); ++j) middle[j] += (ends[i + 1][j] - middle[j]) / 2;
    for (const std::vector<double>& x : {ends[i], ends[i + 1], middle})
      samples.push_back({x, options.seed, impl::replications_of_chords, options.replications, false, true});
  }
  const std::vector<SampleMean> means = problem.evaluate(samples);
  const double level = 1 - 2 * options.error_probability / static_cast<double>(options.chords);
  const double critical = student_t(level, options.replications);
  for (std::size_t i = 0; i < means.size(); i += 3) {
    if (means[i].count == 0 || means[i + 1].count == 0 || means[i + 2].count == 0) continue;
    const PairedDifference above = paired_difference(means[i + 2], mean_of_ends(means[i], means[i + 1]));
    const double rounding = 1e-9 * (std::abs(means[i].mean) + std::abs(means[i + 1].mean));
    if (above.mean > critical * std::sqrt(above.variance_of_mean) + rounding) return true;
  }
  return false;
}

}  // namespace sporos
