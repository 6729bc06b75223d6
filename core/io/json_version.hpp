// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sporos::io {

namespace impl {

/// Major, minor and patch version.
using VersionNumbers = std::array<int, 3>;

/// Returns the numbers of a text such as 0.1.0, or nothing if it is not a version.
inline std::optional<VersionNumbers> version_numbers(std::string_view text) {
  VersionNumbers numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto end = i + 1 < numbers.size() ? text.find('.') : text.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto number = number_of<int>(text.substr(0, end));
    if (!number || *number < 0) return std::nullopt;
    numbers[i] = *number;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

}  // namespace impl

/// Throws std::invalid_argument, in which `what` names `json`, if this version of Sporos does not read its plans,
/// models and states. Its member "sporos" must name a version up to this one, of the same major version, and while that
/// is 0, of the same minor version.
inline void check_json_version(const Json& json, std::string_view what) {
  const auto text = json_member<std::string>(json, what, "sporos");
  const auto newest = impl::version_numbers(SPOROS_VERSION).value();
  const impl::VersionNumbers oldest{newest[0], newest[0] == 0 ? newest[1] : 0, 0};
  const auto found = impl::version_numbers(text);
  if (found && *found >= oldest && *found <= newest) return;
  throw JsonError(json.at("sporos"), fmt::format("{} is of version {} of Sporos, expected one from {} to {}", what,
                                                 in_quotes(text), fmt::join(oldest, "."), SPOROS_VERSION));
}

}  // namespace sporos::io
