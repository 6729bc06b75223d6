// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/point_comparison.hpp>

#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace sporos::runtime {

std::vector<OptionEntry> comparison_entries() {
  return {{"Questions", "compare", "RESPONSE",
           "differences between design points in the mean of RESPONSE, with simultaneous intervals"},
          {"Questions", "compare-with", "NAME",
           fmt::format("points with which each point is compared: {}: all others, the first, or the one of the others "
                       "with the largest or smallest mean; default: {}",
                       names_of<ComparedWith>(), name_of(ComparedWith::all))},
          {"Questions", "simultaneous", "METHOD",
           fmt::format("method for simultaneous intervals of all means and all differences: {}",
                       names_of<Simultaneous>())}};
}

std::optional<Simultaneous> simultaneous_method(const OptionTable& options) {
  if (!options.has("simultaneous")) return std::nullopt;
  return options.choice("simultaneous", Simultaneous::bonferroni);
}

std::size_t response_over_points(const std::string& option, const std::string& name, const ModelDescription& model,
                                 const std::vector<ParameterValues>& design, const Plan& plan) {
  if (design.size() < 2) {
    throw std::invalid_argument(option + " is given for one design point, expected several to choose from");
  }
  if (plan.precision.is_set()) {
    throw std::invalid_argument(
        option +
        " needs the same number of replications at each design point: expected --replications instead of a precision");
  }
  if (plan.replications / plan.source.replications_of_run() < 2) {
    throw std::invalid_argument(option + " is given for one observation of each design point, expected at least 2");
  }
  const auto names = model.response_names(design.front());
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const std::string& other) { return is_same_name(other, name); });
  if (found == names.end()) {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected a response: {}", option, io::in_quotes(name), fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<ComparisonRequest> comparison_request(const OptionTable& options, const ModelDescription& model,
                                                    const std::vector<ParameterValues>& design, const Plan& plan) {
  if (!options.has("compare")) {
    if (options.has("compare-with")) {
      throw std::invalid_argument("--compare-with is given without --compare: expected both");
    }
    return std::nullopt;
  }
  const std::size_t response = response_over_points("--compare", *options.text("compare"), model, design, plan);
  return ComparisonRequest{response, model.response_names(design.front())[response],
                           options.choice("compare-with", ComparedWith::all),
                           simultaneous_method(options).value_or(Simultaneous::bonferroni)};
}

PointComparison comparison_of(const ComparisonRequest& request, const PointDifferences& differences, const Plan& plan,
                              const std::vector<PointResult>& points) {
  const bool is_with_first = request.with == ComparedWith::first;
  const auto which = is_with_first ? DifferencesOf::first : DifferencesOf::all;
  PointComparison comparison{request, "", differences.differences(which, request.method, plan.confidence), {}};
  const bool is_paired = plan.common_random_numbers;
  comparison.by =
      fmt::format("{}, {}", is_paired ? "paired" : "independent points",
                  request.method == Simultaneous::max_t ? "max-t"
                  : is_paired || is_with_first ? fmt::format("Bonferroni over {}", comparison.differences.size())
                                               : "Tukey's studentized range");
  std::erase_if(comparison.differences, [&](const PointDifference& difference) {
    return points[difference.first].failure || points[difference.second].failure;
  });
  if (request.with == ComparedWith::largest || request.with == ComparedWith::smallest) {
    const bool is_largest = request.with == ComparedWith::largest;
    comparison.distances = distances_from_best(comparison.differences, points.size(), is_largest);
    const double worst = (is_largest ? -1 : 1) * std::numeric_limits<double>::infinity();
    for (std::size_t point = 0; point < points.size(); ++point) {
      if (points[point].failure) comparison.distances[point] = {worst, worst, worst};
    }
  }
  return comparison;
}

}  // namespace sporos::runtime
