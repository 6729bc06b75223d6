// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of a portfolio's derivatives in a screening; a device computes them from normal variates in float.
#include "some_returns.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/finance/portfolio_screen.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>

#include <harness/backends.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace portfolio_screen_tests {

using namespace sporos;
using models::Portfolio, models::PortfolioScreenData;

// One thread, with all its lanes, sums the assets' holdings and brackets the derivatives with the sums.
template <class Space>
struct Bracketer {
  PortfolioScreenData screen;
  WindowStart start;
  const double* weights;
  double* row;
  Kokkos::View<double* [2], Space> bounds;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type&) const {
    const auto assets = static_cast<std::int64_t>(bounds.extent(0));
    for (std::int64_t j = 0; j < assets; ++j) screen.add_holding(start.sample, j, weights[j], row);
    impl::sync_warp();
    screen.begin(0, start.sample, row, 1);
    impl::sync_warp();
    for (std::int64_t pair = 0; 2 * pair < assets; ++pair) {
      Kokkos::Array<DerivativeBounds, 2> found{};
      screen.bracket(start, pair, {true, 2 * pair + 1 < assets}, found);
      for (int k = impl::lane_index(); k < 2; k += impl::lane_count()) {
        if (2 * pair + k >= assets) continue;
        bounds(2 * pair + k, 0) = k == 0 ? found[0].lower : found[1].lower;
        bounds(2 * pair + k, 1) = k == 0 ? found[0].upper : found[1].upper;
      }
    }
  }
};

constexpr std::int64_t assets = 301;
constexpr SampleRange sample{2, 1000, 50};

std::vector<double> some_weights() {
  std::vector<double> w;
  for (std::int64_t j = 0; j < assets; ++j) w.push_back(j % 3 == 0 ? 0.0 : 0.01 + 1e-4 * static_cast<double>(j));
  return w;
}

/// Lower and upper bounds of all derivatives, for a window of this many iterations in which no weight moves.
template <class Space>
auto bounds_of(std::int64_t iterations) {
  const auto returns = test::some_returns(assets, 0);
  const Portfolio<Space> portfolio(returns);
  auto screen = *portfolio.screen(1);
  screen.resize(sample.size);
  screen.floors(std::vector<double>(assets, 1.0), sample.size);
  const auto weights = to_device<Space>(some_weights());
  const Vector<Space> row("sporos::test::row", static_cast<std::size_t>(sample.size + 1));
  const Kokkos::View<double* [2], Space> bounds("sporos::test::bounds", assets);
  const WindowStart start{sample, 0, iterations, 1.0, weights.data(), 100, 0};
  Kokkos::parallel_for("sporos::test::bracket",
                       Kokkos::TeamPolicy<Space>(1, 1, runs_on_host<Space> ? 1 : impl::warp_lanes),
                       Bracketer<Space>{screen.on_device(), start, weights.data(), row.data(), bounds});
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bounds);
}

template <class Space>
std::vector<double> gradient() {
  Portfolio<Space> portfolio(test::some_returns(assets, 0));
  portfolio.draw(sample);
  const Vector<Space> g("g", assets);
  portfolio.gradient(to_device<Space>(some_weights()), g);
  portfolio.execution().fence();
  return to_host<Space>(g);
}

template <class Space>
struct PortfolioScreenOn : testing::Test {};
TYPED_TEST_SUITE(PortfolioScreenOn, test::Backends, test::BackendName);

TYPED_TEST(PortfolioScreenOn, KnowsTheDerivativesOfOneIteration) {
  const auto g = gradient<TypeParam>();
  const auto bounds = bounds_of<TypeParam>(1);
  for (std::size_t j = 0; j < assets; ++j) {
    ASSERT_NEAR(bounds(j, 0), g[j], 1e-12) << j;
    ASSERT_EQ(bounds(j, 0), bounds(j, 1)) << j;
  }
}

// If no weight moves, the bounds differ only by the error bound of float.
TYPED_TEST(PortfolioScreenOn, BracketsTheDerivativesOfAWindow) {
  const auto g = gradient<TypeParam>();
  const auto bounds = bounds_of<TypeParam>(25);
  double widest = 0, furthest = 0;
  for (std::size_t j = 0; j < assets; ++j) {
    ASSERT_LE(bounds(j, 0), g[j] + 1e-12) << j;
    ASSERT_GE(bounds(j, 1), g[j] - 1e-12) << j;
    widest = std::max(widest, bounds(j, 1) - bounds(j, 0));
    furthest = std::max(furthest, std::abs(0.5 * (bounds(j, 0) + bounds(j, 1)) - g[j]));
  }
  EXPECT_LT(widest, 1e-4) << "float leaves six digits";
  // Control: without bounds for its error, float would fail the test.
  EXPECT_GT(furthest, runs_on_host<TypeParam> ? -1 : 1e-10);
}

}  // namespace portfolio_screen_tests
