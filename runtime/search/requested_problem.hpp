// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/search/options.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/optimizers/search/constrained_problem.hpp>
#include <sporos/optimizers/search/differenced_problem.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/objective.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sporos::runtime {

/// A problem whose samples are shared among processes. Each process simulates some of the samples of a call, and all
/// processes get all moments. The result is bitwise identical to that of a single process. Therefore all processes
/// perform the same search.
class SharedProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must be identical on all `processes`. Both must outlive this object.
  SharedProblem(SampledProblem& problem, Processes& processes) : ProblemOverProblem(problem), m_processes(processes) {}

  /// Simulates the samples, which must be identical on all processes. This call is collective. If one process fails,
  /// all throw (check_together).
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;

 private:
  Processes& m_processes;
};

/// The problem of a request. Wrappers of the model's simulated objective add what the request contains: tails of
/// responses, sharing among processes, constraints on decision variables, gradients by differences, distributions of
/// random points.
class RequestedProblem {
 public:
  /// A function that makes a problem which takes samples of another one elsewhere. The other problem outlives it.
  using Wrap = std::function<std::unique_ptr<SampledProblem>(SampledProblem&)>;

  /// Makes the problem on `backend`, which must have been started; `request` must outlive this object. `wrap`, if it is
  /// not empty, wraps the simulated problem. Throws std::invalid_argument if the model does not support the request.
  /// Collective if there are several processes.
  RequestedProblem(const SearchRequest& request, Objective objective, const Backend& backend, const Wrap& wrap = {});

  /// The problem whose samples are simulations, as passed to Wrap.
  SampledProblem& simulated() { return m_tails ? static_cast<SampledProblem&>(*m_tails) : *m_simulated; }

  /// The outermost problem.
  SampledProblem& problem() { return *m_problem; }
  /// The outermost problem.
  const SampledProblem& problem() const { return *m_problem; }
  /// The problem's tails of responses; null if there are none.
  TailProblem* tails() { return m_tails ? &*m_tails : nullptr; }
  /// Start of searches: a point of the feasible region, with thresholds of CVaR.
  std::vector<double> start() const;
  /// Number of replications at a point that constraints on probabilities require; 0 without such constraints. The
  /// bounded event, or its complement, happens in about ten of them: with fewer, steps that depend on observed
  /// violations end off the limit.
  std::int64_t default_sample() const { return m_default_sample; }

 private:
  void add_tails(const Objective& objective);
  void take_differences();
  void take_distributions();

  const SearchRequest& m_request;
  std::unique_ptr<SampledProblem> m_simulated;
  std::optional<TailProblem> m_tails;
  std::unique_ptr<SampledProblem> m_wrapped;
  std::optional<SharedProblem> m_shared;
  std::optional<ConstrainedProblem> m_constrained;
  std::optional<DifferencedProblem> m_differenced;
  std::optional<DrawnProblem> m_drawn;
  SampledProblem* m_problem = nullptr;  // the outermost of these
  std::int64_t m_default_sample = 0;
};

}  // namespace sporos::runtime
