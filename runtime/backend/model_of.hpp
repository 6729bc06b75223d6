// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/described_model.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// The model, or described case, that has these values.
template <class Model>
Model model_of(const ParameterValues& values) {
  Model model{};
  std::size_t next = 0;
  for_each_parameter<Model>([&](const auto& parameter) {
    using Value = std::remove_cvref_t<decltype(parameter.usual)>;
    model.*parameter.member = std::get<Value>(values.at(next++));
  });
  return model;
}

/// The data of a described case. They are loaded once for all design points that name the same files, and for all that
/// is done with them, so that a file may be a pipe.
template <DescribedCase Case>
const typename Case::Data& data_of(const ParameterValues& values) {
  static std::map<std::vector<std::string>, typename Case::Data> loaded;
  std::vector<std::string> files;
  for (const auto& value : values) {
    if (const auto* file = std::get_if<std::string>(&value)) files.push_back(*file);
  }
  auto found = loaded.find(files);
  if (found == loaded.end()) found = loaded.emplace(files, model_of<Case>(values).load()).first;
  return found->second;
}

}  // namespace sporos::runtime
