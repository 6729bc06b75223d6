// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normal returns have the same bits on every backend and for every order of access, and the intended moments.
#include "some_returns.hpp"

#include <sporos/core/math/normal.hpp>
#include <sporos/models/finance/normal_returns.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace normal_returns_tests {

using namespace sporos;
using models::FactorReturnsHandle, models::IndependentReturnsHandle, models::NormalReturns, models::NormalReturnsTable;

constexpr std::uint64_t seed = 20;

// Computes a normal variate by its definition, from single blocks of Philox.
double normal_by_definition(std::uint64_t replication, std::uint32_t input, std::int64_t draw) {
  const auto words = Philox4x32::block({seed, replication, input}, static_cast<std::uint64_t>(draw / 2));
  return math::normal_quantile(open_uniform(words[draw % 2]));
}

double return_by_definition(const NormalReturns& returns, std::uint64_t replication, std::int64_t asset) {
  const auto j = static_cast<std::size_t>(asset);
  double value = returns.means[j] + returns.deviations[j] * normal_by_definition(replication, 0, asset);
  for (std::int64_t k = 0; k < returns.factors(); ++k) {
    const double loading = returns.loadings[static_cast<std::size_t>(k * returns.assets() + asset)];
    value += loading * normal_by_definition(replication, 1, k);
  }
  return value;
}

constexpr std::int64_t replications = 40;
constexpr std::uint64_t first_replication = (std::uint64_t{1} << 40) + 5;

// Each thread fills the assets of one replication, `width` at a time.
template <class Handle, class Space>
struct ReturnsFiller {
  Handle returns;
  std::int64_t assets, width;
  Kokkos::View<double**, Kokkos::LayoutRight, Space> values;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    for (std::int64_t first = 0; first < assets; first += width) {
      const std::int64_t count = first + width < assets ? width : assets - first;
      returns.fill(seed, first_replication + static_cast<std::uint64_t>(r), first, count, &values(r, first));
    }
  }
};

template <class Space>
struct CommonFiller {
  std::int64_t factors;
  Kokkos::View<double**, Kokkos::LayoutRight, Space> values;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    fill_standard_normals({seed, first_replication + static_cast<std::uint64_t>(r), 1}, 0, factors, &values(r, 0));
  }
};

template <class Space, class Handle>
auto filled_by(const Handle& handle, std::int64_t assets, std::int64_t width) {
  const Kokkos::View<double**, Kokkos::LayoutRight, Space> values("values", replications, assets);
  Kokkos::parallel_for("sporos::test::fill", Kokkos::RangePolicy<Space>(0, replications),
                       ReturnsFiller<Handle, Space>{handle, assets, width, values});
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
}

template <class Space>
void expect_defined_bits(std::int64_t assets, std::int64_t factors, std::int64_t width) {
  const NormalReturns returns = test::some_returns(assets, factors);
  const NormalReturnsTable<typename Space::memory_space> table(returns);
  const Kokkos::View<double**, Kokkos::LayoutRight, Space> common("common", replications, factors);
  if (factors > 0) {
    Kokkos::parallel_for("sporos::test::common", Kokkos::RangePolicy<Space>(0, replications),
                         CommonFiller<Space>{factors, common});
  }
  const auto values = factors == 0
                          ? filled_by<Space>(table.independent(), assets, width)
                          : filled_by<Space>(table.with_factors(common.data(), first_replication), assets, width);
  for (std::int64_t r = 0; r < replications; ++r) {
    for (std::int64_t j = 0; j < assets; ++j) {
      ASSERT_EQ(values(r, j), return_by_definition(returns, first_replication + static_cast<std::uint64_t>(r), j))
          << "asset " << j << " of " << assets << ", replication " << r << ", " << width << " together";
    }
  }
}

template <class Space>
struct NormalReturnsOn : testing::Test {};
TYPED_TEST_SUITE(NormalReturnsOn, test::Backends, test::BackendName);

TYPED_TEST(NormalReturnsOn, SameBitsHoweverTheyAreAskedFor) {
  for (const std::int64_t assets : {1, 2, 63, 130}) {
    for (const std::int64_t width : {1, 2, 3, 64, 200}) {
      expect_defined_bits<TypeParam>(assets, 0, width);
      expect_defined_bits<TypeParam>(assets, 3, width);
    }
  }
}

// Whether sums of standardized returns are normal and sums of their squares chi-squared, as the `claimed` distribution
// demands. Each call raises a false alarm with probability 10^-6.
bool moments_fit(const NormalReturns& simulated, const NormalReturns& claimed) {
  constexpr std::int64_t n = 4000;
  const std::int64_t d = simulated.assets();
  const NormalReturnsTable<Kokkos::HostSpace> table(simulated);
  std::vector<double> common(static_cast<std::size_t>(n * simulated.factors())), r(static_cast<std::size_t>(d));
  for (std::int64_t i = 0; i < n; ++i) {
    fill_standard_normals({seed, static_cast<std::uint64_t>(i), 1}, 0, simulated.factors(),
                          common.data() + i * simulated.factors());
  }
  const FactorReturnsHandle handle = table.with_factors(common.data(), 0);
  // The portfolios are single assets, all assets, and differences; the objective gives their means and variances.
  std::vector<std::vector<double>> portfolios;
  for (std::int64_t j = 0; j < d; ++j) {
    std::vector<double> single(static_cast<std::size_t>(d), 0.0), difference(single);
    single[static_cast<std::size_t>(j)] = 1;
    difference[static_cast<std::size_t>(j)] = 1;
    difference[static_cast<std::size_t>((j + 1) % d)] = -1;
    portfolios.push_back(single);
    portfolios.push_back(difference);
  }
  portfolios.emplace_back(static_cast<std::size_t>(d), 1.0);
  std::vector<double> sum(portfolios.size(), 0.0), squares(portfolios.size(), 0.0), mean, variance;
  for (const auto& w : portfolios) {
    std::vector<double> negative(w);
    for (double& x : negative) x = -x;
    const double there = claimed.objective(w), back = claimed.objective(negative);
    mean.push_back(0.5 * (back - there));
    variance.push_back(there + back);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    handle.fill(seed, static_cast<std::uint64_t>(i), 0, d, r.data());
    for (std::size_t p = 0; p < portfolios.size(); ++p) {
      const double value = std::inner_product(r.begin(), r.end(), portfolios[p].begin(), -mean[p]);
      sum[p] += value;
      squares[p] += value * value;
    }
  }
  const double tests = 2.0 * static_cast<double>(portfolios.size()), alarm = 1e-6 / tests;
  const boost::math::chi_squared chi_squared(static_cast<double>(n));
  const double z = boost::math::quantile(boost::math::complement(boost::math::normal(), alarm / 2));
  const double low = boost::math::quantile(chi_squared, alarm / 2);
  const double high = boost::math::quantile(boost::math::complement(chi_squared, alarm / 2));
  bool fits = true;
  for (std::size_t p = 0; p < portfolios.size(); ++p) {
    fits = fits && std::abs(sum[p]) <= z * std::sqrt(n * variance[p]);
    fits = fits && squares[p] >= low * variance[p] && squares[p] <= high * variance[p];
  }
  return fits;
}

TEST(NormalReturns, MomentsAreThoseThatWereMeant) {
  for (const std::int64_t factors : {0, 2}) {
    const NormalReturns returns = test::some_returns(9, factors);
    EXPECT_TRUE(moments_fit(returns, returns));
    NormalReturns shifted = returns, wider = returns, without_factors = returns;
    shifted.means[4] += 0.03;
    wider.deviations[8] *= 1.15;
    without_factors.loadings.clear();
    EXPECT_FALSE(moments_fit(returns, shifted)) << "control";
    EXPECT_FALSE(moments_fit(returns, wider)) << "control";
    EXPECT_EQ(moments_fit(returns, without_factors), factors == 0) << "control";
  }
}

TEST(NormalReturns, GradientIsThatOfTheObjective) {
  const NormalReturns returns = test::some_returns(11, 3);
  std::vector<double> w(11);
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = 0.1 * static_cast<double>(j) - 0.3;
  const std::vector<double> g = returns.gradient(w);
  for (std::size_t j = 0; j < w.size(); ++j) {
    auto above = w, below = w;
    above[j] += 0.5;  // differences of a quadratic are exact for steps of any size
    below[j] -= 0.5;
    EXPECT_NEAR(g[j], returns.objective(above) - returns.objective(below), 1e-14);
  }
}

std::string refusal(const NormalReturns& returns) {
  return test::refusal([&] { returns.check(); });
}

TEST(NormalReturns, SayWhatIsWrong) {
  EXPECT_EQ(refusal(test::some_returns(3, 2)), "none");
  EXPECT_EQ(refusal({}), "number of assets is 0, expected at least 1");
  EXPECT_EQ(refusal({{1, 2}, {1}, {}}), "number of deviations is 1, expected 2, one for each asset");
  EXPECT_EQ(refusal({{1, 2}, {1, 1}, {1, 2, 3}}),
            "number of loadings is 3, expected a multiple of the number of assets, 2");
  EXPECT_EQ(refusal({{1, NAN}, {1, 1}, {}}), "mean of asset 2 is nan, expected a finite number");
  EXPECT_EQ(refusal({{1, 2}, {1, -1}, {}}), "deviation of asset 2 is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal({{1, 2}, {1, 1}, {0, 0, INFINITY, 0}}),
            "loading on factor 2 of asset 1 is inf, expected a finite number");
}

}  // namespace normal_returns_tests
