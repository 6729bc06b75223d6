// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Curves in comparisons of solvers, and functionals of them (Eckman, Henderson, Shashaani: Diagnostic tools for
/// evaluating and comparing simulation-optimization algorithms, INFORMS J. Computing 35, 2023).
namespace sporos {

/// A step function: constant from each of its places until just before the next.
class StepCurve {
 public:
  /// Has value y[i] from x[i] on; x ascends. Throws std::invalid_argument if there is no place, or not a value for
  /// each.
  StepCurve(std::vector<double> x, std::vector<double> y);

  /// Places at which the value may change.
  const std::vector<double>& x() const { return m_x; }
  /// Values at these places.
  const std::vector<double>& y() const { return m_y; }

  /// Value at `x`; NaN before the first place and after the last.
  double at(double x) const;

  /// First place at which the value is below `threshold`; infinite if there is none.
  double first_below(double threshold) const;

  /// Area from the first place to the last.
  double area() const;

 private:
  std::vector<double> m_x, m_y;
};

/// Mean of the curves at each place of any of them. All curves must begin and end at the same places.
StepCurve mean_of(std::span<const StepCurve> curves);

/// Quantile of the curves at each place of any of them, interpolated between order statistics (type 7 of Hyndman and
/// Fan, as in NumPy).
StepCurve quantile_of(std::span<const StepCurve> curves, double share);

/// Difference `first` − `second` at each place of either.
StepCurve difference_of(const StepCurve& first, const StepCurve& second);

/// Share of `times` that are at most x, for x from 0 to 1; times may be infinite.
StepCurve share_of_times(std::span<const double> times);

/// Smallest time that at least the share `share` of `times` does not exceed; may be infinite.
double quantile_of_times(std::vector<double> times, double share);

/// Step from 0 before `time` to 1 from there on, for x from 0 to 1; 0 everywhere if the time is greater than 1.
StepCurve jump_at(double time);

/// Quantile of numbers, with the interpolation of quantile_of.
double quantile_of_numbers(std::vector<double> numbers, double share);

}  // namespace sporos
