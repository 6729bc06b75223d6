// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations on vectors, by Kokkos Kernels, instantiated once for each backend of the Kokkos at hand: where their
// headers are used in place, they take g++ 12 four seconds more of each translation unit that optimizes. An installed
// Sporos has this source, and the user's own build compiles it.
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>

#include <KokkosKernels_config.h>
#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>
#include <KokkosBlas1_nrm1.hpp>
#include <KokkosBlas1_nrminf.hpp>
#include <KokkosBlas1_scal.hpp>
#include <KokkosBlas1_update.hpp>
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

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

template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y) {
  return impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) -> double {
    using Operand = impl::ConstKernelsVector<Space>;
    return KokkosBlas::dot(SPOROS_KERNELS_RUN_ON(on) Operand(x), Operand(y));
  });
}

// Not KokkosBlas::nrm2: OpenBLAS's takes several times as long, to save squares from overflow.
template <class ExecutionSpace>
double norm(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return std::sqrt(dot(space, x, x));
}

template <class ExecutionSpace>
double sum_of_magnitudes(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  return impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) -> double {
    return KokkosBlas::nrm1(SPOROS_KERNELS_RUN_ON(on) impl::ConstKernelsVector<Space>(x));
  });
}

template <class ExecutionSpace>
double largest_magnitude(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x) {
  if (x.size() == 0) return 0;
  return impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) -> double {
    return KokkosBlas::nrminf(SPOROS_KERNELS_RUN_ON(on) impl::ConstKernelsVector<Space>(x));
  });
}

template <class ExecutionSpace>
void add_scaled(const ExecutionSpace& space, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y) {
  impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) {
    KokkosBlas::axpby(SPOROS_KERNELS_RUN_ON(on) a, impl::ConstKernelsVector<Space>(x), b,
                      impl::KernelsVector<Space>(y));
  });
}

template <class ExecutionSpace>
void set_moved(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, const ConstVector<ExecutionSpace>& x,
               double a, const ConstVector<ExecutionSpace>& d) {
  impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) {
    using Operand = impl::ConstKernelsVector<Space>;
    KokkosBlas::update(SPOROS_KERNELS_RUN_ON(on) 1.0, Operand(x), a, Operand(d), 0.0, impl::KernelsVector<Space>(out));
  });
}

template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                const ConstVector<ExecutionSpace>& x) {
  impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) {
    KokkosBlas::scal(SPOROS_KERNELS_RUN_ON(on) impl::KernelsVector<Space>(out), a, impl::ConstKernelsVector<Space>(x));
  });
}

// All of them for one execution space.
#define SPOROS_INSTANTIATE_OPERATIONS(Space)                                                               \
  template double dot(const Space&, const ConstVector<Space>&, const ConstVector<Space>&);                 \
  template double norm(const Space&, const ConstVector<Space>&);                                           \
  template double sum_of_magnitudes(const Space&, const ConstVector<Space>&);                              \
  template double largest_magnitude(const Space&, const ConstVector<Space>&);                              \
  template void add_scaled(const Space&, double, const ConstVector<Space>&, double, const Vector<Space>&); \
  template void set_moved(const Space&, const Vector<Space>&, const ConstVector<Space>&, double,           \
                          const ConstVector<Space>&);                                                      \
  template void set_scaled(const Space&, const Vector<Space>&, double, const ConstVector<Space>&)

#ifdef KOKKOS_ENABLE_SERIAL
SPOROS_INSTANTIATE_OPERATIONS(Kokkos::Serial);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
SPOROS_INSTANTIATE_OPERATIONS(Kokkos::OpenMP);
#endif
#ifdef KOKKOS_ENABLE_THREADS
SPOROS_INSTANTIATE_OPERATIONS(Kokkos::Threads);
#endif
#ifdef KOKKOS_ENABLE_CUDA
SPOROS_INSTANTIATE_OPERATIONS(Kokkos::Cuda);
#endif
#ifdef KOKKOS_ENABLE_HIP
SPOROS_INSTANTIATE_OPERATIONS(Kokkos::HIP);
#endif

}  // namespace sporos
