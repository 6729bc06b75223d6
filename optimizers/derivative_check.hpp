// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <boost/random/bernoulli_distribution.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// Options of a derivative check. It compares differences over a sequence of steps h, each a tenth of the one before.
struct DerivativeCheckOptions {
  double first_step = 1;          ///< First step h along a direction v with ‖v‖ = 1.
  std::int64_t steps = 13;        ///< Number of steps.
  std::int64_t sample_size = 64;  ///< Number of replications in the sample that defines f̂.
  std::uint64_t seed = 1;         ///< Seed of the sample and of the direction, whose entries are ±1/√d.
  double min_order = 1.8;  ///< Smallest order that counts as right. The remainder of a right derivative falls as h².
};

/// Throws std::invalid_argument, with a message that states the option, its value and the expected range, if an option
/// is out of range.
inline void check(const DerivativeCheckOptions& options) {
  check_positive("first step", options.first_step);
  impl::check_parameter(options.steps >= 2 && options.steps <= 30, "number of steps", options.steps, "from 2 to 30");
  impl::check_parameter(options.sample_size >= 1, "sample size", options.sample_size, "at least 1");
  impl::check_parameter(options.min_order > 1 && options.min_order < 2, "smallest order", options.min_order,
                        "a number between 1 (wrong derivative) and 2 (right derivative)");
}

/// Result for one step h of a derivative check.
struct DerivativeCheckStep {
  double step = 0;       ///< Step h.
  double change = 0;     ///< |f̂(x + h v) − f̂(x)|, or ‖∇f̂(x + h v) − ∇f̂(x)‖
  double remainder = 0;  ///< Norm of the change less h times the derivative along v.
  double rounding = 0;   ///< A remainder below this value may be rounding.
  double order = 0;      ///< log₁₀ of the ratio of the previous remainder to this one; 0 for the first step.
};

/// Result of a derivative check. The remainder of a right derivative falls as h², down to rounding; that of a wrong one
/// falls as h once h is small. An error below about 1e-6 of the derivative cannot be distinguished from rounding.
struct DerivativeCheck {
  std::vector<DerivativeCheckStep> steps;  ///< Results by step, in decreasing order of h.
  /// Order at the smallest step whose remainder and predecessor are both above rounding; 0 if no step qualifies.
  double order = 0;
  /// Whether the order is high enough. A linear function also passes: all steps after the first are then rounding.
  bool is_right = false;
};

/// Formats the check as a table with one line per step and the verdict.
inline std::string report(const DerivativeCheck& check) {
  std::string text = "      step         change      remainder   order\n";
  for (const DerivativeCheckStep& step : check.steps) {
    std::array<char, 96> line;
    std::snprintf(line.data(), line.size(), "%10.1e %14.6e %14.6e %7.2f%s\n", step.step, step.change, step.remainder,
                  step.order, step.remainder <= step.rounding ? "  rounding" : "");
    text.append(line.data());
  }
  return text.append(check.is_right ? "right\n" : "wrong\n");
}

namespace impl {

/// Returns a direction with entries ±1/√d and random signs, each with probability 1/2.
template <class Space>
Vector<Space> random_direction(const Space& space, std::int64_t dimension, std::uint64_t seed) {
  DecisionEngine engine = decision_engine(RandomDecision::direction, seed);
  const boost::random::bernoulli_distribution<double> is_up(0.5);
  std::vector<double> direction;
  for (std::int64_t i = 0; i < dimension; ++i) {
    direction.push_back((is_up(engine) ? 1 : -1) / std::sqrt(static_cast<double>(dimension)));
  }
  return to_device<Space>(space, direction);
}

/// Computes the orders and the verdict from the steps.
inline DerivativeCheck judged(std::vector<DerivativeCheckStep> steps, double min_order) {
  DerivativeCheck check{std::move(steps), 0, false};
  bool is_linear = true, has_order = false;
  for (std::size_t i = 1; i < check.steps.size(); ++i) {
    const DerivativeCheckStep& before = check.steps[i - 1];
    DerivativeCheckStep& now = check.steps[i];
    now.order = std::log10(before.remainder / now.remainder);
    is_linear = is_linear && now.remainder <= now.rounding;
    if (before.remainder > before.rounding && now.remainder > now.rounding) {
      check.order = now.order;
      has_order = true;
    }
  }
  check.is_right = has_order ? check.order >= min_order : is_linear;
  return check;
}

/// Evaluates all steps. `look(x + h v, h)` returns change, remainder and the magnitude that is subject to rounding.
template <class Problem, class Look>
DerivativeCheck check_along(Problem& problem, const ConstVector<typename Problem::execution_space>& x,
                            const ConstVector<typename Problem::execution_space>& v,
                            const DerivativeCheckOptions& options, const Look& look) {
  using Space = typename Problem::execution_space;
  // Rounding error of a long sum, with a safety margin.
  constexpr double rounding = 1000 * std::numeric_limits<double>::epsilon();
  const Vector<Space> moved(Kokkos::view_alloc(problem.execution(), "sporos::derivative_check::moved"), x.extent(0));
  std::vector<DerivativeCheckStep> steps;
  double h = options.first_step;
  for (std::int64_t i = 0; i < options.steps; ++i, h /= 10) {
    set_moved<Space>(problem.execution(), moved, x, h, v);
    DerivativeCheckStep step = look(ConstVector<Space>(moved), h);
    step.step = h;
    step.rounding *= rounding;
    steps.push_back(step);
  }
  return judged(std::move(steps), options.min_order);
}

/// Checks the options, draws the sample and returns the direction.
template <class Problem>
Vector<typename Problem::execution_space> begin_check(Problem& problem, std::int64_t size,
                                                      const DerivativeCheckOptions& options) {
  check(options);
  check_dimension("point", size, problem.dimension());
  problem.draw(SampleRange{options.seed, 0, options.sample_size});
  return random_direction<typename Problem::execution_space>(problem.execution(), size, options.seed);
}

template <StochasticProblem Problem>
DerivativeCheck checked_gradient(Problem& problem, const std::vector<double>& x,
                                 const DerivativeCheckOptions& options) {
  using Space = typename Problem::execution_space;
  const auto v = begin_check(problem, static_cast<std::int64_t>(x.size()), options);
  const Space& space = problem.execution();
  const auto point = to_device<Space>(space, x);
  const Vector<Space> g(Kokkos::view_alloc(space, "sporos::derivative_check::gradient"), x.size());
  problem.gradient(point, g);
  const double here = problem.objective(point), slope = dot<Space>(space, g, v);
  return check_along(problem, point, v, options, [&](const ConstVector<Space>& moved, double h) {
    const double change = problem.objective(moved) - here;
    return DerivativeCheckStep{0, std::abs(change), std::abs(change - h * slope),
                               std::max(std::abs(here), std::abs(here + change)), 0};
  });
}

template <TwiceDifferentiableProblem Problem>
DerivativeCheck checked_hessian(Problem& problem, const std::vector<double>& x, const DerivativeCheckOptions& options) {
  using Space = typename Problem::execution_space;
  const auto v = begin_check(problem, static_cast<std::int64_t>(x.size()), options);
  const Space& space = problem.execution();
  const auto point = to_device<Space>(space, x);
  const Vector<Space> g(Kokkos::view_alloc(space, "sporos::derivative_check::gradient"), x.size());
  const Vector<Space> product(Kokkos::view_alloc(space, "sporos::derivative_check::product"), x.size());
  const Vector<Space> change(Kokkos::view_alloc(space, "sporos::derivative_check::change"), x.size());
  problem.gradient(point, g);
  problem.hessian_product(point, v, product);
  const double here = norm<Space>(space, g);
  return check_along(problem, point, v, options, [&](const ConstVector<Space>& moved, double h) {
    problem.gradient(moved, change);
    DerivativeCheckStep step;
    step.rounding = std::max(here, norm<Space>(space, change));
    set_moved<Space>(space, change, change, -1, g);
    step.change = norm<Space>(space, change);
    set_moved<Space>(space, change, change, -h, product);
    step.remainder = norm<Space>(space, change);
    return step;
  });
}

}  // namespace impl

/// Compares the gradient at x with differences of the objective along a random direction. Draws its own sample.
/// @throws std::invalid_argument if an option is out of range or the point has the wrong dimension.
template <class Problem>
DerivativeCheck check_gradient(Problem& problem, const std::vector<double>& x,
                               const DerivativeCheckOptions& options = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_problem_requirement<Problem>()>());
  if constexpr (StochasticProblem<Problem>) {
    return impl::checked_gradient(problem, x, options);
  } else {
    return {};
  }
}

/// Compares the product of the Hessian at x and a random direction with differences of the gradient along that
/// direction. Draws its own sample.
/// @throws std::invalid_argument if an option is out of range or the point has the wrong dimension.
template <class Problem>
DerivativeCheck check_hessian(Problem& problem, const std::vector<double>& x,
                              const DerivativeCheckOptions& options = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_twice_differentiable_problem_requirement<Problem>()>());
  if constexpr (TwiceDifferentiableProblem<Problem>) {
    return impl::checked_hessian(problem, x, options);
  } else {
    return {};
  }
}

}  // namespace sporos
