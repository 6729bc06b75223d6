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

/// Mixtures side by side for kernels of `ExecutionSpace`, of as many components each as they like.
template <class ExecutionSpace>
struct MixtureBatch {
  /// A row for each mixture: its k weights, then its k means, then its k deviations, as parameters_of gives them.
  RowMatrix<ExecutionSpace> parameters;
  /// k of each mixture.
  Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> components;
  /// Which of several samples each is judged by; without elements, all by the first.
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> samples = {};

  /// The sample by which mixture `m` is judged.
  KOKKOS_FUNCTION std::int64_t sample_of(std::int64_t m) const { return samples.extent(0) == 0 ? 0 : samples(m); }

  /// Rows of the mixtures that are wanted; without elements, all.
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> rows = {};

  /// Number of mixtures that are wanted.
  KOKKOS_FUNCTION std::int64_t size() const {
    return static_cast<std::int64_t>(rows.extent(0) == 0 ? components.extent(0) : rows.extent(0));
  }
  /// The row of the mixture at `place` among those that are wanted.
  KOKKOS_FUNCTION std::int64_t row(std::int64_t place) const { return rows.extent(0) == 0 ? place : rows(place); }

  /// Memory for `count` mixtures of at most `most` components; its numbers are unset.
  static MixtureBatch allocated(std::int64_t count, std::int64_t most) {
    const auto rows = static_cast<std::size_t>(count);
    const auto unset = [](const char* label) {
      return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
    };
    return {RowMatrix<ExecutionSpace>(unset("sporos::mixtures::parameters"), rows, static_cast<std::size_t>(3 * most)),
            decltype(components)(unset("sporos::mixtures::components"), rows)};
  }
};

/// The mixtures, each checked as check(NormalMixture) does, in the memory of `ExecutionSpace`. Waits.
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

/// The same, mixture m to be judged by sample `samples[m]`.
template <class ExecutionSpace>
MixtureBatch<ExecutionSpace> to_batch(const std::vector<NormalMixture>& mixtures,
                                      const std::vector<std::int32_t>& samples) {
  MixtureBatch<ExecutionSpace> batch = to_batch<ExecutionSpace>(mixtures);
  batch.samples = sporos::impl::table_view<typename ExecutionSpace::memory_space>("sporos::mixtures::samples", samples);
  return batch;
}

/// The mixtures of the batch, on the host. Waits.
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
