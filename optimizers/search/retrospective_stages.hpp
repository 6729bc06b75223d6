// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Stages of gradient-based retrospective approximation. All points of a stage use the same replications, in batches,
/// and each stage adds replications to those of the previous one.
class RetrospectiveStages {
 public:
  /// Creates the stages of a run, which must outlive them. Samples grow by the factor `growth` from stage to stage.
  RetrospectiveStages(const SearchRun& run, double growth) : m_run(run), m_growth(growth) {}

  /// Number of replications per batch in the stage after one with `of_batch`. It is not larger if the remaining budget
  /// is too small for another stage.
  std::int64_t next_stage(std::int64_t of_batch) const;

  /// All replications of a stage at x.
  std::vector<Sample> samples(const std::vector<double>& x, std::int64_t of_batch) const {
    return samples_from(x, 0, of_batch);
  }

  /// Replications that `point` still needs for a stage.
  std::vector<Sample> extension(const BatchedPoint& point, std::int64_t of_batch) const {
    return samples_from(point.x, point.all.count, of_batch - point.replications_of_batch());
  }

 private:
  std::vector<Sample> samples_from(const std::vector<double>& x, std::int64_t first, std::int64_t of_batch) const;

  const SearchRun& m_run;
  double m_growth;
};

/// Throws std::invalid_argument if an option of the stages is out of range.
void check_stages(std::int64_t replications, double growth, double tolerance);

/// Change of the mean from a point to x, predicted only by the gradient.
double linear_change(const BatchedPoint& at, const std::vector<double>& x);

/// Next fraction of a move to try. The fraction `part` changed the mean by `change`, which is too much, while the
/// gradient predicted `linear`. The result is the minimizer of a parabola, safeguarded.
double next_part(double part, double linear, double change);

}  // namespace sporos::impl
