// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Curves of comparisons of solvers, and functionals of them (Eckman, Henderson, Shashaani: Diagnostic tools for
/// evaluating and comparing simulation-optimization algorithms, INFORMS J. Computing 35, 2023).
namespace sporos {

/// A function that is constant from each of its places to before the next one.
class StepCurve {
 public:
  /// y[i] from x[i] on; x ascends. Throws std::invalid_argument where there is no place, or not a value for each.
  StepCurve(std::vector<double> x, std::vector<double> y);

  /// Its places.
  const std::vector<double>& x() const { return m_x; }
  /// Its values there.
  const std::vector<double>& y() const { return m_y; }

  /// The value at `x`; NaN before the first place and behind the last.
  double at(double x) const;

  /// The first place at which the value is below `threshold`; infinite where there is none.
  double first_below(double threshold) const;

  /// From the first place to the last.
  double area() const;

 private:
  std::vector<double> m_x, m_y;
};

/// The mean of the curves at each place of any of them. All begin and end at the same places.
StepCurve mean_of(std::span<const StepCurve> curves);

/// The quantile of the curves at each place of any of them, interpolated between order statistics (type 7 of Hyndman
/// and Fan, as NumPy's).
StepCurve quantile_of(std::span<const StepCurve> curves, double share);

/// `first` less `second` at each place of either.
StepCurve difference_of(const StepCurve& first, const StepCurve& second);

/// The share of `times` that are at most x, for x from 0 to 1; times may be infinite.
StepCurve share_of_times(std::span<const double> times);

/// The least time that a share of `times` of at least `share` does not exceed; may be infinite.
double quantile_of_times(std::vector<double> times, double share);

/// 0 before `time` and 1 from there on, for x from 0 to 1; 0 everywhere where the time is behind that.
StepCurve jump_at(double time);

/// The quantile of numbers, as quantile_of has it.
double quantile_of_numbers(std::vector<double> numbers, double share);

}  // namespace sporos
