// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos {

namespace impl {

/// The sum of some neighbouring values.
template <class ExecutionSpace>
struct ChunkSum {
  static constexpr std::int64_t chunk_size = 256;
  ConstVector<ExecutionSpace> values;
  Vector<ExecutionSpace> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const {
    const std::int64_t first = chunk * chunk_size, left = static_cast<std::int64_t>(values.extent(0)) - first;
    double sum = 0.0;
    for (std::int64_t i = first; i < first + (left < chunk_size ? left : chunk_size); ++i) sum += values(i);
    sums(chunk) = sum;
  }
};

}  // namespace impl

/// Σ values, in an order that depends on their number alone: the same bits on every backend. Waits for it.
template <class ExecutionSpace>
double ordered_sum(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& values) {
  using Sum = impl::ChunkSum<ExecutionSpace>;
  const auto chunks = (static_cast<std::int64_t>(values.extent(0)) + Sum::chunk_size - 1) / Sum::chunk_size;
  const Vector<ExecutionSpace> sums("sporos::ordered_sum::sums", static_cast<std::size_t>(chunks));
  Kokkos::parallel_for("sporos::ordered_sum",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, chunks),
                       Sum{values, sums});
  const auto host = Kokkos::create_mirror_view(sums);
  Kokkos::deep_copy(space, host, sums);
  space.fence();
  double sum = 0.0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += host(chunk);
  return sum;
}

}  // namespace sporos
