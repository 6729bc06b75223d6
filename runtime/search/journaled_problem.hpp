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
/// same ones does the same again, to the last bit.
class JournaledProblem final : public SampledProblem {
 public:
  /// Of `problem`, which must outlive it.
  explicit JournaledProblem(SampledProblem& problem) : m_problem(problem) {}

  std::span<const DecisionRange> bounds() const override { return m_problem.bounds(); }
  bool has_gradient() const override { return m_problem.has_gradient(); }
  std::size_t quantities() const override { return m_problem.quantities(); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return m_problem.objective(x, means, by_coordinates, by_means);
  }
  std::string coordinate_name(std::size_t coordinate) const override { return m_problem.coordinate_name(coordinate); }

  /// The moments so far, for restore.
  io::Json json() const;
  /// Takes the moments of `journal`, which messages call `what`, for those of the samples to come. Throws
  /// std::invalid_argument where it is none.
  void restore(const io::Json& journal, const std::string& what);
  /// Replications in the journal.
  std::int64_t replications() const;

 private:
  SampledProblem& m_problem;
  std::vector<SampleMoments> m_moments;
  std::size_t m_next = 0;  // of those that were restored
};

}  // namespace sporos::runtime
