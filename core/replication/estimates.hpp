// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_summary.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/statistics/confidence.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

/// Estimates from the replications of a design point, and their comparison with a target precision.
namespace sporos {

namespace impl {

/// Critical values that intervals with the same confidence and number of observations share. Computing them takes 3 µs.
struct CriticalValues {
  CriticalValues(double confidence, std::int64_t observations)
      : t(observations < 2 ? 0.0 : student_t(confidence, observations)),
        z(normal_z(confidence)),
        unseen(observations < 2 ? 1.0 : probability_unseen(observations, confidence)) {}

  double t, z, unseen;
};

// Half-width by Student's t, by Wilson's interval for a two-valued response, or from the response's range if all
// observations are identical. Without a range, runs may be identical because their sampling method leaves no variance.
inline double half_width_by(const ResponseEstimate& estimate, const CriticalValues& critical) {
  const auto& [least, most, is_two_valued] = estimate.range;
  if (estimate.observations < 2 || std::isinf(estimate.variance)) return std::numeric_limits<double>::infinity();
  if (least == most) return 0;
  if (is_two_valued) {
    const double share = std::clamp((estimate.mean - least) / (most - least), 0.0, 1.0);
    return (most - least) * wilson_half_width(share, estimate.observations, critical.z);
  }
  const double reach = std::max(most - estimate.mean, estimate.mean - least);
  if (estimate.variance == 0 && (estimate.run_length == 1 || std::isfinite(reach))) return critical.unseen * reach;
  return critical.t * std::sqrt(estimate.variance / static_cast<double>(estimate.observations));
}

}  // namespace impl

/// Half-width of the confidence interval around the estimate:
/// - for a two-valued response, the longer side of Wilson's interval;
/// - if all observations are identical, the distance from the mean to the farther end of the response's range, times
///   the largest probability of an unseen value at this confidence. This is infinite if the model states no range.
///   Identical runs without a range have half-width 0, because a sampling method may leave no variance in them;
/// - otherwise, the half-width of Student's interval.
inline double half_width(const ResponseEstimate& estimate, double confidence) {
  return impl::half_width_by(estimate, {confidence, estimate.observations});
}

/// Skewness of the observations, adjusted for their number n, because few observations of a skewed distribution seldom
/// include its longest tail. The standard adjustment is √(n (n − 1)) / (n − 2) times the sample skewness: G1 of Joanes
/// and Gill (1998), Comparing measures of sample skewness and kurtosis, The Statistician 47. For n < 3, the result is
/// the sample skewness.
inline double adjusted_skewness(const ResponseEstimate& estimate) {
  const auto n = static_cast<double>(estimate.observations);
  return n < 3 ? estimate.skewness : estimate.skewness * std::sqrt(n * (n - 1)) / (n - 2);
}

/// Smallest number of observations for which Student's interval of a response is reliable: 25 times the squared
/// adjusted skewness. With more observations, an interval of 95 % is wrong in at most 6 % of cases (Cochran (1977),
/// Sampling Techniques, 3rd edition, section 2.15). The result is 0 if the interval is not Student's.
inline double observations_for_skewness(const ResponseEstimate& estimate) {
  const bool is_students = !estimate.range.is_two_valued && estimate.variance > 0 && std::isfinite(estimate.variance);
  constexpr double factor = 25;
  const double skewness = adjusted_skewness(estimate);
  return is_students && std::isfinite(skewness) ? factor * skewness * skewness : 0;
}

namespace impl {

// Means and covariances of one design point's responses.
class ObservedMeans {
 public:
  ObservedMeans(const ReplicationSummary& summary, std::span<const ResponsePair> pairs)
      : m_summary(summary), m_pairs(pairs) {}

  double mean(int response) const { return of(response).mean; }

  // Covariance of the two responses of one observation.
  double covariance(int a, int b) const {
    if (a == b) return of(a).variance();
    const auto place = std::lower_bound(m_pairs.begin(), m_pairs.end(), ResponsePair{std::min(a, b), std::max(a, b)});
    return m_summary.pairs.at(static_cast<std::size_t>(place - m_pairs.begin())).total().covariance();
  }

 private:
  Moments of(int response) const { return m_summary.observations[static_cast<std::size_t>(response)].total(); }

  const ReplicationSummary& m_summary;
  std::span<const ResponsePair> m_pairs;
};

// Value of a linear form at the means, and the sum of the magnitudes of its terms, which bounds the rounding error.
struct FormValue {
  double value, magnitude;
};

inline FormValue value_of(const LinearForm& form, const ObservedMeans& means) {
  FormValue sum{form.constant, std::abs(form.constant)};
  for (const auto& [response, weight] : form.terms) {
    const double term = weight * means.mean(response);
    sum.value += term;
    sum.magnitude += std::abs(term);
  }
  constexpr double rounding = 1e-13;
  if (std::abs(sum.value) <= rounding * sum.magnitude) sum.value = 0;
  return sum;
}

using Terms = std::vector<LinearForm::Term>;

// Covariance of two weighted sums Σ weight · observation, and the sum of the magnitudes of its terms.
inline FormValue covariance_of(const Terms& first, const Terms& second, const ObservedMeans& means) {
  FormValue sum{0, 0};
  for (const auto& [a, weight_of_a] : first) {
    for (const auto& [b, weight_of_b] : second) {
      const double term = weight_of_a * weight_of_b * means.covariance(a, b);
      sum.value += term;
      sum.magnitude += std::abs(term);
    }
  }
  return sum;
}

// Variance of a weighted sum of observations; 0 if it consists only of rounding errors of the terms.
inline double variance_of(const Terms& terms, const ObservedMeans& means) {
  constexpr double rounding = 1e-12;
  const auto [variance, magnitude] = covariance_of(terms, terms, means);
  return variance <= rounding * magnitude ? 0 : variance;
}

// Derivatives of N/D = `quotient` with respect to the means of its responses: those of the numerator minus `quotient`
// times those of the denominator, divided by `denominator`.
inline Terms gradient_of(const RatioOfMeans& ratio, double quotient, double denominator) {
  Terms gradient;
  for (const int response : responses_of(ratio)) gradient.push_back({response, 0});
  const auto add = [&](const LinearForm& form, double factor) {
    for (const LinearForm::Term& added : form.terms) {
      const auto same = [&](const LinearForm::Term& term) { return term.response == added.response; };
      std::find_if(gradient.begin(), gradient.end(), same)->weight += factor * added.weight / denominator;
    }
  };
  add(ratio.numerator, 1);
  add(ratio.denominator, -quotient);
  return gradient;
}

// Estimates the ratio of means N/D by the delta method, with the variance of (N − N/D · D) / D. Its bias is smaller
// than the denominator's coefficient of variation times the standard error of the ratio (Cochran (1977), section 6.8).
// If that coefficient is not small, there is no interval.
inline void estimate_ratio(ResponseEstimate& estimate, const RatioOfMeans& ratio, const ObservedMeans& means) {
  constexpr double largest_variation = 0.1;
  const FormValue numerator = value_of(ratio.numerator, means), denominator = value_of(ratio.denominator, means);
  estimate.mean = numerator.value / denominator.value;
  estimate.skewness = 0;
  estimate.variance = variance_of(gradient_of(ratio, estimate.mean, denominator.value), means);
  const double error =
      std::sqrt(variance_of(ratio.denominator.terms, means) / static_cast<double>(estimate.observations));
  if (!(error <= largest_variation * std::abs(denominator.value)) || !std::isfinite(estimate.variance)) {
    estimate.variance = std::numeric_limits<double>::infinity();
  }
}

/// Estimates of all responses, which are named by `names`, with intervals of the given confidence. `pairs` lists the
/// pairs of responses whose covariances the summary contains.
inline std::vector<ResponseEstimate> estimates(const ReplicationSummary& summary, std::span<const std::string> names,
                                               double confidence, const ResponseProperties& properties = {},
                                               std::span<const ResponsePair> pairs = {}) {
  std::vector<ResponseEstimate> list;
  list.reserve(names.size());
  const std::int64_t count = names.empty() ? 0 : summary.observations.front().count();
  for (std::size_t response = 0; response < names.size(); ++response) {
    const Moments moments = summary.observations[response].total();
    ResponseEstimate& estimate = list.emplace_back();
    estimate = {names[response],
                moments.mean,
                moments.variance(),
                0,
                count,
                std::sqrt(summary.of_replications(response).variance())};
    if (count > 0) estimate.run_length = summary.replications / count;
    estimate.skewness = moments.skewness();
    if (properties.ranges.empty()) continue;
    estimate.range = properties.ranges[response];
    estimate.range.is_two_valued &= estimate.run_length == 1;  // averages take more values
  }
  const ObservedMeans means(summary, pairs);
  for (const RatioOfMeans& ratio : properties.ratios) {
    if (count > 0) estimate_ratio(list[static_cast<std::size_t>(ratio.response)], ratio, means);
  }
  const CriticalValues critical(confidence, count);
  for (ResponseEstimate& estimate : list) estimate.half_width = half_width_by(estimate, critical);
  return list;
}

/// The covariances for a PointResult with these estimates. `summary` must contain the covariances of all pairs.
inline std::vector<double> covariances(const ReplicationSummary& summary,
                                       const std::vector<ResponseEstimate>& estimates,
                                       const ResponseProperties& properties, std::span<const ResponsePair> pairs) {
  const std::size_t count = estimates.size();
  const ObservedMeans means(summary, pairs);
  std::vector<Terms> terms;  // each estimate varies like a weighted sum of these responses
  for (std::size_t i = 0; i < count; ++i) terms.push_back({{static_cast<int>(i), 1}});
  for (const RatioOfMeans& ratio : properties.ratios) {
    const auto response = static_cast<std::size_t>(ratio.response);
    terms[response] = gradient_of(ratio, estimates[response].mean, value_of(ratio.denominator, means).value);
  }
  std::vector<double> found(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    found[i * count + i] = estimates[i].variance;
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_known = std::isfinite(estimates[i].variance) && std::isfinite(estimates[j].variance);
      found[i * count + j] = found[j * count + i] =
          is_known ? covariance_of(terms[j], terms[i], means).value : std::numeric_limits<double>::infinity();
    }
  }
  return found;
}

/// Ratio of a response's half-width to its target; the larger ratio if there are two targets. It is at most 1 if the
/// estimate is precise enough.
inline double excess(const ResponseEstimate& response, const TargetPrecision& target) {
  double worst = 0;
  const auto compare = [&](double wanted) {
    if (response.half_width > 0)
      worst = std::max(worst, response.half_width / wanted);  // infinite for a target of 0, which is never reached
  };
  if (target.half_width > 0) compare(target.half_width);
  if (target.relative_half_width > 0) compare(target.relative_half_width * std::abs(response.mean));
  return worst;
}

/// Largest excess over all responses.
inline double excess(const std::vector<ResponseEstimate>& responses, const TargetPrecision& target) {
  double worst = 0;
  for (const auto& response : responses) worst = std::max(worst, excess(response, target));
  return worst;
}

}  // namespace impl

}  // namespace sporos
