// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differential equations inside cells, compared with closed forms: exponential decay, an oscillator, and the stable
// levels of IRF4.
#include <harness/backends.hpp>

#include <sporos/models/germinal_centre/intracellular.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::test {
namespace intracellular_tests {

using models::BCellNetwork, models::CashKarpPair, models::OdeState;

struct Decay {
  static constexpr std::size_t size = 1;
  double rate;

  KOKKOS_INLINE_FUNCTION OdeState<Decay> operator()(const OdeState<Decay>& y) const { return {{-rate * y[0]}}; }
};

// The state is (cos t, −sin t) if it starts at (1, 0).
struct Oscillator {
  static constexpr std::size_t size = 2;

  KOKKOS_INLINE_FUNCTION OdeState<Oscillator> operator()(const OdeState<Oscillator>& y) const {
    return {{y[1], -y[0]}};
  }
};

template <class Space>
class IntracellularOdes : public ::testing::Test {};
TYPED_TEST_SUITE(IntracellularOdes, Backends, BackendName);

// States of cells after `duration`.
template <class Space, class System>
std::vector<OdeState<System>> advanced(const System& system, const std::vector<OdeState<System>>& cells,
                                       double duration, double tolerance = 1e-9) {
  const models::CellStates<System, typename Space::memory_space> states("states", cells.size());
  const auto on_host = Kokkos::create_mirror_view(states);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (std::size_t i = 0; i < System::size; ++i) on_host(cell, i) = cells[cell][i];
  }
  Kokkos::deep_copy(states, on_host);
  models::advance_cells(Space(), system, states, duration, tolerance);
  Kokkos::deep_copy(on_host, states);
  std::vector<OdeState<System>> found(cells.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (std::size_t i = 0; i < System::size; ++i) found[cell][i] = on_host(cell, i);
  }
  return found;
}

TYPED_TEST(IntracellularOdes, DecayExponentially) {
  std::vector<OdeState<Decay>> cells;
  for (int i = 0; i < 1000; ++i) cells.push_back({{0.01 * i}});
  const auto found = advanced<TypeParam>(Decay{0.7}, cells, 5.0);
  const auto largest_error = [&](double rate) {
    double error = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      error = std::max(error, std::abs(found[i][0] - cells[i][0] * std::exp(-rate * 5)));
    }
    return error;
  };
  EXPECT_LT(largest_error(0.7), 1e-8);
  EXPECT_GT(largest_error(0.7001), 1e-5);  // control: another rate
}

TYPED_TEST(IntracellularOdes, Oscillate) {
  const double t = 20;
  const auto error = [&](double tolerance) {
    const auto found = advanced<TypeParam, Oscillator>({}, {{{1, 0}}}, t, tolerance)[0];
    return std::hypot(found[0] - std::cos(t), found[1] + std::sin(t));
  };
  EXPECT_LT(error(1e-10), 1e-8);
  EXPECT_GT(error(1e-2), 1e-5);  // control: large steps, which the tolerance must forbid
}

// Error of an oscillator after time 1, in steps of equal length.
double error_of_steps(int steps, const CashKarpPair& pair) {
  OdeState<Oscillator> state = {{1, 0}};
  for (int i = 0; i < steps; ++i) state = models::runge_kutta_step(Oscillator(), state, 1.0 / steps, pair).state;
  return std::hypot(state[0] - std::cos(1.0), state[1] + std::sin(1.0));
}

double order_of(const CashKarpPair& pair) { return std::log2(error_of_steps(8, pair) / error_of_steps(16, pair)); }

TEST(CashKarp, HasOrdersFiveAndFour) {
  CashKarpPair pair;
  EXPECT_NEAR(order_of(pair), 5, 0.3);
  std::swap(pair.weights, pair.lower);
  EXPECT_NEAR(order_of(pair), 4, 0.3);
  pair.earlier[4] += 0.01;  // control: a wrong coefficient
  EXPECT_LT(order_of(pair), 3);
}

TYPED_TEST(IntracellularOdes, HaveTheStableLevelsOfIrf4) {
  // The unstable level between the two is (5 − √17)/4 = 0.2192.
  const std::vector<OdeState<BCellNetwork>> cells = {{{0, 5, 0}}, {{0, 5, 0.2190}}, {{0, 5, 0.2195}}, {{0, 5, 9}}};
  const double high = (5 + std::sqrt(17.0)) / 4, expected[] = {0.2, 0.2, high, high};
  const auto irf4_after = [&](const BCellNetwork& network) {
    std::vector<double> levels;
    for (const auto& state : advanced<TypeParam>(network, cells, 500 * network.time_unit)) levels.push_back(state[2]);
    return levels;
  };
  const auto levels = irf4_after({});
  for (std::size_t cell = 0; cell < cells.size(); ++cell) EXPECT_NEAR(levels[cell], expected[cell], 1e-6) << cell;
  BCellNetwork stimulated;
  stimulated.cd40 = 1;
  EXPECT_GT(irf4_after(stimulated)[0], 2);  // control: CD40 removes the low level
}

// Plasma cells have much BLIMP1 and little BCL6, the cells of a germinal centre the reverse.
TYPED_TEST(IntracellularOdes, SeparateGerminalCentreFromPlasmaCells) {
  const auto found = advanced<TypeParam, BCellNetwork>({}, {{{0, 5, 0}}, {{0, 5, 2}}}, 1e5);
  EXPECT_GT(found[0][1], found[0][0]);
  EXPECT_LT(found[1][1], found[1][0]);
}

// Bits do not depend on the backend.
TYPED_TEST(IntracellularOdes, HaveTheBitsOfTheHost) {
  std::vector<OdeState<BCellNetwork>> cells;
  for (int i = 0; i < 500; ++i) cells.push_back({{0.01 * i, 0.02 * i, 0.005 * i}});
  const auto found = advanced<TypeParam, BCellNetwork>({}, cells, 100, 1e-6);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto expected = models::integrate(BCellNetwork(), cells[i], 100.0, 1e-6);
    for (std::size_t k = 0; k < BCellNetwork::size; ++k) ASSERT_EQ(found[i][k], expected[k]) << i << ", " << k;
  }
}

}  // namespace intracellular_tests
}  // namespace sporos::test
