// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/input_processes/norta_marginal.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/input_processes/cholesky.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/gamma.hpp>
#include <sporos/core/math/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

namespace {

constexpr std::size_t norta_points = (std::size_t{1} << 14) + 1, norta_terms = 128, norta_powers = 4096;
constexpr double norta_end = 8.1;  // Φ(8.1) = 1 − 2.2e-16
constexpr double norta_step = 2 * norta_end / static_cast<double>(norta_points - 1);

double norta_point(std::size_t i) {
  return (static_cast<double>(i) - static_cast<double>(norta_points / 2)) * norta_step;
}
double normal_weight(double z) { return math::impl::one_over_sqrt_two_pi * math::exp(-z * z / 2); }

// ∫ x(z) y(±z) φ(z) dz by the trapezoidal rule.
double norta_product(const std::vector<double>& x, const std::vector<double>& y, bool is_mirrored) {
  double sum = 0;
  for (std::size_t i = 0; i < norta_points; ++i) {
    sum += x[i] * y[is_mirrored ? norta_points - 1 - i : i] * normal_weight(norta_point(i));
  }
  return sum * norta_step;
}

// Uses ∫ g hₖ φ dz = k^(−½) ∫ hₖ₋₁ φ dg for hₖ = Heₖ / √k!, which needs only the increments of g, also where g jumps.
std::vector<double> hermite_coefficients(const std::vector<double>& g) {
  std::vector<double> coefficients(norta_terms), root(norta_terms + 1);
  for (std::size_t k = 0; k <= norta_terms; ++k) root[k] = std::sqrt(static_cast<double>(k));
  for (std::size_t i = 0; i + 1 < norta_points; ++i) {
    const double z = norta_point(i) + norta_step / 2;
    double before = 0, now = (g[i + 1] - g[i]) * normal_weight(z);  // increment times hₖ₋₂ and hₖ₋₁
    if (now == 0) continue;
    for (std::size_t k = 1; k <= norta_terms; ++k) {
      const double next = z * now - root[k - 1] * before;
      coefficients[k - 1] += now;
      before = now;
      now = next / root[k];
    }
  }
  for (std::size_t k = 1; k <= norta_terms; ++k) coefficients[k - 1] /= root[k];
  return coefficients;
}

// Σ powersₖ ρ^(k + 1)
double power_series(const std::vector<double>& powers, double x) {
  double sum = 0;
  for (std::size_t k = powers.size(); k-- > 0;) sum = (sum + powers[k]) * x;
  return sum;
}

}  // namespace

NortaMarginal::NortaMarginal(const std::function<double(double)>& quantile) : m_standardized(norta_points) {
  double sum = 0, squares = 0, far = 0, weights = 0;
  for (std::size_t i = 0; i < norta_points; ++i) {
    const double u = std::clamp(math::normal_cdf(norta_point(i)), 0x1p-53, 1 - 0x1p-53);
    m_standardized[i] = quantile(u);
    impl::check_parameter(std::isfinite(m_standardized[i]), "variate of a marginal", m_standardized[i],
                          "a finite number");
    const double weight = normal_weight(norta_point(i));
    sum += weight * m_standardized[i];
    weights += weight;
  }
  m_mean = sum / weights;
  for (std::size_t i = 0; i < norta_points; ++i) {
    m_standardized[i] -= m_mean;
    const double square = m_standardized[i] * m_standardized[i] * normal_weight(norta_point(i));
    squares += square;
    if (std::abs(norta_point(i)) > 6) far += square;
  }
  m_deviation = std::sqrt(squares * norta_step);
  if (m_standardized.front() == m_standardized.back()) {
    impl::refuse_parameter("standard deviation of a marginal", "0", "a positive number");
  }
  impl::check_parameter(far <= 0.01 * squares, "share of a marginal's variance in values with a probability below 2e-9",
                        far / squares, "at most 0.01: correlations require a finite variance");
  for (double& x : m_standardized) x /= m_deviation;
  m_coefficients = hermite_coefficients(m_standardized);
}

CorrelationRange NortaMarginal::range_with(const NortaMarginal& other) const {
  const double same = norta_product(m_standardized, other.m_standardized, false);
  const double opposite = norta_product(m_standardized, other.m_standardized, true);
  return {std::min(same, opposite), std::max(same, opposite)};
}

std::vector<double> NortaMarginal::powers_with(const NortaMarginal& other) const {
  const double same = norta_product(m_standardized, other.m_standardized, false);
  const double opposite = norta_product(m_standardized, other.m_standardized, true);
  std::vector<double> powers(norta_powers);
  double odd = (same - opposite) / 2, even = (same + opposite) / 2, odd_weights = 0, even_weights = 0;
  for (std::size_t k = 0; k < norta_powers; ++k) {
    const bool is_odd = k % 2 == 0;  // the power is ρ^(k + 1)
    if (k < norta_terms) {
      powers[k] = m_coefficients[k] * other.m_coefficients[k];
      (is_odd ? odd : even) -= powers[k];
    } else {
      powers[k] = 1 / (static_cast<double>(k + 1) * std::sqrt(static_cast<double>(k + 1)));
      (is_odd ? odd_weights : even_weights) += powers[k];
    }
  }
  for (std::size_t k = norta_terms; k < norta_powers; ++k) {
    powers[k] *= k % 2 == 0 ? odd / odd_weights : even / even_weights;
  }
  return powers;
}

double NortaMarginal::correlation_with(const NortaMarginal& other, double normal) const {
  return power_series(powers_with(other), normal);
}

double NortaMarginal::normal_correlation_with(const NortaMarginal& other, double wanted) const {
  const std::vector<double> powers = powers_with(other);
  const double at_one = power_series(powers, 1), at_minus_one = power_series(powers, -1);
  const double least = std::min(at_one, at_minus_one), most = std::max(at_one, at_minus_one);
  impl::check_parameter(wanted >= least && wanted <= most, "correlation", wanted,
                        "a number from " + impl::number_text(least) + " to " + impl::number_text(most) +
                            ", the range that these distributions allow");
  double low = -1, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    ((power_series(powers, middle) < wanted) == (at_one > at_minus_one) ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

SquareMatrix normal_correlations(std::span<const NortaMarginal> marginals, const SquareMatrix& correlations) {
  const std::size_t d = marginals.size();
  if (correlations.size() != d) {
    impl::refuse_parameter("number of rows of correlations", std::to_string(correlations.size()),
                           "one for each distribution, " + std::to_string(d));
  }
  impl::definite_factor(correlations, "correlations");
  SquareMatrix normals(d);
  for (std::size_t i = 0; i < d; ++i) {
    impl::check_parameter(correlations(i, i) == 1, "correlations[" + std::to_string(i) + "][" + std::to_string(i) + "]",
                          correlations(i, i), "1");
    normals(i, i) = 1;
    for (std::size_t j = 0; j < i; ++j) {
      if (correlations(i, j) == 0) continue;
      try {
        normals(i, j) = normals(j, i) = marginals[i].normal_correlation_with(marginals[j], correlations(i, j));
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("distributions " + std::to_string(j) + " and " + std::to_string(i) + ": " +
                                    error.what());
      }
    }
  }
  try {
    impl::definite_factor(normals, "correlations of the normals");
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("no multivariate normal vector yields these correlations: ") +
                                error.what());
  }
  return normals;
}

}  // namespace sporos
