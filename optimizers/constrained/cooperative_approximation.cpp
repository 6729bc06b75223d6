// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/cooperative_approximation.hpp>
#include <sporos/optimizers/constrained/iterate_mean.hpp>
#include <sporos/optimizers/constrained/mean_size.hpp>
#include <sporos/optimizers/constrained/scaled_gradients.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

void check(const CooperativeApproximationOptions& options) {
  impl::check_approximation(options.replications, options.step, options.averaging);
  check_positive("tolerance", options.tolerance);
}

Search cooperative_approximation(SearchRun& run, CooperativeApproximationOptions options) {
  check(options);
  const impl::ScaledGradients scales(run.start());
  const std::vector<double> metric = scales.metric();
  std::vector<double> x = run.start(), feasible;
  impl::IterateMean mean(x, options.averaging);
  impl::MeanSize of_objective;
  std::vector<impl::MeanSize> of_constraints;
  run.recommend(x);
  for (std::int64_t k = 1; run.left_with_gradients() >= options.replications; ++k) {
    std::vector<Sample> samples;
    samples.push_back(run.fresh_sample(x, options.replications, true));
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    const SampleMean& at = means.front();
    if (at.gradient.empty()) {  // x is infeasible
      if (feasible.empty()) co_return;
      x = run.halfway(std::move(x), feasible);
      continue;
    }
    feasible = x;
    of_constraints.resize(at.constraints.size());
    of_objective.add(scales.norm(at.gradient));
    const double length = options.step / std::sqrt(static_cast<double>(k));
    const std::vector<double>* gradient = &at.gradient;
    double size = of_objective(), worst = options.tolerance * length;
    for (std::size_t j = 0; j < at.constraints.size(); ++j) {
      const ConstraintMean& h = at.constraints[j];
      of_constraints[j].add(scales.norm(h.gradient));
      const double default_value = of_constraints[j]();
      if (!(h.mean > worst * default_value) || default_value == 0) continue;
      worst = h.mean / default_value;
      gradient = &h.gradient;
      size = default_value;
    }
    if (gradient == &at.gradient) run.recommend(mean.add(x));
    if (size == 0) continue;
    scales.move(x, *gradient, length / size);
    x = run.region().projected(std::move(x), metric);
  }
}

}  // namespace sporos
