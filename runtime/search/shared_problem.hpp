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
class SharedProblem final : public SampledProblem {
 public:
  /// Of `problem`, which is the same on all `processes`. Both must outlive it.
  SharedProblem(SampledProblem& problem, Processes& processes) : m_problem(problem), m_processes(processes) {}

  std::span<const DecisionRange> bounds() const override { return m_problem.bounds(); }
  bool has_gradient() const override { return m_problem.has_gradient(); }
  std::size_t quantities() const override { return m_problem.quantities(); }
  /// Collective, with the same samples on all processes. Where one fails, all do, as check_together has it.
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return m_problem.objective(x, means, by_coordinates, by_means);
  }
  std::string coordinate_name(std::size_t coordinate) const override { return m_problem.coordinate_name(coordinate); }

 private:
  SampledProblem& m_problem;
  Processes& m_processes;
};

}  // namespace sporos::runtime
