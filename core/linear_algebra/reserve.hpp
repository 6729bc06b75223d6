// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos {

/// Sees to it that a vector has room for `size` elements: where it has fewer, it becomes a new one of unset elements,
/// the old one being freed before.
template <class View>
void reserve(View& vector, const char* label, std::int64_t size) {
  if (static_cast<std::int64_t>(vector.extent(0)) >= size) return;
  vector = View();
  vector = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), static_cast<std::size_t>(size));
}

}  // namespace sporos
