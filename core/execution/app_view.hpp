// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Views of an application in models.
namespace sporos {

/// Handle to the elements of a Kokkos::View, which a model can hold although models must be trivially copyable and
/// Views are not. Elements are in the memory space of the View: kernels of the model must be able to access it. The
/// handle does not own the memory: the View must live until the last kernel of the model has ended.
template <class T, std::size_t rank>
class AppView {
 public:
  /// A handle without elements.
  AppView() = default;

  /// A handle to the elements of a View of the same rank, in any layout.
  template <class View>
  requires Kokkos::is_view<View>::value AppView(const View& view) : m_data(view.data()) {
    static_assert(std::size_t(View::rank) == rank, "Sporos: an AppView<T, rank> refers to a Kokkos::View of this rank");
    for (std::size_t dimension = 0; dimension < rank; ++dimension) {
      m_extents[dimension] = static_cast<std::int64_t>(view.extent(dimension));
      m_strides[dimension] = static_cast<std::int64_t>(view.stride(dimension));
    }
  }

  /// Returns the element with these indices, one for each dimension, each at least 0 and less than the extent.
  template <class... Indices>
  KOKKOS_FUNCTION T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == rank, "Sporos: an AppView takes one index for each of its dimensions");
    std::int64_t offset = 0;
    std::size_t dimension = 0;
    ((offset += static_cast<std::int64_t>(indices) * m_strides[dimension++]), ...);
    return m_data[offset];
  }

  /// Returns the number of elements in a dimension.
  KOKKOS_FUNCTION std::int64_t extent(std::size_t dimension) const { return m_extents[dimension]; }

 private:
  T* m_data = nullptr;
  std::int64_t m_extents[rank] = {}, m_strides[rank] = {};
};

/// The handle AppView(view) has the element type and rank of the View.
template <class View>
AppView(const View&) -> AppView<typename View::value_type, std::size_t(View::rank)>;

}  // namespace sporos
