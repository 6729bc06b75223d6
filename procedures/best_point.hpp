// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <boost/random/exponential_distribution.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos {

/// Whether the best estimate is the largest or the smallest.
enum class Best { largest, smallest };

/// Names of the values of Best.
template <>
struct ChoiceNames<Best> {
  static constexpr std::string_view what = "best";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<Best>>({{"largest", Best::largest}, {"smallest", Best::smallest}});
};

namespace impl {

// Sums of a linear form over batches of observations. Observations arrive response by response.
class FormSums {
 public:
  FormSums(LinearForm form, std::size_t batches)
      : m_form(std::move(form)), m_counts(m_form.terms.size()), m_sums(batches) {}

  void add(int response, double observation, std::int64_t batch) {
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
      if (m_form.terms[i].response != response) continue;
      m_sums.at(static_cast<std::size_t>(m_counts[i]++ / batch)) += m_form.terms[i].weight * observation;
    }
  }

  // Sum of a batch that has `observations` observations.
  double in(std::size_t batch, std::int64_t observations) const {
    return m_sums[batch] + m_form.constant * static_cast<double>(observations);
  }

  // Number of observations of each term so far.
  const std::vector<std::int64_t>& counts() const { return m_counts; }

 private:
  LinearForm m_form;
  std::vector<std::int64_t> m_counts;
  std::vector<double> m_sums;
};

}  // namespace impl

/// Probability that each design point of an experiment has the best estimate of one response, a mean or a ratio of
/// means.
///
/// The object receives observations as they come and keeps at most 256 sums for each design point. The probability is
/// that of the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981): how often a point's estimate is the best if
/// the sums are weighted by random shares. All points get the same shares, so that the effect that common random
/// numbers have on all of them cancels.
class BestPoint {
 public:
  /// Takes an estimator for each design point (see estimator_of), all of the same response. Each design point makes
  /// `observations` observations.
  BestPoint(const std::vector<RatioOfMeans>& estimators, std::int64_t observations)
      : m_batch(std::max<std::int64_t>(1, (observations + max_batches - 1) / max_batches)),
        m_batches(static_cast<std::size_t>((observations + m_batch - 1) / m_batch)) {
    for (const auto& [response, numerator, denominator] : estimators) {
      m_points.push_back({impl::FormSums(numerator, m_batches), impl::FormSums(denominator, m_batches)});
    }
  }

  /// Adds the next observation of a response at a design point. Ignores responses that the estimator does not use.
  void add(std::size_t point, std::size_t response, double observation) {
    auto& [numerator, denominator] = m_points.at(point);
    numerator.add(static_cast<int>(response), observation, m_batch);
    denominator.add(static_cast<int>(response), observation, m_batch);
  }

  /// Returns, for each design point, the probability that its estimate is the best. Random shares come from `seed`.
  /// Points that tie share the probability; a point whose estimate is 0/0 is not the best.
  /// @throws std::logic_error if the design points have different numbers of observations.
  std::vector<double> probabilities(Best best, std::uint64_t seed) const;

 private:
  static constexpr std::int64_t max_batches = 256;
  static constexpr int resamples = 10'000;

  // Sums by batch.
  struct Shares {
    std::vector<double> numerator, denominator;
  };

  std::int64_t observations() const;
  std::vector<Shares> shares() const;

  std::int64_t m_batch;   // observations in a batch
  std::size_t m_batches;  // batches of each design point
  struct Point {
    impl::FormSums numerator, denominator;
  };
  std::vector<Point> m_points;
};

// Number of observations of each design point.
inline std::int64_t BestPoint::observations() const {
  std::vector<std::int64_t> counts;
  for (const auto& [numerator, denominator] : m_points) {
    counts.insert(counts.end(), numerator.counts().begin(), numerator.counts().end());
    counts.insert(counts.end(), denominator.counts().begin(), denominator.counts().end());
  }
  if (std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) != counts.end()) {
    throw std::logic_error("design points have different numbers of observations");
  }
  return counts.empty() ? 0 : counts.front();
}

inline auto BestPoint::shares() const -> std::vector<Shares> {
  const std::int64_t count = observations();
  std::vector<Shares> shares(m_points.size());
  for (std::size_t batch = 0; batch < m_batches; ++batch) {
    const std::int64_t left = count - static_cast<std::int64_t>(batch) * m_batch;
    const std::int64_t in_batch = std::clamp<std::int64_t>(left, 0, m_batch);
    for (std::size_t point = 0; point < m_points.size(); ++point) {
      shares[point].numerator.push_back(m_points[point].numerator.in(batch, in_batch));
      shares[point].denominator.push_back(m_points[point].denominator.in(batch, in_batch));
    }
  }
  return shares;
}

inline std::vector<double> BestPoint::probabilities(Best best, std::uint64_t seed) const {
  const std::size_t points = m_points.size();
  const std::vector<Shares> all = shares();
  std::vector<double> wins(points), weights(m_batches), estimates(points);
  const boost::random::exponential_distribution<double> exponential(1);
  for (int resample = 0; resample < resamples; ++resample) {
    DecisionEngine engine = decision_engine(RandomDecision::bootstrap, seed, static_cast<std::uint32_t>(resample));
    std::ranges::generate(weights, [&] { return exponential(engine); });
    const auto weighted = [&](const std::vector<double>& sums) {
      return std::inner_product(weights.begin(), weights.end(), sums.begin(), 0.0);
    };
    for (std::size_t point = 0; point < points; ++point) {
      const double ratio = weighted(all[point].numerator) / weighted(all[point].denominator);
      estimates[point] = std::isnan(ratio)       ? -std::numeric_limits<double>::infinity()
                         : best == Best::largest ? ratio
                                                 : -ratio;
    }
    const double winner = *std::max_element(estimates.begin(), estimates.end());
    const auto ties = static_cast<double>(std::count(estimates.begin(), estimates.end(), winner));
    for (std::size_t point = 0; point < points; ++point) wins[point] += estimates[point] == winner ? 1.0 / ties : 0.0;
  }
  for (double& share : wins) share /= resamples;
  return wins;
}

}  // namespace sporos
