// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/germinal_centre/options.hpp>
#include <sporos/runtime/radiation/options.hpp>

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
};

/// All of these, behind the models in lists; none in a program without tasks.
inline std::span<const CaseModel> case_models() {
  static constexpr std::array all{CaseModel{radiation_name, radiation_title, "shows one and lists the options"},
                                  CaseModel{germinal_centre_name, germinal_centre_title, "lists the options"}};
  return std::span(all).first(program().has_tasks ? all.size() : 0);
}

/// Their names.
inline std::vector<std::string_view> case_model_names() {
  std::vector<std::string_view> names;
  for (const CaseModel& model : case_models()) names.push_back(model.name);
  return names;
}

}  // namespace sporos::runtime
