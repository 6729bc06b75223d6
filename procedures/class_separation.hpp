// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace sporos {

/// How the linear functions xᵀd of the features, a constant among them if the model has an intercept, divide two
/// classes (Albert and Anderson 1984, "On the existence of maximum likelihood estimates in logistic regression
/// models").
enum class SeparationKind {
  none,      ///< they do not: the logistic likelihood has a maximum
  quasi,     ///< one is at least 0 on one class and at most 0 on the other, and not 0 on all rows; none is complete
  complete,  ///< one is above 0 on one class and below 0 on the other
  unknown    ///< not decided
};

/// "none", "quasi-complete", "complete" or "unknown".
std::string_view name_of(SeparationKind kind);

/// The evidence for the kind of separation.
enum class SeparationEvidence {
  margins,         ///< the fitted margins, which have the signs of all labels
  linear_program,  ///< linear programs, whose direction was checked on all rows
  nothing          ///< nothing was found out
};

/// Whether two classes can be separated. Where they can, the logistic likelihood without a penalty has no maximum: it
/// grows along `direction` without end.
struct ClassSeparation {
  SeparationKind kind = SeparationKind::unknown;              ///< whether and how
  SeparationEvidence evidence = SeparationEvidence::nothing;  ///< what shows it
  std::vector<double> direction = {};  ///< d, its largest entry of size 1; empty where nothing separates
};

/// Rows of two classes, on a host.
struct ClassRows {
  std::int64_t dimension;             ///< number of coefficients, that of the constant among them
  const std::vector<double>& labels;  ///< 0 or 1, one a row
  /// Writes row i, from 0, to `dimension` numbers; the constant is 1.
  std::function<void(std::int64_t row, std::span<double> features)> read;
};

/// Most coefficients for which linear programs are solved.
inline constexpr std::int64_t most_separation_coefficients = 300;

/// Finds out whether two classes can be separated, given a fit's coefficients and the margins xᵀβ that they give the
/// rows.
///
/// If all margins have the sign of their label, the classes are completely separated. Otherwise, up to
/// most_separation_coefficients, linear programs decide (Konis 2007, "Linear programming algorithms for detecting
/// separated data in binary logistic regression models", in their dual form): with z = ±x, the sign that of the label,
/// nothing separates if Σ μᵢ zᵢ = −Σ zᵢ for some μ ≥ 0. The program knows only the rows nearest to the fitted boundary;
/// its direction, if there is one, is checked on all rows, and rows that it violates are added to the program. A pass
/// takes rows times coefficients, and mostly one or two are enough. Beyond rounding (1e-9 of the largest feature of a
/// row) the answer is exact.
///
/// @throws std::invalid_argument for sizes that do not fit.
ClassSeparation class_separation(const ClassRows& rows, const std::vector<double>& coefficients,
                                 const std::vector<double>& margins);

}  // namespace sporos
