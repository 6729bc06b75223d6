// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of SimOpt's problems and of our own: checks replications against exact means and SimOpt's replications.
#include "model_checks.hpp"
#include "simopt_means.hpp"

#include <harness/backends.hpp>

#include <sporos/core/math/normal.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/estimation/empirical_risk.hpp>
#include <sporos/models/estimation/gamma_likelihood.hpp>
#include <sporos/models/finance/asset_mix.hpp>
#include <sporos/models/inventory/substitution_newsvendor.hpp>
#include <sporos/models/queues/chess_platform.hpp>
#include <sporos/models/queues/message_networks.hpp>
#include <sporos/models/queues/restaurant.hpp>
#include <sporos/models/revenue/reserved_capacity.hpp>
#include <sporos/models/synthetic/noisy_quadratic.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::test {
namespace zoo_tests {

using models::AssetMix, models::ChessPlatform, models::EmpiricalRisk, models::GammaLikelihood, models::MessageNetworks,
    models::NoisyQuadratic, models::ReservedCapacity, models::Restaurant, models::SubstitutionNewsvendor;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DifferentiableModel<AssetMix> && DifferentiableModel<EmpiricalRisk> &&
              DifferentiableModel<GammaLikelihood> && DifferentiableModel<NoisyQuadratic> &&
              DifferentiableModel<ReservedCapacity>);

template <class Model>
int misses_of(const Model& model, std::int64_t replications) {
  return misses(simulate(Host(), model, plan_with(1, replications)), model.exact_means());
}

MessageNetworks networks_at_optimum() {
  auto model = default_model<MessageNetworks>();
  const auto x = MessageNetworks::problems().front().optimum->x;
  model.share_1 = x[0], model.share_2 = x[1], model.share_3 = x[2], model.share_4 = x[3], model.share_5 = x[4];
  model.share_6 = x[5], model.share_7 = x[6], model.share_8 = x[7], model.share_9 = x[8], model.share_10 = x[9];
  return model;
}

// The references are 20 000 replications each.
TEST(Zoo, NoisyQuadraticIsThatOfSimOpt) {
  auto model = default_model<NoisyQuadratic>();
  expect_means_of_simopt(model, 10'000, {{0, 8.0021125, 0.00703}, {1, 30.0021125, 0.00703}});
  EXPECT_EQ(misses_of(model, 10'000), 0);
  model.n_1 = 3;
  EXPECT_EQ(*model.exact_means()[1], 33);
}

// The reference is 40 000 replications. SciPy 1.13's quad over Y₂ gives the exact mean at the true parameters.
TEST(Zoo, GammaLikelihoodIsThatOfSimOpt) {
  auto model = default_model<GammaLikelihood>();
  expect_means_of_simopt(model, 20'000, {{0, -9.12157322, 0.0185}});
  EXPECT_EQ(misses_of(model, 20'000), 0);
  model.x_1 = 2;
  model.x_2 = 5;
  EXPECT_NEAR(*model.exact_means()[0], -4.62871373944213, 1e-11);
  model.x_2 = 5.1;
  EXPECT_LT(*model.exact_means()[0], -4.6288);
}

// The normal equations of all rows give the least-squares line; NumPy 2's lstsq agrees for the same rows. Rows are
// drawn with equal probability: replications match the exact means over all rows, and not those over half of them.
TEST(Zoo, EmpiricalRiskIsLeastAtTheLineOfLeastSquares) {
  auto model = default_model<EmpiricalRisk>();
  long double x = 0, y = 0, xx = 0, xy = 0;
  for (std::int64_t r = 0; r < model.rows; ++r) {
    const auto seen = EmpiricalRisk::observation(r);
    x += seen[0], y += seen[1], xx += seen[0] * seen[0], xy += seen[0] * seen[1];
  }
  const auto n = static_cast<long double>(model.rows), slope = (n * xy - x * y) / (n * xx - x * x);
  const auto optimum = *EmpiricalRisk::problems().front().optimum;
  EXPECT_NEAR(optimum.x[0], static_cast<double>((y - slope * x) / n), 1e-13);
  EXPECT_NEAR(optimum.x[1], static_cast<double>(slope), 1e-13);
  EXPECT_NEAR(optimum.x[0], 1.0022568156382499, 1e-12) << "NumPy's";
  EXPECT_EQ(misses_of(model, 20'000), 0);
  EXPECT_NEAR(*model.exact_means()[0], 2.01244258750379, 1e-11) << "NumPy's";
  model.intercept = optimum.x[0], model.slope = optimum.x[1];
  EXPECT_NEAR(*model.exact_means()[0], optimum.value, 1e-14);
  EXPECT_EQ(misses_of(model, 20'000), 0);
  auto first = model;
  first.rows = 40;
  const double of_first = *first.exact_means()[0];
  const auto own = simulate(Host(), model, plan_with(1, 20'000)).responses[0];
  EXPECT_GT(std::abs(own.mean - of_first), own.half_width) << "control: the mean over 40 rows is another";
}

// The reference is 40 000 replications. NumPy gives the exact means by the same integrals; SciPy's quad over the
// demands of periods 1 and 2 confirms the inner ones to 10⁻⁹.
TEST(Zoo, ReservedCapacityIsThatOfSimOpt) {
  auto model = default_model<ReservedCapacity>();
  expect_means_of_simopt(model, 40'000, {{0, 5043.69583, 46.3}});
  EXPECT_NEAR(*model.exact_means()[0], 5019.4066036584, 1e-6);
  EXPECT_EQ(misses_of(model, 40'000), 0);
  model.capacity = 75.5774760, model.reserve_2 = 69.9341271, model.reserve_3 = 16.8534453;
  EXPECT_NEAR(*model.exact_means()[0], 5901.10834058, 1e-6);
  model.mean_3 = model.mean_2, model.shape = 3;
  EXPECT_EQ(misses_of(model, 40'000), 0);
}

TEST(ZooControl, AnotherCapacityHasAnotherRevenue) {
  auto model = default_model<ReservedCapacity>();
  const double default_value = *model.exact_means()[0];
  model.reserve_2 = 60;
  EXPECT_GT(std::abs(simulate(Host(), model, plan_with(1, 40'000)).responses[0].mean - default_value), 3.29 * 46.3);
}

// Checks three 99.9 % intervals of the derivatives of revenue against differences of exact means.
TEST(Zoo, ReservedCapacityHasPathwiseDerivatives) {
  const auto model = default_model<ReservedCapacity>();
  const std::array<std::string, 3> names{"capacity", "reserve_2", "reserve_3"};
  const std::array members{&ReservedCapacity::capacity, &ReservedCapacity::reserve_2, &ReservedCapacity::reserve_3};
  const auto result = simulate(Host(), Pathwise<ReservedCapacity, 3>(model, names), plan_with(1, 40'000));
  for (std::size_t k = 0; k < 3; ++k) {
    ReservedCapacity more = model, less = model;
    more.*members[k] += 1e-3;
    less.*members[k] -= 1e-3;
    const auto& slope = result.responses[2 + 2 * k];
    EXPECT_NEAR(slope.mean, (*more.exact_means()[0] - *less.exact_means()[0]) / 2e-3, slope.half_width + 1e-5)
        << slope.name;
  }
}

// The reference is 4000 replications with levels other than the default ones, at which all products are sold out.
TEST(Zoo, SubstitutionNewsvendorIsThatOfSimOpt) {
  auto model = default_model<SubstitutionNewsvendor>();
  EXPECT_EQ(*model.exact_means()[0], 120);
  EXPECT_EQ(misses_of(model, 100), 0);
  model.level_1 = 5, model.level_2 = 1, model.level_3 = 4, model.level_4 = 2, model.level_5 = 0;
  model.level_6 = 7, model.level_10 = 6, model.level_9 = 2;
  expect_means_of_simopt(model, 4000, {{0, 105, 1e-12}, {1, 8.95975, 0.00317}});
  EXPECT_EQ(misses_of(model, 100), 0);
  model.level_6 = 0;
  EXPECT_EQ(misses_of(model, 100), 0) << "customers find nothing";
}

// The reference is 6000 replications.
TEST(Zoo, RestaurantIsThatOfSimOpt) {
  expect_means_of_simopt(default_model<Restaurant>(), 6000, {{0, 5087.5325, 7.08}, {1, 0.982292628, 0.0003}});
}

Restaurant with_tables(const std::vector<double>& numbers) {
  auto model = default_model<Restaurant>();
  model.tables_2 = static_cast<std::int64_t>(numbers[0]), model.tables_4 = static_cast<std::int64_t>(numbers[1]);
  model.tables_6 = static_cast<std::int64_t>(numbers[2]), model.tables_8 = static_cast<std::int64_t>(numbers[3]);
  return model;
}

// Uses replications other than those that found the optimum. With 10 000 common replications, no set of tables one step
// away, which moves a table's seats to others, brings 10 more: differences have standard errors below 2.
TEST(Zoo, RestaurantHasItsCertifiedOptimum) {
  const auto optimum = *Restaurant::problems().front().optimum;
  const auto revenue = [](const std::vector<double>& tables) {
    return simulate(Host(), with_tables(tables), plan_with(7, 10'000)).responses[0];
  };
  const auto here = revenue(optimum.x);
  EXPECT_NEAR(here.mean, optimum.value, here.half_width + optimum.half_width);
  for (const std::vector<double>& step : {std::vector<double>{-3, 0, 1, 0},
                                          {-2, 1, 0, 0},
                                          {2, -1, 0, 0},
                                          {1, 1, -1, 0},
                                          {-1, -1, 1, 0},
                                          {0, 0, 0, -1},
                                          {0, -2, 0, 1},
                                          {1, 0, -3, 2},
                                          {0, 2, 0, -1}}) {
    std::vector<double> other = optimum.x;
    for (std::size_t i = 0; i < other.size(); ++i) other[i] += step[i];
    EXPECT_LT(revenue(other).mean, here.mean + 10) << other[0] << other[1] << other[2] << other[3];
  }
  EXPECT_LT(revenue({10, 5, 4, 2}).mean, optimum.value - optimum.half_width - here.half_width)
      << "control: the start's";
}

// The references are 1000 and 300 replications.
TEST(Zoo, QueuesAreThoseOfSimOpt) {
  expect_means_of_simopt(default_model<MessageNetworks>(), 1000, {{0, 110.916386, 0.631}});
  expect_means_of_simopt(default_model<ChessPlatform>(), 300, {{0, 72.5836532, 0.12}, {1, 3.15963667, 0.0131}});
}

// NumPy and SciPy give 111.859413562 by the same sums, with gammainc in place of Poisson probabilities. Intervals of
// 99.9 % contain the means where the networks wait most and at the optimum.
TEST(Zoo, MessageNetworksHaveTheMeansOfSpitzersIdentity) {
  auto model = default_model<MessageNetworks>();
  EXPECT_NEAR(*model.exact_means()[0], 111.859413562, 1e-6);
  EXPECT_EQ(misses_of(model, 1000), 0);
  EXPECT_EQ(misses_of(networks_at_optimum(), 1000), 0);
  const auto own = simulate(Host(), networks_at_optimum(), plan_with(1, 1000)).responses[0];
  EXPECT_GT(std::abs(own.mean - *model.exact_means()[0]), own.half_width) << "control: other shares";
  model.messages = 1001;
  EXPECT_FALSE(model.exact_means()[0]);
}

// The cost is a sum of functions gᵢ of one share each, and the shares add up to 1. For any μ, Σ min (gᵢ(p) − μ p) + μ
// is therefore a lower bound of the cost. If μ is the slope that all shares but the first have at the optimum, the
// bound equals the optimal cost.
TEST(Zoo, MessageNetworksCostLeastAtTheirOptimum) {
  const auto model = networks_at_optimum();
  const auto optimum = *MessageNetworks::problems().front().optimum;
  constexpr double multiplier = 85.8736452;
  const auto lagrangian = [&](int network, double p) {
    return (model.message_cost / network * 1000 - multiplier) * p + model.time_cost * model.expected_time(network, p);
  };
  double bound = multiplier, value = multiplier;
  for (int network = 1; network <= MessageNetworks::networks; ++network) {
    const double share = optimum.x[static_cast<std::size_t>(network - 1)], here = lagrangian(network, share);
    double least = here;
    for (const double p : {0.0, 0.1, 0.4, 1.0, share + 0.003, std::max(share - 0.003, 0.0)})
      least = std::min(least, lagrangian(network, p));
    bound += least;
    value += here;
  }
  EXPECT_NEAR(value, optimum.value, 1e-7);
  EXPECT_NEAR(bound, optimum.value, 1e-7);
  EXPECT_GT(lagrangian(2, optimum.x[1] + 0.003), lagrangian(2, optimum.x[1]) + 1e-6) << "control: the bound is sharp";
}

// A single network in use is an M/G/1 queue. The time in it is nearly that of Pollaczek and Khinchine, E S + λ E S² /
// (2 (1 − λ E S)); the empty start lowers it by less than a hundredth over this number of messages.
TEST(Zoo, OneNetworkIsAQueue) {
  auto model = default_model<MessageNetworks>();
  model.share_1 = model.share_3 = model.share_4 = model.share_5 = model.share_6 = model.share_7 = model.share_8 =
      model.share_9 = model.share_10 = 0;
  model.arrival_rate = 0.25;
  const double mean = 2, square = 4 + 0.25 / 6, time = mean + 0.25 * square / (2 * (1 - 0.25 * mean));
  const auto own = simulate(Host(), model, plan_with(1, 2000)).responses[2];
  EXPECT_NEAR(own.mean, time, own.half_width + 0.01 * time);
}

// Uses replications other than those that found the optimum. Players wait no longer than the limit at the certified
// decision, and longer at a decision 5 % lower.
TEST(Zoo, ChessPlatformHasItsOptimumWhereTheLimitIs) {
  auto model = default_model<ChessPlatform>();
  const auto optimum = *ChessPlatform::problems().front().optimum;
  model.largest_difference = optimum.x[0];
  const auto here = simulate(Host(), model, plan_with(7, 3000)).responses;
  EXPECT_LE(here[1].mean, 5 + here[1].half_width);
  EXPECT_NEAR(here[0].mean, optimum.value, here[0].half_width + optimum.half_width);
  model.largest_difference = 0.95 * optimum.x[0];
  const auto lower = simulate(Host(), model, plan_with(7, 3000)).responses;
  EXPECT_GT(lower[1].mean, 5 + lower[1].half_width);
  EXPECT_LT(lower[0].mean, optimum.value - optimum.half_width - lower[0].half_width) << "control";
}

// By cone algebra, the CVaR of the loss at the optimum equals the limit, and the gain is c r / (κ − r). The test
// estimates the standard deviation from 100 000 losses and allows four standard errors.
TEST(Zoo, AssetMixHasTheGainAndTheTailOfItsOptimum) {
  auto model = default_model<AssetMix>();
  EXPECT_EQ(misses_of(model, 10'000), 0);
  const auto optimum = *AssetMix::problems().front().optimum;
  model.amount_1 = optimum.x[0], model.amount_2 = optimum.x[1], model.amount_3 = optimum.x[2];
  const double z = math::normal_quantile(0.95), factor = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)) / 0.05;
  const double common = 0.5 * model.amount_1 + 0.2 * model.amount_2 + 0.3 * model.amount_3;
  const double deviation = std::sqrt(common * common + std::pow(model.amount_1, 2) + std::pow(0.8 * model.amount_2, 2) +
                                     std::pow(0.9 * model.amount_3, 2));
  EXPECT_NEAR(factor * deviation - optimum.value, 1, 1e-9);
  EXPECT_NEAR(*model.exact_means()[0], optimum.value, 1e-11);
  // At the optimum the gradient of the Lagrangian vanishes, so all μᵢ / (Σa)ᵢ are equal.
  const double first = 0.5 / (0.5 * common + model.amount_1), second = 0.3 / (0.2 * common + 0.64 * model.amount_2),
               third = 0.4 / (0.3 * common + 0.81 * model.amount_3);
  EXPECT_NEAR(first, second, 1e-9);
  EXPECT_NEAR(first, third, 1e-9);
  const auto own = simulate(Host(), model, plan_with(1, 100'000)).responses[0];
  EXPECT_NEAR(own.deviation, deviation, 4 * deviation / std::sqrt(2e5));
}

TEST(Zoo, RefusesWhatIsNone) {
  auto capacity = default_model<ReservedCapacity>();
  capacity.reserve_2 = 101;
  EXPECT_EQ(refusal(capacity).substr(0, 9), "reserve_2");
  auto restaurant = default_model<Restaurant>();
  restaurant.tables_8 = 5;
  EXPECT_EQ(refusal(restaurant), "the tables have 104 seats, expected at most seats, 80");
  auto newsvendor = default_model<SubstitutionNewsvendor>();
  newsvendor.level_4 = -1;
  EXPECT_EQ(refusal(newsvendor), "level_4 is -1, expected a whole number from 0 to 1000000");
  auto risk = default_model<EmpiricalRisk>();
  risk.rows = 0;
  EXPECT_EQ(refusal(risk), "rows is 0, expected a whole number from 1 to 1000000");
  auto likelihood = default_model<GammaLikelihood>();
  likelihood.x_1 = 0;
  EXPECT_EQ(refusal(likelihood), "x_1 is 0, expected a number from 0.001 to 1000");
}

template <class Space>
class ZooOn : public ::testing::Test {};
TYPED_TEST_SUITE(ZooOn, Backends, BackendName);

TYPED_TEST(ZooOn, HasTheKnownBits) {
  expect_digest<TypeParam>(default_model<NoisyQuadratic>(), 0x677742e40f088f0f);
  expect_digest<TypeParam>(default_model<GammaLikelihood>(), 0x01c362a6d81c85e4);
  expect_digest<TypeParam>(default_model<EmpiricalRisk>(), 0x30d5b9544f6b5a28);
  expect_digest<TypeParam>(default_model<ReservedCapacity>(), 0x7f1d41c093ca498a);
  expect_digest<TypeParam>(default_model<SubstitutionNewsvendor>(), 0x48174f381d8a12c6);
  expect_digest<TypeParam>(default_model<Restaurant>(), 0x164333ed17c783c6);
  expect_digest<TypeParam>(default_model<MessageNetworks>(), 0xd8be0a27477b4db8);
  expect_digest<TypeParam>(default_model<ChessPlatform>(), 0x4d841a37c7d8614f);
  expect_digest<TypeParam>(default_model<AssetMix>(), 0x624572b1c690dd46);
}

}  // namespace zoo_tests
}  // namespace sporos::test
