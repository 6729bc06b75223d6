// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <vector>

/// Where searches stay.
namespace sporos {

/// An interval that a coordinate stays in; an end may be infinite.
struct DecisionRange {
  double low;               ///< least value
  double high;              ///< greatest value
  bool is_integer = false;  ///< whether the coordinate takes whole values alone
};

/// Σ wᵢ xᵢ ≤ total, or = total.
struct LinearConstraint {
  std::vector<double> weights;  ///< wᵢ of each coordinate; 0 for those that it does not hold
  double total;                 ///< on the right side
  bool is_equality = false;     ///< whether the sum is the total
};

/// Ranges of coordinates and linear constraints on real ones: a box, or a part of it. Not for long: it refers to both.
class SearchRegion {
 public:
  /// Of `ranges` and `constraints`.
  SearchRegion(std::span<const DecisionRange> ranges, std::span<const LinearConstraint> constraints)
      : m_ranges(ranges), m_constraints(constraints) {}

  /// The point nearest to x: Σ mᵢ (yᵢ − xᵢ)² is least, mᵢ > 0 being the metric, or 1 where that is empty. Whole numbers
  /// are rounded first. Exact, up to rounding: with one constraint by the breakpoints of the Lagrangian, with several
  /// by the dual method of active sets, for some tens of coordinates.
  std::vector<double> projected(std::vector<double> x, std::span<const double> metric = {}) const;

  /// A vertex at which Σ slopeᵢ yᵢ is least: coordinates without a constraint are at an end of their ranges; those with
  /// one get what its total allows in the order of slope by weight, and with several what a linear program says. The
  /// ranges are finite.
  std::vector<double> least(std::span<const double> slopes) const;

  /// A vertex at which Σ slopeᵢ yᵢ is greatest, of the smallest face on which x lies: what is at an end of its range
  /// stays there, and a total stays where it is reached.
  std::vector<double> greatest_on_face(std::span<const double> x, std::span<const double> slopes) const;

  /// The largest γ with which x + γ · move stays; infinite where nothing ends it.
  double longest_step(std::span<const double> x, std::span<const double> move) const;

  /// How far a Σ wᵢ xᵢ is from what it has to be, beyond rounding, at most; 0 where all hold.
  double violation(std::span<const double> x) const;

  /// The narrowest ranges that hold all of the region. Empty where the region is.
  std::vector<DecisionRange> tightened() const;

 private:
  std::span<const DecisionRange> m_ranges;
  std::span<const LinearConstraint> m_constraints;
};

}  // namespace sporos
