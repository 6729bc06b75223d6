// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/lbfgs_run.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/start.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <vector>

namespace sporos {

/// Minimizes f̂, the objective over one fixed sample, by L-BFGS (Liu and Nocedal, On the limited memory BFGS method for
/// large scale optimization, Math. Program. 45, 1989). x moves along −H g to a point that satisfies the strong Wolfe
/// conditions. This move and the change of the gradient form the next correction pair. For a stochastic problem this is
/// the sample average approximation.
///
/// An iteration takes as many evaluations of objective and gradient as its line search, most often one; a
/// JointlyEvaluatedProblem computes both in one pass. The vectors stay on the device. The run never moves to a point
/// where f̂ or its gradient is infinite or NaN; it stops if a whole line consists of such points.
///
/// Repeated runs on one backend with one number of threads give bit-identical results, except for `seconds` and the
/// point at which a time limit stops the run.
///
/// Resumes from `state`, made by an earlier run; the result is bitwise identical to that of an uninterrupted run,
/// except for a new trajectory.
///
/// @throws std::invalid_argument if an option is out of range or the state does not match the problem.
template <class Problem>
QuasiNewtonResult lbfgs(Problem& problem, const QuasiNewtonState& state, const LbfgsOptions& options = {},
                        const QuasiNewtonCallback& callback = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_problem_requirement<Problem>()>());
  if constexpr (StochasticProblem<Problem>) {
    check(options);
    impl::check_start(state, problem.dimension());
    return impl::LbfgsRun<Problem>(problem, state, options, callback).run();
  }
  return {};
}

/// Starts from any point.
template <class Problem>
QuasiNewtonResult lbfgs(Problem& problem, const std::vector<double>& start, const LbfgsOptions& options = {},
                        const QuasiNewtonCallback& callback = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_problem_requirement<Problem>()>());
  return lbfgs(problem, impl::start_at(start), options, callback);
}

}  // namespace sporos
