// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/projected_hessian.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/retrospective_stages.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

// Whether the remaining gain at a point is below the resolution of its sample.
inline bool is_optimal(const BatchedPoint& at, const ProjectedHessian& hessian, double tolerance) {
  double noise = 0;
  for (const SampleMean& batch : at.batches) {
    std::vector<double> deviation = batch.gradient;
    for (std::size_t i = 0; i < deviation.size(); ++i) deviation[i] -= at.all.gradient[i];
    noise += hessian.square(deviation) / static_cast<double>(batch_count * (batch_count - 1));
  }
  return hessian.square(at.all.gradient) <= tolerance * noise;
}

// Returns the point at this fraction of the move.
inline std::vector<double> moved(const SearchRun& run, const BatchedPoint& at, const std::vector<double>& move,
                                 double part) {
  std::vector<double> x = at.x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += part * move[i];
  return run.within_region(std::move(x));
}

}  // namespace impl

void check(const RetrospectiveLbfgsOptions& options) {
  impl::check_stages(options.replications, options.growth, options.tolerance);
  check_positive("step", options.step);
  impl::check_parameter(options.largest_step >= options.step, "largest step", options.largest_step,
                        "at least the step");
  impl::check_parameter(options.pairs >= 1, "number of correction pairs", options.pairs, "at least 1");
  impl::check_parameter(options.trials >= 1, "trials of a line search", options.trials, "at least 1");
}

Search retrospective_lbfgs(SearchRun& run, RetrospectiveLbfgsOptions options) {
  refuse_constraints_on_means(run);
  check(options);
  run.check_only_bounds("L-BFGS");
  const impl::RetrospectiveStages stages(run, options.growth);
  impl::ProjectedHessian hessian(run, {options.step, options.largest_step, options.pairs});
  impl::BatchedPoint at{run.start(), {}, {}};
  run.recommend(at.x);
  std::int64_t of_batch = (options.replications + impl::batch_count - 1) / impl::batch_count;
  while (run.left_with_gradients() >= (of_batch - at.replications_of_batch()) * impl::batch_count) {
    {
      std::vector<SampleMean> means = co_await run.evaluate(stages.extension(at, of_batch));
      add_batches(run, at, std::move(means));
    }
    if (at.all.gradient.empty()) co_return;
    for (bool is_moving = true; is_moving;) {
      hessian.set_at(at.x, at.all.gradient);
      if (is_optimal(at, hessian, options.tolerance)) break;
      const std::vector<double> move = hessian.move(at.all.gradient);
      is_moving = false;
      double part = 1;
      for (std::int64_t trial = 0; trial < options.trials && run.left_with_gradients() >= at.all.count; ++trial) {
        impl::BatchedPoint next{impl::moved(run, at, move, part), {}, {}};
        const double linear = impl::linear_change(at, next.x);
        if (!(linear < 0)) break;
        std::vector<SampleMean> means = co_await run.evaluate(stages.samples(next.x, of_batch));
        add_batches(run, next, std::move(means));
        const double change = next.all.mean - at.all.mean;
        is_moving = change <= 1e-4 * linear;
        if (is_moving) {
          hessian.learn({at.x, at.all.gradient}, {next.x, next.all.gradient});
          at = std::move(next);
          run.recommend(at.x);
          break;
        }
        part = impl::next_part(part, linear, change);
      }
      if (!is_moving) is_moving = hessian.forget();
    }
    const std::int64_t next = stages.next_stage(of_batch);
    if (next <= of_batch) co_return;
    of_batch = next;
  }
}

}  // namespace sporos
