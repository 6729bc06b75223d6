// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

namespace sporos::impl {

/// Runs of a solver that advance side by side: the samples that they request are evaluated together.
class RunsSideBySide {
 public:
  /// Starts the solver on each of `runs`, which must outlive this object.
  RunsSideBySide(const Solver& solver, std::deque<SearchRun>& runs);

  /// Whether an active run requests samples.
  bool is_at_work() const { return !m_at_work.empty(); }
  /// Activates the runs whose index satisfies `goes_on`; the others wait with their requested samples.
  void let_go_on(const std::function<bool(std::size_t run)>& goes_on);
  /// Replaces `samples` by those that the active runs request. A caller that passes the samples of the last round again
  /// saves memory allocations.
  void take_wanted(std::vector<Sample>& samples);
  /// Passes `mean(sample, problem)` of each of these samples to the active run that requested it, whose problem is
  /// `problem`, and resumes the runs.
  void give(const std::function<SampleMean(std::size_t sample, const SampledProblem& problem)>& mean);

 private:
  std::deque<SearchRun>& m_runs;
  std::vector<Search> m_searches;
  std::vector<std::size_t> m_at_work, m_waiting, m_ends;  // indices of runs, in order; ends of their samples
};

}  // namespace sporos::impl
