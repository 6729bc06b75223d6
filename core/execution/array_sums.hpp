// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace sporos::impl {

/// Kokkos reducer that computes `count` sums at once.
template <int count>
struct ArraySums {
  struct value_type {
    double of[count];
  };
  using reducer = ArraySums;
  using result_view_type = Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  value_type& sums;

  KOKKOS_INLINE_FUNCTION void init(value_type& value) const {
    for (int i = 0; i < count; ++i) value.of[i] = 0;
  }
  KOKKOS_INLINE_FUNCTION void join(value_type& to, const value_type& more) const {
    for (int i = 0; i < count; ++i) to.of[i] += more.of[i];
  }
  KOKKOS_INLINE_FUNCTION value_type& reference() const { return sums; }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result_view_type(&sums); }
};

}  // namespace sporos::impl
