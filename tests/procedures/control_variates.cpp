// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the sums over draws that serve as control variates, and how often intervals cover. Binomial bands for the
// number of covering macro-replications raise a false alarm with probability 10^-5 per side.
#include "harness/serial_or_host.hpp"

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>

#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/with_controls.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/models/finance/asian_call.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/procedures/controlled_means.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace control_variates_tests {

using namespace sporos;
using models::ActivityNetwork, models::AsianCall, models::MM1, models::MMCK;
using test::binomial_band;
using test::SerialOrHost;

// Responses of the replications, row by row.
template <class ExecutionSpace, class Model>
std::vector<std::vector<double>> responses_of(const Model& model, Mapping mapping, std::int64_t replications) {
  const Outputs<ExecutionSpace> outputs("outputs", static_cast<std::size_t>(replications),
                                        static_cast<std::size_t>(response_count<Model>));
  const ExecutionSpace space;
  replicate(space, Design<Model, ExecutionSpace>(model, 5), PreparedSource<ExecutionSpace>(),
            ReplicationRange{0, replications}, mapping, outputs);
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(replications));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < host.extent(1); ++i) rows[row].push_back(host(row, i));
  }
  return rows;
}

template <class ExecutionSpace, class Model>
void expect_responses_of_the_model(const Model& model) {
  constexpr std::int64_t replications = 67;  // some run in lanes, some alone
  const auto expected = responses_of<SerialOrHost>(WithControls<Model>{model}, Mapping::thread, replications);
  for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
    auto found = responses_of<ExecutionSpace>(WithControls<Model>{model}, mapping, replications);
    EXPECT_EQ(found, expected);
    for (auto& row : found) row.resize(static_cast<std::size_t>(response_count<Model>));
    EXPECT_EQ(found, (responses_of<ExecutionSpace>(model, mapping, replications)));
  }
}

template <class ExecutionSpace>
class WithControlsOn : public ::testing::Test {};
TYPED_TEST_SUITE(WithControlsOn, test::Backends, test::BackendName);

TYPED_TEST(WithControlsOn, HasTheBitsOfTheModelAndOfAllBackends) {
  expect_responses_of_the_model<TypeParam>(MM1{0.6, 1, 10, 0});
  expect_responses_of_the_model<TypeParam>(MM1{0.6, 1, 0, 20});
  expect_responses_of_the_model<TypeParam>(MMCK{4, 1, 3, 5, 40, 0});
  expect_responses_of_the_model<TypeParam>(default_model<ActivityNetwork>());
  expect_responses_of_the_model<TypeParam>(default_model<AsianCall>());
}

// There is one customer, whose stay is one service time.
TEST(Controls, AreSumsOfVariatesLessTheirMeans) {
  const auto rows = responses_of<SerialOrHost>(WithControls<MM1>{{0.5, 1, 1, 0}}, Mapping::thread, 20);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 6u);
    EXPECT_NEAR(row[5], row[1] - 1, 1e-15);
    EXPECT_NEAR(row[4], row[2] * 0.5 - 1, 1e-14) << "the server is idle until the customer comes";
  }
}

// Normal observations of a response and of two controls with expectations 0. The response is its mean plus 2 times the
// first control, minus the second, plus a residual of variance `rest`.
PointResult normal_point(std::size_t observations, double rest, std::mt19937_64& generator) {
  constexpr std::size_t columns = 3;
  std::normal_distribution<double> normal;
  std::vector<std::array<double, columns>> rows(observations);
  std::array<double, columns> means{};
  for (auto& row : rows) {
    const double first = normal(generator), second = 0.5 * first + normal(generator);
    row = {7 + 2 * first - second + std::sqrt(rest) * normal(generator), first, second};
    for (std::size_t i = 0; i < columns; ++i) means[i] += row[i] / static_cast<double>(observations);
  }
  PointResult point;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (const auto& row : rows) sum += (row[i] - means[i]) * (row[j] - means[j]);
      point.covariances.push_back(sum / static_cast<double>(observations - 1));
    }
  }
  for (std::size_t i = 0; i < columns; ++i) {
    ResponseEstimate& response = point.responses.emplace_back();
    response.name = "column " + std::to_string(i);
    response.mean = means[i];
    response.variance = point.covariances[i * columns + i];
    response.deviation = std::sqrt(response.variance);
    response.observations = static_cast<std::int64_t>(observations);
  }
  return point;
}

// Lavenberg and Welch's interval is exact if everything is normal, also with few observations. The control treats the
// slopes as known: it uses Student's n − 1 degrees of freedom and ignores the cost of estimating slopes.
TEST(ControlledMeans, CoverAsOftenAsTheySay) {
  constexpr std::int64_t experiments = 20'000;
  constexpr std::size_t observations = 7;
  std::mt19937_64 generator(1);
  std::int64_t covering = 0, careless = 0;
  for (std::int64_t e = 0; e < experiments; ++e) {
    const PointResult point = normal_point(observations, 0.5, generator);
    const ControlledMean found = controlled_means(point, {0, 0}, 0.95).responses.front();
    EXPECT_EQ(found.freedom, 4);
    covering += std::abs(found.mean - 7) <= found.half_width;
    const double scale = student_t(0.95, 7) / student_t_quantile(0.975, 4) * std::sqrt(4.0 / 6);
    careless += std::abs(found.mean - 7) <= scale * found.half_width;
  }
  const auto band = binomial_band(experiments, 0.95);
  EXPECT_GE(covering, band.least);
  EXPECT_LE(covering, band.most);
  EXPECT_LT(careless, band.least) << "control";
}

// Var = (1 − R²) Var Y / n · (n − 2)/(n − q − 2) for q normal controls (Lavenberg and Welch 1981). Here (1 − R²) Var Y
// is the residual variance, and Var Y = 0.5 + Var(1.5 z − z') = 3.75. The mean of squares is off by 4.4 standard errors
// with probability 10^-5. The control ignores the loss due to estimated slopes.
TEST(ControlledMeans, HaveTheVarianceOfTheory) {
  constexpr int experiments = 20'000;
  constexpr double observations = 12;
  std::mt19937_64 generator(2);
  double sum = 0, squares = 0, ratios = 0;
  for (int e = 0; e < experiments; ++e) {
    const ControlledMean found =
        controlled_means(normal_point(static_cast<std::size_t>(observations), 0.5, generator), {0, 0}, 0.95)
            .responses.front();
    const double square = (found.mean - 7) * (found.mean - 7);
    sum += square;
    squares += square * square;
    ratios += 1 / found.variance_ratio / experiments;
  }
  const double mean = sum / experiments, error = std::sqrt((squares / experiments - mean * mean) / experiments);
  const double expected = 0.5 / observations * (observations - 2) / (observations - 4);
  EXPECT_NEAR(mean, expected, 4.4 * error);
  EXPECT_GT(std::abs(mean - 0.5 / observations), 4.4 * error) << "control";
  EXPECT_NEAR(ratios, expected / (3.75 / observations), 0.2 * ratios) << "as it is told";
}

TEST(ControlledMeans, FindAWrongKnownMean) {
  std::mt19937_64 generator(3);
  const PointResult point = normal_point(1000, 0.5, generator);
  EXPECT_NO_THROW(controlled_means(point, {0, 0}, 0.95));
  try {
    controlled_means(point, {0, 0.4}, 0.95);
    FAIL() << "0.4 is 11 standard errors away";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 27), "control 'column 2' has mean");
  }
}

TEST(ControlledMeans, LeaveOutControlsThatSayNothing) {
  std::mt19937_64 generator(4);
  PointResult constant = normal_point(100, 0.5, generator);
  constant.responses[1].variance = constant.responses[1].deviation = 0;
  for (const std::size_t entry : {1, 3, 4, 5, 7}) constant.covariances[entry] = 0;
  const ControlledPoint left = controlled_means(constant, {0, 0}, 0.95);
  EXPECT_FALSE(left.controls[0].is_used);
  EXPECT_TRUE(left.controls[1].is_used);
  EXPECT_EQ(left.responses[0].freedom, 98);

  PointResult twice = normal_point(100, 0.5, generator);  // the second control is 3 times the first
  twice.responses[2].variance = 9 * twice.responses[1].variance;
  for (const auto& [to, from] : {std::pair{2, 1}, {6, 1}, {5, 4}, {7, 4}}) {
    twice.covariances[static_cast<std::size_t>(to)] = 3 * twice.covariances[static_cast<std::size_t>(from)];
  }
  twice.covariances[8] = 9 * twice.covariances[4];
  EXPECT_FALSE(controlled_means(twice, {0, 0}, 0.95).controls[1].is_used);
}

TEST(ControlledMeans, NeedMoreObservationsThanControls) {
  std::mt19937_64 generator(5);
  EXPECT_EQ(controlled_means(normal_point(3, 0.5, generator), {0, 0}, 0.95).responses[0].half_width,
            std::numeric_limits<double>::infinity());
}

std::vector<double> known(std::size_t count) { return std::vector<double>(count, 0.0); }

// The time in system of a single customer is a linear function of its control.
TEST(ControlledMeans, AreExactWhereControlsExplainAll) {
  Plan plan;
  plan.covariances = true;
  const PointResult point = simulate(SerialOrHost(), WithControls<MM1>{{0.5, 2, 1, 0}}, plan);
  const ControlledPoint found = controlled_means(point, known(2), 0.95);
  EXPECT_NEAR(found.responses[1].mean, 0.5, 1e-12);
  EXPECT_EQ(found.responses[1].half_width, 0);
  EXPECT_NEAR(found.responses[2].mean, 2, 1e-12) << "idle until the customer comes";
}

// Replications of 30 customers are skewed, but the mean of 400 is nearly normal. The queue length is a ratio of means.
TEST(ControlledMeans, OfAQueueCover) {
  constexpr std::int64_t experiments = 500;
  const MM1 queue{0.5, 1, 30, 0};
  const auto exact = queue.exact_means();
  std::array<std::int64_t, 4> covering{};
  std::array<double, 4> ratios{};
  Plan plan;
  plan.replications = 400;
  plan.covariances = true;
  for (plan.seed = 1; plan.seed <= experiments; ++plan.seed) {
    const PointResult point = simulate(SerialOrHost(), WithControls<MM1>{queue}, plan);
    const ControlledPoint found = controlled_means(point, known(2), 0.95);
    for (std::size_t r = 0; r < 4; ++r) {
      covering[r] += std::abs(found.responses[r].mean - *exact[r]) <= found.responses[r].half_width;
      ratios[r] += found.responses[r].variance_ratio / experiments;
    }
  }
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_GE(covering[r], binomial_band(experiments, 0.95).least) << r;
    EXPECT_LE(covering[r], binomial_band(experiments, 0.95).most) << r;
    EXPECT_GT(ratios[r], 1.5) << r;
  }
}

// Price for two times: given the first price, the payoff is half that of a European call, times the first price. The
// trapezoidal rule over the first increment is exact to rounding.
double price_of_two_times(const AsianCall& call) {
  const double step = call.maturity / 2, spread = call.volatility * std::sqrt(step);
  const double drift = (call.rate - call.volatility * call.volatility / 2) * step;
  const auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const auto expected_growth_above = [&](double least) {  // E (e^(drift + spread Z) − least)⁺
    const double mean = std::exp(drift + spread * spread / 2);
    if (least <= 0) return mean - least;
    const double d = (drift - std::log(least)) / spread;
    return mean * cdf(d + spread) - least * cdf(d);
  };
  constexpr double width = 1e-3, end = 10;
  double sum = 0;
  for (double z = -end; z <= end; z += width) {
    const double first = call.spot * std::exp(drift + spread * z);
    sum += std::exp(-z * z / 2) * first / 2 * expected_growth_above(2 * call.strike / first - 1);
  }
  return std::exp(-call.rate * call.maturity) * sum * width / std::sqrt(2 * std::acos(-1.0));
}

// The control variate is the payoff of the geometric mean, in 500 macro-replications. A wrong known mean is detected.
TEST(ControlledMeans, OfAnAsianCallCover) {
  constexpr std::int64_t experiments = 500;
  AsianCall call = default_model<AsianCall>();
  call.times = 2;
  const double exact = price_of_two_times(call);
  const std::vector<double> expectations{0, call.known_means()[0]};
  std::int64_t covering = 0;
  double ratio = 0;
  Plan plan;
  plan.replications = 400;
  plan.covariances = true;
  PointResult point;
  for (plan.seed = 1; plan.seed <= experiments; ++plan.seed) {
    point = simulate(SerialOrHost(), WithControls<AsianCall>{call}, plan);
    const ControlledMean found = controlled_means(point, expectations, 0.95).responses[0];
    covering += std::abs(found.mean - exact) <= found.half_width;
    ratio += found.variance_ratio / experiments;
  }
  EXPECT_GE(covering, binomial_band(experiments, 0.95).least);
  EXPECT_LE(covering, binomial_band(experiments, 0.95).most);
  EXPECT_GT(ratio, 500);
  EXPECT_THROW(controlled_means(point, {0, 2 * expectations[1]}, 0.95), std::runtime_error) << "control";
}

}  // namespace control_variates_tests
