// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

/// The few calls on vectors that optimizers need. Sums are the same bits from run to run on one backend with one number
/// of threads. All runs on the instance that is given; calls that return a number wait for it, the others do not.
namespace sporos {

/// A vector of doubles where the kernels of `ExecutionSpace` can reach it.
template <class ExecutionSpace>
using Vector = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

/// The same, to be read only.
template <class ExecutionSpace>
using ConstVector = Kokkos::View<const double*, typename ExecutionSpace::memory_space>;

namespace impl {

// One iteration for each element of x.
template <class ExecutionSpace>
auto each_of(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  return Policy(space, 0, static_cast<std::int64_t>(x.extent(0)));
}

KOKKOS_INLINE_FUNCTION double magnitude(double x) { return x < 0 ? -x : x; }

}  // namespace impl

/// xᵀy.
template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "sporos::dot", impl::each_of<ExecutionSpace>(space, x),
      KOKKOS_LAMBDA(std::int64_t i, double& part) { part += x(i) * y(i); }, sum);
  return sum;
}

/// √(xᵀx).
template <class ExecutionSpace>
double norm(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return std::sqrt(dot(space, x, x));
}

/// Σ |x_i|.
template <class ExecutionSpace>
double sum_of_magnitudes(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "sporos::sum_of_magnitudes", impl::each_of<ExecutionSpace>(space, x),
      KOKKOS_LAMBDA(std::int64_t i, double& part) { part += impl::magnitude(x(i)); }, sum);
  return sum;
}

/// The largest |x_i|; 0 of no element.
template <class ExecutionSpace>
double largest_magnitude(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  double largest = 0;
  Kokkos::parallel_reduce(
      "sporos::largest_magnitude", impl::each_of<ExecutionSpace>(space, x),
      KOKKOS_LAMBDA(std::int64_t i, double& part) {
        if (impl::magnitude(x(i)) > part) part = impl::magnitude(x(i));
      },
      Kokkos::Max<double>(largest));
  return std::max(largest, 0.0);
}

/// y = a x + b y.
template <class ExecutionSpace>
void add_scaled(const ExecutionSpace& space, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y) {
  Kokkos::parallel_for(
      "sporos::add_scaled", impl::each_of<ExecutionSpace>(space, x),
      KOKKOS_LAMBDA(std::int64_t i) { y(i) = a * x(i) + b * y(i); });
}

/// out = x + a d, which may be the same vector as either.
template <class ExecutionSpace>
void set_moved(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, const ConstVector<ExecutionSpace>& x,
               double a, const ConstVector<ExecutionSpace>& d) {
  Kokkos::parallel_for(
      "sporos::set_moved", impl::each_of<ExecutionSpace>(space, out),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) + a * d(i); });
}

/// out = a x, which may be the same vector.
template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                const ConstVector<ExecutionSpace>& x) {
  Kokkos::parallel_for(
      "sporos::set_scaled", impl::each_of<ExecutionSpace>(space, out),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = a * x(i); });
}

}  // namespace sporos
