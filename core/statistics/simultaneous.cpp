// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/simultaneous.hpp>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/roots.hpp>

#include <algorithm>
#include <cmath>

namespace sporos {

double bonferroni_confidence(double confidence, std::int64_t count) {
  return 1 - (1 - confidence) / static_cast<double>(count);
}

double sidak_confidence(double confidence, std::int64_t count) {
  return std::pow(confidence, 1 / static_cast<double>(count));
}

namespace {

// Computes an integral by Gauss–Legendre quadrature, with 20 nodes in each of `pieces` equal pieces of [from, to].
template <class Function>
double integral(const Function& function, double from, double to, int pieces) {
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    sum += boost::math::quadrature::gauss<double, 20>::integrate(function, from + (to - from) * i / pieces,
                                                                 from + (to - from) * (i + 1) / pieces);
  }
  return sum;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// Returns P(range <= width) of `groups` standard normals: k ∫ φ(x) (Φ(x) − Φ(x − width))^(k − 1) dx over the largest x.
double range_probability(double width, std::int64_t groups) {
  constexpr double pi = 3.14159265358979323846, end = 8.5;  // Φ(−8.5) < 1e-17
  const auto density = [&](double largest) {
    const double others = normal_cdf(largest) - normal_cdf(largest - width);
    return std::exp(-0.5 * largest * largest) * std::pow(others, static_cast<double>(groups - 1));
  };
  return static_cast<double>(groups) / std::sqrt(2 * pi) * integral(density, -end, end, 4);
}

}  // namespace

double studentized_range_probability(double range, std::int64_t groups, double degrees_of_freedom) {
  if (!(range > 0)) return 0;
  constexpr double rest = 1e-12;  // probability that is left out at each end
  const boost::math::chi_squared chi_squared(degrees_of_freedom);
  const auto log_of_scale = [&](double square) { return 0.5 * std::log(square / degrees_of_freedom); };
  const double least = log_of_scale(boost::math::quantile(chi_squared, rest)),
               most = log_of_scale(boost::math::quantile(boost::math::complement(chi_squared, rest)));
  // The scale is logarithmic, because the integrand varies fast at small scales if ν is small.
  const auto at_scale = [&](double log_scale) {
    const double scale = std::exp(log_scale), square = degrees_of_freedom * scale * scale;
    return boost::math::pdf(chi_squared, square) * 2 * square * range_probability(range * scale, groups);
  };
  return std::clamp(integral(at_scale, least, most, 10), 0.0, 1.0);
}

double studentized_range(double confidence, std::int64_t groups, double degrees_of_freedom) {
  const auto excess = [&](double range) {
    return studentized_range_probability(range, groups, degrees_of_freedom) - confidence;
  };
  double most = 4;
  while (excess(most) < 0) most *= 2;
  std::uintmax_t steps = 100;
  const auto is_close = [](double low, double high) { return high - low <= 1e-9 * high; };
  const auto [low, high] = boost::math::tools::toms748_solve(excess, 0.0, most, is_close, steps);
  return 0.5 * (low + high);
}

}  // namespace sporos
