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

/// Counts of a search's samples, and the first sample at an infeasible point.
struct InfeasibleSamples {
  std::int64_t samples = 0;       ///< number of all samples, at feasible points too
  std::int64_t infeasible = 0;    ///< number of samples at infeasible points
  std::vector<double> example;    ///< point of the first infeasible sample
  std::int64_t replications = 0;  ///< number of replications of that sample
  SampleMoments moments = {};     ///< moments of that sample: how many replications failed, and why
};

/// A problem that counts its samples. If requested, it also records the moments of all samples in a journal, so that an
/// interrupted search can be resumed. A solver that gets the recorded moments repeats its steps with the same bits. The
/// journal has no second derivatives.
class JournaledProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must outlive this object.
  explicit JournaledProblem(SampledProblem& problem) : ProblemOverProblem(problem) {}

  bool has_curvature() const override { return false; }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  void note_undefined(const Sample& sample, const SampleMoments& moments) override { note_infeasible(sample, moments); }

  /// Records the moments of all samples from now on. Call it before the first sample.
  void record() { m_records = true; }
  /// The recorded moments, for restore.
  io::Json json() const;
  /// Takes the moments of `journal` as those of the next samples. `what` names the journal in messages. Throws
  /// std::invalid_argument if it is not a valid journal.
  void restore(const io::Json& journal, const std::string& what);
  /// Number of replications so far, with those of a restored journal.
  std::int64_t replications() const { return m_replications; }
  /// Counts of samples so far, and the first one at an infeasible point.
  const InfeasibleSamples& infeasible() const { return m_infeasible; }

 private:
  void note(std::span<const Sample> samples, std::span<const SampleMoments> found);
  void note_infeasible(const Sample& sample, const SampleMoments& moments);

  InfeasibleSamples m_infeasible;
  std::int64_t m_replications = 0;
  bool m_records = false;
  std::vector<SampleMoments> m_moments;
  std::size_t m_next = 0;  // index of the next restored moments to be returned
};

}  // namespace sporos::runtime
