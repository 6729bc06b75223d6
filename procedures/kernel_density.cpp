// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/kernel_density.hpp>

#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace sporos {

namespace {

using impl::CutKernel;

constexpr std::size_t terms = std::tuple_size_v<decltype(CutKernel::coefficients)>;

// The kernel cut to [from, to] of [−1, 1]: its moments are 1, 0, 0, 0.
CutKernel kernel_between(double from, double to) {
  const auto integral = [&](int power) { return (std::pow(to, power + 1) - std::pow(from, power + 1)) / (power + 1); };
  SquareMatrix moments(terms), products(terms);  // ∫ t^(i + j) (1 − t²), and the same with (1 − t²)²
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::size_t j = 0; j < terms; ++j) {
      const auto power = static_cast<int>(i + j);
      moments(i, j) = integral(power) - integral(power + 2);
      products(i, j) = moments(i, j) - integral(power + 2) + integral(power + 4);
    }
  }
  const auto inverse = inverse_of_definite(moments);
  CutKernel kernel{};
  for (std::size_t j = 0; inverse && j < terms; ++j) kernel.coefficients[j] = (*inverse)(j, 0);
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::size_t j = 0; j < terms; ++j) {
      kernel.roughness += kernel.coefficients[i] * products(i, j) * kernel.coefficients[j];
    }
  }
  return kernel;
}

// The smaller of the deviation and the deviation of normal observations with the same quartiles.
double spread_of(std::vector<double> sample) {
  Moments moments;
  for (const double value : sample) moments = combine(moments, {1, value, 0, 0});
  const auto quartile = [&](std::size_t place) {
    std::nth_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(place), sample.end());
    return sample[place];
  };
  constexpr double of_normal = 1 / 1.3489795003921634;  // 1 / (Φ⁻¹(3/4) − Φ⁻¹(1/4))
  const double range = quartile(3 * (sample.size() - 1) / 4) - quartile((sample.size() - 1) / 4);
  const double deviation = std::sqrt(moments.variance());
  return std::min(deviation, of_normal * range);
}

}  // namespace

KernelDensity::KernelDensity(const DensityGrid& grid, std::int64_t expected)
    : m_grid(grid), m_expected(expected), m_cut_sums(grid.points), m_sums(grid.points) {
  if (!(grid.low < grid.high) || !std::isfinite(grid.high - grid.low)) {
    throw std::invalid_argument("the grid of a density is from " + std::to_string(grid.low) + " to " +
                                std::to_string(grid.high) + ", expected finite ends, the lower one first");
  }
  if (grid.points < 2) {
    throw std::invalid_argument("the number of points is " + std::to_string(grid.points) + ", expected at least 2");
  }
  if (expected < 2) {
    throw std::invalid_argument("the number of observations is " + std::to_string(expected) + ", expected at least 2");
  }
}

double KernelDensity::place(std::size_t point) const {
  const double share = static_cast<double>(point) / static_cast<double>(m_grid.points - 1);
  return point + 1 == m_grid.points ? m_grid.high : m_grid.low + share * (m_grid.high - m_grid.low);
}

void KernelDensity::add(double observation) {
  ++m_count;
  m_smallest = std::min(m_smallest, observation);
  m_largest = std::max(m_largest, observation);
  if (m_is_flat) return;
  if (m_bandwidth > 0) return spread(observation);
  m_pilot.push_back(observation);
  if (m_count == std::min(m_expected, pilot_observations)) choose_bandwidth();
}

void KernelDensity::finish() {
  if (m_bandwidth > 0 || m_is_flat || m_count < 2) return;
  m_expected = m_count;
  choose_bandwidth();
}

void KernelDensity::choose_bandwidth() {
  const double spread_of_pilot = spread_of(m_pilot);
  m_is_flat = !(spread_of_pilot > 0) || !std::isfinite(spread_of_pilot);
  if (!m_is_flat) {
    // With at most half the grid, no kernel is cut on both sides.
    m_bandwidth = std::min(2.34 * spread_of_pilot * std::pow(static_cast<double>(m_expected), -0.2),
                           0.5 * (m_grid.high - m_grid.low));
    m_whole = kernel_between(-1, 1);
    for (std::size_t point = 0; point < m_grid.points; ++point) {
      m_kernels.push_back(kernel_between(std::max(-1.0, (m_grid.low - place(point)) / m_bandwidth),
                                         std::min(1.0, (m_grid.high - place(point)) / m_bandwidth)));
    }
    for (const double observation : m_pilot) spread(observation);
  }
  std::vector<double>().swap(m_pilot);
}

// Whether observations end before the whole kernel does. NaN observations do not change the range of observations.
bool KernelDensity::is_cut(std::size_t point) const {
  const double x = place(point), from = x - m_bandwidth, to = x + m_bandwidth;
  return (from < m_grid.low && m_smallest > from) || (to > m_grid.high && m_largest < to);
}

double KernelDensity::kernel_at(const CutKernel& kernel, double t) const {
  const auto& c = kernel.coefficients;
  return (1 - t * t) * (c[0] + t * (c[1] + t * (c[2] + t * c[3]))) / m_bandwidth;
}

void KernelDensity::spread(double observation) {
  if (!(observation >= m_grid.low - m_bandwidth && observation <= m_grid.high + m_bandwidth)) return;
  const bool is_inside = observation >= m_grid.low && observation <= m_grid.high;
  const double step = (m_grid.high - m_grid.low) / static_cast<double>(m_grid.points - 1);
  const double last = static_cast<double>(m_grid.points - 1);
  const auto begin = static_cast<std::size_t>(
      bounded_count(std::clamp(std::floor((observation - m_bandwidth - m_grid.low) / step), 0.0, last)));
  const auto end = static_cast<std::size_t>(
      bounded_count(std::clamp(std::ceil((observation + m_bandwidth - m_grid.low) / step), 0.0, last)));
  for (std::size_t point = begin; point <= end; ++point) {
    const double t = (observation - place(point)) / m_bandwidth;
    if (!(std::abs(t) < 1)) continue;
    m_sums[point].add(kernel_at(m_whole, t));
    if (is_inside) m_cut_sums[point].add(kernel_at(m_kernels[point], t));
  }
}

std::string KernelDensity::reason() const {
  if (m_is_flat) return "half of the first observations hardly differ";
  return m_bandwidth > 0 ? "" : "there are fewer than 2 observations";
}

std::vector<DensityEstimate> KernelDensity::estimates(double confidence) const {
  const double single = 1 - (1 - confidence) / static_cast<double>(m_grid.points);
  const double z = normal_z(single);
  const auto n = static_cast<double>(m_count);
  std::vector<DensityEstimate> list;
  for (std::size_t point = 0; point < m_grid.points; ++point) {
    const bool cut = is_cut(point);
    const Sums& sums = cut ? m_cut_sums[point] : m_sums[point];
    const double mean = sums.values / n;
    const double variance = std::max(0.0, sums.squares / n - mean * mean);
    const double width = z * std::sqrt(variance / (n - 1));
    const double unit =
        (cut ? m_kernels[point] : m_whole).roughness / (m_bandwidth * n);  // f times this is the variance of the mean
    const double value = std::max(0.0, mean), middle = value + 0.5 * z * z * unit;
    const double score = z * std::sqrt(value * unit + 0.25 * z * z * unit * unit);
    list.push_back({place(point), value, std::max(0.0, std::min(mean - width, middle - score)),
                    std::max(mean + width, middle + score)});
  }
  return list;
}

}  // namespace sporos
