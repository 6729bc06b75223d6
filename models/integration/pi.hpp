// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace sporos::models {

/// π as four times the proportion of random points of the unit square that lie in the quarter disc: Passerat-Palmbach
/// et al. (2011), Warp-level parallelism: enabling multiple replications in parallel on GPU, section 5.1.
struct Pi {
  static constexpr std::string_view name = "pi";  ///< model name on the command line
  static constexpr std::string_view title =
      "pi from random points in a quarter disc";  ///< one-line description for lists

  std::int64_t draws;  ///< number of points in a replication

  /// Input variables: the coordinates of a point.
  enum Input { x, y, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP have a kernel for Mapping::warp

  static constexpr auto response_names = std::array{"pi"};  ///< four times the proportion of points inside

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    return std::tuple{
        Parameter<Pi, std::int64_t>{"draws", &Pi::draws, 10000, "", "random points in a replication", check_steps}};
  }

  /// Throws std::invalid_argument for parameters out of range.
  void check() const { check_parameters(*this); }

  /// The exact expectation is π.
  ExactMeans<Pi> exact_means() const { return {std::numbers::pi}; }

  /// The response lies between 0 and 4; with a single point, it is one of these.
  ResponseRange response_range(int) const { return {0, 4, draws == 1}; }

  /// One x and one y per point.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{draws}, {draws}}}; }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication. Draws one x and one y per point.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 1> operator()(Inputs& inputs) const {
    using Number = NumberIn<Inputs>;
    Number inside = 0.0;
    for (std::int64_t i = 0; i < draws; ++i) {
      const Number a = inputs(x);
      const Number b = inputs(y);
      inside += math::indicator(a * a + b * b < 1.0);
    }
    return {{4.0 * inside / static_cast<double>(draws)}};
  }

  /// Description of the input that `conditioned` draws (core/replication/conditional.hpp).
  static constexpr std::string_view conditional_on = "the first coordinate of each point";

  /// Expectation of a replication given the first coordinates: a point at a is inside with probability sqrt(1 − a²).
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> conditioned(Inputs& inputs) const {
    double inside = 0;
    for (std::int64_t i = 0; i < draws; ++i) {
      const double a = inputs(x);
      inside += math::sqrt(1.0 - a * a);
    }
    return {{4.0 * inside / static_cast<double>(draws)}};
  }
};

}  // namespace sporos::models
