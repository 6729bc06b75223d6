// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what the replications of a run share and what is computed from them. A model records its draws and runs on
// every backend. The draws are compared with sets of regular numbers, averages and sequences computed on the host.
#include <harness/backends.hpp>

#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/sampling/refined_descriptive.hpp>
#include <sporos/core/sampling/sample_key.hpp>
#include <sporos/core/sampling/sub_runs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace runs_tests {

using namespace sporos;

// Response k is draw k: the draws of input `first` come before those of input `second`.
struct Recorder {
  InputDraws draws_of_first, draws_of_second = {1};
  int extra = 0;         // draws of `first` beyond the stated ones
  bool is_known = true;  // whether the model states its draws

  enum Input { first, second, input_count };

  KOKKOS_FUNCTION int first_count() const { return static_cast<int>(draws_of_first.total()) + extra; }
  KOKKOS_FUNCTION int response_count() const { return first_count() + static_cast<int>(draws_of_second.total()); }
  std::string response_name(int response) const { return "draw " + std::to_string(response); }
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const {
    if (!is_known) return {{{}, {}}};
    return {{draws_of_first, draws_of_second}};
  }

  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    for (int i = 0; i < response_count(); ++i) responses.set(i, inputs(i < first_count() ? first : second));
  }
};

using Row = std::vector<double>;
using Rows = std::vector<Row>;  // by replication and draw

constexpr std::uint64_t seed = 4711;

constexpr auto all_samplings = values_of<Sampling>();

UniformSource source(Sampling sampling, std::int64_t run_length) {
  UniformSource made;
  made.sampling = sampling;
  made.run_length = run_length;
  return made;
}

UniformSource refined(std::int64_t run_length, SubRunWeights weights = SubRunWeights::equal) {
  UniformSource made = source(Sampling::refined_descriptive, run_length);
  made.primes = {3, 40};
  made.weights = weights;
  return made;
}

template <class Space>
Rows rows_of(const Recorder& model, const UniformSource& source, const ReplicationRange& range,
             Mapping mapping = Mapping::thread, std::uint64_t of_seed = seed) {
  const Space space;
  const Outputs<Space> outputs("outputs", static_cast<std::size_t>(range.count),
                               static_cast<std::size_t>(model.response_count()));
  replicate(space, Design<Recorder, Space>(model, of_seed), prepared_source<Space>(source, std::span(&model, 1)), range,
            mapping, outputs);
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  Rows rows(host.extent(0), Row(host.extent(1)));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < rows[r].size(); ++k) rows[r][k] = host(r, k);
  }
  return rows;
}

// The draws `first`, `first` + step, … before `end` of replications [begin, stop).
Row draws_in(const Rows& rows, std::size_t begin, std::size_t stop, std::size_t first, std::size_t end,
             std::size_t step = 1) {
  Row draws;
  for (std::size_t r = begin; r < stop; ++r) {
    for (std::size_t k = first; k < end; k += step) draws.push_back(rows[r][k]);
  }
  return draws;
}

Row sorted(Row numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// The regular numbers (i − ½)/n for i = 1 … n, each `times` times.
Row regular_numbers(std::uint32_t n, int times = 1) {
  Row numbers;
  for (std::uint32_t i = 1; i <= n; ++i) numbers.insert(numbers.end(), static_cast<std::size_t>(times), (i - 0.5) / n);
  return numbers;
}

template <class Space>
class Runs : public ::testing::Test {};
TYPED_TEST_SUITE(Runs, test::Backends, test::BackendName);

TYPED_TEST(Runs, OfDescriptiveSamplingTakeEachNumberOnce) {
  constexpr std::uint32_t length = 10, runs = 20;
  const Rows rows = rows_of<TypeParam>({{3}}, source(Sampling::descriptive, length), {0, length * runs});
  std::set<Row> orders;
  for (std::uint32_t run = 0; run < runs; ++run) {
    const std::uint32_t begin = run * length, end = begin + length;
    const Row draws = draws_in(rows, begin, end, 0, 3);
    EXPECT_EQ(sorted(draws), regular_numbers(3 * length));
    EXPECT_EQ(sorted(draws_in(rows, begin, end, 3, 4)), regular_numbers(length));
    orders.insert(draws);
  }
  EXPECT_EQ(orders.size(), runs) << "each run has its own order";
  EXPECT_NE(sorted(draws_in(rows, 1, length + 1, 0, 3)), regular_numbers(3 * length)) << "control: not a run";
}

TYPED_TEST(Runs, OfDescriptiveSamplingLetVariablesTakeTurns) {
  constexpr std::uint32_t length = 10;
  const Rows rows = rows_of<TypeParam>({{2, 3}}, source(Sampling::descriptive, length), {0, 2 * length});
  std::set<Row> orders;
  for (const std::uint32_t begin : {0u, length}) {
    for (std::uint32_t variable = 0; variable < 3; ++variable) {
      const Row draws = draws_in(rows, begin, begin + length, variable, 6, 3);
      EXPECT_EQ(sorted(draws), regular_numbers(2 * length)) << "variable " << variable;
      orders.insert(draws);
    }
  }
  EXPECT_EQ(orders.size(), 6u);
  EXPECT_NE(sorted(draws_in(rows, 0, length, 0, 2)), regular_numbers(2 * length)) << "control: two variables";
}

TYPED_TEST(Runs, OfRefinedSamplingGoThroughPrimesOnce) {
  constexpr std::int64_t length = 150;  // less than the sum of all primes up to 40
  for (const int count : {1, 3}) {
    const Rows rows = rows_of<TypeParam>({{count}}, refined(length), {0, 10 * length});
    for (std::uint64_t run = 0; run < 10; ++run) {
      std::set<std::uint32_t> primes;
      SubRuns sub_run(refined(length).primes, seed, run);
      for (std::uint64_t place = 0; place < length; place = sub_run.first() + sub_run.size()) {
        sub_run.seek(place);
        EXPECT_TRUE(is_prime(sub_run.size()) && sub_run.size() <= 37);
        EXPECT_TRUE(primes.insert(sub_run.size()).second) << sub_run.size() << " comes twice in run " << run;
        if (sub_run.first() + sub_run.size() > length) break;
        const std::uint64_t begin = run * length + sub_run.first(), end = begin + sub_run.size();
        const auto draws = draws_in(rows, begin, end, 0, static_cast<std::size_t>(count));
        ASSERT_EQ(sorted(draws), regular_numbers(sub_run.size(), count)) << "run " << run << " at " << place;
        ASSERT_EQ(sorted(draws_in(rows, begin, end, static_cast<std::size_t>(count), rows[0].size())),
                  regular_numbers(sub_run.size()));
        EXPECT_NE(draws, draws_in(rows, begin, end, rows[0].size() - 1, rows[0].size())) << "inputs differ in order";
      }
    }
  }
}

// Each sub-run of p replications, with three draws each, takes three shuffles of p numbers, one after another.
TYPED_TEST(Runs, OfRefinedSamplingShuffleTheNumbersAnewForEveryPDraws) {
  constexpr std::int64_t length = 150;
  const Rows rows = rows_of<TypeParam>({{3}}, refined(length), {0, length});
  SubRuns sub_run(refined(length).primes, seed, 0);
  for (std::uint64_t place = 0; place < length; place = sub_run.first() + sub_run.size()) {
    sub_run.seek(place);
    const std::uint32_t p = sub_run.size();
    if (sub_run.first() + p > length) break;
    const Row draws = draws_in(rows, place, place + p, 0, 3);
    std::set<Row> shuffles;
    for (auto from = draws.begin(); from != draws.end(); from += p) {
      shuffles.insert(Row(from, from + p));
      EXPECT_EQ(sorted(Row(from, from + p)), regular_numbers(p));
    }
    EXPECT_EQ(shuffles.size(), p > 7 ? 3u : shuffles.size());
  }
}

TYPED_TEST(Runs, OfRefinedSamplingEndInASubRunThatTakesNoNumberTwice) {
  constexpr std::int64_t length = 100;
  const Rows rows = rows_of<TypeParam>({{1}}, refined(length), {0, 20 * length});
  int unfinished = 0;
  for (std::uint64_t run = 0; run < 20; ++run) {
    SubRuns last(refined(length).primes, seed, run);
    last.seek(length - 1);
    const Row all = regular_numbers(last.size());
    const Row taken = sorted(draws_in(rows, run * length + last.first(), (run + 1) * length, 0, 1));
    EXPECT_TRUE(std::includes(all.begin(), all.end(), taken.begin(), taken.end())) << "run " << run;
    unfinished += taken.size() < all.size();
  }
  EXPECT_GT(unfinished, 10);
}

// When all primes are used up, a run continues with them in another order.
TYPED_TEST(Runs, OfRefinedSamplingMayTakeMoreReplicationsThanThereArePrimesFor) {
  constexpr std::int64_t length = 450;
  const Rows rows = rows_of<TypeParam>({{1}}, refined(length), {0, length});
  SubRuns sub_run(refined(length).primes, seed, 0);
  std::multiset<std::uint32_t> primes;
  for (std::uint64_t place = 0; primes.size() < 22; place = sub_run.first() + sub_run.size()) {
    sub_run.seek(place);
    primes.insert(sub_run.size());
    ASSERT_EQ(sorted(draws_in(rows, place, place + sub_run.size(), 0, 1)), regular_numbers(sub_run.size()));
  }
  for (const std::uint32_t prime : odd_primes({3, 40})) EXPECT_EQ(primes.count(prime), 2u) << prime;
}

// --- Observations of runs.

// Average of a column over rows [begin, end), in their order.
double average_of(const Rows& rows, std::size_t column, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t r = begin; r < end; ++r) sum += rows[r][column];
  return sum / static_cast<double>(end - begin);
}

// Observation of run `run`: the average of the averages of its sub-runs, as in Aloui and Ourbih-Tari (2011), The use of
// refined descriptive sampling and applications in parallel Monte Carlo simulation, or the plain average.
double observation_of(const Rows& rows, std::size_t column, std::size_t run, const UniformSource& source,
                      std::uint64_t of_seed) {
  const auto length = static_cast<std::size_t>(source.replications_of_run());
  const std::size_t begin = run * length;
  if (source.sampling != Sampling::refined_descriptive || source.weights == SubRunWeights::by_size) {
    return average_of(rows, column, begin, begin + length);
  }
  SubRuns sub_run(source.primes, of_seed, run);
  double sum = 0;
  int sub_runs = 0;
  for (std::size_t place = 0; place < length; ++sub_runs) {
    sub_run.seek(place);
    const std::size_t end = std::min<std::size_t>(sub_run.first() + sub_run.size(), length);
    sum += average_of(rows, column, begin + place, begin + end);
    place = end;
  }
  return sum / sub_runs;
}

// Standard deviation of all rows about their common average.
double deviation_of(const Rows& rows, std::size_t column) {
  long double sum = 0, squares = 0;
  for (const Row& row : rows) sum += row[column];
  const long double mean = sum / rows.size();
  for (const Row& row : rows) squares += (row[column] - mean) * (row[column] - mean);
  return static_cast<double>(std::sqrt(squares / (rows.size() - 1)));
}

struct Observed {
  ExperimentResult result;
  std::vector<std::vector<Row>> observations;  // by design point and response, in the order of arrival
};

template <class Space>
Observed observe(const std::vector<Recorder>& models, const Plan& plan) {
  const auto responses = static_cast<std::size_t>(models.front().response_count());
  Observed observed{{}, std::vector<std::vector<Row>>(models.size(), std::vector<Row>(responses))};
  const Observer observer = [&](std::size_t point, std::size_t response, double observation) {
    observed.observations.at(point).at(response).push_back(observation);
  };
  observed.result = simulate(Space(), std::span<const Recorder>(models), plan, {}, observer);
  return observed;
}

void expect_moments(const ResponseEstimate& estimate, const Row& observations) {
  long double sum = 0, squares = 0;
  for (const double x : observations) sum += x;
  const long double mean = sum / observations.size();
  for (const double x : observations) squares += (x - mean) * (x - mean);
  EXPECT_EQ(estimate.observations, static_cast<std::int64_t>(observations.size()));
  EXPECT_NEAR(estimate.mean, static_cast<double>(mean), 1e-14);
  EXPECT_NEAR(estimate.variance, static_cast<double>(squares / (observations.size() - 1)), 1e-15);
}

std::vector<UniformSource> sources_in_runs() {
  std::vector<UniformSource> sources;
  for (const auto sampling : all_samplings) sources.push_back(source(sampling, 100));
  sources[3] = refined(100);
  sources.push_back(refined(100, SubRunWeights::by_size));
  return sources;
}

TYPED_TEST(Runs, MakeObservationsOfTheirReplications) {
  constexpr std::int64_t runs = 7;
  const std::vector<Recorder> models = {{{2}}, {{2}}};
  for (const auto& source : sources_in_runs()) {
    for (const auto mapping : {Mapping::thread, Mapping::warp}) {
      Plan plan;
      plan.seed = seed;
      plan.source = source;
      plan.mapping = mapping;
      plan.common_random_numbers = false;
      plan.replications = runs * source.replications_of_run();
      const Observed observed = observe<TypeParam>(models, plan);
      for (std::size_t point = 0; point < 2; ++point) {
        const std::uint64_t of_seed = design_point_seed(seed, point);
        const Rows rows = rows_of<TypeParam>(models[point], source, {0, plan.replications}, mapping, of_seed);
        const PointResult& result = observed.result.points[point];
        EXPECT_EQ(result.replications, plan.replications);
        for (std::size_t response = 0; response < 3; ++response) {
          Row expected;
          for (std::size_t run = 0; run < runs; ++run) {
            expected.push_back(observation_of(rows, response, run, source, of_seed));
          }
          EXPECT_EQ(observed.observations[point][response], expected) << name_of(source.sampling);
          expect_moments(result.responses[response], expected);
          EXPECT_NEAR(result.responses[response].deviation, deviation_of(rows, response), 1e-14);
        }
      }
      EXPECT_NE(observed.result.points[0].digest, observed.result.points[1].digest);
      const auto unobserved = simulate(TypeParam(), std::span<const Recorder>(models), plan);
      EXPECT_EQ(unobserved.points[1].digest, observed.result.points[1].digest);
      EXPECT_EQ(unobserved.points[1].responses[0].mean, observed.result.points[1].responses[0].mean);
      EXPECT_EQ(unobserved.points[1].responses[0].variance, observed.result.points[1].responses[0].variance);
    }
  }
}

// Weights matter: if unfinished sub-runs count as much as the others, the average is different.
TYPED_TEST(Runs, WeighTheirSubRunsAsThePlanSays) {
  Plan plan;
  plan.replications = 500;
  plan.source = refined(100);
  const std::vector<Recorder> models = {{{2}}};
  const Observed equal = observe<TypeParam>(models, plan);
  plan.source.weights = SubRunWeights::by_size;
  const Observed by_size = observe<TypeParam>(models, plan);
  EXPECT_EQ(equal.result.points[0].digest, by_size.result.points[0].digest);
  for (std::size_t run = 0; run < 5; ++run) {
    EXPECT_NE(equal.observations[0][0][run], by_size.observations[0][0][run]);
  }
}

TYPED_TEST(Runs, OfOneReplicationAreObservations) {
  Plan plan;
  plan.replications = 200;
  plan.seed = seed;
  const Observed observed = observe<TypeParam>({{{2}}}, plan);
  const Rows rows = rows_of<TypeParam>({{2}}, {}, {0, 200});
  for (std::size_t response = 0; response < 3; ++response) {
    EXPECT_EQ(observed.observations[0][response], draws_in(rows, 0, 200, response, response + 1));
    const auto& estimate = observed.result.points[0].responses[response];
    expect_moments(estimate, observed.observations[0][response]);
    EXPECT_EQ(estimate.deviation, std::sqrt(estimate.variance));
  }
}

// The sizes of runs, batches and launches do not fit each other. A precision must stop at the same replication.
TYPED_TEST(Runs, AreWholeWhereAPrecisionStopsThem) {
  Plan plan;
  plan.source = refined(15);
  plan.replications = 15 * 4000;
  plan.batch = 45;
  plan.precision.half_width = 0.004;
  const std::vector<Recorder> models = {{{1}}, {{1}, {1}}};
  const Observed observed = observe<TypeParam>(models, plan);
  const PointResult& result = observed.result.points[0];
  EXPECT_EQ(result.stopped_by, StopReason::precision);
  EXPECT_EQ(result.replications % 45, 0);
  EXPECT_EQ(result.responses[0].observations, result.replications / 15);
  EXPECT_LE(result.responses[0].half_width, 0.004);
  EXPECT_EQ(observed.observations[0][0].size(), static_cast<std::size_t>(result.replications / 15));
  expect_moments(result.responses[0], observed.observations[0][0]);
  const PointResult unobserved = simulate(TypeParam(), models[0], plan);
  EXPECT_EQ(unobserved.digest, result.digest);
  EXPECT_EQ(unobserved.responses[0].mean, result.responses[0].mean);
  plan.precision = {};
  plan.replications = result.replications;
  const PointResult fixed = simulate(TypeParam(), models[0], plan);
  EXPECT_EQ(fixed.digest, result.digest);
  EXPECT_EQ(fixed.responses[0].mean, result.responses[0].mean);
}

// --- Runs of one replication.

TYPED_TEST(Runs, OfOneReplicationDescribeItsDraws) {
  const Rows rows = rows_of<TypeParam>({{24}, {6}}, source(Sampling::descriptive, 1), {0, 50});
  std::set<Row> orders;
  for (std::size_t r = 0; r < 50; ++r) {
    EXPECT_EQ(sorted(draws_in(rows, r, r + 1, 0, 24)), regular_numbers(24));
    EXPECT_EQ(sorted(draws_in(rows, r, r + 1, 24, 30)), regular_numbers(6));
    orders.insert(draws_in(rows, r, r + 1, 0, 24));
  }
  EXPECT_EQ(orders.size(), 50u);
}

TYPED_TEST(Runs, OfOneReplicationBeginSampleAfterSample) {
  UniformSource descriptive = source(Sampling::descriptive, 0);
  descriptive.sample_size = 10;
  for (const bool is_known : {true, false}) {
    const Rows rows = rows_of<TypeParam>({{35}, {7}, 0, is_known}, descriptive, {0, 20});
    for (std::size_t r = 0; r < 20; ++r) {
      std::set<Row> orders;
      for (const std::size_t first : {0, 10, 20}) {
        const Row sample = draws_in(rows, r, r + 1, first, first + 10);
        EXPECT_EQ(sorted(sample), regular_numbers(10));
        orders.insert(sample);
      }
      EXPECT_EQ(orders.size(), 3u);
    }
  }
}

TYPED_TEST(Runs, OfOneReplicationLetVariablesTakeTurns) {
  const Rows rows = rows_of<TypeParam>({{8, 3}}, source(Sampling::descriptive, 1), {0, 20});
  for (std::size_t r = 0; r < 20; ++r) {
    for (std::size_t variable = 0; variable < 3; ++variable) {
      EXPECT_EQ(sorted(draws_in(rows, r, r + 1, variable, 24, 3)), regular_numbers(8));
    }
  }
}

TYPED_TEST(Runs, OfOneReplicationFollowARefinedSequence) {
  const Recorder model{{100}, {20, 4}};
  const Rows rows = rows_of<TypeParam>(model, refined(0), {1000, 20});
  const auto expect_sequence = [&](const SampledVariable& variable, std::size_t first, std::size_t end,
                                   std::size_t step) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::uint64_t run = 1000 + r;
      RefinedSequence sequence(refined(0).primes, impl::sample_key(seed, run, impl::KeyPurpose::sub_runs, variable),
                               impl::sample_key(seed, run, impl::KeyPurpose::order, variable));
      const Row draws = draws_in(rows, r, r + 1, first, end, step);
      Row expected(draws.size());
      sequence.fill(0, static_cast<std::uint32_t>(draws.size()), expected.data());
      ASSERT_EQ(draws, expected) << "replication " << run << ", variable " << variable.turn;
    }
  };
  expect_sequence({0, 0}, 0, 100, 1);
  for (std::uint32_t turn = 0; turn < 4; ++turn) expect_sequence({1, turn}, 100 + turn, 180, 4);
}

// --- A model that draws more than it stated.

TYPED_TEST(Runs, GiveRandomUniformsWhereAModelDrawsMoreThanItStated) {
  Recorder model{{2, 2}};
  model.extra = 50;
  const Rows random = rows_of<TypeParam>(model, {}, {0, 64});
  for (const auto sampling : all_samplings) {
    if (takes_engine(sampling)) continue;
    for (const auto mapping : {Mapping::thread, Mapping::warp}) {
      const Rows rows = rows_of<TypeParam>(model, source(sampling, 16), {0, 64}, mapping);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        EXPECT_EQ(draws_in(rows, r, r + 1, 4, 54), draws_in(random, r, r + 1, 4, 54)) << name_of(sampling);
        EXPECT_NE(draws_in(rows, r, r + 1, 0, 4), draws_in(random, r, r + 1, 0, 4)) << name_of(sampling);
      }
      Recorder exact = model;
      exact.extra = 0;
      const Rows stated = rows_of<TypeParam>(exact, source(sampling, 16), {0, 64}, mapping);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        EXPECT_EQ(draws_in(rows, r, r + 1, 0, 4), draws_in(stated, r, r + 1, 0, 4)) << name_of(sampling);
        EXPECT_EQ(rows[r].back(), stated[r].back()) << "the other input takes no notice: " << name_of(sampling);
      }
    }
  }
}

TYPED_TEST(Runs, OfOneReplicationGoOnWhereAModelDrawsMoreThanItStated) {
  Recorder model{{10}};
  model.extra = 30;
  const Rows rows = rows_of<TypeParam>(model, source(Sampling::descriptive, 1), {0, 10});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const std::size_t first : {0, 10, 20, 30}) {
      EXPECT_EQ(sorted(draws_in(rows, r, r + 1, first, first + 10)), regular_numbers(10));
    }
  }
}

// --- Replications, runs and seeds.

TYPED_TEST(Runs, HaveReplicationsThatCanBeRunAlone) {
  const Recorder model{{3}, {2, 2}};
  std::vector<UniformSource> sources = sources_in_runs();
  sources.push_back(source(Sampling::antithetic, 0));
  sources.push_back(source(Sampling::descriptive, 1));
  sources.push_back(refined(0));
  for (const auto& source : sources) {
    const Rows rows = rows_of<TypeParam>(model, source, {200, 300});
    for (const std::int64_t replication : {200, 201, 263, 299, 300, 498, 499}) {
      for (const auto mapping : {Mapping::thread, Mapping::warp}) {
        const Rows separate = rows_of<TypeParam>(model, source, {replication, 1}, mapping);
        EXPECT_EQ(separate[0], rows[static_cast<std::size_t>(replication - 200)])
            << name_of(source.sampling) << ", replication " << replication;
      }
    }
  }
}

TYPED_TEST(Runs, DifferFromEachOtherAndFromSeedToSeed) {
  for (const auto& source : sources_in_runs()) {
    const Rows rows = rows_of<TypeParam>({{3}}, source, {0, 300});
    const Rows others = rows_of<TypeParam>({{3}}, source, {0, 300}, Mapping::thread, seed + 1);
    const auto run = [](const Rows& of, std::size_t index) {
      return draws_in(of, 100 * index, 100 * (index + 1), 0, 4);
    };
    EXPECT_NE(run(rows, 0), run(rows, 1)) << name_of(source.sampling);
    EXPECT_NE(run(rows, 1), run(rows, 2)) << name_of(source.sampling);
    EXPECT_NE(run(rows, 0), run(others, 0)) << name_of(source.sampling);
    EXPECT_NE(run(rows, 1), run(others, 0)) << name_of(source.sampling);
    EXPECT_EQ(run(rows, 0), run(rows_of<TypeParam>({{3}}, source, {0, 100}), 0));
  }
}

// A uniform of 0 or 1 would give an infinite variate.
TYPED_TEST(Runs, StayInsideTheUnitInterval) {
  for (const auto& source : sources_in_runs()) {
    const Rows rows = rows_of<TypeParam>({{5, 3}}, source, {0, 1000});
    for (const Row& row : rows) {
      EXPECT_GT(*std::min_element(row.begin(), row.end()), 0) << name_of(source.sampling);
      EXPECT_LT(*std::max_element(row.begin(), row.end()), 1) << name_of(source.sampling);
    }
  }
}

}  // namespace runs_tests
