// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/host_team.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs_kernels.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/sqn_pairs.hpp>
#include <sporos/optimizers/quasi_newton/sqn_samples.hpp>
#include <sporos/optimizers/quasi_newton/sqn_standing.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sporos {

/// A problem whose gradient the threads of one team on a host can compute together. `in_threads()` returns the object
/// that is passed to kernels. Its members:
/// - `most_replications` is the largest size of a sample, `most_threads()` the largest number of threads with work.
/// - `nanoseconds(b)` returns the approximate time of a gradient over b replications on one thread.
/// - `scratch(threads)` returns how many numbers of scratch memory a team needs.
/// - `gradient(team, sample, x, g, scratch)` sets g = ∇f̂(x) over the sample, with the same bits as the problem's
///   `draw` and `gradient`. All threads of the team call it after a barrier; it ends with a barrier.
template <class Problem>
concept HostTeamProblem = StochasticProblem<Problem> && runs_on_host<typename Problem::execution_space> &&
    requires(const Problem& problem) {
  problem.in_threads();
};

namespace impl {

/// Kernel of iterations by the threads of one team on a host.
template <class InThreads>
struct ThreadedIteration {
  InThreads problem;
  SqnOptions options;
  TeamMultiplier matrix;
  double *x, *sum, *gradient, *direction, *scratch;
  std::int64_t first, end;  // the iterations are first + 1, …, end

  template <class Member>
  void operator()(const Member& team) const {
    double* const of_matrix = scratch + problem.scratch(team.team_size());
    for (std::int64_t k = first + 1; k <= end; ++k) {
      problem.gradient(team, gradient_sample(options, k), x, gradient, scratch);
      const ThreadShare own = matrix.multiply(team, gradient, of_matrix, direction);
      const double step = step_length(options, k);
      for (std::int64_t i = own.begin; i < own.end; ++i) {
        sum[i] += x[i];
        x[i] -= step * direction[i];
      }
      team.team_barrier();
    }
  }
};

/// Runs iterations of sqn in one kernel, which saves launches and lets threads share short iterations: a barrier takes
/// about a tenth of the time of a launch.
template <class Problem>
class ThreadedIterations {
 public:
  using Space = typename Problem::execution_space;  ///< Execution space of the vectors.

  /// Prepares iterations of a problem.
  ThreadedIterations(const Problem& problem, const SqnOptions& options)
      : m_space(problem.execution()), m_options(options), m_problem(problem.in_threads()) {}

  /// Number of iterations, up to `last` and the next pair, that a kernel can run: those along H g by a step by rule
  /// that nothing limits.
  std::int64_t count(const SqnStanding& now, const SqnPairs<Problem>& pairs, std::int64_t last) const {
    constexpr double longest = 1e7;  // nanoseconds of a kernel, so that time limits are checked
    const std::int64_t L = m_options.pair_interval;
    const bool is_limited = m_options.step_rule == SqnStepRule::line_search || std::isfinite(m_options.longest_move) ||
                            (m_options.limit_steps && (now.is_watched || now.iteration < 2 * L));
    if (pairs.by_differences() || is_limited || now.iteration < 2 * L || pairs.matrix().size() == 0 ||
        m_options.batch_size > m_problem.most_replications) {
      return 0;
    }
    const auto fitting = static_cast<std::int64_t>(longest / nanoseconds(pairs.matrix().size()));
    return std::min({last - now.iteration, L - now.iteration % L, std::max<std::int64_t>(fitting, 1)});
  }

  /// Runs `count` iterations after iteration `first`. Returns the last step size. `gradient` and `direction` are
  /// overwritten.
  double run(HostTeam& team, std::int64_t first, std::int64_t count, const SqnPairs<Problem>& pairs,
             const Vector<Space>& x, const Vector<Space>& gradient, const Vector<Space>& direction) const {
    const HostTeamWork work{nanoseconds(pairs.matrix().size()), count, m_problem.most_threads()};
    const std::int64_t threads = HostTeam::max_threads(m_space, work);
    const std::int64_t size = m_problem.scratch(threads) + TeamMultiplier::scratch(threads, m_options.pairs.memory);
    const Vector<Space> scratch(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::quasi_newton::scratch"),
                                static_cast<std::size_t>(size));
    const ThreadedIteration<InThreads> kernel{m_problem,        m_options,          pairs.matrix().in_threads(),
                                              x.data(),         pairs.sum().data(), gradient.data(),
                                              direction.data(), scratch.data(),     first,
                                              first + count};
    team.for_each_thread("sporos::quasi_newton::iterations", m_space, work, kernel);
    return step_length(m_options, first + count);
  }

 private:
  using InThreads = decltype(std::declval<const Problem&>().in_threads());

  // Approximate time of an iteration on one thread.
  double nanoseconds(std::int64_t pairs) const {
    const double of_pairs = 4 * nanoseconds_of_pair_element * static_cast<double>(pairs * m_problem.dimension);
    return m_problem.nanoseconds(m_options.batch_size) + of_pairs;
  }

  const Space& m_space;
  const SqnOptions& m_options;
  InThreads m_problem;
};

}  // namespace impl

}  // namespace sporos
