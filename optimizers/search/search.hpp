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

/// Solvers of sampled problems. A solver is a coroutine that reads as its algorithm does: it awaits samples and
/// recommends points. Between its samples it holds no thread, so that many runs advance side by side and each of their
/// rounds is one call of the problem (run_searches.hpp).
namespace sporos {

/// A point that a search recommends from a number of replications on.
struct Recommendation {
  std::int64_t replications;  ///< that the search had used
  std::vector<double> x;      ///< the point
};

/// What one run of a solver is told and tells.
class SearchRun {
 public:
  /// A run on `problem`, which must outlive it, from `start`, which lies in its region, with at most `budget`
  /// replications, whose random numbers are those of `seed`, from replication `first` on: what the run calls
  /// replication 0.
  SearchRun(SampledProblem& problem, std::vector<double> start, std::int64_t budget, std::uint64_t seed,
            std::int64_t first = 0)
      : m_problem(problem), m_start(std::move(start)), m_budget(budget), m_first(first), m_seed(seed) {}

  /// A run of a part of this one's budget, with its random numbers, from another point. What it evaluates, this one has
  /// to evaluate.
  SearchRun part(std::vector<double> start, std::int64_t budget) const {
    return {m_problem, std::move(start), budget, m_seed};
  }

  /// That is solved. A solver evaluates it by `evaluate` alone.
  SampledProblem& problem() const { return m_problem; }
  /// Of each coordinate.
  std::span<const DecisionRange> bounds() const { return m_problem.bounds(); }
  /// Where the run begins.
  const std::vector<double>& start() const { return m_start; }
  /// Number of coordinates.
  std::size_t dimension() const { return m_problem.dimension(); }
  /// Replications that may be used in all.
  std::int64_t budget() const { return m_budget; }
  /// Replications that are left.
  std::int64_t left() const { return m_budget - m_used; }
  /// How many replications one with its gradient counts for.
  std::int64_t gradient_cost() const { return m_problem.gradient_cost(); }
  /// Replications with gradients that are left.
  std::int64_t left_with_gradients() const { return left() / gradient_cost(); }
  /// Names the random numbers of the run.
  std::uint64_t seed() const { return m_seed; }

  /// Where points lie.
  SearchRegion region() const { return m_problem.region(); }

  /// The point of the region nearest to x: each coordinate moved into its bounds, and to a whole number where it takes
  /// these alone.
  std::vector<double> within_region(std::vector<double> x) const { return region().projected(std::move(x)); }

  /// The point halfway from `x`, which is infeasible, to `feasible`, the last iterate that was not.
  std::vector<double> halfway(std::vector<double> x, const std::vector<double>& feasible) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (feasible[i] - x[i]) / 2;
    return within_region(std::move(x));
  }

  /// Throws std::invalid_argument, naming who stays within bounds alone, where there is a constraint beside them.
  void check_bounds_alone(std::string_view who) const;

  /// A sample of `count` replications at `x` that no other sample of the run has.
  Sample fresh_sample(std::vector<double> x, std::int64_t count, bool has_gradient = false) {
    m_next += count;
    return {std::move(x), m_seed, m_next - count, count, has_gradient};
  }

  /// The objective at x by the replications of `some` and `others`, of which none is in both.
  SampleMean pooled(const std::vector<double>& x, const SampleMean& some, const SampleMean& others) const {
    SampleMoments all = some.moments;
    all.add(others.moments);
    return m_problem.estimate(x, std::move(all));
  }

  /// What a solver awaits.
  class Evaluation {
   public:
    /// Of the samples that `run` wants.
    explicit Evaluation(SearchRun& run) : m_run(run) {}
    /// The solver is always suspended,
    bool await_ready() const { return false; }
    /// until whoever runs it resumes it,
    void await_suspend(std::coroutine_handle<>) const {}
    /// and is then given the means, in the order of the samples.
    std::vector<SampleMean> await_resume() const { return std::move(m_run.m_found); }

   private:
    SearchRun& m_run;
  };

  /// The means of these samples: `co_await run.evaluate(samples)`. A solver asks for no more replications than are
  /// left.
  Evaluation evaluate(std::vector<Sample> samples);

  /// Notes that the solver searches from so many starts.
  void search_from(std::int64_t starts) { m_starts = starts; }
  /// Number of starts that the solver searches from.
  std::int64_t starts() const { return m_starts; }
  /// Notes that the solver tries so many more points all over the region.
  void try_points(std::int64_t count) { m_tried += count; }
  /// Number of such points.
  std::int64_t tried_points() const { return m_tried; }

  /// The point that the run would end with, if it ended here.
  void recommend(std::vector<double> x) {
    if (!m_recommendations.empty() && m_recommendations.back().replications == m_used) m_recommendations.pop_back();
    m_recommendations.push_back({m_used, std::move(x)});
  }
  /// The last such point; the start where there is none.
  const std::vector<double>& recommended() const {
    return m_recommendations.empty() ? m_start : m_recommendations.back().x;
  }
  /// All of them, in order.
  const std::vector<Recommendation>& recommendations() const { return m_recommendations; }

  /// Points among which the run's end is to be selected by replications of their own, in the place of those before.
  void consider(std::vector<std::vector<double>> points) { m_candidates = std::move(points); }
  /// They; none where the solver names none.
  const std::vector<std::vector<double>>& candidates() const { return m_candidates; }

  /// Hands the samples that the solver waits for to who runs it.
  std::vector<Sample> take_wanted() { return std::move(m_wanted); }
  /// Gives it their means, before it is resumed.
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

/// A solver at work: the coroutine itself. Its first samples are those that it asks for once it is resumed.
class Search {
 public:
  /// What the language asks of a coroutine.
  struct promise_type {
    /// The solver.
    Search get_return_object() { return Search(std::coroutine_handle<promise_type>::from_promise(*this)); }
    /// It does nothing before it is resumed,
    std::suspend_always initial_suspend() const noexcept { return {}; }
    /// and stays where it ended, until it is destroyed.
    std::suspend_always final_suspend() const noexcept { return {}; }
    /// It has no result but its recommendations.
    void return_void() const {}
    /// Keeps what it throws for resume.
    void unhandled_exception() { failure = std::current_exception(); }

    std::exception_ptr failure;  ///< what it threw
  };

  /// Takes the coroutine over.
  Search(Search&& other) noexcept : m_handle(std::exchange(other.m_handle, {})) {}
  /// The same.
  Search& operator=(Search&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    return *this;
  }
  ~Search() {
    if (m_handle) m_handle.destroy();
  }

  /// Lets the solver go on until it wants samples or ends. Throws what it threw. Whether it wants samples.
  bool resume() {
    m_handle.resume();
    if (m_handle.promise().failure) std::rethrow_exception(m_handle.promise().failure);
    return !m_handle.done();
  }

 private:
  explicit Search(std::coroutine_handle<promise_type> handle) : m_handle(handle) {}

  std::coroutine_handle<promise_type> m_handle;
};

/// Starts a solver on a run, which must outlive it.
using Solver = std::function<Search(SearchRun& run)>;

/// Throws std::invalid_argument where the problem of `run` has constraints on means, which a solver that looks at the
/// objective alone would ignore.
void refuse_constraints_on_means(const SearchRun& run);

}  // namespace sporos
