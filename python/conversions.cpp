// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conversions.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sporos::python {

std::string name_of_option(const std::string& keyword) {
  std::string name = keyword;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

apps::OptionTable table_with(std::vector<apps::OptionEntry> entries, const OptionTexts& options) {
  apps::OptionTable table(std::move(entries));
  for (const auto& [keyword, text] : options) table.text(name_of_option(keyword)) = text;
  return table;
}

std::string message_for_python(std::string message) {
  constexpr std::string_view list = "`sporos list`";
  if (const auto place = message.find(list); place != std::string::npos) {
    message.replace(place, list.size(), "sporos.models()");
  }
  const auto is_letter = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  std::string text;
  for (std::size_t i = 0; i < message.size();) {
    const bool begins_word = i == 0 || message[i - 1] == ' ' || message[i - 1] == '\'';
    const bool is_option = begins_word && message.compare(i, 2, "--") == 0 && is_letter(message[i + 2]);
    if (!is_option) {
      text += message[i++];
      continue;
    }
    for (i += 2; i < message.size() && (is_letter(message[i]) || message[i] == '-'); ++i) {
      text += message[i] == '-' ? '_' : message[i];
    }
  }
  return text;
}

}  // namespace sporos::python
