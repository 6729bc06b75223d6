// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sporos {

/// A problem whose points are drawn from distributions of one's own.
class DrawnProblem final : public ProblemOverProblem {
 public:
  /// Of `problem`, which must outlive it, with drawn_by() as given. @throws std::invalid_argument for more functions
  /// than coordinates.
  DrawnProblem(SampledProblem& problem, std::vector<QuantileFunction> drawn_by);

  std::span<const QuantileFunction> drawn_by() const override { return m_drawn_by; }

 private:
  std::vector<QuantileFunction> m_drawn_by;
};

/// Whether points can be drawn: each coordinate has finite bounds or a distribution of its own.
bool can_be_drawn(const SampledProblem& problem);

namespace impl {

/// Throws std::invalid_argument, naming who needs them, where a bound is infinite.
void check_finite_bounds(const SearchRun& run, std::string_view who);

/// Throws std::invalid_argument, naming who draws, where points cannot be drawn.
void check_can_be_drawn(const SearchRun& run, std::string_view who);

/// A point drawn at random, within the region: each coordinate from its distribution or uniformly within its bounds,
/// rounded where it takes whole numbers alone; within bounds these are equally likely.
std::vector<double> drawn_point(const SearchRun& run, DecisionEngine& engine);

/// So many points drawn likewise, spread over the region as a Latin hypercube: each coordinate has one value in each of
/// as many equally likely parts of its distribution (McKay, Beckman, Conover 1979).
std::vector<std::vector<double>> spread_points(const SearchRun& run, std::int64_t count, DecisionEngine& engine);

}  // namespace impl

}  // namespace sporos
