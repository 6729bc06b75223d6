// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A problem whose samples are shared among processes. Each process simulates some of the samples of a call, and all
/// processes get all moments. The result is bitwise identical to that of a single process. Therefore all processes
/// perform the same search.
class SharedProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must be identical on all `processes`. Both must outlive this object.
  SharedProblem(SampledProblem& problem, Processes& processes) : ProblemOverProblem(problem), m_processes(processes) {}

  /// Simulates the samples, which must be identical on all processes. This call is collective. If one process fails,
  /// all throw (check_together).
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;

 private:
  Processes& m_processes;
};

}  // namespace sporos::runtime
