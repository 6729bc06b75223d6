// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// Pick-freeze designs, from which sensitivity indices are estimated: design points differ from each other only in some
/// uncertain inputs.
namespace sporos {

/// Distribution of the base points.
enum class BaseSampling {
  sobol,  ///< sets of Sobol's points, each scrambled separately (Owen)
  random  ///< independent points
};

/// Names of the values of BaseSampling.
template <>
struct ChoiceNames<BaseSampling> {
  static constexpr std::string_view what = "base sampling";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<BaseSampling>>({{"sobol", BaseSampling::sobol}, {"random", BaseSampling::random}});
};

/// The design of Saltelli et al. (2010): each of `rows` rows has two base points A and B of `inputs` uncertain inputs
/// and, for each input i, the point A with input i of B. Points are ordered by rows; a row has A, B, then the points of
/// the inputs.
struct PickFreeze {
  std::size_t inputs;  ///< number of uncertain inputs, at least 1
  std::size_t rows;    ///< number of rows, at least 2

  /// Number of points of all rows.
  std::size_t point_count() const { return rows * points_of_row(); }
  /// Number of points of a row: inputs + 2.
  std::size_t points_of_row() const { return inputs + 2; }
  /// Number of base points. In row r, A is base point 2 r and B is 2 r + 1.
  std::size_t base_count() const { return 2 * rows; }
  /// Returns the base point from which design point `point` takes input `input`.
  std::size_t base_of(std::size_t point, std::size_t input) const {
    const std::size_t row = point / points_of_row(), place = point % points_of_row();
    const bool is_of_second = place == 1 || place == input + 2;
    return 2 * row + (is_of_second ? 1 : 0);
  }
};

/// Number and distribution of base points.
struct BasePlan {
  BaseSampling sampling = BaseSampling::sobol;  ///< distribution of the points
  /// Number of pairs of base points; for Sobol's points a multiple of `sets`.
  std::int64_t rows = 1024;
  std::int64_t sets = 16;  ///< number of sets of Sobol's points, on which intervals are based
  std::uint64_t seed = 1;  ///< seed of the points, which share no random number with replications

  /// Number of independent groups of rows: sets of Sobol's points, otherwise single rows.
  std::int64_t groups() const { return sampling == BaseSampling::sobol ? sets : rows; }
};

/// Throws std::invalid_argument, naming member, value and expected value, if the plan cannot be carried out with
/// `inputs` inputs.
void check_base_plan(const BasePlan& plan, std::size_t inputs);

/// Returns the base points on the host: uniforms in (0, 1), in the order of PickFreeze. Those of base point b start at
/// index b · inputs. They depend only on plan and inputs, bit for bit. Throws the same exceptions as check_base_plan.
std::vector<double> base_uniforms(const BasePlan& plan, std::size_t inputs);

}  // namespace sporos
