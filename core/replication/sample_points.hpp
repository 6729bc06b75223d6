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

/// The points of a sampling method, for use outside of models. A point is a replication of the wide model SamplePoints.
/// A set of points is a run: sets 0, 1, 2, … are independent randomizations.
namespace sporos {

/// A model whose responses are its draws. Each coordinate is a separate variable that a replication draws once.
struct SamplePoints {
  int dimensions;  ///< number of coordinates of a point

  /// The only input, whose draws are the coordinates.
  enum Input { coordinate, input_count };

  /// Number of responses: one for each coordinate.
  KOKKOS_FUNCTION int response_count() const { return dimensions; }
  /// Name of a response: u1, u2, …
  std::string response_name(int response) const { return "u" + std::to_string(response + 1); }
  /// Number of draws: one of each coordinate.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return {{{1, dimensions}}}; }

  /// Generates one point.
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    for (int i = 0; i < dimensions; ++i) responses.set(i, inputs(coordinate));
  }
};

/// Returns `source` with one run for each set of `points` points. If sets of the sampling method can be continued, runs
/// have the largest possible length, so that the points of a set do not depend on `points`.
inline UniformSource source_of_sets(UniformSource source, std::int64_t points) {
  source.run_length = goes_on(source.sampling) ? max_in_sample : points;
  return source;
}

/// The range of replications that are points [first, first + count) of set `set`, for a source from source_of_sets.
inline ReplicationRange points_of_set(const UniformSource& source, std::int64_t set, const ReplicationRange& points) {
  return {set * source.replications_of_run() + points.first, points.count};
}

/// The points of replications [first, first + count) of an experiment with seed `seed`: one row for each point, one
/// column for each coordinate, in (0, 1), in the memory of `space`. Asynchronous: fence before you read them. The
/// points depend only on (source, seed, replication, dimensions), bit for bit. Throws std::invalid_argument if `source`
/// has no such points.
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
