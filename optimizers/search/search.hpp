// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// Solvers of sampled problems. A solver is a coroutine that reads like its algorithm: it awaits samples and recommends
/// points. While it waits it holds no thread, so many runs advance side by side, one problem call per round
/// (run_searches.hpp).
namespace sporos {

/// A point that a search recommends from a certain number of replications on.
struct Recommendation {
  std::int64_t replications;  ///< Number of replications that the search had used.
  std::vector<double> x;      ///< The point.
};

/// One run of a solver: its problem and budget, its samples and recommendations.
class SearchRun {
 public:
  /// Creates a run on `problem`, which must outlive it, from `start`, which must lie in the region. The run uses at
  /// most `budget` replications, with the random numbers of `seed`. Its replication 0 is number `first` of that seed.
  SearchRun(SampledProblem& problem, std::vector<double> start, std::int64_t budget, std::uint64_t seed,
            std::int64_t first = 0)
      : m_problem(problem), m_start(std::move(start)), m_budget(budget), m_first(first), m_seed(seed) {}

  /// Creates a run with a part of this run's budget and the same random numbers, from another point. This run has to
  /// evaluate the samples that the new one requests.
  SearchRun part(std::vector<double> start, std::int64_t budget) const {
    return {m_problem, std::move(start), budget, m_seed};
  }

  /// The problem being solved. A solver evaluates it only through `evaluate`.
  SampledProblem& problem() const { return m_problem; }
  /// Lower and upper bound of each coordinate.
  std::span<const DecisionRange> bounds() const { return m_problem.bounds(); }
  /// Start point of the run.
  const std::vector<double>& start() const { return m_start; }
  /// Number of coordinates.
  std::size_t dimension() const { return m_problem.dimension(); }
  /// Total number of replications that may be used.
  std::int64_t budget() const { return m_budget; }
  /// Number of replications left.
  std::int64_t left() const { return m_budget - m_used; }
  /// Cost of one replication with its gradient, in replications.
  std::int64_t gradient_cost() const { return m_problem.gradient_cost(); }
  /// Number of replications with gradients left.
  std::int64_t left_with_gradients() const { return left() / gradient_cost(); }
  /// Seed of the run's random numbers.
  std::uint64_t seed() const { return m_seed; }

  /// Region of feasible points.
  SearchRegion region() const { return m_problem.region(); }

  /// Point of the region nearest to x: each coordinate is moved into its bounds; integer coordinates are rounded.
  std::vector<double> within_region(std::vector<double> x) const { return region().projected(std::move(x)); }

  /// Point halfway from the infeasible point `x` to `feasible`, the last feasible iterate.
  std::vector<double> halfway(std::vector<double> x, const std::vector<double>& feasible) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (feasible[i] - x[i]) / 2;
    return within_region(std::move(x));
  }

  /// Throws std::invalid_argument if there are constraints other than bounds, which the solver `who` does not support.
  void check_only_bounds(std::string_view who) const;

  /// Returns a sample of `count` replications at `x` that no other sample of the run uses.
  Sample fresh_sample(std::vector<double> x, std::int64_t count, bool has_gradient = false) {
    m_next += count;
    return {std::move(x), m_seed, m_next - count, count, has_gradient};
  }

  /// Objective at x on the replications of `some` and `others`, which are disjoint.
  SampleMean pooled(const std::vector<double>& x, const SampleMean& some, const SampleMean& others) const {
    SampleMoments all = some.moments;
    all.add(others.moments);
    return m_problem.estimate(x, std::move(all));
  }

  /// Awaitable evaluation of samples.
  class Evaluation {
   public:
    /// Evaluates the samples that `run` requests.
    explicit Evaluation(SearchRun& run) : m_run(run) {}
    /// Always suspends the solver.
    bool await_ready() const { return false; }
    /// Leaves the solver suspended until its caller resumes it.
    void await_suspend(std::coroutine_handle<>) const {}
    /// Returns the means, in the order of the samples.
    std::vector<SampleMean> await_resume() const { return std::move(m_run.m_found); }

   private:
    SearchRun& m_run;
  };

  /// Evaluates samples and returns their means: `co_await run.evaluate(samples)`. A solver must not request more
  /// replications than are left.
  Evaluation evaluate(std::vector<Sample> samples);

  /// Records the number of starts from which the solver searches.
  void search_from(std::int64_t starts) { m_starts = starts; }
  /// Number of starts from which the solver searches.
  std::int64_t starts() const { return m_starts; }
  /// Records that the solver tries `count` further points all over the region.
  void try_points(std::int64_t count) { m_tried += count; }
  /// Number of points tried all over the region.
  std::int64_t tried_points() const { return m_tried; }

  /// Recommends the point that the run would return if it ended now.
  void recommend(std::vector<double> x) {
    if (!m_recommendations.empty() && m_recommendations.back().replications == m_used) m_recommendations.pop_back();
    m_recommendations.push_back({m_used, std::move(x)});
  }
  /// The last recommended point, or the start if there is none.
  const std::vector<double>& recommended() const {
    return m_recommendations.empty() ? m_start : m_recommendations.back().x;
  }
  /// Returns all recommendations, in order, after the end of the run, which then has none.
  std::vector<Recommendation> take_recommendations() { return std::exchange(m_recommendations, {}); }

  /// Replaces the candidates: points from which the final point is to be selected by separate replications.
  void consider(std::vector<std::vector<double>> points) { m_candidates = std::move(points); }
  /// Candidate points; empty if the solver proposes none.
  const std::vector<std::vector<double>>& candidates() const { return m_candidates; }

  /// Returns the samples that the solver waits for.
  std::vector<Sample> take_wanted() { return std::move(m_wanted); }
  /// Passes the means of these samples to the solver, before it is resumed.
  void give(std::vector<SampleMean> means) { m_found = std::move(means); }

 private:
  SampledProblem& m_problem;
  std::vector<double> m_start;
  std::int64_t m_budget, m_first, m_used = 0, m_next = 0, m_starts = 1, m_tried = 0;
  std::uint64_t m_seed;
  std::vector<Sample> m_wanted;
  std::vector<SampleMean> m_found;
  std::vector<Recommendation> m_recommendations;
  std::vector<std::vector<double>> m_candidates;
};

/// A running solver: the coroutine itself. It requests its first samples once it is resumed.
class Search {
 public:
  /// Promise type, which the language requires of a coroutine.
  struct promise_type {
    /// Creates the Search of this coroutine.
    Search get_return_object() { return Search(std::coroutine_handle<promise_type>::from_promise(*this)); }
    /// Suspends the solver before its first statement.
    std::suspend_always initial_suspend() const noexcept { return {}; }
    /// Keeps the frame of a finished solver until it is destroyed.
    std::suspend_always final_suspend() const noexcept { return {}; }
    /// A solver returns nothing but its recommendations.
    void return_void() const {}
    /// Stores an exception of the solver for resume().
    void unhandled_exception() { failure = std::current_exception(); }

    std::exception_ptr failure;  ///< Exception of the solver, if any.
  };

  /// Takes over the coroutine.
  Search(Search&& other) noexcept : m_handle(std::exchange(other.m_handle, {})) {}
  /// Takes over the coroutine; swaps with `other`.
  Search& operator=(Search&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    return *this;
  }
  ~Search() {
    if (m_handle) m_handle.destroy();
  }

  /// Resumes the solver until it requests samples or ends. Returns whether it requests samples. Rethrows its
  /// exceptions.
  bool resume() {
    m_handle.resume();
    if (m_handle.promise().failure) std::rethrow_exception(m_handle.promise().failure);
    return !m_handle.done();
  }

 private:
  explicit Search(std::coroutine_handle<promise_type> handle) : m_handle(handle) {}

  std::coroutine_handle<promise_type> m_handle;
};

/// Function that starts a solver on a run, which must outlive it.
using Solver = std::function<Search(SearchRun& run)>;

/// Throws std::invalid_argument if the problem of `run` has constraints on means. Solvers that consider only the
/// objective call it, because they would ignore these constraints.
void refuse_constraints_on_means(const SearchRun& run);

}  // namespace sporos
