// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sporos::test {

/// Minimizes the mean of quantity 0 subject to upper limits on the means of the other quantities.
class LimitedMeans : public SampledProblem {
 public:
  LimitedMeans(std::vector<DecisionRange> ranges, std::vector<double> limits)
      : m_ranges(std::move(ranges)), m_limits(std::move(limits)) {}

  std::span<const DecisionRange> bounds() const override { return m_ranges; }
  bool has_gradient() const override { return true; }
  std::size_t quantities() const override { return 1 + m_limits.size(); }
  std::size_t constraints_on_means() const override { return m_limits.size(); }

  double objective(std::span<const double>, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return quantity(0, means, by_coordinates, by_means);
  }
  double constraint_on_means(std::size_t j, std::span<const double>, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return quantity(1 + j, means, by_coordinates, by_means) - m_limits[j];
  }

  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    std::vector<SampleMoments> found;
    for (const Sample& sample : samples) {
      SampleMoments& all = found.emplace_back();
      for (std::int64_t r = 0; r < sample.count; ++r) {
        SampleMoments one{
            1, std::vector<double>(quantities()), std::vector<double>(quantities() * quantities()), {}, {}};
        if (sample.has_gradient) one.slopes.resize(quantities() * dimension());
        replicate(sample, sample.first + r, one);
        all.add(one);
      }
    }
    return found;
  }

 protected:
  /// Adds the quantities of one replication and, if requested, their slopes to `one`, which starts at zero.
  virtual void replicate(const Sample& sample, std::int64_t number, SampleMoments& one) const = 0;

 private:
  static double quantity(std::size_t i, std::span<const double> means, std::span<double> by_coordinates,
                         std::span<double> by_means) {
    for (double& slope : by_coordinates) slope = 0;
    for (std::size_t j = 0; j < by_means.size(); ++j) by_means[j] = i == j ? 1 : 0;
    return means[i];
  }

  std::vector<DecisionRange> m_ranges;
  std::vector<double> m_limits;
};

}  // namespace sporos::test
