// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares kernels of the library with the closest calls of Kokkos Kernels, alternating between the two, on every
// backend, and prints one table. Results are compared before they are timed. The heading of the table says with which
// BLAS Kokkos Kernels was built, if any.
#include "../harness/kernels_run_on.hpp"
#include "../harness/option_parser.hpp"
#include "../replications/comparison.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/initialize.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/models/classification/column_sums.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/feature_products.hpp>
#include <sporos/models/classification/sparse_features.hpp>
#include <sporos/models/finance/portfolio_kernels.hpp>
#include <sporos/optimizers/nelder_mead/simplex_gradient.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>

#include <KokkosKernels_config.h>
#include <KokkosBatched_LU_Decl.hpp>
#include <KokkosBatched_LU_Serial_Impl.hpp>
#include <KokkosBatched_Trsm_Decl.hpp>
#include <KokkosBatched_Trsm_Serial_Impl.hpp>
#include <KokkosBlas2_gemv.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::bench;

struct Setup {
  int rounds = 15;
  std::int64_t divisor = 1;  // divides all sizes: larger values make smaller cases
  double tolerance = 1e-10;  // largest difference between the two results, relative to the largest entry
};

std::vector<double> random_values(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = uniform(generator);
  return values;
}

/// The cases on one backend. Kernels are functors and all members are public, because nvcc supports neither a lambda
/// within a lambda nor private types.
template <class Space>
struct Cases {
  explicit Cases(const Setup& setup) : m_setup(setup) {}

  void run() {
    for (const std::int64_t size : {1000, 100'000, 1'000'000}) add_dot(smaller(size));
    for (const std::int64_t n : {25, 100, 400}) {
      for (const std::int64_t d : {1000, 10'000, 100'000}) add_portfolio(smaller(d), n);
    }
    for (const std::int64_t d : {1000, 100'000}) {
      for (const std::int64_t pairs : {10, 50}) add_pairs(smaller(d), pairs);
    }
    for (const auto& [rows, columns] : {std::pair{300, 5000}, {30'000, 300}}) add_dense(smaller(rows), columns);
    add_sparse(smaller(300), 2500, 5000);  // like a batch of features
    add_sparse(smaller(30'000), 10, 1000);
    for (const int size : {2, 5, 20}) add_gradients(smaller(10'000), size);
    if constexpr (runs_on_host<Space>) {
      for (const int size : {3, 8, 20}) add_inverses(smaller(10'000), size);
    }
  }

  using Real = Vector<Space>;
  using Matrix = sporos::Matrix<Space>;
  using Square = Kokkos::View<double***, Kokkos::LayoutRight, typename Space::memory_space>;

  std::int64_t smaller(std::int64_t size) const { return std::max<std::int64_t>(size / m_setup.divisor, 2); }

  Real drawn(std::int64_t count, std::uint64_t seed) const {
    return to_device<Space>(m_space, random_values(count, seed));
  }
  Real zeros(std::int64_t count) const { return Real("bench::zeros", static_cast<std::size_t>(count)); }
  Matrix drawn_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) const {
    const Matrix matrix("bench::matrix", static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    const auto on_host = Kokkos::create_mirror_view(matrix);
    const auto values = random_values(rows * columns, seed);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) on_host(i, j) = values[static_cast<std::size_t>(i * columns + j)];
    }
    Kokkos::deep_copy(matrix, on_host);
    return matrix;
  }

  // The types of the Views determine where Kokkos Kernels runs.
  using Device = Kokkos::Device<Space, typename Space::memory_space>;
  using Given = Kokkos::View<const double*, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Found = Kokkos::View<double*, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Columns = Kokkos::View<const double**, Kokkos::LayoutLeft, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  // A matrix stored by rows is passed as its transpose, because Kokkos Kernels 3.4 calls the BLAS only for matrices
  // stored by columns.
  void gemv(bool transposes, double a, const double* numbers, std::size_t rows, std::size_t columns, bool by_rows,
            const Real& x, double b, const Real& y) const {
    const Columns matrix(numbers, by_rows ? columns : rows, by_rows ? rows : columns);
    KokkosBlas::gemv(SPOROS_KERNELS_RUN_ON(m_space) transposes == by_rows ? "N" : "T", a, matrix, Given(x), b,
                     Found(y));
  }
  void gemv(const char* mode, double a, const Matrix& matrix, const Real& x, double b, const Real& y) const {
    gemv(mode[0] == 'T', a, matrix.data(), matrix.extent(0), matrix.extent(1),
         std::is_same_v<typename Matrix::array_layout, Kokkos::LayoutRight>, x, b, y);
  }

  template <class Ours, class Theirs>
  void compare(const std::string& name, const Ours& ours, const Real& of_ours, const Theirs& theirs,
               const Real& of_theirs) {
    ours();
    theirs();
    m_space.fence();
    check_near(name, of_ours, of_theirs);
    const auto seconds = [&](const auto& call) {
      const Kokkos::Timer timer;
      call();
      m_space.fence();
      return timer.seconds();
    };
    const std::vector<Contestant> contestants = {{"ours", [&] { return seconds(ours); }},
                                                 {"theirs", [&] { return seconds(theirs); }}};
    const Comparison comparison(contestants, {m_setup.rounds, 0});
    const double of_us = 1e6 * comparison.time(0, 0), of_them = 1e6 * comparison.time(1, 0);
    std::cout << fmt::format("| {:<56} | {:<6} | {:>10.4g} | {:>14.4g} | {:>5.2f} |\n", name, backend_name<Space>(),
                             of_us, of_them, of_them / of_us)
              << std::flush;
  }

  void check_near(const std::string& name, const Real& of_ours, const Real& of_theirs) const {
    const auto one = to_host<Space>(m_space, of_ours), other = to_host<Space>(m_space, of_theirs);
    double apart = 0, largest = 0;
    for (std::size_t i = 0; i < other.size(); ++i) {
      apart = std::max(apart, std::abs(one[i] - other[i]));
      largest = std::max(largest, std::abs(other[i]));
    }
    if (apart <= m_setup.tolerance * largest) return;
    throw std::runtime_error(fmt::format("{} on {}: results are {:.2g} apart, expected {:.2g} at most", name,
                                         backend_name<Space>(), apart, m_setup.tolerance * largest));
  }

  struct Multiplier {
    Real x, y;
    KOKKOS_FUNCTION void operator()(std::int64_t i, double& part) const { part += x(i) * y(i); }
  };

  // The side "ours" is a plain reduction by Kokkos, which the library used before it used Kokkos Kernels.
  void add_dot(std::int64_t size) {
    const Real x = drawn(size, 1), y = drawn(size, 2), of_ours = zeros(1), of_theirs = zeros(1);
    const auto put = [&](const Real& place, double value) { Kokkos::deep_copy(place, value); };
    compare(
        fmt::format("dot of {}: a reduction; dot", size),
        [&] {
          double sum = 0;
          Kokkos::parallel_reduce("bench::dot", Kokkos::RangePolicy<Space>(m_space, 0, size), Multiplier{x, y}, sum);
          put(of_ours, sum);
        },
        of_ours, [&] { put(of_theirs, dot<Space>(m_space, x, y)); }, of_theirs);
  }

  void add_portfolio(std::int64_t d, std::int64_t n) {
    const Matrix sample = drawn_matrix(d, n, 3);
    const Real weights = drawn(d, 5), ours = zeros(n), theirs = zeros(n);
    const auto blocks = static_cast<std::size_t>(models::impl::BlockProjector<Space>::blocks(d));
    const models::impl::ProjectionParts<Space> parts("bench::parts", blocks, static_cast<std::size_t>(n));
    compare(
        fmt::format("returns, {} x {}: project_returns; gemv T", d, n),
        [&] { models::impl::project_returns<Space>(m_space, sample, weights, parts, ours); }, ours,
        [&] { gemv("T", 1, sample, weights, 0, theirs); }, theirs);
    // A tenth of the weights is nonzero, as in a portfolio after some steps towards vertices.
    const Real few = zeros(d);
    const auto on_host = random_values(d, 5);
    std::vector<double> sparse(on_host.size());
    for (std::size_t i = 0; i < sparse.size(); i += 10) sparse[i] = on_host[i];
    Kokkos::deep_copy(few, to_device<Space>(m_space, sparse));
    compare(
        "the same, a tenth of the weights",
        [&] { models::impl::project_returns<Space>(m_space, sample, few, parts, ours); }, ours,
        [&] { gemv("T", 1, sample, few, 0, theirs); }, theirs);
  }

  // Kokkos Kernels only multiplies [S Y] with two vectors and omits the work between the two products.
  void add_pairs(std::int64_t d, std::int64_t memory) {
    CorrectionPairOptions options;
    options.memory = memory;
    CorrectionPairs<Space> pairs(d, options);
    const auto s = random_values(d, 6);
    for (std::int64_t k = 0; k < memory; ++k) {
      auto moved = random_values(d, static_cast<std::uint64_t>(7 + k)), y = moved;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] *= 1.5 + s[i];
      pairs.add(m_space, to_device<Space>(m_space, moved), to_device<Space>(m_space, y));
    }
    const Matrix both = drawn_matrix(d, 2 * memory, 8);
    const Real g = drawn(d, 9), out = zeros(d), products = zeros(2 * memory), of_theirs = zeros(d);
    const double unknown = m_setup.tolerance;
    m_setup.tolerance = 1e300;  // the two sides compute different numbers
    compare(
        fmt::format("{} pairs of {}: CorrectionPairs::multiply; gemv T, N", memory, d),
        [&] { pairs.multiply(m_space, g, out); }, out,
        [&] {
          gemv("T", 1, both, g, 0, products);
          gemv("N", 1, both, products, 0, of_theirs);
        },
        of_theirs);
    m_setup.tolerance = unknown;
  }

  template <class Features>
  void margins(const Features& features, const Real& w, const Real& out) const {
    const double* const none = nullptr;
    models::for_each_margin(m_space, features, models::RowSelection{nullptr, features.rows()},
                            models::LinearPredictor{w.data(), none}, Keeper{out.data(), {}});
  }
  struct Keeper {
    double* out;
    struct {
      const std::int64_t* indices = nullptr;
    } labels;
    KOKKOS_FUNCTION void operator()(std::int64_t i, double margin) const { out[i] = margin; }
  };
  template <class Sums>
  struct SumWriter {
    Sums sums;
    double* out;
    KOKKOS_FUNCTION void operator()(std::int64_t j) const {
      models::SumStack<1> found;
      sums.add_up(j, 1, found);
      out[j] = found.sums[0][0];
    }
  };
  template <class Features>
  void sum_columns(const Features& features, models::ColumnSums<Space>& sums, const Real& factors,
                   const Real& out) const {
    const models::RowSelection rows{nullptr, features.rows()};
    sums.add_up(m_space, features, models::ColumnSums<Space>::parts_of(rows, features.columns(), single_process),
                factors.data());
    for_each_index("bench::sums", m_space, features.columns(), 1.0,
                   SumWriter<typename models::ColumnSums<Space>::Handle>{sums.handle(), out.data()});
  }

  template <class Features, class Multiply>
  void add_features(const std::string& size, const Features& features, const std::string& call,
                    const Multiply& multiply) {
    const std::int64_t rows = features.rows(), columns = features.columns();
    const Real w = drawn(columns, 10), r = drawn(rows, 11), of_rows = zeros(rows), of_columns = zeros(columns),
               rows_of_theirs = zeros(rows), columns_of_theirs = zeros(columns);
    compare(
        fmt::format("{}: for_each_margin; {} N", size, call), [&] { margins(features, w, of_rows); }, of_rows,
        [&] { multiply("N", w, rows_of_theirs); }, rows_of_theirs);
    models::ColumnSums<Space> sums;
    compare(
        fmt::format("{}: ColumnSums; {} T", size, call), [&] { sum_columns(features, sums, r, of_columns); },
        of_columns, [&] { multiply("T", r, columns_of_theirs); }, columns_of_theirs);
  }

  void add_dense(std::int64_t rows, std::int64_t columns) {
    const auto values = random_values(rows * columns, 12);
    const models::DenseFeatures<double, typename Space::memory_space> features(columns, values);
    add_features(fmt::format("features, {} x {}", rows, columns), features, "gemv",
                 [&](const char* mode, const Real& x, const Real& y) {
                   gemv(mode[0] == 'T', 1, features.handle().values, static_cast<std::size_t>(rows),
                        static_cast<std::size_t>(columns), true, x, 0, y);
                 });
  }

  void add_sparse(std::int64_t rows, int of_row, std::int64_t columns) {
    models::SparseRows host;
    host.columns = columns;
    std::mt19937_64 generator(13);
    std::vector<int> offsets = {0};
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t spread = columns / of_row;
      for (int k = 0; k < of_row; ++k) {
        const auto place = static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(spread));
        host.indices.push_back(static_cast<std::int32_t>(k * spread + place));
      }
      host.starts.push_back(static_cast<std::int64_t>(host.indices.size()));
      offsets.push_back(static_cast<int>(host.indices.size()));
    }
    host.values = random_values(host.starts.back(), 14);
    const models::SparseFeatures<typename Space::memory_space> features(host);
    using Sparse = KokkosSparse::CrsMatrix<double, int, Device, void, int>;
    const auto on_device = [](const auto& numbers) {
      using Number = typename std::decay_t<decltype(numbers)>::value_type;
      const Kokkos::View<Number*, Device> view("bench::numbers", numbers.size());
      Kokkos::deep_copy(view, Kokkos::View<const Number*, Kokkos::HostSpace>(numbers.data(), numbers.size()));
      return view;
    };
    const Sparse matrix("bench::sparse", static_cast<int>(rows), static_cast<int>(columns),
                        static_cast<int>(host.starts.back()), on_device(host.values), on_device(offsets),
                        on_device(host.indices));
    add_features(fmt::format("sparse features, {} x {}, {} a row", rows, columns, of_row), features, "spmv",
                 [&](const char* mode, const Real& x, const Real& y) {
                   KokkosSparse::spmv(SPOROS_KERNELS_RUN_ON(m_space) mode, 1.0, matrix, Given(x), 0.0, Found(y));
                 });
  }

  // Diagonally dominant systems with one right-hand side, because KokkosBatched does not pivot.
  Square drawn_systems(std::int64_t count, int size, int columns) const {
    const Square systems("bench::systems", static_cast<std::size_t>(count), static_cast<std::size_t>(size),
                         static_cast<std::size_t>(columns));
    const auto on_host = Kokkos::create_mirror_view(systems);
    const auto values = random_values(count * size * columns, 15);
    for (std::size_t k = 0; k < values.size(); ++k) on_host.data()[k] = values[k];
    for (std::size_t c = 0; c < on_host.extent(0); ++c) {
      for (std::size_t i = 0; i < on_host.extent(1); ++i) on_host(c, i, i) += 2 * size;
    }
    Kokkos::deep_copy(systems, on_host);
    return systems;
  }

  void add_gradients(std::int64_t count, int size) {
    const Square given = drawn_systems(count, size, size + 1),
                 work("bench::work", given.extent(0), given.extent(1), given.extent(2));
    const Real of_ours = zeros(count * size), of_theirs = zeros(count * size);
    const auto run = [&](const Real& out, const auto& solve) {
      Kokkos::deep_copy(m_space, work, given);
      using Solver = std::decay_t<decltype(solve)>;
      Kokkos::parallel_for("bench::solve", Kokkos::RangePolicy<Space>(m_space, 0, count),
                           SolvedSystems<Solver>{work, out, solve});
    };
    compare(
        fmt::format("{} systems of {}: LinearEquations; batched LU", count, size),
        [&] { run(of_ours, Eliminator{size}); }, of_ours, [&] { run(of_theirs, BatchedSolver{size}); }, of_theirs);
  }
  template <class Solver>
  struct SolvedSystems {
    Square systems;
    Real out;
    Solver solve;
    KOKKOS_FUNCTION void operator()(std::int64_t c) const {
      solve(systems, static_cast<int>(c));
      for (int i = 0; i < solve.size; ++i) out(c * solve.size + i) = systems(c, i, solve.size);
    }
  };
  struct Eliminator {
    int size;
    KOKKOS_FUNCTION void operator()(const Square& systems, int c) const {
      sporos::impl::LinearEquations{&systems(c, 0, 0), size, size + 1}.solve();
    }
  };
  struct BatchedSolver {
    int size;
    KOKKOS_FUNCTION void operator()(const Square& systems, int c) const {
      using namespace KokkosBatched;
      const auto a = Kokkos::subview(systems, c, Kokkos::ALL(), Kokkos::pair<int, int>(0, size));
      const auto b = Kokkos::subview(systems, c, Kokkos::ALL(), Kokkos::pair<int, int>(size, size + 1));
      SerialLU<Algo::LU::Unblocked>::invoke(a);
      SerialTrsm<Side::Left, Uplo::Lower, Trans::NoTranspose, Diag::Unit, Algo::Trsm::Unblocked>::invoke(1.0, a, b);
      SerialTrsm<Side::Left, Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsm::Unblocked>::invoke(1.0, a, b);
    }
  };

  // Compares batched inverses of Kokkos Kernels with those of Sporos. Both run on the calling thread, as the library
  // does.
  void add_inverses(std::int64_t count, int size) {
    const auto n = static_cast<std::size_t>(size);
    const Square given = drawn_systems(count, size, size);
    std::vector<SquareMatrix> matrices(given.extent(0), SquareMatrix(n));
    for (std::size_t c = 0; c < matrices.size(); ++c) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) given(c, i, j) = given(c, j, i);
        for (std::size_t j = 0; j <= i; ++j) matrices[c](i, j) = matrices[c](j, i) = given(c, i, j);
      }
    }
    const Real of_ours = zeros(count * size * size), of_theirs = zeros(count * size * size);
    const Square factors("bench::factors", given.extent(0), n, n);
    const Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        inverses(of_theirs.data(), given.extent(0), n, n);
    compare(
        fmt::format("{} inverses of {} x {}: inverse_of_definite; batched LU", count, size, size),
        [&] {
          for (std::size_t c = 0; c < matrices.size(); ++c) {
            const SquareMatrix inverse = inverse_of_definite(matrices[c]).value();
            std::copy(inverse.entries().begin(), inverse.entries().end(), of_ours.data() + c * n * n);
          }
        },
        of_ours,
        [&] {
          using namespace KokkosBatched;
          Kokkos::deep_copy(factors, given);
          for (std::size_t c = 0; c < given.extent(0); ++c) {
            const auto a = Kokkos::subview(factors, c, Kokkos::ALL(), Kokkos::ALL());
            const auto b = Kokkos::subview(inverses, c, Kokkos::ALL(), Kokkos::ALL());
            for (std::size_t i = 0; i < n; ++i) {
              for (std::size_t j = 0; j < n; ++j) b(i, j) = i == j ? 1 : 0;
            }
            SerialLU<Algo::LU::Unblocked>::invoke(a);
            SerialTrsm<Side::Left, Uplo::Lower, Trans::NoTranspose, Diag::Unit, Algo::Trsm::Unblocked>::invoke(1.0, a,
                                                                                                               b);
            SerialTrsm<Side::Left, Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsm::Unblocked>::invoke(1.0,
                                                                                                                  a, b);
          }
        },
        of_theirs);
  }

  Setup m_setup;
  Space m_space;
};

void print_head() {
#ifdef KOKKOSKERNELS_ENABLE_TPL_BLAS
  std::string blas = "with a BLAS on hosts";
#else
  std::string blas = "without a BLAS on hosts";
#endif
#ifdef KOKKOSKERNELS_ENABLE_TPL_CUBLAS
  blas += ", with cuBLAS";
#endif
#ifdef KOKKOSKERNELS_ENABLE_TPL_CUSPARSE
  blas += ", with cuSPARSE";
#endif
  std::cout << fmt::format("Kokkos {}.{}.{}, Kokkos Kernels {}, {} threads; µs, the least of all rounds\n\n",
                           KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100, blas,
                           Kokkos::DefaultHostExecutionSpace().concurrency())
            << fmt::format("| {:<56} | {:<6} | {:>10} | {:>14} | {:>5} |\n", "the library's; Kokkos Kernels'", "on",
                           "library's", "Kokkos Kernels", "ratio")
            << "|---|---|---|---|---|\n";
}

}  // namespace

int main(int argc, char** argv) {
  Setup setup;
  OptionParser app("Kernels of the library compared with calls of Kokkos Kernels.", "bench_kokkos_kernels");
  app.add_option("--rounds", setup.rounds, "of both sides, of which the least time counts").positive();
  app.add_option("--divisor", setup.divisor, "of the sizes, for a quick look").positive();
  app.add_option("--tolerance", setup.tolerance, "between the two results, as a part of their largest entry")
      .non_negative();
  if (const auto status = app.parse(argc, argv)) return *status;
  try {
    const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
    print_head();
    for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace&) { Cases<ExecutionSpace>(setup).run(); });
    return 0;
  } catch (const std::exception& error) {
    std::cerr << app.get_name() << ": " << error.what() << '\n';
    return 1;
  }
}
