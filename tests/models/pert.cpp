// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files.hpp"

#include <harness/backends.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/projects/pert.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pert_tests {

using namespace sporos;
using models::Activity, models::eight_activities, models::exact_pert, models::Pert, models::PertCase,
    models::PertTables, models::ProjectNetwork;

static_assert(DescribedCase<PertCase> && WideModel<Pert> && StatesDraws<Pert>);

Activity activity(const std::string& name, const std::string& from, const std::string& to,
                  const std::string& duration) {
  return {name, from, to, parse_distribution(duration)};
}

Plan plan_with(std::uint64_t seed, std::int64_t replications) {
  Plan plan;
  plan.seed = seed;
  plan.replications = replications;
  plan.confidence = 1 - 1e-5;
  return plan;
}

template <class Space>
PointResult simulated(const ProjectNetwork& network, const Plan& plan) {
  const PertTables<typename Space::memory_space> tables(network);
  return simulate(Space(), tables.model(), plan);
}

// Number of responses that miss their mean; each interval misses with probability 10^-5.
int misses(const PointResult& result, const std::vector<double>& exact) {
  int count = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    count += std::abs(result.responses.at(i).mean - exact[i]) > result.responses[i].half_width + 1e-12;
  }
  return count;
}

std::vector<double> exact_means(const ProjectNetwork& network) {
  const auto exact = exact_pert(network);
  std::vector<double> means{exact->mean};
  means.insert(means.end(), exact->criticalities.begin(), exact->criticalities.end());
  return means;
}

// Enumerates all paths, as a manual calculation would: 1-2-4-5, 1-2-5, 1-3-4-5, 1-4-5, 1-5.
TEST(Pert, ExactValuesAreThoseOfAllPaths) {
  const std::vector<std::vector<int>> paths = {{0, 4, 7}, {0, 5}, {1, 6, 7}, {2, 7}, {3}};
  double sum = 0, squares = 0;
  std::array<double, 8> critical{};
  constexpr int outcomes = 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5;
  for (int outcome = 0; outcome < outcomes; ++outcome) {
    std::array<int, 8> duration;
    for (int i = 0, rest = outcome; i < 8; ++i, rest /= 5) duration[static_cast<std::size_t>(i)] = 1 + rest % 5;
    const auto length = [&](const std::vector<int>& path) {
      int total = 0;
      for (const int i : path) total += duration[static_cast<std::size_t>(i)];
      return total;
    };
    int longest = 0;
    for (const auto& path : paths) longest = std::max(longest, length(path));
    std::set<int> on_longest;
    for (const auto& path : paths) {
      if (length(path) == longest) on_longest.insert(path.begin(), path.end());
    }
    for (const int i : on_longest) critical[static_cast<std::size_t>(i)] += 1.0 / outcomes;
    sum += longest;
    squares += longest * longest;
  }
  const auto exact = exact_pert(eight_activities());
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->mean, sum / outcomes, 1e-10);
  EXPECT_NEAR(exact->deviation, std::sqrt(squares / outcomes - sum / outcomes * sum / outcomes), 1e-9);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(exact->criticalities[i], critical[i], 1e-10) << i;
  EXPECT_NEAR(exact->mean, 10.19657216, 1e-10);  // from an independent program in another language
  EXPECT_NEAR(exact->deviation, 2.093118024840676, 1e-10);
}

TEST(Pert, ExactValuesNeedFewFiniteOutcomes) {
  EXPECT_FALSE(exact_pert(ProjectNetwork({activity("a", "1", "2", "exponential(1)")})));
  EXPECT_FALSE(exact_pert(ProjectNetwork({activity("a", "1", "2", "uniform-integer(1,100000000)")})));
  std::vector<Activity> chain;
  for (int i = 0; i < 24; ++i) {
    chain.push_back(activity(std::to_string(i), std::to_string(i), std::to_string(i + 1), "uniform-integer(1,2)"));
  }
  EXPECT_FALSE(exact_pert(ProjectNetwork(chain)));
  chain.resize(12);
  EXPECT_NEAR(exact_pert(ProjectNetwork(chain))->mean, 18, 1e-10);
  EXPECT_NEAR(exact_pert(ProjectNetwork(chain))->deviation, std::sqrt(3.0), 1e-9);
}

template <class Space>
class PertRuns : public ::testing::Test {};
TYPED_TEST_SUITE(PertRuns, test::Backends, test::BackendName);

TYPED_TEST(PertRuns, EstimatesAreTheExactMeans) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const auto result = simulated<TypeParam>(eight_activities(), plan_with(seed, 100000));
    EXPECT_EQ(misses(result, exact_means(eight_activities())), 0) << seed;
    EXPECT_NEAR(std::sqrt(result.responses[0].variance), exact_pert(eight_activities())->deviation, 0.03);
    EXPECT_EQ(result.responses[0].name, "duration");
    EXPECT_EQ(result.responses[8].name, "criticality of h");
  }
}

TYPED_TEST(PertRuns, ControlAnArcElsewhereIsFound) {
  auto activities = eight_activities().activities();
  activities[5].from = "3";  // activity f
  EXPECT_GT(
      misses(simulated<TypeParam>(ProjectNetwork(activities), plan_with(1, 100000)), exact_means(eight_activities())),
      0);
}

// Two exponential activities run in parallel, followed by one of every other kind in series: means add up, and the
// series is critical.
TYPED_TEST(PertRuns, EveryKindOfDuration) {
  std::vector<Activity> activities = {activity("fast", "0", "1", "exponential(2)"),
                                      activity("slow", "0", "1", "exponential(1)")};
  const std::vector<std::string> texts = {"constant(3)",       "uniform(1,2.5)",     "uniform-integer(1,5)",
                                          "triangular(1 2 6)", "erlang(3, 2)",       "gamma(2.5, 0.5)",
                                          "weibull(1.5, 2)",   "lognormal(0.1 0.4)", "geometric(0.3)",
                                          "poisson(4.5)",      "empirical(4, 1, 2)", "discrete(1:0.2 2:0.5 5:0.3)"};
  std::vector<double> exact = {1 + 0.5 - 1.0 / 3, 1.0 / 3, 2.0 / 3};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    activities.push_back(activity(texts[i], std::to_string(i + 1), std::to_string(i + 2), texts[i]));
    exact[0] += activities.back().duration.mean();
    exact.push_back(1);
  }
  const auto result = simulated<TypeParam>(ProjectNetwork(activities), plan_with(1, 40000));
  // Sums that differ only by rounding may or may not tie, but in a series each sum is the only one.
  EXPECT_EQ(misses(result, exact), 0);
}

TYPED_TEST(PertRuns, TheSameBitsUnderEveryMapping) {
  Plan plan = plan_with(1, 1000);
  const std::uint64_t known = 0x2a528dc78619804a;
  for (const auto mapping : {Mapping::thread, Mapping::warp, Mapping::automatic}) {
    plan.mapping = mapping;
    EXPECT_EQ(simulated<TypeParam>(eight_activities(), plan).digest, known) << name_of(mapping);
  }
  plan.source.engine = Engine::philox4x64;
  EXPECT_NE(simulated<TypeParam>(eight_activities(), plan).digest, known) << "control";
}

TYPED_TEST(PertRuns, AsManyActivitiesAsThereMayBe) {
  std::vector<Activity> chain, fan;
  for (int i = 0; i < models::max_activities; ++i) {
    const int place = models::max_activities - i;  // the order in the file is the reverse of the project's order
    chain.push_back(
        activity(fmt::format("a{}", i), fmt::format("e{}", place), fmt::format("e{}", place - 1), "constant(1)"));
    fan.push_back(activity(fmt::format("a{}", i), "start", "end", fmt::format("constant({})", i)));
  }
  const auto long_one = simulated<TypeParam>(ProjectNetwork(chain), plan_with(1, 4));
  EXPECT_EQ(long_one.responses[0].mean, models::max_activities);
  for (std::size_t i = 1; i < long_one.responses.size(); ++i) EXPECT_EQ(long_one.responses[i].mean, 1);
  const auto wide_one = simulated<TypeParam>(ProjectNetwork(fan), plan_with(1, 4));
  EXPECT_EQ(wide_one.responses[0].mean, models::max_activities - 1);
  for (std::size_t i = 1; i < wide_one.responses.size(); ++i) {
    EXPECT_EQ(wide_one.responses[i].mean, i + 1 == wide_one.responses.size());
  }
}

TEST(Pert, StatesItsDraws) {
  const PertTables<Kokkos::HostSpace> tables(eight_activities());
  const auto draws = tables.model().input_draws();
  EXPECT_EQ(draws[0].count, 1);
  EXPECT_EQ(draws[0].variables, 8);
}

TEST(Pert, TheSampleFileIsTheBuiltInNetwork) {
  std::vector<std::string> notes;
  const ProjectNetwork read = models::read_network(test::sample_file("pert.csv"), notes), built_in = eight_activities();
  ASSERT_EQ(read.activities().size(), built_in.activities().size());
  for (std::size_t i = 0; i < read.activities().size(); ++i) {
    const Activity &a = read.activities()[i], &b = built_in.activities()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.from, b.from);
    EXPECT_EQ(a.to, b.to);
    EXPECT_EQ(a.duration.kind, b.duration.kind);
    EXPECT_EQ(a.duration.parameters, b.duration.parameters);
  }
  EXPECT_EQ(default_model<PertCase>().load(notes).event_count(), 5);
  EXPECT_EQ(notes, std::vector<std::string>());
}

std::string refusal_of_file(const std::string& contents) {
  std::vector<std::string> notes;
  return test::refusal_of([&](const std::string& path) { return models::read_network(path, notes); }, contents);
}

// Message for a file with `lines` below the column names.
std::string refusal(const std::string& lines) { return refusal_of_file("activity,from,to,distribution\n" + lines); }

TEST(Pert, SaysWhatIsWrongWithAFile) {
  const std::string u = ",uniform(1 2)\n";
  EXPECT_EQ(refusal("a,1,2" + u), "");
  EXPECT_EQ(refusal("a,1,2,\"uniform(1,2)\"\n"), "");
  EXPECT_EQ(refusal_of_file(""), " is empty, expected a line of column names and a line for each activity");
  EXPECT_EQ(refusal_of_file("activity,from,distribution\na,1,constant(1)\n"),
            ", line 1: the columns are 'activity, from, distribution', expected activity, from, to, distribution");
  EXPECT_EQ(refusal(""), ": no row follows the names, expected one for each activity");
  EXPECT_EQ(refusal("a,1,2,uniform(1,2)\n"), ", line 2: 5 fields, expected 4: activity, from, to, distribution");
  EXPECT_EQ(refusal("a,1,,"
                    "constant(1)\n"),
            ", line 2: to is empty");
  EXPECT_EQ(refusal("a,1,2" + u + "b,2,3,unifrom(1 2)\n").substr(0, 64),
            ", line 3: 'unifrom(1 2)': unknown distribution 'unifrom': expect");
  EXPECT_EQ(refusal("a,1,2,uniform(2 1)\n"), ", line 2: 'uniform(2 1)': low is 2, expected a number not above high, 1");
  EXPECT_EQ(refusal("a,1,2,constant(-1)\n"), ": activity 'a': its duration can be as low as -1, expected at least 0");
  EXPECT_EQ(refusal("a,1,2,normal(5 1)\n"), ": activity 'a': its duration can be as low as -inf, expected at least 0");
  EXPECT_EQ(refusal("a,1,2" + u + "a,2,3" + u), ": two activities are called 'a', expected different names");
  EXPECT_EQ(refusal("a,1,2" + u + "b,2,3" + u + "c,3,2" + u + "d,3,4" + u),
            ": the activities b, c form a cycle, through event '2'");
  EXPECT_EQ(refusal("a,1,1" + u), ": the activities a form a cycle, through event '1'");
  EXPECT_EQ(
      refusal("a,1,2" + u + "b,2,3" + u + "c,2,4" + u),
      ": no activity starts at the events '3' (activity 'b') and '4' (activity 'c'), expected a single last event");
  EXPECT_EQ(
      refusal("a,1,3" + u + "b,2,3" + u),
      ": no activity ends at the events '1' (activity 'a') and '2' (activity 'b'), expected a single first event");
  std::string many;
  for (int i = 0; i <= models::max_activities; ++i) many += fmt::format("a{},1,2{}", i, u);
  EXPECT_EQ(refusal(many), ": there are 513 activities, expected at most 512");
}

TEST(Pert, ANetworkWithoutActivitiesIsRefused) { EXPECT_THROW(ProjectNetwork({}), std::invalid_argument); }

}  // namespace pert_tests
