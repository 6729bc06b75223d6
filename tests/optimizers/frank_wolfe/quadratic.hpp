// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/uniform.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {

// Sets `noise` to the mean of standard normal variates over a sample, one for each coordinate and replication.
template <class Space>
void mean_noise(const Space& space, const SampleRange& sample, const Vector<Space>& noise) {
  Kokkos::parallel_for(
      "test::noise", Kokkos::RangePolicy<Space>(space, 0, noise.extent_int(0)), KOKKOS_LAMBDA(std::int64_t i) {
        double sum = 0;
        for (std::int64_t r = 0; r < sample.size; ++r) {
          const Stream stream{sample.seed, sample.first + static_cast<std::uint64_t>(r), 0};
          const auto words = Philox4x32::block(stream, static_cast<std::uint64_t>(i));
          sum += math::normal_quantile_of_uniform(open_uniform(words[0]));
        }
        noise(i) = sum / static_cast<double>(sample.size);
      });
}

// f(x) = ½ Σ q_i (x_i − c_i)² + σ ξᵀx, where ξ is standard normal.
template <class Space>
double quadratic_value(const Space& space, const ConstVector<Space>& q, const ConstVector<Space>& c,
                       const ConstVector<Space>& noise, double sigma, const ConstVector<Space>& x) {
  double value = 0;
  Kokkos::parallel_reduce(
      "test::value", Kokkos::RangePolicy<Space>(space, 0, x.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) {
        const double off = x(i) - c(i);
        sum += 0.5 * q(i) * off * off + sigma * noise(i) * x(i);
      },
      value);
  return value;
}

template <class Space>
void quadratic_gradient(const Space& space, const ConstVector<Space>& q, const ConstVector<Space>& c,
                        const ConstVector<Space>& noise, double sigma, const ConstVector<Space>& x,
                        const Vector<Space>& g) {
  Kokkos::parallel_for(
      "test::gradient", Kokkos::RangePolicy<Space>(space, 0, x.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i) { g(i) = q(i) * (x(i) - c(i)) + sigma * noise(i); });
}

template <class Space>
double quadratic_form(const Space& space, const ConstVector<Space>& q, const ConstVector<Space>& d) {
  double form = 0;
  Kokkos::parallel_reduce(
      "test::curvature", Kokkos::RangePolicy<Space>(space, 0, d.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) { sum += q(i) * d(i) * d(i); }, form);
  return form;
}

// Minimizes this quadratic. From gradient number `broken_from` on, the first coordinate of gradients is NaN.
template <class Space>
struct Quadratic {
  using execution_space = Space;

  Quadratic(const std::vector<double>& q, const std::vector<double>& c, double deviation = 0)
      : curvatures(to_device<Space>(q)),
        center(to_device<Space>(c)),
        noise("test::noise", q.size()),
        largest(*std::max_element(q.begin(), q.end())),
        sigma(deviation) {}

  const Space& execution() const { return space; }
  std::int64_t dimension() const { return center.extent_int(0); }
  void draw(const SampleRange& sample) {
    if (sigma > 0) mean_noise(space, sample, noise);
    drawn.push_back(sample);
  }
  double objective(const ConstVector<Space>& x) {
    return quadratic_value<Space>(space, curvatures, center, noise, sigma, x);
  }
  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) {
    quadratic_gradient<Space>(space, curvatures, center, noise, sigma, x, g);
    if (++gradients > broken_from) Kokkos::deep_copy(Kokkos::subview(g, 0), std::nan(""));
  }
  double curvature(const ConstVector<Space>& d) { return quadratic_form<Space>(space, curvatures, d); }
  double smoothness() const { return largest; }

  Space space;
  ConstVector<Space> curvatures, center;
  Vector<Space> noise;
  double largest, sigma;
  std::vector<SampleRange> drawn;
  std::int64_t gradients = 0;
  std::int64_t broken_from = 1'000'000'000;
};

inline double value_of(const std::vector<double>& q, const std::vector<double>& c, const std::vector<double>& x) {
  double value = 0;
  for (std::size_t i = 0; i < x.size(); ++i) value += 0.5 * q[i] * (x[i] - c[i]) * (x[i] - c[i]);
  return value;
}

// Minimizer of the quadratic over {w ≥ 0, Σw = 1}: w_i = max(0, c_i − λ / q_i), with λ found by bisection.
inline std::vector<double> minimizer_on_simplex(const std::vector<double>& q, const std::vector<double>& c) {
  double low = -1e6, high = 1e6;
  std::vector<double> x(q.size());
  for (int step = 0; step < 200; ++step) {
    const double lambda = 0.5 * (low + high);
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) sum += x[i] = std::max(0.0, c[i] - lambda / q[i]);
    (sum > 1 ? low : high) = lambda;
  }
  return x;
}

}  // namespace sporos::test
