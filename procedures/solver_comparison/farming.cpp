// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/solver_comparison/farming.hpp>

#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

namespace {

double mean_of_column(std::span<const std::vector<double>> design, std::size_t column) {
  double sum = 0;
  for (const auto& row : design) sum += row[column];
  return sum / static_cast<double>(design.size());
}

// Σ (xᵢ − mean)(yᵢ − mean) of two columns.
double product_of_columns(std::span<const std::vector<double>> design, std::size_t a, std::size_t b) {
  const double mean_a = mean_of_column(design, a), mean_b = mean_of_column(design, b);
  double sum = 0;
  for (const auto& row : design) sum += (row[a] - mean_a) * (row[b] - mean_b);
  return sum;
}

std::vector<std::vector<double>> random_latin_design(std::size_t points, std::size_t factors, DecisionEngine& engine) {
  std::vector<std::vector<double>> design(points, std::vector<double>(factors));
  for (std::size_t factor = 0; factor < factors; ++factor) {
    std::vector<std::size_t> levels(points);
    std::iota(levels.begin(), levels.end(), std::size_t{0});
    shuffle(levels, engine);
    for (std::size_t i = 0; i < points; ++i)
      design[i][factor] = (static_cast<double>(levels[i]) + 0.5) / static_cast<double>(points);
  }
  return design;
}

}  // namespace

double largest_correlation(std::span<const std::vector<double>> design) {
  double greatest = 0;
  for (std::size_t a = 0; a < design.front().size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double scale = std::sqrt(product_of_columns(design, a, a) * product_of_columns(design, b, b));
      greatest = std::max(greatest, std::abs(product_of_columns(design, a, b)) / scale);
    }
  }
  return greatest;
}

std::vector<std::vector<double>> nearly_orthogonal_design(std::size_t points, std::size_t factors, std::uint64_t seed) {
  constexpr int tries = 2000;
  DecisionEngine engine = decision_engine(RandomDecision::search, seed);
  auto best = random_latin_design(points, factors, engine);
  double least = largest_correlation(best);
  for (int i = 1; i < tries && least > 0; ++i) {
    auto next = random_latin_design(points, factors, engine);
    if (const double correlation = largest_correlation(next); correlation < least) {
      least = correlation;
      best = std::move(next);
    }
  }
  return best;
}

std::vector<MainEffect> main_effects(std::span<const std::vector<double>> design, std::span<const double> responses,
                                     double confidence) {
  const std::size_t points = design.size(), factors = design.front().size();
  if (points <= factors)
    throw std::invalid_argument("a design has " + std::to_string(factors) + " factors and " + std::to_string(points) +
                                " points, expected fewer factors than points");
  SquareMatrix products(factors);
  for (std::size_t a = 0; a < factors; ++a) {
    for (std::size_t b = 0; b < factors; ++b) products(a, b) = product_of_columns(design, a, b);
  }
  const auto inverse = inverse_of_definite(products);
  if (!inverse) throw std::invalid_argument("the factors of a design are linearly dependent");
  const auto n = static_cast<double>(points);
  const double mean = std::accumulate(responses.begin(), responses.end(), 0.0) / n;
  std::vector<double> means, with_response, slopes(factors, 0.0);
  for (std::size_t a = 0; a < factors; ++a) {
    means.push_back(mean_of_column(design, a));
    double sum = 0;
    for (std::size_t i = 0; i < points; ++i) sum += (design[i][a] - means[a]) * (responses[i] - mean);
    with_response.push_back(sum);
  }
  for (std::size_t a = 0; a < factors; ++a) {
    for (std::size_t b = 0; b < factors; ++b) slopes[a] += (*inverse)(a, b) * with_response[b];
  }
  double squares = 0;
  for (std::size_t i = 0; i < points; ++i) {
    double residual = responses[i] - mean;
    for (std::size_t a = 0; a < factors; ++a) residual -= slopes[a] * (design[i][a] - means[a]);
    squares += residual * residual;
  }
  const auto degrees = static_cast<std::int64_t>(points - factors) - 1;
  const double variance =
      degrees > 0 ? squares / static_cast<double>(degrees) : std::numeric_limits<double>::quiet_NaN();
  std::vector<MainEffect> found;
  for (std::size_t a = 0; a < factors; ++a) {
    const double critical = degrees > 0 ? student_t(confidence, degrees + 1) : 0;
    found.push_back({slopes[a], critical * std::sqrt(variance * (*inverse)(a, a))});
  }
  return found;
}

}  // namespace sporos
