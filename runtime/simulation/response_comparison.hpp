// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// RESPONSE < BOUND (or <=, >, >=) with the bound at each design point.
struct ResponseComparison {
  std::string text;            ///< as the user wrote it
  std::size_t response;        ///< its place in the model
  bool is_upper;               ///< whether the bound is an upper one
  bool is_strict;              ///< whether it is excluded
  std::vector<double> bounds;  ///< by design point

  /// Whether `value` keeps the bound of a design point.
  bool holds(double value, std::size_t point) const {
    if (value == bounds[point]) return !is_strict;
    return is_upper ? value < bounds[point] : value > bounds[point];
  }
};

/// The comparison in the text of `option`; one side is a response of `model`, the other an expression of its
/// parameters. Throws std::invalid_argument for what is none, and for a bound that is not finite at a point of
/// `design`.
ResponseComparison response_comparison(const std::string& option, const std::string& text,
                                       const ModelDescription& model, const std::vector<ParameterValues>& design);

/// The same, where one side is one of `names`, which messages call `kind`.
ResponseComparison comparison_of_names(const std::string& option, const std::string& text, const std::string& kind,
                                       const std::vector<std::string>& names, const ModelDescription& model,
                                       const std::vector<ParameterValues>& design);

/// Throws std::invalid_argument where `value`, called `what`, is not finite at a design point of so many.
void check_finite(const std::string& what, double value, std::size_t point, std::size_t points);

}  // namespace sporos::runtime
