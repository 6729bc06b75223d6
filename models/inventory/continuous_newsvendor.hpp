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
#include <string>
#include <vector>

namespace sporos::models {

/// A newsvendor orders any quantity x before a day's demand D is known, P(D > d) = (1 + d^α)^(−β) (Burr's distribution
/// XII): the continuous newsvendor of SimOpt. A replication is one day. `Real` is double, or a Dual where derivatives
/// are wanted (pathwise.hpp).
template <class Real = double>
struct BasicContinuousNewsvendor {
  static constexpr std::string_view name = "continuous-newsvendor";  ///< on the command line
  static constexpr std::string_view title = "newsvendor with a continuous demand: how much to order";  ///< in lists

  Real quantity;  ///< x, ordered
  Real cost;      ///< c of a unit
  Real price;     ///< p at which one is sold
  Real salvage;   ///< s for one that is left over
  Real alpha;     ///< α of the demand
  Real beta;      ///< β of the demand

  /// Input variables. Draws: one.
  enum Input { demand, input_count };

  /// Profit: price for each unit sold and salvage for each left over, less the cost of all. Lost sales: demand that was
  /// not served. Stock-out: whether there was any; its pathwise derivative is 0, which is not that of its mean.
  static constexpr auto response_names = std::array{"profit", "lost sales", "stock-out"};

  /// The parameters, described.
  static constexpr auto parameters() {
    using N = BasicContinuousNewsvendor;
    return std::tuple{Parameter<N, Real>{"quantity", &N::quantity, 0.5, "", "ordered", check_non_negative},
                      Parameter<N, Real>{"cost", &N::cost, 5.0, "money", "of a unit", check_positive},
                      Parameter<N, Real>{"price", &N::price, 9.0, "money", "at which one is sold", check_positive},
                      Parameter<N, Real>{"salvage", &N::salvage, 1.0, "money",
                                         "for one left over; negative where it costs", check_finite},
                      Parameter<N, Real>{"alpha", &N::alpha, 2.0, "", "first shape of the demand", check_positive},
                      Parameter<N, Real>{"beta", &N::beta, 20.0, "", "second shape of the demand", check_positive}};
  }

  /// What is optimized over it.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "cntnews-1",
             .title = "quantity of a newsvendor with a continuous demand",
             .source = "SimOpt, CNTNEWS-1",
             .decisions = {{"quantity", 0, std::numeric_limits<double>::infinity(), 0, "exponential(1)"}},
             .objective = "profit",
             .is_maximized = true,
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 0.463943072902,
                                     .x = {0.187789573303},
                                     .source = "quantile of Burr's distribution"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument for parameters out of range, prices that are not salvage < cost < price, and a demand
  /// without a mean.
  void check() const {
    check_parameters(*this);
    check_below("salvage", salvage, "cost", cost);
    check_below("cost", cost, "price", price);
    sporos::impl::check_parameter(alpha * beta > 1, "alpha * beta", alpha * beta,
                                  "a number above 1, otherwise the mean demand is infinite");
  }

  /// Nothing sold or all.
  ResponseRange response_range(int response) const {
    if (response == 2) return ResponseRange::event();
    return response == 1 ? ResponseRange{.least = 0}
                         : ResponseRange{(salvage - cost) * quantity, (price - cost) * quantity};
  }

  /// By the incomplete beta function (burr_demand.hpp).
  ExactMeans<BasicContinuousNewsvendor> exact_means() const;

  /// The quantity with the largest mean profit: P(D > x) = (c − s) / (p − s).
  double best_quantity() const {
    return std::pow(std::expm1(std::log((price - salvage) / (cost - salvage)) / beta), 1 / alpha);
  }

  /// One.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1}}}; }

  /// In lanes, too.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// One replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 3> operator()(Inputs& inputs) const;
};

/// The newsvendor in plain numbers.
using ContinuousNewsvendor = BasicContinuousNewsvendor<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 3> BasicContinuousNewsvendor<Real>::operator()(
    Inputs& inputs) const {
  using Number = NumberIn<Inputs, Real>;
  // P(D > d) = u where d = (e^z − 1)^(1/α), z = −ln u / β; as a power of e, no step of it overflows.
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
