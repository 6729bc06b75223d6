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

/// Basis with which design points are compared: all others, the first one, or the best of the others.
enum class ComparedWith { all, first, largest, smallest };

/// Names of the values of ComparedWith.
template <>
struct ChoiceNames<ComparedWith> {
  static constexpr std::string_view what = "comparison";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<ComparedWith>>({{"all", ComparedWith::all},
                                                                          {"first", ComparedWith::first},
                                                                          {"largest", ComparedWith::largest},
                                                                          {"smallest", ComparedWith::smallest}});
};

}  // namespace sporos

namespace sporos::runtime {

/// The options that request comparisons of design points.
std::vector<OptionEntry> comparison_entries();

/// Returns the method that --simultaneous names; empty if it is not given. Throws std::invalid_argument if there is no
/// such method.
std::optional<Simultaneous> simultaneous_method(const OptionTable& options);

/// Returns the index of the response `name`, of which `option` needs all observations of the design points. Throws
/// std::invalid_argument if there is no such response, for a single design point or observation, and if a precision
/// decides how many observations a point makes.
std::size_t response_over_points(const std::string& option, const std::string& name, const ModelDescription& model,
                                 const std::vector<ParameterValues>& design, const Plan& plan);

/// Request for differences between design points.
struct ComparisonRequest {
  std::size_t response;  ///< index of the response in the model
  std::string name;      ///< name of the response
  ComparedWith with;     ///< basis of the comparison
  Simultaneous method;   ///< method by which the intervals hold simultaneously
};

/// Returns the comparison that the options request; empty if they request none. Throws std::invalid_argument in the
/// same cases as response_over_points.
std::optional<ComparisonRequest> comparison_request(const OptionTable& options, const ModelDescription& model,
                                                    const std::vector<ParameterValues>& design, const Plan& plan);

/// Differences between design points, with intervals that hold simultaneously with the plan's confidence.
struct PointComparison {
  ComparisonRequest request;                 ///< the request
  std::string by;                            ///< how the intervals are made, such as "paired, Bonferroni over 3"
  std::vector<PointDifference> differences;  ///< differences of pairs of points, or of points from the first one
  /// Distance of each point from the best of the others; empty unless that is requested.
  std::vector<DistanceFromBest> distances;
};

/// Returns the comparison that the observed differences give.
PointComparison comparison_of(const ComparisonRequest& request, const PointDifferences& differences, const Plan& plan,
                              const std::vector<PointResult>& points);

}  // namespace sporos::runtime
