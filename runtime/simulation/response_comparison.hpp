// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Comparison RESPONSE < BOUND (or <=, >, >=), with the bound at each design point.
struct ResponseComparison {
  std::string text;            ///< text as the user wrote it
  std::size_t response;        ///< index of the response in the model
  bool is_upper;               ///< whether the bound is an upper bound
  bool is_strict;              ///< whether equality is excluded
  std::vector<double> bounds;  ///< bound at each design point

  /// Whether `value` satisfies the comparison at a design point.
  bool holds(double value, std::size_t point) const {
    if (value == bounds[point]) return !is_strict;
    return is_upper ? value < bounds[point] : value > bounds[point];
  }
};

/// Parses the comparison in the text of `option`: one side is a response of `model`, the other an expression of its
/// parameters. Throws std::invalid_argument if the text is not such a comparison, and if a bound is not finite at a
/// point of `design`.
ResponseComparison response_comparison(const std::string& option, const std::string& text,
                                       const ModelDescription& model, const std::vector<ParameterValues>& design);

/// Parses the comparison in the text of `option`: one side is one of `names`, the other an expression of the model's
/// parameters. `kind` names the former in messages. Throws the same exceptions as response_comparison.
ResponseComparison comparison_of_names(const std::string& option, const std::string& text, const std::string& kind,
                                       const std::vector<std::string>& names, const ModelDescription& model,
                                       const std::vector<ParameterValues>& design);

/// Throws std::invalid_argument if `value` is not finite at design point `point` of `points`; `what` names it in the
/// message.
void check_finite(const std::string& what, double value, std::size_t point, std::size_t points);

}  // namespace sporos::runtime
