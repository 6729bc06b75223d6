// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>
#include <sporos/models/inventory/burr_demand.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace sporos::models {

/// The continuous newsvendor of SimOpt: a quantity x is ordered before a day's demand D is known. D has the Burr XII
/// distribution, P(D > d) = (1 + d^α)^(−β). A replication is one day. `Real` is double, or a Dual for derivatives
/// (pathwise.hpp).
template <class Real = double>
struct BasicContinuousNewsvendor {
  static constexpr std::string_view name = "continuous-newsvendor";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "newsvendor with a continuous demand";

  Real quantity;  ///< x, ordered quantity
  Real cost;      ///< c, cost of a unit
  Real price;     ///< p, price of a sold unit
  Real salvage;   ///< s, salvage value of a unit left over
  Real alpha;     ///< α, first shape of the demand
  Real beta;      ///< β, second shape of the demand

  /// Input variables: one draw of the demand.
  enum Input { demand, input_count };

  /// Profit: price of each unit sold plus salvage of each unit left over, less the cost of all units. Lost sales:
  /// demand that was not served. Stock-out: whether there was any; its pathwise derivative is 0, which differs from
  /// that of its mean.
  static constexpr auto response_names = std::array{"profit", "lost sales", "stock-out"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using N = BasicContinuousNewsvendor;
    return std::tuple{
        Parameter<N, Real>{"quantity", &N::quantity, 0.5, "", "quantity ordered", check_non_negative},
        Parameter<N, Real>{"cost", &N::cost, 5.0, "money", "purchase cost of a unit", check_positive},
        Parameter<N, Real>{"price", &N::price, 9.0, "money", "selling price of a unit", check_positive},
        Parameter<N, Real>{"salvage", &N::salvage, 1.0, "money",
                           "salvage value of an unsold unit; negative for a disposal cost", check_finite},
        Parameter<N, Real>{"alpha", &N::alpha, 2.0, "", "first shape parameter of the Burr demand", check_positive},
        Parameter<N, Real>{"beta", &N::beta, 20.0, "", "second shape parameter of the Burr demand", check_positive}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "cntnews-1",
             .title = "order quantity of a newsvendor with a continuous demand",
             .source = "SimOpt, CNTNEWS-1",
             .decisions = {{"quantity", 0, std::numeric_limits<double>::infinity(), 0, "exponential(1)"}},
             .objective = "profit",
             .is_maximized = true,
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 0.463943072902,
                                     .x = {0.187789573303},
                                     .source = "quantile of the Burr distribution"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument if a parameter is out of range, if salvage < cost < price does not hold, or if the
  /// mean demand is infinite.
  void check() const {
    check_parameters(*this);
    check_below("salvage", salvage, "cost", cost);
    check_below("cost", cost, "price", price);
    sporos::impl::check_parameter(alpha * beta > 1, "alpha * beta", alpha * beta,
                                  "a number above 1; otherwise the mean demand is infinite");
  }

  /// Profit lies between its values if no unit or all units are sold.
  ResponseRange response_range(int response) const {
    if (response == 2) return ResponseRange::event();
    return response == 1 ? ResponseRange{.least = 0}
                         : ResponseRange{(salvage - cost) * quantity, (price - cost) * quantity};
  }

  /// Exact expectations, by the incomplete beta function (burr_demand.hpp).
  ExactMeans<BasicContinuousNewsvendor> exact_means() const;

  /// Quantity with the largest mean profit: P(D > x) = (c − s) / (p − s).
  double best_quantity() const {
    return std::pow(std::expm1(std::log((price - salvage) / (cost - salvage)) / beta), 1 / alpha);
  }

  /// One draw.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1}}}; }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 3> operator()(Inputs& inputs) const;
};

/// The newsvendor with plain doubles.
using ContinuousNewsvendor = BasicContinuousNewsvendor<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 3> BasicContinuousNewsvendor<Real>::operator()(
    Inputs& inputs) const {
  using Number = NumberIn<Inputs, Real>;
  // P(D > d) = u for d = (e^z − 1)^(1/α), z = −ln u / β. Computed as a power of e, no intermediate result overflows.
  const Number z = standard_variate<StandardExponential>(inputs(demand)) / beta;
  const Number wanted = math::exp((z + math::log(-math::expm1(-z))) / alpha);
  const Number sold = math::min(wanted, quantity);
  const Number profit = price * sold + salvage * (quantity - sold) - cost * quantity;
  return {{profit, wanted - sold, Number(math::select(wanted > quantity, 1.0, 0.0))}};
}

template <class Real>
ExactMeans<BasicContinuousNewsvendor<Real>> BasicContinuousNewsvendor<Real>::exact_means() const {
  const auto known = [](double mean) { return std::isfinite(mean) ? std::optional(mean) : std::nullopt; };
  const MeanSales sales = burr_mean_sales(alpha, beta, quantity);
  return {known((price - salvage) * sales.sold - (cost - salvage) * quantity), known(sales.lost),
          std::pow(1 + std::pow(quantity, alpha), -beta)};
}

}  // namespace sporos::models
