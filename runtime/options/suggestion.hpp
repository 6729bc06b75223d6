// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Returns the end of a message about an unknown name: ": did you mean 'NAME'?" if one of `names` is similar to it, and
/// otherwise ": expected one of ...".
std::string suggestion_for(std::string_view name, const std::vector<std::string>& names);

}  // namespace sporos::runtime
