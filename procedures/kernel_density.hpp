// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sporos {

/// Where a density is estimated.
struct DensityGrid {
  double low;          ///< first point, and the end of what is looked at
  double high;         ///< last point, likewise
  std::size_t points;  ///< equally far from each other; at least 2
};

/// A density at a point.
struct DensityEstimate {
  double point = 0;  ///< where
  double value = 0;  ///< of the density
  double lower = 0;  ///< lower end of its interval
  double upper = 0;  ///< upper end
};

namespace impl {

/// A kernel that is cut to a part of [−1, 1].
struct CutKernel {
  std::array<double, 4> coefficients;  ///< c_0 to c_3 of KernelDensity
  double roughness;                    ///< ∫ K_x²
};

}  // namespace impl

/// The density of independent observations on a grid, in memory for the grid, as the mean of a kernel:
///
///     f(x) = 1/n Σ K_x((y − x) / h) / h,    K_x(t) = (1 − t²) (c_0 + c_1 t + c_2 t² + c_3 t³)  for |t| <= 1,
///
/// whose coefficients make ∫ K_x = 1 and ∫ t^i K_x = 0 for i = 1, 2, 3 over a part of [−1, 1]. Where observations go on
/// at least h beyond x in both directions, that part is [−1, 1], and observations beyond the grid are used. Elsewhere
/// the kernel of a point near an end of the grid is cut there, and only observations within the grid are used: a
/// density that begins or ends at an end of the grid is estimated there as well as elsewhere, with a wider interval.
/// The bandwidth h is 2.34 s n^(−1/5), which is best for a kernel of second order and normal observations (Silverman:
/// Density estimation, 1986, section 3.4), with s the lesser of the deviation and 0.741 times the interquartile range
/// of the first observations. With the kernel of fourth order the bias is then small beside the deviation, and the
/// interval is about the density itself: the robust correction of Calonico, Cattaneo and Farrell (J. Am. Stat. Assoc.
/// 113, 2018) with equal bandwidths. It takes a density that has four derivatives between `low` and `high`, and within
/// h of them where observations go on; within h of a jump there it does not hold.
class KernelDensity {
 public:
  /// Of `expected` observations, after which the bandwidth is chosen. Throws std::invalid_argument for a grid that is
  /// none and fewer than 2 observations.
  KernelDensity(const DensityGrid& grid, std::int64_t expected);

  /// One more observation.
  void add(double observation);

  /// Makes do with the observations so far; fewer than were expected.
  void finish();

  /// h; 0 before there are enough observations to choose it.
  double bandwidth() const { return m_bandwidth; }

  /// Why there is no density: the observations hardly vary; empty where there is one.
  std::string lack() const;

  /// At each point, with intervals that hold for all points at once with that confidence (Bonferroni): of the normal
  /// interval and the score interval, in which f(x) ∫ K_x² / (n h) is the variance of the mean, what either covers. The
  /// latter holds where few observations are near, and is never without width.
  std::vector<DensityEstimate> estimates(double confidence) const;

  /// Observations from which the bandwidth is chosen, at most.
  static constexpr std::int64_t pilot_observations = 1000;

 private:
  struct Sums {
    double values = 0, squares = 0;  // of K_x / h
    void add(double kernel) { values += kernel, squares += kernel * kernel; }
  };

  double place(std::size_t point) const;
  bool is_cut(std::size_t point) const;
  double kernel_at(const impl::CutKernel& kernel, double t) const;
  void choose_bandwidth();
  void spread(double observation);

  DensityGrid m_grid;
  std::int64_t m_expected, m_count = 0;
  std::vector<double> m_pilot;  // until the bandwidth is chosen
  bool m_is_flat = false;       // the pilot has no spread
  double m_bandwidth = 0;
  double m_least = std::numeric_limits<double>::infinity(), m_greatest = -m_least;  // observations
  impl::CutKernel m_whole = {};
  std::vector<impl::CutKernel> m_kernels;  // of each point, cut at the ends of the grid
  std::vector<Sums> m_cut_sums, m_sums;    // of each point, by m_kernels and by m_whole
};

}  // namespace sporos
