// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tables against a search by definition, and the errors of their builders and of the parameter checks.
#include "uniforms.hpp"

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos::test {
namespace tables_tests {

using Numbers = std::vector<double>;
using HostDiscreteTable = DiscreteTable<Kokkos::HostSpace>;
using HostEmpiricalTable = EmpiricalTable<Kokkos::HostSpace>;

static_assert(std::is_trivially_copyable_v<DiscreteHandle>);
static_assert(std::is_trivially_copyable_v<EmpiricalHandle>);

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Message of the exception with which `action` refuses its arguments, or "accepted".
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

/// The quantile by definition: the first value whose cumulative probability reaches u.
double search(const DiscreteHandle& table, double u) {
  std::int64_t i = 0;
  while (table.cumulative[i] < u) ++i;
  return table.values[i];
}

TEST(DiscreteTable, AgreesWithASearchFromTheFirstValue) {
  std::mt19937_64 engine(20240502);
  std::exponential_distribution<double> weight(1.0);
  for (const int size : {1, 2, 3, 7, 64, 1000}) {
    Numbers probabilities(size);
    double sum = 0.0;
    for (double& p : probabilities) sum += p = engine() % 4 == 0 ? 0.0 : std::pow(weight(engine), 5.0);
    if (sum == 0.0) sum = probabilities[0] = 1.0;
    for (double& p : probabilities) p /= sum;
    const HostDiscreteTable table(probabilities);
    const DiscreteHandle handle = table.handle();
    // Uniforms at which the search changes (cumulative probabilities and multiples of 1/size), and their neighbours.
    Numbers candidates = uniforms(500);
    for (int i = 0; i < size; ++i) {
      for (const double u : {handle.cumulative[i], (i + 1.0) / size}) {
        candidates.insert(candidates.end(), {std::nextafter(u, 0.0), u, std::nextafter(u, 1.0)});
      }
    }
    for (const double u : candidates) {
      if (!(u > 0.0 && u < 1.0)) continue;
      const double x = discrete(u, handle);
      ASSERT_EQ(x, search(handle, u)) << size << " " << u;
      ASSERT_GT(probabilities[static_cast<std::size_t>(x)], 0.0) << size << " " << u;
    }
  }
}

TEST(DiscreteTable, GivesTheValuesAtTheStepsOfItsCdf) {
  const HostDiscreteTable table(Numbers{10.0, 20.0, 30.0}, Numbers{0.25, 0.0, 0.75});
  EXPECT_EQ(discrete(0.25, table.handle()), 10.0);
  EXPECT_EQ(discrete(std::nextafter(0.25, 1.0), table.handle()), 30.0);
  EXPECT_EQ(discrete(0x1p-53, table.handle()), 10.0);
  EXPECT_EQ(discrete(1.0 - 0x1p-53, table.handle()), 30.0);
}

TEST(DiscreteTable, NeverGivesTrailingImpossibleValues) {
  const HostDiscreteTable table(Numbers{0.1, 0.2, 0.7, 0.0, 0.0});
  EXPECT_EQ(discrete(1.0 - 0x1p-53, table.handle()), 2.0);
}

TEST(DiscreteTable, RefusesBadTables) {
  const auto refused = [](const Numbers& values, const Numbers& probabilities) {
    return refusal([&] { HostDiscreteTable(values, probabilities); });
  };
  EXPECT_EQ(refused({}, {}), "number of values is 0, expected at least 1");
  EXPECT_EQ(refused({1.0, 2.0}, {1.0}), "number of probabilities is 1, expected one for each value, 2");
  EXPECT_EQ(refused({1.0, nan}, {0.5, 0.5}), "values[1] is nan, expected a finite number");
  EXPECT_EQ(refused({3.0, 2.0}, {0.5, 0.5}), "values[0] is 3, expected a number below values[1], 2");
  EXPECT_EQ(refused({1.0, 1.0}, {0.5, 0.5}), "values[0] is 1, expected a number below values[1], 1");
  EXPECT_EQ(refused({1.0, 2.0}, {1.5, -0.5}), "probabilities[1] is -0.5, expected a finite number of at least 0");
  EXPECT_EQ(refused({1.0, 2.0}, {0.5, infinity}), "probabilities[1] is inf, expected a finite number of at least 0");
  EXPECT_EQ(refused({1.0, 2.0}, {0.5, 0.25}), "sum of the probabilities is 0.75, expected 1 to within 1e-09");
  EXPECT_EQ(refused({1.0, 2.0}, {0.5, 0.5 + 1e-10}), "accepted");
  EXPECT_EQ(refusal([] { HostDiscreteTable(Numbers{}); }), "number of values is 0, expected at least 1");
}

TEST(EmpiricalTable, RisesInStraightLinesThroughTheObservations) {
  const HostEmpiricalTable table(Numbers{4.0, 0.0, 1.0, 1.0, 2.0});  // the observations may have any order
  EXPECT_EQ(empirical(0.125, table.handle()), 0.5);
  EXPECT_EQ(empirical(0.25, table.handle()), 1.0);
  EXPECT_EQ(empirical(0.4, table.handle()), 1.0);
  EXPECT_EQ(empirical(0.875, table.handle()), 3.0);
  EXPECT_NEAR(empirical(0x1p-53, table.handle()), 0.0, 1e-15);
  EXPECT_NEAR(empirical(1.0 - 0x1p-53, table.handle()), 4.0, 1e-15);
  EXPECT_EQ(empirical(0.3, HostEmpiricalTable(Numbers{7.0}).handle()), 7.0);
}

TEST(EmpiricalTable, StepsAtTheObservations) {
  const HostEmpiricalTable table(Numbers{1.0, 2.0, 3.0, 4.0});
  EXPECT_EQ(empirical_step(0x1p-53, table.handle()), 1.0);
  EXPECT_EQ(empirical_step(0.25, table.handle()), 1.0);
  EXPECT_EQ(empirical_step(std::nextafter(0.25, 1.0), table.handle()), 2.0);
  EXPECT_EQ(empirical_step(1.0 - 0x1p-53, table.handle()), 4.0);
  EXPECT_EQ(empirical_step(0.3, HostEmpiricalTable(Numbers{7.0}).handle()), 7.0);
}

TEST(EmpiricalTable, NeverFalls) {
  std::mt19937_64 engine(20240503);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Numbers observations(301);
  for (double& x : observations) x = uniform(engine);
  const HostEmpiricalTable table(observations);
  double linear = -2.0, step = -2.0;
  for (const double u : uniforms(30000)) {
    EXPECT_LE(linear, empirical(u, table.handle()));
    EXPECT_LE(step, empirical_step(u, table.handle()));
    linear = empirical(u, table.handle());
    step = empirical_step(u, table.handle());
  }
}

TEST(EmpiricalTable, RefusesBadObservations) {
  EXPECT_EQ(refusal([] { HostEmpiricalTable(Numbers{}); }), "number of observations is 0, expected at least 1");
  EXPECT_EQ(refusal([] {
              HostEmpiricalTable(Numbers{1.0, -infinity});
            }),
            "observations[1] is -inf, expected a finite number");
}

TEST(Parameters, AreRefusedWithNameValueAndExpectation) {
  EXPECT_EQ(refusal([] { check_positive("service rate", -1.0); }),
            "service rate is -1, expected a positive finite number");
  EXPECT_EQ(refusal([] { check_positive("service rate", 0.0); }),
            "service rate is 0, expected a positive finite number");
  EXPECT_EQ(refusal([] { check_positive("service rate", infinity); }),
            "service rate is inf, expected a positive finite number");
  EXPECT_EQ(refusal([] { check_non_negative("deviation", -0.1); }),
            "deviation is -0.1, expected a finite number of at least 0");
  EXPECT_EQ(refusal([] { check_finite("drift", nan); }), "drift is nan, expected a finite number");
  EXPECT_EQ(refusal([] { check_probability("p", 1.1); }), "p is 1.1, expected a probability in [0, 1]");
  EXPECT_EQ(refusal([] { check_probability("p", nan); }), "p is nan, expected a probability in [0, 1]");
  EXPECT_EQ(refusal([] { check_positive_probability("p", 0.0); }), "p is 0, expected a probability in (0, 1]");
  EXPECT_EQ(refusal([] { check_positive_integer("servers", -3); }), "servers is -3, expected a positive integer");
  EXPECT_EQ(refusal([] { check_below("low", 2.0, "high", 2.0); }), "low is 2, expected a number below high, 2");
  EXPECT_EQ(refusal([] { check_not_above("low", 3.0, "mode", 2.0); }), "low is 3, expected a number not above mode, 2");
}

TEST(Parameters, AreAcceptedUpToTheEndsOfTheirDomains) {
  EXPECT_EQ(refusal([] {
              check_positive("rate", std::numeric_limits<double>::denorm_min());
              check_non_negative("deviation", 0.0);
              check_finite("drift", -1e308);
              check_probability("p", 0.0);
              check_probability("p", 1.0);
              check_positive_probability("p", 1.0);
              check_positive_integer("servers", 1);
              check_below("low", 1.0, "high", 2.0);
              check_not_above("low", 2.0, "mode", 2.0);
            }),
            "accepted");
}

}  // namespace tables_tests
}  // namespace sporos::test
