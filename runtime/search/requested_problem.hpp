// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/search/shared_problem.hpp>

#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/optimizers/search/constrained_problem.hpp>
#include <sporos/optimizers/search/differenced_problem.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/objective.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sporos::runtime {

/// The problem that a request asks for: the model's simulated objective, with tails of responses, shared by processes,
/// within constraints on decisions, with gradients by differences and distributions of random points, as far as these
/// are asked for.
class RequestedProblem {
 public:
  /// On `backend`, which has been started; `request` must outlive it. Throws std::invalid_argument where the model does
  /// not have what is asked for. Where there are several processes: collective.
  RequestedProblem(const SearchRequest& request, Objective objective, const Backend& backend);

  /// The whole.
  SampledProblem& problem() { return *m_problem; }
  /// The same.
  const SampledProblem& problem() const { return *m_problem; }
  /// Its tails of responses; null without any.
  TailProblem* tails() { return m_tails ? &*m_tails : nullptr; }
  /// Where searches begin, in the region, with thresholds of CVaR.
  std::vector<double> start() const;
  /// Replications at a point that a constraint on a probability asks for, 0 without such: so many that what it bounds
  /// happens in ten of them, as by fewer, steps by what was seen to be violated end beside the limit.
  std::int64_t usual_sample() const { return m_usual_sample; }

 private:
  void add_tails(const Objective& objective);
  void take_differences();
  void take_distributions();

  const SearchRequest& m_request;
  std::unique_ptr<SampledProblem> m_simulated;
  std::optional<TailProblem> m_tails;
  std::optional<SharedProblem> m_shared;
  std::optional<ConstrainedProblem> m_constrained;
  std::optional<DifferencedProblem> m_differenced;
  std::optional<DrawnProblem> m_drawn;
  SampledProblem* m_problem = nullptr;  // the last of these
  std::int64_t m_usual_sample = 0;
};

}  // namespace sporos::runtime
