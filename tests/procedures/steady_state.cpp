// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks steady-state means: the bits of series, and how often intervals cover. Intervals of 95 % must not cover less
// often than the lower end of their binomial band; each check raises a false alarm with probability 10^-5. If a
// procedure is known to cover less, the test states by how much (`lost`).
#include "harness/serial_or_host.hpp"

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/series.hpp>
#include <sporos/core/statistics/batch_means.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/skart.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/procedures/steady_state/series_methods.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace steady_state_tests {

using namespace sporos;
using models::MM1, models::MMCK;
using test::SerialOrHost;
using Space = SerialOrHost;  // all backends have the same bits (SeriesBits)
using Series = std::vector<double>;

MM1 queue(double load) { return {load, 1, 10000, 0}; }

// All observations of one series of a model, by run.
template <class ExecutionSpace, class Model>
std::vector<Series> observed(const Model& model, std::uint64_t seed, std::int64_t runs, std::int64_t segments,
                             std::size_t series = 0) {
  SeriesLauncher<Model, ExecutionSpace> launcher(ExecutionSpace(), model, seed, runs);
  std::vector<Series> list(static_cast<std::size_t>(runs));
  for (std::int64_t segment = 0; segment < segments; ++segment) {
    const auto values = launcher.launch(1);
    const auto first = series * segment_observations * static_cast<std::size_t>(runs);
    for (std::size_t i = 0; i < static_cast<std::size_t>(segment_observations); ++i) {
      for (std::size_t run = 0; run < list.size(); ++run) {
        list[run].push_back(values[first + i * list.size() + run]);
      }
    }
  }
  return list;
}

template <class ExecutionSpace>
class SeriesBits : public ::testing::Test {};
TYPED_TEST_SUITE(SeriesBits, test::Backends, test::BackendName);

TYPED_TEST(SeriesBits, AreTheSameOnAllBackends) {
  EXPECT_EQ((observed<TypeParam>(queue(0.8), 5, 3, 2)), (observed<SerialOrHost>(queue(0.8), 5, 3, 2)));
  EXPECT_EQ((observed<TypeParam>(MMCK{4, 1, 3, 5, 1}, 5, 3, 2)),
            (observed<SerialOrHost>(MMCK{4, 1, 3, 5, 1}, 5, 3, 2)));
  EXPECT_NE((observed<TypeParam>(queue(0.8), 6, 3, 2)), (observed<SerialOrHost>(queue(0.8), 5, 3, 2)));
}

// Run r of the first segment is replication r: its average over all customers is the response for as many customers.
TEST(SeriesRuns, BeginAsReplicationsDo) {
  const auto runs = observed<SerialOrHost>(queue(0.8), 7, 2, 1);
  MM1 replication = queue(0.8);
  replication.customers = segment_observations;
  for (std::int64_t run = 0; run < 2; ++run) {
    const Outputs<SerialOrHost> outputs("outputs", 1, 4);
    replicate(SerialOrHost(), Design<MM1, SerialOrHost>(replication, 7), PreparedSource<SerialOrHost>(),
              ReplicationRange{run, 1}, Mapping::thread, outputs);
    double sum = 0;
    for (const double wait : runs[static_cast<std::size_t>(run)]) sum += wait;
    EXPECT_NEAR(sum / static_cast<double>(segment_observations), outputs(0, 0), 1e-9);
  }
}

// Blocks are merged, and cycles extend over the ends of segments.
TEST(SeriesRuns, KeepWhatWasObserved) {
  SeriesLauncher<MM1, Space> launcher(Space(), queue(0.5), 3, 64);
  SeriesRuns runs(launcher);
  for (int segment = 0; segment < 2; ++segment) runs.extend();
  const auto all = observed<SerialOrHost>(queue(0.5), 3, 64, 2);
  EXPECT_EQ(runs.observations(), 8192);
  EXPECT_EQ(runs.block_size(), 8);
  double block = 0, cycles = 0, length = 0;
  for (std::size_t i = 0; i < 8; ++i) block += all[63][8 + i] / 8;
  EXPECT_NEAR(runs.of(0)[63].blocks()[1], block, 1e-12);
  for (const Series& run : all) {
    std::size_t last = 0;
    for (std::size_t i = 1; i < run.size(); ++i) {
      if (run[i] > 0) continue;
      cycles += 1;
      last = i;
    }
    length += static_cast<double>(last);
  }
  EXPECT_EQ(runs.cycles(0).cycles, cycles);
  EXPECT_EQ(runs.cycles(0).length, length);
}

constexpr double error = 1e-5;

double min_covered(int experiments, double probability) {
  return test::binomial_band(experiments, probability, error).least;
}

double max_covered(int experiments, double probability) {
  return test::binomial_band(experiments, probability, error).most;
}

using Interval = std::function<SeriesInterval(const Series&)>;

SeriesInterval skart(const Series& series) { return n_skart(series, 0.95); }

// The control: an interval that treats observations as independent.
SeriesInterval naive(const Series& series) {
  MomentsTree tree;
  for (const double value : series) tree.add(value);
  const double width = half_width(tree.total(), 0.95);
  SeriesInterval interval;
  interval.mean = tree.total().mean;
  interval.low = interval.mean - width;
  interval.high = interval.mean + width;
  return interval;
}

// Counts how many intervals cover.
struct Count {
  int experiments = 0, covered = 0, without = 0;  // `without` has no interval

  void add(const SeriesInterval& interval, double mean) {
    experiments += 1;
    without += !interval.reason.empty();
    covered += interval.low <= mean && mean <= interval.high;
  }

  void expect_at_least(double probability) const {
    EXPECT_GE(covered - without, min_covered(experiments - without, probability));
    EXPECT_LE(without, experiments / 10);
  }
};

int experiments(int where_short = 1000) { return test::are_tests_long() ? 2000 : where_short; }

// Counts the intervals that cover, for customers' waits from an empty queue, a hundred runs at a time.
Count count_queue(double load, std::int64_t segments, const Interval& interval, int where_short = 1000) {
  constexpr int runs = 100;
  Count count;
  for (int i = 0; i * runs < experiments(where_short); ++i) {
    const auto seed = static_cast<std::uint64_t>(i + 1);
    for (const Series& series : observed<Space>(queue(load), seed, runs, segments)) {
      count.add(interval(series), *queue(load).series_means()[0]);
    }
  }
  std::printf("load %g, %d x 4096: %d of %d\n", load, static_cast<int>(segments), count.covered, count.experiments);
  return count;
}

Count count_autoregressive(const Interval& interval) {
  Count count;
  for (int i = 0; i < experiments(400); ++i) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(i));
    std::normal_distribution<double> normal;
    Series series(8192);
    double last = 20;  // 8.7 standard deviations from steady state
    for (double& value : series) value = 5 + (last = 0.9 * last + normal(engine));
    count.add(interval(series), 5);
  }
  std::printf("AR(1): %d of %d\n", count.covered, count.experiments);
  return count;
}

TEST(SkartCoverage, OfQueues) {
  count_queue(0.5, 4, skart, 400).expect_at_least(0.95);
  count_queue(0.8, 8, skart, 200).expect_at_least(0.95);
  if (test::are_tests_long()) count_queue(0.95, 64, skart).expect_at_least(0.93);
}

TEST(SkartCoverage, OfAnAutoregressiveSeries) { count_autoregressive(skart).expect_at_least(0.95); }

TEST(NaiveCoverage, Fails) {
  const Count queues = count_queue(0.5, 4, naive, 300), autoregressive = count_autoregressive(naive);
  EXPECT_LT(queues.covered, min_covered(queues.experiments, 0.75));
  EXPECT_LT(autoregressive.covered, min_covered(autoregressive.experiments, 0.75));
}

// Counts, over runs of a whole procedure, how often the intervals at which it stops cover.
Count count_procedure(SeriesMethod method, double load, std::int64_t runs, double relative_precision) {
  Count count;
  SteadyStateGoal goal;
  goal.method = method;
  goal.relative_half_width = relative_precision;
  goal.observations = relative_precision > 0 ? 100'000'000 : 16384;
  for (int i = 0; i < experiments(60); ++i) {
    SeriesLauncher<MM1, Space> launcher(Space(), queue(load), static_cast<std::uint64_t>(i + 1), runs);
    SeriesRuns series(launcher);
    const auto result = steady_state(series, goal);
    EXPECT_EQ(result.stopped_by,
              relative_precision > 0 ? std::optional(StopReason::precision) : std::optional<StopReason>());
    count.add(result.intervals[0], *queue(load).series_means()[0]);
  }
  std::printf("%s, load %g, precision %g: %d of %d\n", std::string(name_of(method)).c_str(), load, relative_precision,
              count.covered, count.experiments);
  return count;
}

// Coverage that intervals of 95 % lose in runs of 16384 waits at load 0.5 (docs/benchmarks/coverage.md).
double lost(SeriesMethod method) {
  switch (method) {
    case SeriesMethod::batch_means:
    case SeriesMethod::overlapping_batch_means:
      return 0.02;
    case SeriesMethod::regenerative:
      return 0.01;
    case SeriesMethod::skart:
    case SeriesMethod::spectral:
    case SeriesMethod::replications:
      return 0;
  }
  return 0;
}

TEST(SteadyStateCoverage, OfAllMethods) {
  for (const SeriesMethod method : values_of<SeriesMethod>()) {
    count_procedure(method, 0.5, takes_several_runs(method) ? 4 : 1, 0).expect_at_least(0.95 - lost(method));
  }
}

TEST(SteadyStateCoverage, AtAPrecision) {
  count_procedure(SeriesMethod::skart, 0.5, 1, 0.05).expect_at_least(0.95);
  if (test::are_tests_long()) count_procedure(SeriesMethod::skart, 0.8, 1, 0.05).expect_at_least(0.94);
  count_procedure(SeriesMethod::replications, 0.8, 16, 0.05).expect_at_least(0.95);
}

// x' = 0.9 x + z, starting 17 deviations from its stationary mean 0, which adds 0.088 to the average of 4096 values.
struct Autoregressive {
  enum Input { noise, input_count };
  struct SeriesState {
    double last;  // x
  };
  static constexpr ObservedSeries<1> observed_series{{"value"}};
  std::array<std::optional<double>, 1> series_means() const { return {0}; }
  void check_series() const {}

  template <class Inputs>
  KOKKOS_FUNCTION SeriesState begin_series(Inputs&) const {
    return {40};
  }
  template <class Inputs, class Series>
  KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const {
    while (series.goes_on()) {
      state.last = 0.9 * state.last + normal(inputs(noise), 0.0, 1.0);
      series.record(state.last);
    }
  }
};

// Student's interval over the averages of the runs, warm-up included.
SeriesInterval with_warm_up(const SeriesRuns& runs) {
  Series averages;
  for (const BlockedSeries& run : runs.of(0)) {
    MomentsTree tree;
    for (const double block : run.blocks()) tree.add(block);
    averages.push_back(tree.total().mean);
  }
  return naive(averages);
}

// The control keeps the warm-up, whose bias is 2.2 standard errors of the mean over 16 runs.
TEST(WarmUpCoverage, FailsWhereTheWarmUpIsNotCut) {
  Count cut, control;
  for (int i = 0; i < experiments(120); ++i) {
    SeriesLauncher<Autoregressive, Space> launcher(Space(), {}, static_cast<std::uint64_t>(i + 1), 16);
    SeriesRuns runs(launcher);
    runs.extend();
    cut.add(steady_state_mean(SeriesMethod::replications, runs, 0, 0.95), 0);
    control.add(with_warm_up(runs), 0);
  }
  std::printf("without warm-up %d, with it %d of %d\n", cut.covered, control.covered, cut.experiments);
  cut.expect_at_least(0.95);
  EXPECT_LT(control.covered, min_covered(control.experiments, 0.75));
}

TEST(SteadyState, MeansOfABlockingQueue) {
  const MMCK model{4, 1, 3, 5, 1, 1};
  SeriesLauncher<MMCK, Space> launcher(Space(), model, 1, 16);
  SeriesRuns runs(launcher);
  SteadyStateGoal goal;
  goal.method = SeriesMethod::replications;
  goal.relative_half_width = 0.01;
  goal.confidence = 0.9999;
  const auto result = steady_state(runs, goal);
  EXPECT_EQ(result.stopped_by, StopReason::precision);
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    EXPECT_LE(result.intervals[i].low, *model.series_means()[i]) << result.names[i];
    EXPECT_GE(result.intervals[i].high, *model.series_means()[i]) << result.names[i];
  }
}

TEST(SteadyState, EndsWithItsBudget) {
  SeriesLauncher<MM1, Space> launcher(Space(), queue(0.9), 1, 1);
  SeriesRuns runs(launcher);
  SteadyStateGoal goal;
  goal.relative_half_width = 1e-3;
  goal.observations = 40000;
  const auto result = steady_state(runs, goal);
  EXPECT_EQ(result.stopped_by, StopReason::ceiling);
  EXPECT_EQ(result.observations, 40960);  // whole segments
  EXPECT_GT(excess(result.intervals[0], goal), 1);
}

TEST(SteadyState, RefusesWhatHasNone) {
  EXPECT_THROW((SeriesLauncher<MM1, Space>(Space(), queue(1), 1, 1)), std::invalid_argument);
  SteadyStateGoal goal;
  EXPECT_THROW(check_goal(goal, 2), std::invalid_argument);
  goal.method = SeriesMethod::replications;
  EXPECT_THROW(check_goal(goal, 1), std::invalid_argument);
  goal.confidence = 1;
  EXPECT_THROW(check_goal(goal, 2), std::invalid_argument);
  goal.confidence = 0.9;
  goal.observations = 1000;
  EXPECT_THROW(check_goal(goal, 2), std::invalid_argument);
}

}  // namespace steady_state_tests
