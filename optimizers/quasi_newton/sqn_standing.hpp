// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/result.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Progress of a run of sqn (see QuasiNewtonState).
struct SqnStanding {
  std::int64_t iteration = 0;
  double step = 0;
  QuasiNewtonCounts counts = {};  // those of correction pairs are only the ones before a resumption
  bool is_watched = false;
};

/// Returns the progress of a saved run.
inline SqnStanding standing_of(const QuasiNewtonState& state) {
  return {state.iteration, state.step, state.counts, state.is_watched};
}

/// Returns a state with only the progress of a run and the counts of all its work.
inline QuasiNewtonState state_at(const SqnStanding& standing, const QuasiNewtonCounts& counts) {
  QuasiNewtonState state;
  state.iteration = standing.iteration;
  state.step = standing.step;
  state.counts = counts;
  state.is_watched = standing.is_watched;
  return state;
}

/// Limits a step to the minimum of the quadratic with this slope and curvature.
KOKKOS_INLINE_FUNCTION double limited_step(double step, double slope, double curvature) {
  return curvature * step > slope ? slope / curvature : step;
}

/// Limits a step along a direction of this length to the maximum length of a move.
KOKKOS_INLINE_FUNCTION double bounded_step(double step, double length, double longest_move) {
  return step * length > longest_move ? longest_move / length : step;
}

}  // namespace sporos::impl
