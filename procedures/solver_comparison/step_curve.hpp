// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Curves in comparisons of solvers, and functionals of them (Eckman, Henderson, Shashaani: Diagnostic tools for
/// evaluating and comparing simulation-optimization algorithms, INFORMS J. Computing 35, 2023).
namespace sporos {

/// A step function, constant between consecutive jump points.
class StepCurve {
 public:
  /// Takes the value y[i] from x[i] until the next x; x ascends. Throws std::invalid_argument if `x` is empty or `y`
  /// has another size.
  StepCurve(std::vector<double> x, std::vector<double> y);

  /// Jump points, at which the value may change.
  const std::vector<double>& x() const { return m_x; }
  /// Values at the jump points.
  const std::vector<double>& y() const { return m_y; }

  /// Value at `x`; NaN before the first jump point and after the last.
  double at(double x) const;

  /// First jump point at which the value is below `threshold`; infinite if there is none.
  double first_below(double threshold) const;

  /// Area from the first jump point to the last.
  double area() const;

 private:
  std::vector<double> m_x, m_y;
};

/// Mean of the curves, at the jump points of all of them. All curves must begin and end at the same points.
StepCurve mean_of(std::span<const StepCurve> curves);

/// Quantile of the curves, at the jump points of all of them, interpolated between order statistics (type 7 of Hyndman
/// and Fan, as in NumPy).
StepCurve quantile_of(std::span<const StepCurve> curves, double share);

/// Difference `first` − `second`, at the jump points of both.
StepCurve difference_of(const StepCurve& first, const StepCurve& second);

/// Share of `times` that are at most x, for x from 0 to 1; times may be infinite.
StepCurve share_of_times(std::span<const double> times);

/// Smallest time that at least the share `share` of `times` does not exceed; may be infinite.
double quantile_of_times(std::vector<double> times, double share);

/// Step from 0 before `time` to 1 at and after it, for x from 0 to 1; 0 everywhere if the time is greater than 1.
StepCurve jump_at(double time);

/// Quantile of numbers, with the interpolation of quantile_of.
double quantile_of_numbers(std::vector<double> numbers, double share);

}  // namespace sporos
