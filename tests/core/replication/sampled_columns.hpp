// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/sample_points.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {

/// Selection of points of a sampling.
struct SampleOf {
  Sampling sampling;
  std::int64_t first = 0, count = 1;
  int dimensions = 10;
  std::int64_t set = 0;
  std::uint64_t seed = 1;
  Engine engine = Engine::philox4x32;
  PrimeRange primes = {};
};

/// Coordinates of points, by dimension: the first coordinates of all points, their second ones, …
using Columns = std::vector<std::vector<double>>;

/// Coordinates of the selected points, generated on `Space`.
template <class Space>
Columns sampled_columns(const SampleOf& sample, Mapping mapping = Mapping::thread) {
  UniformSource source;
  source.engine = sample.engine;
  source.sampling = sample.sampling;
  source.primes = sample.primes;
  source = source_of_sets(source, sample.count);
  const auto range = points_of_set(source, sample.set, {sample.first, sample.count});
  const auto points = sample_points(Space(), source, sample.seed, range, sample.dimensions, mapping);
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), points);
  Columns columns(host.extent(1));
  for (std::size_t i = 0; i < host.extent(1); ++i) {
    for (std::size_t point = 0; point < host.extent(0); ++point) columns[i].push_back(host(point, i));
  }
  return columns;
}

}  // namespace sporos::test
