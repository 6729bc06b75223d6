// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// A model that `sporos simulate` runs from a case file.
struct CaseModel {
  std::string_view name;   ///< name on the command line
  std::string_view title;  ///< one phrase that describes the model
  std::string_view help;   ///< effect of its --help, for messages: "lists the options"
  Usage (*usage)();        ///< returns the usage of its command
};

#define SPOROS_DECLARE_MODEL(name, Task) CaseModel name##_model();
SPOROS_FOR_EACH_CASE_MODEL(SPOROS_DECLARE_MODEL)
#undef SPOROS_DECLARE_MODEL

/// All case models, which lists show after the other models. Empty if the program has no tasks.
inline std::span<const CaseModel> case_models() {
#define SPOROS_MODEL_OF(name, Task) name##_model(),
  static const auto all = std::to_array<CaseModel>({SPOROS_FOR_EACH_CASE_MODEL(SPOROS_MODEL_OF)});
#undef SPOROS_MODEL_OF
  return std::span(all).first(program().has_tasks ? all.size() : 0);
}

/// Names of all case models.
inline std::vector<std::string_view> case_model_names() {
  std::vector<std::string_view> names;
  for (const CaseModel& model : case_models()) names.push_back(model.name);
  return names;
}

}  // namespace sporos::runtime
