// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the line of three stations against the equilibrium of its Markov chain.
#include "model_checks.hpp"

#include <harness/backends.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/queues/tandem_line.hpp>
#include <sporos/models/queues/tandem_line_chain.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sporos::test {
namespace tandem_line_tests {

using models::exact_throughput;
using models::TandemLine;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DescribedModel<TandemLine> && DifferentiableModel<TandemLine>);

std::array<std::optional<double>, 4> exact_means(const TandemLine& line) {
  const auto [throughput, jobs] = models::exact_equilibrium(line);
  return {1 / throughput, throughput, jobs / throughput, jobs};
}

TEST(TandemLineChain, HasKnownThroughputs) {
  EXPECT_NEAR(exact_throughput({6, 7, 7, 12, 8, 0, 1}), 5.776, 5e-4) << "the best line of the literature";
  EXPECT_NEAR(exact_throughput({1, 1, 1e9, 1, 1, 0, 1}), 2.0 / 3, 1e-8) << "two stations without a buffer between";
  EXPECT_NEAR(exact_throughput({1, 1, 1, 1, 1, 0, 1}), 22.0 / 39, 1e-12) << "Hunt 1956";
  // A fast station 3 leaves an M/M/1 queue with room for buffer_2 + 1 jobs between stations 1 and 2.
  EXPECT_NEAR(exact_throughput({2, 1, 1e9, 3, 1, 0, 1}), 1 - 1.0 / 31, 1e-8);
}

// With one slow station, blocking keeps it and all places before it full. In the M/M/1 queue as above, station 1 always
// has one job and min(n, 3) of n jobs are past it; the fourth job is the one that blocks station 1.
TEST(TandemLineChain, HasKnownWorkInProcess) {
  EXPECT_NEAR(models::exact_equilibrium({1e9, 1, 1e9, 3, 1, 0, 1}).work_in_process, 4, 1e-8);
  EXPECT_NEAR(models::exact_equilibrium({1e9, 1e9, 1, 3, 2, 0, 1}).work_in_process, 6, 1e-8);
  double jobs = 0, sum = 0;
  for (int n = 0; n <= 4; ++n) {
    jobs += std::pow(2, n) * (1 + std::min(n, 3));
    sum += std::pow(2, n);
  }
  EXPECT_NEAR(models::exact_equilibrium({2, 1, 1e9, 3, 1, 0, 1}).work_in_process, jobs / sum, 1e-7);
}

std::vector<TandemLine> some_lines() {
  return {{6, 7, 7, 12, 8, 1000, 1000}, {1, 1, 1, 1, 1, 200, 1000},  {3, 1, 2, 4, 1, 200, 1000},
          {1, 2, 3, 2, 5, 200, 1000},   {9, 5, 1, 1, 7, 1000, 1000}, {0.5, 10, 0.5, 3, 32, 3000, 1000}};
}

// Checks 28 intervals of 99.9 %.
TEST(TandemLine, IntervalsHoldTheThroughputOfItsMarkovChain) {
  for (const TandemLine& line : some_lines()) {
    EXPECT_EQ(misses(simulate(Host(), line, plan_with(1, 1000)), exact_means(line)), 0) << line.rate_1;
  }
  const TandemLine default_value = default_model<TandemLine>();
  EXPECT_EQ(misses(simulate(Host(), default_value, plan_with(1, 2000)), exact_means(default_value)), 0);
}

TEST(TandemLineControl, APlaceMoreIsFound) {
  TandemLine line{1, 1, 1, 2, 2, 200, 1000};
  const auto result = simulate(Host(), line, plan_with(1, 1000));
  EXPECT_EQ(misses(result, exact_means(line)), 0);
  line.buffer_2 = 3;
  EXPECT_EQ(misses(result, exact_means(line)), 4);
  line.buffer_2 = 2;
  line.buffer_3 = 3;
  EXPECT_EQ(misses(result, exact_means(line)), 4);
}

// TandemLine with throughput and work in process estimated by averages of the replications' own ratios.
struct AveragesThroughputs : TandemLine {
  std::vector<RatioOfMeans> ratios() const { return {}; }
};

TEST(TandemLineControl, AnAverageOfThroughputsIsTooLarge) {
  const AveragesThroughputs line{{6, 7, 7, 5, 5, 200, 20}};
  const auto result = simulate(Host(), line, plan_with(1, 10'000));
  EXPECT_EQ(misses(result, exact_means(line)), 2);
  EXPECT_GT(result.responses[1].mean, exact_throughput(line));
}

// Checks 9 intervals of 99.9 %.
TEST(TandemLine, PathwiseDerivativesAreThoseOfTheChain) {
  const std::array<std::string, 3> names{"rate_1", "rate_2", "rate_3"};
  for (const TandemLine& line :
       {TandemLine{6, 7, 7, 4, 3, 200, 200}, {1, 2, 1, 1, 2, 200, 200}, {3, 2, 1, 1, 1, 200, 200}}) {
    const auto result = simulate(Host(), Pathwise<TandemLine, 3>(line, names), plan_with(1, 4000));
    const auto time_at = [&](double TandemLine::*rate, double factor) {
      TandemLine moved = line;
      moved.*rate *= factor;
      return 1 / exact_throughput(moved);
    };
    std::size_t response = 4;
    for (const auto rate : {&TandemLine::rate_1, &TandemLine::rate_2, &TandemLine::rate_3}) {
      const double derivative = (time_at(rate, 1.001) - time_at(rate, 0.999)) / (0.002 * line.*rate);
      const auto& estimate = result.responses[response];
      EXPECT_NEAR(estimate.mean, derivative, estimate.half_width + 1e-6) << estimate.name;
      response += 4;
    }
  }
}

struct SomeInputs {
  double operator()(int) { return 0.5; }
};

TEST(TandemLine, RefusesWhatMakesNoLine) {
  EXPECT_EQ(refusal(TandemLine{0, 7, 7, 5, 5, 20, 50}), "rate_1 is 0, expected a positive finite number");
  EXPECT_EQ(refusal(TandemLine{6, 7, 7, 0, 5, 20, 50}), "buffer_2 is 0, expected a whole number from 1 to 127");
  EXPECT_EQ(refusal(TandemLine{6, 7, 7, 5, 128, 20, 50}), "buffer_3 is 128, expected a whole number from 1 to 127");
  EXPECT_EQ(refusal(TandemLine{6, 7, 7, 65, 64, 20, 50}),
            "buffer_2 and buffer_3 are 129 together, expected at most 128");
  EXPECT_EQ(refusal(TandemLine{6, 7, 7, 5, 5, -1, 50}), "warm_up is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal(TandemLine{6, 7, 7, 5, 5, 20, 0}), "jobs is 0, expected a positive integer");
  SomeInputs inputs;
  EXPECT_DEATH((TandemLine{6, 7, 7, 65, 64, 20, 50}(inputs)), "buffers of tandem-line are outside their checked range");
  EXPECT_EQ(refusal(TandemLine{6, 7, 7, 1, 127, 0, 1}), "taken");
  EXPECT_EQ(refusal(default_model<TandemLine>()), "taken");
}

template <class Space>
class TandemLineOn : public ::testing::Test {};
TYPED_TEST_SUITE(TandemLineOn, Backends, BackendName);

TYPED_TEST(TandemLineOn, HasTheKnownBits) {
  expect_digest<TypeParam>(TandemLine{6, 7, 7, 12, 8, 100, 50}, 0x7de2b7cbd737a232);
}

}  // namespace tandem_line_tests
}  // namespace sporos::test
