// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/stopping.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace sporos {

/// The point at which a simplex wants its objective next.
enum class NelderMeadPoint : std::int32_t {
  none,                 ///< it has stopped
  vertex,               ///< a new vertex: of the start, of a restart, or of a shrunk simplex
  reflection,           ///< the worst vertex, mirrored at the centroid of the others
  expansion,            ///< the same, further away
  outside_contraction,  ///< the same, nearer to the centroid
  inside_contraction,   ///< between the worst vertex and the centroid
  best_again            ///< the best vertex, once more
};

/// Where a simplex stands, but for its vertices: numbers only, on the host as on the device.
struct NelderMeadStatus {
  NelderMeadPoint wanted = NelderMeadPoint::vertex;  ///< the point at which it waits for the objective
  std::int32_t position = 0;                         ///< of a wanted vertex, among all
  StoppedBy stopped_by = StoppedBy::callback;        ///< why, where it has stopped
  std::int64_t evaluations = 0;                      ///< of the objective
  std::int64_t iterations = 0;                       ///< done
  std::int64_t restarts = 0;                         ///< done
  std::int64_t oriented_restarts = 0;                ///< done
  std::int64_t shrinks = 0;                          ///< iterations in which the simplex shrank
  double reflected = 0;                              ///< value at the reflection, while a later point is wanted
  double converged = std::numeric_limits<double>::infinity();  ///< best value at the last restart
  bool is_collapsed = false;                                   ///< whether rounding lets the simplex shrink no further
  bool has_mean = false;                                       ///< whether `mean` and `squared_slope` are known
  double mean = 0;           ///< oriented restarts: of the vertices' values, before the iteration
  double squared_slope = 0;  ///< oriented restarts: of the simplex gradient, before the iteration
  double decrease = 0;       ///< oriented restarts: α, times which the mean must fall
};

/// All that it takes to go on with a simplex of n dimensions after a stop, with the bits of a run that was not stopped,
/// given the same objective and options. Plain host data; with bounds, in the coordinates without (see
/// BoundedObjective).
struct NelderMeadState {
  std::vector<std::vector<double>> vertices;    ///< n + 1, from the best to the worst where all are evaluated
  std::vector<double> values;                   ///< at these: means of their evaluations, infinite before the first
  std::vector<std::int64_t> value_evaluations;  ///< at these
  std::vector<double> centroid;                 ///< of all but the worst vertex, while a point along it is wanted
  std::vector<double> steps;                    ///< of a restart, along the axes
  NelderMeadStatus status;                      ///< all other numbers

  /// n.
  std::size_t dimension() const { return steps.size(); }
};

/// Where a run stands, between two rounds of steps.
struct NelderMeadProgress {
  std::int64_t steps = 0;                                  ///< evaluations of the batch objective
  std::int64_t open = 0;                                   ///< simplices that have not stopped
  std::int64_t evaluations = 0;                            ///< of all simplices
  std::size_t best = 0;                                    ///< the simplex with the least value
  double value = std::numeric_limits<double>::infinity();  ///< that value
  double seconds = 0;                                      ///< since the start, or since the resumption
};

/// Is shown the progress after each round of steps.
using NelderMeadCallback = std::function<Continuation(const NelderMeadProgress&)>;

/// What one simplex found.
struct NelderMeadResult {
  std::vector<double> point;                  ///< the best vertex
  double value = 0;                           ///< f there; where it was evaluated more than once, the mean
  std::int64_t value_evaluations = 0;         ///< of this value
  double size = 0;                            ///< largest distance, in any coordinate, of a vertex from the best one
  double spread = 0;                          ///< difference between the values at the worst and the best vertex
  std::int64_t evaluations = 0;               ///< of the objective
  std::int64_t iterations = 0;                ///< done
  std::int64_t restarts = 0;                  ///< done
  std::int64_t oriented_restarts = 0;         ///< done
  std::int64_t shrinks = 0;                   ///< iterations in which the simplex shrank
  StoppedBy stopped_by = StoppedBy::simplex;  ///< why it ended
  NelderMeadState state;                      ///< to go on from
};

}  // namespace sporos
