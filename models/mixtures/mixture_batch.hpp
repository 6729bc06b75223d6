// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

/// Mixtures side by side for kernels of `ExecutionSpace`. Their numbers of components may differ.
template <class ExecutionSpace>
struct MixtureBatch {
  /// One row per mixture: its k weights, then its k means, then its k deviations, as parameters_of gives them.
  RowMatrix<ExecutionSpace> parameters;
  /// Number of components k of each mixture.
  Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> components;
  /// Sample over which each mixture is evaluated; if it is empty, all use the first one.
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> samples = {};

  /// Sample over which mixture `m` is evaluated.
  KOKKOS_FUNCTION std::int64_t sample_of(std::int64_t m) const { return samples.extent(0) == 0 ? 0 : samples(m); }

  /// Rows of the selected mixtures; if it is empty, all are selected.
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> rows = {};

  /// Number of selected mixtures.
  KOKKOS_FUNCTION std::int64_t size() const {
    return static_cast<std::int64_t>(rows.extent(0) == 0 ? components.extent(0) : rows.extent(0));
  }
  /// Row of the selected mixture with index `place`.
  KOKKOS_FUNCTION std::int64_t row(std::int64_t place) const { return rows.extent(0) == 0 ? place : rows(place); }

  /// Allocates memory for `count` mixtures of at most `most` components, without initializing it.
  static MixtureBatch allocated(std::int64_t count, std::int64_t most) {
    const auto rows = static_cast<std::size_t>(count);
    const auto unset = [](const char* label) {
      return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
    };
    return {RowMatrix<ExecutionSpace>(unset("sporos::mixtures::parameters"), rows, static_cast<std::size_t>(3 * most)),
            decltype(components)(unset("sporos::mixtures::components"), rows)};
  }
};

/// Copies mixtures to the memory of `ExecutionSpace`, after each has passed check(NormalMixture). This call blocks.
template <class ExecutionSpace>
MixtureBatch<ExecutionSpace> to_batch(const std::vector<NormalMixture>& mixtures) {
  std::size_t most = 0;
  for (const NormalMixture& mixture : mixtures) {
    check(mixture);
    most = std::max(most, mixture.size());
  }
  const auto batch = MixtureBatch<ExecutionSpace>::allocated(static_cast<std::int64_t>(mixtures.size()),
                                                             static_cast<std::int64_t>(most));
  const auto parameters = Kokkos::create_mirror_view(batch.parameters);
  const auto components = Kokkos::create_mirror_view(batch.components);
  for (std::size_t m = 0; m < mixtures.size(); ++m) {
    components(m) = static_cast<std::int32_t>(mixtures[m].size());
    const std::vector<double> row = parameters_of(mixtures[m]);
    std::copy(row.begin(), row.end(), &parameters(m, 0));
  }
  copy_elements(batch.parameters, parameters);
  copy_elements(batch.components, components);
  return batch;
}

/// Copies mixtures; mixture m is evaluated over sample `samples[m]`. This call blocks.
template <class ExecutionSpace>
MixtureBatch<ExecutionSpace> to_batch(const std::vector<NormalMixture>& mixtures,
                                      const std::vector<std::int32_t>& samples) {
  MixtureBatch<ExecutionSpace> batch = to_batch<ExecutionSpace>(mixtures);
  batch.samples = sporos::impl::table_view<typename ExecutionSpace::memory_space>("sporos::mixtures::samples", samples);
  return batch;
}

/// Copies the mixtures of a batch to the host. This call blocks.
template <class ExecutionSpace>
std::vector<NormalMixture> to_mixtures(const MixtureBatch<ExecutionSpace>& batch) {
  const auto parameters = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), batch.parameters);
  const auto components = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), batch.components);
  std::vector<NormalMixture> mixtures;
  for (std::size_t m = 0; m < components.extent(0); ++m) {
    mixtures.push_back(mixture_of(&parameters(m, 0), static_cast<std::size_t>(components(m))));
  }
  return mixtures;
}

}  // namespace sporos::models
