// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/mixtures/mixture_batch.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::models {

namespace impl {

/// Draws an observation from a mixture that is a row of a MixtureBatch. The first uniform selects the component; the
/// second one gives the value by its quantile.
KOKKOS_INLINE_FUNCTION double drawn_value(const double* parameters, std::int32_t k, double first, double second) {
  std::int32_t c = 0;
  while (c + 1 < k && first >= parameters[c]) first -= parameters[c++];
  return parameters[k + c] + parameters[2 * k + c] * math::normal_quantile(second);
}

/// Writes observation i of sample r; its index is r n + i.
template <class ExecutionSpace>
struct MixtureDrawer {
  MixtureBatch<ExecutionSpace> mixture;
  std::uint64_t seed;
  RowMatrix<ExecutionSpace> samples;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const auto size = static_cast<std::int64_t>(samples.extent(1));
    const std::int64_t row = index / size, i = index % size;
    const Stream stream{seed, static_cast<std::uint64_t>(row), 0};
    const auto words = Philox4x32::block(stream, static_cast<std::uint64_t>(i));
    samples(row, i) =
        drawn_value(&mixture.parameters(0, 0), mixture.components(0), open_uniform(words[0]), open_uniform(words[1]));
  }
};

}  // namespace impl

/// Draws `count` samples of `size` independent observations of a mixture, one sample per row, in one launch.
/// Observation i of sample r is a function of only (`seed`, r, i), with the same bits on every backend. This call
/// blocks. Throws OutOfMemory if they do not fit.
template <class ExecutionSpace>
RowMatrix<ExecutionSpace> drawn_samples(const ExecutionSpace& space, const NormalMixture& mixture, std::int64_t count,
                                        std::int64_t size, std::uint64_t seed) {
  const auto bytes_of_sample = static_cast<double>(size) * sizeof(double);
  check_memory<typename ExecutionSpace::memory_space>({"observations", count, "samples", bytes_of_sample});
  const RowMatrix<ExecutionSpace> samples(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::mixtures::drawn_samples"),
      static_cast<std::size_t>(count), static_cast<std::size_t>(size));
  Kokkos::parallel_for("sporos::mixtures::draw_samples",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, count * size),
                       impl::MixtureDrawer<ExecutionSpace>{to_batch<ExecutionSpace>({mixture}), seed, samples});
  space.fence();
  return samples;
}

}  // namespace sporos::models
