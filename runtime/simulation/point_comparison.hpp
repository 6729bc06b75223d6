// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/procedures/point_differences.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos {

/// With what design points are compared.
enum class ComparedWith { all, first, largest, smallest };

/// Names of these.
template <>
struct ChoiceNames<ComparedWith> {
  static constexpr std::string_view what = "comparison";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<ComparedWith>>({{"all", ComparedWith::all},
                                                                          {"first", ComparedWith::first},
                                                                          {"largest", ComparedWith::largest},
                                                                          {"smallest", ComparedWith::smallest}});
};

}  // namespace sporos

namespace sporos::runtime {

/// The options that ask how design points differ.
std::vector<OptionEntry> comparison_entries();

/// The place of the response `name`, which `option` asks of all observations of the design points. Throws
/// std::invalid_argument where it is none, for a single design point or observation, and where a precision decides how
/// many observations a point makes.
std::size_t response_over_points(const std::string& option, const std::string& name, const ModelDescription& model,
                                 const std::vector<ParameterValues>& design, const Plan& plan);

/// What is asked of differences between design points.
struct ComparisonRequest {
  std::size_t response;  ///< its place in the model
  std::string name;      ///< and name
  ComparedWith with;     ///< what the points are compared with
  Simultaneous method;   ///< by which intervals hold together
};

/// What `options` ask; nothing where they do not. Throws std::invalid_argument as response_over_points does.
std::optional<ComparisonRequest> comparison_request(const OptionTable& options, const ModelDescription& model,
                                                    const std::vector<ParameterValues>& design, const Plan& plan);

/// How design points differ, with intervals that all hold with the plan's confidence.
struct PointComparison {
  ComparisonRequest request;                 ///< what was asked
  std::string by;                            ///< what makes the intervals hold together
  std::vector<PointDifference> differences;  ///< of points and those before, or the first
  std::vector<DistanceFromBest> distances;   ///< of each point, where they are compared with the best of the others
};

/// The answer by the differences that were observed.
PointComparison comparison_of(const ComparisonRequest& request, const PointDifferences& differences, const Plan& plan,
                              const std::vector<PointResult>& points);

}  // namespace sporos::runtime
