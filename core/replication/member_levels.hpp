// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/level_pair.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace sporos {

/// Levels of a response of a model that computes all responses on a level at once, as models that are translated from
/// Python do (core/replication/level_pair.hpp).
///
///     template <class Inputs>
///     Kokkos::Array<double, 2 * R> responses_at_level(Inputs& inputs, std::int64_t level) const;  // R fine, R coarse
///     double level_cost(std::int64_t level) const;
///     sporos::MemberLevels<Model> level_model(int response) const { return {*this, response}; }
template <class Model>
struct MemberLevels {
  Model model;   ///< the model, with its parameters
  int response;  ///< index of the response

  /// Input variables, those of the model.
  enum Input { input_count = static_cast<int>(Model::input_count) };

  /// Returns the cost of a replication.
  double level_cost(int level) const { return model.level_cost(level); }

  /// Simulates the response on a level and on the previous one.
  template <class Inputs>
  KOKKOS_FUNCTION LevelPair at_level(Inputs& inputs, int level) const {
    const auto all = model.responses_at_level(inputs, level);
    const auto place = static_cast<std::size_t>(response);
    return {all[place], all[place + Model::response_names.size()]};
  }
};

}  // namespace sporos
