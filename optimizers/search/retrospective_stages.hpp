// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Stages of retrospective approximation by gradients: all points of a stage have the same replications, in batches,
/// and those of the next stage have these and more.
class RetrospectiveStages {
 public:
  /// Of a run, which must outlive it; samples grow by the factor `growth` from stage to stage.
  RetrospectiveStages(const SearchRun& run, double growth) : m_run(run), m_growth(growth) {}

  /// Replications of each batch in the stage after one of `of_batch`; no more where what is left is too little for one.
  std::int64_t next_stage(std::int64_t of_batch) const;

  /// All replications of a stage at x.
  std::vector<Sample> samples(const std::vector<double>& x, std::int64_t of_batch) const {
    return samples_from(x, 0, of_batch);
  }

  /// Those that `point` lacks.
  std::vector<Sample> extension(const BatchedPoint& point, std::int64_t of_batch) const {
    return samples_from(point.x, point.all.count, of_batch - point.replications_of_batch());
  }

 private:
  std::vector<Sample> samples_from(const std::vector<double>& x, std::int64_t first, std::int64_t of_batch) const;

  const SearchRun& m_run;
  double m_growth;
};

/// Throws std::invalid_argument for options of the stages that are out of range.
void check_stages(std::int64_t replications, double growth, double tolerance);

/// How much the mean falls or rises from a point to x by its gradient alone.
double linear_change(const BatchedPoint& at, const std::vector<double>& x);

/// Of a move of which a part led to a mean that is too large, by `change` where the gradient said `linear`, the next
/// part: the least of a parabola.
double next_part(double part, double linear, double change);

}  // namespace sporos::impl
