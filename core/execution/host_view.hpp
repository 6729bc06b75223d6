// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <iterator>
#include <type_traits>

namespace sporos {

/// The elements of a vector or span of the host as a view, for Kokkos to copy from or to. They must outlive it.
template <class Elements>
auto host_view(Elements&& elements) {
  using Element = std::remove_pointer_t<decltype(std::data(elements))>;
  return Kokkos::View<Element*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(std::data(elements), std::size(elements));
}

}  // namespace sporos
