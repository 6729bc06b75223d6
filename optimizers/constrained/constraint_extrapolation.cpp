// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/constraint_extrapolation.hpp>
#include <sporos/optimizers/constrained/iterate_mean.hpp>
#include <sporos/optimizers/constrained/mean_size.hpp>
#include <sporos/optimizers/constrained/scaled_gradients.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

// Named, as a coroutine's frame has members of these types.
namespace impl {

// Multipliers by constraints that are extrapolated along the way of x.
class ExtrapolatedMultipliers {
 public:
  ExtrapolatedMultipliers(const ScaledGradients& scales, const ConstraintExtrapolationOptions& options)
      : m_scales(scales), m_options(options) {}

  // Takes the sample at x, of step k.
  void update(const std::vector<double>& x, const SampleMean& at, std::int64_t k) {
    const std::size_t m = at.constraints.size();
    if (m_values.empty()) start(x, at);
    m_of_objective.add(m_scales.norm(at.gradient));
    const double root = std::sqrt(static_cast<double>(k));
    for (std::size_t j = 0; j < m; ++j) {
      m_sizes[j].add(m_scales.norm(at.constraints[j].gradient));
      const double linear = linearized(j, x), extrapolated = 2 * linear - m_linear[j];
      const double size = m_sizes[j]();
      if (size > 0) {
        const double gain = m_options.dual_step * m_of_objective() / (size * size * m_options.step * root);
        m_values[j] = std::max(0.0, m_values[j] + gain * extrapolated);
      }
      m_linear[j] = linear;
    }
    m_x = x;
    m_before = at.constraints;
  }

  // The gradient of the Lagrangian.
  std::vector<double> gradient(const SampleMean& at) const {
    std::vector<double> sum = at.gradient;
    for (std::size_t j = 0; j < m_values.size(); ++j) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += m_values[j] * at.constraints[j].gradient[i];
    }
    return sum;
  }

 private:
  void start(const std::vector<double>& x, const SampleMean& at) {
    m_x = x;
    m_before = at.constraints;
    m_values.resize(at.constraints.size());
    m_sizes.resize(at.constraints.size());
    for (const ConstraintMean& h : at.constraints) m_linear.push_back(h.mean);
  }

  // ℓ at x, about the point before.
  double linearized(std::size_t j, const std::vector<double>& x) const {
    double value = m_before[j].mean;
    for (std::size_t i = 0; i < x.size(); ++i) value += m_before[j].gradient[i] * (x[i] - m_x[i]);
    return value;
  }

  const ScaledGradients& m_scales;
  const ConstraintExtrapolationOptions& m_options;
  std::vector<double> m_x;               // the point before
  std::vector<ConstraintMean> m_before;  // there
  std::vector<double> m_values, m_linear;
  std::vector<MeanSize> m_sizes;
  MeanSize m_of_objective;
};

}  // namespace impl

void check(const ConstraintExtrapolationOptions& options) {
  impl::check_approximation(options.replications, options.step, options.averaging);
  check_positive("dual step", options.dual_step);
}

Search constraint_extrapolation(SearchRun& run, ConstraintExtrapolationOptions options) {
  check(options);
  const impl::ScaledGradients scales(run.start());
  const std::vector<double> metric = scales.metric();
  impl::ExtrapolatedMultipliers multipliers(scales, options);
  impl::MeanSize size;
  std::vector<double> x = run.start();
  impl::IterateMean mean(x, options.averaging);
  run.recommend(x);
  for (std::int64_t k = 1; run.left_with_gradients() >= options.replications; ++k) {
    std::vector<Sample> samples;
    samples.push_back(run.fresh_sample(x, options.replications, true));
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    const SampleMean& at = means.front();
    if (at.gradient.empty()) co_return;  // there is nothing to run at x
    multipliers.update(x, at, k);
    const std::vector<double> gradient = multipliers.gradient(at);
    size.add(scales.norm(gradient));
    if (size() == 0) continue;
    scales.move(x, gradient, options.step / std::sqrt(static_cast<double>(k)) / size());
    x = run.region().projected(std::move(x), metric);
    run.recommend(mean.add(x));
  }
}

}  // namespace sporos
