// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <cstddef>
#include <string_view>

namespace sporos::runtime {

/// Returns the index of the parameter `name`. Throws std::invalid_argument, with a suggestion, if the model has none of
/// that name. The message quotes `text`, the value of the option `option`, which is passed without its dashes.
std::size_t place_of_parameter(const ModelDescription& model, std::string_view option, std::string_view text,
                               std::string_view name);

}  // namespace sporos::runtime
