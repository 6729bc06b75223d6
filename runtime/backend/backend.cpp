// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/backend.hpp>

#include <sporos/core/io/format.hpp>

#include <boost/core/demangle.hpp>

#include <cctype>

namespace sporos::runtime {

std::string label_of_task(const std::type_info& task, std::string_view model) {
  std::string name = boost::core::demangle(task.name());
  name = name.substr(0, name.find('<'));
  name = name.substr(name.rfind(':') + 1);
  if (name.ends_with("Task")) name.resize(name.size() - 4);
  std::string words;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) != 0 && !words.empty()) words += '_';
    words += static_cast<char>(std::tolower(letter));
  }
  return model.empty() ? "sporos::" + words : fmt::format("sporos::{}[{}]", words, model);
}

}  // namespace sporos::runtime
