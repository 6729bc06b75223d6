// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/finance/lognormal_call.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace sporos::models {

/// A call option on the arithmetic mean of a price at n equally spaced times up to maturity, under the model of Black
/// and Scholes. Its expectation has no closed form. The option on the geometric mean along the same path has one, and
/// serves as the control variate of Kemna and Vorst (J. Banking and Finance 14, 1990).
struct AsianCall {
  static constexpr std::string_view name = "asian-call";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "arithmetic Asian call option under the Black-Scholes model";

  double spot;         ///< price at the beginning, > 0
  double strike;       ///< > 0
  double rate;         ///< r, per unit of time
  double volatility;   ///< σ > 0, per square root of a unit of time
  double maturity;     ///< T > 0, in units of time
  std::int64_t times;  ///< n, number of times whose prices are averaged

  /// The only input variable: increments of the Brownian motion, one draw per time.
  enum Input { increment, input_count };

  /// Name of the response, a discounted payoff.
  static constexpr auto response_names = std::array{"payoff"};

  /// Name of the control variate built from the input variable.
  static constexpr auto control_names = std::array{"increments"};
  /// Name of a further output whose expectation is known (core/replication/with_controls.hpp).
  static constexpr auto known_names = std::array{"payoff by the geometric mean"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using C = AsianCall;
    return std::tuple{
        Parameter<C, double>{"spot", &C::spot, 100.0, "", "initial price of the asset", check_positive},
        Parameter<C, double>{"strike", &C::strike, 100.0, "", "strike price of the option", check_positive},
        Parameter<C, double>{"rate", &C::rate, 0.05, "1/time", "interest rate", check_finite},
        Parameter<C, double>{"volatility", &C::volatility, 0.2, "1/sqrt(time)", "volatility of the price",
                             check_positive},
        Parameter<C, double>{"maturity", &C::maturity, 1.0, "time", "time at which the option expires", check_positive},
        Parameter<C, std::int64_t>{"times", &C::times, 12, "",
                                   "number of equally spaced times whose prices are averaged", check_steps}};
  }

  /// Throws std::invalid_argument for parameters out of range.
  void check() const { check_parameters(*this); }

  /// A payoff is not negative.
  ResponseRange response_range(int) const { return {.least = 0}; }

  /// Most draws are transformed by the normal quantile.
  static constexpr auto draw_transform = DrawTransform::quantile;

  /// One draw per time.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{times}}}; }

  /// Expected discounted payoff with the geometric mean, whose logarithm is normal with mean log S(0) + (r − σ²/2) T
  /// (n + 1)/(2n) and variance σ² T (n + 1)(2n + 1)/(6n²).
  std::array<double, 1> known_means() const {
    const auto n = static_cast<double>(times);
    const double drift = (rate - volatility * volatility / 2) * maturity * (n + 1) / (2 * n);
    const double spread = volatility * std::sqrt(maturity * (n + 1) * (2 * n + 1) / (6 * n * n));
    return {std::exp(-rate * maturity) * mean_lognormal_call(spot, strike, drift, spread)};
  }

  /// Simulates one replication: the response, and the output whose mean is known.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> with_known(Inputs& inputs) const {
    const double step = maturity / static_cast<double>(times), deviation = volatility * math::sqrt(step);
    const double drift = (rate - 0.5 * volatility * volatility) * step;
    double log_price = math::log(spot), prices = 0, logs = 0;
    for (std::int64_t i = 0; i < times; ++i) {
      log_price += normal(inputs(increment), drift, deviation);
      prices += math::exp(log_price);
      logs += log_price;
    }
    const auto n = static_cast<double>(times);
    return {{paid(prices / n), paid(math::exp(logs / n))}};
  }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{with_known(inputs)[0]}};
  }

 private:
  KOKKOS_FUNCTION double paid(double mean) const {
    return mean > strike ? math::exp(-rate * maturity) * (mean - strike) : 0.0;
  }
};

}  // namespace sporos::models
