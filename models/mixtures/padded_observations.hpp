// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Observations in the form of PointData: relative to a centre, in whole blocks.
namespace sporos::models::impl {

/// `values` less `center` as `Real`, followed by `padding` less `center` up to a multiple of `block`.
template <class Real, class MemorySpace>
Kokkos::View<const Real*, MemorySpace> padded_view(const std::string& label, const std::vector<double>& values,
                                                   double center, double padding, std::size_t block) {
  const std::size_t size = (values.size() + block - 1) / block * block;
  const Kokkos::View<Real*, MemorySpace> moved(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
  const auto host = Kokkos::create_mirror_view(moved);
  for (std::size_t i = 0; i < size; ++i) {
    host(i) = static_cast<Real>((i < values.size() ? values[i] : padding) - center);
  }
  copy_elements(moved, host);
  return moved;
}

/// Copies observation i of row r of `samples`, less `center`, as `Real`. The last one is repeated up to a multiple of a
/// block.
template <class ExecutionSpace, class Real>
struct SampleRows {
  RowMatrix<ExecutionSpace> samples;
  double center;
  std::int64_t padded;  // observations per row, including the padding
  Kokkos::View<Real*, typename ExecutionSpace::memory_space> values;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const auto last = static_cast<std::int64_t>(samples.extent(1)) - 1;
    const std::int64_t row = index / padded, i = index % padded;
    values(index) = static_cast<Real>(samples(row, i < last ? i : last) - center);
  }
};

}  // namespace sporos::models::impl
