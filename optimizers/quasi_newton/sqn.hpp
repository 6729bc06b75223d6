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

/// Minimizes E[F(x, ξ)] by the stochastic quasi-Newton method: algorithm 3 of He, Liu, Wu, Zheng, Zhu (A preliminary
/// study on accelerating simulation optimization with GPU implementation, 2024), which is that of Byrd, Hansen,
/// Nocedal, Singer (A stochastic quasi-Newton method for large-scale optimization, SIAM J. Optim. 26, 2016).
///
/// Iteration k draws the next b replications, takes the gradient g over them, and moves x by −α_k g, or, once
/// k > 2 L, by −α_k H g. Every L iterations the mean x̄ of the last L iterates gives a pair: s is what x̄ has moved since
/// the last, y = ∇²f̂(x̄) s over b_H replications of another seed. The vectors stay on the device; the loop runs on the
/// host, and waits for the device where a pair is due, where a safeguard or a line search looks at a step, and where
/// the trajectory has a point. On a device a PersistentTeamProblem with pairs of Hessian products, steps by rule, and
/// samples that fit into the scratch of a team is solved by one persistent kernel for a thousand iterations, or up to
/// the trajectory's next point; a time limit is looked at where a pair is due, as it is by several processes. A device
/// runs one such kernel of a program at a time, others wait; where the device cannot hold all of its teams at once, it
/// is launched kernel by kernel.
///
/// With pairs from differences of gradients it needs no Hessian, and is oLBFGS (Schraudolph, Yu, Günter, A stochastic
/// quasi-Newton method for online convex optimization, AISTATS 2007; Mokhtari and Ribeiro, Global convergence of online
/// limited memory BFGS, JMLR 16, 2015): every L iterations s is the last step, and y the change, along it, of the
/// gradient over the iteration's own sample. Its y are noisier by the ratio of the samples' sizes, and there are more
/// of them.
///
/// For a strongly convex f and β / k with a β that is not too small, E[f(x_k) − f*] falls as 1 / k (theorem 3.2 of
/// Byrd et al.). With a constant step or a line search it falls to where the noise of the sample holds it.
///
/// From run to run on one backend, with one number of threads, the result is the same to the last bit, but for
/// `seconds` and for where a time limit stops it.
///
/// Goes on from `state`, which an earlier run has made: with the bits of a run that was never stopped, except for a
/// trajectory of its own.
///
/// @throws std::invalid_argument for options that cannot be carried out, pairs from Hessian products where the problem
/// has none among them, and for a state that does not fit the problem; std::runtime_error where a persistent kernel had
/// to be given up because not all of its teams came to the device.
///
/// `stop_request` is asked before iterations, several times a second where they are not longer; where it says so, the
/// run ends as by the callback. A problem spread over several processes has none.
template <class Problem>
QuasiNewtonResult sqn(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options = {},
                      const QuasiNewtonCallback& callback = {}, const StopRequest& stop_request = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_problem<Problem>()>());
  if constexpr (StochasticProblem<Problem>) {
    check(options);
    if (!TwiceDifferentiableProblem<Problem> && options.pair_source == PairSource::hessian_products) {
      impl::refuse_parameter(ChoiceNames<PairSource>::what, name_of(options.pair_source),
                             "gradient-differences for a problem without hessian_product");
    }
    impl::check_start(state, problem.dimension());
    // On a host a persistent kernel has one thread (TeamPartition).
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

/// The same from any point.
template <class Problem>
QuasiNewtonResult sqn(Problem& problem, const std::vector<double>& start, const SqnOptions& options = {},
                      const QuasiNewtonCallback& callback = {}, const StopRequest& stop_request = {}) {
  impl::check_contract(impl::Lacks<impl::lack_of_problem<Problem>()>());
  return sqn(problem, impl::start_at(start), options, callback, stop_request);
}

}  // namespace sporos
