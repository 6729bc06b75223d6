// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::test {

/// Smallest total effort with P(Xᵢ > 0.1) ≤ 0.05 at all five stages for the default shapes, computed by
/// ContaminationLevels with 400 atoms below 0.2.
inline constexpr std::array contamination_optimum{0.80387, 0.81542, 0.81737, 0.81787, 0.81800};
/// Lagrange multipliers there: effort saved per unit of each limit.
inline constexpr std::array contamination_multipliers{0.755, 0.734, 0.728, 0.734, 1.147};

/// Lower and upper bounds of the distribution of contamination, stage by stage. Rounding a level down (up) to an atom
/// gives lower (upper) bounds at all later stages, because each level increases with the level before it. Quadrature
/// over the restoration rate computes the transitions between atoms to about 1e-6.
class ContaminationLevels {
 public:
  /// Starts with the initial levels of these shapes, with `atoms` atoms below 0.2 and half as many above.
  ContaminationLevels(double initial, double growth, double restored, std::size_t atoms)
      : m_growth(growth), m_restored(restored) {
    const auto fine = static_cast<double>(atoms);
    for (std::size_t i = 0; i <= atoms; ++i) m_atoms.push_back(0.2 * static_cast<double>(i) / fine);
    for (std::size_t i = 1; i <= atoms / 2; ++i) m_atoms.push_back(0.2 + 0.8 * static_cast<double>(i) / (fine / 2));
    std::vector<double> below;
    for (const double x : m_atoms) below.push_back(1 - std::pow(1 - x, initial));
    set(below, below);
  }

  /// Advances the levels by one stage with effort u.
  void pass(double u) {
    std::vector<double> down(m_atoms.size()), up(m_atoms.size());
    for (std::size_t k = 0; k < m_atoms.size(); ++k) {
      if (m_down[k] + m_up[k] < 1e-15) continue;  // all such atoms together change no bound by more than 1e-12
      for (std::size_t i = 0; i < m_atoms.size(); ++i) {
        const double share = at_most(m_atoms[i], m_atoms[k], u);
        down[i] += m_down[k] * share;
        up[i] += m_up[k] * share;
      }
    }
    set(down, up);
  }

  struct Bounds {
    double low, high;
  };
  /// Bounds of P(X > t) for an atom t.
  Bounds above(double t) const {
    const auto place = std::lower_bound(m_atoms.begin(), m_atoms.end(), t - 1e-12) - m_atoms.begin();
    const auto i = static_cast<std::size_t>(place);
    return {1 - m_below_down[i], 1 - m_below_up[i]};
  }

 private:
  // Takes P(level ≤ atom) of the lower and of the upper levels, and rounds.
  void set(std::vector<double> down, std::vector<double> up) {
    m_down.assign(m_atoms.size(), 0);
    m_up = m_down;
    m_down[0] = down[0];
    m_up[0] = up[0];
    for (std::size_t i = 1; i < m_atoms.size(); ++i) {
      m_down[i - 1] += down[i] - down[i - 1];
      m_up[i] += up[i] - up[i - 1];
    }
    m_below_down = std::move(down);
    m_below_up = std::move(up);
  }

  // Returns P(next level ≤ y) given level x. The next level is C (1 − u)(1 − x) + (1 − R u) x.
  double at_most(double y, double x, double u) const {
    const double grown = (1 - u) * (1 - x), removed = u * x;
    const auto growth_at_most = [&](double c) { return c <= 0 ? 0 : c >= 1 ? 1 : 1 - std::pow(1 - c, m_growth); };
    const auto restored_above = [&](double r) { return r <= 0 ? 1 : r >= 1 ? 0 : std::pow(1 - r, m_restored); };
    if (removed == 0) return grown == 0 ? static_cast<double>(y >= x) : growth_at_most((y - x) / grown);
    if (grown == 0) return restored_above((x - y) / removed);
    // Integrates over v = P(R > r) where the growth rate C decides whether the next level is at most y.
    const double from = restored_above((x - y + grown) / removed), to = restored_above((x - y) / removed);
    if (to <= from) return from;
    const auto given = [&](double v) {
      return growth_at_most((y - x + removed * (1 - std::pow(v, 1 / m_restored))) / grown);
    };
    return from + boost::math::quadrature::gauss<double, 15>::integrate(given, from, to);
  }

  double m_growth, m_restored;
  std::vector<double> m_atoms, m_down, m_up;     // atoms; probabilities of the levels rounded down and up
  std::vector<double> m_below_down, m_below_up;  // P(level ≤ atom) before the last rounding
};

}  // namespace sporos::test
