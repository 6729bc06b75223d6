// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sporos {

/// A problem whose points are drawn from given distributions.
class DrawnProblem final : public ProblemOverProblem {
 public:
  /// Wraps `problem`, which must outlive this object. `drawn_by` holds the quantile functions of the coordinates.
  /// @throws std::invalid_argument if there are more functions than coordinates.
  DrawnProblem(SampledProblem& problem, std::vector<QuantileFunction> drawn_by);

  std::span<const QuantileFunction> drawn_by() const override { return m_drawn_by; }

 private:
  std::vector<QuantileFunction> m_drawn_by;
};

/// Whether random points can be drawn. This requires finite bounds or a distribution for each coordinate, and no linear
/// constraints if there are integers.
bool can_be_drawn(const SampledProblem& problem);

namespace impl {

/// Throws std::invalid_argument, naming `who` as the caller that requires finite bounds, if a bound is infinite.
void check_finite_bounds(const SearchRun& run, std::string_view who);

/// Throws std::invalid_argument, naming `who` as the caller, if points cannot be drawn.
void check_can_be_drawn(const SearchRun& run, std::string_view who);

/// Draws `count` points of the region at random. Each coordinate comes from its distribution or is uniform within its
/// bounds. Integer coordinates are rounded; within bounds all integers are equally likely.
std::vector<std::vector<double>> drawn_points(const SearchRun& run, std::int64_t count, DecisionEngine& engine);

/// Draws `count` such points, spread over the region as a Latin hypercube: each coordinate has one value in each of
/// `count` equally likely parts of its distribution (McKay, Beckman, Conover 1979).
std::vector<std::vector<double>> spread_points(const SearchRun& run, std::int64_t count, DecisionEngine& engine);

}  // namespace impl

}  // namespace sporos
