// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Section 5 of Cheng (2014), Massively parallel programming in statistical optimization & simulation, expects that
// analyses with large matrices also gain from a GPU. It prints no sizes and no times. This program measures, on each
// backend of this build, a product of two n × n matrices and the solution of n linear equations, both by Kokkos
// Kernels.
//
// KokkosBlas::gemm computes the product. For one large system, Kokkos Kernels only calls LAPACK or MAGMA, if it was
// built with them. The program therefore factorizes the matrix in blocks with calls that every build has: TeamLU for
// the blocks on the diagonal, TeamTrsm for the blocks right of and below them, and gemm for the rest. There is no
// pivoting, so the matrix is diagonally dominant.
#include "../harness/kernels_run_on.hpp"
#include "../harness/option_parser.hpp"
#include "paper_000.hpp"
#include "program.hpp"

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/output_file.hpp>

#include <KokkosKernels_config.h>
#include <KokkosBatched_LU_Decl.hpp>
#include <KokkosBatched_LU_Team_Impl.hpp>
#include <KokkosBatched_Trsm_Decl.hpp>
#include <KokkosBatched_Trsm_Team_Impl.hpp>
#include <KokkosBlas3_gemm.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using io::Json;

struct Options {
  std::vector<std::int64_t> sizes{256, 1024};
  std::int64_t block = 32, repeats = 3;
  double tolerance = 1e-10;
  std::vector<std::string> backends, reports;
  std::string json;
};

/// Stored by columns, for which Kokkos Kernels calls a BLAS if it was built with one.
template <class ExecutionSpace>
using Columns =
    Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::Device<ExecutionSpace, typename ExecutionSpace::memory_space>>;
using HostColumns = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

HostColumns random_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed, double on_diagonal) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const HostColumns matrix("bench::matrix", static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  for (std::size_t j = 0; j < matrix.extent(1); ++j) {
    for (std::size_t i = 0; i < matrix.extent(0); ++i) matrix(i, j) = uniform(engine) + (i == j ? on_diagonal : 0);
  }
  return matrix;
}

template <class ExecutionSpace>
Columns<ExecutionSpace> copy_of(const HostColumns& matrix) {
  const Columns<ExecutionSpace> copy("bench::matrix", matrix.extent(0), matrix.extent(1));
  Kokkos::deep_copy(copy, matrix);
  return copy;
}

template <class ExecutionSpace>
HostColumns on_host(const Columns<ExecutionSpace>& matrix) {
  check_launches<ExecutionSpace>();
  const HostColumns copy("bench::matrix", matrix.extent(0), matrix.extent(1));
  Kokkos::deep_copy(copy, matrix);
  return copy;
}

/// Product of a matrix and a vector.
std::vector<double> times(const HostColumns& matrix, const std::vector<double>& x) {
  std::vector<double> y(matrix.extent(0), 0.0);
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += matrix(i, j) * x[j];
  }
  return y;
}

void check_near(const std::string& what, const std::vector<double>& found, const std::vector<double>& expected,
                double tolerance) {
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    apart = std::max(apart, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  if (apart <= tolerance * largest) return;
  throw std::runtime_error(
      fmt::format("{}: results are {:.2g} apart, expected {:.2g} at most", what, apart, tolerance * largest));
}

/// Rows or columns [first, past) of a matrix.
using Part = Kokkos::pair<std::size_t, std::size_t>;

/// Factorizes the block on the diagonal.
template <class ExecutionSpace>
struct DiagonalFactor {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  Columns<ExecutionSpace> matrix;
  Part own;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    using namespace KokkosBatched;
    TeamLU<Team, Algo::LU::Unblocked>::invoke(team, Kokkos::subview(matrix, own, own));
  }
};

/// Divides the blocks right of the diagonal by its lower factor, and the blocks below it by its upper factor. Each team
/// handles one block.
template <class ExecutionSpace>
struct PanelSolver {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  Columns<ExecutionSpace> matrix;
  Part own;
  std::size_t width, right;  // of a block; number of blocks right of the diagonal

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    using namespace KokkosBatched;
    const auto rank = static_cast<std::size_t>(team.league_rank());
    const auto diagonal = Kokkos::subview(matrix, own, own);
    if (rank < right) {
      const auto block = Kokkos::subview(matrix, own, part(rank, matrix.extent(1)));
      TeamTrsm<Team, Side::Left, Uplo::Lower, Trans::NoTranspose, Diag::Unit, Algo::Trsm::Unblocked>::invoke(
          team, 1.0, diagonal, block);
    } else {
      const auto block = Kokkos::subview(matrix, part(rank - right, matrix.extent(0)), own);
      TeamTrsm<Team, Side::Right, Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsm::Unblocked>::invoke(
          team, 1.0, diagonal, block);
    }
  }

  KOKKOS_FUNCTION Part part(std::size_t index, std::size_t size) const {
    const std::size_t first = own.second + index * width;
    return {first, first + width < size ? first + width : size};
  }
};

/// Divides the right-hand sides of the block's rows by its upper factor.
template <class ExecutionSpace>
struct BackSolver {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  Columns<ExecutionSpace> matrix;
  Part own, sides;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    using namespace KokkosBatched;
    TeamTrsm<Team, Side::Left, Uplo::Upper, Trans::NoTranspose, Diag::NonUnit, Algo::Trsm::Unblocked>::invoke(
        team, 1.0, Kokkos::subview(matrix, own, own), Kokkos::subview(matrix, own, sides));
  }
};

/// Subtracts the product of two parts of `matrix` from a third part.
template <class ExecutionSpace>
void subtract_product([[maybe_unused]] const ExecutionSpace& space, const Columns<ExecutionSpace>& matrix, Part rows,
                      Part inner, Part columns) {
  if (rows.first == rows.second || columns.first == columns.second) return;
  KokkosBlas::gemm(SPOROS_KERNELS_RUN_ON(space) "N", "N", -1.0, Kokkos::subview(matrix, rows, inner),
                   Kokkos::subview(matrix, inner, columns), 1.0, Kokkos::subview(matrix, rows, columns));
}

/// Solves linear equations. Column n of the n × (n + 1) matrix holds the right-hand side and receives the solution.
template <class ExecutionSpace>
void solve(const ExecutionSpace& space, const Columns<ExecutionSpace>& matrix, std::int64_t block) {
  const std::size_t n = matrix.extent(0), columns = matrix.extent(1), width = static_cast<std::size_t>(block);
  const auto blocks = [&](std::size_t count) { return (count + width - 1) / width; };
  for (std::size_t first = 0; first < n; first += width) {
    const Part own(first, std::min(first + width, n)), below(own.second, n), right(own.second, columns);
    Kokkos::parallel_for("bench::diagonal", team_policy(space, 1), DiagonalFactor<ExecutionSpace>{matrix, own});
    const std::size_t blocks_right = blocks(columns - own.second);
    const auto teams = static_cast<std::int64_t>(blocks_right + blocks(n - own.second));
    Kokkos::parallel_for("bench::panels", team_policy(space, teams),
                         PanelSolver<ExecutionSpace>{matrix, own, width, blocks_right});
    subtract_product(space, matrix, below, own, right);
  }
  const Part sides(n, columns);
  for (std::size_t k = blocks(n); k > 0; --k) {
    const Part own((k - 1) * width, std::min(k * width, n));
    Kokkos::parallel_for("bench::back", team_policy(space, 1), BackSolver<ExecutionSpace>{matrix, own, sides});
    subtract_product(space, matrix, {0, own.first}, own, sides);
  }
}

template <class ExecutionSpace>
double product_seconds(const ExecutionSpace& space, std::int64_t n, const Options& options) {
  const HostColumns a = random_matrix(n, n, 1, 0), b = random_matrix(n, n, 2, 0);
  const auto left = copy_of<ExecutionSpace>(a), right = copy_of<ExecutionSpace>(b);
  const Columns<ExecutionSpace> product("bench::product", a.extent(0), b.extent(1));
  const auto multiply = [&] {
    KokkosBlas::gemm(SPOROS_KERNELS_RUN_ON(space) "N", "N", 1.0, left, right, 0.0, product);
  };
  const double seconds = least_seconds(space, options.repeats, multiply);
  const std::vector<double> x(a.extent(0), 1.0);
  check_near(fmt::format("product of {}", n), times(on_host<ExecutionSpace>(product), x), times(a, times(b, x)),
             options.tolerance);
  return seconds;
}

template <class ExecutionSpace>
double solution_seconds(const ExecutionSpace& space, std::int64_t n, const Options& options) {
  const HostColumns equations = random_matrix(n, n + 1, 3, static_cast<double>(n));
  const auto given = copy_of<ExecutionSpace>(equations), work = copy_of<ExecutionSpace>(equations);
  double seconds = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < options.repeats; ++i) {
    Kokkos::deep_copy(work, given);
    seconds = std::min(seconds, least_seconds(space, 1, [&] { solve(space, work, options.block); }));
  }
  const HostColumns solved = on_host<ExecutionSpace>(work);
  std::vector<double> x, b;
  for (std::size_t i = 0; i < solved.extent(0); ++i) {
    x.push_back(solved(i, solved.extent(0)));
    b.push_back(equations(i, solved.extent(0)));
  }
  check_near(fmt::format("solution of {}", n), times(equations, x), b, options.tolerance);
  return seconds;
}

/// Which libraries gemm calls.
template <class ExecutionSpace>
std::string library_of() {
#ifdef KOKKOSKERNELS_ENABLE_TPL_CUBLAS
  if (!runs_on_host<ExecutionSpace>) return "cuBLAS";
#endif
#ifdef KOKKOSKERNELS_ENABLE_TPL_BLAS
  if (runs_on_host<ExecutionSpace>) return "BLAS";
#endif
  return "Kokkos Kernels";
}

template <class ExecutionSpace>
Json run_of(const ExecutionSpace& space, const Options& options) {
  Json results = Json::array();
  for (const std::int64_t n : options.sizes) {
    const double size = static_cast<double>(n);
    check_memory<Kokkos::HostSpace>({"matrices", n, "rows", 6 * 8 * size});
    check_memory<typename ExecutionSpace::memory_space>({"matrices", n, "rows", 3 * 8 * size});
    const double product = product_seconds(space, n, options), solution = solution_seconds(space, n, options);
    results.push_back({{"size", n},
                       {"product_seconds", product},
                       {"product_gflops", 2e-9 * size * size * size / product},
                       {"solution_seconds", solution},
                       {"solution_gflops", 2e-9 / 3 * size * size * size / solution}});
  }
  return {{"gemm", library_of<ExecutionSpace>()}, {"block", options.block}, {"results", results}};
}

/// Results of `size` in a run, or null.
Json result_of(const Json& run, const Json& size) {
  for (const Json& result : run.at("results")) {
    if (result.at("size") == size) return result;
  }
  return {};
}

void print_tables(const Json& runs) {
  io::Table table({{"n", Column::number},
                   {"on", Column::text},
                   {"gemm by", Column::text},
                   {"product, s", Column::number},
                   {"Gflop/s", Column::number},
                   {"ratio", Column::number},
                   {"solution, s", Column::number},
                   {"Gflop/s", Column::number},
                   {"ratio", Column::number}});
  for (const Json& run : runs) {
    for (const Json& result : run.at("results")) {
      const Json first = result_of(runs.front(), result.at("size"));
      const auto number = [&](const char* name) { return fmt::format("{:.3g}", result.at(name).get<double>()); };
      const auto ratio = [&](const char* name) {
        if (first.is_null() || &run == &runs.front()) return std::string();
        return fmt::format("{:.3g}", first.at(name).get<double>() / result.at(name).get<double>());
      };
      table.add_row({result.at("size").dump(), place_of(run), run.at("gemm").get<std::string>(),
                     number("product_seconds"), number("product_gflops"), ratio("product_seconds"),
                     number("solution_seconds"), number("solution_gflops"), ratio("solution_seconds")});
    }
  }
  fmt::print("{}", table.text());
}

void run(const Options& options) {
  std::optional<io::OutputFile> file;
  if (!options.json.empty()) file.emplace(options.json);
  Json runs = runs_of_files(options.reports);
  if (options.reports.empty()) {
    runs = runs_on(options.backends, [&](const auto& space) { return run_of(space, options); });
  }
  print_tables(runs);
  if (file) file->write(Json{{"runs", runs}}.dump(1) + '\n');
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("Paper 000: seconds of a product of matrices and of linear equations.", "paper_000_matrices");
  app.add_option("--sizes", options.sizes, "number of rows of the matrices").between(1, 30'000).separated_by_commas();
  app.add_option("--block", options.block, "rows of a block of the factorization").between(1, 1024);
  app.add_option("--tolerance", options.tolerance, "largest relative error of a result").non_negative();
  app.add_option("--repeats", options.repeats, "of which the fastest counts").positive();
  app.add_option("--backends", options.backends, "of this build, instead of all").separated_by_commas();
  app.add_option("--json", options.json, "file to write: all results");
  app.add_option("--with", options.reports, "such files, which make the table; nothing runs").separated_by_commas();
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(options); });
}
