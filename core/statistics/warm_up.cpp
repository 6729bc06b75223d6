// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/warm_up.hpp>

#include <limits>

namespace sporos {

std::optional<std::int64_t> mser(std::span<const double> averages) {
  constexpr std::size_t fewest = 10, no_candidates = 5;
  const std::size_t n = averages.size();
  if (n < fewest) return std::nullopt;
  double count = 0, mean = 0, squares = 0;  // moments of values d to n − 1, by Welford's update
  double least = std::numeric_limits<double>::infinity();
  std::size_t cut = 0;
  for (std::size_t d = n; d-- > 0;) {
    count += 1;
    const double deviation = averages[d] - mean;
    mean += deviation / count;
    squares += deviation * (averages[d] - mean);
    const double criterion = squares / (count * count);
    if (d + no_candidates < n && criterion <= least) {
      least = criterion;
      cut = d;
    }
  }
  if (2 * cut > n) return std::nullopt;
  return static_cast<std::int64_t>(cut);
}

std::vector<double> averages_of(std::span<const double> values, std::size_t size) {
  std::vector<double> averages;
  averages.reserve(values.size() / size);
  for (std::size_t begin = 0; begin + size <= values.size(); begin += size) {
    double sum = 0;
    for (const double value : values.subspan(begin, size)) sum += value;
    averages.push_back(sum / static_cast<double>(size));
  }
  return averages;
}

}  // namespace sporos
