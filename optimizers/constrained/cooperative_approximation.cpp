// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/cooperative_approximation.hpp>
#include <sporos/optimizers/constrained/mean_size.hpp>
#include <sporos/optimizers/constrained/scaled_gradients.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

void check(const CooperativeApproximationOptions& options) {
  impl::check_parameter(options.replications >= 1, "replications at a point", options.replications, "at least 1");
  check_positive("step", options.step);
  check_positive("tolerance", options.tolerance);
  impl::check_parameter(options.averaging >= 0 && std::isfinite(options.averaging), "averaging", options.averaging,
                        "a finite number of at least 0");
}

Search cooperative_approximation(SearchRun& run, CooperativeApproximationOptions options) {
  check(options);
  const impl::ScaledGradients scales(run.start());
  const std::vector<double> metric = scales.metric();
  std::vector<double> x = run.start(), mean = x;
  impl::MeanSize of_objective;
  std::vector<impl::MeanSize> of_constraints;
  double averaged = 0;
  run.recommend(x);
  for (std::int64_t k = 1; run.left_with_gradients() >= options.replications; ++k) {
    std::vector<Sample> samples;
    samples.push_back(run.fresh_sample(x, options.replications, true));
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    const SampleMean& at = means.front();
    if (at.gradient.empty()) co_return;  // there is nothing to run at x
    of_constraints.resize(at.constraints.size());
    of_objective.add(scales.norm(at.gradient));
    const double length = options.step / std::sqrt(static_cast<double>(k));
    const std::vector<double>* gradient = &at.gradient;
    double size = of_objective(), worst = options.tolerance * length;
    for (std::size_t j = 0; j < at.constraints.size(); ++j) {
      const ConstraintMean& h = at.constraints[j];
      of_constraints[j].add(scales.norm(h.gradient));
      const double usual = of_constraints[j]();
      if (!(h.mean > worst * usual) || usual == 0) continue;
      worst = h.mean / usual;
      gradient = &h.gradient;
      size = usual;
    }
    if (gradient == &at.gradient) {
      averaged += 1;
      const double share = (options.averaging + 1) / (averaged + options.averaging);
      for (std::size_t i = 0; i < x.size(); ++i) mean[i] += share * (x[i] - mean[i]);
      run.recommend(mean);
    }
    if (size == 0) continue;
    scales.move(x, *gradient, length / size);
    x = run.region().projected(std::move(x), metric);
  }
}

}  // namespace sporos
