// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What procedures that select the best of many systems guarantee, by many selections among normal systems.
#include "normal_systems.hpp"

#include <sporos/procedures/ranking_and_selection/constants.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

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

// What some selections came to.
struct Record {
  int runs = 0, right = 0, kept = 0, none = 0;  // the best is system 0, it is among the survivors, there are none
  double replications = 0;
};

Record record_of(std::string_view name, const SelectionOptions& options, const NormalSystem& model,
                 std::int64_t systems, int runs, bool common = false) {
  Record record;
  for (int run = 0; run < runs; ++run) {
    auto all = systems_of(Host(), model, numbered(systems), {0, false, static_cast<std::uint64_t>(run) + 1, common});
    procedure(name).run(all, options, {});
    const auto left = all.best(static_cast<std::size_t>(systems));
    ++record.runs;
    record.right += !left.empty() && left.front().system == 0 ? 1 : 0;
    record.kept += std::ranges::count(left, 0, &SystemEstimate::system) > 0 ? 1 : 0;
    record.none += left.empty() ? 1 : 0;
    record.replications += static_cast<double>(all.replications()) / runs;
  }
  return record;
}

SelectionOptions fine_options(std::int64_t first_stage, double confidence = 0.9) {
  SelectionOptions options = some_options(first_stage);
  options.delta = 0.25;
  options.confidence = confidence;
  return options;
}

constexpr NormalSystem fine_slippage{0, 0.25, 0, 1, 1};

// Variances of all replications make KN++ cheaper than KN, and δ is small enough for its limit.
TEST(SelectionGuarantee, HoldsWithUpdatedVariances) {
  constexpr int runs = 1000;
  const Record updated = record_of("kn++", fine_options(20), fine_slippage, 10, runs);
  EXPECT_GE(updated.right, fewest_right(0.9, runs));
  EXPECT_LT(updated.replications, record_of("kn", fine_options(20), fine_slippage, 10, 100).replications);
  EXPECT_GE(record_of("kn++", fine_options(20), {0, 0.25, 0, 1, 2}, 6, 250).right, fewest_right(0.9, 250));
  EXPECT_LT(record_of("kn++", fine_options(20, 0.3), fine_slippage, 10, runs).right, fewest_right(0.9, runs))
      << "the control";
}

// BIZ's bound is tight: selections are right about as often as is promised, and cost less than KN's.
TEST(SelectionGuarantee, OfBizIsTight) {
  constexpr int runs = 1000;
  const Record found = record_of("biz", fine_options(50), fine_slippage, 10, runs);
  EXPECT_GE(found.right, fewest_right(0.9, runs));
  EXPECT_LE(found.right, 0.96 * runs);
  EXPECT_LT(found.replications, record_of("kn", fine_options(50), fine_slippage, 10, 100).replications);
  EXPECT_LT(record_of("biz", fine_options(50, 0.75), fine_slippage, 10, runs).right, fewest_right(0.9, runs))
      << "the control";
}

// Two systems alike, of paired replications: the first is lost with probability α exactly.
TEST(SelectionGuarantee, OfPairedSubsetsIsExact) {
  constexpr int runs = 12'000, first_stage = 20;
  const double t = subset_constant(2, first_stage, 0.9, true);
  const auto kept_with = [](double quantile) {
    int kept = 0;
    for (int run = 0; run < runs; ++run) {
      const NormalSystem alike{0, 0, 0, 1, 3};
      auto all = systems_of(Host(), alike, numbered(2), {0, false, static_cast<std::uint64_t>(run) + 1, true});
      all.keep_first_stage(first_stage);
      all.replicate({.fixed = first_stage});
      all.end_first_stage();
      all.screen(SubsetScreening{quantile});
      kept += all.survivors() == 2 || all.best(1).front().system == 0 ? 1 : 0;
    }
    return kept;
  };
  const int kept = kept_with(t);
  EXPECT_GE(kept, fewest_right(0.9, runs));
  EXPECT_LE(kept, 2 * runs * 0.9 - fewest_right(0.9, runs));
  EXPECT_LT(kept_with(0.9 * t), fewest_right(0.9, runs)) << "the control";
}

TEST(SelectionGuarantee, OfSubsetsHolds) {
  constexpr int runs = 1000;
  for (const double even : {1.0, 3.0, 1.0 / 3}) {
    EXPECT_GE(record_of("subset", some_options(10), {0, 0, 0, 1, even}, 10, runs).kept, fewest_right(0.9, runs));
  }
  EXPECT_GE(record_of("subset", some_options(10), {0, 0, 0, 1, 1.5}, 10, runs, true).kept, fewest_right(0.9, runs));
}

TEST(SelectionGuarantee, OfComparisonsWithAStandardHolds) {
  constexpr int runs = 1000;
  SelectionOptions options = some_options(10);
  EXPECT_GE(record_of("standard", options, {0, 0, 0, 1, 1}, 10, runs).none, fewest_right(0.9, runs));
  EXPECT_GE(record_of("standard", options, slippage, 10, runs).right, fewest_right(0.9, runs));
  EXPECT_GE(record_of("standard", options, {0, 0, 0, 1, 1.5}, 6, 250, true).none, fewest_right(0.9, 250));
  EXPECT_GE(record_of("standard", options, {0, 0.5, 0, 1, 1.5}, 6, 250, true).right, fewest_right(0.9, 250));
  options.standard = -options.delta / 2;  // all means are larger by δ/2, of which nothing is promised
  EXPECT_LT(record_of("standard", options, {0, 0, 0, 1, 1}, 10, runs).none, fewest_right(0.9, runs)) << "the control";
}

// The same budget in equal parts is Rinott's first stage. Differences of shares have a standard error below
// √(0.5 / runs); four of these are exceeded by chance with probability below 4 · 10^-5.
TEST(Budgets, AreSpentBetterThanInEqualParts) {
  constexpr int runs = 400;
  const double margin = 4 * std::sqrt(0.5 * runs);
  SelectionOptions equal = some_options(20);
  equal.delta = 100;
  const auto right_in_equal_parts = [&](const NormalSystem& model) {
    return record_of("rinott", equal, model, 100, runs).right;
  };
  const auto right_with = [&](std::string_view name, const NormalSystem& model) {
    SelectionOptions options = some_options(5);
    options.budget = 20 * 100;
    options.allocations = 10;
    const Record found = record_of(name, options, model, 100, runs);
    EXPECT_LE(found.replications, options.budget) << name;
    EXPECT_GT(found.replications, options.budget - 100) << name;
    return found.right;
  };
  EXPECT_GT(right_with("ocba", slippage), right_in_equal_parts(slippage) + margin);
  const NormalSystem spaced{0, 0.1, 0.1, 1, 1};
  const int in_equal_parts = right_in_equal_parts(spaced);
  EXPECT_GT(right_with("ocba", spaced), in_equal_parts + margin);
  EXPECT_GT(right_with("fbkt", spaced), in_equal_parts + margin);
}

}  // namespace guarantees_tests
}  // namespace sporos::test
