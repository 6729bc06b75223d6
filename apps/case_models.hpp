// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "germinal_centre.hpp"
#include "radiation.hpp"

#include <array>
#include <string_view>

namespace sporos::apps {

/// What `sporos simulate` runs from a case file.
struct CaseModel {
  std::string_view name;   ///< on the command line
  std::string_view title;  ///< one phrase
};

/// All of these, behind the models in lists.
inline constexpr std::array case_models{CaseModel{radiation_name, radiation_title},
                                        CaseModel{germinal_centre_name, germinal_centre_title}};

/// Their names.
inline constexpr std::array case_model_names{radiation_name, germinal_centre_name};

}  // namespace sporos::apps
