// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/finance/normal_returns.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace sporos::models {

/// Bounds of each weight, and whether the sum of the weights is fixed.
struct PortfolioBounds {
  const std::vector<double>& low;   ///< lower bounds, one for each asset
  const std::vector<double>& high;  ///< upper bounds, one for each asset, none below `low`
  bool has_fixed_sum;               ///< whether Σw keeps the value it has at the start
};

namespace impl {

/// Coordinate descent on f(w) = ½ wᵀΣw − wᵀμ, on the host, with a dense Σ.
class PortfolioDescent {
 public:
  PortfolioDescent(const NormalReturns& returns, const PortfolioBounds& bounds, std::vector<double> start)
      : m_returns(returns), m_bounds(bounds), m_w(std::move(start)), m_covariance(m_w.size() * m_w.size()) {
    const std::size_t d = m_w.size();
    for (std::size_t i = 0; i < d; ++i) {
      m_covariance[i * d + i] = returns.deviations[i] * returns.deviations[i];
      for (std::size_t k = 0; k < returns.loadings.size(); k += d) {
        const double loading = returns.loadings[k + i];
        for (std::size_t j = 0; j < d; ++j) m_covariance[i * d + j] += loading * returns.loadings[k + j];
      }
      m_range += bounds.high[i] - bounds.low[i];
    }
    m_gradient = returns.gradient(m_w);
  }

  /// Takes steps until the duality gap is at most `tolerance`, or `max_steps` times. Returns the weights.
  std::vector<double> minimize(double tolerance, std::int64_t max_steps) {
    const auto d = static_cast<std::int64_t>(m_w.size());
    for (std::int64_t step = 0; step < max_steps; ++step) {
      // Removes accumulated rounding errors.
      if (step > 0 && step % (100 * d) == 0) m_gradient = m_returns.gradient(m_w);
      const double violation = m_bounds.has_fixed_sum ? move_pair() : move_one();
      if (violation * m_range <= tolerance) break;
    }
    return std::move(m_w);
  }

 private:
  bool can_rise(std::size_t i) const { return m_w[i] < m_bounds.high[i]; }
  bool can_fall(std::size_t i) const { return m_w[i] > m_bounds.low[i]; }
  double entry(std::size_t i, std::size_t j) const { return m_covariance[i * m_w.size() + j]; }

  // Returns by how much f falls along a line with this slope and curvature, up to `longest`, and the step that attains
  // it.
  static std::pair<double, double> best_step(double slope, double curvature, double longest) {
    const double step = curvature * longest > slope ? slope / curvature : longest;
    return {step * (slope - 0.5 * curvature * step), step};
  }

  // Moves a weight and updates the gradient. A weight that reaches a bound up to rounding is set to the bound exactly.
  void add(std::size_t i, double step) {
    const double w = m_w[i] + step;
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * (std::abs(m_w[i]) + std::abs(step));
    const double before = m_w[i];
    m_w[i] = w >= m_bounds.high[i] - rounding  ? m_bounds.high[i]
             : w <= m_bounds.low[i] + rounding ? m_bounds.low[i]
                                               : w;
    const double moved = m_w[i] - before;
    const double* const row = &m_covariance[i * m_w.size()];
    for (std::size_t j = 0; j < m_w.size(); ++j) m_gradient[j] += moved * row[j];
  }

  // Moves the weight that reduces f most. Returns the largest derivative inside the bounds before the move.
  double move_one() {
    double violation = 0, most = 0, step = 0;
    std::size_t best = 0;
    for (std::size_t i = 0; i < m_w.size(); ++i) {
      const bool rises = m_gradient[i] < 0;
      if (!(rises ? can_rise(i) : can_fall(i))) continue;
      const double slope = std::abs(m_gradient[i]);
      violation = std::max(violation, slope);
      const auto [fall, length] =
          best_step(slope, entry(i, i), rises ? m_bounds.high[i] - m_w[i] : m_w[i] - m_bounds.low[i]);
      if (!(fall > most)) continue;
      most = fall;
      best = i;
      step = rises ? length : -length;
    }
    if (most > 0) add(best, step);
    return most > 0 ? violation : 0;
  }

  // Moves weight to the asset with the smallest derivative, from the asset that then reduces f most (Fan, Chen and Lin
  // 2005, "Working set selection using second order information"). Returns the largest difference of derivatives before
  // the move.
  double move_pair() {
    const std::size_t d = m_w.size();
    std::size_t to = d;
    for (std::size_t i = 0; i < d; ++i) {
      if (can_rise(i) && (to == d || m_gradient[i] < m_gradient[to])) to = i;
    }
    if (to == d) return 0;
    double violation = 0, most = 0, step = 0;
    std::size_t from = d;
    for (std::size_t j = 0; j < d; ++j) {
      const double slope = m_gradient[j] - m_gradient[to];
      if (j == to || !(slope > 0) || !can_fall(j)) continue;
      violation = std::max(violation, slope);
      const double curvature = std::max(entry(to, to) + entry(j, j) - 2 * entry(to, j), 0.0);
      const auto [fall, length] =
          best_step(slope, curvature, std::min(m_bounds.high[to] - m_w[to], m_w[j] - m_bounds.low[j]));
      if (!(fall > most)) continue;
      most = fall;
      from = j;
      step = length;
    }
    if (from == d) return 0;
    add(to, step);
    add(from, -step);
    return violation;
  }

  const NormalReturns& m_returns;
  PortfolioBounds m_bounds;
  std::vector<double> m_w, m_gradient, m_covariance;
  double m_range = 0;
};

}  // namespace impl

/// Weights near the minimum of f(w) = ½ wᵀΣw − wᵀμ between bounds. Starts at `start`, which satisfies the bounds, and
/// moves one weight, or two whose sum is fixed, until the duality gap is at most `tolerance`. Stops early after some
/// seconds, so callers must check the gap. Stores d² numbers.
inline std::vector<double> bounded_portfolio(const NormalReturns& returns, const PortfolioBounds& bounds,
                                             std::vector<double> start, double tolerance) {
  constexpr std::int64_t max_operations = 2'000'000'000;
  const auto d = static_cast<std::int64_t>(start.size());
  return impl::PortfolioDescent(returns, bounds, std::move(start)).minimize(tolerance, max_operations / d);
}

}  // namespace sporos::models
