// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos {

/// Names of the values of the enumeration `Choice` in user interfaces, in the order in which they are listed. Each
/// enumeration has a specialization next to it: `what` is the name of the choice, `values` pairs each name with its
/// value.
template <class Choice>
struct ChoiceNames;

/// Name and value of one choice.
template <class Choice>
struct NamedValue {
  std::string_view name;  ///< name as the user writes it
  Choice value;           ///< value that the name stands for
};

/// Name of `value`. Throws std::invalid_argument if it has none.
template <class Choice>
std::string_view name_of(Choice value) {
  for (const auto& named : ChoiceNames<Choice>::values) {
    if (named.value == value) return named.name;
  }
  throw std::invalid_argument(std::string(ChoiceNames<Choice>::what) + " has no name for this value");
}

/// Names of all values as a list: "thread, warp, automatic".
template <class Choice>
std::string names_of() {
  std::string list;
  for (const auto& named : ChoiceNames<Choice>::values) {
    list += (list.empty() ? "" : ", ") + std::string(named.name);
  }
  return list;
}

/// Names of the values for which `is_meant(value)` is true, as a list in a sentence: "thread, warp or automatic".
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

/// Value called `name`, or std::nullopt if there is none.
template <class Choice>
std::optional<Choice> find_choice(std::string_view name) {
  for (const auto& named : ChoiceNames<Choice>::values) {
    if (named.name == name) return named.value;
  }
  return std::nullopt;
}

/// Value called `name`. Throws std::invalid_argument, whose message lists the valid names, if there is none.
template <class Choice>
Choice parse_choice(std::string_view name) {
  if (const auto found = find_choice<Choice>(name)) return *found;
  throw std::invalid_argument("unknown " + std::string(ChoiceNames<Choice>::what) + " '" + std::string(name) +
                              "': expected one of " + names_of<Choice>());
}

}  // namespace sporos
