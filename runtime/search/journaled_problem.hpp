// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Samples at infeasible decisions.
struct InfeasibleSamples {
  std::int64_t samples = 0;       ///< all of them, at feasible decisions too
  std::int64_t infeasible = 0;    ///< those at infeasible ones
  std::vector<double> example;    ///< the decisions of the first of these
  std::int64_t replications = 0;  ///< of that one
  SampleMoments moments = {};     ///< of that one: how many of them failed, and why
};

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
  /// The samples that it was asked for.
  const InfeasibleSamples& infeasible() const { return m_infeasible; }

 private:
  void note(std::span<const Sample> samples, std::span<const SampleMoments> found);

  InfeasibleSamples m_infeasible;
  std::vector<SampleMoments> m_moments;
  std::size_t m_next = 0;  // of those that were restored
};

}  // namespace sporos::runtime
