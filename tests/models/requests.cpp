// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of a day's or a week's requests (a park, ambulances, a hotel): checks replications against SimOpt's and closed
// forms.
#include "model_checks.hpp"
#include "simopt_means.hpp"

#include <harness/backends.hpp>
#include <harness/long_tests.hpp>

#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/queues/ambulance_bases.hpp>
#include <sporos/models/queues/amusement_park.hpp>
#include <sporos/models/revenue/hotel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos::test {
namespace requests_tests {

using models::AmbulanceBases, models::AmusementPark, models::Hotel;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DifferentiableModel<AmbulanceBases> && DescribedModel<AmbulanceBases> && DescribedModel<AmusementPark> &&
              DescribedModel<Hotel>);

// The first reference is 535 replications of SimOpt's program with 50 places per attraction, where attractions are
// hardly ever idle. The second reference is 600 replications at SimOpt's start with one statement of its program
// changed: a tourist who moves on to an idle attraction is served immediately, not from the next end of a service.
// SimOpt leaves the time after the last event out of the average number; it is less than 0.01 % of the day.
TEST(Requests, AmusementParkIsThatOfSimOpt) {
  auto model = default_model<AmusementPark>();
  expect_means_of_simopt(model, 200, {{0, 446.17757, 2.75}, {1, 0.132571371, 0.000755}, {2, 127.471197, 0.343}});
  model.places_1 = 344;
  model.places_2 = model.places_3 = model.places_4 = model.places_5 = model.places_6 = model.places_7 = 1;
  expect_means_of_simopt(model, 200, {{0, 1621.97333, 2.19}, {1, 0.482321957, 0.000433}, {2, 5.99565199, 0.0075}});
}

// Compares with 630 replications of SimOpt's unchanged program at its start.
TEST(RequestsControl, AmusementParkIsNotThatOfSimOptAsItIs) {
  auto model = default_model<AmusementPark>();
  model.places_1 = 344;
  model.places_2 = model.places_3 = model.places_4 = model.places_5 = model.places_6 = model.places_7 = 1;
  const auto own = simulate(Host(), model, plan_with(1, 100)).responses[0];
  EXPECT_GT(1696.6254 - own.mean, std::hypot(own.half_width, 3.29 * 2.15));
}

// A balance of tourists, weighted by attraction, gives a lower bound. The routing is that of SimOpt's table.
TEST(Requests, AmusementParkHasItsCertifiedOptimum) {
  auto model = default_model<AmusementPark>();
  constexpr double routing[7][7] = {{0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0},  {0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0},
                                    {0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0},  {0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0},
                                    {0.1, 0.1, 0.1, 0.1, 0, 0.1, 0.3},  {0.1, 0.1, 0.1, 0.1, 0.1, 0, 0.3},
                                    {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2}};
  constexpr double weights[7] = {2.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3, 1, 1, 1};
  // Mean number served by an attraction that is never idle.
  const double served = model.length / (2 * model.phase_mean) - 0.25;
  double below = -static_cast<double>(model.room);
  for (int j = 0; j < 7; ++j) {
    double taken = weights[j];  // weight that a service at attraction j removes
    for (int i = 0; i < 7; ++i) taken -= routing[j][i] * weights[i];
    ASSERT_GE(taken, -1e-12);
    below += weights[j] * (model.arrival_rate * model.length - 1) - taken * served;
  }
  EXPECT_NEAR(below, 204.583, 1e-3);
  const auto optimum = *AmusementPark::problems().front().optimum;
  EXPECT_LE(optimum.value - optimum.half_width, below);
  model.places_1 = model.places_2 = model.places_3 = model.places_4 = static_cast<std::int64_t>(optimum.x[0]);
  model.places_5 = model.places_6 = static_cast<std::int64_t>(optimum.x[4]);
  model.places_7 = static_cast<std::int64_t>(optimum.x[6]);
  const auto own = simulate(Host(), model, plan_with(7, 200)).responses[0];
  EXPECT_LT(own.mean, optimum.value + optimum.half_width + own.half_width);
  model.places_5 -= 40, model.places_1 += 40;
  const auto other = simulate(Host(), model, plan_with(7, 200)).responses[0];
  EXPECT_GT(other.mean, optimum.value + optimum.half_width + other.half_width) << "control: 40 places elsewhere";
}

// Uses replications other than those that found the optimum; checks its value and that no neighbour on the grid is
// better.
TEST(Requests, AmbulanceBasesHaveTheirBestKnownDecisions) {
  const auto optimum = *AmbulanceBases::problems().front().optimum;
  const auto at = [](const std::vector<double>& x) {
    auto model = default_model<AmbulanceBases>();
    model.x_1 = x[0], model.y_1 = x[1], model.x_2 = x[2], model.y_2 = x[3];
    return simulate(Host(), model, plan_with(7, runs_in_test(1500, 4000))).responses[0];
  };
  const auto own = at(optimum.x);
  EXPECT_NEAR(own.mean, optimum.value, optimum.half_width + own.half_width);
  for (std::size_t i = 0; i < 4; ++i)
    for (const double step : {-2.0, 2.0}) {
      std::vector<double> other = optimum.x;
      other[i] += step;
      EXPECT_GT(at(other).mean, own.mean - own.half_width) << i << ", " << step;
    }
  EXPECT_GT(at({6, 6, 6, 6}).mean, optimum.value + optimum.half_width + own.half_width) << "control: the start";
}

// The references are 3000 replications at the start and 2000 at another point.
TEST(Requests, AmbulanceBasesAreThoseOfSimOpt) {
  auto model = default_model<AmbulanceBases>();
  expect_means_of_simopt(model, 3000, {{0, 16.0767458, 0.0767}});
  model.x_1 = 12, model.y_1 = 9, model.x_2 = 16, model.y_2 = 17;
  expect_means_of_simopt(model, 3000, {{0, 8.9224361, 0.0422}});
}

// If a step is so short that no other ambulance is chosen, the difference of means over the same replications equals
// the pathwise derivative up to rounding. A long step changes the chosen ambulances, so the two differ (control).
TEST(Requests, AmbulanceBasesHaveDerivativesAlongThePath) {
  constexpr std::int64_t replications = 200;
  auto model = default_model<AmbulanceBases>();
  model.x_1 = 12, model.y_1 = 9, model.x_2 = 16, model.y_2 = 17;
  const std::array<std::string, 4> names{"x_1", "y_1", "x_2", "y_2"};
  const std::array members{&AmbulanceBases::x_1, &AmbulanceBases::y_1, &AmbulanceBases::x_2, &AmbulanceBases::y_2};
  const auto result = simulate(Host(), Pathwise<AmbulanceBases, 4>(model, names), plan_with(1, replications));
  const auto difference = [&](std::size_t k, double step) {
    AmbulanceBases more = model, less = model;
    more.*members[k] += step;
    less.*members[k] -= step;
    const double above = simulate(Host(), more, plan_with(1, replications)).responses[0].mean;
    return (above - simulate(Host(), less, plan_with(1, replications)).responses[0].mean) / (2 * step);
  };
  double apart = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& slope = result.responses[2 + 2 * k];
    EXPECT_NEAR(slope.mean, difference(k, 1e-7), 1e-6) << slope.name;
    apart = std::max(apart, std::abs(slope.mean - difference(k, 1.0)));
  }
  EXPECT_GT(apart, 0.01);
}

// Calls that are so rare that nearly none finds an ambulance busy are answered by the nearest one. The midpoint rule
// over both uniforms gives its mean distance. An ambulance is busy for less than one minute in 200; another ambulance
// is at most 40 away.
TEST(Requests, RareCallsAreAnsweredFromTheNearestBase) {
  auto model = default_model<AmbulanceBases>();
  model.x_1 = 12, model.y_1 = 9, model.x_2 = 16, model.y_2 = 17;
  model.gap_mean = 1e4;
  model.length = 1e6;
  constexpr std::array<std::array<double, 2>, 5> bases{{{15, 15}, {5, 15}, {5, 5}, {12, 9}, {16, 17}}};
  constexpr int cells = 200;
  double nearest = 0, of_fixed = 0;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      const double x = 20 * std::sqrt((i + 0.5) / cells), y = 20 * std::sqrt((j + 0.5) / cells);
      double least = 40;
      for (std::size_t base = 0; base < bases.size(); ++base) {
        least = std::min(least, std::abs(bases[base][0] - x) + std::abs(bases[base][1] - y));
        if (base == 2) of_fixed += least / (cells * cells);
      }
      nearest += least / (cells * cells);
    }
  }
  const auto own = simulate(Host(), model, plan_with(1, 1000)).responses;
  EXPECT_NEAR(own[0].mean, nearest, own[0].half_width + 0.005 * 40);
  EXPECT_LT(own[1].mean, 0.001);
  EXPECT_GT(of_fixed - own[0].mean, own[0].half_width + 0.005 * 40) << "control: without the bases that are decided";
}

// Returns a hotel whose products have the limits `limit_of(i)`, with products in SimOpt's order.
template <class Limit>
Hotel hotel_with(const Limit& limit_of) {
  auto model = default_model<Hotel>();
  int product = 0;
  for_each_parameter<Hotel>([&](const auto& parameter) {
    if constexpr (std::is_same_v<std::decay_t<decltype(model.*parameter.member)>, std::int64_t>)
      model.*parameter.member = limit_of(product++);
  });
  EXPECT_EQ(product, Hotel::products);
  return model;
}

// The references are 944 replications with limits of 100 and 577 with limits from 1 to 97. At SimOpt's start all limits
// are 0.
TEST(Requests, HotelIsThatOfSimOpt) {
  const auto mixed = [](int product) { return 1 + 37 * product % 97; };
  expect_means_of_simopt(default_model<Hotel>(), 4000, {{0, 53045.0212, 123}});
  expect_means_of_simopt(hotel_with(mixed), 4000, {{0, 33954.5927, 118}});
  EXPECT_EQ(simulate(Host(), hotel_with([](int) { return 0; }), plan_with(1, 10)).responses[0].mean, 0);
  const auto swapped =
      simulate(Host(), hotel_with([&](int product) { return mixed(product ^ 1); }), plan_with(1, 4000));
  EXPECT_GT(std::abs(swapped.responses[0].mean - 33954.5927), 3.29 * 118 + swapped.responses[0].half_width)
      << "control: limits of the other fare";
}

// With a fifth of the demand, all requests are accepted. A stay of 1 to 7 nights has 1, 2, 3, 2, 1, 1/2 and 1/4
// requests a week per fare, over at least 195 hours; both fares together bring 300 a night. A single product with a
// limit of 1 is sold if its Poisson number of requests, with mean 2, is not 0.
TEST(Requests, HotelHasTheRevenueOfFewRequests) {
  constexpr std::array rates{1.0, 2.0, 3.0, 2.0, 1.0, 0.5, 0.25}, until{27.0, 51.0, 75.0, 99.0, 123.0, 144.0, 168.0};
  double revenue = 0;
  for (std::size_t first = 0; first < 7; ++first) {
    for (std::size_t nights = 1; first + nights <= 7; ++nights)
      revenue += 0.2 * 300 * static_cast<double>(nights) * rates[nights - 1] * (168 + until[first]) / 168;
  }
  const auto optimum = *Hotel::problems().front().optimum;
  const auto at_optimum = simulate(Host(), hotel_with([&](int product) {
                                     return static_cast<std::int64_t>(optimum.x[static_cast<std::size_t>(product)]);
                                   }),
                                   plan_with(7, 4000))
                              .responses[0];
  EXPECT_LE(5 * revenue, optimum.value + optimum.half_width) << "of all requests";
  EXPECT_GE(at_optimum.mean + at_optimum.half_width, optimum.value - optimum.half_width);
  EXPECT_LT(at_optimum.mean + at_optimum.half_width, 5 * revenue) << "control: some are refused";
  auto quiet = default_model<Hotel>();
  quiet.demand = 0.2;
  const auto all = simulate(Host(), quiet, plan_with(1, 10'000)).responses;
  EXPECT_NEAR(all[0].mean, revenue, all[0].half_width);
  EXPECT_EQ(all[1].mean, 1);
  const auto last = simulate(Host(), hotel_with([](int product) { return product == 54; }), plan_with(1, 10'000));
  EXPECT_NEAR(last.responses[0].mean, 200 * (1 - std::exp(-2.0)), last.responses[0].half_width);
}

TEST(Requests, RefuseWhatIsNone) {
  auto park = default_model<AmusementPark>();
  park.places_3 = 51;
  EXPECT_EQ(refusal(park), "there are 351 places, expected at most room, 350");
  auto bases = default_model<AmbulanceBases>();
  bases.y_2 = 21;
  EXPECT_EQ(refusal(bases), "y_2 is 21, expected a number from 0 to 20");
  auto hotel = default_model<Hotel>();
  hotel.discount_3_4 = 101;
  EXPECT_EQ(refusal(hotel), "discount_3_4 is 101, expected a whole number from 0 to 100");
}

template <class Space>
class RequestsOn : public ::testing::Test {};
TYPED_TEST_SUITE(RequestsOn, Backends, BackendName);

TYPED_TEST(RequestsOn, HaveTheKnownBits) {
  auto park = default_model<AmusementPark>();
  park.length = 30;
  expect_digest<TypeParam>(park, 0x8031af0c35bf30aa);
  expect_digest<TypeParam>(default_model<AmbulanceBases>(), 0x4e92b77f16d54700);
  expect_digest<TypeParam>(default_model<Hotel>(), 0x81372a7efdd6a165);
}

}  // namespace requests_tests
}  // namespace sporos::test
