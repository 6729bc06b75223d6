// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/document.hpp>

#include <algorithm>
#include <utility>

namespace sporos::runtime {

PageSection asked_section(const ModelDescription& model, const std::vector<ParameterValues>& design, PageFacts more) {
  return asked_section(model, design.front(), varied_parameters(design), std::move(more));
}

PageSection asked_section(const ModelDescription& model, const ParameterValues& values,
                          const std::vector<std::size_t>& varied, PageFacts more) {
  io::Json rows = io::Json::array();
  const io::Json texts = json_of(model, values);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const ParameterDescription& parameter = model.parameters[i];
    const bool varies = std::ranges::find(varied, i) != varied.end();
    if (!varies && parameter.is_as_in_case(values[i])) continue;
    rows.push_back({{"name", parameter.name},
                    {"value", varies ? io::Json("varies") : texts[parameter.name]},
                    {"unit", parameter.unit.empty() ? io::Json() : io::Json(parameter.unit)},
                    {"meaning", parameter.meaning}});
  }
  return {"What was asked",
          {page_table("Parameters of the model", rows,
                      {{"/name", "parameter"}, {"/value", "value"}, {"/unit", "unit"}, {"/meaning", "meaning"}}),
           std::move(more)}};
}

}  // namespace sporos::runtime
