// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices and vectors and many small systems by Kokkos Kernels, in turns with loops as Sporos' kernels
// have them, on every backend; small systems on the host alone, where Sporos has them. Results are compared before
// times.
#include "../harness/program.hpp"
#include "../replications/comparison.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

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
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::bench;

struct Setup {
  int rounds = 15;
  std::int64_t divisor = 1;  // of sizes: larger ones make small cases
  double tolerance = 1e-10;  // between the two results, of the largest entry
};

std::vector<double> random_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(generator);
  return values;
}

template <class View>
View on_device(const std::vector<typename View::non_const_value_type>& values, std::size_t rows, std::size_t columns) {
  const Kokkos::View<typename View::non_const_value_type*, typename View::memory_space> flat("values", values.size());
  Kokkos::deep_copy(
      flat, Kokkos::View<const typename View::non_const_value_type*, Kokkos::HostSpace>(values.data(), values.size()));
  if constexpr (View::rank == 1) return flat;
  const View matrix("matrix", rows, columns);
  Kokkos::deep_copy(
      Kokkos::View<typename View::non_const_value_type*, typename View::memory_space>(matrix.data(), values.size()),
      flat);
  return matrix;
}

template <class ExecutionSpace>
void check_near(const std::string& name, double tolerance, const Vector<ExecutionSpace>& theirs,
                const Vector<ExecutionSpace>& ours) {
  const auto one = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), theirs);
  const auto other = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ours);
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < one.extent(0); ++i) {
    apart = std::max(apart, std::abs(one(i) - other(i)));
    largest = std::max(largest, std::abs(other(i)));
  }
  if (apart <= tolerance * largest) return;
  throw std::runtime_error(
      fmt::format("{}: results are {:.2g} apart, expected {:.2g} at most", name, apart, tolerance * largest));
}

// Times of both sides.
template <class ExecutionSpace, class Theirs, class Ours>
void compare(benchmark::State& state, const Setup& setup, const Theirs& theirs, const Ours& ours) {
  const auto seconds = [](const auto& call) {
    const Kokkos::Timer timer;
    call();
    ExecutionSpace().fence();
    return timer.seconds();
  };
  const std::vector<Contestant> contestants = {{"theirs", [&] { return seconds(theirs); }},
                                               {"ours", [&] { return seconds(ours); }}};
  const Comparison comparison(contestants, {setup.rounds, 0});
  state.SetIterationTime(comparison.time(0, 0));
  state.counters["theirs_us"] = 1e6 * comparison.time(0, 0);
  state.counters["ours_us"] = 1e6 * comparison.time(1, 0);
  state.counters["ratio"] = comparison.time(0, 0) / comparison.time(1, 0);
}

// The same, once the two products, which the calls leave in the vectors beside them, are near each other.
template <class ExecutionSpace, class Theirs, class Ours>
void compare_products(benchmark::State& state, const Setup& setup, const std::string& name, const Theirs& theirs,
                      const Vector<ExecutionSpace>& of_theirs, const Ours& ours,
                      const Vector<ExecutionSpace>& of_ours) {
  theirs();
  ours();
  ExecutionSpace().fence();
  check_near<ExecutionSpace>(name, setup.tolerance, of_theirs, of_ours);
  compare<ExecutionSpace>(state, setup, theirs, ours);
}

// A row a host's thread, whose sums are as many as a vector register holds; a row a team of a device.
template <class ExecutionSpace>
struct DenseRows {
  RowMatrix<ExecutionSpace> a;
  Vector<ExecutionSpace> x, y;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    constexpr int width = 8;
    double sums[width] = {};
    const auto columns = static_cast<std::int64_t>(a.extent(1));
    const double* const values = &a(row, 0);
    std::int64_t j = 0;
    for (; j + width <= columns; j += width) {
      for (int lane = 0; lane < width; ++lane) sums[lane] += values[j + lane] * x(j + lane);
    }
    for (; j < columns; ++j) sums[0] += values[j] * x(j);
    for (int lane = 1; lane < width; ++lane) sums[0] += sums[lane];
    y(row) = sums[0];
  }

  template <class Member>
  KOKKOS_FUNCTION void of_team(const Member& member) const {
    const auto row = static_cast<std::int64_t>(member.league_rank());
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, static_cast<std::int64_t>(a.extent(1))),
        [&](std::int64_t j, double& part) { part += a(row, j) * x(j); }, sum);
    Kokkos::single(Kokkos::PerTeam(member), [&] { y(row) = sum; });
  }
};

template <class ExecutionSpace>
struct SparseRows {
  Kokkos::View<const int*, typename ExecutionSpace::memory_space> offsets, columns;
  Vector<ExecutionSpace> values, x, y;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    constexpr int width = 4;
    double sums[width] = {};
    int k = offsets(row);
    const int end = offsets(row + 1);
    for (; k + width <= end; k += width) {
      for (int lane = 0; lane < width; ++lane) sums[lane] += values(k + lane) * x(columns(k + lane));
    }
    for (; k < end; ++k) sums[0] += values(k) * x(columns(k));
    y(row) = sums[0] + sums[1] + (sums[2] + sums[3]);
  }

  template <class Member>
  KOKKOS_FUNCTION void of_team(const Member& member) const {
    const auto row = static_cast<std::int64_t>(member.league_rank());
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, offsets(row), offsets(row + 1)),
        [&](int k, double& part) { part += values(k) * x(columns(k)); }, sum);
    Kokkos::single(Kokkos::PerTeam(member), [&] { y(row) = sum; });
  }
};

template <class Rows>
struct TeamRows {
  Rows rows;
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    rows.of_team(member);
  }
};

template <class ExecutionSpace, class Rows>
void multiply(const Rows& rows, std::int64_t count, int team_size) {
  if constexpr (runs_on_host<ExecutionSpace>) {
    Kokkos::parallel_for("sporos::bench::rows",
                         Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, count), rows);
  } else {
    Kokkos::parallel_for("sporos::bench::rows", Kokkos::TeamPolicy<ExecutionSpace>(static_cast<int>(count), team_size),
                         TeamRows<Rows>{rows});
  }
}

template <class ExecutionSpace>
std::string name_of_case(const std::string& kind, std::int64_t rows, std::int64_t columns) {
  return fmt::format("kokkos_kernels/{}/{}x{}/{}", kind, rows, columns, backend_name<ExecutionSpace>());
}

template <class ExecutionSpace>
void run_dense(benchmark::State& state, const Setup& setup, const std::string& name, std::int64_t rows,
               std::int64_t columns) {
  const auto n = static_cast<std::size_t>(rows), m = static_cast<std::size_t>(columns);
  const auto a = on_device<RowMatrix<ExecutionSpace>>(random_values(n * m, 1), n, m);
  const auto x = on_device<Vector<ExecutionSpace>>(random_values(m, 2), m, 1);
  const Vector<ExecutionSpace> of_theirs("theirs", n), of_ours("ours", n);
  const auto theirs = [=] { KokkosBlas::gemv(ExecutionSpace(), "N", 1.0, a, x, 0.0, of_theirs); };
  const auto ours = [=] { multiply<ExecutionSpace>(DenseRows<ExecutionSpace>{a, x, of_ours}, rows, 512); };
  compare_products<ExecutionSpace>(state, setup, name, theirs, of_theirs, ours, of_ours);
}

template <class ExecutionSpace>
void add_dense(const Setup& setup, std::int64_t rows, std::int64_t columns) {
  const std::string name = name_of_case<ExecutionSpace>("dense", rows, columns / setup.divisor);
  register_comparison(name, benchmark::kMicrosecond, [=](benchmark::State& state) {
    run_dense<ExecutionSpace>(state, setup, name, rows, columns / setup.divisor);
  });
}

template <class ExecutionSpace>
void run_sparse(benchmark::State& state, const Setup& setup, const std::string& name, std::int64_t rows, int of_row,
                int columns) {
  const auto n = static_cast<std::size_t>(rows), entries = n * static_cast<std::size_t>(of_row);
  std::vector<int> offsets(n + 1), places(entries);
  std::mt19937_64 generator(3);
  for (std::size_t i = 0; i <= n; ++i) offsets[i] = static_cast<int>(i) * of_row;
  for (std::size_t i = 0; i < n; ++i) {
    const auto begin = places.begin() + offsets[i];
    for (int k = 0; k < of_row; ++k) begin[k] = static_cast<int>(generator() % static_cast<std::uint64_t>(columns));
    std::sort(begin, begin + of_row);
  }
  using Matrix = KokkosSparse::CrsMatrix<double, int, ExecutionSpace, void, int>;
  using Places = Kokkos::View<int*, typename ExecutionSpace::memory_space>;
  const auto values = on_device<Vector<ExecutionSpace>>(random_values(entries, 4), entries, 1);
  const auto x = on_device<Vector<ExecutionSpace>>(random_values(static_cast<std::size_t>(columns), 5), 1, 1);
  const auto offset_view = on_device<Places>(offsets, 1, 1), place_view = on_device<Places>(places, 1, 1);
  const Matrix matrix("matrix", static_cast<int>(rows), columns, static_cast<int>(entries), values, offset_view,
                      place_view);
  const Vector<ExecutionSpace> of_theirs("theirs", n), of_ours("ours", n);
  const auto theirs = [=] { KokkosSparse::spmv(ExecutionSpace(), "N", 1.0, matrix, x, 0.0, of_theirs); };
  const auto ours = [=] {
    multiply<ExecutionSpace>(SparseRows<ExecutionSpace>{offset_view, place_view, values, x, of_ours}, rows,
                             of_row > 100 ? 256 : 32);
  };
  compare_products<ExecutionSpace>(state, setup, name, theirs, of_theirs, ours, of_ours);
}

template <class ExecutionSpace>
void add_sparse(const Setup& setup, std::int64_t rows, int of_row, int columns) {
  rows /= setup.divisor;
  const std::string name = fmt::format("{}/{}_of_a_row", name_of_case<ExecutionSpace>("sparse", rows, columns), of_row);
  register_comparison(name, benchmark::kMicrosecond, [=](benchmark::State& state) {
    run_sparse<ExecutionSpace>(state, setup, name, rows, of_row, columns);
  });
}

// Inverses of positive definite matrices, one after the other: KokkosBatched's LU and triangular solves beside those of
// Boost.uBLAS, which inverse_of_definite calls.
void run_small_systems(benchmark::State& state, const Setup& setup, const std::string& name, std::size_t count,
                       int size) {
  using Matrices = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>;
  const auto n = static_cast<std::size_t>(size);
  const Matrices given("given", count, n, n), factors("factors", count, n, n), inverses("inverses", count, n, n);
  const std::vector<double> values = random_values(count * n * n, 6);
  std::vector<SquareMatrix> matrices(count, SquareMatrix(n));
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = i == j ? 1 : 0;
        for (std::size_t k = 0; k < n; ++k) sum += values[(c * n + i) * n + k] * values[(c * n + j) * n + k];
        given(c, i, j) = matrices[c](i, j) = sum;
      }
    }
  }
  const auto theirs = [=] {
    using namespace KokkosBatched;
    Kokkos::deep_copy(factors, given);
    for (std::size_t c = 0; c < count; ++c) {
      const auto a = Kokkos::subview(factors, c, Kokkos::ALL(), Kokkos::ALL());
      const auto b = Kokkos::subview(inverses, c, Kokkos::ALL(), Kokkos::ALL());
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) b(i, j) = i == j ? 1 : 0;
      }
      SerialLU<Algo::LU::Unblocked>::invoke(a);
      SerialTrsm<Side::Left, Uplo::Lower, Trans::NoTranspose, Diag::Unit, Algo::Trsm::Unblocked>::invoke(1.0, a, b);
      SerialTrsm<Side::Left, Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsm::Unblocked>::invoke(1.0, a, b);
    }
  };
  const auto found = std::make_shared<std::vector<SquareMatrix>>();
  const auto ours = [=] {
    found->clear();
    for (const SquareMatrix& matrix : matrices) found->push_back(inverse_of_definite(matrix).value());
  };
  theirs();
  ours();
  const Vector<Kokkos::Serial> one("one", count * n * n), other("other", count * n * n);
  for (std::size_t i = 0; i < one.extent(0); ++i) {
    one(i) = inverses.data()[i];
    other(i) = (*found)[i / (n * n)](i / n % n, i % n);
  }
  check_near<Kokkos::Serial>(name, setup.tolerance, one, other);
  compare<Kokkos::Serial>(state, setup, theirs, ours);
}

void add_small_systems(const Setup& setup, int size) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(10'000 / setup.divisor, 1));
  const std::string name = fmt::format("kokkos_kernels/{}_inverses/{}x{}/serial", count, size, size);
  register_comparison(name, benchmark::kMicrosecond,
                      [=](benchmark::State& state) { run_small_systems(state, setup, name, count, size); });
}

}  // namespace

int main(int argc, char** argv) {
  Setup setup;
  OptionParser app("Products and small systems by Kokkos Kernels and by loops; takes --benchmark_… options too.",
                   "bench_kokkos_kernels");
  app.add_option("--rounds", setup.rounds, "of both sides, of which the least time counts").positive();
  app.add_option("--divisor", setup.divisor, "of the sizes, for a quick look").positive();
  app.add_option("--tolerance", setup.tolerance, "between the two results, as a part of their largest entry")
      .non_negative();
  return run_benchmarks(app, argc, argv, [&] {
    for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace&) {
      for (const auto& [rows, columns] : {std::pair{26, 100'000}, {300, 1000}, {2000, 2000}}) {
        add_dense<ExecutionSpace>(setup, rows, columns);
      }
      add_sparse<ExecutionSpace>(setup, 300, 2500, 5000);   // a batch of features
      add_sparse<ExecutionSpace>(setup, 30'000, 10, 1000);  // data that are mostly zero
    });
    for (const int size : {3, 8, 20}) add_small_systems(setup, size);
  });
}
