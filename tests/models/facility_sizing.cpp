// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facility sizing: checks replications against closed forms, integrals of the joint density and SimOpt's means, and the
// known best capacities for independent demands.
#include "model_checks.hpp"

#include <harness/backends.hpp>

#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/inventory/facility_sizing.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

namespace sporos::test {
namespace facility_sizing_tests {

using models::FacilitySizing;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DescribedModel<FacilitySizing> && DifferentiableModel<FacilitySizing>);

FacilitySizing with_capacities(double capacity_1, double capacity_2, double capacity_3) {
  auto model = default_model<FacilitySizing>();
  model.capacity_1 = capacity_1;
  model.capacity_2 = capacity_2;
  model.capacity_3 = capacity_3;
  return model;
}

// Demands without covariances; one of them is often drawn again.
FacilitySizing independent() {
  FacilitySizing model = with_capacities(130, 90, 100);
  model.covariance_1_2 = model.covariance_1_3 = model.covariance_2_3 = 0;
  model.mean_2 = 20;
  model.variance_3 = 900;
  model.unit_cost_3 = 2.5;
  return model;
}

// Integrates the joint density, with the inverse covariance matrix by cofactors. Returns the probability of a
// stock-out, and the means of short facilities and of unmet demand.
std::array<double, 3> integrated(const FacilitySizing& f) {
  const double a = f.variance_1, b = f.covariance_1_2, c = f.covariance_1_3, d = f.variance_2, e = f.covariance_2_3,
               g = f.variance_3;
  const double determinant = a * (d * g - e * e) - b * (b * g - c * e) + c * (b * e - c * d);
  const auto density = [&](double x, double y, double z) {
    const double u = x - f.mean_1, v = y - f.mean_2, w = z - f.mean_3;
    const double form = (d * g - e * e) * u * u + (a * g - c * c) * v * v + (a * d - b * b) * w * w +
                        2 * ((c * e - b * g) * u * v + (b * e - c * d) * u * w + (b * c - a * e) * v * w);
    return std::exp(-0.5 * form / determinant);
  };
  // The capacities cut the box of demands into pieces; met and unmet demand are smooth in each piece.
  using Rule = boost::math::quadrature::gauss<double, 30>;
  const std::array<double, 3> capacity{f.capacity_1, f.capacity_2, f.capacity_3};
  const double far = 9 * std::sqrt(std::max({a, d, g})) + std::max({f.mean_1, f.mean_2, f.mean_3});
  double all = 0, stock_out = 0, facilities = 0, unmet = 0;
  for (int piece = 0; piece < 8; ++piece) {
    const auto is_short = [&](int i) { return (piece >> i & 1) == 1; };
    const auto from = [&](int i) { return is_short(i) ? capacity[static_cast<std::size_t>(i)] : 0.0; };
    const auto to = [&](int i) { return is_short(i) ? far : capacity[static_cast<std::size_t>(i)]; };
    const auto over_piece = [&](const auto& integrand) {
      return Rule::integrate(
          [&](double x) {
            return Rule::integrate(
                [&](double y) {
                  return Rule::integrate([&](double z) { return integrand(x, y, z) * density(x, y, z); }, from(2),
                                         to(2));
                },
                from(1), to(1));
          },
          from(0), to(0));
    };
    const double probability = over_piece([](double, double, double) { return 1.0; });
    all += probability;
    stock_out += piece > 0 ? probability : 0;
    facilities += probability * (is_short(0) + is_short(1) + is_short(2));
    unmet += over_piece([&](double x, double y, double z) {
      return is_short(0) * (x - capacity[0]) + is_short(1) * (y - capacity[1]) + is_short(2) * (z - capacity[2]);
    });
  }
  return {stock_out / all, facilities / all, unmet / all};
}

std::array<std::optional<double>, 4> integrated_means(const FacilitySizing& model) {
  const auto means = integrated(model);
  return {model.installation_cost(), means[0], means[1], means[2]};
}

TEST(FacilitySizing, ExactMeansAreThoseOfIntegration) {
  const auto exact = independent().exact_means(), by_integration = integrated_means(independent());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(*exact[i], *by_integration[i], 1e-7 * *exact[i]) << i;
  EXPECT_EQ(*default_model<FacilitySizing>().exact_means()[0], 850);
  EXPECT_FALSE(default_model<FacilitySizing>().exact_means()[1]);
}

// Checks 16 intervals of 99.9 %.
TEST(FacilitySizing, IntervalsHoldTheMeansOfIntegration) {
  FacilitySizing negative = with_capacities(150, 120, 170);
  negative.covariance_1_2 = -1200;
  negative.covariance_2_3 = -900;
  for (const FacilitySizing& model :
       {independent(), with_capacities(150, 120, 170), negative, default_model<FacilitySizing>()}) {
    EXPECT_EQ(misses(simulate(Host(), model, plan_with(1, 100'000)), integrated_means(model)), 0);
  }
}

TEST(FacilitySizingControl, DemandsWithoutTheirCovariancesAreFound) {
  FacilitySizing model = with_capacities(150, 120, 170);
  const auto exact = integrated_means(model);
  model.covariance_1_2 = model.covariance_1_3 = model.covariance_2_3 = 0;
  EXPECT_GE(misses(simulate(Host(), model, plan_with(1, 100'000)), exact), 1);
}

// Compares with means and standard errors of 100000 replications of SimOpt 1.2.4's FacilitySize. Each interval of a
// difference misses with probability 10^-3.
TEST(FacilitySizing, HasTheMeansOfSimOpt) {
  const auto result = simulate(Host(), with_capacities(150, 120, 170), plan_with(1, 100'000));
  const auto expect_mean = [&](std::size_t response, double mean, double error) {
    const auto& own = result.responses[response];
    EXPECT_NEAR(own.mean, mean, std::hypot(own.half_width, 3.29 * error)) << own.name;
  };
  expect_mean(1, 0.377810, 0.001533);
  expect_mean(2, 0.529580, 0.002412);
}

// Σ c x + p · unmet demand is smallest where P(D > x) = c / p at each facility.
TEST(FacilitySizing, HasItsLeastCostAtTheQuantilesOfIndependentDemands) {
  const double penalty = 8;
  FacilitySizing best = independent();
  const auto quantile = [&](double mean, double variance, double unit_cost) {
    const boost::math::normal normal(mean, std::sqrt(variance));
    const double above = unit_cost / penalty * boost::math::cdf(complement(normal, 0));
    return boost::math::quantile(complement(normal, above));
  };
  best.capacity_1 = quantile(best.mean_1, best.variance_1, best.unit_cost_1);
  best.capacity_2 = quantile(best.mean_2, best.variance_2, best.unit_cost_2);
  best.capacity_3 = quantile(best.mean_3, best.variance_3, best.unit_cost_3);
  const auto cost = [&](const FacilitySizing& model) {
    const auto means = model.exact_means();
    return *means[0] + penalty * *means[3];
  };
  for (const auto capacity : {&FacilitySizing::capacity_1, &FacilitySizing::capacity_2, &FacilitySizing::capacity_3}) {
    for (const double step : {-1.0, 1.0}) {
      FacilitySizing other = best;
      other.*capacity += step;
      EXPECT_GT(cost(other), cost(best) + 1e-3);
    }
  }
}

// Derivatives by the capacities: the unit cost for the cost, −P(D > x) for unmet demand. Checks 6 intervals of 99.9 %.
TEST(FacilitySizing, PathwiseDerivativesAreThoseOfTheIntegrals) {
  const std::array<std::string, 3> names{"capacity_1", "capacity_2", "capacity_3"};
  const FacilitySizing model = with_capacities(150, 120, 170);
  const auto result = simulate(Host(), Pathwise<FacilitySizing, 3>(model, names), plan_with(1, 100'000));
  std::size_t first = 4;
  for (const auto capacity : {&FacilitySizing::capacity_1, &FacilitySizing::capacity_2, &FacilitySizing::capacity_3}) {
    const auto unmet_at = [&](double step) {
      FacilitySizing moved = model;
      moved.*capacity += step;
      return integrated(moved)[2];
    };
    EXPECT_EQ(result.responses[first].mean, 1);
    const auto& slope = result.responses[first + 3];
    EXPECT_NEAR(slope.mean, (unmet_at(0.1) - unmet_at(-0.1)) / 0.2, slope.half_width + 1e-4) << slope.name;
    EXPECT_EQ(result.responses[first + 1].mean, 0) << "an event has none";
    first += 4;
  }
}

TEST(FacilitySizing, RefusesWhatMakesNoDemands) {
  const auto with = [](auto member, double value) {
    auto model = default_model<FacilitySizing>();
    model.*member = value;
    return refusal(model);
  };
  using F = FacilitySizing;
  EXPECT_EQ(with(&F::capacity_2, -1), "capacity_2 is -1, expected a finite number of at least 0");
  EXPECT_EQ(with(&F::variance_3, 0), "variance_3 is 0, expected a positive finite number");
  EXPECT_EQ(with(&F::covariance_1_2, 2000),
            "covariance_1_2 is 2000, expected a value that makes the covariance matrix positive definite");
  EXPECT_EQ(with(&F::covariance_2_3, -1500),
            "covariance_2_3 is -1500, expected a value that makes the covariance matrix positive definite");
  EXPECT_EQ(with(&F::mean_1, 1).substr(0, 59), "sum of the probabilities of negative demands is 0.516427441");
  EXPECT_EQ(with(&F::mean_1, 10), "taken");
  EXPECT_EQ(refusal(default_model<F>()), "taken");
}

template <class Space>
class FacilitySizingOn : public ::testing::Test {};
TYPED_TEST_SUITE(FacilitySizingOn, Backends, BackendName);

TYPED_TEST(FacilitySizingOn, HasTheKnownBits) {
  expect_digest<TypeParam>(with_capacities(150, 120, 170), 0x24369775ffd9307d);
}

}  // namespace facility_sizing_tests
}  // namespace sporos::test
