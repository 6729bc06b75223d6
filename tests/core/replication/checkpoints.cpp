// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>

#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/experiment_parts.hpp>
#include <sporos/models/integration/pi.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace checkpoints_tests {

using namespace sporos;
using models::Pi;

const std::vector<Pi> design = {{10}, {300}, {30}};

template <class Space>
ExperimentResult run(const Plan& plan, const Checkpoints& checkpoints, std::int64_t max_launches = 1 << 20) {
  std::int64_t launches = 0;
  const Watcher watcher = [&](const Progress&) { return ++launches < max_launches; };
  return simulate(Space(), std::span<const Pi>(design), plan, watcher, {}, single_process, checkpoints);
}

template <class Space>
void expect_equal(const ExperimentResult& found, const ExperimentResult& expected) {
  ASSERT_EQ(found.points.size(), expected.points.size());
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const PointResult &a = found.points[i], &b = expected.points[i];
    EXPECT_EQ(a.replications, b.replications);
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.stopped_by, b.stopped_by);
    for (std::size_t r = 0; r < a.responses.size(); ++r) {
      EXPECT_EQ(a.responses[r].mean, b.responses[r].mean);
      EXPECT_EQ(a.responses[r].variance, b.responses[r].variance);
      EXPECT_EQ(a.responses[r].half_width, b.responses[r].half_width);
      EXPECT_EQ(a.responses[r].deviation, b.responses[r].deviation);
      EXPECT_EQ(a.responses[r].observations, b.responses[r].observations);
    }
  }
}

// A GPU runs more replications in a launch. This factor makes an experiment here take several launches.
template <class Space>
inline constexpr std::int64_t times = runs_on_host<Space> ? 1 : 500;

template <class Space>
Plan fixed_plan() {
  Plan plan;
  plan.replications = 3333 * times<Space>;
  return plan;
}

template <class Space>
Plan sequential_plan() {
  Plan plan;
  plan.replications = 20000 * times<Space>;
  plan.precision.half_width = 0.02 / std::sqrt(static_cast<double>(times<Space>));
  plan.batch = 100;
  return plan;
}

template <class Space>
Plan plan_of_runs() {
  Plan plan;
  plan.replications = 60 * 48 * times<Space>;
  plan.source.sampling = Sampling::antithetic;
  plan.source.run_length = 60;
  return plan;
}

template <class Space>
class CheckpointsTest : public ::testing::Test {};
TYPED_TEST_SUITE(CheckpointsTest, test::Backends, test::BackendName);

bool is_interrupted(const ExperimentResult& result) {
  return std::any_of(result.points.begin(), result.points.end(),
                     [](const PointResult& point) { return point.stopped_by == StopReason::interrupted; });
}

// Starts a new run after each launch, every second one under another mapping. The result has the bits of a single run.
template <class Space>
void expect_the_bits_of_one_run(const Plan& plan) {
  const ExperimentResult expected = run<Space>(plan, {});
  Checkpoints checkpoints;
  ExperimentResult result;
  int runs = 0;
  do {
    Plan of_run = plan;
    of_run.mapping = runs++ % 2 == 0 ? Mapping::thread : Mapping::warp;
    result = run<Space>(of_run, checkpoints, 1);
    checkpoints.start = result.state;
  } while (is_interrupted(result));
  EXPECT_GT(runs, 2);
  for (const PointState& point : result.state.points) EXPECT_TRUE(point.stopped_by);
  expect_equal<Space>(result, expected);
  expect_equal<Space>(run<Space>(plan, checkpoints), expected);  // with nothing left to do
}

TYPED_TEST(CheckpointsTest, AFixedExperimentGoesOnToTheLastBit) {
  expect_the_bits_of_one_run<TypeParam>(fixed_plan<TypeParam>());
}

TYPED_TEST(CheckpointsTest, ASequentialExperimentGoesOnToTheLastBit) {
  expect_the_bits_of_one_run<TypeParam>(sequential_plan<TypeParam>());
}

TYPED_TEST(CheckpointsTest, AnExperimentOfRunsGoesOnToTheLastBit) {
  expect_the_bits_of_one_run<TypeParam>(plan_of_runs<TypeParam>());
}

// The experiment can continue from each state that was saved. If saving fails, the exception ends the experiment.
template <class Space>
void expect_every_saved_state_to_do() {
  const ExperimentResult expected = run<Space>(sequential_plan<Space>(), {});
  std::vector<ExperimentState> saved;
  Checkpoints checkpoints;
  checkpoints.every = 0;
  checkpoints.save = [&](const ExperimentState& state) { saved.push_back(state); };
  expect_equal<Space>(run<Space>(sequential_plan<Space>(), checkpoints), expected);
  ASSERT_GE(saved.size(), 2u);  // a fast device does all remaining work in its second launch
  for (const ExperimentState& state : saved) {
    Checkpoints from;
    from.start = state;
    expect_equal<Space>(run<Space>(sequential_plan<Space>(), from), expected);
  }
  std::size_t calls = 0;
  checkpoints.save = [&](const ExperimentState&) {
    if (++calls == 2) throw std::runtime_error("the disk is full");
  };
  EXPECT_THROW(run<Space>(sequential_plan<Space>(), checkpoints), std::runtime_error);
  EXPECT_EQ(calls, 2u);
}

TYPED_TEST(CheckpointsTest, EverySavedStateIsOneToGoOnFrom) { expect_every_saved_state_to_do<TypeParam>(); }

// Negative control: the comparison above detects a state from replications with another seed.
TYPED_TEST(CheckpointsTest, AStateOfOtherReplicationsGivesOtherBits) {
  Checkpoints checkpoints;
  checkpoints.start = run<TypeParam>(fixed_plan<TypeParam>(), {}, 2).state;
  Plan other = fixed_plan<TypeParam>();
  ++other.seed;
  EXPECT_NE(run<TypeParam>(other, checkpoints).points[1].digest, run<TypeParam>(other, {}).points[1].digest);
}

// Runs parts of the experiment and appends their states. The result has the bits of a single run.
template <class Space>
void expect_parts_to_give_one_run(Plan plan, std::int64_t parts) {
  plan.covariances = true;
  const ExperimentResult expected = run<Space>(plan, {});
  Checkpoints merged;
  for (std::int64_t part = 1; part <= parts; ++part) {
    const ReplicationRange range = replications_of_part(plan, part, parts);
    Plan of_part = plan;
    of_part.replications = range.first + range.count;
    Checkpoints checkpoints;
    checkpoints.start = beginning_of_part(range);
    const ExperimentState state = run<Space>(of_part, checkpoints).state;
    if (part == 1) {
      merged.start = state;
    } else {
      append_part(*merged.start, state);
    }
  }
  for (PointState& point : merged.start->points) point.stopped_by.reset();
  expect_equal<Space>(run<Space>(plan, merged), expected);
}

TYPED_TEST(CheckpointsTest, PartsGiveTheBitsOfOneRun) {
  expect_parts_to_give_one_run<TypeParam>(fixed_plan<TypeParam>(), 7);
  expect_parts_to_give_one_run<TypeParam>(plan_of_runs<TypeParam>(), 5);
}

TEST(PartsOfAnExperiment, MustExistAndFollowEachOther) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Plan plan = fixed_plan<Space>();
  EXPECT_THROW(replications_of_part(sequential_plan<Space>(), 1, 2), std::invalid_argument);
  EXPECT_THROW(replications_of_part(plan, 1, plan.replications + 1), std::invalid_argument);
  EXPECT_THROW(replications_of_part(plan, 3, 2), std::invalid_argument);
  Checkpoints checkpoints;
  checkpoints.start = beginning_of_part(replications_of_part(plan, 3, 3));
  ExperimentState third = run<Space>(plan, checkpoints).state;
  Plan first = plan;
  first.replications = replications_of_part(plan, 1, 3).count;
  ExperimentState state = run<Space>(first, {}).state;
  EXPECT_THROW(append_part(state, third), std::invalid_argument);
  checkpoints.start = third;  // the replications before are missing
  EXPECT_THROW(run<Space>(sequential_plan<Space>(), checkpoints), std::invalid_argument);
}

TYPED_TEST(CheckpointsTest, AreOfTheLengthAskedFor) {
  int calls = 0;
  Checkpoints checkpoints{{}, [&](const ExperimentState&) { ++calls; }, 1e9};
  run<TypeParam>(fixed_plan<TypeParam>(), checkpoints);
  EXPECT_EQ(calls, 0);
}

void expect_refusal(const ExperimentState& state, const std::string& message) {
  Checkpoints checkpoints;
  checkpoints.start = state;
  try {
    run<Kokkos::DefaultHostExecutionSpace>(fixed_plan<Kokkos::DefaultHostExecutionSpace>(), checkpoints);
    ADD_FAILURE() << "went on";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), "state of an experiment has " + message);
  }
}

TEST(CheckpointsOfAnotherExperiment, AreRefused) {
  const ExperimentState state =
      run<Kokkos::DefaultHostExecutionSpace>(fixed_plan<Kokkos::DefaultHostExecutionSpace>(), {}, 2).state;
  ExperimentState other = state;
  other.points.pop_back();
  expect_refusal(other, "2 design points, expected 3");
  other = state;
  other.replications = 3334;
  expect_refusal(other, "3334 replications, expected from 0 to 3333");
  other = state;
  ++other.points[1].summary.replications;
  expect_refusal(other, std::to_string(state.replications + 1) + " replications of a design point, expected " +
                            std::to_string(state.replications));
  other = state;
  other.points[1].summary.observations[0].add(1.0);
  expect_refusal(
      other, std::to_string(state.replications + 1) + " observations, expected " + std::to_string(state.replications));
  other = state;
  other.points[0].summary.observations.pop_back();
  expect_refusal(other, "0 responses, expected 1");
}

}  // namespace checkpoints_tests
