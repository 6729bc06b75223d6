// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos {

/// Ensures that `vector` has room for `size` elements. If it is shorter, it is freed and then replaced by a new View of
/// `size` uninitialized elements.
template <class View>
void reserve(View& vector, const char* label, std::int64_t size) {
  if (static_cast<std::int64_t>(vector.extent(0)) >= size) return;
  vector = View();
  vector = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), static_cast<std::size_t>(size));
}

}  // namespace sporos
