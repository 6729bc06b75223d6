// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sporos {

/// Points at which a density is estimated.
struct DensityGrid {
  double low;          ///< first point, and lower end of the observed range
  double high;         ///< last point, and upper end of the observed range
  std::size_t points;  ///< number of equidistant points; at least 2
};

/// Estimate of a density at a point.
struct DensityEstimate {
  double point = 0;  ///< the point
  double value = 0;  ///< value of the density
  double lower = 0;  ///< lower end of its interval
  double upper = 0;  ///< upper end of its interval
};

namespace impl {

/// A kernel cut to a part of [−1, 1].
struct CutKernel {
  std::array<double, 4> coefficients;  ///< c_0 to c_3 of KernelDensity
  double roughness;                    ///< ∫ K_x²
};

}  // namespace impl

/// Density of independent observations on a grid, in memory proportional to the grid, as the mean of a kernel:
///
///     f(x) = 1/n Σ K_x((y − x) / h) / h,    K_x(t) = (1 − t²) (c_0 + c_1 t + c_2 t² + c_3 t³)  for |t| <= 1,
///
/// The coefficients make ∫ K_x = 1 and ∫ t^i K_x = 0 for i = 1, 2, 3 over a part of [−1, 1]. If observations reach at
/// least h beyond x in both directions, that part is [−1, 1], and observations beyond the grid are used. Otherwise the
/// kernel of a point near an end of the grid is cut there, and only observations within the grid are used. A density
/// that begins or ends at an end of the grid is therefore estimated there as accurately as elsewhere, with a wider
/// interval. The bandwidth h is 2.34 s n^(−1/5), which is best for a kernel of second order and normal observations
/// (Silverman: Density estimation, 1986, section 3.4). Here s is the smaller of the deviation and 0.741 times the
/// interquartile range of the first observations. With the kernel of fourth order the bias is then small compared with
/// the deviation, so that the interval covers the density itself: the robust correction of Calonico, Cattaneo and
/// Farrell (J. Am. Stat. Assoc. 113, 2018) with equal bandwidths. The density must have four derivatives between `low`
/// and `high`, and within h of them if observations go on there. Within h of a jump there the interval does not hold.
class KernelDensity {
 public:
  /// Expects `expected` observations, for which the bandwidth is chosen. Throws std::invalid_argument for an invalid
  /// grid or fewer than 2 observations.
  KernelDensity(const DensityGrid& grid, std::int64_t expected);

  /// Adds an observation.
  void add(double observation);

  /// Chooses the bandwidth from the observations so far, if there are fewer than expected.
  void finish();

  /// Bandwidth h; 0 before there are enough observations to choose it.
  double bandwidth() const { return m_bandwidth; }

  /// Reason why there is no density, such as observations that hardly vary; empty if there is one.
  std::string reason() const;

  /// Returns the density at each point, with intervals that hold simultaneously with this confidence (Bonferroni). Each
  /// interval covers both the normal interval and the score interval, in which f(x) ∫ K_x² / (n h) is the variance of
  /// the mean. The latter holds if few observations are near, and never has width 0.
  std::vector<DensityEstimate> estimates(double confidence) const;

  /// Maximum number of observations from which the bandwidth is chosen.
  static constexpr std::int64_t pilot_observations = 1000;

 private:
  struct Sums {
    double values = 0, squares = 0;  // sums of K_x / h
    void add(double kernel) { values += kernel, squares += kernel * kernel; }
  };

  double place(std::size_t point) const;
  bool is_cut(std::size_t point) const;
  double kernel_at(const impl::CutKernel& kernel, double t) const;
  void choose_bandwidth();
  void spread(double observation);

  DensityGrid m_grid;
  std::int64_t m_expected, m_count = 0;
  std::vector<double> m_pilot;  // observations until the bandwidth is chosen
  bool m_is_flat = false;       // the pilot has no spread
  double m_bandwidth = 0;
  double m_smallest = std::numeric_limits<double>::infinity(), m_largest = -m_smallest;  // range of the observations
  impl::CutKernel m_whole = {};
  std::vector<impl::CutKernel> m_kernels;  // kernel of each point, cut at the ends of the grid
  std::vector<Sums> m_cut_sums, m_sums;    // for each point, by m_kernels and by m_whole
};

}  // namespace sporos
