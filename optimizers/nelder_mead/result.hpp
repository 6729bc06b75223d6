// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/stopping.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace sporos {

/// Point at which a simplex requests the objective next.
enum class NelderMeadPoint : std::int32_t {
  none,                 ///< None; the simplex has stopped.
  vertex,               ///< New vertex of the start, a restart, or a shrunk simplex.
  reflection,           ///< Worst vertex, mirrored at the centroid of the others.
  expansion,            ///< Reflection, farther from the centroid.
  outside_contraction,  ///< Reflection, closer to the centroid.
  inside_contraction,   ///< Point between the worst vertex and the centroid.
  best_again            ///< Best vertex, evaluated again.
};

/// Progress of a simplex except for its vertices; only numbers, on the host as on the device.
struct NelderMeadStatus {
  NelderMeadPoint wanted = NelderMeadPoint::vertex;  ///< Point at which the simplex waits for the objective.
  std::int32_t position = 0;                         ///< Position of a requested vertex among all vertices.
  StoppedBy stopped_by = StoppedBy::callback;        ///< Reason why the simplex has stopped, if it has.
  std::int64_t evaluations = 0;                      ///< Number of evaluations of the objective.
  std::int64_t iterations = 0;                       ///< Number of iterations.
  std::int64_t restarts = 0;                         ///< Number of restarts.
  std::int64_t oriented_restarts = 0;                ///< Number of oriented restarts.
  std::int64_t shrinks = 0;                          ///< Number of iterations in which the simplex shrank.
  double reflected = 0;                              ///< Value at the reflection, while a later point is requested.
  double converged = std::numeric_limits<double>::infinity();  ///< Best value at the last restart.
  bool is_collapsed = false;  ///< Whether rounding prevents the simplex from shrinking further.
  bool has_mean = false;      ///< Whether `mean` and `squared_slope` are known.
  double mean = 0;            ///< For oriented restarts: mean of the vertices' values before the iteration.
  double squared_slope = 0;   ///< For oriented restarts: squared norm of the simplex gradient before the iteration.
  double decrease = 0;  ///< For oriented restarts: factor α by which the required decrease of the mean is scaled.
};

/// State from which a simplex of n dimensions resumes with the same bits as an uninterrupted run, given the same
/// objective and options. Plain host data. With bounds, the state is in free coordinates (see BoundedObjective).
struct NelderMeadState {
  std::vector<std::vector<double>> vertices;  ///< n + 1 vertices, from the best to the worst if all are evaluated.
  std::vector<double> values;  ///< Values at the vertices: means of their evaluations, infinite before the first.
  std::vector<std::int64_t> value_evaluations;  ///< Number of evaluations at each vertex.
  std::vector<double> centroid;  ///< Centroid of all but the worst vertex, while a point along it is requested.
  std::vector<double> steps;     ///< Steps of a restart along the axes.
  NelderMeadStatus status;       ///< All other numbers.

  /// Number n of dimensions.
  std::size_t dimension() const { return steps.size(); }
};

/// Progress of a run between two rounds of steps.
struct NelderMeadProgress {
  std::int64_t steps = 0;                                  ///< Number of evaluations of the batch objective.
  std::int64_t open = 0;                                   ///< Number of simplices that have not stopped.
  std::int64_t evaluations = 0;                            ///< Number of evaluations over all simplices.
  std::size_t best = 0;                                    ///< Index of the simplex with the smallest value.
  double value = std::numeric_limits<double>::infinity();  ///< Smallest value.
  double seconds = 0;                                      ///< Seconds since the start or the resumption.
};

/// Callback that receives the progress after each round of steps.
using NelderMeadCallback = std::function<Continuation(const NelderMeadProgress&)>;

/// Result of one simplex.
struct NelderMeadResult {
  std::vector<double> point;           ///< Best vertex.
  double value = 0;                    ///< Value f at the best vertex; the mean if it was evaluated more than once.
  std::int64_t value_evaluations = 0;  ///< Number of evaluations of this value.
  double size = 0;                     ///< Largest distance, in any coordinate, of a vertex from the best one.
  double spread = 0;                   ///< Difference between the values at the worst and the best vertex.
  std::int64_t evaluations = 0;        ///< Number of evaluations of the objective.
  std::int64_t iterations = 0;         ///< Number of iterations.
  std::int64_t restarts = 0;           ///< Number of restarts.
  std::int64_t oriented_restarts = 0;  ///< Number of oriented restarts.
  std::int64_t shrinks = 0;            ///< Number of iterations in which the simplex shrank.
  StoppedBy stopped_by = StoppedBy::simplex;  ///< Reason why the simplex stopped.
  NelderMeadState state;                      ///< State from which the simplex can resume.
};

}  // namespace sporos
