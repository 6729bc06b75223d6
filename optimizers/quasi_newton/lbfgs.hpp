// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/lbfgs_run.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/start.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <vector>

namespace sporos {

/// Minimizes f̂, the objective over one sample that is never changed, by L-BFGS (Liu and Nocedal, On the limited memory
/// BFGS method for large scale optimization, Math. Program. 45, 1989): x moves along −H g to a point that satisfies the
/// strong Wolfe conditions, and that move and the change of the gradient are the next correction pair. For a
/// deterministic problem that is all; for a stochastic one it is the sample average approximation.
///
/// An iteration takes as many evaluations of objective and gradient as its line search, most often one: in one pass
/// where the problem is a JointlyEvaluatedProblem. The vectors stay on the device. A point where f̂ or its gradient is
/// infinite or NaN is never moved to; the run stops where all of a line is like that.
///
/// From run to run on one backend, with one number of threads, the result is the same to the last bit, but for
/// `seconds` and for where a time limit stops it.
///
/// Goes on from `state`, which an earlier run has made: with the bits of a run that was never stopped, except for a
/// trajectory of its own.
///
/// @throws std::invalid_argument for options that cannot be carried out, and for a state that does not fit the problem.
template <class Problem>
QuasiNewtonResult lbfgs(Problem& problem, const QuasiNewtonState& state, const LbfgsOptions& options = {},
                        const QuasiNewtonCallback& callback = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_problem<Problem>()>());
  if constexpr (StochasticProblem<Problem>) {
    check(options);
    impl::check_start(state, problem.dimension());
    return impl::LbfgsRun<Problem>(problem, state, options, callback).run();
  }
  return {};
}

/// The same from any point.
template <class Problem>
QuasiNewtonResult lbfgs(Problem& problem, const std::vector<double>& start, const LbfgsOptions& options = {},
                        const QuasiNewtonCallback& callback = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_problem<Problem>()>());
  return lbfgs(problem, impl::start_at(start), options, callback);
}

}  // namespace sporos
