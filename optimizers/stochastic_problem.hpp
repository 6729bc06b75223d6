// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>

#include <concepts>
#include <cstdint>

namespace sporos {

namespace impl {

enum class ProblemRequirement { none, execution, dimension, draw, objective, gradient, hessian_product };

// The first member that the type requires but does not have.
template <class Problem>
constexpr ProblemRequirement unmet_problem_requirement() {
  if constexpr (!requires(Problem & problem) {
                  { problem.execution() } -> std::convertible_to<const typename Problem::execution_space&>;
                }) {
    return ProblemRequirement::execution;
  } else if constexpr (!requires(Problem & problem) {
                         { problem.dimension() } -> std::convertible_to<std::int64_t>;
                       }) {
    return ProblemRequirement::dimension;
  } else if constexpr (!requires(Problem & problem, const SampleRange& sample) { problem.draw(sample); }) {
    return ProblemRequirement::draw;
  } else {
    using Space = typename Problem::execution_space;
    if constexpr (!requires(Problem & problem, const ConstVector<Space>& x) {
                    { problem.objective(x) } -> std::convertible_to<double>;
                  }) {
      return ProblemRequirement::objective;
    } else if constexpr (!requires(Problem & problem, const ConstVector<Space>& x, const Vector<Space>& g) {
                           problem.gradient(x, g);
                         }) {
      return ProblemRequirement::gradient;
    }
  }
  return ProblemRequirement::none;
}

// Same check for a problem whose Hessian is used.
template <class Problem>
constexpr ProblemRequirement unmet_twice_differentiable_problem_requirement() {
  if constexpr (constexpr ProblemRequirement unmet = unmet_problem_requirement<Problem>();
                unmet != ProblemRequirement::none) {
    return unmet;
  } else {
    using Space = typename Problem::execution_space;
    constexpr bool has_products = requires(Problem & problem, const ConstVector<Space>& x, const Vector<Space>& out) {
      problem.hessian_product(x, x, out);
    };
    return has_products ? ProblemRequirement::none : ProblemRequirement::hessian_product;
  }
}

inline void check_contract(Unmet<ProblemRequirement::none>) {}
SPOROS_REQUIREMENT(
    ProblemRequirement::execution,
    "Sporos: a problem must have an execution space: using execution_space = ...; const execution_space& execution()");
SPOROS_REQUIREMENT(ProblemRequirement::dimension,
                   "Sporos: a problem must return its number of decision variables: std::int64_t dimension()");
SPOROS_REQUIREMENT(
    ProblemRequirement::draw,
    "Sporos: a problem must draw the given sample, or ignore it if the problem is deterministic: void draw(const "
    "sporos::SampleRange& sample)");
SPOROS_REQUIREMENT(
    ProblemRequirement::objective,
    "Sporos: a problem must have an objective: double objective(const sporos::ConstVector<execution_space>& x)");
SPOROS_REQUIREMENT(
    ProblemRequirement::gradient,
    "Sporos: a problem must write its gradient to g: void gradient(const sporos::ConstVector<execution_space>& x, "
    "const "
    "sporos::Vector<execution_space>& g)");
SPOROS_REQUIREMENT(
    ProblemRequirement::hessian_product,
    "Sporos: a problem whose Hessian is checked must have Hessian-vector products: void hessian_product(const "
    "sporos::ConstVector<execution_space>& x, const sporos::ConstVector<execution_space>& v, const "
    "sporos::Vector<execution_space>& out)");

}  // namespace impl

/// A problem min E[F(x, ξ)] as optimizers require it: an estimate of objective and gradient over a sample that the
/// optimizer chooses. A deterministic problem ignores `draw`.
///
/// A problem holds the `execution_space` instance on which it works; vectors are in the memory of that space.
/// - `dimension()`: number of decision variables.
/// - `draw(sample)`: makes f̂ the objective over this sample until the next call. Equal samples give equal f̂.
/// - `objective(x)`: f̂(x), an unbiased estimate of f(x). Blocks until the value is available.
/// - `gradient(x, g)`: sets g = ∇f̂(x), an unbiased estimate of ∇f(x).
template <class Problem>
concept StochasticProblem = impl::unmet_problem_requirement<Problem>()
== impl::ProblemRequirement::none;

/// A problem with a quadratic f̂. `curvature(d)` returns dᵀ∇²f̂ d for exact line search. This call blocks.
template <class Problem>
concept QuadraticProblem = StochasticProblem<Problem> &&
    requires(Problem& problem, const ConstVector<typename Problem::execution_space>& d) {
  { problem.curvature(d) } -> std::convertible_to<double>;
};

/// A problem with a known Lipschitz constant of ∇f̂ in the Euclidean norm, which the short step requires.
template <class Problem>
concept SmoothProblem = StochasticProblem<Problem> && requires(Problem& problem) {
  { problem.smoothness() } -> std::convertible_to<double>;
};

/// A problem with Hessian products of f̂: `hessian_product(x, v, out)` sets out = ∇²f̂(x) v.
template <class Problem>
concept TwiceDifferentiableProblem = StochasticProblem<Problem> &&
    impl::unmet_twice_differentiable_problem_requirement<Problem>()
== impl::ProblemRequirement::none;

/// A problem that the teams of a persistent kernel (core/linear_algebra/persistent_teams.hpp) can evaluate, each team
/// for its own coordinates of the vectors. `in_teams()` returns the object that is passed to kernels. Its members:
/// - `exchanged(b)` returns how many numbers the teams exchange at once for samples of b replications.
/// - `scratch(b, share)` returns how many further numbers of scratch memory each team needs for such samples if it owns
///   at most `share` coordinates.
/// - `gradient(team, sample, x, g, scratch)` sets g = ∇f̂(x) over the sample.
/// - `hessian_product(team, sample, x, v, out, scratch)` sets out = ∇²f̂(x) v over the sample.
///
/// The last two are collective: all teams call them, and each team waits for its own threads.
template <class Problem>
concept PersistentTeamProblem = TwiceDifferentiableProblem<Problem> && requires(const Problem& problem) {
  problem.in_teams();
};

/// A problem that can bound f̂ from below over the feasible region. `sample_bound(y)` returns such a lower bound, for
/// example the minimum of a Lagrangian, and sets y to the point to which it belongs, feasible or not. Without a bound
/// it returns minus infinity. Blocks until the value is available.
template <class Problem>
concept SampleBoundedProblem = StochasticProblem<Problem> &&
    requires(Problem& problem, const Vector<typename Problem::execution_space>& y) {
  { problem.sample_bound(y) } -> std::convertible_to<double>;
};

/// A problem that computes objective and gradient in one pass over its sample: `objective_and_gradient(x, g)` sets g =
/// ∇f̂(x), blocks, and returns f̂(x).
template <class Problem>
concept JointlyEvaluatedProblem = StochasticProblem<Problem> &&
    requires(Problem& problem, const ConstVector<typename Problem::execution_space>& x,
             const Vector<typename Problem::execution_space>& g) {
  { problem.objective_and_gradient(x, g) } -> std::convertible_to<double>;
};

/// Sets g = ∇f̂(x) and returns f̂(x), in one pass if the problem supports it.
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
