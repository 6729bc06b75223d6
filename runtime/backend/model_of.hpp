// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/described_model.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// Returns the model, or the described case, that has these values.
template <class Model>
Model model_of(const ParameterValues& values) {
  Model model{};
  std::size_t next = 0;
  for_each_parameter<Model>([&](const auto& parameter) {
    using Value = std::remove_cvref_t<decltype(parameter.default_value)>;
    model.*parameter.member = std::get<Value>(values.at(next++));
  });
  return model;
}

/// Data that a described case has loaded.
template <DescribedCase Case>
struct LoadedCase {
  typename Case::Data data;
  std::vector<std::string> notes;  ///< notes for users on how the files were read
};

/// Returns the data of a described case. They are loaded once in the process for all design points that name the same
/// files. A file may therefore be a pipe.
template <DescribedCase Case>
const LoadedCase<Case>& loaded_of(const ParameterValues& values) {
  static std::map<std::vector<std::string>, LoadedCase<Case>> loaded;
  std::vector<std::string> files;
  for (const auto& value : values) {
    if (const auto* file = std::get_if<std::string>(&value)) files.push_back(*file);
  }
  auto found = loaded.find(files);
  if (found == loaded.end()) {
    std::vector<std::string> notes;
    auto data = model_of<Case>(values).load(notes);
    found = loaded.emplace(files, LoadedCase<Case>{std::move(data), std::move(notes)}).first;
  }
  return found->second;
}

}  // namespace sporos::runtime
