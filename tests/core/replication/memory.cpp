// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>
#include <harness/memory_limit.hpp>

#include <sporos/core/replication/experiment.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Experiments whose outputs do not fit into memory run in smaller launches and give the same bits.
namespace memory_tests {

using namespace sporos;

// A model with two responses, so that a replication takes 32 bytes for its outputs and their summary.
struct Pair {
  int scale;

  enum Input { value, input_count };
  static constexpr auto response_names = std::array{"u", "scaled"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    const double u = inputs(value);
    return {{u, scale * u}};
  }
};

template <class Space>
class ExperimentMemory : public ::testing::Test {};
TYPED_TEST_SUITE(ExperimentMemory, test::Backends, test::BackendName);

struct Run {
  ExperimentResult result;
  int launches = 0;
};

template <class Space>
Run run_of(const Plan& plan, std::size_t points) {
  std::vector<Pair> models;
  for (std::size_t point = 0; point < points; ++point) models.push_back({static_cast<int>(point) + 1});
  Run run;
  const Watcher count = [&](const Progress&) {
    ++run.launches;
    return true;
  };
  run.result = simulate(Space(), std::span<const Pair>(models), plan, count);
  return run;
}

void expect_same_bits(const Run& run, const Run& expected) {
  ASSERT_EQ(run.result.points.size(), expected.result.points.size());
  for (std::size_t point = 0; point < run.result.points.size(); ++point) {
    const auto &a = run.result.points[point], &b = expected.result.points[point];
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.replications, b.replications);
    EXPECT_EQ(a.responses.at(1).mean, b.responses.at(1).mean);
    EXPECT_EQ(a.responses.at(1).variance, b.responses.at(1).variance);
  }
}

template <class Space>
void expect_streams(const Plan& plan, std::size_t points) {
  const Run whole = run_of<Space>(plan, points);
  constexpr std::int64_t bytes = 300'000;
  const test::MemoryLimit limit(std::to_string(bytes));
  const Run in_batches = run_of<Space>(plan, points);
  expect_same_bits(in_batches, whole);
  // A launch takes half of the memory. An output takes 16 bytes, and a replication has two.
  constexpr std::int64_t most = bytes / 2 / 16 / 2;
  EXPECT_GE(in_batches.launches, plan.replications * static_cast<std::int64_t>(points) / most);
}

TYPED_TEST(ExperimentMemory, IsStreamedThroughToTheSameBits) {
  Plan plan;
  plan.replications = 600'011;
  expect_streams<TypeParam>(plan, 1);
  plan.replications = 200'003;
  expect_streams<TypeParam>(plan, 3);
}

TYPED_TEST(ExperimentMemory, IsStreamedThroughInWholeRuns) {
  Plan plan;
  plan.source.run_length = 1000;
  plan.replications = 600'000;
  expect_streams<TypeParam>(plan, 1);
}

TYPED_TEST(ExperimentMemory, ThatIsTooSmallForOneRunIsRefused) {
  const test::MemoryLimit limit("1048576");
  Plan plan;
  plan.source.run_length = plan.replications = 1 << 20;
  const std::string owner = test::owner_of_memory<TypeParam>();
  EXPECT_EQ(test::shortage([&] { run_of<TypeParam>(plan, 1); }),
            "the responses of 1048576 replications in a run need 32 MiB, " + owner +
                " has 1 MiB free: at most 32768 replications in a run would fit");
  plan.source.run_length = plan.replications = 1 << 16;
  EXPECT_EQ(test::shortage([&] { run_of<TypeParam>(plan, 100); }),
            "the responses of 100 design points need 200 MiB, " + owner +
                " has 1 MiB free: at most 0 design points would fit");
}

}  // namespace memory_tests
