// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

namespace sporos::impl {

/// Runs of a solver that advance side by side: what all of them want is evaluated at once.
class RunsSideBySide {
 public:
  /// Starts the solver on each of `runs`, which must outlive this.
  RunsSideBySide(const Solver& solver, std::deque<SearchRun>& runs);

  /// Whether a run wants samples.
  bool is_at_work() const { return !m_at_work.empty(); }
  /// Lets those runs go on, by their places, of which `goes_on` holds; the others wait with what they want.
  void let_go_on(const std::function<bool(std::size_t run)>& goes_on);
  /// Hands over what the runs want.
  std::vector<Sample> take_wanted();
  /// The problem of the run that wanted this one of the samples that were handed over.
  const SampledProblem& problem_of(std::size_t sample) const;
  /// Gives them the means, in the order of the samples, and lets them go on.
  void give(std::vector<SampleMean> found);

 private:
  std::deque<SearchRun>& m_runs;
  std::vector<Search> m_searches;
  std::vector<std::size_t> m_at_work, m_waiting, m_ends;  // places of runs, in order; the ends of their samples
};

}  // namespace sporos::impl
