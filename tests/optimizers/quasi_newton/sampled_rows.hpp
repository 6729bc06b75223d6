// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/uniform.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::test {

// The loss F(x; a, b) = loss(aᵀx, b) of rows (a, b) that replications draw, with a_j = scale_j z_j.
enum class Loss {
  squares,  // ½ (aᵀx − b)² with standard normal z and b = aᵀx* + deviation ε
  // log(1 + e^{aᵀx}) − b aᵀx with fair bits z; b = 1 if (a − ½)ᵀx* > 0, flipped with probability `deviation`.
  logistic
};

template <class Space>
using RowMatrix = Kokkos::View<double**, Kokkos::LayoutRight, typename Space::memory_space>;

KOKKOS_INLINE_FUNCTION double loss_value(Loss loss, double margin, double b) {
  if (loss == Loss::squares) return 0.5 * (margin - b) * (margin - b);
  const double size = margin < 0 ? -margin : margin;
  return (margin > 0 ? margin : 0.0) + math::log(1 + math::exp(-size)) - b * margin;
}
KOKKOS_INLINE_FUNCTION double chance_of(double margin) {
  const double small = math::exp(margin < 0 ? margin : -margin);
  return (margin < 0 ? small : 1.0) / (1 + small);
}
KOKKOS_INLINE_FUNCTION double loss_slope(Loss loss, double margin, double b) {
  return loss == Loss::squares ? margin - b : chance_of(margin) - b;
}
KOKKOS_INLINE_FUNCTION double loss_curvature(Loss loss, double margin) {
  return loss == Loss::squares ? 1.0 : chance_of(margin) * chance_of(-margin);
}

template <class Space>
void draw_rows(const Space& space, Loss loss, double deviation, const SampleRange& sample,
               const ConstVector<Space>& scale, const ConstVector<Space>& x, const RowMatrix<Space>& a,
               const Vector<Space>& b) {
  Kokkos::parallel_for(
      "test::draw_rows", Kokkos::RangePolicy<Space>(space, 0, sample.size), KOKKOS_LAMBDA(std::int64_t r) {
        const Stream stream{sample.seed, sample.first + static_cast<std::uint64_t>(r), 0};
        const std::int64_t d = scale.extent_int(0);
        double along = 0;
        Kokkos::Array<std::uint64_t, 2> words = {{0, 0}};
        for (std::int64_t j = 0; j < d; ++j) {
          if (loss == Loss::squares) {
            words = Philox4x32::block(stream, static_cast<std::uint64_t>(j));
            a(r, j) = scale(j) * math::normal_quantile_of_uniform(open_uniform(words[0]));
            along += a(r, j) * x(j);
          } else {
            if (j % 128 == 0) words = Philox4x32::block(stream, static_cast<std::uint64_t>(j));
            const std::uint64_t word = j % 128 < 64 ? words[0] : words[1];
            a(r, j) = (word >> (j % 64) & 1) != 0 ? scale(j) : 0.0;
            along += (a(r, j) - 0.5 * scale(j)) * x(j);
          }
        }
        words = Philox4x32::block(Stream{stream.seed, stream.replication, 1}, 0);
        if (loss == Loss::squares) {
          b(r) = along + deviation * math::normal_quantile_of_uniform(open_uniform(words[0]));
        } else {
          b(r) = (along > 0) != (open_uniform(words[0]) < deviation) ? 1.0 : 0.0;
        }
      });
}

template <class Space>
void multiply_rows(const Space& space, const RowMatrix<Space>& a, std::int64_t rows, const ConstVector<Space>& x,
                   const Vector<Space>& out) {
  Kokkos::parallel_for(
      "test::margins", Kokkos::RangePolicy<Space>(space, 0, rows), KOKKOS_LAMBDA(std::int64_t r) {
        double sum = 0;
        for (std::int64_t j = 0; j < x.extent_int(0); ++j) sum += a(r, j) * x(j);
        out(r) = sum;
      });
}

// Writes Σ_r a_rj v_r / rows to element j of `out`.
template <class Space>
void mean_of_rows(const Space& space, const RowMatrix<Space>& a, std::int64_t rows, const ConstVector<Space>& v,
                  const Vector<Space>& out) {
  Kokkos::parallel_for(
      "test::mean_of_rows", Kokkos::RangePolicy<Space>(space, 0, out.extent_int(0)), KOKKOS_LAMBDA(std::int64_t j) {
        double sum = 0;
        for (std::int64_t r = 0; r < rows; ++r) sum += a(r, j) * v(r);
        out(j) = sum / static_cast<double>(rows);
      });
}

// Sets v_r to the slope at margin_r, or multiplies v_r by the curvature there.
template <class Space>
void set_weights(const Space& space, Loss loss, std::int64_t rows, const ConstVector<Space>& margin,
                 const ConstVector<Space>& b, bool is_curvature, const Vector<Space>& v) {
  Kokkos::parallel_for(
      "test::weights", Kokkos::RangePolicy<Space>(space, 0, rows), KOKKOS_LAMBDA(std::int64_t r) {
        v(r) = is_curvature ? loss_curvature(loss, margin(r)) * v(r) : loss_slope(loss, margin(r), b(r));
      });
}

template <class Space>
double mean_loss(const Space& space, Loss loss, std::int64_t rows, const ConstVector<Space>& margin,
                 const ConstVector<Space>& b) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "test::mean_loss", Kokkos::RangePolicy<Space>(space, 0, rows),
      KOKKOS_LAMBDA(std::int64_t r, double& part) { part += loss_value(loss, margin(r), b(r)); }, sum);
  return sum / static_cast<double>(rows);
}

// The problem of minimizing E[F]. From gradient number `broken_from` on, the first coordinate of gradients is NaN.
template <class Space>
struct SampledRows {
  using execution_space = Space;

  SampledRows(Loss of, const std::vector<double>& scales, const std::vector<double>& best, double noise)
      : loss(of), scale(to_device<Space>(scales)), optimum(to_device<Space>(best)), deviation(noise) {}

  const Space& execution() const { return space; }
  std::int64_t dimension() const { return scale.extent_int(0); }
  void draw(const SampleRange& sample) {
    if (sample.size > b.extent_int(0)) {
      const auto size = static_cast<std::size_t>(sample.size);
      a = RowMatrix<Space>("test::a", size, scale.extent(0));
      b = Vector<Space>("test::b", size);
      margin = Vector<Space>("test::margin", size);
      weight = Vector<Space>("test::weight", size);
    }
    rows = sample.size;
    draw_rows<Space>(space, loss, deviation, sample, scale, optimum, a, b);
    drawn.push_back(sample);
  }
  double objective(const ConstVector<Space>& x) {
    multiply_rows<Space>(space, a, rows, x, margin);
    return mean_loss<Space>(space, loss, rows, margin, b);
  }
  void gradient(const ConstVector<Space>& x, const Vector<Space>& g) {
    multiply_rows<Space>(space, a, rows, x, margin);
    set_weights<Space>(space, loss, rows, margin, b, false, weight);
    mean_of_rows<Space>(space, a, rows, weight, g);
    if (++gradients > broken_from) Kokkos::deep_copy(Kokkos::subview(g, 0), std::nan(""));
  }
  void hessian_product(const ConstVector<Space>& x, const ConstVector<Space>& v, const Vector<Space>& out) {
    multiply_rows<Space>(space, a, rows, x, margin);
    multiply_rows<Space>(space, a, rows, v, weight);
    set_weights<Space>(space, loss, rows, margin, b, true, weight);
    mean_of_rows<Space>(space, a, rows, weight, out);
  }

  Space space;
  Loss loss;
  ConstVector<Space> scale, optimum;
  double deviation;
  RowMatrix<Space> a;
  Vector<Space> b, margin, weight;
  std::int64_t rows = 0;
  std::vector<SampleRange> drawn;
  std::int64_t gradients = 0;
  std::int64_t broken_from = 1'000'000'000;
};

}  // namespace sporos::test
