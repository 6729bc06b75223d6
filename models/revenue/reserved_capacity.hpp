// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// A capacity is sold in three periods at rising prices, and parts of it are reserved for later periods (RMITD of
/// SimOpt). The demand of period t is mₜ X Eₜ with mean mₜ. The Eₜ are independent and exponential with mean 1. The
/// common factor X has a gamma distribution with mean 1 and makes the demands dependent. `Real` is double or a Dual
/// (pathwise.hpp). Revenue is continuous in capacity and reserves, so pathwise derivatives are unbiased.
template <class Real = double>
struct BasicReservedCapacity {
  static constexpr std::string_view name = "reserved-capacity";  ///< name on the command line
  static constexpr std::string_view title =
      "capacity sold over three periods, with reserves for later periods";  ///< title in lists

  Real capacity;   ///< capacity bought at the start
  Real reserve_2;  ///< part of the capacity not sold before period 2
  Real reserve_3;  ///< part of the capacity not sold before period 3
  double cost;     ///< cost of a unit of capacity
  double price_1;  ///< price of a unit in period 1
  double price_2;  ///< price of a unit in period 2
  double price_3;  ///< price of a unit in period 3
  double mean_1;   ///< mean demand of period 1
  double mean_2;   ///< mean demand of period 2
  double mean_3;   ///< mean demand of period 3
  double shape;    ///< shape of the distribution of X

  /// Input variables: `common` for the factor X, `own` for the exponential variates Eₜ.
  enum Input { common, own, input_count };

  /// Sales minus the cost of capacity, and units left unsold.
  static constexpr auto response_names = std::array{"revenue", "unsold"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using R = BasicReservedCapacity;
    const auto amount = [](std::string_view parameter, Real R::*member, double default_value,
                           std::string_view meaning) {
      return Parameter<R, Real>{parameter, member, default_value, "", meaning, check_non_negative};
    };
    const auto number = [](std::string_view parameter, double R::*member, double default_value,
                           std::string_view meaning) {
      return Parameter<R, double>{parameter, member, default_value, "", meaning, check_positive};
    };
    constexpr auto check_shape = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 0.1 && value <= 1e4, parameter, value, "a number from 0.1 to 10000");
    };
    return std::tuple{
        amount("capacity", &R::capacity, 100, "units of capacity bought at the start"),
        amount("reserve_2", &R::reserve_2, 50, "units reserved for periods 2 and 3, at most capacity"),
        amount("reserve_3", &R::reserve_3, 30, "units reserved for period 3, at most reserve_2"),
        number("cost", &R::cost, 80, "cost of a unit of capacity"),
        number("price_1", &R::price_1, 100, "price of a unit in period 1"),
        number("price_2", &R::price_2, 300, "price of a unit in period 2"),
        number("price_3", &R::price_3, 400, "price of a unit in period 3"),
        number("mean_1", &R::mean_1, 50, "mean demand of period 1"),
        number("mean_2", &R::mean_2, 20, "mean demand of period 2"),
        number("mean_3", &R::mean_3, 30, "mean demand of period 3"),
        Parameter<R, double>{"shape", &R::shape, 1.0, "", "shape of the common factor of the demands", check_shape}};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {
        {.name = "rmitd-1",
         .title = "capacity for three periods and reserves for later periods",
         .source = "SimOpt, RMITD-1, whose simulation omits period 1",
         .decisions = {{"capacity", 0, infinity, 100}, {"reserve_2", 0, infinity, 50}, {"reserve_3", 0, infinity, 30}},
         .objective = "revenue",
         .is_maximized = true,
         .constraints = {"reserve_2 <= capacity", "reserve_3 <= reserve_2"},
         .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                 .value = 5901.10834058,
                                 .x = {75.5774760, 69.9341271, 16.8534453},
                                 .source = "quadrature"},
         .is_smooth = true,
         .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument if a parameter is out of range, reserve_2 exceeds capacity or reserve_3 exceeds
  /// reserve_2.
  void check() const {
    check_parameters(*this);
    constexpr double rounding = 1e-9;  // relative tolerance for rounding errors of projected points
    check_not_above("reserve_2", value_of(reserve_2) * (1 - rounding), "capacity", value_of(capacity));
    check_not_above("reserve_3", value_of(reserve_3) * (1 - rounding), "reserve_2", value_of(reserve_2));
  }

  /// Range of a response: at worst nothing is sold, at best everything at the highest price.
  ResponseRange response_range(int response) const {
    const double most = value_of(capacity), best = std::max({price_1, price_2, price_3});
    return response == 1 ? ResponseRange{0, most} : ResponseRange{-cost * most, (best - cost) * most};
  }

  /// Returns both exact means by quadrature over X.
  ExactMeans<BasicReservedCapacity> exact_means() const;

  /// Number of draws of each input variable: one for X, three for the Eₜ.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{1}, {3}}}; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 2> operator()(Inputs& inputs) const {
    using Number = NumberIn<Inputs, Real>;
    const double x = gamma(inputs(common), shape, 1 / shape);
    Number left = capacity, sales = 0;
    const auto sell = [&](const Real& reserve, double price, double mean) {
      const double wanted = x * exponential_by_mean(inputs(own), mean);
      const Number sold = math::min(math::max(left - reserve, Number(0)), Number(wanted));
      left -= sold;
      sales += price * sold;
    };
    sell(reserve_2, price_1, mean_1);
    sell(reserve_3, price_2, mean_2);
    sell(Real(0), price_3, mean_3);
    return {{Number(sales - cost * capacity), left}};
  }

 private:
  // Returns the mean sales of the three periods given X.
  Kokkos::Array<double, 3> mean_sales(double x) const;
};

/// The model with double parameters.
using ReservedCapacity = BasicReservedCapacity<>;

namespace impl {

// Returns e^−shift ∫ e^(−rate d) dd from 0 to `end`, without overflow of an exponential.
inline double shifted_integral(double shift, double rate, double end) {
  const double size = std::abs(rate), part = size * end < 1e-12 ? end : -std::expm1(-size * end) / size;
  return std::exp(rate >= 0 ? -shift : size * end - shift) * part;
}

}  // namespace impl

// Given X, the mean demands of the periods are a, b and c. Period 1 sells at most o units and leaves L units; r₃ is
// reserve_3. The mean sales of periods 1 and 2 are E min(D₁, o) and E min(L − r₃, D₂). Integration over D₂ gives the
// mean sales of period 3: c − c e^(−r₃ / c) B − c² / (c − b) (C − e^(−r₃ / c) B), where B = E e^(−(L − r₃) / b) and
// C = E e^(−L / c).
template <class Real>
Kokkos::Array<double, 3> BasicReservedCapacity<Real>::mean_sales(double x) const {
  constexpr double apart = 1e-6;  // smallest relative difference of mean_2 and mean_3 at which the formula is stable
  const double all = value_of(capacity), reserved = value_of(reserve_3);
  const double open = std::max(all - value_of(reserve_2), 0.0), a = mean_1 * x, b = mean_2 * x;
  const double c = std::abs(mean_3 / mean_2 - 1) < apart ? b * (1 + apart) : mean_3 * x;
  const double at_end = -open / a;
  const double of_b = impl::shifted_integral((all - reserved) / b, 1 / a - 1 / b, open) / a +
                      std::exp(at_end - (all - reserved - open) / b);
  const double of_c = impl::shifted_integral(all / c, 1 / a - 1 / c, open) / a + std::exp(at_end - (all - open) / c);
  const double kept = std::exp(-reserved / c) * of_b;
  return {{-a * std::expm1(at_end), b * (1 - of_b), c - c * kept - c * c / (c - b) * (of_c - kept)}};
}

// Uses the trapezoidal rule over ln X. For such integrands, its error decreases exponentially as the step shrinks.
template <class Real>
ExactMeans<BasicReservedCapacity<Real>> BasicReservedCapacity<Real>::exact_means() const {
  const double k = shape, step = 0.02 * std::min(1 / std::sqrt(k), 1.0);
  double mass = 0, units = 0, money = 0;
  for (double s = -40 * std::max(1 / std::sqrt(k), 1 / k); s < 8 / std::sqrt(k) + 4; s += step) {
    const double x = std::exp(s), density = std::exp(k * (s - x + 1));
    if (density < 1e-20) continue;
    const auto sold = mean_sales(x);
    mass += density;
    units += density * (sold[0] + sold[1] + sold[2]);
    money += density * (price_1 * sold[0] + price_2 * sold[1] + price_3 * sold[2]);
  }
  const double all = value_of(capacity);
  return {money / mass - cost * all, all - units / mass};
}

}  // namespace sporos::models
