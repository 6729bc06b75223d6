// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// How a message about an unknown name goes on: ": did you mean 'NAME'?" where one of `names` is much like it, and
/// ": expected one of ..." otherwise.
std::string suggestion_for(std::string_view name, const std::vector<std::string>& names);

}  // namespace sporos::runtime
