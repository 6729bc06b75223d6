// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/level_pair.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/finance/lognormal_call.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos::models {

/// A call option under the model of Black and Scholes, dS = r S dt + σ S dW, whose path has 2^level steps: the example
/// of Giles (Oper. Res. 56, 2008).
struct PathOption {
  /// Definition of A in the payoff max(A − strike, 0).
  enum class Payoff {
    european,        ///< A is the price at maturity
    geometric_asian  ///< A is the geometric mean of the price, e to the trapezoidal mean of its logarithm
  };
  /// Scheme by which a step is computed.
  enum class Scheme {
    exact,    ///< the exact distribution of the logarithm, without an error at the ends of steps
    euler,    ///< Euler's scheme, of weak order 1 and strong order 1/2
    milstein  ///< Milstein's scheme, of strong order 1
  };
  /// The only input variable: increments of the Brownian motion, one draw per step.
  enum Input { increment, input_count };

  double spot;        ///< S(0) > 0
  double strike;      ///< > 0
  double rate;        ///< r, per unit of time
  double volatility;  ///< σ > 0, per square root of a unit of time
  double maturity;    ///< > 0, in units of time
  Payoff payoff;      ///< definition of the payoff
  Scheme scheme;      ///< scheme of the path

  /// Throws std::invalid_argument for parameters out of range.
  void check() const {
    check_positive("spot", spot);
    check_positive("strike", strike);
    check_finite("rate", rate);
    check_positive("volatility", volatility);
    check_positive("maturity", maturity);
  }

  /// Every draw is an increment of a Brownian motion, so that low-discrepancy points can build a Brownian bridge.
  static constexpr bool draws_brownian_increments = true;

  /// Number of steps, of the fine and the coarse path together.
  double level_cost(int level) const { return std::exp2(level) * (level > 0 ? 1.5 : 1); }

  /// Discounted payoffs of a path in 2^level steps and of one in half as many steps, whose increments are sums of two.
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

  /// Expected discounted payoff of the exact path, by the formula of Black and Scholes. For the geometric mean over
  /// continuous time, it is the formula of Kemna and Vorst (J. Banking and Finance 14, 1990).
  double exact_price() const { return exact_price_by_variance(payoff == Payoff::geometric_asian ? 1.0 / 3 : 1.0); }

 private:
  friend struct CallOptions;
  friend struct PathChain;

  // Expected discounted payoff if the Brownian motion that A depends on has variance `variance` · maturity.
  double exact_price_by_variance(double variance) const {
    const bool is_asian = payoff == Payoff::geometric_asian;
    const double spread = volatility * std::sqrt(variance * maturity);
    const double drift = (rate - volatility * volatility / 2) * maturity * (is_asian ? 0.5 : 1);
    return std::exp(-rate * maturity) * mean_lognormal_call(spot, strike, drift, spread);
  }

  // A path up to its current step. `sum` is the trapezoidal sum of the logarithms. Exact steps update only the
  // logarithm.
  struct Path {
    double price = 0, log_price = 0, sum = 0;

    KOKKOS_DEFAULTED_FUNCTION Path() = default;
    KOKKOS_FUNCTION explicit Path(double start) : price(start), log_price(math::log(start)) {}

    KOKKOS_FUNCTION void advance(const PathOption& option, double step, double dw) {
      if (option.scheme == Scheme::exact) {
        const double drift = option.rate - 0.5 * option.volatility * option.volatility;
        move_to(log_price + drift * step + option.volatility * dw);  // the price is not needed before maturity
        return;
      }
      double factor = 1 + option.rate * step + option.volatility * dw;
      if (option.scheme == Scheme::milstein) {
        factor += 0.5 * option.volatility * option.volatility * (dw * dw - step);
      }
      price *= factor > lowest ? factor : lowest;
      if (option.payoff == Payoff::geometric_asian) move_to(math::log(price));
    }

    KOKKOS_FUNCTION void move_to(double next) {
      sum += 0.5 * (log_price + next);
      log_price = next;
    }
  };
  static constexpr double lowest = 1e-6;  // smallest factor of a step, which Euler's scheme can make negative

  KOKKOS_FUNCTION double paid(const Path& path, std::int64_t steps) const {
    double reached = path.price;
    if (payoff == Payoff::geometric_asian) {
      reached = math::exp(path.sum / static_cast<double>(steps));
    } else if (scheme == Scheme::exact) {
      reached = math::exp(path.log_price);
    }
    return reached > strike ? math::exp(-rate * maturity) * (reached - strike) : 0.0;
  }
};

/// The path of a PathOption as a chain of steps up to maturity. The response after the last step is the payoff.
struct PathChain {
  PathOption option;   ///< the option whose path is simulated
  std::int64_t steps;  ///< number of steps up to maturity

  /// The only input variable, with one draw per step.
  enum Input { increment, input_count };
  /// State of the path after some steps.
  struct State {
    PathOption::Path path = {};  ///< price and sum of its logarithms
    std::int64_t done = 0;       ///< number of steps done
  };

  /// The state at time 0, with the initial price.
  KOKKOS_FUNCTION State start() const { return {PathOption::Path(option.spot)}; }
  /// Advances the path by one step.
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const double step = option.maturity / static_cast<double>(steps);
    state.path.advance(option, step, normal(inputs(increment), 0.0, math::sqrt(step)));
    ++state.done;
  }
  /// Sort key of a state. For a geometric mean with exact steps, E[log A | state] increases with it, and the
  /// distribution of log A about this mean is the same for all states. For a European payoff it is the logarithm of the
  /// price, or the price itself if the scheme does not keep the logarithm.
  KOKKOS_FUNCTION double key(const State& state) const {
    if (option.payoff == PathOption::Payoff::geometric_asian) {
      return state.path.sum + static_cast<double>(steps - state.done) * state.path.log_price;
    }
    return option.scheme == PathOption::Scheme::exact ? state.path.log_price : state.path.price;
  }
  /// Discounted payoff at maturity.
  KOKKOS_FUNCTION double response(const State& state) const { return option.paid(state.path, steps); }
};

/// Model for replications with both payoffs of PathOption along one path. Each payoff also has levels.
struct CallOptions {
  static constexpr std::string_view name = "call-options";  ///< model name on the command line
  static constexpr std::string_view title =
      "European and geometric Asian call option under the Black-Scholes model";  ///< one-line description for lists

  double spot;          ///< S(0) > 0
  double strike;        ///< > 0
  double rate;          ///< r, per unit of time
  double volatility;    ///< σ > 0, per square root of a unit of time
  double maturity;      ///< > 0, in units of time
  std::int64_t steps;   ///< steps of a path in replications
  std::int64_t scheme;  ///< a PathOption::Scheme

  /// The only input variable: increments of the Brownian motion, one draw per step.
  enum Input { increment, input_count };

  /// Names of the responses, which are discounted payoffs.
  static constexpr auto response_names = std::array{"European call", "geometric Asian call"};

  /// Name of the control variate built from the input variable.
  static constexpr auto control_names = std::array{"increments"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using C = CallOptions;
    constexpr auto check_scheme = [](std::string_view parameter, std::int64_t value) {
      if (value >= 0 && value <= 2) return;
      throw std::invalid_argument(std::string(parameter) + " is " + std::to_string(value) + ", expected 0, 1 or 2");
    };
    return std::tuple{
        Parameter<C, double>{"spot", &C::spot, 100.0, "", "initial price of the asset", check_positive},
        Parameter<C, double>{"strike", &C::strike, 100.0, "", "strike price of the option", check_positive},
        Parameter<C, double>{"rate", &C::rate, 0.05, "1/time", "interest rate", check_finite},
        Parameter<C, double>{"volatility", &C::volatility, 0.2, "1/sqrt(time)", "volatility of the price",
                             check_positive},
        Parameter<C, double>{"maturity", &C::maturity, 1.0, "time", "time at which the option expires", check_positive},
        Parameter<C, std::int64_t>{"steps", &C::steps, 16, "",
                                   "time steps of a path; `multilevel` and `array-rqmc` choose their own", check_steps},
        Parameter<C, std::int64_t>{"scheme", &C::scheme, 0, "", "scheme of a step: 0 exact, 1 Euler, 2 Milstein",
                                   check_scheme}};
  }

  /// Throws std::invalid_argument for parameters out of range.
  void check() const { check_parameters(*this); }

  /// Payoffs are not negative.
  ResponseRange response_range(int) const { return {.least = 0}; }

  /// Exact expectations for exact steps: the formula of Black and Scholes and, for the geometric mean, the normal
  /// distribution of the mean logarithm along the steps. Other schemes have none.
  ExactMeans<CallOptions> exact_means() const {
    if (scheme != 0) return {};
    return {level_model(0).exact_price(), exact_asian_price(steps)};
  }

  /// One draw per step.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{steps}}}; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    PathOption option = option_of(PathOption::Payoff::geometric_asian);
    const double step = maturity / static_cast<double>(steps), deviation = math::sqrt(step);
    PathOption::Path path(spot);
    for (std::int64_t i = 0; i < steps; ++i) path.advance(option, step, normal(inputs(increment), 0.0, deviation));
    const double asian = option.paid(path, steps);
    option.payoff = PathOption::Payoff::european;
    return {{option.paid(path, steps), asian}};
  }

  /// Levels of a response (core/replication/level_pair.hpp): 2^level steps.
  PathOption level_model(int response) const {
    return option_of(response == 0 ? PathOption::Payoff::european : PathOption::Payoff::geometric_asian);
  }

  /// Exact expectations of both payoffs for the exact path.
  ExactMeans<CallOptions> level_means() const { return {level_model(0).exact_price(), level_model(1).exact_price()}; }

  /// Response of arrays of chains (core/replication/array_chain.hpp), paid at the end of the path.
  static constexpr std::string_view array_response = "geometric Asian call";
  /// Name of a step of the chain.
  static constexpr std::string_view array_step = "step";
  /// Chain with `path_steps` steps, whatever `steps` is.
  PathChain array_chain(std::int64_t path_steps) const { return {level_model(1), path_steps}; }
  /// Exact price along a path of `path_steps` exact steps; nothing for other schemes.
  std::optional<double> exact_after(std::int64_t path_steps) const {
    if (scheme != 0) return std::nullopt;
    return exact_asian_price(path_steps);
  }

 private:
  // For exact steps: the trapezoidal mean of a Brownian motion at n steps has variance T (1/3 − 1/(12 n²)).
  double exact_asian_price(std::int64_t path_steps) const {
    const auto n = static_cast<double>(path_steps);
    return level_model(1).exact_price_by_variance(1.0 / 3 - 1 / (12 * n * n));
  }
  KOKKOS_FUNCTION PathOption option_of(PathOption::Payoff payoff) const {
    return {spot, strike, rate, volatility, maturity, payoff, static_cast<PathOption::Scheme>(scheme)};
  }
};

}  // namespace sporos::models
