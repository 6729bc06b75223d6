// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <type_traits>

namespace sporos {

/// A response of a model with levels, on level l and on the previous level l − 1, from the same draws.
struct LevelPair {
  double fine;    ///< response P_l on level l
  double coarse;  ///< P_(l−1), distributed like `fine` of level l − 1; 0 on level 0
};

/// A model whose responses have levels, for multilevel Monte Carlo. procedures/multilevel/multilevel.hpp specifies the
/// requirements on a level model.
///
///     PathOption level_model(int response) const;                // has at_level(inputs, level) and level_cost(level)
///     std::array<std::optional<double>, 2> level_means() const;  // limits of the means for fine levels, if known
template <class Model>
concept OffersLevels = requires(const Model& model) {
  requires std::is_trivially_copyable_v<decltype(model.level_model(0))>;
  { model.level_means() } -> std::same_as<std::array<std::optional<double>, Model::response_names.size()>>;
};

}  // namespace sporos
