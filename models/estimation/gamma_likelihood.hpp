// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/derivatives/gamma.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// The log-likelihood of parameters x₁, x₂ at one observation: PARAMESTI of SimOpt. Y₂ has a gamma distribution of
/// shape b. Given Y₂, Y₁ has a gamma distribution of shape a Y₂. Both have scale 1. The problem is to find the true (a,
/// b), where the mean log-likelihood has its maximum (Gibbs' inequality). It is concave in x. `Real` is double or a
/// Dual (pathwise.hpp). Derivatives are with respect to x only, because the observation depends on a and b.
template <class Real = double>
struct BasicGammaLikelihood {
  static constexpr std::string_view name = "gamma-likelihood";  ///< name on the command line
  static constexpr std::string_view title =
      "log-likelihood of the parameters of two gamma distributions";  ///< title in lists

  Real x_1;       ///< estimate of a at which the likelihood is evaluated
  Real x_2;       ///< estimate of b at which the likelihood is evaluated
  double true_1;  ///< true value of a
  double true_2;  ///< true value of b

  /// Input variables. A replication draws each of them once.
  enum Input { first, second, input_count };

  /// Response: the logarithm of the density of (Y₁, Y₂) with the parameters x.
  static constexpr auto response_names = std::array{"log-likelihood"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using L = BasicGammaLikelihood;
    constexpr auto check_shape = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 1e-3 && value <= 1e3, parameter, value, "a number from 0.001 to 1000");
    };
    return std::tuple{
        Parameter<L, Real>{"x_1", &L::x_1, 1.0, "", "estimate of a: the first shape is a times a draw", check_shape},
        Parameter<L, Real>{"x_2", &L::x_2, 1.0, "", "estimate of b, the second shape", check_shape},
        Parameter<L, double>{"true_1", &L::true_1, 2.0, "", "true value of a", check_shape},
        Parameter<L, double>{"true_2", &L::true_2, 5.0, "", "true value of b", check_shape}};
  }

  /// Optimization problems on this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "paramesti-1",
             .title = "maximum likelihood estimates of two parameters of gamma distributions",
             .source = "SimOpt, PARAMESTI-1",
             .decisions = {{"x_1", 0.1, 10, 1}, {"x_2", 0.1, 10, 1}},
             .objective = "log-likelihood",
             .is_maximized = true,
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = -4.62871373944,
                                     .x = {2, 5},
                                     .source = "Gibbs' inequality; value by quadrature"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument if a parameter is out of range.
  void check() const { check_parameters(*this); }

  /// Range of the response: unbounded.
  ResponseRange response_range(int) const { return {}; }

  /// Exact mean of the response, by quadrature over ln Y₂ with E[ln Y₁ | Y₂] = ψ(a Y₂).
  ExactMeans<BasicGammaLikelihood> exact_means() const;

  /// Number of draws: one from each input.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{1}, {1}}}; }

  /// Runs one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 1> operator()(Inputs& inputs) const {
    using math::log, math::log_gamma;
    const double y_2 = gamma(inputs(second), true_2, 1.0), y_1 = gamma(inputs(first), true_1 * y_2, 1.0);
    const Real shape = x_1 * y_2;
    return {{(shape - 1.0) * log(y_1) + (x_2 - 1.0) * log(y_2) - y_1 - y_2 - log_gamma(shape) - log_gamma(x_2)}};
  }
};

/// The model with ordinary numbers.
using GammaLikelihood = BasicGammaLikelihood<>;

// Uses the trapezoidal rule, whose error for such integrands decreases exponentially as the step shrinks.
template <class Real>
ExactMeans<BasicGammaLikelihood<Real>> BasicGammaLikelihood<Real>::exact_means() const {
  const double a = true_1, b = true_2, x = value_of(x_1), z = value_of(x_2);
  double mass = 0, sum = 0;
  const double mode = std::log(b), width = 1 / std::sqrt(b), step = 0.02 * std::min(width, 1.0);
  for (double s = mode - 40 * std::max(width, 1 / b); s < mode + 8 * width + 4; s += step) {
    const double y = std::exp(s), density = std::exp(b * (s - mode) - (y - b));
    if (density < 1e-30) continue;
    mass += density;
    sum += density * ((x * y - 1) * math::digamma(a * y) - math::log_gamma(x * y));
  }
  return {sum / mass + (z - 1) * math::digamma(b) - a * b - b - math::log_gamma(z)};
}

}  // namespace sporos::models
