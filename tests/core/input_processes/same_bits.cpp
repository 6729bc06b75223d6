// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Input processes and phase-type variates in a kernel have known bits on every backend.
#include "harness/backends.hpp"

#include <sporos/core/distributions/phase_type.hpp>
#include <sporos/core/input_processes/arrivals.hpp>
#include <sporos/core/input_processes/brownian.hpp>
#include <sporos/core/input_processes/markov_arrivals.hpp>
#include <sporos/core/input_processes/norta.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace sporos::test {
namespace input_process_bits_tests {

// Uniforms from SplitMix64 (G. Steele, D. Lea, C. Flood, 2014, Fast splittable pseudorandom number generators), for
// kernels.
struct SplitMix {
  std::uint64_t state;
  KOKKOS_FUNCTION double operator()(int) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (static_cast<double>((z ^ z >> 31) >> 12) + 0.5) * 0x1p-52;
  }
};

constexpr int row_length = 10;

struct Processes {
  ArrivalRate rate;
  MarkovArrivals modulated;
  Norta<3> norta;
  BrownianBridge<4> bridge;
  PhaseTypeHandle phases;

  // Writes row `i`: a value of each process, from uniforms that depend on `i`.
  KOKKOS_FUNCTION void write(std::int64_t i, double* row) const {
    SplitMix inputs{static_cast<std::uint64_t>(i)};
    row[0] = next_arrival(inputs(0), rate, 0.1 * static_cast<double>(i));
    row[1] = next_thinned_arrival(inputs, 0, 1, rate, 8.0, 0.0, 1e3);
    row[2] = modulated.next(inputs, 0, 1, modulated.start(inputs(2))).time;
    const auto x = norta(inputs, 0);
    for (int k = 0; k < 3; ++k) row[3 + k] = x[k];
    const auto path = bridge(inputs, 0);
    for (int k = 0; k < 2; ++k) row[6 + k] = path[k];
    row[8] = phase_type(inputs(0), phases);
    row[9] = hyperexponential(inputs(0), 0.3, 0.2, 5.0);
  }
};

template <class Space>
struct WriteRows {
  Processes processes;
  Kokkos::View<double* [row_length], Kokkos::LayoutRight, typename Space::memory_space> rows;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { processes.write(i, &rows(i, 0)); }
};

template <class Space>
std::uint64_t digest() {
  using MemorySpace = typename Space::memory_space;
  const ArrivalRateTable<MemorySpace> rate(std::array{0.0, 1.0, 3.0, 3.0, 4.0}, std::array{0.0, 6.0, 2.0, 8.0, 8.0},
                                           true);
  SquareMatrix generator(2), correlations(3), chain(3);
  generator(0, 1) = 0.5;
  generator(1, 0) = 0.25;
  const MarkovArrivalsTable<MemorySpace> modulated(std::array{8.0, 1.0}, generator);
  const double r[3] = {0.5, -0.3, 0.2}, q[3][3] = {{-3, 1, 0.5}, {2, -4, 1}, {0, 10, -30}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      correlations(i, j) = i == j ? 1 : r[i + j - 1];
      chain(i, j) = q[i][j];
    }
  }
  const NortaTable<3, MemorySpace> norta({parse_distribution("beta(2, 0.75)"), parse_distribution("poisson(2.5)"),
                                          parse_distribution("discrete(1:0.2 2:0.5 5:0.3)")},
                                         correlations);
  const PhaseTypeTable<MemorySpace> phases(PhaseType{{0.2, 0.3, 0.5}, chain});

  constexpr std::int64_t n = 500;
  const Kokkos::View<double* [row_length], Kokkos::LayoutRight, MemorySpace> rows("sporos::test::rows", n);
  Kokkos::parallel_for(
      "sporos::test::input_processes", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      WriteRows<Space>{
          {rate.handle(), modulated.handle(), norta.handle(), BrownianBridge<4>({0.5, 1.0, 2.5, 3.0}), phases.handle()},
          rows});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a over words
  for (std::int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < row_length; ++k) hash = (hash ^ std::bit_cast<std::uint64_t>(host(i, k))) * 0x100000001b3;
  }
  return hash;
}

template <class Space>
class InputProcessBits : public ::testing::Test {};
TYPED_TEST_SUITE(InputProcessBits, Backends, BackendName);

TYPED_TEST(InputProcessBits, AreKnown) { EXPECT_EQ(digest<TypeParam>(), 0x5a43b08043a97d07u); }

}  // namespace input_process_bits_tests
}  // namespace sporos::test
