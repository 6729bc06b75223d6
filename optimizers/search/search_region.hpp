// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <vector>

/// Regions of searches: bounds and linear constraints.
namespace sporos {

/// Range of a coordinate; an end may be infinite.
struct DecisionRange {
  double low;               ///< Lower bound.
  double high;              ///< Upper bound.
  bool is_integer = false;  ///< Whether the coordinate takes only integer values.
};

/// Linear constraint Σ wᵢ xᵢ ≤ total, or = total.
struct LinearConstraint {
  std::vector<double> weights;  ///< Weight wᵢ of each coordinate; 0 if the constraint does not involve it.
  double total;                 ///< Right-hand side.
  bool is_equality = false;     ///< Whether the constraint is an equality.
};

/// Ranges of coordinates and linear constraints on real ones: a box or a part of it. Holds references to both, so it
/// should be short-lived.
class SearchRegion {
 public:
  /// Refers to `ranges` and `constraints`.
  SearchRegion(std::span<const DecisionRange> ranges, std::span<const LinearConstraint> constraints)
      : m_ranges(ranges), m_constraints(constraints) {}

  /// Point y nearest to x, which minimizes Σ mᵢ (yᵢ − xᵢ)² for the metric mᵢ > 0, or 1 if `metric` is empty. Integer
  /// coordinates are rounded first. The result is exact, up to rounding. One constraint is solved by the breakpoints of
  /// the Lagrangian, several by the dual active-set method, suitable for some tens of coordinates.
  std::vector<double> projected(std::vector<double> x, std::span<const double> metric = {}) const;

  /// Vertex with the smallest Σ slopeᵢ yᵢ. Coordinates without a constraint are at an end of their ranges. One
  /// constraint distributes its total in the order of slope by weight; several are solved by a linear program. The
  /// ranges must be finite.
  std::vector<double> least(std::span<const double> slopes) const;

  /// Vertex with the largest Σ slopeᵢ yᵢ on the smallest face that contains x. Coordinates at an end of their range
  /// stay there, and active constraints stay active.
  std::vector<double> largest_on_face(std::span<const double> x, std::span<const double> slopes) const;

  /// Largest γ for which x + γ · move stays in the region; infinite if it is unlimited.
  double longest_step(std::span<const double> x, std::span<const double> move) const;

  /// Largest violation of a constraint Σ wᵢ xᵢ ≤ or = total, beyond rounding; 0 if all hold.
  double violation(std::span<const double> x) const;

  /// Tightest ranges that contain the region; they are empty if the region is.
  std::vector<DecisionRange> tightened() const;

 private:
  std::span<const DecisionRange> m_ranges;
  std::span<const LinearConstraint> m_constraints;
};

}  // namespace sporos
