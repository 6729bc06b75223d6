// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contamination: checks replications against exact means, bounds of the levels' distribution and SimOpt's replications,
// and the point that satisfies the Karush-Kuhn-Tucker conditions of SimOpt's CONTAM-2.
#include "contamination_levels.hpp"
#include "model_checks.hpp"

#include <harness/backends.hpp>

#include <sporos/core/replication/pathwise.hpp>
#include <sporos/models/supply_chains/contamination.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace sporos::test {
namespace contamination_tests {

using models::Contamination;
using Host = Kokkos::DefaultHostExecutionSpace;
static_assert(DescribedModel<Contamination> && DifferentiableModel<Contamination>);

constexpr double limit = 0.1;
using Efforts = std::array<double, 5>;

Contamination with_efforts(const Efforts& u) {
  auto model = default_model<Contamination>();
  model.prevention_1 = u[0];
  model.prevention_2 = u[1];
  model.prevention_3 = u[2];
  model.prevention_4 = u[3];
  model.prevention_5 = u[4];
  return model;
}

// Indicators that the level after each stage exceeds the limit.
struct Spoiled {
  Contamination chain;
  enum Input { initial, contamination, restoration, input_count };
  static constexpr auto response_names = std::array{"1", "2", "3", "4", "5"};
  ResponseRange response_range(int) const { return ResponseRange::event(); }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 5> operator()(Inputs& inputs) const {
    auto levels = chain(inputs);
    for (int i = 0; i < 5; ++i) levels[i] = levels[i] > limit ? 1.0 : 0.0;
    return levels;
  }
};

constexpr std::array points{Efforts{0.3, 0.5, 0.9, 0.7, 0.8}, Efforts{0.82, 0.82, 0.82, 0.82, 0.82},
                            Efforts{1, 1, 0, 0.4, 1}};

// Checks 15 intervals of 99.9 %.
TEST(Contamination, IntervalsHoldTheExactMeans) {
  for (const Efforts& u : points) {
    const Contamination model = with_efforts(u);
    EXPECT_EQ(misses(simulate(Host(), model, plan_with(1, 100'000)), model.exact_means()), 0);
  }
}

// Counts the 99.9 % intervals of P(Xᵢ > limit) that do not meet the bounds on that probability.
int misses_of_bounds(const Spoiled& model, const Efforts& u) {
  const auto result = simulate(Host(), model, plan_with(1, 100'000));
  ContaminationLevels levels(30, 5.67, 0.429, 100);
  int count = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    levels.pass(u[i]);
    const auto [low, high] = levels.above(limit);
    EXPECT_LT(high - low, 0.02);
    const auto& found = result.responses[i];
    count += found.mean + found.half_width < low || found.mean - found.half_width > high;
  }
  return count;
}

// Checks 15 intervals of 99.9 %.
TEST(Contamination, IntervalsOfEventsMeetTheBoundsOfTheirProbabilities) {
  for (const Efforts& u : points) EXPECT_EQ(misses_of_bounds({with_efforts(u)}, u), 0);
}

// Shifts the efforts as in SimOpt, where the first effort has no effect.
TEST(ContaminationControl, AnEffortWithoutEffectIsFound) {
  Efforts without = points[0];
  std::rotate(without.begin(), without.begin() + 1, without.end());
  EXPECT_GE(misses_of_bounds({with_efforts(without)}, points[0]), 1);
}

// Compares probabilities of levels above 0.1 with 100000 replications of SimOpt 1.2.4's Contamination, in which the
// first effort has no effect; `errors` are SimOpt's standard errors. Each interval of a difference misses with
// probability 10^-3.
TEST(Contamination, HasTheProbabilitiesOfSimOpt) {
  const auto result = simulate(Host(), Spoiled{with_efforts({0.5, 0.9, 0.7, 0.8, 1})}, plan_with(1, 100'000));
  constexpr std::array probabilities{0.37853, 0.09737, 0.20152, 0.11952};
  constexpr std::array errors{0.00153, 0.00094, 0.00127, 0.00103};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& own = result.responses[i];
    EXPECT_NEAR(own.mean, probabilities[i], std::hypot(own.half_width, 3.29 * errors[i])) << own.name;
  }
}

// Compares with 100000 replications of SimOpt at two more points: the start of CONTAM-1, where all stages prevent and
// levels 3 and 4 hardly ever exceed 0.1, and the point where only the second stage does not prevent.
TEST(Contamination, HasTheProbabilitiesOfSimOptWhereStagesPreventOrNot) {
  const auto expect_probabilities = [](const Efforts& u, const std::vector<double>& probabilities) {
    const auto result = simulate(Host(), Spoiled{with_efforts(u)}, plan_with(1, 100'000));
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      const auto& own = result.responses[i];
      const double error = std::sqrt(probabilities[i] * (1 - probabilities[i]) / 1e5);
      EXPECT_NEAR(own.mean, probabilities[i], std::hypot(own.half_width, 3.29 * error)) << own.name;
    }
  };
  expect_probabilities({1, 1, 1, 1, 1}, {0.00389, 0.00033});
  expect_probabilities({1, 0, 1, 1, 1}, {0.00371, 0.58398, 0.15218, 0.02998});
}

// Checks the smallest total effort with P(Xᵢ > 0.1) ≤ 0.05: all probabilities are at their limit, by the midpoints of
// their bounds, and the gradients of effort and probabilities cancel with positive multipliers. An effort changes only
// the probabilities at its stage and at later ones.
TEST(Contamination, MeetsTheConditionsOfAnOptimumThere) {
  // Middles of the bounds from stage `first` on, for the levels before it.
  const auto middles = [](ContaminationLevels levels, const Efforts& u, std::size_t first) {
    Efforts found{};
    for (std::size_t i = first; i < 5; ++i) {
      levels.pass(u[i]);
      const auto [low, high] = levels.above(limit);
      found[i] = (low + high) / 2;
    }
    return found;
  };
  const Efforts& best = contamination_optimum;
  ContaminationLevels before(30, 5.67, 0.429, 100);
  const Efforts there = middles(before, best, 0);
  std::array<Efforts, 5> slopes{};  // slopes[k][i]: derivative of probability i by effort k
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(there[k], 0.05, 1e-4) << k;
    Efforts more = best, less = best;
    more[k] += 0.005;
    less[k] -= 0.005;
    const Efforts above = middles(before, more, k), below = middles(before, less, k);
    for (std::size_t i = k; i < 5; ++i) slopes[k][i] = (above[i] - below[i]) / 0.01;
    before.pass(best[k]);
  }
  Efforts multipliers{};
  for (std::size_t k = 5; k-- > 0;) {  // later levels depend on earlier efforts alone
    double left = 1;
    for (std::size_t i = k + 1; i < 5; ++i) left += multipliers[i] * slopes[k][i];
    multipliers[k] = -left / slopes[k][k];
    EXPECT_NEAR(multipliers[k], contamination_multipliers[k], 0.002) << k;
  }
}

// Determines which of stages 1 to 4 must prevent in SimOpt's CONTAM-1, so that P(Xᵢ > 0.1) ≤ 0.2 after each of them.
// Bounds of the levels' distribution decide for each choice of stages. No constraint depends on the fifth stage.
TEST(Contamination, HasTheStagesThatHaveToPrevent) {
  const auto optimum = *Contamination::problems().front().optimum;
  constexpr double allowed = 0.2;
  for (unsigned choice = 0; choice < 16; ++choice) {
    ContaminationLevels levels(30, 5.67, 0.429, 40);
    bool holds = levels.above(limit).high <= allowed, fails = false;
    for (unsigned stage = 0; stage < 4 && !fails; ++stage) {
      levels.pass((choice >> stage) % 2);
      const auto [low, high] = levels.above(limit);
      holds = holds && high <= allowed;
      fails = low > allowed;
    }
    EXPECT_NE(holds, fails) << choice << ": the bounds are too wide";
    EXPECT_EQ(holds, choice == 15) << "stages that prevent, as bits: " << choice;
  }
  EXPECT_EQ(optimum.x, (std::vector<double>{1, 1, 1, 1, 0}));
  // A stage without prevention leaves a level of at least its contamination rate.
  EXPECT_GT(std::pow(1 - limit, 5.67), 2 * allowed);
}

// A stage that does not prevent equals a stage with effort 0.
TEST(Contamination, StagesThatDoNotPreventMakeNoEffort) {
  auto model = with_efforts(points[0]);
  model.prevents_2 = model.prevents_5 = 0;
  Efforts none = points[0];
  none[1] = none[4] = 0;
  EXPECT_EQ(simulate(Host(), model, plan_with(1, 1000)).digest,
            simulate(Host(), with_efforts(none), plan_with(1, 1000)).digest);
  EXPECT_EQ(model.exact_means(), with_efforts(none).exact_means());
}

// Checks 15 intervals of 99.9 % of derivatives of levels 1, 3 and 5 against finite differences of exact means.
TEST(Contamination, PathwiseDerivativesAreThoseOfTheMeans) {
  const std::array<std::string, 5> names{"prevention_1", "prevention_3", "initial_shape", "contamination_shape",
                                         "restoration_shape"};
  const std::array members{&Contamination::prevention_1, &Contamination::prevention_3, &Contamination::initial_shape,
                           &Contamination::contamination_shape, &Contamination::restoration_shape};
  const Contamination model = with_efforts(points[0]);
  const auto result = simulate(Host(), Pathwise<Contamination, 5>(model, names), plan_with(1, 50'000));
  for (std::size_t k = 0; k < 5; ++k) {
    Contamination more = model, less = model;
    more.*members[k] += 1e-4;
    less.*members[k] -= 1e-4;
    for (const std::size_t level : {0, 2, 4}) {
      const auto& slope = result.responses[5 + 5 * k + level];
      const double exact = (*more.exact_means()[level] - *less.exact_means()[level]) / 2e-4;
      EXPECT_NEAR(slope.mean, exact, slope.half_width + 1e-7) << slope.name;
    }
  }
}

TEST(Contamination, RefusesWhatIsNoEffort) {
  auto model = default_model<Contamination>();
  model.prevention_3 = 1.5;
  EXPECT_EQ(refusal(model), "prevention_3 is 1.5, expected a number from 0 to 1");
  model.prevention_3 = 0;
  model.prevents_4 = 2;
  EXPECT_EQ(refusal(model), "prevents_4 is 2, expected 0 or 1");
  model.prevents_4 = 1;
  model.restoration_shape = 0;
  EXPECT_EQ(refusal(model), "restoration_shape is 0, expected a positive finite number");
}

template <class Space>
class ContaminationOn : public ::testing::Test {};
TYPED_TEST_SUITE(ContaminationOn, Backends, BackendName);

TYPED_TEST(ContaminationOn, HasTheKnownBits) { expect_digest<TypeParam>(with_efforts(points[0]), 0x846e0f5eaffaf13c); }

}  // namespace contamination_tests
}  // namespace sporos::test
