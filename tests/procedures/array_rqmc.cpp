// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks Array-RQMC against the exact mean wait of a customer in M/M/1 and the price of a geometric Asian call.
#include "harness/backends.hpp"
#include "harness/long_tests.hpp"
#include "harness/serial_or_host.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/models/finance/path_option.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/procedures/array_rqmc/array_rqmc.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace sporos {
namespace array_rqmc_tests {

using test::SerialOrHost;

// Waits of successive customers of M/M/1: after n steps the state is the wait of customer n + 1.
struct Wait {
  struct State {
    double wait;
  };
  enum Input { interarrival, service, input_count };
  double arrival_rate, service_rate;
  double sign = 1;  // sign of the keys; NaN makes them invalid

  KOKKOS_FUNCTION State start() const { return {0}; }
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const double next =
        state.wait + exponential(inputs(service), service_rate) - exponential(inputs(interarrival), arrival_rate);
    state.wait = next > 0 ? next : 0.0;
  }
  KOKKOS_FUNCTION double key(const State& state) const { return sign * state.wait; }
  KOKKOS_FUNCTION double response(const State& state) const { return state.wait; }

  double exact(std::int64_t steps) const {
    const auto total = [&](std::int64_t customers) {
      return static_cast<double>(customers) * *models::MM1{arrival_rate, service_rate, customers, 0}.exact_means()[0];
    };
    return total(steps + 1) - total(steps);
  }
};

template <class Space>
class ArrayRqmc : public ::testing::Test {};
TYPED_TEST_SUITE(ArrayRqmc, test::Backends, test::BackendName);

// An interval misses with probability about 1e-3. The next customer's mean wait lies outside (control).
TYPED_TEST(ArrayRqmc, FindsTheMeanWaitOfACustomer) {
  const Wait queue{0.7, 1};
  ArrayRqmcOptions options;
  options.steps = 20;
  options.confidence = 0.999;
  const ArrayRqmcResult found = array_rqmc(TypeParam(), queue, options);
  EXPECT_NEAR(found.mean, queue.exact(20), found.half_width);
  EXPECT_LT(found.half_width, 0.01 * queue.exact(20));
  EXPECT_GT(std::abs(found.mean - queue.exact(21)), found.half_width) << "control";
}

// The path has 16 steps; the price for 8 steps lies outside (control). An interval misses with probability about 1e-3.
TYPED_TEST(ArrayRqmc, FindsThePriceOfAnAsianCall) {
  const models::CallOptions call{100, 100, 0.05, 0.2, 1, 1, 0};
  ArrayRqmcOptions options;
  options.steps = 16;
  options.confidence = 0.999;
  const ArrayRqmcResult found = array_rqmc(TypeParam(), call.array_chain(options.steps), options);
  const double exact = *call.exact_after(options.steps);
  EXPECT_NEAR(found.mean, exact, found.half_width);
  EXPECT_LT(found.half_width, 2e-3 * exact);
  EXPECT_GT(std::abs(found.mean - *call.exact_after(8)), found.half_width) << "control";
}

TYPED_TEST(ArrayRqmc, HasTheSameBitsOnEachBackend) {
  ArrayRqmcOptions options;
  options.chains = 64;
  options.steps = 5;
  const auto estimates = array_rqmc(TypeParam(), Wait{0.7, 1}, options).estimates;
  EXPECT_EQ(estimates, array_rqmc(SerialOrHost(), Wait{0.7, 1}, options).estimates);
  options.seed = 2;
  EXPECT_NE(estimates, array_rqmc(SerialOrHost(), Wait{0.7, 1}, options).estimates);
}

// Least-squares slope of log2 of the variance against log2 of the number of chains, over 4 variances of 60
// randomizations: its standard deviation is about 0.06. The numbers of chains are between 2^5 and 2^11, or between 2^6
// and 2^12 with SPOROS_LONG_TESTS.
template <class Chain>
double variance_slope(const Chain& chain, bool is_random) {
  ArrayRqmcOptions options;
  options.steps = 10;
  options.randomizations = 60;
  options.is_random = is_random;
  double slope = 0;
  for (const int step : {-3, -1, 1, 3}) {
    options.chains = std::int64_t{1} << (test::runs_in_test(8, 9) + step);
    slope += step * std::log2(array_rqmc(Kokkos::DefaultHostExecutionSpace(), chain, options).variance) / 20;
  }
  return slope;
}

TEST(ArrayRqmcLaws, VarianceFallsFasterThanOfIndependentChains) {
  const double slope = variance_slope(Wait{0.7, 1}, false), plain = variance_slope(Wait{0.7, 1}, true);
  RecordProperty("slopes", std::to_string(slope) + " " + std::to_string(plain));
  EXPECT_LT(slope, -1.4);
  EXPECT_NEAR(plain, -1, 0.3) << "control";
}

TEST(ArrayRqmcLaws, VarianceOfAnAsianCallFallsFaster) {
  const auto path = models::CallOptions{100, 100, 0.05, 0.2, 1, 1, 0}.array_chain(10);
  const double slope = variance_slope(path, false), plain = variance_slope(path, true);
  RecordProperty("slopes", std::to_string(slope) + " " + std::to_string(plain));
  EXPECT_LT(slope, -1.4);
  EXPECT_NEAR(plain, -1, 0.3) << "control";
}

TEST(ArrayRqmcLaws, RefuseWhatIsOutOfRange) {
  const auto refuses = [](auto member, auto value) {
    ArrayRqmcOptions options;
    options.*member = value;
    EXPECT_THROW(array_rqmc(SerialOrHost(), Wait{0.7, 1}, options), std::invalid_argument);
  };
  refuses(&ArrayRqmcOptions::chains, 1000);
  refuses(&ArrayRqmcOptions::chains, 1);
  refuses(&ArrayRqmcOptions::steps, 0);
  refuses(&ArrayRqmcOptions::randomizations, 1);
  refuses(&ArrayRqmcOptions::confidence, 1.0);
  ArrayRqmcOptions options;
  options.steps = 2;
  const Wait bad{0.7, 1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(array_rqmc(SerialOrHost(), bad, options), std::runtime_error);
}

}  // namespace array_rqmc_tests
}  // namespace sporos
