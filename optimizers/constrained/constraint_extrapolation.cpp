// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/constraint_extrapolation.hpp>
#include <sporos/optimizers/constrained/extrapolated_multipliers.hpp>
#include <sporos/optimizers/constrained/iterate_mean.hpp>
#include <sporos/optimizers/constrained/mean_size.hpp>
#include <sporos/optimizers/constrained/scaled_gradients.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// Linearizations of the constraints about the previous point.
class LinesOnTheWay {
 public:
  // Takes the constraints at x. Returns the previous lines' values there or, at first, the constraints.
  std::vector<double> moved(const std::vector<double>& x, const std::vector<ConstraintMean>& at) {
    std::vector<double> lines;
    for (std::size_t j = 0; j < at.size(); ++j)
      lines.push_back(m_x.empty() ? at[j].mean : linearized(m_before[j], m_x, x));
    m_x = x;
    m_before = at;
    return lines;
  }

 private:
  std::vector<double> m_x;               // previous point
  std::vector<ConstraintMean> m_before;  // constraints at the previous point
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
  impl::ExtrapolatedMultipliers multipliers(options.dual_step, options.step);
  impl::LinesOnTheWay lines;
  impl::MeanSize size;
  std::vector<double> x = run.start(), feasible;
  impl::IterateMean mean(x, options.averaging), mean_before = mean;
  run.recommend(x);
  for (std::int64_t k = 1; run.left_with_gradients() >= options.replications; ++k) {
    std::vector<Sample> samples;
    samples.push_back(run.fresh_sample(x, options.replications, true));
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    const SampleMean& at = means.front();
    if (at.gradient.empty()) {  // x is infeasible
      if (feasible.empty()) co_return;
      x = run.halfway(std::move(x), feasible);
      mean = mean_before;
      run.recommend(mean.add(x));
      continue;
    }
    feasible = x;
    mean_before = mean;
    std::vector<double> sizes;
    for (const ConstraintMean& h : at.constraints) sizes.push_back(scales.norm(h.gradient));
    multipliers.measure(scales.norm(at.gradient), sizes);
    multipliers.update(lines.moved(x, at.constraints), k);
    const std::vector<double> gradient = multipliers.gradient(at.gradient, at.constraints);
    size.add(scales.norm(gradient));
    if (size() == 0) continue;
    scales.move(x, gradient, options.step / std::sqrt(static_cast<double>(k)) / size());
    x = run.region().projected(std::move(x), metric);
    run.recommend(mean.add(x));
  }
}

}  // namespace sporos
