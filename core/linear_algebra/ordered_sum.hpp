// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sporos {

namespace impl {

/// Kernel that writes the sum of one chunk of neighbouring values.
template <class ExecutionSpace>
struct ChunkSum {
  ConstVector<ExecutionSpace> values;
  std::int64_t chunk_size;
  Vector<ExecutionSpace> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const {
    const std::int64_t first = chunk * chunk_size, left = static_cast<std::int64_t>(values.extent(0)) - first;
    double sum = 0.0;
    for (std::int64_t i = first; i < first + (left < chunk_size ? left : chunk_size); ++i) sum += values(i);
    sums(chunk) = sum;
  }
};

}  // namespace impl

/// Sums of consecutive chunks of `chunk_size` values; the last chunk may be shorter. Each chunk is added from left to
/// right, so that the sums have the same bits on every backend. Blocks until they are available.
template <class ExecutionSpace>
std::vector<double> chunk_sums(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& values,
                               std::int64_t chunk_size) {
  const std::int64_t chunks = (static_cast<std::int64_t>(values.extent(0)) + chunk_size - 1) / chunk_size;
  const Vector<ExecutionSpace> sums(Kokkos::view_alloc(space, "sporos::ordered_sum::sums"),
                                    static_cast<std::size_t>(chunks));
  Kokkos::parallel_for("sporos::ordered_sum",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, chunks),
                       impl::ChunkSum<ExecutionSpace>{values, chunk_size, sums});
  std::vector<double> found(static_cast<std::size_t>(chunks));
  copy_elements(space, found, sums);
  space.fence();
  return found;
}

/// The sum of `values`. The order of additions depends only on their number, so that the sum has the same bits on every
/// backend. Blocks until the sum is available.
template <class ExecutionSpace>
double ordered_sum(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& values) {
  constexpr std::int64_t chunk_size = 256;
  const std::vector<double> sums = chunk_sums<ExecutionSpace>(space, values, chunk_size);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace sporos
