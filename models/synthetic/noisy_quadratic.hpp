// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Two quadratic functions with the same standard normal error (EXAMPLE-1 and EXAMPLE-2 of SimOpt): x₁² + x₂² for real
/// numbers and Σ (nᵢ − i)² for four whole numbers. `Real` is double, or a Dual (pathwise.hpp).
template <class Real = double>
struct BasicNoisyQuadratic {
  static constexpr std::string_view name = "noisy-quadratic";                           ///< name on the command line
  static constexpr std::string_view title = "quadratic functions observed with noise";  ///< title in lists

  Real x_1;          ///< first real number
  Real x_2;          ///< second real number
  std::int64_t n_1;  ///< whole number, optimal value 1
  std::int64_t n_2;  ///< whole number, optimal value 2
  std::int64_t n_3;  ///< whole number, optimal value 3
  std::int64_t n_4;  ///< whole number, optimal value 4

  /// The only input variable, with one draw.
  enum Input { error, input_count };

  /// Value at the real numbers, and value at the whole numbers.
  static constexpr auto response_names = std::array{"value", "value at whole numbers"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using Q = BasicNoisyQuadratic;
    constexpr auto check_size = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= -1'000'000 && value <= 1'000'000, parameter, static_cast<double>(value),
                                    "a whole number from -1000000 to 1000000");
    };
    const auto whole = [&](std::string_view parameter, std::int64_t Q::*member) {
      return Parameter<Q, std::int64_t>{parameter, member, 0, "", "integer variable", check_size};
    };
    return std::tuple{Parameter<Q, Real>{"x_1", &Q::x_1, 2.0, "", "real variable", check_finite},
                      Parameter<Q, Real>{"x_2", &Q::x_2, 2.0, "", "real variable", check_finite},
                      whole("n_1", &Q::n_1),
                      whole("n_2", &Q::n_2),
                      whole("n_3", &Q::n_3),
                      whole("n_4", &Q::n_4)};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {{.name = "example-1",
             .title = "quadratic function of two real variables with noise",
             .source = "SimOpt, EXAMPLE-1",
             .decisions = {{"x_1", -infinity, infinity, 2, "normal(0, 1)"},
                           {"x_2", -infinity, infinity, 2, "normal(0, 1)"}},
             .objective = "value",
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact, .value = 0, .x = {0, 0}, .source = "sum of squares"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true},
            {.name = "example-2",
             .title = "quadratic function of four integer variables with noise",
             .source = "SimOpt, EXAMPLE-2",
             .decisions = {{"n_1", -4, 4, 0}, {"n_2", -4, 4, 0}, {"n_3", -4, 4, 0}, {"n_4", -4, 4, 0}},
             .objective = "value at whole numbers",
             .budget = 1000,
             .optimum =
                 KnownOptimum{.kind = OptimumKind::exact, .value = 0, .x = {1, 2, 3, 4}, .source = "sum of squares"}}};
  }

  /// Throws std::invalid_argument if a number is infinite, NaN or too large.
  void check() const { check_parameters(*this); }

  /// Range of a response: unbounded.
  ResponseRange response_range(int) const { return {}; }

  /// Returns both exact means.
  ExactMeans<BasicNoisyQuadratic> exact_means() const { return {value_of(square()), whole_square()}; }

  /// Number of draws: one.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1}}}; }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 2> operator()(Inputs& inputs) const {
    using Number = NumberIn<Inputs, Real>;
    const auto noise = standard_variate<StandardNormal>(inputs(error));
    return {{Number(square() + noise), Number(whole_square() + noise)}};
  }

 private:
  KOKKOS_FUNCTION Real square() const { return x_1 * x_1 + x_2 * x_2; }
  KOKKOS_FUNCTION double whole_square() const {
    const auto part = [](std::int64_t n, double best) {
      return (static_cast<double>(n) - best) * (static_cast<double>(n) - best);
    };
    return part(n_1, 1) + part(n_2, 2) + part(n_3, 3) + part(n_4, 4);
  }
};

/// The functions with double parameters.
using NoisyQuadratic = BasicNoisyQuadratic<>;

}  // namespace sporos::models
