// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector operations and the matrix-vector product by Kokkos Kernels, instantiated once for each backend that Kokkos
// provides. Including the headers of Kokkos Kernels instead would cost g++ 12 four seconds more for each translation
// unit that uses optimizers. An installed Sporos contains this source file, and the user's build compiles it.
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>

#include <KokkosKernels_config.h>
#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>
#include <KokkosBlas1_nrm1.hpp>
#include <KokkosBlas1_nrminf.hpp>
#include <KokkosBlas1_scal.hpp>
#include <KokkosBlas1_update.hpp>
#include <KokkosBlas2_gemv.hpp>
#include <Kokkos_Core.hpp>

#if __has_include(<KokkosBlas2_serial_gemv.hpp>)
#include <KokkosBlas2_serial_gemv.hpp>
namespace sporos::impl {
namespace KernelsOfThreads = KokkosBlas;
}
#else  // before 4.0
#include <KokkosBatched_Gemv_Decl.hpp>
#include <KokkosBatched_Gemv_Serial_Impl.hpp>
namespace sporos::impl {
namespace KernelsOfThreads = KokkosBatched;
}
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Kokkos Kernels before 4.1 accepts no instance and runs on the default instance of a View's execution space. For
// hosts, this is sufficient.
#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40100
#define SPOROS_KERNELS_RUN_ON(space) space,
#else
#define SPOROS_KERNELS_RUN_ON(space)
#endif

namespace sporos {

namespace impl {

// Kokkos Kernels takes the execution space from a View's type. Unmanaged Views avoid the cost of reference counting.
template <class Space>
using KernelsVector =
    Kokkos::View<double*, Kokkos::Device<Space, typename Space::memory_space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Space>
using ConstKernelsVector = Kokkos::View<const double*, Kokkos::Device<Space, typename Space::memory_space>,
                                        Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// Calls compute(space) for `count` elements, on a host with Kokkos::Serial if its threads would cost more time than
// they save.
template <class ExecutionSpace, class Compute>
auto on_vectors(const ExecutionSpace& space, std::size_t count, const Compute& compute) {
  if constexpr (has_small_work_space<ExecutionSpace>) {
    if (is_few(static_cast<std::int64_t>(count))) return compute(small_work_space(space));
  }
  return compute(space);
}

// Sets y = a A x + b y for some rows of A. An index stands for `at_once` rows, which one thread computes.
template <class ExecutionSpace>
struct ProductOfRows {
  static constexpr std::size_t at_once = runs_on_host<ExecutionSpace> ? 64 : 1;

  double a;
  ConstMatrix<ExecutionSpace> matrix;
  ConstVector<ExecutionSpace> x;
  double b;
  Vector<ExecutionSpace> y;

  KOKKOS_FUNCTION void operator()(std::size_t index) const {
    using Kernel =
        KernelsOfThreads::SerialGemv<KernelsOfThreads::Trans::NoTranspose, KernelsOfThreads::Algo::Gemv::Blocked>;
    const std::size_t first = index * at_once, after = first + at_once, rows = matrix.extent(0);
    const Kokkos::pair<std::size_t, std::size_t> own(first, after < rows ? after : rows);
    Kernel::invoke(a, Kokkos::subview(matrix, own, Kokkos::ALL), x, b, Kokkos::subview(y, own));
  }
};

// Whether threads divide the rows of a matrix among themselves.
//
// Threads of a host do not call the BLAS. A BLAS that is built for one thread (docs/reference/dependencies.md) must not
// be called by several at once: OpenBLAS then gives all of them the same buffer, and the products are wrong.
//
// A thread of a device takes one row if there are many rows for the columns. On an H200, it takes 5.7 instead of 20.9
// µs for 10 000 × 25, and 44 instead of 8.2 for 1000 × 500.
template <class ExecutionSpace>
bool divides_rows(const ExecutionSpace& space, const ConstMatrix<ExecutionSpace>& matrix) {
  if constexpr (has_small_work_space<ExecutionSpace>) {
    return space.concurrency() > 1 && !is_few(static_cast<std::int64_t>(matrix.size()));
  } else {
    return !runs_on_host<ExecutionSpace> && matrix.extent(0) >= 64 * matrix.extent(1);
  }
}

// Sets y = a A x + b y. The matrix is passed as its transpose. For hosts, Kokkos Kernels 3.4 calls a BLAS only for
// matrices that are stored by columns. On devices, a product with a matrix that is not transposed adds by atomic
// operations, so that the last bits of two calls differ.
template <class Space, class ConstMatrixOf>
void add_whole_product([[maybe_unused]] const Space& space, double a, const ConstMatrixOf& matrix, const double* x,
                       double b, double* y) {
  constexpr bool by_rows = std::is_same_v<typename ConstMatrixOf::array_layout, Kokkos::LayoutRight>;
  using Transpose =
      Kokkos::View<const double**, std::conditional_t<by_rows, Kokkos::LayoutLeft, Kokkos::LayoutRight>,
                   Kokkos::Device<Space, typename Space::memory_space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const std::size_t rows = matrix.extent(0), columns = matrix.extent(1);
  if (rows == 0) return;
  KokkosBlas::gemv(SPOROS_KERNELS_RUN_ON(space) "T", a, Transpose(matrix.data(), columns, rows),
                   ConstKernelsVector<Space>(x, columns), b, KernelsVector<Space>(y, rows));
}

}  // namespace impl

template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y) {
  return impl::on_vectors(space, x.size(), [&]<class Space>([[maybe_unused]] const Space& on) -> double {
    using Operand = impl::ConstKernelsVector<Space>;
    return KokkosBlas::dot(SPOROS_KERNELS_RUN_ON(on) Operand(x), Operand(y));
  });
}

// KokkosBlas::nrm2 is not used: the one of OpenBLAS takes several times as long, because it prevents overflow of
// squares.
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

template <class ExecutionSpace>
void add_product(const ExecutionSpace& space, double a, const ConstMatrix<ExecutionSpace>& matrix,
                 const ConstVector<ExecutionSpace>& x, double b, const Vector<ExecutionSpace>& y) {
  if (impl::divides_rows(space, matrix)) {
    using Product = impl::ProductOfRows<ExecutionSpace>;
    const std::size_t count = (matrix.extent(0) + Product::at_once - 1) / Product::at_once;
    return Kokkos::parallel_for("sporos::linear_algebra::add_product",
                                Kokkos::RangePolicy<ExecutionSpace>(space, 0, count), Product{a, matrix, x, b, y});
  }
  impl::on_vectors(space, matrix.size(),
                   [&](const auto& on) { impl::add_whole_product(on, a, matrix, x.data(), b, y.data()); });
}

// Instantiates all operations for one execution space.
#define SPOROS_INSTANTIATE_OPERATIONS(Space)                                                                    \
  template double dot(const Space&, const ConstVector<Space>&, const ConstVector<Space>&);                      \
  template double norm(const Space&, const ConstVector<Space>&);                                                \
  template double sum_of_magnitudes(const Space&, const ConstVector<Space>&);                                   \
  template double largest_magnitude(const Space&, const ConstVector<Space>&);                                   \
  template void add_scaled(const Space&, double, const ConstVector<Space>&, double, const Vector<Space>&);      \
  template void set_moved(const Space&, const Vector<Space>&, const ConstVector<Space>&, double,                \
                          const ConstVector<Space>&);                                                           \
  template void set_scaled(const Space&, const Vector<Space>&, double, const ConstVector<Space>&);              \
  template void add_product(const Space&, double, const ConstMatrix<Space>&, const ConstVector<Space>&, double, \
                            const Vector<Space>&)

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
