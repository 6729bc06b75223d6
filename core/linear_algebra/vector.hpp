// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>
#include <KokkosBlas1_nrm2.hpp>
#include <KokkosBlas1_scal.hpp>
#include <Kokkos_Core.hpp>

#include <cstdint>

/// The few calls on vectors that optimizers need, over Kokkos Kernels. Sums are the same bits from run to run on one
/// backend with one number of threads; calls that return a number wait for it, the others do not.
namespace sporos {

/// A vector of doubles where the kernels of `ExecutionSpace` can reach it.
template <class ExecutionSpace>
using Vector = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

/// The same, to be read only.
template <class ExecutionSpace>
using ConstVector = Kokkos::View<const double*, typename ExecutionSpace::memory_space>;

/// xᵀy.
template <class ExecutionSpace>
double dot(const ExecutionSpace&, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y) {
  return KokkosBlas::dot(x, y);
}

/// √(xᵀx).
template <class ExecutionSpace>
double norm(const ExecutionSpace&, const ConstVector<ExecutionSpace>& x) {
  return KokkosBlas::nrm2(x);
}

/// y = a x + b y.
template <class ExecutionSpace>
void add_scaled(const ExecutionSpace&, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y) {
  KokkosBlas::axpby(a, x, b, y);
}

/// x = a x.
template <class ExecutionSpace>
void scale(const ExecutionSpace&, double a, const Vector<ExecutionSpace>& x) {
  KokkosBlas::scal(x, a, x);
}

}  // namespace sporos
