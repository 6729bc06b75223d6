// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sporos::impl {

/// Operations on gradients in units of the coordinates' scales, max(1, |start|).
class ScaledGradients {
 public:
  /// Takes the scales from the start of a search.
  explicit ScaledGradients(const std::vector<double>& start) {
    for (const double coordinate : start) m_scales.push_back(std::max(1.0, std::abs(coordinate)));
  }

  /// Scale of a coordinate.
  double scale(std::size_t coordinate) const { return m_scales[coordinate]; }

  /// Scalar product of two gradients.
  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i] * m_scales[i] * m_scales[i];
    return sum;
  }

  /// Length of a gradient.
  double norm(const std::vector<double>& gradient) const { return std::sqrt(dot(gradient, gradient)); }

  /// Moves x along the negative gradient; `length` is the step for a gradient of length 1.
  void move(std::vector<double>& x, const std::vector<double>& gradient, double length) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= length * m_scales[i] * m_scales[i] * gradient[i];
  }

  /// Metric of projections in these units.
  std::vector<double> metric() const {
    std::vector<double> weights;
    for (const double scale : m_scales) weights.push_back(1 / (scale * scale));
    return weights;
  }

 private:
  std::vector<double> m_scales;
};

}  // namespace sporos::impl
