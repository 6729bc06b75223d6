// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the covariances between the responses of an experiment.
#include <harness/backends.hpp>

#include <sporos/core/math/normal.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/queues/mm1.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace covariances_tests {

using namespace sporos;
using models::MM1;
using Host = Kokkos::DefaultHostExecutionSpace;

// Responses u, u + v, u² and −v of two uniforms u and v.
struct Related {
  enum Input { first, second, input_count };
  static constexpr auto response_names = std::array{"u", "sum", "square", "less"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 4> operator()(Inputs& inputs) const {
    const double u = inputs(first), v = inputs(second);
    return {{u, u + v, u * u, -v}};
  }
};

Plan plan_of(std::int64_t replications) {
  Plan plan;
  plan.replications = replications;
  plan.covariances = true;
  return plan;
}

// Responses of all replications, one column for each response.
template <class Model>
std::vector<std::vector<double>> columns_of(const Model& model, const Plan& plan) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(response_count_of(model)));
  const Recorder recorder = [&](const ReplicationRows& rows) {
    for (std::int64_t row = 0; row < rows.count; ++row) {
      for (std::size_t r = 0; r < columns.size(); ++r) columns[r].push_back(rows(0, row, r));
    }
  };
  simulate(Host(), model, plan, {}, {}, single_process, {}, recorder);
  return columns;
}

double covariance_of(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<long double>(a.size());
  long double mean_a = 0, mean_b = 0, sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return static_cast<double>(sum / (n - 1));
}

TEST(Covariances, AreThoseOfTheReplications) {
  for (const std::int64_t replications : {2, 63, 64, 1000}) {
    const Plan plan = plan_of(replications);
    const PointResult result = simulate(Host(), Related(), plan);
    const auto columns = columns_of(Related(), plan);
    ASSERT_EQ(result.covariances.size(), 16u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(result.covariances[5 * i], result.responses[i].variance);
      for (std::size_t j = 0; j < 4; ++j)
        EXPECT_NEAR(result.covariances[4 * i + j], covariance_of(columns[i], columns[j]), 1e-14) << i << ", " << j;
    }
  }
}

// Checks 6 intervals that hold simultaneously with probability 99.9 % (Bonferroni). The variance of an estimated
// covariance is Var((X − EX)(Y − EY)) / n, which is below 1 / 4 / n here. Control: other covariances lie outside.
TEST(Covariances, AreThoseOfTheory) {
  constexpr std::int64_t replications = 1'000'000;
  const auto found = simulate(Host(), Related(), plan_of(replications)).covariances;
  const std::array<double, 16> exact{1.0 / 12, 1.0 / 12,  1.0 / 12,   0,          //
                                     1.0 / 12, 1.0 / 6,   1.0 / 12,   -1.0 / 12,  //
                                     1.0 / 12, 1.0 / 12,  4.0 / 45.0, 0,          //
                                     0,        -1.0 / 12, 0,          1.0 / 12};
  const double half_width = -math::normal_quantile(0.5e-3 / 6) * 0.5 / std::sqrt(replications);
  EXPECT_LT(half_width, 0.03 / 12);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(found[i], exact[i], half_width) << i;
  EXPECT_GT(std::abs(found[1] - exact[3]), half_width);
}

// The queue length is a ratio of means. Its covariances are those of its linearized observations.
TEST(Covariances, OfRatiosAreThoseOfTheirLinearParts) {
  const MM1 queue{0.5, 1, 20, 0};
  const Plan plan = plan_of(2000);
  const PointResult result = simulate(Host(), queue, plan);
  auto columns = columns_of(queue, plan);
  const double n = 20, length = result.responses[3].mean;
  const auto mean = [&](std::size_t r) { return result.responses[r].mean; };
  const double duration = mean(2) + n * (mean(1) - mean(0));
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    const double own = columns[2][i] + n * (columns[1][i] - columns[0][i]);
    columns[3][i] = length + (n * columns[0][i] - length * own) / duration;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double expected = covariance_of(columns[i], columns[j]);
      EXPECT_NEAR(result.covariances[4 * i + j], expected, 1e-10 * std::abs(expected)) << i << ", " << j;
    }
  }
}

TEST(Covariances, AreThereWhereThePlanAsksForThem) {
  Plan plan = plan_of(100);
  plan.covariances = false;
  const PointResult without = simulate(Host(), MM1{0.5, 1, 20, 0}, plan);
  EXPECT_TRUE(without.covariances.empty());
  plan.covariances = true;
  const PointResult with = simulate(Host(), MM1{0.5, 1, 20, 0}, plan);
  EXPECT_EQ(with.digest, without.digest);
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(with.responses[r].mean, without.responses[r].mean);
    EXPECT_EQ(with.responses[r].variance, without.responses[r].variance);
    EXPECT_EQ(with.responses[r].half_width, without.responses[r].half_width);
  }
  for (const double covariance : simulate(Host(), Related(), plan_of(1)).covariances) {
    EXPECT_EQ(covariance, std::numeric_limits<double>::infinity());
  }
}

// A model whose number of responses is set at run time.
struct Wide {
  int responses;

  enum Input { value, input_count };
  KOKKOS_FUNCTION int response_count() const { return responses; }
  std::string response_name(int response) const { return std::to_string(response); }

  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& written) const {
    const double u = inputs(value);
    for (int r = 0; r < responses; ++r) written.set(r, u + r);
  }
};

TEST(Covariances, OfMoreResponsesThanMemoryHasRoomForAreRefused) {
  EXPECT_THROW(simulate(Host(), Wide{3'000'000}, plan_of(2)), OutOfMemory);
  const PointResult result = simulate(Host(), Wide{100}, plan_of(65));
  ASSERT_EQ(result.covariances.size(), 10'000u);
  for (const double covariance : result.covariances) EXPECT_NEAR(covariance, result.covariances[0], 1e-14);
}

template <class Space>
class CovariancesOn : public ::testing::Test {};
TYPED_TEST_SUITE(CovariancesOn, test::Backends, test::BackendName);

// Fixed and sequential experiments, and runs of several replications.
std::vector<Plan> plans() {
  Plan sequential = plan_of(20'000), runs = plan_of(1200);
  sequential.precision.half_width = 0.01;
  sequential.batch = 100;
  runs.source.sampling = Sampling::antithetic;
  runs.source.run_length = 20;
  return {plan_of(1000), plan_of(4097), sequential, runs};
}

template <class Space>
void expect_the_same_bits() {
  for (Plan plan : plans()) {
    const auto expected = simulate(Host(), Related(), plan);
    for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
      plan.mapping = mapping;
      EXPECT_EQ(simulate(Space(), Related(), plan).covariances, expected.covariances);
    }
    Checkpoints checkpoints;
    std::int64_t launches = 0;
    const auto first = simulate(Space(), std::array{Related()}, plan, [&](const Progress&) { return ++launches < 2; });
    checkpoints.start = first.state;
    EXPECT_EQ(simulate(Space(), std::array{Related()}, plan, {}, {}, single_process, checkpoints).points[0].covariances,
              expected.covariances);
    checkpoints.start->points[0].summary.pairs.pop_back();
    EXPECT_THROW(simulate(Space(), std::array{Related()}, plan, {}, {}, single_process, checkpoints),
                 std::invalid_argument);
  }
}

TYPED_TEST(CovariancesOn, HaveTheSameBits) { expect_the_same_bits<TypeParam>(); }

}  // namespace covariances_tests
