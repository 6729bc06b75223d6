// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each source or plan that cannot be carried out is refused with a message that names a valid one. Sources and plans
// that are just valid are accepted.
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace check_source_tests {

using namespace sporos;

constexpr std::int64_t two_to_31 = std::int64_t{1} << 31;

const std::vector<InputDraws> unstated, once = {{1}}, five = {{5}}, mixed = {{2, 3}, {0}, {7}};
constexpr auto all_samplings = values_of<Sampling>();

std::string refusal(const std::function<void()>& check) {
  try {
    check();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const UniformSource& source, const std::vector<InputDraws>& draws) {
  return refusal([&] { check_source(source, draws); });
}

std::string refusal(const Plan& plan) {
  return refusal([&] { check_plan(plan); });
}

UniformSource source(Sampling sampling, std::int64_t run_length = 0, std::int64_t sample_size = 0) {
  UniformSource made;
  made.sampling = sampling;
  made.run_length = run_length;
  made.sample_size = sample_size;
  return made;
}

TEST(CheckSource, TakesEverySamplingInRunsOfAKnownNumberOfDraws) {
  for (const auto sampling : all_samplings) {
    for (const std::int64_t length : {2, 64, 1000}) {
      EXPECT_EQ(refusal(source(sampling, length), five), "") << name_of(sampling) << length;
      EXPECT_EQ(refusal(source(sampling, length), {{1}, {2, 3}}), "") << name_of(sampling) << length;
    }
  }
}

TEST(CheckSource, TakesRunsOfOneReplicationWhereTheyDescribeSomething) {
  for (const auto sampling : all_samplings) {
    if (sampling == Sampling::antithetic || is_point_set(sampling)) continue;
    EXPECT_EQ(refusal(source(sampling, 1), five), "") << name_of(sampling);
    if (sampling == Sampling::descriptive) continue;
    EXPECT_EQ(refusal(source(sampling), five), "") << name_of(sampling);
  }
  EXPECT_EQ(refusal(source(Sampling::random), unstated), "");
  EXPECT_EQ(refusal(source(Sampling::random, 10), unstated), "") << "runs of independent replications";
  EXPECT_EQ(refusal(source(Sampling::antithetic), unstated), "");
  EXPECT_EQ(refusal(source(Sampling::antithetic, 6), unstated), "");
  EXPECT_EQ(refusal(source(Sampling::refined_descriptive), unstated), "");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 0, 100), unstated), "");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 1, 100), once), "");
}

TEST(CheckSource, TakesAnEngineWhereTheSamplingDoes) {
  for (const auto sampling : all_samplings) {
    UniformSource taus = source(sampling, 4);
    taus.engine = Engine::taus88;
    const std::string name(name_of(sampling));
    EXPECT_EQ(
        refusal(taus, five),
        takes_engine(sampling) ? "" : "engine is taus88, expected philox: sampling " + name + " takes no other engine");
  }
}

TEST(CheckSource, RefusesEnginesOfHostsOnDevices) {
  std::string engines;
  for (const auto& [name, engine] : Engines::names) engines += (engines.empty() ? "" : ", ") + std::string(name);
  engines.replace(engines.rfind(", "), 2, " or ");
  for (const auto& [name, engine] : ChoiceNames<Engine>::values) {
    UniformSource own;
    own.engine = engine;
    const auto refusal_on = [&](bool is_host, std::string_view backend) -> std::string {
      try {
        check_runs_on(own, is_host, backend);
        return "";
      } catch (const std::invalid_argument& error) {
        return error.what();
      }
    };
    EXPECT_EQ(refusal_on(true, "openmp"), "");
    EXPECT_EQ(refusal_on(false, "cuda"),
              name.starts_with("boost-") ? "engine is " + std::string(name) +
                                               ", which runs on hosts only, but the backend is cuda: expected one of " +
                                               engines + ", or the backend serial or openmp"
                                         : "");
  }
}

TEST(CheckSource, KnowsRunLengths) {
  for (const auto sampling : all_samplings) {
    EXPECT_EQ(refusal(source(sampling, -1), five), "run length is -1, expected at least 1") << name_of(sampling);
  }
  for (const std::int64_t odd : {1, 3, 1001}) {
    EXPECT_EQ(refusal(source(Sampling::antithetic, odd), five),
              "run length is " + std::to_string(odd) +
                  ", expected a multiple of 2, because antithetic sampling runs replications in pairs");
  }
  for (const auto sampling : all_samplings) {
    const std::string most = "run length is 2147483650, expected at most 2147483648";
    EXPECT_EQ(refusal(source(sampling, two_to_31 + 2), once), takes_engine(sampling) ? "" : most) << name_of(sampling);
    EXPECT_EQ(refusal(source(sampling, two_to_31), once), "") << name_of(sampling);
    if (!is_point_set(sampling)) continue;
    EXPECT_EQ(refusal(source(sampling), five),
              "sampling " + std::string(name_of(sampling)) + " requires a run length, the number of points");
    EXPECT_EQ(refusal(source(sampling, 1), five), "") << "a set of one point";
  }
}

TEST(CheckSource, KnowsSampleSizes) {
  for (const auto sampling : all_samplings) {
    if (sampling == Sampling::descriptive) continue;
    EXPECT_EQ(
        refusal(source(sampling, 2, 100), five),
        "sample size is 100 for sampling " + std::string(name_of(sampling)) + ", expected it with descriptive only");
  }
  EXPECT_EQ(refusal(source(Sampling::descriptive, 0, -1), five), "sample size is -1, expected 1 to 2147483648");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 0, two_to_31 + 1), five),
            "sample size is 2147483649, expected 1 to 2147483648");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 0, two_to_31), five), "");
  EXPECT_EQ(
      refusal(source(Sampling::descriptive, 2, 100), five),
      "sample size is 100 next to a run length of 2, expected one of them: the draws of all replications in a run "
      "determine its sample size");
  EXPECT_EQ(refusal(source(Sampling::descriptive), unstated),
            "sampling descriptive requires a sample size, because this model states no number of draws: give about the "
            "number of draws of a variable in a replication");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 1), {{0}}), refusal(source(Sampling::descriptive), unstated));
}

TEST(CheckSource, NeedsASampleToDescribe) {
  for (const auto sampling : {Sampling::descriptive, Sampling::refined_descriptive}) {
    for (const std::int64_t length : {0, 1}) {
      EXPECT_EQ(refusal(source(sampling, length), once),
                "sampling " + std::string(name_of(sampling)) +
                    " requires a run length, the number of replications that share a sample, because a replication "
                    "draws each variable once");
    }
    EXPECT_EQ(refusal(source(sampling), {{1, 100}}), refusal(source(sampling), once)) << "each of 100 once";
    EXPECT_EQ(refusal(source(sampling, 1), {{1}, {2}}), "") << "one variable twice is something to describe";
  }
  EXPECT_EQ(
      refusal(source(Sampling::descriptive), five),
      "sampling descriptive requires a run length, the number of replications that share a sample, or a sample size, "
      "the size of a variable's sample within a replication");
}

TEST(CheckSource, NeedsToKnowTheDrawsThatAreShared) {
  for (const auto& draws : {unstated, std::vector<InputDraws>{{0}, {0}}}) {
    for (const auto sampling : all_samplings) {
      const std::string name = "sampling " + std::string(name_of(sampling));
      if (is_point_set(sampling)) {
        EXPECT_EQ(refusal(source(sampling, 8), draws),
                  name +
                      " assigns a coordinate to each draw of a replication, but this model states no number of draws: "
                      "expected " +
                      names_where<Sampling>([](Sampling each) { return !is_point_set(each); }));
      } else if (!takes_engine(sampling)) {
        EXPECT_EQ(refusal(source(sampling, 8), draws),
                  name +
                      " in runs of several replications requires the number of draws of each, but this model states "
                      "none: expected runs of one replication");
      }
    }
  }
}

// Inputs that state no draws get random numbers, next to inputs that do. A sample of unknown size is refused.
TEST(CheckSource, TakesModelsThatStateSomeOfTheirInputs) {
  for (const auto sampling : all_samplings) EXPECT_EQ(refusal(source(sampling, 8), mixed), "") << name_of(sampling);
  EXPECT_EQ(refusal(source(Sampling::refined_descriptive), mixed), "");
  EXPECT_EQ(refusal(source(Sampling::refined_descriptive), {{1}, {0}}), "") << "the second may draw often";
  EXPECT_EQ(refusal(source(Sampling::descriptive, 0, 10), mixed), "");
  EXPECT_EQ(refusal(source(Sampling::descriptive), mixed), refusal(source(Sampling::descriptive), unstated));
}

TEST(CheckSource, KnowsHowLargeASampleCanBe) {
  EXPECT_EQ(refusal(source(Sampling::descriptive, 1 << 16), {{1 << 15}}), "");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 1 << 16), {{(1 << 15) + 1}}),
            "sampling descriptive takes samples of at most 2147483648 numbers, but 65536 replications of a run draw a "
            "variable 32769 times each");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 1), {{two_to_31}}), "");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 1), {{two_to_31 + 1}}),
            "sampling descriptive takes samples of at most 2147483648 numbers, but a replication draws a variable "
            "2147483649 times");
  EXPECT_EQ(refusal(source(Sampling::descriptive, 0, 100), {{two_to_31 + 1}}), "") << "its samples are smaller";
}

TEST(CheckSource, KnowsHowManyDimensionsThereAre) {
  struct Limit {
    Sampling sampling;
    std::int64_t most;
  };
  for (const auto& [sampling, most] : {Limit{Sampling::sobol, 3667}, Limit{Sampling::halton, 10000},
                                       Limit{Sampling::faure, 10000}, Limit{Sampling::lattice, 250}}) {
    EXPECT_EQ(refusal(source(sampling, 8), {{most}}), "") << name_of(sampling);
    EXPECT_EQ(refusal(source(sampling, 8), {{most - 10}, {2, 5}}), "") << name_of(sampling);
    const std::string sentence = "sampling " + std::string(name_of(sampling)) + " has " + std::to_string(most) +
                                 " dimensions, but a replication draws " + std::to_string(most + 1) + " times";
    EXPECT_EQ(refusal(source(sampling, 8), {{most + 1}}), sentence);
    EXPECT_EQ(refusal(source(sampling, 8), {{most - 10}, {11}}), sentence);
    EXPECT_EQ(refusal(source(sampling, 8), {{1, most + 1}}), sentence);
  }
  EXPECT_EQ(refusal(source(Sampling::latin_hypercube, 8), {{1'000'000}}), "");
}

TEST(CheckSource, NeedsAPrime) {
  UniformSource refined = source(Sampling::refined_descriptive);
  const auto with = [&](std::uint32_t smallest, std::uint32_t largest) {
    refined.primes = {smallest, largest};
    return refusal(refined, five);
  };
  const auto sentence = [](const std::string& range) {
    return "primes is " + range + ", expected a range that contains an odd prime and ends below 2147483648";
  };
  EXPECT_EQ(with(8, 10), sentence("8 to 10"));
  EXPECT_EQ(with(97, 7), sentence("97 to 7"));
  EXPECT_EQ(with(0, 2), sentence("0 to 2"));
  EXPECT_EQ(with(3, 2147483648u), sentence("3 to 2147483648"));
  EXPECT_EQ(with(3, 2147483647u), "");
  EXPECT_EQ(with(7, 7), "");
  EXPECT_EQ(with(0, 3), "");
  refined.sampling = Sampling::descriptive;
  refined.run_length = 1;
  refined.primes = {8, 10};
  EXPECT_EQ(refusal(refined, five), "") << "nobody asks for its primes";
}

TEST(CheckSource, KnowsNegativeDraws) {
  EXPECT_EQ(refusal(source(Sampling::random), {{1}, {-1}}),
            "input 2 of the model states -1 draws of 1 variables, expected at least 0 draws of at least 1");
  EXPECT_EQ(refusal(source(Sampling::random), {{1, 0}}),
            "input 1 of the model states 1 draws of 0 variables, expected at least 0 draws of at least 1");
}

TEST(CheckPlan, NeedsWholeRuns) {
  Plan plan;
  plan.source = source(Sampling::latin_hypercube, 100);
  EXPECT_EQ(refusal(plan), "replications is 1024, expected a multiple of 100, the run length");
  plan.replications = 1000;
  EXPECT_EQ(refusal(plan), "") << "without a precision the batch does not count";
  plan.precision.half_width = 1;
  EXPECT_EQ(refusal(plan), "batch is 256, expected a multiple of 100, the run length");
  plan.batch = 300;
  EXPECT_EQ(refusal(plan), "");
  plan.replications = 0;
  EXPECT_EQ(refusal(plan), "replications is 0, expected at least 1");
}

TEST(CheckPlan, AntitheticReplicationsComeInPairs) {
  Plan plan;
  plan.source = source(Sampling::antithetic);
  plan.replications = 7;
  EXPECT_EQ(refusal(plan),
            "replications is 7, expected a multiple of 2, because antithetic sampling runs replications in pairs");
  plan.source.run_length = 4;
  plan.replications = 6;
  EXPECT_EQ(refusal(plan), "replications is 6, expected a multiple of 4, the run length");
  plan.replications = 8;
  EXPECT_EQ(refusal(plan), "");
}

TEST(CheckPlan, ARunOfMoreThanAllReplicationsIsRefused) {
  Plan plan;
  plan.source = source(Sampling::random, std::int64_t{1} << 40);
  EXPECT_EQ(refusal(plan), "replications is 1024, expected a multiple of 1099511627776, the run length");
}

}  // namespace check_source_tests
