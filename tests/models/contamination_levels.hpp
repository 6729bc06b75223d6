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

/// Efforts of least total with P(Xᵢ > 0.1) ≤ 0.05 at all five stages, shapes being usual, and what a unit of the
/// probabilities' limits is worth there: by contamination_levels with 400 atoms below 0.2.
inline constexpr std::array contamination_optimum{0.80387, 0.81542, 0.81737, 0.81787, 0.81800};
inline constexpr std::array contamination_multipliers{0.755, 0.734, 0.728, 0.734, 1.147};  ///< of them

/// Bounds of the distribution of contamination, stage by stage: a level that is rounded to atoms downwards, or upwards,
/// is rounded so at all later stages, as each level grows with the one before it. The atoms' transitions are by
/// quadrature over the rate of restoration, to some 1e-6.
class ContaminationLevels {
 public:
  /// At first, of these shapes, with `atoms` below 0.2 and half as many above.
  ContaminationLevels(double initial, double growth, double restored, std::size_t atoms)
      : m_growth(growth), m_restored(restored) {
    const auto fine = static_cast<double>(atoms);
    for (std::size_t i = 0; i <= atoms; ++i) m_atoms.push_back(0.2 * static_cast<double>(i) / fine);
    for (std::size_t i = 1; i <= atoms / 2; ++i) m_atoms.push_back(0.2 + 0.8 * static_cast<double>(i) / (fine / 2));
    std::vector<double> below;
    for (const double x : m_atoms) below.push_back(1 - std::pow(1 - x, initial));
    set(below, below);
  }

  /// Behind one more stage with effort u.
  void pass(double u) {
    std::vector<double> down(m_atoms.size()), up(m_atoms.size());
    for (std::size_t k = 0; k < m_atoms.size(); ++k) {
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
  /// Of P(X > t) for an atom t.
  Bounds above(double t) const {
    const auto place = std::lower_bound(m_atoms.begin(), m_atoms.end(), t - 1e-12) - m_atoms.begin();
    const auto i = static_cast<std::size_t>(place);
    return {1 - m_below_down[i], 1 - m_below_up[i]};
  }

 private:
  // Takes P(level ≤ atom) of levels from below and from above, and rounds.
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

  // P(next level ≤ y) from level x: C (1 − u)(1 − x) + (1 − R u) x.
  double at_most(double y, double x, double u) const {
    const double grown = (1 - u) * (1 - x), removed = u * x;
    const auto growth_at_most = [&](double c) { return c <= 0 ? 0 : c >= 1 ? 1 : 1 - std::pow(1 - c, m_growth); };
    const auto restored_above = [&](double r) { return r <= 0 ? 1 : r >= 1 ? 0 : std::pow(1 - r, m_restored); };
    if (removed == 0) return grown == 0 ? static_cast<double>(y >= x) : growth_at_most((y - x) / grown);
    if (grown == 0) return restored_above((x - y) / removed);
    // Over v = P(R > r), where the rate of growth decides.
    const double from = restored_above((x - y + grown) / removed), to = restored_above((x - y) / removed);
    if (to <= from) return from;
    const auto given = [&](double v) {
      return growth_at_most((y - x + removed * (1 - std::pow(v, 1 / m_restored))) / grown);
    };
    return from + boost::math::quadrature::gauss<double, 15>::integrate(given, from, to);
  }

  double m_growth, m_restored;
  std::vector<double> m_atoms, m_down, m_up;     // where; probabilities of atoms, rounded downwards and upwards
  std::vector<double> m_below_down, m_below_up;  // P(level ≤ atom) of what was rounded
};

}  // namespace sporos::test
