// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/rare_events/splitting_result.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/proportion.hpp>

#include <cstddef>
#include <numeric>
#include <utility>

namespace sporos {

void check(const SplittingOptions& options) {
  using impl::check_parameter;
  constexpr double most = 1'000'000'000;
  impl::check_whole("number of runs", static_cast<double>(options.runs), 2, most);
  impl::check_whole("number of chains", static_cast<double>(options.chains), 2, most);
  impl::check_whole("number of levels", static_cast<double>(options.max_levels), 1, most);
  check_parameter(options.share > 0 && options.share < 1, "share", options.share, "a number between 0 and 1");
  check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                  "a number between 0 and 1");
  check_parameter(options.max_steps > 0, "number of steps", static_cast<double>(options.max_steps),
                  "a positive number");
}

SplittingResult splitting_result(const std::vector<std::vector<std::int64_t>>& reached, std::vector<double> levels,
                                 const SplittingOptions& options) {
  SplittingResult result;
  result.levels = std::move(levels);
  result.estimates.assign(reached.front().size(), 1.0);
  const auto chains = static_cast<double>(options.chains);
  for (const auto& counts : reached) {
    for (std::size_t run = 0; run < counts.size(); ++run) {
      result.estimates[run] *= static_cast<double>(counts[run]) / chains;
    }
  }
  Moments moments;
  for (const double estimate : result.estimates) moments = combine(moments, {1, estimate, 0, 0});
  result.probability = moments.mean;
  result.half_width = half_width(moments, options.confidence);

  // A run in which no chain reached the previous level starts no more chains.
  auto started = static_cast<std::int64_t>(result.estimates.size());
  double before = 1;
  for (const auto& counts : reached) {
    const std::int64_t arrived = std::reduce(counts.begin(), counts.end(), std::int64_t{0});
    if (arrived == 0) {
      result.at_most = before * proportion_at_most(0, started * options.chains, options.confidence);
      break;
    }
    result.shares.push_back(static_cast<double>(arrived) / static_cast<double>(started * options.chains));
    before *= result.shares.back();
    started = 0;
    for (const std::int64_t count : counts) started += count > 0 ? 1 : 0;
  }
  return result;
}

}  // namespace sporos
