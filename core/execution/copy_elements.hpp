// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <type_traits>

namespace sporos {

namespace impl {

// A view's elements, or those of a vector or span of the host, as bytes: deep_copy takes a tenth of a second to compile
// for each pair of types of views.
template <class Byte, class Elements>
auto bytes_of(Elements&& elements) {
  using Plain = std::remove_cvref_t<Elements>;
  if constexpr (Kokkos::is_view<Plain>::value) {
    static_assert(std::is_trivially_copyable_v<typename Plain::non_const_value_type>);
    if (!elements.span_is_contiguous()) throw std::logic_error("elements to be copied lie apart, expected no gaps");
    return Kokkos::View<Byte*, typename Plain::memory_space, Kokkos::MemoryUnmanaged>(
        reinterpret_cast<Byte*>(elements.data()), elements.span() * sizeof(typename Plain::value_type));
  } else {
    static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(*std::data(elements))>>);
    return Kokkos::View<Byte*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
        reinterpret_cast<Byte*>(std::data(elements)), std::size(elements) * sizeof(*std::data(elements)));
  }
}

}  // namespace impl

/// The first `count` elements of a view of rank 1 without gaps, which must outlive what is returned.
template <class View>
auto first_elements(const View& view, std::size_t count) {
  return Kokkos::View<typename View::value_type*, typename View::memory_space, Kokkos::MemoryUnmanaged>(view.data(),
                                                                                                        count);
}

/// Copies the elements of `from` to `to`, which has as many of the same type. Each of the two is a view without gaps,
/// of any rank, or a vector or span of the host; two views have the same layout. Waits as Kokkos::deep_copy does: for
/// all instances. @throws std::logic_error for a view with gaps; what Kokkos::deep_copy throws where the sizes differ.
template <class To, class From>
void copy_elements(To&& to, const From& from) {
  Kokkos::deep_copy(impl::bytes_of<std::byte>(to), impl::bytes_of<const std::byte>(from));
}

/// The same by way of `space`, for which the caller waits before elements on the host are read, or changed.
template <class ExecutionSpace, class To, class From>
void copy_elements(const ExecutionSpace& space, To&& to, const From& from) {
  Kokkos::deep_copy(space, impl::bytes_of<std::byte>(to), impl::bytes_of<const std::byte>(from));
}

}  // namespace sporos
