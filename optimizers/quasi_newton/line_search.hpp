// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/options.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace sporos {

/// A point of a line, with the value and slope of f.
struct LinePoint {
  double step = 0;       ///< Step α.
  double objective = 0;  ///< Value φ(α).
  double slope = 0;      ///< Slope φ'(α).
};

/// Minimizer of the cubic with the values and slopes of `a` and `b` (Nocedal and Wright 2006, (3.59)), or NaN.
inline double cubic_minimizer(const LinePoint& a, const LinePoint& b) {
  const double d1 = a.slope + b.slope - 3 * (a.objective - b.objective) / (a.step - b.step);
  const double d2 = std::copysign(std::sqrt(d1 * d1 - a.slope * b.slope), b.step - a.step);
  return b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
}

/// Finds a step that satisfies the strong Wolfe conditions φ(α) ≤ φ(0) + c₁ α φ'(0) and |φ'(α)| ≤ c₂ |φ'(0)|. It widens
/// and then narrows a bracket with cubic interpolation (Nocedal and Wright 2006, algorithms 3.5 and 3.6). Values that
/// differ by less than the rounding error of a long sum, 1e-12 of φ(0), count as equal, so that close to a minimum the
/// slopes decide. A point where φ is infinite or NaN counts as too far.
template <class Line>
class WolfeSearch {
 public:
  /// Searches along `line`, where `line(α)` returns the LinePoint at α, from the point at 0, whose slope is negative.
  WolfeSearch(Line& line, const LinePoint& start, const WolfeOptions& options)
      : m_line(line), m_start(start), m_options(options), m_rounding(1e-12 * std::abs(start.objective)) {}

  /// Returns the step; `first` is the first trial. The search ends early if the evaluations are used up or the bracket
  /// has shrunk to nothing. It then returns the lowest point found with sufficient decrease, or nothing. The returned
  /// point is always the last one that `line` evaluated.
  std::optional<LinePoint> operator()(double first);

  /// Number of evaluations so far.
  std::int64_t evaluations() const { return m_evaluations; }

 private:
  bool is_too_high(const LinePoint& point) const {
    const double bound = m_start.objective + m_options.decrease * point.step * m_start.slope + m_rounding;
    return !(point.objective <= bound) || !std::isfinite(point.slope);
  }
  bool is_good(const LinePoint& point) const {
    return !is_too_high(point) && std::abs(point.slope) <= -m_options.curvature * m_start.slope;
  }
  bool may_go_on() const { return m_evaluations < m_options.max_evaluations; }
  LinePoint at(double step) {
    ++m_evaluations;
    LinePoint point = m_line(step);
    point.step = step;
    return point;
  }
  std::optional<LinePoint> narrow(LinePoint low, LinePoint high);
  static double inside(const LinePoint& low, const LinePoint& high);

  Line& m_line;
  LinePoint m_start;
  WolfeOptions m_options;
  double m_rounding;
  std::int64_t m_evaluations = 0;
};

template <class Line>
std::optional<LinePoint> WolfeSearch<Line>::operator()(double first) {
  constexpr double min_growth = 2, largest_growth = 10;
  LinePoint before = m_start;
  for (double step = first; may_go_on();) {
    const LinePoint point = at(step);
    if (is_good(point)) return point;
    if (is_too_high(point) || point.objective > before.objective + m_rounding) return narrow(before, point);
    if (point.slope >= 0) return narrow(point, before);
    const double wanted = cubic_minimizer(before, point);
    before = point;
    step *= std::isfinite(wanted) ? std::clamp(wanted / step, min_growth, largest_growth) : largest_growth;
  }
  return before.step > 0 ? std::optional(before) : std::nullopt;
}

// Narrows the bracket; `low` has sufficient decrease and slopes down towards `high`.
template <class Line>
std::optional<LinePoint> WolfeSearch<Line>::narrow(LinePoint low, LinePoint high) {
  constexpr double narrowest = 1e-15;  // relative to the step
  bool is_last = false;                // whether `low` is the point that the line evaluated last
  while (may_go_on() && std::abs(high.step - low.step) > narrowest * std::max(low.step, high.step)) {
    const LinePoint point = at(inside(low, high));
    if (is_good(point)) return point;
    is_last = !is_too_high(point) && point.objective <= low.objective + m_rounding;
    if (!is_last) {
      high = point;
      continue;
    }
    if (point.slope * (high.step - low.step) >= 0) high = low;
    low = point;
  }
  if (low.step == 0) return {};
  return is_last ? low : at(low.step);
}

// Returns the cubic's minimizer, kept a tenth of the bracket away from its ends, or the middle if there is none.
template <class Line>
double WolfeSearch<Line>::inside(const LinePoint& low, const LinePoint& high) {
  constexpr double margin = 0.1;
  const double share = (cubic_minimizer(low, high) - low.step) / (high.step - low.step);
  return low.step + (std::isfinite(share) ? std::clamp(share, margin, 1 - margin) : 0.5) * (high.step - low.step);
}

}  // namespace sporos
