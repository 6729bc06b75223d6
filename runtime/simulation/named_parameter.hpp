// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <cstddef>
#include <string_view>

namespace sporos::runtime {

/// The place of the parameter `name`, which the value `text` of the option `option`, without its dashes, names. Throws
/// std::invalid_argument, with a suggestion, where the model has none.
std::size_t place_of_parameter(const ModelDescription& model, std::string_view option, std::string_view text,
                               std::string_view name);

}  // namespace sporos::runtime
