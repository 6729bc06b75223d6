// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>

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

template <class ExecutionSpace, class Reduce>
void over_elements(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const Reduce& reduce) {
  over_indices(space, static_cast<std::int64_t>(x.extent(0)), reduce);
}

// Of a host, of sums of few numbers that lie in its caches.
inline constexpr double nanoseconds_of_element = 0.3;

KOKKOS_INLINE_FUNCTION double magnitude(double x) { return x < 0 ? -x : x; }

}  // namespace impl

/// xᵀy.
template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y) {
  double sum = 0;
  const auto add = KOKKOS_LAMBDA(std::int64_t i, double& part) { part += x(i) * y(i); };
  impl::over_elements<ExecutionSpace>(
      space, x, [&](const auto& policy) { Kokkos::parallel_reduce("sporos::dot", policy, add, sum); });
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
  const auto add = KOKKOS_LAMBDA(std::int64_t i, double& part) { part += impl::magnitude(x(i)); };
  impl::over_elements<ExecutionSpace>(
      space, x, [&](const auto& policy) { Kokkos::parallel_reduce("sporos::sum_of_magnitudes", policy, add, sum); });
  return sum;
}

/// The largest |x_i|; 0 of no element.
template <class ExecutionSpace>
double largest_magnitude(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  double largest = 0;
  const auto raise = KOKKOS_LAMBDA(std::int64_t i, double& part) {
    if (impl::magnitude(x(i)) > part) part = impl::magnitude(x(i));
  };
  impl::over_elements<ExecutionSpace>(space, x, [&](const auto& policy) {
    Kokkos::parallel_reduce("sporos::largest_magnitude", policy, raise, Kokkos::Max<double>(largest));
  });
  return std::max(largest, 0.0);
}

/// y = a x + b y.
template <class ExecutionSpace>
void add_scaled(const ExecutionSpace& space, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y) {
  for_each_index(
      "sporos::add_scaled", space, static_cast<std::int64_t>(x.extent(0)), impl::nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) { y(i) = a * x(i) + b * y(i); });
}

/// out = x + a d, which may be the same vector as either.
template <class ExecutionSpace>
void set_moved(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, const ConstVector<ExecutionSpace>& x,
               double a, const ConstVector<ExecutionSpace>& d) {
  for_each_index(
      "sporos::set_moved", space, static_cast<std::int64_t>(out.extent(0)), impl::nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) + a * d(i); });
}

/// out = a x, which may be the same vector.
template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                const ConstVector<ExecutionSpace>& x) {
  for_each_index(
      "sporos::set_scaled", space, static_cast<std::int64_t>(out.extent(0)), impl::nanoseconds_of_element,
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = a * x(i); });
}

}  // namespace sporos
