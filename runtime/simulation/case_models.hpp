// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/germinal_centre/options.hpp>
#include <sporos/runtime/radiation/options.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace sporos::runtime {

/// What `sporos simulate` runs from a case file.
struct CaseModel {
  std::string_view name;   ///< on the command line
  std::string_view title;  ///< one phrase
  std::string_view help;   ///< what its help does
};

/// All of these, behind the models in lists.
inline constexpr std::array case_models{CaseModel{radiation_name, radiation_title, "shows one and lists the options"},
                                        CaseModel{germinal_centre_name, germinal_centre_title, "lists the options"}};

/// Their names.
inline constexpr auto case_model_names = [] {
  std::array<std::string_view, case_models.size()> names;
  std::transform(case_models.begin(), case_models.end(), names.begin(), [](const CaseModel& of) { return of.name; });
  return names;
}();

}  // namespace sporos::runtime
