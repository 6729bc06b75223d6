// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/tool_region.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sporos {

namespace impl {

// Byte view of the elements of a View, or of a vector or span on the host. Copies use bytes, since deep_copy takes a
// tenth of a second to compile for each pair of View types.
template <class Byte, class Elements>
auto bytes_of(Elements&& elements) {
  using Plain = std::remove_cvref_t<Elements>;
  if constexpr (Kokkos::is_view<Plain>::value) {
    static_assert(std::is_trivially_copyable_v<typename Plain::non_const_value_type>);
    if (!elements.span_is_contiguous())
      throw std::logic_error("the View to copy is not contiguous, expected a View with contiguous memory");
    return Kokkos::View<Byte*, typename Plain::memory_space, Kokkos::MemoryUnmanaged>(
        reinterpret_cast<Byte*>(elements.data()), elements.span() * sizeof(typename Plain::value_type));
  } else {
    static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(*std::data(elements))>>);
    return Kokkos::View<Byte*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
        reinterpret_cast<Byte*>(std::data(elements)), std::size(elements) * sizeof(*std::data(elements)));
  }
}

// Name of the elements for tools: the label of a View, "unnamed" if it has none, or "host".
template <class Elements>
std::string label_of(const Elements& elements) {
  if constexpr (Kokkos::is_view<Elements>::value) {
    return elements.label().empty() ? "unnamed" : elements.label();
  } else {
    return "host";
  }
}

// Name of the region in which tools see a copy. The copied Views of bytes have no labels.
template <class To, class From>
std::string label_of_copy(const To& to, const From& from) {
  return "sporos::copy[" + label_of(to) + " from " + label_of(from) + "]";
}

}  // namespace impl

/// First `count` elements of a contiguous view of rank 1. The view must outlive the result.
template <class View>
auto first_elements(const View& view, std::size_t count) {
  return Kokkos::View<typename View::value_type*, typename View::memory_space, Kokkos::MemoryUnmanaged>(view.data(),
                                                                                                        count);
}

/// Copies the elements of `from` to `to`, which has the same number of elements of the same type. Each argument is a
/// contiguous view of any rank, or a vector or span on the host. Two views must have the same layout. Like
/// Kokkos::deep_copy, the function fences all execution space instances. @throws std::logic_error if a view is not
/// contiguous. If the sizes differ, Kokkos::deep_copy throws. Tools see a region "sporos::copy[LABEL from LABEL]" with
/// the labels of the views, or "host".
template <class To, class From>
void copy_elements(To&& to, const From& from) {
  const ToolRegion region([&] { return impl::label_of_copy(to, from); });
  Kokkos::deep_copy(impl::bytes_of<std::byte>(to), impl::bytes_of<const std::byte>(from));
}

/// Copies elements on `space`; the call may return before the copy is complete. Fence `space` before you read or change
/// elements on the host.
template <class ExecutionSpace, class To, class From>
void copy_elements(const ExecutionSpace& space, To&& to, const From& from) {
  const ToolRegion region([&] { return impl::label_of_copy(to, from); });
  Kokkos::deep_copy(space, impl::bytes_of<std::byte>(to), impl::bytes_of<const std::byte>(from));
}

}  // namespace sporos
