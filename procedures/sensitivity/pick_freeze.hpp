// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// Design points of which each differs from another in some uncertain inputs alone: what indices of sensitivity are
/// estimated from.
namespace sporos {

/// How base points are spread.
enum class BaseSampling {
  sobol,  ///< sets of Sobol's points, each scrambled by itself (Owen)
  random  ///< independent points
};

/// Names of the two.
template <>
struct ChoiceNames<BaseSampling> {
  static constexpr std::string_view what = "base sampling";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<BaseSampling>>({{"sobol", BaseSampling::sobol}, {"random", BaseSampling::random}});
};

/// The design of Saltelli et al. (2010): in each of `rows` rows two base points A and B of `inputs` uncertain inputs,
/// and for each input i the point A with input i of B. Points are ordered by rows, in a row A, B, then those of the
/// inputs.
struct PickFreeze {
  std::size_t inputs;  ///< how many, at least 1
  std::size_t rows;    ///< how many, at least 2

  /// Of all rows.
  std::size_t point_count() const { return rows * points_of_row(); }
  /// Of a row: inputs + 2.
  std::size_t points_of_row() const { return inputs + 2; }
  /// The base points: of row r A is 2 r and B is 2 r + 1.
  std::size_t base_count() const { return 2 * rows; }
  /// The base point from which design point `point` has its input `input`.
  std::size_t base_of(std::size_t point, std::size_t input) const {
    const std::size_t row = point / points_of_row(), place = point % points_of_row();
    const bool is_of_second = place == 1 || place == input + 2;
    return 2 * row + (is_of_second ? 1 : 0);
  }
};

/// How many base points there are, and where.
struct BasePlan {
  BaseSampling sampling = BaseSampling::sobol;  ///< how they are spread
  std::int64_t rows = 1024;                     ///< pairs of base points; of Sobol's points a multiple of `sets`
  std::int64_t sets = 16;                       ///< of Sobol's points; what intervals are made of
  std::uint64_t seed = 1;                       ///< names the points, which share no random number with replications

  /// The number of independent groups of rows: sets of Sobol's points, or else single rows.
  std::int64_t groups() const { return sampling == BaseSampling::sobol ? sets : rows; }
};

/// Throws std::invalid_argument, naming member, value and what was expected, for a plan that cannot be carried out with
/// so many inputs.
void check_base_plan(const BasePlan& plan, std::size_t inputs);

/// The base points: uniforms in (0, 1), those of base point b from b · inputs on, in the order of PickFreeze. The bits
/// depend on plan and inputs alone. Throws as check_base_plan does. Host memory.
std::vector<double> base_uniforms(const BasePlan& plan, std::size_t inputs);

}  // namespace sporos
