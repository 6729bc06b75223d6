// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "parameter_values.hpp"

#include <sporos/core/replication/described_model.hpp>

#include <cstddef>
#include <type_traits>

namespace sporos::apps {

/// The model that has these values.
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

}  // namespace sporos::apps
