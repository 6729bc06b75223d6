// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <vector>

namespace sporos::test {

/// A copy where the kernels of `Space` can reach it.
template <class Space>
Vector<Space> vector_on(const std::vector<double>& values) {
  const Vector<Space> vector("vector", values.size());
  const auto host = Kokkos::create_mirror_view(vector);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(vector, host);
  return vector;
}

/// A copy on the host.
template <class Space>
std::vector<double> on_host(const ConstVector<Space>& vector) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), vector);
  return {host.data(), host.data() + host.size()};
}

}  // namespace sporos::test
