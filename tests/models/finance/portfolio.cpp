// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The portfolio problem equals a dense computation sample by sample, is unbiased, and agrees between all backends.
#include "harness/serial_or_host.hpp"
#include "some_returns.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace portfolio_tests {

using namespace sporos;
using models::Days, models::HistoricalReturns, models::NormalReturns, models::Portfolio, models::ReturnMoments;
using test::SerialOrHost;

template <class Space>
struct PortfolioOn : testing::Test {
  static_assert(QuadraticProblem<Portfolio<Space>>);
};
TYPED_TEST_SUITE(PortfolioOn, test::Backends, test::BackendName);

HistoricalReturns history(std::int64_t assets, std::int64_t days) {
  HistoricalReturns returns;
  for (std::int64_t j = 0; j < assets; ++j) returns.names.push_back(fmt::format("A{}", j));
  for (std::int64_t i = 0; i < assets * days; ++i) returns.values.push_back(std::sin(0.7 * static_cast<double>(i * i)));
  return returns;
}

std::vector<double> some_weights(std::int64_t assets) {
  std::vector<double> w;
  for (std::int64_t j = 0; j < assets; ++j) w.push_back(j % 3 == 0 ? 0.0 : std::cos(static_cast<double>(j)));
  return w;
}

template <class Space>
std::vector<double> gradient_of(Portfolio<Space>& portfolio, const std::vector<double>& w) {
  const Vector<Space> g("g", w.size());
  portfolio.gradient(to_device<Space>(w), g);
  portfolio.execution().fence();
  return to_host<Space>(g);
}

// Computes f̂ and its gradient from vectors of returns, with the whole d × d matrix.
struct Dense {
  double objective, curvature;
  std::vector<double> gradient;
};

Dense dense(const std::vector<std::vector<double>>& sample, const std::vector<double>& w) {
  const std::size_t d = w.size(), n = sample.size();
  std::vector<double> mean(d, 0.0);
  for (const auto& row : sample) {
    for (std::size_t j = 0; j < d; ++j) mean[j] += row[j] / static_cast<double>(n);
  }
  Dense result{0, 0, std::vector<double>(d)};
  for (std::size_t j = 0; j < d; ++j) {
    double product = 0;
    for (std::size_t k = 0; k < d; ++k) {
      double covariance = 0;
      for (const auto& row : sample) covariance += (row[j] - mean[j]) * (row[k] - mean[k]);
      product += covariance / static_cast<double>(n - 1) * w[k];
    }
    result.gradient[j] = product - mean[j];
    result.curvature += w[j] * product;
    result.objective += 0.5 * w[j] * product - w[j] * mean[j];
  }
  return result;
}

constexpr double tolerance = 1e-12;  // absolute tolerance of sums of products of numbers about 1

template <class Space>
void expect_dense(Portfolio<Space>& portfolio, const std::vector<std::vector<double>>& sample) {
  const auto w = some_weights(portfolio.dimension());
  const Dense expected = dense(sample, w);
  const auto on_space = to_device<Space>(w);
  EXPECT_NEAR(portfolio.objective(on_space), expected.objective, tolerance);
  EXPECT_NEAR(portfolio.curvature(on_space), expected.curvature, tolerance);
  const auto g = gradient_of(portfolio, w);
  for (std::size_t j = 0; j < w.size(); ++j) ASSERT_NEAR(g[j], expected.gradient[j], tolerance) << "asset " << j;
}

std::vector<std::vector<double>> drawn_on_host(const NormalReturns& returns, const SampleRange& range) {
  const models::NormalReturnsTable<Kokkos::HostSpace> table(returns);
  std::vector<std::vector<double>> sample;
  for (std::uint64_t r = range.first; r < range.first + static_cast<std::uint64_t>(range.size); ++r) {
    std::vector<double> common(static_cast<std::size_t>(returns.factors()));
    fill_standard_normals({range.seed, r, 1}, 0, returns.factors(), common.data());
    sample.emplace_back(returns.means.size());
    table.with_factors(common.data(), r).fill(range.seed, r, 0, returns.assets(), sample.back().data());
  }
  return sample;
}

TYPED_TEST(PortfolioOn, IsTheDenseComputationOnASample) {
  for (const std::int64_t assets : {1, 2, 65, 600}) {
    for (const std::int64_t factors : {0, 3}) {
      const NormalReturns returns = test::some_returns(assets, factors);
      Portfolio<TypeParam> portfolio(returns);
      for (const SampleRange range : {SampleRange{1, 0, 2}, SampleRange{2, 1000, 25}, SampleRange{2, 1025, 16}}) {
        portfolio.draw(range);
        expect_dense(portfolio, drawn_on_host(returns, range));
      }
    }
  }
}

TYPED_TEST(PortfolioOn, OfAllDaysIsExact) {
  const HistoricalReturns returns = history(13, 40);
  std::vector<std::vector<double>> days;
  for (auto row = returns.values.begin(); row != returns.values.end(); row += 13) days.emplace_back(row, row + 13);
  Portfolio<TypeParam> portfolio(returns, Days::all);
  expect_dense(portfolio, days);
  portfolio.draw({5, 3, 7});
  expect_dense(portfolio, days);
  const auto w = to_device<TypeParam>(some_weights(13));
  EXPECT_NEAR(portfolio.exact_objective(w), portfolio.objective(w), tolerance);
}

// The objective f, its gradient and curvature equal those that NormalReturns computes on the host, for any sample.
TYPED_TEST(PortfolioOn, OfExactMomentsIsTheQuadraticProgram) {
  for (const std::int64_t assets : {1, 2, 65, 600}) {
    for (const std::int64_t factors : {0, 1, 3}) {
      for (const bool has_own : {true, false}) {
        NormalReturns returns = test::some_returns(assets, factors);
        if (!has_own) std::fill(returns.deviations.begin(), returns.deviations.end(), 0.0);
        Portfolio<TypeParam> portfolio(returns, ReturnMoments::exact);
        EXPECT_EQ(portfolio.sample_size(), std::max<std::int64_t>(factors, 1) + 1);
        const std::vector<double> w = some_weights(assets), expected = returns.gradient(w);
        const auto on_space = to_device<TypeParam>(w);
        portfolio.draw({5, 3, 7});
        EXPECT_NEAR(portfolio.objective(on_space), returns.objective(w), tolerance);
        EXPECT_EQ(portfolio.exact_objective(on_space), returns.objective(w));
        const auto g = gradient_of(portfolio, w);
        double curvature = 0;
        for (std::size_t j = 0; j < w.size(); ++j) {
          ASSERT_NEAR(g[j], expected[j], tolerance) << "asset " << j;
          curvature += w[j] * (expected[j] + returns.means[j]);
        }
        EXPECT_NEAR(portfolio.curvature(on_space), curvature, tolerance);
        EXPECT_FALSE(portfolio.screen(1).has_value());
      }
    }
  }
}

TYPED_TEST(PortfolioOn, DrawsDaysOfTheHistory) {
  const HistoricalReturns returns = history(13, 40);
  const models::HistoricalReturnsTable<Kokkos::HostSpace> table(returns, Days::drawn);
  std::vector<std::vector<double>> days;
  for (std::uint64_t r = 100; r < 160; ++r) {
    const auto row = returns.values.begin() + 13 * table.handle().day(9, r);
    days.emplace_back(row, row + 13);
  }
  Portfolio<TypeParam> portfolio(returns, Days::drawn);
  portfolio.draw({9, 100, 60});
  expect_dense(portfolio, days);
}

template <class Space>
std::vector<double> numbers_of(const SampleRange& range) {
  Portfolio<Space> portfolio(test::some_returns(3000, 2));
  portfolio.draw(range);
  const auto w = some_weights(3000);
  auto numbers = gradient_of(portfolio, w);
  numbers.push_back(portfolio.objective(to_device<Space>(w)));
  return numbers;
}

TYPED_TEST(PortfolioOn, GivesTheSameBitsAgainAndTheSameNumbersAsOthers) {
  const SampleRange range{3, 50, 30};
  const auto numbers = numbers_of<TypeParam>(range);
  EXPECT_EQ(numbers, numbers_of<TypeParam>(range));
  const auto others = numbers_of<Kokkos::DefaultHostExecutionSpace>(range);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(numbers[i], others[i], 1e-10 * std::abs(others[i]));
}

// As the steps shrink, the error of the difference quotient shrinks with their square or stays at rounding.
TYPED_TEST(PortfolioOn, GradientIsTheSlopeOfTheObjective) {
  Portfolio<TypeParam> portfolio(test::some_returns(20, 2));
  portfolio.draw({4, 0, 12});
  const auto w = some_weights(20);
  const auto g = gradient_of(portfolio, w);
  std::vector<double> direction;
  double slope = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    direction.push_back(std::sin(static_cast<double>(j + 1)));
    slope += g[j] * direction[j];
  }
  const double curvature = portfolio.curvature(to_device<TypeParam>(direction));
  const double start = portfolio.objective(to_device<TypeParam>(w));
  for (double step = 1; step > 1e-6; step /= 10) {
    auto there = w;
    for (std::size_t j = 0; j < w.size(); ++j) there[j] += step * direction[j];
    const double difference = portfolio.objective(to_device<TypeParam>(there)) - start;
    EXPECT_NEAR(difference / step, slope + 0.5 * step * curvature, 1e-14 / step + 1e-13) << step;
  }
}

// Compares estimates over many samples with the exact value; each call raises a false alarm with probability 10^-6.
template <class Space>
bool is_unbiased(Portfolio<Space>&& portfolio, const Portfolio<Space>& claimed) {
  const auto w = to_device<Space>(some_weights(portfolio.dimension()));
  MomentsTree tree;
  SampleRange range{7, 0, 5};
  for (int i = 0; i < 4000; ++i, range = range.next(5)) {
    portfolio.draw(range);
    tree.add(portfolio.objective(w));
  }
  return std::abs(tree.total().mean - claimed.exact_objective(w)) <= half_width(tree.total(), 1 - 1e-6);
}

using Host = SerialOrHost;  // for thousands of small launches

TEST(Portfolio, ObjectiveIsUnbiased) {
  const NormalReturns returns = test::some_returns(12, 2);
  NormalReturns wider = returns;
  for (double& deviation : wider.deviations) deviation *= 1.5;
  EXPECT_TRUE(is_unbiased(Portfolio<Host>(returns), Portfolio<Host>(returns)));
  EXPECT_FALSE(is_unbiased(Portfolio<Host>(returns), Portfolio<Host>(wider))) << "control";
  const HistoricalReturns days = history(5, 4);
  EXPECT_TRUE(is_unbiased(Portfolio<Host>(days, Days::drawn), Portfolio<Host>(days, Days::drawn)));
  EXPECT_FALSE(is_unbiased(Portfolio<Host>(days, Days::drawn), Portfolio<Host>(days, Days::all))) << "control: D - 1";
}

TEST(Portfolio, GradientIsUnbiased) {
  const NormalReturns returns = test::some_returns(12, 2);
  Portfolio<Host> portfolio(returns);
  const auto w = some_weights(12);
  std::vector<MomentsTree> trees(12);
  SampleRange range{8, 0, 5};
  for (int i = 0; i < 4000; ++i, range = range.next(5)) {
    portfolio.draw(range);
    const auto g = gradient_of(portfolio, w);
    for (std::size_t j = 0; j < g.size(); ++j) trees[j].add(g[j]);
  }
  const auto exact = returns.gradient(w);
  int without_covariance = 0;
  for (std::size_t j = 0; j < exact.size(); ++j) {
    const Moments moments = trees[j].total();
    const double half = half_width(moments, 1 - 1e-7);
    EXPECT_LE(std::abs(moments.mean - exact[j]), half) << "asset " << j;
    without_covariance += std::abs(moments.mean + returns.means[j]) > half;
  }
  EXPECT_GT(without_covariance, 0) << "control";
}

// Checks the frequencies of all days against exact binomial bounds, with a total false-alarm probability of 10^-6.
bool days_are_uniform(const HistoricalReturns& returns, std::uint64_t claimed_days) {
  auto handle = models::HistoricalReturnsTable<Kokkos::HostSpace>(returns, Days::drawn).handle();
  handle.values = nullptr;  // the table no longer exists
  constexpr std::uint64_t draws = 200000;
  std::vector<double> count(claimed_days, 0.0);
  for (std::uint64_t r = 0; r < draws; ++r) ++count[static_cast<std::size_t>(handle.day(6, r))];
  const auto days = static_cast<double>(claimed_days);
  const test::BinomialBand band = test::binomial_band(draws, 1 / days, 1e-6 / (2 * days));
  return std::all_of(count.begin(), count.end(), [&](double c) { return c >= band.least && c <= band.most; });
}

TEST(Portfolio, EveryDayIsDrawnAsOften) {
  EXPECT_TRUE(days_are_uniform(history(2, 365), 365));
  EXPECT_FALSE(days_are_uniform(history(2, 365), 366)) << "control";
}

TEST(Portfolio, SaysWhatIsWrong) {
  Portfolio<Host> portfolio(test::some_returns(3, 0));
  EXPECT_THROW(portfolio.objective(to_device<Host>({1, 2, 3})), std::logic_error);
  try {
    portfolio.draw({1, 0, 1});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "sample size is 1, expected at least 2");
  }
}

}  // namespace portfolio_tests
