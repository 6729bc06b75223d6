// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/results/result_document.hpp>

#include <algorithm>

namespace sporos::runtime {

ResultSubject subject_of(const ModelDescription& model, const ParameterValues& values,
                         const std::vector<std::size_t>& varied) {
  ResultSubject subject{model.name, model.title};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterDescription& parameter = model.parameters[i];
    const bool varies = std::ranges::find(varied, i) != varied.end();
    const auto value = std::visit([](const auto& held) { return ResultValue(held); }, values[i]);
    subject.parameters.push_back({parameter.name, varies ? ResultValue() : value,
                                  varies ? "varies" : shown_text_of(values[i]), parameter.unit, parameter.meaning,
                                  varies || !parameter.is_as_in_case(values[i])});
  }
  return subject;
}

}  // namespace sporos::runtime
