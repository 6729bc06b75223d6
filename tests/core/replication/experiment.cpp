// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>

#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/integration/pi.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace experiment_tests {

using namespace sporos;
using models::Pi;

// The sum of `terms` uniforms. It is not a number in replications whose first draw is below `broken_below`.
struct Sum {
  std::int64_t terms;
  double broken_below = 0;

  enum Input { term, input_count };
  static constexpr auto response_names = std::array{"sum", "first"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    const double first = inputs(term);
    double sum = first;
    for (std::int64_t i = 1; i < terms; ++i) sum += inputs(term);
    return {{first < broken_below ? std::nan("") : sum, first}};
  }
};

template <class Space>
class Experiment : public ::testing::Test {};
TYPED_TEST_SUITE(Experiment, test::Backends, test::BackendName);

TYPED_TEST(Experiment, EstimatesAreThoseOfTheOutputs) {
  Plan plan;
  plan.replications = 1000;
  const PointResult result = simulate(TypeParam(), Sum{3}, plan);
  const Design<Sum, TypeParam> design(Sum{3}, plan.seed);
  const Outputs<TypeParam> outputs("outputs", 1000, 2);
  replicate(TypeParam(), design, PreparedSource<TypeParam>(plan.source), {0, 1000}, Mapping::thread, outputs);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  long double sum = 0, squares = 0;
  for (int i = 0; i < 1000; ++i) sum += host(i, 0);
  for (int i = 0; i < 1000; ++i) squares += (host(i, 0) - sum / 1000) * (host(i, 0) - sum / 1000);
  const auto& response = result.responses.at(0);
  EXPECT_EQ(response.name, "sum");
  EXPECT_NEAR(response.mean, static_cast<double>(sum / 1000), 1e-14);
  EXPECT_NEAR(response.variance, static_cast<double>(squares / 999), 1e-13);
  EXPECT_NEAR(response.half_width, 1.9623414611334487 * std::sqrt(response.variance / 1000), 1e-12);
  EXPECT_EQ(result.replications, 1000);
  EXPECT_EQ(result.stopped_by, StopReason::replications);
}

TYPED_TEST(Experiment, NamesTheMappingThatRan) {
  Plan plan;
  plan.replications = 100;
  plan.mapping = Mapping::warp;
  const std::array models{Sum{3}, Sum{4}};
  const Mapping expected = runs_on_host<TypeParam> ? Mapping::thread : Mapping::warp;
  EXPECT_EQ(simulate(TypeParam(), std::span<const Sum>(models), plan).mapping, expected);
  plan.mapping = Mapping::thread;
  EXPECT_EQ(simulate(TypeParam(), std::span<const Sum>(models), plan).mapping, Mapping::thread);
}

TYPED_TEST(Experiment, StopsAtTheFirstWholeBatchThatIsPreciseEnough) {
  Plan plan;
  plan.replications = 100000;
  plan.precision.half_width = 0.01;
  for (const std::int64_t batch : {64, 100, 1000}) {
    plan.batch = batch;
    const PointResult result = simulate(TypeParam(), Sum{3}, plan);
    EXPECT_EQ(result.stopped_by, StopReason::precision);
    EXPECT_EQ(result.replications % batch, 0);
    EXPECT_LE(result.responses[0].half_width, 0.01);
    // A plan with exactly this number of replications is the same experiment. One batch less would not suffice.
    Plan fixed;
    fixed.replications = result.replications;
    EXPECT_EQ(simulate(TypeParam(), Sum{3}, fixed).digest, result.digest);
    fixed.replications -= batch;
    EXPECT_GT(simulate(TypeParam(), Sum{3}, fixed).responses[0].half_width, 0.01);
  }
}

TYPED_TEST(Experiment, RelativePrecisionHoldsForEveryResponse) {
  Plan plan;
  plan.replications = 100000;
  plan.precision.relative_half_width = 0.01;
  const PointResult result = simulate(TypeParam(), Sum{3}, plan);
  EXPECT_EQ(result.stopped_by, StopReason::precision);
  for (const auto& response : result.responses) EXPECT_LE(response.half_width, 0.01 * response.mean);
}

TYPED_TEST(Experiment, SaysWhenTheCeilingCameFirst) {
  Plan plan;
  plan.replications = 1000;
  plan.precision.half_width = 1e-9;
  const PointResult result = simulate(TypeParam(), Sum{3}, plan);
  EXPECT_EQ(result.stopped_by, StopReason::ceiling);
  EXPECT_EQ(result.replications, 1000);
}

TYPED_TEST(Experiment, DesignPointsStopEachOnItsOwn) {
  const std::vector<Pi> design = {{10}, {1000}, {100}};
  Plan plan;
  plan.replications = 100000;
  plan.precision.half_width = 0.02;
  const auto result = simulate(TypeParam(), std::span<const Pi>(design), plan);
  ASSERT_EQ(result.points.size(), 3u);
  for (std::size_t point = 0; point < 3; ++point) {
    const PointResult separate = simulate(TypeParam(), design[point], plan);
    EXPECT_EQ(result.points[point].replications, separate.replications);
    EXPECT_EQ(result.points[point].digest, separate.digest);
    EXPECT_EQ(result.points[point].responses[0].mean, separate.responses[0].mean);
  }
  EXPECT_GT(result.points[0].replications, result.points[1].replications);
}

TYPED_TEST(Experiment, CommonRandomNumbersAreSharedOrNot) {
  const std::vector<Sum> design = {{3}, {3}, {4}};
  Plan plan;
  const auto common = simulate(TypeParam(), std::span<const Sum>(design), plan);
  EXPECT_EQ(common.points[0].digest, common.points[1].digest);
  EXPECT_EQ(common.points[0].responses[1].mean, common.points[2].responses[1].mean);
  plan.common_random_numbers = false;
  const auto apart = simulate(TypeParam(), std::span<const Sum>(design), plan);
  EXPECT_NE(apart.points[0].digest, apart.points[1].digest);
  EXPECT_NE(apart.points[0].digest, common.points[0].digest);
}

TYPED_TEST(Experiment, AntitheticPairsMakeOneObservation) {
  Plan plan;
  plan.replications = 500;
  plan.source.sampling = Sampling::antithetic;
  const PointResult result = simulate(TypeParam(), Sum{3}, plan);
  // The sum of uniforms and that of their mirror images always add up to `terms`: no variance is left.
  EXPECT_EQ(result.responses[0].observations, 250);
  EXPECT_EQ(result.replications, 500);
  EXPECT_NEAR(result.responses[0].mean, 1.5, 1e-15);
  EXPECT_NEAR(result.responses[0].half_width, 0, 1e-15);
}

TYPED_TEST(Experiment, StopsWhenItsWatcherSaysSo) {
  Plan plan;
  plan.replications = 1'000'000'000'000;
  int calls = 0;
  std::int64_t seen = 0;
  const PointResult result = simulate(TypeParam(), Pi{100}, plan, [&](const Progress& progress) {
    EXPECT_EQ(progress.at_most, plan.replications);
    EXPECT_GT(progress.replications, seen);
    seen = progress.replications;
    return ++calls < 3;
  });
  EXPECT_EQ(result.stopped_by, StopReason::interrupted);
  EXPECT_EQ(result.replications, seen);
  EXPECT_EQ(calls, 3);
}

TYPED_TEST(Experiment, StopsWhenTimeIsUp) {
  Plan plan;
  plan.replications = 1'000'000'000'000;
  plan.time_limit = 0.05;
  const PointResult result = simulate(TypeParam(), Pi{100}, plan);
  EXPECT_EQ(result.stopped_by, StopReason::time_limit);
  EXPECT_GT(result.replications, 0);
}

TYPED_TEST(Experiment, NamesTheReplicationThatIsNotFinite) {
  Plan plan;
  for (const std::int64_t replications : {1024, 1000}) {
    plan.replications = replications;
    try {
      simulate(TypeParam(), Sum{3, 0.01}, plan);
      FAIL() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("response 'sum' of replication "), std::string::npos) << text;
      EXPECT_NE(text.find("not a finite number"), std::string::npos) << text;
    }
  }
}

// Each replication of the second design point fails with probability 0.01.
TYPED_TEST(Experiment, AFailedDesignPointLeavesTheOthersAlone) {
  const std::vector<Sum> design = {{3}, {3, 0.01}, {4}}, others = {{3}, {4}};
  Plan plain, precise;
  plain.replications = 1000;
  precise.replications = 100'000;
  precise.precision.half_width = 0.01;
  for (const Plan& plan : {plain, precise}) {
    std::int64_t failures = 0;
    const Recorder recorder = [&](const ReplicationRows& rows) {
      for (std::size_t place = 0; place < rows.points.size(); ++place) {
        for (std::int64_t row = 0; rows.points[place] == 1 && row < rows.counts[place]; ++row) {
          failures += std::isfinite(rows(place, row, 0)) && std::isfinite(rows(place, row, 1)) ? 0 : 1;
        }
      }
    };
    const auto result = simulate(TypeParam(), design, plan, {}, {}, single_process, {}, recorder);
    const auto expected = simulate(TypeParam(), others, plan);
    for (const std::size_t point : {0, 1}) {
      const PointResult& found = result.points[2 * point];
      EXPECT_EQ(found.digest, expected.points[point].digest);
      EXPECT_EQ(found.replications, expected.points[point].replications);
      EXPECT_EQ(found.responses[0].half_width, expected.points[point].responses[0].half_width);
      EXPECT_FALSE(found.failure);
    }
    const PointResult& failed = result.points[1];
    ASSERT_TRUE(failed.failure);
    EXPECT_EQ(failed.stopped_by, StopReason::failed);
    EXPECT_EQ(failed.failure->failures, failures);
    EXPECT_GT(failures, 0);
    EXPECT_EQ(failed.replications, plan.precision.is_set() ? plan.batch : plan.replications);
    EXPECT_TRUE(std::isnan(failed.responses[0].mean) && std::isinf(failed.responses[0].half_width));
    EXPECT_NE(failed.failure->reason.find(", not a finite number"), std::string::npos) << failed.failure->reason;
  }
}

// The kept outputs are the rows that a recorder gets, also if a design point is precise enough in the middle of a
// launch.
TYPED_TEST(Experiment, KeepsOutputsInTheMemoryOfTheSpace) {
  const std::vector<Sum> design = {{3}, {4}};
  Plan plain, precise;
  plain.replications = 1000;
  precise.replications = 100'000;
  precise.precision.half_width = 0.02;
  for (const Plan& plan : {plain, precise}) {
    std::vector<std::vector<double>> expected(design.size());
    const Recorder recorder = [&](const ReplicationRows& rows) {
      for (std::size_t place = 0; place < rows.points.size(); ++place) {
        for (std::int64_t row = 0; row < rows.counts[place]; ++row) {
          for (std::size_t i = 0; i < rows.responses; ++i) expected[rows.points[place]].push_back(rows(place, row, i));
        }
      }
    };
    const TypeParam space;
    impl::ExperimentLauncher<Sum, TypeParam> launcher(space, design, plan);
    OutputsOfPoints kept;
    const auto result = impl::run_experiment(launcher, plan, {}, {}, single_process, {}, recorder, &kept);
    ASSERT_EQ(kept.size(), design.size());
    for (std::size_t point = 0; point < design.size(); ++point) {
      EXPECT_EQ(kept[point]->rows(), static_cast<std::size_t>(result.points[point].replications));
      std::vector<double> found(kept[point]->rows() * kept[point]->columns());
      kept[point]->copy_to(found);
      EXPECT_EQ(found, expected[point]);
      kept[point]->release();
      EXPECT_EQ(kept[point]->rows(), 0U);
    }
  }
}

TYPED_TEST(Experiment, RefusesDesignPointsThatHaveAllFailed) {
  const std::vector<Sum> design = {{3, 0.01}, {4, 0.01}};
  Plan plan;
  plan.replications = 1000;
  try {
    simulate(TypeParam(), design, plan);
    FAIL() << "nothing thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("all 2 design points have failed, the first: response 'sum' of replication "))
        << error.what();
  }
}

TYPED_TEST(Experiment, OneReplicationHasNoHalfWidth) {
  Plan plan;
  plan.replications = 1;
  const PointResult result = simulate(TypeParam(), Sum{3}, plan);
  EXPECT_TRUE(std::isinf(result.responses[0].half_width));
  EXPECT_TRUE(std::isfinite(result.responses[0].mean));
}

struct BadPlan {
  Plan plan;
  const char* sentence;
};

TEST(PlanCheck, RefusesWhatCannotBeCarriedOut) {
  std::vector<BadPlan> bad(10);
  bad[0].plan.replications = 0, bad[0].sentence = "replications is 0, expected at least 1";
  bad[1].plan.replications = -5, bad[1].sentence = "replications is -5, expected at least 1";
  bad[2].plan.batch = 0, bad[2].sentence = "batch is 0, expected at least 1";
  bad[3].plan.confidence = 1, bad[3].sentence = "confidence is 1, expected a number between 0 and 1, such as 0.95";
  bad[4].plan.confidence = std::nan(""), bad[4].sentence = "confidence is nan";
  bad[5].plan.precision.half_width = -1, bad[5].sentence = "precision is -1, expected a finite number of at least 0";
  bad[6].plan.precision.relative_half_width = std::nan(""), bad[6].sentence = "relative precision is nan";
  bad[7].plan.time_limit = 0, bad[7].sentence = "time limit is 0, expected a positive number of seconds";
  bad[8].plan.source.sampling = Sampling::antithetic, bad[8].plan.replications = 7;
  bad[8].sentence = "replications is 7, expected a multiple of 2, because antithetic sampling";
  bad[9].plan.source.sampling = Sampling::antithetic, bad[9].plan.batch = 7, bad[9].plan.precision.half_width = 1;
  bad[9].sentence = "batch is 7, expected a multiple of 2";
  for (const auto& [plan, sentence] : bad) {
    try {
      simulate(Kokkos::DefaultHostExecutionSpace(), Sum{3}, plan);
      FAIL() << "not refused: " << sentence;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).rfind(sentence, 0), 0u) << error.what();
    }
  }
}

TEST(PlanCheck, ADesignNeedsAPoint) {
  EXPECT_THROW(simulate(Kokkos::DefaultHostExecutionSpace(), std::span<const Sum>(), Plan()), std::invalid_argument);
}

}  // namespace experiment_tests
