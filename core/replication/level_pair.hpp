// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

namespace sporos {

/// A response of a model with levels, on a level and on the one before it, of the same draws; on level 0 `coarse` is 0.
struct LevelPair {
  double fine;    ///< P_l
  double coarse;  ///< P_(l−1), which has the law that P_(l−1) has as the fine one of its own level
};

/// A model whose responses have levels, for multilevel Monte Carlo (procedures/multilevel/multilevel.hpp says what is
/// wanted of each):
///
///     PathOption level_model(int response) const;                // has at_level(inputs, level) and level_cost(level)
///     std::array<std::optional<double>, 2> level_means() const;  // what finer levels tend to, where that is known
template <class Model>
concept OffersLevels = requires(const Model& model) {
  requires std::is_trivially_copyable_v<decltype(model.level_model(0))>;
  { model.level_means() } -> std::same_as<std::array<std::optional<double>, Model::response_names.size()>>;
};

}  // namespace sporos
