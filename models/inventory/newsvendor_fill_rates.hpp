// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/models/inventory/newsvendor_prices.hpp>
#include <sporos/models/inventory/product_demand.hpp>

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

/// Fill-rate constraints of a newsvendor with many products.
namespace sporos::models {

/// Constraints on the demand that is met immediately: Σ_j w_ij E min(x_j, D_j) >= β_i Σ_j w_ij E D_j for each i.
struct NewsvendorFillRates {
  std::vector<double> least;    ///< β, one per constraint
  std::vector<double> weights;  ///< w, constraint by constraint: weight of a unit of each product

  /// Number of constraints.
  std::int64_t size() const { return static_cast<std::int64_t>(least.size()); }

  /// Throws std::invalid_argument if there is no constraint, the weights are not one per constraint and product, a
  /// weight is negative or not finite, or β is not between 0 and 1.
  void check(std::int64_t products) const;

  /// Largest weighted demand that may be lost, (1 − β_i) Σ_j w_ij E D_j.
  std::vector<double> max_lost(const NewsvendorProducts& products) const;
};

/// Fill rates for generated_newsvendor, each at least `least`. The weights are uniform on (0.5, 1.5). They are drawn
/// from Philox, input variable 3, draw i of the replication of product j.
inline NewsvendorFillRates generated_fill_rates(std::uint64_t seed, std::int64_t products, std::int64_t rates,
                                                double least) {
  check_positive_integer("number of products", products);
  check_positive_integer("number of fill rates", rates);
  NewsvendorFillRates made{std::vector<double>(static_cast<std::size_t>(rates), least), {}};
  for (std::int64_t i = 0; i < rates; ++i) {
    for (std::int64_t j = 0; j < products; ++j)
      made.weights.push_back(impl::generated(seed, 3, j, static_cast<std::uint64_t>(i), 0.5, 1.5));
  }
  return made;
}

/// Solution with the smallest expected cost under fill rates.
struct FillRateOptimum {
  std::vector<double> quantities;   ///< x
  std::vector<double> multipliers;  ///< λ >= 0: saving per additional lost unit of weight 1
};

/// Minimum of the newsvendor's f over {x >= 0} under `rates`, computed on the host through the dual. For multipliers λ,
/// a missing unit costs v_j + Σ_i λ_i w_ij, and each product's best quantity is its critical quantile. The gradient of
/// the dual is the weighted loss beyond max_lost(). Projected Newton steps make it 0 (Bertsekas: SIAM J. Control
/// Optim. 20, 1982). Demands are continuous. @throws std::invalid_argument if the
/// `check()` of an argument does, std::runtime_error if the steps do not converge.
FillRateOptimum fill_rate_optimum(const NewsvendorProducts& products, const NewsvendorFillRates& rates);

inline void NewsvendorFillRates::check(std::int64_t products) const {
  check_positive_integer("number of fill rates", size());
  impl::check_length("weights", weights.size(), least.size() * static_cast<std::size_t>(products),
                     "one for each fill rate and product");
  for (std::size_t i = 0; i < least.size(); ++i) {
    sporos::impl::check_parameter(least[i] > 0 && least[i] < 1, sporos::impl::element_name("fill rate", i), least[i],
                                  "a number between 0 and 1");
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i])))
      check_non_negative(sporos::impl::element_name("weight", i), weights[i]);
  }
}

inline std::vector<double> NewsvendorFillRates::max_lost(const NewsvendorProducts& products) const {
  std::vector<double> most;
  const std::size_t count = products.demand.size();
  for (std::size_t i = 0; i < least.size(); ++i) {
    double demand = 0;
    for (std::size_t j = 0; j < count; ++j) demand += weights[i * count + j] * products.demand[j].mean();
    most.push_back((1 - least[i]) * demand);
  }
  return most;
}

namespace impl {

/// The dual problem of fill_rate_optimum.
class FillRateDual {
 public:
  /// The dual at given multipliers: its value, its gradient, the quantities, and the negative Hessian.
  struct Point {
    double value = 0;
    std::vector<double> gradient, quantities;
    SquareMatrix curvature;
  };

  FillRateDual(const NewsvendorProducts& products, const NewsvendorFillRates& rates)
      : m_products(products), m_rates(rates), m_demands(products.demand), m_max(rates.max_lost(products)) {}

  Point at(const std::vector<double>& multipliers) const {
    const std::size_t m = multipliers.size(), count = m_products.cost.size();
    Point found{0, {}, {}, SquareMatrix(m)};
    for (std::size_t i = 0; i < m; ++i) {
      found.gradient.push_back(-m_max[i]);
      found.value -= multipliers[i] * m_max[i];
    }
    for (std::size_t j = 0; j < count; ++j) {
      const auto& [cost, holding, price, demand] = m_products;
      double missing = price[j];
      for (std::size_t i = 0; i < m; ++i) missing += multipliers[i] * weight(i, j);
      const AnyDemand& of = m_demands.view()(j);
      const double x = critical_quantile(missing - cost[j], holding[j], missing, of);
      const double over = of.cdf_integral(x), lost = over + demand[j].mean() - x;
      found.quantities.push_back(x);
      found.value += cost[j] * x + holding[j] * over + missing * lost;
      const double step = 1e-4 * (std::abs(x) + 1), met = of.cdf(x);
      const double density = (of.cdf(x + step) - of.cdf(x - step)) / (2 * step);
      const double gain = x > 0 && density > 0 ? (1 - met) * (1 - met) / (density * (holding[j] + missing)) : 0;
      for (std::size_t i = 0; i < m; ++i) {
        found.gradient[i] += weight(i, j) * lost;
        for (std::size_t l = 0; l <= i; ++l) found.curvature(i, l) += gain * weight(i, j) * weight(l, j);
      }
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t l = 0; l < i; ++l) found.curvature(l, i) = found.curvature(i, l);
    }
    return found;
  }

  /// Newton step of the multipliers that are not held at 0. The diagonal is increased a little to keep the matrix
  /// definite.
  std::vector<double> step(const Point& point, const std::vector<double>& multipliers) const {
    const std::size_t m = multipliers.size();
    SquareMatrix matrix(m);
    const auto is_held = [&](std::size_t i) { return multipliers[i] == 0 && point.gradient[i] <= 0; };
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t l = 0; l < m; ++l)
        matrix(i, l) = is_held(i) || is_held(l) ? 0 : point.curvature(i, l) * (i == l ? 1 + 1e-9 : 1);
      if (is_held(i) || matrix(i, i) == 0) matrix(i, i) = 1;
    }
    std::vector<double> step(m);
    const auto inverse = inverse_of_definite(matrix);
    for (std::size_t i = 0; i < m; ++i) {
      if (is_held(i)) continue;
      if (!inverse) step[i] = point.gradient[i] / matrix(i, i) / static_cast<double>(m);
      for (std::size_t l = 0; inverse && l < m; ++l) step[i] += is_held(l) ? 0 : (*inverse)(i, l) * point.gradient[l];
    }
    return step;
  }

  /// Largest violation of the optimality conditions, relative to max_lost().
  double error(const Point& point, const std::vector<double>& multipliers) const {
    double worst = 0;
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
      const double excess = multipliers[i] > 0 ? std::abs(point.gradient[i]) : point.gradient[i];
      worst = std::max(worst, excess / m_max[i]);
    }
    return worst;
  }

 private:
  double weight(std::size_t i, std::size_t j) const { return m_rates.weights[i * m_products.cost.size() + j]; }

  const NewsvendorProducts& m_products;
  const NewsvendorFillRates& m_rates;
  ProductDemands<AnyDemand, Kokkos::HostSpace> m_demands;
  std::vector<double> m_max;
};

}  // namespace impl

inline FillRateOptimum fill_rate_optimum(const NewsvendorProducts& products, const NewsvendorFillRates& rates) {
  products.check();
  rates.check(products.size());
  const impl::FillRateDual dual(products, rates);
  std::vector<double> multipliers(rates.least.size());
  auto point = dual.at(multipliers);
  constexpr int max_steps = 200;
  for (int k = 0; k < max_steps && dual.error(point, multipliers) > 1e-11; ++k) {
    const std::vector<double> step = dual.step(point, multipliers);
    bool is_better = false;
    for (double part = 1; !is_better && part > 1e-12; part /= 2) {
      std::vector<double> next = multipliers;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::max(0.0, next[i] + part * step[i]);
      auto there = dual.at(next);
      is_better = there.value > point.value || dual.error(there, next) < dual.error(point, multipliers);
      if (is_better) multipliers = std::move(next), point = std::move(there);
    }
    if (!is_better) break;
  }
  if (!(dual.error(point, multipliers) < 1e-8)) {
    throw std::runtime_error(fmt::format(
        "the quantities found miss the fill rates by a relative error of {:.1g}, expected less than 1e-08: check that "
        "demands and costs have a similar scale",
        dual.error(point, multipliers)));
  }
  return {std::move(point.quantities), std::move(multipliers)};
}

}  // namespace sporos::models
