// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/replication/level_pair.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace sporos::models {

/// A call option under Black and Scholes' model, dS = r S dt + σ S dW, whose path is computed in 2^level steps: the
/// example of Giles (Oper. Res. 56, 2008).
struct PathOption {
  /// What it pays, max(A − strike, 0).
  enum class Payoff {
    european,        ///< A is the price at maturity
    geometric_asian  ///< A is the geometric mean of the price, e to the trapezoidal mean of its logarithm
  };
  /// How a step is made.
  enum class Scheme {
    euler,    ///< of weak order 1 and strong order 1/2
    milstein  ///< of strong order 1
  };
  /// The increments of the Brownian motion: one draw a step.
  enum Input { increment, input_count };

  double spot;        ///< S(0) > 0
  double strike;      ///< > 0
  double rate;        ///< r, a unit of time
  double volatility;  ///< σ > 0, a square root of a unit of time
  double maturity;    ///< > 0, units of time
  Payoff payoff;      ///< what it pays
  Scheme scheme;      ///< how its path is computed

  /// Throws std::invalid_argument for parameters out of range.
  void check() const {
    check_positive("spot", spot);
    check_positive("strike", strike);
    check_finite("rate", rate);
    check_positive("volatility", volatility);
    check_positive("maturity", maturity);
  }

  /// The number of steps.
  double level_cost(int level) const { return std::exp2(level) * (level > 0 ? 1.5 : 1); }

  /// Discounted payoffs of the path in 2^level steps, and of the one in half as many, whose increments are sums of two.
  template <class Inputs>
  KOKKOS_FUNCTION LevelPair at_level(Inputs& inputs, int level) const {
    const std::int64_t steps = std::int64_t{1} << level;
    const double step = maturity / static_cast<double>(steps), deviation = math::sqrt(step);
    Path fine(spot), coarse(spot);
    double before = 0;
    for (std::int64_t i = 0; i < steps; ++i) {
      const double dw = normal(inputs(increment), 0.0, deviation);
      fine.advance(*this, step, dw);
      if (i % 2 == 1) coarse.advance(*this, 2 * step, before + dw);
      before = dw;
    }
    return {paid(fine, steps), level == 0 ? 0.0 : paid(coarse, steps / 2)};
  }

  /// E of the discounted payoff with the exact path: Black and Scholes' formula; for the geometric mean over a
  /// continuum Kemna and Vorst's (J. Banking and Finance 14, 1990).
  double exact_price() const {
    const bool is_asian = payoff == Payoff::geometric_asian;
    const double spread = volatility * std::sqrt(maturity / (is_asian ? 3 : 1));
    const double drift = (rate - volatility * volatility / 2) * maturity * (is_asian ? 0.5 : 1);
    const double mean = spot * std::exp(drift + spread * spread / 2);
    const double d = (std::log(spot / strike) + drift) / spread;
    const auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
    return std::exp(-rate * maturity) * (mean * cdf(d + spread) - strike * cdf(d));
  }

 private:
  // A price on its way, and the trapezoidal sum of its logarithms.
  struct Path {
    double price, log_price, sum = 0;

    KOKKOS_FUNCTION explicit Path(double spot) : price(spot), log_price(math::log(spot)) {}

    KOKKOS_FUNCTION void advance(const PathOption& option, double step, double dw) {
      double factor = 1 + option.rate * step + option.volatility * dw;
      if (option.scheme == Scheme::milstein) {
        factor += 0.5 * option.volatility * option.volatility * (dw * dw - step);
      }
      price *= factor > lowest ? factor : lowest;
      if (option.payoff != Payoff::geometric_asian) return;
      const double next = math::log(price);
      sum += 0.5 * (log_price + next);
      log_price = next;
    }
  };
  static constexpr double lowest = 1e-6;  // of a step's factor, which Euler's scheme can make negative

  KOKKOS_FUNCTION double paid(const Path& path, std::int64_t steps) const {
    const double reached = payoff == Payoff::european ? path.price : math::exp(path.sum / static_cast<double>(steps));
    return reached > strike ? math::exp(-rate * maturity) * (reached - strike) : 0.0;
  }
};

}  // namespace sporos::models
