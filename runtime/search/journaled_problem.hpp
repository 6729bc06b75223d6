// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A problem that keeps the moments of all samples, so that a search can go on from them: a solver that is given the
/// same ones does the same again, to the last bit. It keeps no second derivatives.
class JournaledProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it.
  explicit JournaledProblem(SampledProblem& problem) : ProblemOverProblem(problem) {}

  bool has_curvature() const override { return false; }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;

  /// The moments so far, for restore.
  io::Json json() const;
  /// Takes the moments of `journal`, which messages call `what`, for those of the samples to come. Throws
  /// std::invalid_argument where it is none.
  void restore(const io::Json& journal, const std::string& what);
  /// Replications in the journal.
  std::int64_t replications() const;

 private:
  std::vector<SampleMoments> m_moments;
  std::size_t m_next = 0;  // of those that were restored
};

}  // namespace sporos::runtime
