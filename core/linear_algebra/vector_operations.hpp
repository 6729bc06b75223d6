// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <KokkosKernels_config.h>
#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>
#include <KokkosBlas1_nrm1.hpp>
#include <KokkosBlas1_nrminf.hpp>
#include <KokkosBlas1_scal.hpp>
#include <KokkosBlas1_update.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

/// Operations on vectors, by Kokkos Kernels. They run on the instance that is given; a host's calling thread processes
/// short vectors alone. Calls that return a number wait for it, the others do not. Numbers are the same bits from run
/// to run on one machine with one number of threads: a BLAS may add up in another order on another processor.

// Kokkos Kernels before 4.1 takes no instance, but runs on the default one of a View's space, which is enough for
// hosts.
#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40100
#define SPOROS_KERNELS_RUN_ON(space) space,
#else
#define SPOROS_KERNELS_RUN_ON(space)
#endif

namespace sporos {

namespace impl {

// Kokkos Kernels takes the execution space from a View's type, and unmanaged Views cost no count of references.
template <class Space>
using KernelsVector =
    Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Space>
using ConstKernelsVector = Kokkos::View<const double*, Kokkos::Device<Space, typename Space::memory_space>,
                                        Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// Calls compute(space) for `count` elements: with Kokkos::Serial where a host's threads would save less than they cost.
template <class ExecutionSpace, class Compute>
auto on_vectors(const ExecutionSpace& space, std::size_t count, const Compute& compute) {
  if constexpr (has_small_work_space<ExecutionSpace>) {
    if (is_few(static_cast<std::int64_t>(count))) return compute(small_work_space(space));
  }
  return compute(space);
}

}  // namespace impl

/// xᵀy.
template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y) {
  return impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) -> double {
    using Operand = impl::ConstKernelsVector<Space>;
    return KokkosBlas::dot(SPOROS_KERNELS_RUN_ON(on) Operand(x), Operand(y));
  });
}

/// √(xᵀx). Not KokkosBlas::nrm2: OpenBLAS's takes several times as long, to save squares from overflow.
template <class ExecutionSpace>
double norm(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return std::sqrt(dot(space, x, x));
}

/// Σ |x_i|.
template <class ExecutionSpace>
double sum_of_magnitudes(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) -> double {
    return KokkosBlas::nrm1(SPOROS_KERNELS_RUN_ON(on) impl::ConstKernelsVector<Space>(x));
  });
}

/// The largest |x_i|; 0 if there is no element.
template <class ExecutionSpace>
double largest_magnitude(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  if (x.size() == 0) return 0;
  return impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) -> double {
    return KokkosBlas::nrminf(SPOROS_KERNELS_RUN_ON(on) impl::ConstKernelsVector<Space>(x));
  });
}

/// y = a x + b y.
template <class ExecutionSpace>
void add_scaled(const ExecutionSpace& space, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y) {
  impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) {
    KokkosBlas::axpby(SPOROS_KERNELS_RUN_ON(on) a, impl::ConstKernelsVector<Space>(x), b,
                      impl::KernelsVector<Space>(y));
  });
}

/// out = x + a d, which may be the same vector as either.
template <class ExecutionSpace>
void set_moved(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, const ConstVector<ExecutionSpace>& x,
               double a, const ConstVector<ExecutionSpace>& d) {
  impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) {
    using Operand = impl::ConstKernelsVector<Space>;
    KokkosBlas::update(SPOROS_KERNELS_RUN_ON(on) 1.0, Operand(x), a, Operand(d), 0.0, impl::KernelsVector<Space>(out));
  });
}

/// out = a x, which may be the same vector.
template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                const ConstVector<ExecutionSpace>& x) {
  impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) {
    KokkosBlas::scal(SPOROS_KERNELS_RUN_ON(on) impl::KernelsVector<Space>(out), a, impl::ConstKernelsVector<Space>(x));
  });
}

}  // namespace sporos

#undef SPOROS_KERNELS_RUN_ON
