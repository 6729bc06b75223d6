// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace sporos::io {

/// Throws JsonError, in which `what` names `json`, if `json` is not an object or has a member that is not in `names`.
inline void check_json_members(const Json& json, std::string_view what, std::initializer_list<std::string_view> names) {
  if (!json.is_object()) {
    throw JsonError(json, fmt::format("{} is {}, expected an object with the members {}", what, in_quotes(json.dump()),
                                      fmt::join(names, ", ")));
  }
  for (const auto& [name, value] : json.items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw JsonError(value,
                    fmt::format("{} has a member {}, expected only {}", what, in_quotes(name), fmt::join(names, ", ")));
  }
}

}  // namespace sporos::io
