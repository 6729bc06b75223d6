// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace sporos {

/// How the linear functions xᵀd of the features separate two classes; the features include a constant if the model has
/// an intercept (Albert and Anderson 1984, "On the existence of maximum likelihood estimates in logistic regression
/// models").
enum class SeparationKind {
  none,      ///< no function separates them: the logistic likelihood has a maximum
  quasi,     ///< a function is >= 0 on one class, <= 0 on the other and not 0 on all rows; none is complete
  complete,  ///< a function is > 0 on one class and < 0 on the other
  unknown    ///< not decided
};

/// Name of the kind: "none", "quasi-complete", "complete" or "unknown".
std::string_view name_of(SeparationKind kind);

/// Evidence for the kind of separation.
enum class SeparationEvidence {
  margins,         ///< the fitted margins, which have the signs of all labels
  linear_program,  ///< linear programs, whose direction was checked on all rows
  nothing          ///< no evidence
};

/// Whether two classes can be separated. If they can, the logistic likelihood without a penalty has no maximum: it
/// grows along `direction` without end.
struct ClassSeparation {
  SeparationKind kind = SeparationKind::unknown;              ///< kind of separation
  SeparationEvidence evidence = SeparationEvidence::nothing;  ///< evidence for it
  std::vector<double> direction = {};  ///< d, with largest entry of size 1; empty if nothing separates
};

/// Rows of two classes on a host.
struct ClassRows {
  std::int64_t dimension;             ///< number of coefficients, including that of the constant
  const std::vector<double>& labels;  ///< 0 or 1 for each row
  /// Writes row i, from 0, to `dimension` numbers; the constant is 1.
  std::function<void(std::int64_t row, std::span<double> features)> read;
};

/// Maximum number of coefficients for which linear programs are solved.
inline constexpr std::int64_t max_separation_coefficients = 300;

/// Determines whether two classes can be separated, given a fit's coefficients β and the margins xᵀβ of the rows.
///
/// If all margins have the sign of their label, the classes are completely separated. Otherwise, up to
/// max_separation_coefficients, linear programs decide (Konis 2007, "Linear programming algorithms for detecting
/// separated data in binary logistic regression models", in their dual form). With z = x for one label and −x for the
/// other, nothing separates if Σ μᵢ zᵢ = −Σ zᵢ for some μ ≥ 0. The first program has only the rows nearest to the
/// fitted boundary. Its direction, if there is one, is checked on all rows, and rows that violate it are added to the
/// program. A pass takes time in rows times coefficients, and one or two passes are enough in most cases. Beyond
/// rounding (1e-9 of the largest feature of a row) the answer is exact.
///
/// @throws std::invalid_argument if sizes do not match.
ClassSeparation class_separation(const ClassRows& rows, const std::vector<double>& coefficients,
                                 const std::vector<double>& margins);

}  // namespace sporos
