// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/normal_quantiles.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
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

/// The squared error of a straight line at one observation, drawn from a data set with equal probabilities: ERMEXAMPLE
/// of SimOpt. Its mean is the empirical risk of a linear regression. SimOpt reads 10 000 rows from a file that its
/// package on PyPI does not contain. Here, row r is generated whenever it is drawn, from Philox's first block of seed 1
/// and replication r: x is standard normal, and y = 1 + x + e with e normal of standard deviation 0.1, like SimOpt's
/// file. The data are therefore identical everywhere and need no memory. `Real` is double or a Dual (pathwise.hpp).
template <class Real = double>
struct BasicEmpiricalRisk {
  static constexpr std::string_view name = "empirical-risk";  ///< name on the command line
  static constexpr std::string_view title =
      "squared error of a straight line at a randomly drawn observation";  ///< title in lists

  static constexpr std::int64_t max_rows = 1'000'000;  ///< largest number of rows of data

  Real intercept;     ///< intercept of the line
  Real slope;         ///< slope of the line
  std::int64_t rows;  ///< number of rows of data

  /// Input variables. A replication draws once.
  enum Input { row, input_count };

  /// Responses: the squared error (y − intercept − slope x)², and x and y of the observation.
  static constexpr auto response_names = std::array{"squared error", "x", "y"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using R = BasicEmpiricalRisk;
    constexpr auto check_rows = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value >= 1 && value <= max_rows, parameter, static_cast<double>(value),
                                    "a whole number from 1 to 1000000");
    };
    return std::tuple{
        Parameter<R, Real>{"intercept", &R::intercept, 0.0, "", "intercept of the line", check_finite},
        Parameter<R, Real>{"slope", &R::slope, 0.0, "", "slope of the line", check_finite},
        Parameter<R, std::int64_t>{"rows", &R::rows, 10'000, "", "number of observations in the data", check_rows}};
  }

  /// Optimization problems on this model.
  static std::vector<DescribedProblem> problems() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {{.name = "erm-1",
             .title = "straight line with the smallest mean squared error over 10 000 observations",
             .source = "SimOpt, ERM-EXAMPLE-1, with other data of the same distribution",
             .decisions = {{"intercept", -infinity, infinity, 0, "normal(1, 1)"},
                           {"slope", -infinity, infinity, 0, "normal(1, 1)"}},
             .objective = "squared error",
             .budget = 1000,
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 0.010060448370868,
                                     .x = {1.00225681563825, 0.997910122551987},
                                     .source = "normal equations of all rows"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument if a parameter is out of range.
  void check() const { check_parameters(*this); }

  /// Range of a response: nonnegative for the squared error, unbounded for x and y.
  ResponseRange response_range(int response) const {
    return response == 0 ? ResponseRange{.least = 0} : ResponseRange{};
  }

  /// Exact means of the responses, over all rows.
  ExactMeans<BasicEmpiricalRisk> exact_means() const;

  /// Number of draws: one.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1}}}; }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// The observation x, y of row `r` >= 0.
  KOKKOS_FUNCTION static Kokkos::Array<double, 2> observation(std::int64_t r) {
    const auto u = uniforms_of_row(r);
    return of_normals(math::normal_quantile(u[0]), math::normal_quantile(u[1]));
  }

  /// Runs one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 3> operator()(Inputs& inputs) const {
    using Number = NumberIn<Inputs, Real>;
    const auto seen = observation_at(static_cast<double>(rows) * standard_variate<StandardUniform>(inputs(row)));
    const Number error = seen[1] - intercept - slope * seen[0];
    return {{Number(error * error), Number(seen[0]), Number(seen[1])}};
  }

 private:
  // The uniforms from which row `r` is generated.
  KOKKOS_FUNCTION static Kokkos::Array<double, 2> uniforms_of_row(std::int64_t r) {
    const auto words = Philox4x32::block({1, static_cast<std::uint64_t>(r), 0}, 0);
    return {{open_uniform(words[0]), open_uniform(words[1])}};
  }

  // The observation made from standard normal variates.
  template <class Number>
  KOKKOS_FUNCTION static Kokkos::Array<Number, 2> of_normals(const Number& x, const Number& e) {
    return {{x, 1.0 + x + 0.1 * e}};
  }

  // The observation of row ⌊place⌋, in each lane.
  KOKKOS_FUNCTION static Kokkos::Array<double, 2> observation_at(double place) {
    return observation(static_cast<std::int64_t>(place));
  }
  KOKKOS_FUNCTION static Kokkos::Array<Pack, 2> observation_at(const Pack& place) {
    double places[Pack::lanes], normals[2 * Pack::lanes];
    place.store(places);
    for (int lane = 0; lane < Pack::lanes; ++lane) {
      const auto u = uniforms_of_row(static_cast<std::int64_t>(places[lane]));
      normals[lane] = u[0];
      normals[Pack::lanes + lane] = u[1];
    }
    math::replace_by_normal_quantiles(normals, 2 * Pack::lanes);
    return of_normals(Pack::load(normals), Pack::load(normals + Pack::lanes));
  }
};

/// The model with ordinary numbers.
using EmpiricalRisk = BasicEmpiricalRisk<>;

template <class Real>
ExactMeans<BasicEmpiricalRisk<Real>> BasicEmpiricalRisk<Real>::exact_means() const {
  double squares = 0, sum_x = 0, sum_y = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto seen = observation(r);
    const double error = seen[1] - value_of(intercept) - value_of(slope) * seen[0];
    squares += error * error;
    sum_x += seen[0];
    sum_y += seen[1];
  }
  const auto count = static_cast<double>(rows);
  return {squares / count, sum_x / count, sum_y / count};
}

}  // namespace sporos::models
