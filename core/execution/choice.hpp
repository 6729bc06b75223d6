// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos {

/// The names by which a user calls the values of the enumeration `Choice`, in the order in which they are listed.
/// Specialized beside each enumeration: `what` says what is chosen, `values` pairs each name with its value.
template <class Choice>
struct ChoiceNames;

/// One name of a choice and its value.
template <class Choice>
struct NamedValue {
  std::string_view name;  ///< the name as the user writes it
  Choice value;           ///< the value it stands for
};

/// The name of `value`.
template <class Choice>
std::string_view name_of(Choice value) {
  for (const auto& named : ChoiceNames<Choice>::values) {
    if (named.value == value) return named.name;
  }
  throw std::invalid_argument(std::string(ChoiceNames<Choice>::what) + " has no name for this value");
}

/// All names of a choice, as a sentence lists them: "thread, warp, automatic".
template <class Choice>
std::string names_of() {
  std::string list;
  for (const auto& named : ChoiceNames<Choice>::values) {
    list += (list.empty() ? "" : ", ") + std::string(named.name);
  }
  return list;
}

/// The names of the values for which `is_meant(value)`, as a sentence lists them: "thread, warp or automatic".
template <class Choice, class Predicate>
std::string names_where(const Predicate& is_meant, std::string_view before_last = " or ") {
  std::string list, last;
  for (const auto& named : ChoiceNames<Choice>::values) {
    if (!is_meant(named.value)) continue;
    if (!last.empty()) list += (list.empty() ? "" : ", ") + last;
    last = named.name;
  }
  return list.empty() ? last : list.append(before_last).append(last);
}

/// All values of a choice, in the order in which they are listed.
template <class Choice>
constexpr auto values_of() {
  std::array<Choice, ChoiceNames<Choice>::values.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = ChoiceNames<Choice>::values[i].value;
  return values;
}

/// The value called `name`, if one is.
template <class Choice>
std::optional<Choice> find_choice(std::string_view name) {
  for (const auto& named : ChoiceNames<Choice>::values) {
    if (named.name == name) return named.value;
  }
  return std::nullopt;
}

/// The value called `name`. Throws std::invalid_argument, which lists the names there are.
template <class Choice>
Choice parse_choice(std::string_view name) {
  if (const auto found = find_choice<Choice>(name)) return *found;
  throw std::invalid_argument("unknown " + std::string(ChoiceNames<Choice>::what) + " '" + std::string(name) +
                              "': expected one of " + names_of<Choice>());
}

}  // namespace sporos
