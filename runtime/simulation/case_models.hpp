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

/// What `sporos simulate` runs from a case file.
struct CaseModel {
  std::string_view name;   ///< on the command line
  std::string_view title;  ///< one phrase
  std::string_view help;   ///< what its help does
  Usage (*usage)();        ///< its command
};

#define SPOROS_DECLARE_MODEL(name, Task) CaseModel name##_model();
SPOROS_FOR_EACH_CASE_MODEL(SPOROS_DECLARE_MODEL)
#undef SPOROS_DECLARE_MODEL

/// All of these, behind the models in lists; none in a program without tasks.
inline std::span<const CaseModel> case_models() {
#define SPOROS_MODEL_OF(name, Task) name##_model(),
  static const auto all = std::to_array<CaseModel>({SPOROS_FOR_EACH_CASE_MODEL(SPOROS_MODEL_OF)});
#undef SPOROS_MODEL_OF
  return std::span(all).first(program().has_tasks ? all.size() : 0);
}

/// Their names.
inline std::vector<std::string_view> case_model_names() {
  std::vector<std::string_view> names;
  for (const CaseModel& model : case_models()) names.push_back(model.name);
  return names;
}

}  // namespace sporos::runtime
