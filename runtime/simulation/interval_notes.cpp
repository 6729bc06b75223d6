// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/interval_notes.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/estimates.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sporos::runtime {

std::vector<std::string> interval_notes(std::span<const PointResult> points, double confidence) {
  constexpr std::size_t max_notes = 5;
  std::vector<std::string> notes;
  std::size_t more = 0;
  const std::size_t responses = points.empty() ? 0 : points.front().responses.size();
  for (std::size_t response = 0; response < responses; ++response) {
    std::size_t count = 0, worst = 0;
    double max_needed = 0;
    for (std::size_t point = 0; point < points.size(); ++point) {
      const ResponseEstimate& estimate = points[point].responses[response];
      const double needed = observations_for_skewness(estimate);
      if (needed == 0 || needed < static_cast<double>(estimate.observations)) continue;
      ++count;
      if (needed <= max_needed) continue;
      max_needed = needed;
      worst = point;
    }
    if (count == 0) continue;
    if (notes.size() == max_notes) {
      ++more;
      continue;
    }
    const ResponseEstimate& estimate = points[worst].responses[response];
    const std::string where = points.size() > 1
                                  ? fmt::format(" at {} of {} design points, the worst being design point {}", count,
                                                points.size(), worst + 1)
                                  : "";
    notes.push_back(
        fmt::format("the interval of {} may cover less often than {:.6g} %{}: a skewness of {:.3g} requires more than "
                    "{:.0f} replications (Cochran's rule)",
                    io::in_quotes(estimate.name), 100 * confidence, where, adjusted_skewness(estimate),
                    std::ceil(max_needed * static_cast<double>(estimate.run_length))));
  }
  if (more > 0)
    notes.push_back(fmt::format("so may the intervals of {}",
                                plural(static_cast<std::int64_t>(more), "more response", "more responses")));
  return notes;
}

std::vector<std::string> bias_notes(Sampling sampling) {
  if (is_unbiased(sampling)) return {};
  return {
      fmt::format("means under {} sampling are biased, and intervals do not include the bias, which decreases with the "
                  "sample size: latin-hypercube and random sampling are unbiased",
                  name_of(sampling))};
}

}  // namespace sporos::runtime
