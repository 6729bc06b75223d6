// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/sampling/sampling.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <span>
#include <string>

/// The points of a sampling themselves, for use outside of models. A point is a replication of the wide model
/// SamplePoints, a set of points is a run: sets 0, 1, 2, … are independent randomizations.
namespace sporos {

/// The model whose responses are its draws: each coordinate is a variable of its own that a replication draws once.
struct SamplePoints {
  int dimensions;  ///< coordinates of a point

  /// One input, whose draws are the coordinates.
  enum Input { coordinate, input_count };

  /// A response a coordinate.
  KOKKOS_FUNCTION int response_count() const { return dimensions; }
  /// u1, u2, …
  std::string response_name(int response) const { return "u" + std::to_string(response + 1); }
  /// Each coordinate once.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return {{{1, dimensions}}}; }

  /// One point.
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    for (int i = 0; i < dimensions; ++i) responses.set(i, inputs(coordinate));
  }
};

/// `source` with a run for each set of `points` points. Sets that go on are runs of the greatest length, so that
/// `points` changes none of their points.
inline UniformSource source_of_sets(UniformSource source, std::int64_t points) {
  source.run_length = goes_on(source.sampling) ? most_in_sample : points;
  return source;
}

/// Points [first, first + count) of set `set` as the replications that they are, for a source of sets.
inline ReplicationRange points_of_set(const UniformSource& source, std::int64_t set, const ReplicationRange& points) {
  return {set * source.replications_of_run() + points.first, points.count};
}

/// The points that replications [first, first + count) of an experiment with seed `seed` are: row by point, column by
/// coordinate, each in (0, 1), in the memory of `space`. Asynchronous: fence before they are read. The bits depend on
/// (source, seed, replication, dimensions) alone. Throws std::invalid_argument where `source` has no such points.
template <class ExecutionSpace>
Outputs<ExecutionSpace> sample_points(const ExecutionSpace& space, const UniformSource& source, std::uint64_t seed,
                                      const ReplicationRange& range, int dimensions,
                                      Mapping mapping = Mapping::thread) {
  const SamplePoints model{dimensions};
  const auto prepared = prepared_source<ExecutionSpace>(source, std::span(&model, 1));
  const Outputs<ExecutionSpace> points(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::points"),
                                       static_cast<std::size_t>(range.count), static_cast<std::size_t>(dimensions));
  replicate(space, Design<SamplePoints, ExecutionSpace>(model, seed), prepared, range, mapping, points);
  return points;
}

}  // namespace sporos
