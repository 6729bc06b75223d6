// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/persistent_sqn.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn_run.hpp>
#include <sporos/optimizers/quasi_newton/sqn_steps.hpp>
#include <sporos/optimizers/quasi_newton/start.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <vector>

namespace sporos {

/// Minimizes E[F(x, ξ)] by the stochastic quasi-Newton method: algorithm 3 of He, Liu, Wu, Zheng, Zhu (2024), A
/// preliminary study on accelerating simulation optimization with GPU implementation. It is the method of Byrd, Hansen,
/// Nocedal, Singer (A stochastic quasi-Newton method for large-scale optimization, SIAM J. Optim. 26, 2016).
///
/// Iteration k draws the next b replications, computes the gradient g over them, and moves x by −α_k g or, for k > 2 L,
/// by −α_k H g. Every L iterations the mean x̄ of the last L iterates gives a correction pair. Here s is the change of
/// x̄ since the previous pair, and y = ∇²f̂(x̄) s over b_H replications of another seed. The vectors stay on the
/// device; the loop runs on the host. The host waits for the device if a pair is due, a safeguard or a line search
/// checks a step, or a point of the trajectory is recorded.
///
/// On a device a single persistent kernel runs a thousand iterations, or those up to the next point of the trajectory.
/// This requires a PersistentTeamProblem, pairs from Hessian products, steps by rule, and samples that fit into the
/// scratch memory of a team. The time limit is then checked if a pair is due, as it is with several processes. A device
/// runs only one such kernel of a program at a time; others wait. If the device cannot hold all teams at once, the
/// iterations are launched kernel by kernel.
///
/// On a host, a single kernel runs the iterations between two pairs if the problem is a HostTeamProblem, the sample is
/// small, and nothing limits the steps. The time limit is then checked after the kernel, at most 10 ms later.
///
/// With pairs from gradient differences the method needs no Hessian and is oLBFGS (Schraudolph, Yu, Günter, A
/// stochastic quasi-Newton method for online convex optimization, AISTATS 2007; Mokhtari and Ribeiro, Global
/// convergence of online limited memory BFGS, JMLR 16, 2015). Every L iterations s is the last step, and y the change
/// of the gradient along it on the iteration's sample. These y are noisier by the ratio of the sample sizes, and there
/// are more of them.
///
/// For a strongly convex f and steps β / k with a sufficiently large β, E[f(x_k) − f*] falls as 1 / k (theorem 3.2 of
/// Byrd et al.). With a constant step or a line search it falls to a level given by the noise of the sample.
///
/// Repeated runs on one backend with one number of threads give bit-identical results, except for `seconds` and the
/// point at which a time limit stops the run.
///
/// Resumes from `state`, made by an earlier run; the result is bitwise identical to that of an uninterrupted run,
/// except for a new trajectory.
///
/// `stop_request` is polled before iterations, several times per second if iterations are shorter than that. If it
/// returns true, the run ends as if the callback had stopped it. A problem that is distributed over several processes
/// must have no stop request.
///
/// @throws std::invalid_argument if an option is out of range, pairs need Hessian products that the problem does not
/// provide, or the state does not match the problem.
/// @throws std::runtime_error if a persistent kernel was abandoned because not all of its teams became resident on the
/// device.
template <class Problem>
QuasiNewtonResult sqn(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options = {},
                      const QuasiNewtonCallback& callback = {}, const StopRequest& stop_request = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_problem_requirement<Problem>()>());
  if constexpr (StochasticProblem<Problem>) {
    check(options);
    if (!TwiceDifferentiableProblem<Problem> && options.pair_source == PairSource::hessian_products) {
      impl::refuse_parameter(ChoiceNames<PairSource>::what, name_of(options.pair_source),
                             "gradient-differences for a problem without hessian_product");
    }
    impl::check_start(state, problem.dimension());
    // On a host a persistent kernel has one thread (see TeamPartition).
    if constexpr (PersistentTeamProblem<Problem> && !runs_on_host<typename Problem::execution_space>) {
      using Persistent = impl::PersistentSqn<Problem>;
      if (Persistent::can(problem, options)) {
        return impl::SqnRun<Persistent>(problem, state, options, callback, stop_request).run();
      }
    }
    return impl::SqnRun<impl::SqnSteps<Problem>>(problem, state, options, callback, stop_request).run();
  }
  return {};
}

/// Starts from any point.
template <class Problem>
QuasiNewtonResult sqn(Problem& problem, const std::vector<double>& start, const SqnOptions& options = {},
                      const QuasiNewtonCallback& callback = {}, const StopRequest& stop_request = {}) {
  impl::check_contract(impl::Unmet<impl::unmet_problem_requirement<Problem>()>());
  return sqn(problem, impl::start_at(start), options, callback, stop_request);
}

}  // namespace sporos
