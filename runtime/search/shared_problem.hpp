// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A problem of which processes share the samples: each simulates some of a call's, whole ones, and all get all
/// moments, with the bits that one process alone gives them. So all of them come to the same search.
class SharedProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which is the same on all `processes`. Both must outlive it.
  SharedProblem(SampledProblem& problem, Processes& processes) : ProblemOverProblem(problem), m_processes(processes) {}

  /// Collective, with the same samples on all processes. Where one fails, all do, as check_together has it.
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;

 private:
  Processes& m_processes;
};

}  // namespace sporos::runtime
