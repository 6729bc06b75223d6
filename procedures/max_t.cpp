// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/linear_algebra/cholesky.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/procedures/max_t.hpp>

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/roots.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace sporos {

namespace {

using Rows = std::vector<std::vector<double>>;

// Scalar product over the columns that both rows have.
double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin(),
                            0.0);
}

// Rows whose scalar products are the covariances.
Rows factor_of(const SquareMatrix& covariance) {
  constexpr double rounding = 1e-10, tolerance = 1e-6;
  const std::size_t size = covariance.size();
  const CholeskyFactor factor = cholesky_factor(covariance.entries(), size, rounding, tolerance);
  const auto is_variance = [](double left) { return std::isfinite(left) && left >= 0; };
  bool is_valid = !factor.unexplained;
  for (std::size_t i = 0; i < size; ++i) is_valid = is_valid && is_variance(covariance(i, i));
  if (!is_valid) throw std::invalid_argument("the covariance matrix must be finite and positive semidefinite");
  Rows rows(size);
  for (std::size_t k = 0; k < factor.pivots.size(); ++k) {
    for (std::size_t i = factor.pivots[k]; i < size; ++i) rows[i].push_back(factor.columns[k * size + i]);
  }
  return rows;
}

// A contrast with positive variance, and the inverse of its standard deviation.
struct Scaled {
  Contrast contrast;
  double scale;
};

std::vector<Scaled> scaled(std::span<const Contrast> contrasts, const Rows& factor) {
  constexpr double rounding = 1e-10;
  std::vector<Scaled> varying;
  for (const Contrast& contrast : contrasts) {
    const auto& first = factor.at(contrast.first);
    double variance = product(first, first), magnitude = variance;
    if (contrast.second) {
      const auto& second = factor.at(*contrast.second);
      const double other = product(second, second);
      variance += other - 2 * product(first, second);
      magnitude += other;
    }
    if (variance > rounding * magnitude) varying.push_back({contrast, 1 / std::sqrt(variance)});
  }
  return varying;
}

// For many random unit vectors, the largest cosine of the angle with one of the contrasts or its opposite, in ascending
// order. Neighbours are averaged, so that functions of the result are smooth.
std::vector<double> largest_cosines(const Rows& factor, const std::vector<Scaled>& contrasts, std::size_t rank) {
  constexpr std::size_t count = 1 << 16, neighbours = 256;
  std::vector<double> largest(count), z(rank), estimates(factor.size());
  for (std::size_t i = 0; i < count; ++i) {
    fill_standard_normals(Stream{0, i, 0xfffdu}, 0, static_cast<std::int64_t>(rank), z.data());
    for (std::size_t e = 0; e < factor.size(); ++e) estimates[e] = product(factor[e], z);
    double most = 0;
    for (const auto& [contrast, scale] : contrasts) {
      const double second = contrast.second ? estimates[*contrast.second] : 0;
      most = std::max(most, std::abs(estimates[contrast.first] - second) * scale);
    }
    largest[i] = std::min(1.0, most / std::sqrt(product(z, z)));
  }
  std::sort(largest.begin(), largest.end());
  std::vector<double> means;
  for (auto first = largest.begin(); first != largest.end(); first += neighbours) {
    means.push_back(std::accumulate(first, first + neighbours, 0.0) / neighbours);
  }
  return means;
}

}  // namespace

double max_t_confidence(const SquareMatrix& covariance, std::span<const Contrast> contrasts, double degrees_of_freedom,
                        double confidence) {
  const Rows factor = factor_of(covariance);
  std::size_t rank = 0;
  for (const auto& row : factor) rank = std::max(rank, row.size());
  const std::vector<Scaled> varying = scaled(contrasts, factor);
  if (varying.size() < 2) return confidence;

  // Z|² / (rank S²) has the F distribution, whatever the direction. Doubles are used because long doubles take four
  // times as long.
  const auto cosines = largest_cosines(factor, varying, rank);
  using Doubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::fisher_f_distribution<double, Doubles> length(static_cast<double>(rank), degrees_of_freedom);
  const auto excess = [&](double t) {
    double sum = 0;
    for (const double cosine : cosines) {
      sum += boost::math::cdf(length, t * t / (cosine * cosine * static_cast<double>(rank)));
    }
    return sum / static_cast<double>(cosines.size()) - confidence;
  };
  const boost::math::students_t student(degrees_of_freedom);
  const auto t_of = [&](double level) { return boost::math::quantile(boost::math::complement(student, level / 2)); };
  const auto count = static_cast<double>(varying.size());
  std::uintmax_t steps = 60;
  const auto is_close = [](double low, double high) { return high - low <= 1e-7 * high; };
  const auto [low, high] = boost::math::tools::toms748_solve(excess, 0.9 * t_of(1 - confidence),
                                                             1.1 * t_of((1 - confidence) / count), is_close, steps);
  return 1 - 2 * boost::math::cdf(boost::math::complement(student, 0.5 * (low + high)));
}

}  // namespace sporos
