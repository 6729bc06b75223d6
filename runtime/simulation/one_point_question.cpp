// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/one_point_question.hpp>

#include <sporos/runtime/options/suggestion.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace sporos::runtime {

void refuse_others(const SimulateOptions& options, std::string_view question, std::string_view group,
                   std::span<const char* const> shared) {
  for (const OptionEntry& entry : options.table.entries()) {
    const bool fits = entry.group == group || entry.name == "table" || options.model->find_parameter(entry.name) ||
                      std::ranges::find(shared, entry.name) != shared.end();
    if (fits || !options.table.given(entry)) continue;
    throw std::invalid_argument(fmt::format("--{} is given with --{}, expected it without", entry.name, question));
  }
}

ParameterValues only_point(const SimulateOptions& options, std::string_view question) {
  const ReadDesign read = design_from(options);
  if (read.points.size() != 1) {
    throw std::invalid_argument(
        fmt::format("--{} is given for {} design points, expected one", question, read.points.size()));
  }
  return read.points.front();
}

std::size_t response_named(const std::string& name, const ModelDescription& model, const ParameterValues& values,
                           std::string_view option) {
  const auto names = model.response_names(values);
  const auto found = std::ranges::find_if(names, [&](const std::string& known) { return is_same_name(known, name); });
  if (found == names.end()) {
    throw std::invalid_argument(
        fmt::format("--{} is {}, which is no response{}", option, io::in_quotes(name), suggestion_for(name, names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace sporos::runtime
