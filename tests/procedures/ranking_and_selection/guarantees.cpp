// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What procedures that select the best of many systems guarantee, by many selections among normal systems.
#include "normal_systems.hpp"

#include <sporos/procedures/ranking_and_selection/constants.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <cmath>
#include <functional>

namespace sporos::test {
namespace guarantees_tests {

using namespace normal_systems;

// How many of some selections come to system 0.
int right_ones(const std::function<std::int64_t(std::uint64_t)>& selected, int runs) {
  int right = 0;
  for (int run = 0; run < runs; ++run) right += selected(static_cast<std::uint64_t>(run) + 1) == 0 ? 1 : 0;
  return right;
}

// Fewer are right with probability below 4 · 10^-5 where each is with this probability.
double fewest_right(double probability, int runs) {
  return runs * probability - 4 * std::sqrt(runs * probability * (1 - probability));
}

int right_by(std::string_view name, const NormalSystem& model, std::int64_t systems, int runs, bool common = false) {
  const SelectionOptions options = some_options(10);
  return right_ones(
      [&](std::uint64_t seed) {
        return outcome_of<Host>(procedure(name), options, model, systems, seed, common).best.front().system;
      },
      runs);
}

TEST(SelectionGuarantee, HoldsInTheSlippageConfiguration) {
  constexpr int runs = 1000;
  for (const auto* name : {"gsp", "rinott", "kn", "kt"}) {
    EXPECT_GE(right_by(name, slippage, 10, runs), fewest_right(0.9, runs)) << name;
  }
}

TEST(SelectionGuarantee, HoldsWithUnequalVariances) {
  constexpr int runs = 250;
  for (const auto* name : {"gsp", "rinott", "kn", "kt"}) {
    EXPECT_GE(right_by(name, {0, 0.5, 0, 1, 3}, 6, runs), fewest_right(0.9, runs)) << name;
    EXPECT_GE(right_by(name, {0, 0.5, 0, 3, 1.0 / 3}, 6, runs), fewest_right(0.9, runs)) << name;
  }
}

TEST(SelectionGuarantee, HoldsWithCommonRandomNumbers) {
  constexpr int runs = 250;
  for (const auto* name : {"kn", "kt"}) {
    EXPECT_GE(right_by(name, {0, 0.5, 0, 1, 1.2}, 6, runs, true), fewest_right(0.9, runs)) << name;
  }
}

// The same two stages with a constant of our own.
std::int64_t selected_with(double h, std::uint64_t seed) {
  auto all = systems_of(Host(), slippage, numbered(10), {0, false, seed, false});
  all.replicate({.fixed = 10});
  all.end_first_stage();
  all.replicate({.fixed = 10, .of_variance = h * h / 0.25});
  return all.best(1).front().system;
}

// The probability that they come to system 0: normal means around S² that is χ²-distributed with 9 degrees of freedom,
// by midpoints of equally probable parts.
double exact_probability(double h) {
  constexpr int parts = 100, freedoms = 9;
  std::vector<double> spreads, noises;  // of a mean, in units of δ
  for (int i = 0; i < parts; ++i) {
    const double u = (i + 0.5) / parts;
    spreads.push_back(std::sqrt(freedoms / boost::math::quantile(boost::math::chi_squared(freedoms), u)) / h);
    noises.push_back(boost::math::quantile(boost::math::normal(), u));
  }
  double probability = 0;
  for (const double of_best : spreads) {
    for (const double noise : noises) {
      double above_one = 0;
      for (const double spread : spreads) above_one += std::erfc(-(1 + noise * of_best) / spread / std::sqrt(2)) / 2;
      probability += std::pow(above_one / parts, 9);
    }
  }
  return probability / (parts * parts);
}

TEST(SelectionGuarantee, ConstantsThatAreALittleWrongAreFound) {
  constexpr int runs = 20'000;
  const double h = rinott_constant(10, 10, 0.9), right = exact_probability(h);
  const double allowed = 4 * std::sqrt(runs * right * (1 - right)) + 0.002 * runs;  // and for the parts
  EXPECT_GT(right, 0.9) << "Rinott's inequality";
  EXPECT_NEAR(right_ones([&](std::uint64_t seed) { return selected_with(h, seed); }, runs), runs * right, allowed);
  EXPECT_LT(right_ones([&](std::uint64_t seed) { return selected_with(0.95 * h, seed); }, runs),
            runs * right - allowed);
}

// Of systems at least as good as the standard: here all are alike, and each run drops some of 20.
TEST(SelectionGuarantee, FewSurvivorsAreDroppedByBiPass) {
  SelectionOptions options = some_options(30);
  options.most = 300;
  double dropped = 0;
  constexpr int runs = 200, systems = 20;
  for (int run = 0; run < runs; ++run) {
    const auto steps =
        outcome_of<Host>(procedure("bi-pass"), options, {0, 0, 0, 1, 1}, systems, static_cast<std::uint64_t>(run) + 1)
            .survivors;
    dropped += systems - static_cast<double>(steps.back());
  }
  EXPECT_LE(dropped / (runs * systems), 0.1);
  EXPECT_GT(dropped, 0);
  options.confidence = 0.55;  // the control
  dropped = 0;
  for (int run = 0; run < runs; ++run) {
    const auto steps =
        outcome_of<Host>(procedure("bi-pass"), options, {0, 0, 0, 1, 1}, systems, static_cast<std::uint64_t>(run) + 1)
            .survivors;
    dropped += systems - static_cast<double>(steps.back());
  }
  EXPECT_GT(dropped / (runs * systems), 0.1);
}

TEST(SelectionGuarantee, OfGoodSelectionHoldsWhereSystemsAreClose) {
  constexpr int runs = 300;
  const SelectionOptions options = some_options(10);
  for (const auto* name : {"gsp", "rinott"}) {
    const auto selected = [&](std::uint64_t seed) {
      const auto found = outcome_of<Host>(procedure(name), options, {0, 0, 0.1, 1, 1}, 40, seed).best.front().system;
      return found <= 5 ? std::int64_t{0} : found;
    };
    EXPECT_GE(right_ones(selected, runs), fewest_right(0.9, runs)) << name;
  }
}

}  // namespace guarantees_tests
}  // namespace sporos::test
