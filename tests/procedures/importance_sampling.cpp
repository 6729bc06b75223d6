// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares probabilities of rare events by importance sampling with their exact values.
#include "harness/backends.hpp"
#include "harness/binomial_band.hpp"
#include "harness/long_tests.hpp"
#include "harness/serial_or_host.hpp"
#include "procedures/ruin.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/statistics/tail_shape.hpp>
#include <sporos/models/finance/asian_call.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>
#include <sporos/procedures/rare_events/splitting.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {
namespace importance_sampling_tests {

using test::Ruin;
using test::SerialOrHost;

// An M/M/1 queue with the times to its next events: the number of customers during a busy cycle.
struct BusyCycle {
  struct State {
    std::int64_t present;
    double to_arrival, to_departure;
  };
  enum Input { interarrival, service, input_count };
  double arrival_rate, service_rate;

  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs& inputs) const {
    return {1, exponential(inputs(interarrival), arrival_rate), exponential(inputs(service), service_rate)};
  }
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    if (state.to_arrival < state.to_departure) {
      ++state.present;
      state.to_departure -= state.to_arrival;
      state.to_arrival = exponential(inputs(interarrival), arrival_rate);
    } else {
      --state.present;
      state.to_arrival -= state.to_departure;
      state.to_departure = exponential(inputs(service), service_rate);
    }
  }
  KOKKOS_FUNCTION double level(const State& state) const { return static_cast<double>(state.present); }
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.present == 0; }
};

// Sums of exponential, of normal and of uniform variates.
struct Sums {
  enum Input { exponentials, normals, uniforms, input_count };
  static constexpr auto response_names = std::array{"exponentials", "normals", "uniforms"};
  int terms;

  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return {{{terms}, {terms}, {terms}}}; }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    Kokkos::Array<double, 3> sums{{0, 0, 0}};
    for (int i = 0; i < terms; ++i) {
      sums[0] += exponential(inputs(exponentials), 1.0);
      sums[1] += normal(inputs(normals), 0.0, 1.0);
      sums[2] += inputs(uniforms);
    }
    return sums;
  }
};

// Sums as a model whose number of responses is known only at run time.
struct WideSums {
  enum Input { exponentials, normals, uniforms, input_count };
  Sums sums;

  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return sums.input_draws(); }
  int response_count() const { return 3; }
  std::string response_name(int response) const { return Sums::response_names[static_cast<std::size_t>(response)]; }
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    const auto found = sums(inputs);
    for (int i = 0; i < 3; ++i) responses.set(i, found[i]);
  }
};

// P(project lasts longer than `time`), by uniformization of the Markov chain of the sets of finished activities.
double network_tail(const models::ActivityNetwork& network, double time) {
  constexpr std::size_t count = models::ActivityNetwork::arcs.size(), sets = std::size_t{1} << count;
  const auto means = network.means();
  double fastest = 0;
  for (std::size_t i = 0; i < count; ++i) fastest += 1 / means[i];
  std::vector<double> chance(sets, 0.0);
  chance[0] = 1;
  const auto is_under_way = [](std::size_t i, std::size_t ended) {
    if (ended >> i & 1) return false;
    for (std::size_t j = 0; j < count; ++j) {
      if (models::ActivityNetwork::arcs[j].to == models::ActivityNetwork::arcs[i].from && !(ended >> j & 1)) {
        return false;
      }
    }
    return true;
  };
  double poisson = std::exp(-fastest * time), tail = 0;
  for (int jump = 0; jump < 900; ++jump) {
    tail += poisson * (1 - chance[sets - 1]);
    poisson *= fastest * time / (jump + 1);
    for (std::size_t ended = sets - 1; ended-- > 0;) {  // jumps lead to larger sets
      if (chance[ended] == 0) continue;
      const double here = chance[ended];
      for (std::size_t i = 0; i < count; ++i) {
        if (!is_under_way(i, ended)) continue;
        const double part = here / (means[i] * fastest);
        chance[ended] -= part;
        chance[ended | std::size_t{1} << i] += part;
      }
    }
  }
  return tail;
}

ImportanceOptions sure() {
  ImportanceOptions options;
  options.confidence = 1 - 1e-6;
  options.replications = 20'000;
  options.pilot_replications = 2'000;
  return options;
}

void expect_covers(const ImportanceResult& result, double exact, double target, double max_relative_width) {
  EXPECT_NEAR(result.probability, exact, result.half_width);
  EXPECT_LT(result.half_width, max_relative_width * exact);
  EXPECT_EQ(importance_warning(result, target), "");
}

template <class Space>
class ImportanceSampling : public ::testing::Test {};
TYPED_TEST_SUITE(ImportanceSampling, test::Backends, test::BackendName);

// P ranges from 9e-13 to 1e-6; an interval misses with probability about 1e-6.
TYPED_TEST(ImportanceSampling, FindsKnownProbabilities) {
  const Ruin ruin{1.0 / 3};
  const ImportanceResult rich = importance_sampled(TypeParam(), ruin, 40, sure());
  expect_covers(rich, ruin.exact(40), 40, 0.2);
  EXPECT_NEAR(rich.tilts[0].shares[0], 2.0 / 3, 0.05) << "the best change of measure exchanges λ and μ";

  const BusyCycle queue{1, 2};
  const ImportanceResult full = importance_sampled(TypeParam(), queue, 20, sure());
  expect_covers(full, ruin.exact(20), 20, 0.3);
  EXPECT_NEAR(full.tilts[0].exponential_mean, 0.5, 0.06);
  EXPECT_NEAR(full.tilts[1].exponential_mean, 2, 0.3);

  const Sums sums{5};
  expect_covers(importance_sampled(TypeParam(), sums, 0, 30, Tail::upper, sure()), boost::math::gamma_q(5, 30), 30,
                0.2);
  expect_covers(importance_sampled(TypeParam(), sums, 1, -11, Tail::lower, sure()), std::erfc(11 / std::sqrt(10.0)) / 2,
                -11, 0.2);
  // Irwin–Hall distribution: P(sum of 5 uniforms >= 5 - x) = x^5 / 120 for x <= 1.
  expect_covers(importance_sampled(TypeParam(), sums, 2, 4.6, Tail::upper, sure()), std::pow(0.4, 5) / 120, 4.6, 0.3);
}

TYPED_TEST(ImportanceSampling, TakesWideModels) {
  ImportanceOptions options;
  options.replications = 1001;
  options.pilot_replications = 501;
  const WideSums wide{{5}};
  for (int response = 0; response < 3; ++response) {
    const auto expected = importance_sampled(TypeParam(), wide.sums, response, 4.0, Tail::upper, options);
    const auto found = importance_sampled(TypeParam(), wide, response, 4.0, Tail::upper, options);
    EXPECT_EQ(found.probability, expected.probability) << response;
    EXPECT_EQ(found.half_width, expected.half_width) << response;
  }
  EXPECT_THROW(importance_sampled(TypeParam(), wide, 3, 4.0, Tail::upper, options), std::invalid_argument);
}

// Each of the 13 activities has its own tilt: those on the longest path last longer.
TYPED_TEST(ImportanceSampling, TiltsTheActivitiesOfAProject) {
  const auto network = default_model<models::ActivityNetwork>();
  const ImportanceResult late = importance_sampled(TypeParam(), network, 0, 12, Tail::upper, sure());
  expect_covers(late, network_tail(network, 12), 12, 0.2);
  EXPECT_EQ(late.tilts.size(), 13u);
  EXPECT_GT(late.tilts[0].exponential_mean, late.tilts[1].exponential_mean);
}

TYPED_TEST(ImportanceSampling, HasTheSameBitsOnEachBackend) {
  ImportanceOptions options;
  options.replications = 1001;
  options.pilot_replications = 501;
  const auto here = importance_sampled(TypeParam(), BusyCycle{1, 2}, 10, options);
  const auto host = importance_sampled(SerialOrHost(), BusyCycle{1, 2}, 10, options);
  EXPECT_EQ(here.probability, host.probability);
  EXPECT_EQ(here.half_width, host.half_width);
  EXPECT_EQ(here.tilts[0].exponential_mean, host.tilts[0].exponential_mean);
  EXPECT_EQ(here.levels, host.levels);
  options.seed = 2;
  EXPECT_NE(importance_sampled(TypeParam(), BusyCycle{1, 2}, 10, options).probability, host.probability);
}

// With a tilt that changes nothing, the estimate is the share of hits, to the last bit.
TYPED_TEST(ImportanceSampling, IsPlainSimulationWithoutATilt) {
  ImportanceOptions options;
  options.tilts = {Tilt(), Tilt(), Tilt()};
  options.replications = 5000;
  const ImportanceResult plain = importance_sampled(TypeParam(), Sums{2}, 0, 3, Tail::upper, options);
  EXPECT_EQ(plain.probability, static_cast<double>(plain.hits) / 5000);
  EXPECT_DOUBLE_EQ(plain.effective_hits, static_cast<double>(plain.hits));
}

Tilt exchanged(double win) {
  Tilt tilt;
  tilt.ends = {win, 1, 1, 1};
  tilt.shares = {1 - win, win, 0, 0};
  return tilt;
}

// Among 400 intervals of 95 % for P = 9.5e-7, the number that cover leaves its binomial band with probability 1e-5 at
// most per side. Controls: a third of the width, which covers half of the time, and hits without likelihood ratio.
TEST(ImportanceLaws, CoverAsOftenAsTheySay) {
  const Ruin ruin{1.0 / 3};
  const double exact = ruin.exact(20);
  ImportanceOptions options;
  options.replications = 500;
  Tilt tilt = exchanged(ruin.win);
  tilt.shares = {0.6, 0.4, 0, 0};
  options.tilts = {tilt};
  constexpr int experiments = 400;
  int covered = 0, by_third = 0, without_ratio = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    options.seed = static_cast<std::uint64_t>(experiment) + 1;
    const ImportanceResult result = importance_sampled(Kokkos::DefaultHostExecutionSpace(), ruin, 20, options);
    const double error = std::abs(result.probability - exact);
    covered += error <= result.half_width ? 1 : 0;
    by_third += error <= result.half_width / 3 ? 1 : 0;
    without_ratio += std::abs(static_cast<double>(result.hits) / 500 - exact) <= result.half_width ? 1 : 0;
  }
  const test::BinomialBand band = test::binomial_band(experiments, 0.95);
  EXPECT_GE(covered, band.least);
  EXPECT_LE(covered, band.most);
  EXPECT_LT(by_third, band.least);
  EXPECT_EQ(without_ratio, 0);
}

// An Asian call of one time, which is a European call and pays once in 500 replications.
constexpr models::AsianCall far_call{100, 180, 0.05, 0.2, 1, 1};

TYPED_TEST(ImportanceSampling, FindsAMean) {
  const double exact = far_call.known_means()[0];
  ImportanceOptions options{.replications = 20'000, .pilot_replications = 5'000, .confidence = 0.999};
  const ImportanceMean found = importance_mean(TypeParam(), far_call, 0, options);
  EXPECT_NEAR(found.mean, exact, found.half_width);  // fails with probability 1e-3
  EXPECT_LT(found.half_width, 0.05 * exact);
  EXPECT_GT(found.variance_ratio, 100);
  ::testing::Test::RecordProperty("variance ratio", std::to_string(found.variance_ratio));
  EXPECT_GT(found.tilts[0].normal_shift, 2);
  EXPECT_EQ(found.replications, 40'000);
  EXPECT_EQ(found.mean, importance_mean(SerialOrHost(), far_call, 0, options).mean);
  options.tilts = {Tilt{}};  // plain simulation
  const ImportanceMean plain = importance_mean(TypeParam(), far_call, 0, options);
  EXPECT_GT(plain.half_width, 10 * found.half_width) << "control";
  EXPECT_NEAR(plain.variance_ratio, 1, 1e-3);
}

// Both checks raise a false alarm with probability 1e-5. Plain replications of such a skewed response cover in few
// macro-replications (control).
TEST(ImportanceLaws, MeansCoverAsOftenAsTheySay) {
  const std::int64_t experiments = test::runs_in_test(150, 400);
  const double exact = far_call.known_means()[0];
  std::int64_t covering = 0, plain_covering = 0;
  for (std::int64_t e = 1; e <= experiments; ++e) {
    ImportanceOptions options{.replications = 1000, .pilot_replications = 2000, .seed = static_cast<std::uint64_t>(e)};
    const auto covers = [&] {
      const ImportanceMean found = importance_mean(SerialOrHost(), far_call, 0, options);
      return std::abs(found.mean - exact) <= found.half_width;
    };
    covering += covers();
    options.tilts = {Tilt{}};
    plain_covering += covers();
  }
  EXPECT_GE(covering, test::binomial_band(experiments, 0.95).least);
  EXPECT_LE(covering, test::binomial_band(experiments, 0.95).most);
  EXPECT_LT(plain_covering, test::binomial_band(experiments, 0.95).least) << "control";
  EXPECT_THROW(importance_mean(SerialOrHost(), far_call, 1), std::invalid_argument);
}

// Each step is the estimate of that number of replications, to within rounding, and differs from the step before.
TEST(ImportanceLaws, StepsAreTheEstimatesOfFewerReplications) {
  ImportanceOptions options;
  options.replications = 200;
  Tilt tilt = exchanged(1.0 / 3);
  tilt.shares = {0.6, 0.4, 0, 0};
  options.tilts = {tilt};
  const auto sampled = [&] { return importance_sampled(SerialOrHost(), Ruin{1.0 / 3}, 20, options); };
  const std::vector<EstimateStep> steps = sampled().steps;
  ASSERT_GT(steps.size(), 5u);
  EXPECT_EQ(steps.back().observations, 200);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    options.replications = steps[i].observations;
    const ImportanceResult fewer = sampled();
    const double rounding = 1e-12 * fewer.probability;
    EXPECT_NEAR(steps[i].value, fewer.probability, rounding);
    EXPECT_NEAR(steps[i].low, std::max(0.0, fewer.probability - fewer.half_width), rounding);
    EXPECT_NEAR(steps[i].high, fewer.probability + fewer.half_width, 10 * rounding);
    const double before = i > 0 ? steps[i - 1].value : 0.0;  // control
    EXPECT_GT(std::abs(before - fewer.probability), rounding);
  }
}

// With exchanged rates all hits have the same likelihood ratio, so only the number of hits varies.
TEST(ImportanceLaws, ExchangeOfRatesHasBoundedRelativeError) {
  ImportanceOptions options;
  options.replications = 1000;
  options.tilts = {exchanged(1.0 / 3)};
  const ImportanceResult result = importance_sampled(SerialOrHost(), Ruin{1.0 / 3}, 100, options);
  EXPECT_NEAR(result.effective_hits, static_cast<double>(result.hits), 1e-6);
  EXPECT_NEAR(result.probability, Ruin{1.0 / 3}.exact(100), 3 * result.half_width);
  EXPECT_GT(result.variance_ratio, 1e28);
}

// Both methods estimate the same probability, so their intervals of confidence 1 - 1e-6 overlap.
TEST(ImportanceLaws, AgreeWithSplitting) {
  SplittingOptions splitting;
  splitting.confidence = 1 - 1e-6;
  const SplittingResult split_result = split(SerialOrHost(), BusyCycle{1, 2}, 16, splitting);
  const ImportanceResult tilted = importance_sampled(SerialOrHost(), BusyCycle{1, 2}, 16, sure());
  EXPECT_NEAR(split_result.probability, tilted.probability, split_result.half_width + tilted.half_width);
}

// Pareto variates (1 - u)^-k have a tail of shape k, exponential ones of shape 0; both come as a stratified sample.
TEST(TailShape, IsThatOfParetoVariates) {
  const auto shape = [](double k) {
    std::vector<double> values;
    for (int i = 0; i < 100'000; ++i) {
      const double u = (i + 0.5) / 100'000;
      values.push_back(k > 0 ? std::pow(1 - u, -k) : -std::log(1 - u));
    }
    return tail_shape(values);
  };
  EXPECT_NEAR(shape(0), 0, 0.05);
  EXPECT_NEAR(shape(0.3), 0.3, 0.05);
  EXPECT_NEAR(shape(0.9), 0.9, 0.05);
  EXPECT_EQ(tail_shape(std::vector<double>(1000, 0.1)), 0);
  EXPECT_EQ(tail_shape({1, 2, 3}), 0);
}

TEST(ImportanceWarnings, SayWhatIsNotSeenAndWhatDegenerates) {
  ImportanceOptions options;
  options.pilot_replications = 100;
  options.replications = 100;
  const ImportanceResult never = importance_sampled(SerialOrHost(), Ruin{1e-9}, 3, options);
  EXPECT_EQ(never.probability, 0);
  EXPECT_DOUBLE_EQ(never.at_most, -std::expm1(std::log(0.05) / 100));
  EXPECT_EQ(importance_warning(never, 3), "the event was not seen: cross-entropy reached level 1 of 3");

  Tilt far;
  far.exponential_mean = 30;  // much longer than needed
  options.tilts = {far, Tilt(), Tilt()};
  options.replications = 1000;
  const ImportanceResult few = importance_sampled(SerialOrHost(), Sums{20}, 0, 40, Tail::upper, options);
  EXPECT_EQ(importance_warning(few, 40).substr(0, 44), "few likelihood ratios dominate the estimate,");
}

std::string complaint(const ImportanceOptions& options, double threshold = 3) {
  try {
    importance_sampled(SerialOrHost(), Sums{1}, 0, threshold, Tail::upper, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ImportanceWarnings, RefuseWhatIsOutOfRange) {
  const auto refuses = [](auto member, auto value) {
    ImportanceOptions options;
    options.*member = value;
    EXPECT_NE(complaint(options), "");
  };
  refuses(&ImportanceOptions::replications, 1);
  refuses(&ImportanceOptions::pilot_replications, 1);
  refuses(&ImportanceOptions::share, 1.0);
  refuses(&ImportanceOptions::smoothing, 0.0);
  refuses(&ImportanceOptions::max_steps, 0);
  refuses(&ImportanceOptions::confidence, 1.0);
  EXPECT_NE(complaint({}, std::numeric_limits<double>::quiet_NaN()), "");

  ImportanceOptions options;
  options.tilts = {Tilt()};
  EXPECT_EQ(complaint(options), "the number of tilts is 1, expected 3, one for each variable of each input");
  options.tilts.resize(3);
  options.tilts[1].exponential_mean = 0;
  EXPECT_EQ(complaint(options), "exponential mean of tilt 2 is 0, expected a positive finite number");
  options.tilts[1] = Tilt();
  options.tilts[2].shares = {0, 0.5, 0.25, 0.25};
  EXPECT_EQ(complaint(options), "share of a piece of tilt 3 is 0, expected a probability in (0, 1]");
  options.tilts[2].shares = {0.5, 0.5, 0.25, 0.25};
  EXPECT_EQ(complaint(options), "sum of shares of tilt 3 is 1.5, expected 1");
}

TEST(ImportanceWarnings, RefuseChainsThatDoNotEnd) {
  ImportanceOptions options;
  options.max_chain_steps = 10;
  EXPECT_THROW(importance_sampled(SerialOrHost(), Ruin{0.5}, 1000, options), std::runtime_error);
}

}  // namespace importance_sampling_tests
}  // namespace sporos
