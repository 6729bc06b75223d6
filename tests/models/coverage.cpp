// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that every interval of every model covers as often as its confidence demands, over 1000 experiments that run
// as design points and differ only in their random numbers. A 95 % interval fails if it covers less often than the
// lower end of its binomial band. Without a fault, all checks together fail with probability 10^-3 (Bonferroni).
//
// Student's interval of a skewed response covers less often, by about 0.25 γ²/n for n observations of skewness γ (the
// two-sided term of Hall, The Bootstrap and Edgeworth Expansion, 2.6). The lower end of the band is therefore computed
// for 95 % minus this loss, with the skewness of the observations, which each failed check prints. Intervals of events
// and of responses that have not varied are made to cover more often than 95 %, so they have no upper end. All others
// have one, for 95 %.
#include <harness/backends.hpp>

#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/finance/asian_call.hpp>
#include <sporos/models/finance/path_option.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/inventory/continuous_newsvendor.hpp>
#include <sporos/models/inventory/dual_sourcing.hpp>
#include <sporos/models/inventory/facility_sizing.hpp>
#include <sporos/models/inventory/newsboy.hpp>
#include <sporos/models/inventory/ss_inventory.hpp>
#include <sporos/models/projects/pert.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/models/queues/tandem_line.hpp>
#include <sporos/models/radiation/lit_slab.hpp>
#include <sporos/models/supply_chains/contamination.hpp>
#include <sporos/models/walks/random_walk.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coverage_tests {

using namespace sporos;
using models::LitSlab, models::MM1, models::MMCK, models::NewsboyCase, models::PertCase, models::Pi, models::RandomWalk;
using Space = Kokkos::DefaultExecutionSpace;

constexpr std::size_t experiments = 1000;
constexpr double checks = 200, error = 1e-3 / checks;
constexpr double rounding = 1e-9;  // error from rounding a photon's energy to its units

Plan plan_of(std::int64_t replications, Sampling sampling = Sampling::random, std::int64_t run_length = 0) {
  Plan plan;
  plan.replications = replications;
  plan.common_random_numbers = false;
  plan.source.sampling = sampling;
  plan.source.run_length = run_length;
  return plan;
}

// Results of the intervals of one response.
struct Coverage {
  std::string response;
  int covered = 0;
  int missed_without_note =
      0;                // intervals that missed without a warning that observations are too few for their skewness
  int reported = 0;     // intervals with that warning
  double skewness = 0;  // skewness of one observation
  bool is_students = true;
};

// Skewness of one observation: the skewness of the experiments' means times the square root of their observations.
double skewness(const std::vector<PointResult>& results, std::size_t response) {
  double mean = 0, square = 0, cube = 0;
  for (const auto& result : results) mean += result.responses[response].mean / static_cast<double>(experiments);
  for (const auto& result : results) {
    const double deviation = result.responses[response].mean - mean;
    square += deviation * deviation / static_cast<double>(experiments);
    cube += deviation * deviation * deviation / static_cast<double>(experiments);
  }
  const auto observations = static_cast<double>(results.front().responses[response].observations);
  return square > 0 ? cube / std::pow(square, 1.5) * std::sqrt(observations) : 0;
}

// Returns the exact mean or, if none is known, the average over all experiments, whose error is about a thirtieth of
// that of one experiment.
double center(const std::vector<PointResult>& results, std::size_t response, const std::optional<double>& exact) {
  if (exact) return *exact;
  double mean = 0;
  for (const auto& result : results) mean += result.responses[response].mean / static_cast<double>(experiments);
  return mean;
}

template <class Model>
std::vector<Coverage> coverages(const Model& model, const Plan& plan, std::span<const std::optional<double>> exact) {
  const std::vector<Model> identical(experiments, model);
  const auto results = simulate(Space(), std::span<const Model>(identical), plan).points;
  std::vector<Coverage> list;
  for (std::size_t response = 0; response < exact.size(); ++response) {
    const double mean = center(results, response, exact[response]);
    Coverage& coverage = list.emplace_back();
    coverage.response = results.front().responses[response].name;
    coverage.skewness = skewness(results, response);
    for (const auto& result : results) {
      const ResponseEstimate& estimate = result.responses[response];
      const bool covers = std::abs(estimate.mean - mean) <= estimate.half_width + rounding;
      coverage.covered += covers;
      const bool is_reported = observations_for_skewness(estimate) >= static_cast<double>(estimate.observations);
      coverage.reported += is_reported;
      coverage.missed_without_note += !covers && !is_reported;
      coverage.is_students &=
          !estimate.range.is_two_valued && estimate.variance > 0 && std::isfinite(estimate.variance);
    }
  }
  return list;
}

// Coverage that Student's interval loses through the skewness of the observations.
double lost(const Coverage& coverage, double observations) {
  return coverage.is_students ? 0.25 * coverage.skewness * coverage.skewness / observations : 0;
}

double min_covered(const Coverage& coverage, double observations) {
  return boost::math::quantile(boost::math::binomial(experiments, 0.95 - lost(coverage, observations)), error);
}

// If Cochran's rule is satisfied, 95 % intervals miss in at most 6 % of cases.
double most_missed_without_note() {
  return boost::math::quantile(boost::math::complement(boost::math::binomial(experiments, 0.06), error));
}

double max_covered() {
  return boost::math::quantile(boost::math::complement(boost::math::binomial(experiments, 0.95), error));
}

template <class Model>
void expect_coverage(const Model& model, const Plan& plan, std::span<const std::optional<double>> exact) {
  const double observations = static_cast<double>(plan.replications / plan.source.replications_of_run());
  for (const Coverage& coverage : coverages(model, plan, exact)) {
    ASSERT_LE(lost(coverage, observations), 0.025) << coverage.response << ": too few observations for a check";
    EXPECT_GE(coverage.covered, min_covered(coverage, observations))
        << coverage.response << ", skewness " << coverage.skewness;
    EXPECT_LE(coverage.missed_without_note, most_missed_without_note()) << coverage.response;
    EXPECT_TRUE(coverage.covered <= max_covered() || !coverage.is_students) << coverage.response;
  }
}

template <class Model>
void expect_coverage(const Model& model, const Plan& plan) {
  if constexpr (requires { model.exact_means(); }) {
    expect_coverage(model, plan, model.exact_means());
  } else {
    expect_coverage(model, plan, std::array<std::optional<double>, response_count<Model>>());
  }
}

template <class Case>
void expect_coverage_of_case(const Case& described, const Plan& plan) {
  std::vector<std::string> notes;
  const auto data = described.load(notes);
  const typename Case::template Tables<Space::memory_space> tables(data);
  expect_coverage(described.model(tables), plan, described.exact_means(data));
}

TEST(Coverage, Pi) {
  expect_coverage(Pi{200}, plan_of(20));
  expect_coverage(Pi{1}, plan_of(12));
}

TEST(Coverage, MM1) {
  expect_coverage(MM1{0.4, 1, 40, 0}, plan_of(256));
  expect_coverage(MM1{0.5, 1, 1, 0}, plan_of(128));
  expect_coverage(MM1{0.4, 1, 0, 80}, plan_of(256));
}

TEST(Coverage, MMCK) {
  expect_coverage(MMCK{2, 1, 1, 5, 200}, plan_of(64));
  expect_coverage(MMCK{4, 1, 3, 5, 50}, plan_of(64));
  expect_coverage(MMCK{4, 1, 5, 5, 50}, plan_of(64));
  expect_coverage(MMCK{0.5, 1, 1, 4, 50}, plan_of(256));
}

TEST(Coverage, RandomWalk) { expect_coverage(RandomWalk{101, 4}, plan_of(64)); }

TEST(Coverage, Newsboy) {
  expect_coverage_of_case(NewsboyCase{"", 0.5, 1.0, 0.2, 24}, plan_of(128));
  expect_coverage_of_case(NewsboyCase{"", 0.5, 1.0, 0.2, 50}, plan_of(128));
}

TEST(Coverage, ContinuousNewsvendor) {
  expect_coverage(models::ContinuousNewsvendor{0.2, 5, 9, 1, 2, 20}, plan_of(256));
}

TEST(Coverage, SsInventory) {
  expect_coverage(models::SsInventory{100, 85, 100, 0, 1, 4, 36, 2, 5, 20}, plan_of(64));
  expect_coverage(models::SsInventory{600, 600, 100, 6, 1, 4, 36, 2, 20, 30}, plan_of(64));
}

TEST(Coverage, FacilitySizing) {
  expect_coverage(models::FacilitySizing{120, 110, 90, 1, 1, 1, 100, 100, 100, 2000, 2000, 2000, 0, 0, 0},
                  plan_of(128));
}

TEST(Coverage, DualSourcing) {
  expect_coverage(models::DualSourcing{45, 70, 0, 1, 30, 10, 110, 100, 5, 495, 40, 50}, plan_of(64));
}

TEST(Coverage, Contamination) {
  expect_coverage(models::Contamination{0.3, 0.5, 0.9, 0.7, 0.8, 1, 1, 1, 1, 1, 30, 5.67, 0.429}, plan_of(128));
}

TEST(Coverage, TandemLine) { expect_coverage(models::TandemLine{6, 7, 7, 4, 3, 20, 50}, plan_of(64)); }

TEST(Coverage, Pert) { expect_coverage_of_case(PertCase{""}, plan_of(64)); }

TEST(Coverage, CallOptions) { expect_coverage(models::CallOptions{100, 100, 0.05, 0.2, 1, 4, 0}, plan_of(256)); }

TEST(Coverage, LitSlab) {
  const LitSlab slab{2, 0.9, 0.75, 1};
  expect_coverage(slab, plan_of(256));
  expect_coverage(LitSlab{2, 0, 0, 1}, plan_of(16));
}

TEST(Coverage, OfRuns) {
  expect_coverage(MM1{0.5, 1, 5, 0}, plan_of(1024, Sampling::antithetic));
  expect_coverage(MM1{0.5, 1, 5, 0}, plan_of(512, Sampling::latin_hypercube, 8));
  expect_coverage(MM1{0.5, 1, 5, 0}, plan_of(512, Sampling::sobol, 8));
  expect_coverage(MMCK{4, 1, 3, 5, 50}, plan_of(128, Sampling::antithetic));
  expect_coverage_of_case(PertCase{""}, plan_of(512, Sampling::sobol, 8));
}

// Controls: faults that these checks must find.

// MMCK with the mean wait estimated by the average of the replications' own ratios, as in an earlier version.
struct AveragesRatios : MMCK {
  std::vector<RatioOfMeans> ratios() const { return {}; }
};

TEST(CoverageControl, AnAverageOfRatiosIsFound) {
  const AveragesRatios model{{4, 1, 1, 5, 500}};
  const auto exact = model.exact_means();
  const Coverage wait = coverages(model, plan_of(64), exact)[2];
  EXPECT_EQ(wait.response, "mean wait");
  EXPECT_LT(wait.covered, min_covered(wait, 64));
  const Coverage of_ratio = coverages<MMCK>(model, plan_of(64), exact)[2];
  EXPECT_GE(of_ratio.covered, min_covered(of_ratio, 64));
}

// RandomWalk without the ranges of its shares: the interval of a chunk that no walker has reached is 0 ± 0.
struct WithoutRange : RandomWalk {
  ResponseRange response_range(int) const { return ResponseRange{0, 1}; }
};

TEST(CoverageControl, StudentsIntervalOfARareEventIsFound) {
  const WithoutRange model{{101, 4}};
  const auto exact = model.exact_means();
  int found = 0;
  for (Coverage& share : coverages(model, plan_of(64), exact)) {
    share.is_students = false;
    found += share.covered < min_covered(share, 64);
  }
  EXPECT_GT(found, 0);
}

// The server is nearly always busy, so the remaining idle time is very skewed: intervals miss far too often, and the
// estimates warn of it.
TEST(Coverage, OfTooFewSkewedObservationsIsTold) {
  const MMCK model{4, 1, 1, 5, 50};
  const auto exact = model.exact_means();
  const Coverage utilization = coverages(model, plan_of(128), exact)[3];
  EXPECT_EQ(utilization.response, "utilization");
  EXPECT_LE(utilization.missed_without_note, most_missed_without_note());
  EXPECT_GT(static_cast<double>(experiments) - utilization.covered, most_missed_without_note()) << "control";
}

// Two responses cover too seldom and have the warning: one that seldom pays, in antithetic pairs, and long waits with
// few replications. The first always has the warning. For the second, a sample of 30 has a skewness above the rule's
// with probability 3/4, so fewer than 650 of 1000 have the warning with probability below 1e-9. The control is a
// response without skewness, which has no warning.
TEST(Coverage, OfSkewedResponsesIsToldWhereItIsLikelyToFail) {
  const models::CallOptions call{100, 140, 0.05, 0.2, 1, 4, 0};
  const Coverage payoff = coverages(call, plan_of(200, Sampling::antithetic), call.exact_means()).front();
  EXPECT_LT(payoff.covered, min_covered(Coverage(), 100)) << "control: there is something to tell";
  EXPECT_EQ(payoff.reported, experiments);
  const MM1 queue{0.9, 1, 1000, 0};
  const Coverage wait = coverages(queue, plan_of(30), queue.exact_means()).front();
  EXPECT_EQ(wait.response, "time in queue");
  EXPECT_LT(wait.covered, min_covered(Coverage(), 30)) << "control";
  EXPECT_GE(wait.reported, 650);
  EXPECT_LE(wait.missed_without_note, most_missed_without_note());
  const Pi averages{200};
  EXPECT_EQ(coverages(averages, plan_of(200, Sampling::antithetic), averages.exact_means()).front().reported, 0);
}

// Checks half-widths of responses that have not varied.

TEST(Intervals, OfWhatHasNotVariedAreNotZero) {
  const auto estimates_of = [](const auto& model, std::int64_t replications) {
    return simulate(Space(), model, plan_of(replications)).responses;
  };
  for (const auto& share : estimates_of(RandomWalk{1, 100}, 10)) EXPECT_GE(share.half_width, 0.2) << share.name;
  EXPECT_TRUE(std::isinf(estimates_of(MM1{1e-9, 1, 0, 1}, 10)[0].half_width)) << "no one came, any wait is possible";
  EXPECT_GT(estimates_of(MM1{1e-9, 1, 0, 1}, 10)[2].half_width, 0.1);
  const auto empty = estimates_of(MMCK{1e-9, 1, 3, 5, 1}, 10);
  EXPECT_TRUE(std::isinf(empty[2].half_width));
  EXPECT_EQ(empty[2].mean, 0);
  EXPECT_EQ(estimates_of(MMCK{4, 1, 3, 3, 10}, 10)[2].half_width, 0) << "no one can wait";
  EXPECT_EQ(estimates_of(MM1{0.5, 1, 1, 0}, 10)[0].half_width, 0) << "a single customer does not wait";
}

}  // namespace coverage_tests
