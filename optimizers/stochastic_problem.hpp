// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>

#include <concepts>
#include <cstdint>

namespace sporos {

/// What an optimizer asks of min E[F(x, ξ)]: an estimate of objective and gradient over a sample that the optimizer
/// names. A deterministic problem ignores `draw`.
///
/// A problem holds the instance of its `execution_space` on which it works; vectors lie in that space's memory.
/// - `dimension()`: the number of decision variables.
/// - `draw(sample)`: from now on, f̂ is the objective over this sample. The same sample gives the same f̂.
/// - `objective(x)`: f̂(x), an unbiased estimate of f(x); waits for it.
/// - `gradient(x, g)`: g = ∇f̂(x), an unbiased estimate of ∇f(x).
template <class Problem>
concept StochasticProblem = requires(Problem& problem, const SampleRange& sample,
                                     const ConstVector<typename Problem::execution_space>& x,
                                     const Vector<typename Problem::execution_space>& g) {
  { problem.execution() } -> std::convertible_to<const typename Problem::execution_space&>;
  { problem.dimension() } -> std::convertible_to<std::int64_t>;
  problem.draw(sample);
  { problem.objective(x) } -> std::convertible_to<double>;
  problem.gradient(x, g);
};

/// A problem whose f̂ is quadratic: `curvature(d)` is dᵀ∇²f̂ d, for exact line search; waits for it.
template <class Problem>
concept QuadraticProblem = StochasticProblem<Problem> &&
    requires(Problem& problem, const ConstVector<typename Problem::execution_space>& d) {
  { problem.curvature(d) } -> std::convertible_to<double>;
};

/// A problem that knows a Lipschitz constant of ∇f̂ in the Euclidean norm, for the short step.
template <class Problem>
concept SmoothProblem = StochasticProblem<Problem> && requires(Problem& problem) {
  { problem.smoothness() } -> std::convertible_to<double>;
};

/// A problem that knows the Hessian of f̂ by its products: `hessian_product(x, v, out)` is out = ∇²f̂(x) v.
template <class Problem>
concept TwiceDifferentiableProblem = StochasticProblem<Problem> &&
    requires(Problem& problem, const ConstVector<typename Problem::execution_space>& x,
             const Vector<typename Problem::execution_space>& out) {
  problem.hessian_product(x, x, out);
};

/// A problem that a crew of teams (core/linear_algebra/crew.hpp) evaluates within a kernel, each of them its own
/// coordinates of the vectors. `in_crews()` is what kernels take; of it
/// - `exchanged(b)` and `scratch(b, share)` are how many numbers its teams exchange at once and how many numbers of
///   scratch each takes beside, for samples of b replications and teams that own at most `share` coordinates,
/// - `gradient(crew, sample, x, g, scratch)` sets g = ∇f̂(x) over the sample,
/// - `hessian_product(crew, sample, x, v, out, scratch)` sets out = ∇²f̂(x) v over the sample;
/// all teams call them together, and each waits for its own threads.
template <class Problem>
concept CrewProblem = TwiceDifferentiableProblem<Problem> && requires(const Problem& problem) {
  problem.in_crews();
};

/// A problem that has objective and gradient in one pass over its sample: `objective_and_gradient(x, g)` is
/// g = ∇f̂(x) and returns f̂(x), for which it waits.
template <class Problem>
concept JointlyEvaluatedProblem = StochasticProblem<Problem> &&
    requires(Problem& problem, const ConstVector<typename Problem::execution_space>& x,
             const Vector<typename Problem::execution_space>& g) {
  { problem.objective_and_gradient(x, g) } -> std::convertible_to<double>;
};

/// g = ∇f̂(x) and f̂(x), in one pass where the problem has it.
template <StochasticProblem Problem>
double objective_and_gradient(Problem& problem, const ConstVector<typename Problem::execution_space>& x,
                              const Vector<typename Problem::execution_space>& g) {
  if constexpr (JointlyEvaluatedProblem<Problem>) {
    return problem.objective_and_gradient(x, g);
  } else {
    problem.gradient(x, g);
    return problem.objective(x);
  }
}

}  // namespace sporos
