// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/lagrangian_problem.hpp>
#include <sporos/optimizers/constrained/scaled_gradients.hpp>
#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// Multipliers and penalties from one minimization to the next.
class MethodOfMultipliers {
 public:
  // Sets initial penalties by the gradients at the start.
  MethodOfMultipliers(const ScaledGradients& scales, const SampleMean& start, const AugmentedLagrangianOptions& options)
      : m_growth(options.penalty_growth) {
    const double slope = scales.norm(start.gradient);
    for (const ConstraintMean& constraint : start.constraints) {
      const double size = scales.norm(constraint.gradient);
      const double default_value = size > 0 && slope > 0 ? slope / (options.violation * size * size) : 1;
      m_multipliers.push_back({0, default_value});
    }
    m_errors.assign(m_multipliers.size(), HUGE_VAL);
  }

  const std::vector<Multiplier>& multipliers() const { return m_multipliers; }

  // Updates by the constraints at the Lagrangian's minimum. Returns whether all hold within their sample's resolution.
  bool update(const SampleMean& at) {
    bool is_met = true;
    const auto n = static_cast<double>(at.count);
    for (std::size_t j = 0; j < m_multipliers.size(); ++j) {
      auto& [lambda, rho] = m_multipliers[j];
      const ConstraintMean& h = at.constraints[j];
      const double error = std::abs(std::max(h.mean, -lambda / rho));
      is_met = is_met && error <= 0.5 * std::sqrt(h.squared_deviation / (n - 1) / n);
      lambda = std::max(0.0, lambda + rho * h.mean);
      if (error > m_errors[j] / 4) rho *= m_growth;
      m_errors[j] = error;
    }
    return is_met;
  }

 private:
  double m_growth;
  std::vector<Multiplier> m_multipliers;
  std::vector<double> m_errors;
};

}  // namespace impl

void check(const AugmentedLagrangianOptions& options) {
  impl::check_parameter(options.replications >= 1, "replications of the first stage", options.replications,
                        "at least 1");
  impl::check_parameter(options.growth > 1 && std::isfinite(options.growth), "growth", options.growth,
                        "a finite number above 1");
  impl::check_parameter(options.penalty_growth > 1 && std::isfinite(options.penalty_growth), "growth of penalties",
                        options.penalty_growth, "a finite number above 1");
  check_positive("violation", options.violation);
  impl::check_parameter(options.evaluations >= 1, "number of evaluations", options.evaluations, "at least 1");
  check_positive("step", options.step);
}

Search augmented_lagrangian(SearchRun& run, AugmentedLagrangianOptions options) {
  check(options);
  run.check_only_bounds("the augmented Lagrangian method");
  std::int64_t n = (options.replications + impl::batch_count - 1) / impl::batch_count * impl::batch_count;
  std::vector<double> x = run.start();
  run.recommend(x);
  if (run.left_with_gradients() < n) co_return;
  std::vector<Sample> samples{{x, run.seed(), 0, n, true}};
  std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
  if (means.front().gradient.empty()) co_return;
  impl::MethodOfMultipliers method(impl::ScaledGradients(run.start()), means.front(), options);
  LagrangianProblem lagrangian(run.problem(), method.multipliers());
  RetrospectiveLbfgsOptions lbfgs{.growth = 1, .tolerance = 1e-3, .step = options.step};
  lbfgs.largest_step = std::max(lbfgs.largest_step, lbfgs.step);
  while (true) {
    lbfgs.replications = n;
    const std::int64_t at_end = n;  // replications of the final evaluation
    const std::int64_t most = options.evaluations * n * run.gradient_cost();
    SearchRun inner(lagrangian, x, std::min(most, run.left() - at_end), run.seed());
    if (inner.left_with_gradients() < n) co_return;
    Search minimization = retrospective_lbfgs(inner, lbfgs);
    while (minimization.resume()) {
      samples = inner.take_wanted();
      means = co_await run.evaluate(samples);
      for (std::size_t i = 0; i < means.size(); ++i)
        means[i] = lagrangian.estimate(samples[i].x, std::move(means[i].moments));
      inner.give(std::move(means));
    }
    x = inner.recommended();
    samples = {{x, run.seed(), 0, n}};
    means = co_await run.evaluate(std::move(samples));
    if (means.front().count == 0) co_return;  // x is infeasible
    const bool is_met = method.update(means.front());
    lagrangian.set(method.multipliers());
    run.recommend(x);
    if (!is_met) continue;
    // A stage takes several minimizations, each of several evaluations.
    constexpr std::int64_t evaluations_of_stage = 12;
    const auto grown = bounded_count(options.growth * static_cast<double>(n));
    const std::int64_t next =
        std::min(grown, run.left_with_gradients() / evaluations_of_stage) / impl::batch_count * impl::batch_count;
    if (next <= n) co_return;
    n = next;
  }
}

}  // namespace sporos
