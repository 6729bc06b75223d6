// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/procedures/controlled_means.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace sporos {

namespace {

void check_mean(const ObservedControl& control, std::int64_t observations) {
  constexpr double max_errors = 8;
  constexpr std::int64_t fewest = 30;  // number of observations for which the mean is about normal
  const double distance = std::abs(control.mean - control.known);
  if (observations < fewest || !(distance > max_errors * control.error)) return;
  throw std::runtime_error("control '" + control.name + "' has mean " + std::to_string(control.mean) +
                           " instead of the known " + std::to_string(control.known) + ", " +
                           std::to_string(bounded_count(std::round(std::min(distance / control.error, 1e6)))) +
                           " standard errors away: its known mean is wrong or belongs to other inputs");
}

// Regression on the controls of a design point.
class Regression {
 public:
  Regression(const PointResult& point, std::size_t first_control) : m_point(point), m_first(first_control) {}

  // Adds a control to the regression. Returns false if it is constant or the controls added before explain it.
  bool take(std::size_t control) {
    constexpr double rounding = 1e-7;
    const double variance = covariance(m_first + control, m_first + control);
    auto grown = m_taken;
    grown.push_back(control);
    SquareMatrix matrix(grown.size());
    for (std::size_t i = 0; i < grown.size(); ++i) {
      for (std::size_t j = 0; j < grown.size(); ++j) {
        matrix(i, j) = covariance(m_first + grown[i], m_first + grown[j]) /
                       std::sqrt(covariance(m_first + grown[i], m_first + grown[i]) *
                                 covariance(m_first + grown[j], m_first + grown[j]));
      }
    }
    const ResponseEstimate& estimate = m_point.responses[m_first + control];
    const double scale = std::max(std::abs(estimate.mean), estimate.deviation);
    if (!std::isfinite(variance) || !(variance > rounding * rounding * scale * scale)) return false;
    const auto inverse = inverse_of_definite(matrix);
    if (!inverse) return false;
    m_taken = std::move(grown);
    m_inverse = *inverse;
    return true;
  }

  std::int64_t taken() const { return static_cast<std::int64_t>(m_taken.size()); }

  // `scaled` divides a response's covariances with the controls, or the controls' deviations from their known means, by
  // the controls' standard deviations. `product` multiplies two such vectors by the inverse of the controls'
  // correlations.
  std::vector<double> scaled(const std::vector<double>& of_controls) const {
    std::vector<double> list;
    for (const std::size_t c : m_taken)
      list.push_back(of_controls[c] / std::sqrt(covariance(m_first + c, m_first + c)));
    return list;
  }
  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) sum += a[i] * m_inverse(i, j) * b[j];
    }
    return sum;
  }

  double covariance(std::size_t a, std::size_t b) const {
    return m_point.covariances[a * m_point.responses.size() + b];
  }

 private:
  const PointResult& m_point;
  std::size_t m_first;
  std::vector<std::size_t> m_taken;
  SquareMatrix m_inverse{0};  // inverse of the correlations of m_taken
};

ControlledMean controlled_mean(const PointResult& point, const Regression& regression, std::size_t response,
                               std::size_t first_control, const std::vector<double>& deviations, double confidence) {
  const ResponseEstimate& plain = point.responses[response];
  ControlledMean found{plain.mean, plain.half_width, 1, plain.observations - 1};
  if (regression.taken() == 0 || !std::isfinite(plain.variance)) return found;
  found.freedom = plain.observations - 1 - regression.taken();
  if (found.freedom < 1) {
    found.half_width = std::numeric_limits<double>::infinity();
    return found;
  }
  std::vector<double> with_controls;
  for (std::size_t c = 0; c < deviations.size(); ++c) {
    with_controls.push_back(regression.covariance(response, first_control + c));
  }
  const auto slopes = regression.scaled(with_controls), missed = regression.scaled(deviations);
  const auto n = static_cast<double>(plain.observations);
  constexpr double rounding = 1e-12;
  double left = plain.variance - regression.product(slopes, slopes);
  if (left <= rounding * plain.variance) left = 0;  // a linear function of the controls
  const double residual = left * (n - 1) / static_cast<double>(found.freedom);
  const double variance = residual * (1 / n + regression.product(missed, missed) / (n - 1));
  found.mean -= regression.product(slopes, missed);
  found.half_width = student_t_quantile(0.5 + confidence / 2, static_cast<double>(found.freedom)) * std::sqrt(variance);
  if (plain.variance > 0) found.variance_ratio = plain.variance / n / variance;
  return found;
}

}  // namespace

ControlledPoint controlled_means(const PointResult& point, const std::vector<double>& known, double confidence) {
  const std::size_t first = point.responses.size() - known.size();
  ControlledPoint found;
  Regression regression(point, first);
  std::vector<double> deviations;
  for (std::size_t c = 0; c < known.size(); ++c) {
    const ResponseEstimate& control = point.responses[first + c];
    const double error = std::sqrt(control.variance / static_cast<double>(control.observations));
    const ObservedControl observed{control.name, known[c], control.mean, error, regression.take(c)};
    if (observed.is_used) check_mean(observed, control.observations);
    deviations.push_back(control.mean - known[c]);
    found.controls.push_back(observed);
  }
  for (std::size_t response = 0; response < first; ++response) {
    found.responses.push_back(controlled_mean(point, regression, response, first, deviations, confidence));
  }
  return found;
}

}  // namespace sporos
