// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/selection.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace sporos {

Selection select_lowest(SampledProblem& problem, std::span<const Sample> samples, double confidence) {
  impl::check_parameter(!samples.empty(), "number of points", static_cast<std::int64_t>(samples.size()), "at least 1");
  const std::int64_t count = samples.front().count;
  impl::check_parameter(count >= 2, "replications of a selection", count, "at least 2");
  impl::check_parameter(confidence > 0 && confidence < 1, "confidence", confidence, "a number between 0 and 1");
  const std::vector<SampleMean> means = problem.evaluate(samples);
  const auto lowest = std::ranges::min_element(means, {}, &SampleMean::mean);
  if (lowest->count == 0)
    throw std::invalid_argument("all points to select from are infeasible, expected a feasible point");
  Selection selection{static_cast<std::size_t>(lowest - means.begin()), samples.size(), 0, 0};
  const auto others = static_cast<double>(std::ranges::count_if(means, [](auto& mean) { return mean.count > 0; })) - 1;
  // Student's two-sided quantile of 1 − 2α has probability α on one side.
  const double level = 1 - 2 * (1 - confidence) / std::max(others, 1.0);
  const double critical = level > 0 ? student_t(level, count) : 0;
  for (const SampleMean& other : means) {
    selection.replications += other.count;
    if (other.count == 0 || &other == &*lowest) continue;
    const PairedDifference above = paired_difference(*lowest, other);
    selection.bound = std::max(selection.bound, above.mean + critical * std::sqrt(above.variance_of_mean));
  }
  return selection;
}

}  // namespace sporos
