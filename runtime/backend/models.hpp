// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/listed_models.hpp>  // by models.cmake

#include <type_traits>

namespace sporos::runtime {

/// Calls `visit` with std::type_identity of the type of each model in models.cmake, in its order.
template <class Visit>
void for_each_model(Visit&& visit) {
  [&]<class... Model>(std::type_identity<std::tuple<Model...>>) {
    (visit(std::type_identity<Model>()), ...);
  }(std::type_identity<Models>());
}

}  // namespace sporos::runtime
