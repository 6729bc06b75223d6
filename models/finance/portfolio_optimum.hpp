// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace sporos::models {

/// Whether the whole budget of 1 must be invested.
enum class BudgetRule {
  at_most_one,  ///< {w >= 0, Σ wⱼ <= 1}
  one           ///< {w >= 0, Σ wⱼ = 1}
};

/// Solution of the portfolio problem.
struct PortfolioOptimum {
  std::vector<double> weights;  ///< w*
  double multiplier;  ///< multiplier λ of the budget: σⱼ² wⱼ − μⱼ + λ >= 0 for all j, with equality if wⱼ > 0
  double value;       ///< f(w*)
};

namespace impl {

// Finds the weights max(0, t − δⱼ) / σⱼ², δⱼ = max μ − μⱼ, and the t for which they add up to 1, without cancellation.
// Once t reaches the δⱼ of a riskless asset, that asset takes the rest. Returns the multiplier max μ − t.
inline double fill_whole_budget(const NormalReturns& returns, std::vector<double>& weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto& mean = returns.means;
  const auto& deviation = returns.deviations;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return mean[i] > mean[j]; });
  const double largest = mean[order.front()];
  double precision = 0, cost = 0;  // Σ 1/σⱼ², Σ δⱼ/σⱼ²
  double t = std::numeric_limits<double>::infinity();
  std::size_t taken = 0, riskless = weights.size();
  for (; taken < order.size(); ++taken) {
    const std::size_t j = order[taken];
    const double delta = largest - mean[j], variance = deviation[j] * deviation[j];
    if (delta >= t) break;
    if (variance == 0) {
      t = delta;
      riskless = j;
      break;
    }
    precision += 1 / variance;
    cost += delta / variance;
    t = (1 + cost) / precision;
  }
  double left = 1;
  for (std::size_t i = 0; i < taken; ++i) {
    const std::size_t j = order[i];
    weights[j] = (t - (largest - mean[j])) / (deviation[j] * deviation[j]);
    left -= weights[j];
  }
  if (riskless < weights.size()) weights[riskless] = left;
  return largest - t;
}

}  // namespace impl

/// Exact minimum of f(w) = ½ wᵀΣw − wᵀμ for a diagonal Σ, by its KKT conditions: wⱼ = max(0, μⱼ − λ) / σⱼ². λ is the
/// value that meets the budget, or 0 if it is best to leave part of the budget. O(d log d). Throws
/// std::invalid_argument in the same cases as NormalReturns::check, also if the returns have common factors.
inline PortfolioOptimum best_diagonal_portfolio(const NormalReturns& returns,
                                                BudgetRule budget = BudgetRule::at_most_one) {
  returns.check();
  if (returns.factors() > 0) {
    throw std::invalid_argument(
        fmt::format("number of common factors is {}, expected 0: a diagonal covariance", returns.factors()));
  }
  PortfolioOptimum best{std::vector<double>(returns.means.size(), 0.0), 0, 0};
  best.multiplier = impl::fill_whole_budget(returns, best.weights);
  if (budget == BudgetRule::at_most_one && best.multiplier < 0) {
    best.multiplier = 0;
    for (std::size_t j = 0; j < best.weights.size(); ++j) {
      const double variance = returns.deviations[j] * returns.deviations[j];
      best.weights[j] = returns.means[j] > 0 ? returns.means[j] / variance : 0.0;
    }
  }
  best.value = returns.objective(best.weights);
  return best;
}

}  // namespace sporos::models
