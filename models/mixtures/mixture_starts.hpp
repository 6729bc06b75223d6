// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine_stream.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <boost/random/uniform_01.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sporos::models {

/// Starting points for fits of mixtures to a sample. The sample is divided into parts, each of which gives the weight,
/// mean and deviation of a component.
class MixtureStarts {
 public:
  /// Takes a sample that passes check(Observations). No deviation will be less than `min_deviation`.
  MixtureStarts(const Observations& sample, double min_deviation);

  /// k parts of equal weight, in ascending order of the observations.
  NormalMixture by_quantiles(std::int64_t components) const;

  /// Parts of the observations nearest to each of k centres. The centres are observations drawn as in k-means++: each
  /// with probability proportional to the squared distance from the centres before it (Arthur and Vassilvitskii 2007).
  /// The result is draw `index` under `seed`.
  NormalMixture by_centres(std::int64_t components, std::uint64_t seed, std::uint64_t index) const;

 private:
  // Sums over the first observations; y is relative to `origin`.
  struct PartialSums {
    double weight = 0, sum = 0, squares = 0, origin = 0;

    double mean_from(const PartialSums& first) const { return origin + (sum - first.sum) / (weight - first.weight); }
    double variance_from(const PartialSums& first) const {
      const double share = weight - first.weight, mean = (sum - first.sum) / share;
      return std::max((squares - first.squares) / share - mean * mean, 0.0);
    }
    // Σ w (y − centre)².
    double squares_from(const PartialSums& first, double centre) const {
      const double c = centre - origin;
      return squares - first.squares - 2 * c * (sum - first.sum) + c * c * (weight - first.weight);
    }
  };

  NormalMixture by_parts(const std::vector<std::size_t>& ends) const;
  std::vector<std::size_t> ends_of_nearest(const std::vector<double>& centres) const;
  std::size_t drawn(const std::vector<double>& centres, double uniform) const;

  std::vector<double> m_values, m_weights;  // sorted
  std::vector<PartialSums> m_moments;       // sums over the first 0, 1, …, n observations
  double m_min_deviation;
};

inline MixtureStarts::MixtureStarts(const Observations& sample, double min_deviation) : m_min_deviation(min_deviation) {
  std::vector<std::size_t> order(sample.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return sample.values[a] < sample.values[b]; });
  for (const std::size_t i : order) {
    const double weight = sample.weights.empty() ? 1 : sample.weights[i];
    if (weight == 0) continue;
    m_values.push_back(sample.values[i]);
    m_weights.push_back(weight);
  }
  PartialSums sums;
  sums.origin = m_values[m_values.size() / 2];  // near the mean, so that squares lose few digits
  m_moments.push_back(sums);
  for (std::size_t i = 0; i < m_values.size(); ++i) {
    const double y = m_values[i] - sums.origin;
    sums.weight += m_weights[i];
    sums.sum += m_weights[i] * y;
    sums.squares += m_weights[i] * y * y;
    m_moments.push_back(sums);
  }
}

// A mixture of the parts that end before these positions. A component without observations starts like the whole
// sample.
inline NormalMixture MixtureStarts::by_parts(const std::vector<std::size_t>& ends) const {
  NormalMixture mixture;
  std::size_t first = 0;
  double sum = 0;
  for (const std::size_t end : ends) {
    const bool is_empty = first == end;
    const PartialSums &before = m_moments[is_empty ? 0 : first], &after = m_moments[is_empty ? m_values.size() : end];
    const double weight = is_empty ? 1 : after.weight - before.weight;
    const double deviation = std::max(std::sqrt(after.variance_from(before)), m_min_deviation);
    mixture.push_back({weight, after.mean_from(before), deviation});
    sum += weight;
    first = end;
  }
  for (NormalComponent& component : mixture) component.weight /= sum;
  return mixture;
}

inline NormalMixture MixtureStarts::by_quantiles(std::int64_t components) const {
  std::vector<std::size_t> ends;
  for (std::int64_t c = 1; c <= components; ++c) {
    const double below = m_moments.back().weight * static_cast<double>(c) / static_cast<double>(components);
    const auto end = std::lower_bound(m_moments.begin(), m_moments.end(), below * (1 - 1e-12),
                                      [](const PartialSums& sums, double weight) { return sums.weight < weight; });
    ends.push_back(static_cast<std::size_t>(end - m_moments.begin()));
  }
  return by_parts(ends);
}

// Ends of the parts that are nearest to each of some sorted centres.
inline std::vector<std::size_t> MixtureStarts::ends_of_nearest(const std::vector<double>& centres) const {
  std::vector<std::size_t> ends;
  for (std::size_t c = 0; c + 1 < centres.size(); ++c) {
    const double middle = centres[c] + (centres[c + 1] - centres[c]) / 2;
    const auto end = std::upper_bound(m_values.begin(), m_values.end(), middle);
    ends.push_back(static_cast<std::size_t>(end - m_values.begin()));
  }
  ends.push_back(m_values.size());
  return ends;
}

// First position up to which the weighted squared distances from the nearest centre exceed the share `uniform` of their
// total; without centres, the weights are used instead. Partial sums avoid a pass over the observations.
inline std::size_t MixtureStarts::drawn(const std::vector<double>& centres, double uniform) const {
  if (centres.empty()) {
    const auto place = std::upper_bound(m_moments.begin(), m_moments.end(), uniform * m_moments.back().weight,
                                        [](double weight, const PartialSums& sums) { return weight < sums.weight; });
    return std::min(static_cast<std::size_t>(place - m_moments.begin()), m_values.size()) - 1;
  }
  const std::vector<std::size_t> ends = ends_of_nearest(centres);
  const auto first_of = [&](std::size_t c) { return c == 0 ? 0 : ends[c - 1]; };
  std::vector<double> squares;
  for (std::size_t c = 0; c < centres.size(); ++c) {
    squares.push_back(std::max(m_moments[ends[c]].squares_from(m_moments[first_of(c)], centres[c]), 0.0));
  }
  double left = uniform * std::accumulate(squares.begin(), squares.end(), 0.0);
  for (std::size_t c = 0; c < centres.size(); left -= squares[c++]) {
    if (!(left < squares[c])) continue;
    const PartialSums* const first = &m_moments[first_of(c)];
    const PartialSums* const last = &m_moments[ends[c]];
    const auto* const place = std::upper_bound(first + 1, last, left, [&](double sum, const PartialSums& sums) {
      return sum < sums.squares_from(*first, centres[c]);
    });
    return static_cast<std::size_t>(place - m_moments.data()) - 1;
  }
  return m_values.size() - 1;
}

inline NormalMixture MixtureStarts::by_centres(std::int64_t components, std::uint64_t seed, std::uint64_t index) const {
  EngineStream<Philox4x32> engine({seed, index, static_cast<std::uint32_t>(components)});
  boost::random::uniform_01<double> uniform;
  std::vector<double> centres;
  for (std::int64_t c = 0; c < components; ++c) {
    const double centre = m_values[drawn(centres, uniform(engine))];
    centres.insert(std::upper_bound(centres.begin(), centres.end(), centre), centre);
  }
  return by_parts(ends_of_nearest(centres));
}

}  // namespace sporos::models
