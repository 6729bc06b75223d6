// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

/// Which mean is the best.
enum class Best { largest, smallest };

/// Names of the two.
template <>
struct ChoiceNames<Best> {
  static constexpr std::string_view what = "best";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<Best>>({{"largest", Best::largest}, {"smallest", Best::smallest}});
};

/// Which design point of an experiment has the best mean of one response, and with what probability each has it.
///
/// It watches the observations as they come and keeps at most 256 averages of each design point. The probability is
/// that of the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981): how often a point's mean is the best where the
/// averages are weighted by random shares, the same for all points, so that what common random numbers give to all of
/// them does not count.
class BestPoint {
 public:
  /// For `points` design points that make `observations` observations each.
  BestPoint(std::size_t points, std::int64_t observations)
      : m_batch(std::max<std::int64_t>(1, (observations + most_batches - 1) / most_batches)),
        m_batches(static_cast<std::size_t>((observations + m_batch - 1) / m_batch)),
        m_counts(points),
        m_sums(points, std::vector<double>(m_batches)) {}

  /// Adds the next observation of a design point.
  void add(std::size_t point, double observation) {
    const std::int64_t index = m_counts.at(point)++;
    m_sums[point].at(static_cast<std::size_t>(index / m_batch)) += observation;
  }

  /// For each design point, the probability that its mean is the best; the numbers come from `seed`. Points that tie
  /// share it.
  /// @throws std::logic_error where the design points have not made equally many observations.
  std::vector<double> probabilities(Best best, std::uint64_t seed) const;

 private:
  static constexpr std::int64_t most_batches = 256;
  static constexpr int resamples = 10'000;

  std::int64_t m_batch;   // observations in a batch
  std::size_t m_batches;  // of each design point
  std::vector<std::int64_t> m_counts;
  std::vector<std::vector<double>> m_sums;  // by design point and batch
};

inline std::vector<double> BestPoint::probabilities(Best best, std::uint64_t seed) const {
  const std::size_t points = m_counts.size();
  if (std::adjacent_find(m_counts.begin(), m_counts.end(), std::not_equal_to<>()) != m_counts.end()) {
    throw std::logic_error("design points have made different numbers of observations");
  }
  std::vector<double> wins(points), weights(m_batches), means(points);
  for (int resample = 0; resample < resamples; ++resample) {
    for (std::size_t batch = 0; batch < m_batches; ++batch) {
      const Stream stream{seed, static_cast<std::uint64_t>(resample), 0xfffeu};
      weights[batch] = -math::log(open_uniform(Philox4x32::block(stream, batch)[0]));
    }
    for (std::size_t point = 0; point < points; ++point) {
      double sum = 0;
      for (std::size_t batch = 0; batch < m_batches; ++batch) sum += weights[batch] * m_sums[point][batch];
      means[point] = best == Best::largest ? sum : -sum;
    }
    const double winner = *std::max_element(means.begin(), means.end());
    const auto ties = static_cast<double>(std::count(means.begin(), means.end(), winner));
    for (std::size_t point = 0; point < points; ++point) wins[point] += means[point] == winner ? 1.0 / ties : 0.0;
  }
  for (double& share : wins) share /= resamples;
  return wins;
}

}  // namespace sporos
