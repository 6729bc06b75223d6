// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/simultaneous.hpp>
#include <sporos/procedures/max_t.hpp>
#include <sporos/procedures/point_differences.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace sporos {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

PointDifferences::PointDifferences(const std::vector<RatioOfMeans>& estimators, bool common_random_numbers)
    : m_estimators(estimators), m_is_paired(common_random_numbers), m_deviations(0) {
  for (std::size_t point = 0; point < estimators.size(); ++point) {
    m_first_columns.push_back(m_columns.size());
    for (const int response : impl::responses_of(estimators[point])) m_columns.push_back({point, response, 0});
  }
  m_first_columns.push_back(m_columns.size());
  m_means.resize(m_columns.size());
  m_deviations = SquareMatrix(m_columns.size());
}

void PointDifferences::add(std::size_t point, std::size_t response, double observation) {
  const std::size_t columns = m_columns.size();
  for (std::size_t c = m_first_columns.at(point); c < m_first_columns[point + 1]; ++c) {
    if (m_columns[c].response != static_cast<int>(response)) continue;
    const std::size_t row = m_columns[c].seen++ - static_cast<std::size_t>(m_count) + m_taken;
    if (row >= m_filled.size()) {
      m_filled.resize(row + 1);
      m_waiting.resize((row + 1) * columns);
    }
    m_waiting[row * columns + c] = observation;
    ++m_filled[row];
  }
  for (; m_taken < m_filled.size() && m_filled[m_taken] == columns; ++m_taken) {
    take(m_waiting.data() + m_taken * columns);
  }
  if (m_taken < m_filled.size()) return;
  m_filled.clear();
  m_waiting.clear();
  m_taken = 0;
}

// Updates means and sums of products by Welford's method.
void PointDifferences::take(const double* row) {
  const auto before = static_cast<double>(m_count++);
  const double now = before + 1, weight = before / now;
  std::vector<double> deviations(m_columns.size());
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    deviations[i] = row[i] - m_means[i];
    m_means[i] += deviations[i] / now;
    const std::size_t begin = m_is_paired ? 0 : m_first_columns[m_columns[i].point];
    for (std::size_t j = begin; j <= i; ++j) m_deviations(i, j) += weight * deviations[i] * deviations[j];
  }
}

auto PointDifferences::estimate_at(std::size_t point) const -> Linearized {
  constexpr double largest_variation = 0.1;  // same limit as in impl::estimate_ratio
  const std::size_t begin = m_first_columns[point], end = m_first_columns[point + 1];
  const auto weights_of = [&](const LinearForm& form) {
    std::vector<double> weights(end - begin);
    for (const auto& term : form.terms) {
      for (std::size_t c = begin; c < end; ++c) {
        if (m_columns[c].response == term.response) weights[c - begin] += term.weight;
      }
    }
    return weights;
  };
  const auto value_of = [&](const LinearForm& form, const std::vector<double>& weights) {
    return std::inner_product(weights.begin(), weights.end(), m_means.begin() + static_cast<std::ptrdiff_t>(begin),
                              form.constant);
  };
  const auto& [response, numerator, denominator] = m_estimators[point];
  auto above = weights_of(numerator), below = weights_of(denominator);
  const double divisor = value_of(denominator, below);
  const double error = std::sqrt(std::max(0.0, covariance_of(point, below, point, below)));
  Linearized estimate{value_of(numerator, above) / divisor, std::move(above),
                      m_count >= 2 && error <= largest_variation * std::abs(divisor)};
  for (std::size_t i = 0; i < below.size(); ++i) {
    estimate.gradient[i] = (estimate.gradient[i] - estimate.value * below[i]) / divisor;
  }
  return estimate;
}

// Covariance of two weighted sums of column means, one of point p's columns and one of point q's.
double PointDifferences::covariance_of(std::size_t p, const std::vector<double>& weights_of_p, std::size_t q,
                                       const std::vector<double>& weights_of_q) const {
  double sum = 0;
  for (std::size_t i = 0; i < weights_of_p.size(); ++i) {
    for (std::size_t j = 0; j < weights_of_q.size(); ++j) {
      const std::size_t a = m_first_columns[p] + i, b = m_first_columns[q] + j;
      sum += weights_of_p[i] * weights_of_q[j] * m_deviations(std::max(a, b), std::min(a, b));
    }
  }
  const auto n = static_cast<double>(m_count);
  return sum / (n - 1) / n;
}

std::vector<double> PointDifferences::estimates() const {
  std::vector<double> values;
  for (std::size_t point = 0; point < m_estimators.size(); ++point) values.push_back(estimate_at(point).value);
  return values;
}

SquareMatrix PointDifferences::covariance() const {
  const std::size_t points = m_estimators.size();
  std::vector<Linearized> estimates;
  for (std::size_t point = 0; point < points; ++point) estimates.push_back(estimate_at(point));
  SquareMatrix covariance(points);
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t q = m_is_paired ? 0 : p; q <= p; ++q) {
      const bool is_known = estimates[p].is_known && estimates[q].is_known;
      covariance(p, q) = covariance(q, p) =
          is_known ? covariance_of(p, estimates[p].gradient, q, estimates[q].gradient) : infinity;
    }
  }
  return covariance;
}

std::vector<PointDifference> PointDifferences::differences(DifferencesOf which, Simultaneous method,
                                                           double confidence) const {
  const auto values = estimates();
  SquareMatrix covariances = covariance();
  std::vector<bool> is_known;
  for (std::size_t p = 0; p < values.size(); ++p) is_known.push_back(std::isfinite(covariances(p, p)));
  for (std::size_t p = 0; p < values.size(); ++p) {
    for (std::size_t q = 0; q < values.size(); ++q) {
      if (!is_known[p] || !is_known[q]) covariances(p, q) = 0;
    }
  }
  std::vector<Contrast> contrasts;
  for (std::size_t second = 0; second < (which == DifferencesOf::first ? 1 : values.size()); ++second) {
    for (std::size_t first = second + 1; first < values.size(); ++first) contrasts.push_back({first, second});
  }
  const auto count = static_cast<std::int64_t>(contrasts.size());
  double critical = infinity;
  if (m_count >= 2) {
    const auto freedom = static_cast<double>(m_count - 1);
    if (method == Simultaneous::max_t) {
      critical = student_t(max_t_confidence(covariances, contrasts, freedom, confidence), m_count);
    } else if (which == DifferencesOf::all && !m_is_paired) {
      critical = studentized_range(confidence, static_cast<std::int64_t>(values.size()), freedom) / std::sqrt(2.0);
    } else {
      critical = student_t(bonferroni_confidence(confidence, count), m_count);
    }
  }
  std::vector<PointDifference> list;
  for (const auto& [first, second] : contrasts) {
    constexpr double rounding = 1e-12;
    const double magnitude = covariances(first, first) + covariances(*second, *second);
    const double variance = magnitude - 2 * covariances(first, *second);
    const double error = variance <= rounding * magnitude ? 0 : std::sqrt(variance);
    const bool is_estimated = m_count >= 2 && is_known[first] && is_known[*second];
    list.push_back({first, *second, values[first] - values[*second], is_estimated ? critical * error : infinity});
  }
  return list;
}

std::vector<DistanceFromBest> distances_from_best(const std::vector<PointDifference>& differences, std::size_t points,
                                                  bool is_largest_best) {
  const double sign = is_largest_best ? 1 : -1;
  // Smallest difference; if the smallest estimate is best, differences are negated first.
  std::vector<DistanceFromBest> least(points, {infinity, infinity, infinity});
  const auto add = [&](std::size_t point, double difference, double half_width) {
    DistanceFromBest& distance = least[point];
    if (std::isnan(difference)) distance.lower = -infinity;
    distance.difference = std::min(distance.difference, difference);
    distance.lower = std::min(distance.lower, difference - half_width);
    distance.upper = std::min(distance.upper, difference + half_width);
  };
  for (const auto& [first, second, difference, half_width] : differences) {
    add(first, sign * difference, half_width);
    add(second, -sign * difference, half_width);
  }
  if (is_largest_best) return least;
  for (DistanceFromBest& distance : least) {
    distance.difference = -distance.difference;
    distance.lower = -std::exchange(distance.upper, -distance.lower);
  }
  return least;
}

}  // namespace sporos
