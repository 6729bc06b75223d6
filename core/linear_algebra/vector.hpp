// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>
#include <KokkosBlas1_nrm1.hpp>
#include <KokkosBlas1_nrm2.hpp>
#include <KokkosBlas1_nrminf.hpp>
#include <KokkosBlas1_scal.hpp>
#include <Kokkos_Core.hpp>

#include <cstdint>

/// The few calls on vectors that optimizers need, over Kokkos Kernels. Sums are the same bits from run to run on one
/// backend with one number of threads. All runs on the instance that is given; calls that return a number wait for it,
/// the others do not.
namespace sporos {

/// A vector of doubles where the kernels of `ExecutionSpace` can reach it.
template <class ExecutionSpace>
using Vector = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

/// The same, to be read only.
template <class ExecutionSpace>
using ConstVector = Kokkos::View<const double*, typename ExecutionSpace::memory_space>;

namespace impl {

/// The same vector, of which Kokkos Kernels sees that `ExecutionSpace` works on it: a space that shares its memory with
/// others is not the one that they would choose.
template <class ExecutionSpace, class Element>
auto worked_on_by(const ExecutionSpace&, const Kokkos::View<Element*, typename ExecutionSpace::memory_space>& x) {
  using Device = Kokkos::Device<ExecutionSpace, typename ExecutionSpace::memory_space>;
  return Kokkos::View<Element*, Device, Kokkos::MemoryUnmanaged>(x.data(), x.extent(0));
}

}  // namespace impl

/// xᵀy.
template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y) {
  return impl::on_instance(space, [&](const auto&... instance) {
    return KokkosBlas::dot(instance..., impl::worked_on_by(space, x), impl::worked_on_by(space, y));
  });
}

/// √(xᵀx).
template <class ExecutionSpace>
double norm(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return impl::on_instance(
      space, [&](const auto&... instance) { return KokkosBlas::nrm2(instance..., impl::worked_on_by(space, x)); });
}

/// Σ |x_i|.
template <class ExecutionSpace>
double sum_of_magnitudes(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return impl::on_instance(
      space, [&](const auto&... instance) { return KokkosBlas::nrm1(instance..., impl::worked_on_by(space, x)); });
}

/// The largest |x_i|.
template <class ExecutionSpace>
double largest_magnitude(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return impl::on_instance(
      space, [&](const auto&... instance) { return KokkosBlas::nrminf(instance..., impl::worked_on_by(space, x)); });
}

/// y = a x + b y.
template <class ExecutionSpace>
void add_scaled(const ExecutionSpace& space, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y) {
  impl::on_instance(space, [&](const auto&... instance) {
    KokkosBlas::axpby(instance..., a, impl::worked_on_by(space, x), b, impl::worked_on_by(space, y));
  });
}

/// out = x + a d, which may be the same vector as either.
template <class ExecutionSpace>
void set_moved(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, const ConstVector<ExecutionSpace>& x,
               double a, const ConstVector<ExecutionSpace>& d) {
  Kokkos::parallel_for(
      "sporos::set_moved",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, out.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) + a * d(i); });
}

/// x = a x.
template <class ExecutionSpace>
void scale(const ExecutionSpace& space, double a, const Vector<ExecutionSpace>& x) {
  const auto scaled = impl::worked_on_by(space, x);
  impl::on_instance(space, [&](const auto&... instance) { KokkosBlas::scal(instance..., scaled, a, scaled); });
}

}  // namespace sporos
