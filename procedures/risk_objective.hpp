// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/risk/mean_cvar.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos {

/// The mean-CVaR of a simulated cost (models/risk/mean_cvar.hpp) as a problem for solvers. The decision vector has any
/// length; kernels read it from device memory. It holds the d variables of the cost, then the threshold t; if the mean
/// has all the weight, it holds only the d variables. A `Cost` is any SimulatedCost, which provides its own
/// derivatives.
///
/// Samples run one after the other, each in one launch. Values of single replications are available, but not together
/// with derivatives. Results have the same bits on every backend.
template <class ExecutionSpace, class Cost>
class RiskObjective final : public SampledProblem {
 public:
  /// Takes the ranges of all coordinates: d or d + 1 of them. @throws std::invalid_argument in the same cases as
  /// MeanCvar, and for any other number of ranges.
  RiskObjective(const Cost& cost, const models::MeanCvarOptions& options, std::vector<DecisionRange> ranges,
                const ExecutionSpace& space = ExecutionSpace())
      : m_problem(cost, options, space), m_ranges(std::move(ranges)) {
    const std::int64_t with_threshold = m_problem.dimension();
    impl::check_dimension("ranges", static_cast<std::int64_t>(m_ranges.size()),
                          options.weight == 0 ? with_threshold - 1 : with_threshold);
    m_gradient = Vector<ExecutionSpace>(Kokkos::view_alloc(space, "sporos::risk_objective::gradient"),
                                        static_cast<std::size_t>(with_threshold));
  }

  std::span<const DecisionRange> bounds() const override { return m_ranges; }
  bool has_gradient() const override { return true; }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found;
    for (const Sample& sample : samples) found.push_back(moments_of(sample));
    return found;
  }

 private:
  SampleMoments moments_of(const Sample& sample);

  models::MeanCvar<ExecutionSpace, Cost> m_problem;
  std::vector<DecisionRange> m_ranges;
  Vector<ExecutionSpace> m_gradient;
};

template <class ExecutionSpace, class Cost>
SampleMoments RiskObjective<ExecutionSpace, Cost>::moments_of(const Sample& sample) {
  if (sample.has_gradient && sample.has_values)
    throw std::logic_error("a sample requests derivatives of single replications, which the problem does not have");
  m_problem.draw({sample.seed, static_cast<std::uint64_t>(sample.first), sample.count});
  std::vector<double> point = sample.x;
  point.resize(m_gradient.extent(0));  // without a threshold variable, t is 0
  const auto x = to_device<ExecutionSpace>(m_problem.execution(), point);
  SampleMoments found{sample.count, {0}, {0}, {}, {}};
  if (sample.has_gradient) {
    m_problem.gradient(x, m_gradient);
    found.slopes = to_host<ExecutionSpace>(m_problem.execution(), m_gradient);
    found.slopes.resize(m_ranges.size());
  } else {
    m_problem.objective(x);
  }
  std::vector<double> values = m_problem.replications();
  for (const double value : values) found.means[0] += value;
  found.means[0] /= static_cast<double>(sample.count);
  for (const double value : values) found.products[0] += (value - found.means[0]) * (value - found.means[0]);
  if (sample.has_values) found.values = std::move(values);
  return found;
}

}  // namespace sporos
