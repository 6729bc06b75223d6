// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the guarantees of procedures that select the best of many systems, by many selections among normal systems.
#include "normal_systems.hpp"

#include <harness/long_tests.hpp>

#include <sporos/procedures/ranking_and_selection/constants.hpp>

#include <gtest/gtest.h>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::test {
namespace guarantees_tests {

using namespace normal_systems;

// Number of selections that end with system 0.
int right_ones(const std::function<std::int64_t(std::uint64_t)>& selected, int runs) {
  int right = 0;
  for (int run = 0; run < runs; ++run) right += selected(static_cast<std::uint64_t>(run) + 1) == 0 ? 1 : 0;
  return right;
}

// Fewer selections are right with probability below 4 · 10^-5 if each is right with this probability.
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
  const int runs = runs_in_test(400, 1000);
  for (const auto* name : {"gsp", "rinott", "kn", "kt"}) {
    EXPECT_GE(right_by(name, slippage, 10, runs), fewest_right(0.9, runs)) << name;
  }
}

TEST(SelectionGuarantee, HoldsWithUnequalVariances) {
  const int runs = runs_in_test(150, 250);
  for (const auto* name : {"gsp", "rinott", "kn", "kt"}) {
    EXPECT_GE(right_by(name, {0, 0.5, 0, 1, 3}, 6, runs), fewest_right(0.9, runs)) << name;
    EXPECT_GE(right_by(name, {0, 0.5, 0, 3, 1.0 / 3}, 6, runs), fewest_right(0.9, runs)) << name;
  }
}

TEST(SelectionGuarantee, HoldsWithCommonRandomNumbers) {
  constexpr int runs = 250;
  for (const auto* name : {"kn", "kn++", "kt"}) {
    EXPECT_GE(right_by(name, {0, 0.5, 0, 1, 1.2}, 6, runs, true), fewest_right(0.9, runs)) << name;
  }
}

// Differences of systems that share their noise have a variance of (0.2 σ)² instead of 2.44 σ², so far fewer
// replications distinguish them. KN++ looks at nothing but those differences.
TEST(SelectionGuarantee, TakesFewerReplicationsWithCommonRandomNumbers) {
  const NormalSystem model{0, 0.1, 0, 1, 1.2};
  SelectionOptions options = some_options(10);
  options.delta = 0.1;
  for (const auto* name : {"kn", "kn++"}) {
    const auto replications = [&](bool common) {
      return outcome_of<Host>(procedure(name), options, model, 6, 1, common).replications;
    };
    EXPECT_LT(2 * replications(true), replications(false)) << name;
  }
}

// Results of selections among ten systems.
struct TwoStages {
  int right = 0;                                    // selections of the first system
  std::vector<std::array<std::int64_t, 10>> sizes;  // replications of each system, by selection
};

// Runs Rinott's two stages with the given constant, all selections side by side: no system depends on another.
TwoStages two_stages_with(double h, int runs) {
  const auto numbers = [](int count) {
    std::vector<double> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0.0);
    return all;
  };
  const SystemGrid grid({{"run", numbers(runs)}, {"number", numbers(10)}});
  auto all = systems_of(Host(), slippage, grid, {0, false, 1, false});
  all.replicate({.fixed = 10});
  all.end_first_stage();
  all.replicate({.fixed = 10, .of_variance = h * h / 0.25});
  TwoStages found;
  found.sizes.resize(static_cast<std::size_t>(runs));
  for (const SystemEstimate& estimate : all.best(10 * found.sizes.size())) {
    const std::vector<double> place = grid.values_of(estimate.system);
    auto& sizes = found.sizes[static_cast<std::size_t>(place[0])];
    const bool is_best = std::ranges::all_of(sizes, [](std::int64_t size) { return size == 0; });
    found.right += is_best && place[1] == 0 ? 1 : 0;
    sizes[static_cast<std::size_t>(place[1])] = estimate.replications;
  }
  return found;
}

constexpr int parts = 100;

// Midpoints of equally probable parts of a standard normal distribution.
std::vector<double> normal_midpoints() {
  std::vector<double> all;
  for (int i = 0; i < parts; ++i) all.push_back(boost::math::quantile(boost::math::normal(), (i + 0.5) / parts));
  return all;
}

// P(a standard normal variate is below x).
double normal_share(double x) { return std::erfc(-x / std::sqrt(2)) / 2; }

// Probability that the two stages select system 0: means are normal given S², which is χ² with 9 degrees of freedom.
double exact_probability(double h) {
  constexpr int freedoms = 9;
  const std::vector<double> noises = normal_midpoints();
  std::vector<double> spreads;  // deviations of a mean, in units of δ
  for (int i = 0; i < parts; ++i) {
    const double u = (i + 0.5) / parts;
    spreads.push_back(std::sqrt(freedoms / boost::math::quantile(boost::math::chi_squared(freedoms), u)) / h);
  }
  double probability = 0;
  for (const double of_best : spreads) {
    for (const double noise : noises) {
      double above_one = 0;
      for (const double spread : spreads) above_one += normal_share((1 + noise * of_best) / spread);
      probability += std::pow(above_one / parts, 9);
    }
  }
  return probability / (parts * parts);
}

// Probability of selecting system 0 given the sample sizes, on which means depend only through their variances (Stein
// 1945): average over selections, and its standard error. It varies far less than the selected system.
std::pair<double, double> probability_given(const std::vector<std::array<std::int64_t, 10>>& sizes) {
  const std::vector<double> noises = normal_midpoints();
  double sum = 0, squares = 0;
  for (const auto& of_run : sizes) {
    double probability = 0;
    for (const double noise : noises) {
      const double lead = 0.5 + noise / std::sqrt(static_cast<double>(of_run[0]));
      double above_all = 1;
      for (std::size_t j = 1; j < of_run.size(); ++j) {
        above_all *= normal_share(lead * std::sqrt(static_cast<double>(of_run[j])));
      }
      probability += above_all / parts;
    }
    sum += probability;
    squares += probability * probability;
  }
  const auto runs = static_cast<double>(sizes.size());
  return {sum / runs, std::sqrt((squares - sum * sum / runs) / (runs - 1) / runs)};
}

TEST(SelectionGuarantee, ConstantsThatAreALittleWrongAreFound) {
  const int runs = runs_in_test(800, 1500);
  constexpr double of_parts = 0.002;
  const double h = rinott_constant(10, 10, 0.9), right = exact_probability(h);
  EXPECT_GT(right, 0.9) << "Rinott's inequality";
  const TwoStages found = two_stages_with(h, runs);
  const auto [probability, error] = probability_given(found.sizes);
  EXPECT_NEAR(probability, right, 4 * error + of_parts);
  EXPECT_NEAR(found.right, runs * right, 4 * std::sqrt(runs * right * (1 - right)) + of_parts * runs);
  EXPECT_LT(probability_given(two_stages_with(0.95 * h, runs).sizes).first, right - 4 * error - of_parts);
}

// Systems at least as good as the standard should survive: here all are equal, and each run drops some of 20.
TEST(SelectionGuarantee, FewSurvivorsAreDroppedByBiPass) {
  SelectionOptions options = some_options(30);
  options.most = 300;
  double dropped = 0;
  constexpr int systems = 20;
  const int runs = runs_in_test(80, 200);
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
  const int runs = runs_in_test(150, 300);
  const SelectionOptions options = some_options(10);
  for (const auto* name : {"gsp", "rinott"}) {
    const auto selected = [&](std::uint64_t seed) {
      const auto found = outcome_of<Host>(procedure(name), options, {0, 0, 0.1, 1, 1}, 40, seed).best.front().system;
      return found <= 5 ? std::int64_t{0} : found;
    };
    EXPECT_GE(right_ones(selected, runs), fewest_right(0.9, runs)) << name;
  }
}

// Results of some selections.
struct Record {
  int runs = 0, right = 0, kept = 0, none = 0;  // best is system 0, system 0 survives, none survives
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

// Variances from all replications make KN++ cheaper than KN, and δ is small enough for its asymptotic guarantee.
TEST(SelectionGuarantee, HoldsWithUpdatedVariances) {
  const int runs = runs_in_test(400, 1000);
  const Record updated = record_of("kn++", fine_options(20), fine_slippage, 10, runs);
  EXPECT_GE(updated.right, fewest_right(0.9, runs));
  EXPECT_LT(updated.replications, record_of("kn", fine_options(20), fine_slippage, 10, 100).replications);
  EXPECT_GE(record_of("kn++", fine_options(20), {0, 0.25, 0, 1, 2}, 6, 250).right, fewest_right(0.9, 250));
  EXPECT_LT(record_of("kn++", fine_options(20, 0.3), fine_slippage, 10, runs).right, fewest_right(0.9, runs))
      << "the control";
}

// BIZ's bound is tight: selections are right about as often as promised, and cost less than KN's.
TEST(SelectionGuarantee, OfBizIsTight) {
  const int runs = runs_in_test(400, 1000);
  const Record found = record_of("biz", fine_options(50), fine_slippage, 10, runs);
  EXPECT_GE(found.right, fewest_right(0.9, runs));
  EXPECT_LE(found.right, 0.96 * runs);
  EXPECT_LT(found.replications, record_of("kn", fine_options(50), fine_slippage, 10, 100).replications);
  EXPECT_LT(record_of("biz", fine_options(50, 0.75), fine_slippage, 10, runs).right, fewest_right(0.9, runs))
      << "the control";
}

// For two equal systems with paired replications, the first is lost with probability α exactly.
TEST(SelectionGuarantee, OfPairedSubsetsIsExact) {
  const int runs = runs_in_test(5000, 12'000);
  constexpr int first_stage = 20;
  const double t = subset_constant(2, first_stage, 0.9, true);
  const auto kept_with = [runs](double quantile) {
    int kept = 0;
    for (int run = 0; run < runs; ++run) {
      const NormalSystem identical{0, 0, 0, 1, 3};
      auto all = systems_of(Host(), identical, numbered(2), {0, false, static_cast<std::uint64_t>(run) + 1, true});
      all.keep_responses(first_stage);
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
  const int runs = runs_in_test(400, 1000);
  SelectionOptions options = some_options(10);
  EXPECT_GE(record_of("standard", options, {0, 0, 0, 1, 1}, 10, runs).none, fewest_right(0.9, runs));
  EXPECT_GE(record_of("standard", options, slippage, 10, runs).right, fewest_right(0.9, runs));
  EXPECT_GE(record_of("standard", options, {0, 0, 0, 1, 1.5}, 6, 250, true).none, fewest_right(0.9, 250));
  EXPECT_GE(record_of("standard", options, {0, 0.5, 0, 1, 1.5}, 6, 250, true).right, fewest_right(0.9, 250));
  options.standard = -options.delta / 2;  // all means are larger by δ/2, where nothing is promised
  EXPECT_LT(record_of("standard", options, {0, 0, 0, 1, 1}, 10, runs).none, fewest_right(0.9, runs)) << "the control";
}

// The guarantee of a procedure at its limit: all other systems are worse than the best by exactly δ or, if the
// procedure keeps a set, as good as the best.
struct Edge {
  std::string_view procedure;
  SelectionOptions options;
  NormalSystem model;
  std::int64_t systems;
  // Common random numbers. In the model with factor 2, systems 0 and 1 then differ by normal variates.
  bool common;
  bool is_kept;   // the best system must survive, but need not be selected
  double broken;  // a confidence whose constants are too small for 0.9
};

int right_at(const Edge& edge, double confidence, int runs) {
  SelectionOptions options = edge.options;
  options.confidence = confidence;
  const Record record = record_of(edge.procedure, options, edge.model, edge.systems, runs, edge.common);
  return edge.is_kept ? record.kept : record.right;
}

// Each case has 1000 runs. A procedure that keeps its promise fails with probability below 4 · 10^-5. The constants of
// a lower confidence must be detected.
TEST(SelectionGuarantee, HoldsAtItsEdge) {
  if (!are_tests_long()) GTEST_SKIP() << "a study of the long tests";
  constexpr int runs = 1000;
  const NormalSystem identical{0, 0, 0, 1, 1};
  const std::vector<Edge> edges{{"gsp", fine_options(20), fine_slippage, 10, false, false, 0.3},
                                {"rinott", fine_options(20), fine_slippage, 10, false, false, 0.6},
                                {"kn", fine_options(20), fine_slippage, 10, false, false, 0.3},
                                {"kn", fine_options(20), {0, 0.25, 0, 1, 2}, 2, true, false, 0.6},
                                {"kn++", fine_options(20), fine_slippage, 10, false, false, 0.3},
                                {"biz", fine_options(50), fine_slippage, 10, false, false, 0.75},
                                {"kt", fine_options(20), fine_slippage, 10, false, false, 0.3},
                                {"bi-pass", some_options(30), identical, 10, false, true, 0.55},
                                {"subset", some_options(20), identical, 10, false, true, 0.6},
                                {"standard", fine_options(20), fine_slippage, 10, false, false, 0.2}};
  for (const Edge& edge : edges) {
    const int right = right_at(edge, 0.9, runs), broken = right_at(edge, edge.broken, runs);
    RecordProperty(std::string(edge.procedure) + (edge.common ? " with common random numbers" : ""),
                   std::to_string(right) + " of 1000, control " + std::to_string(broken));
    EXPECT_GE(right, fewest_right(0.9, runs)) << edge.procedure;
    EXPECT_LT(broken, fewest_right(0.9, runs)) << edge.procedure << ": the control";
  }
}

// A difference that requires more replications than can be counted is refused: no selection from 150 replications may
// claim a guarantee. With three systems 10^-10 apart the guarantee would be wrong in two of three cases.
TEST(SelectionGuarantee, IsRefusedWhereItTakesTooManyReplications) {
  for (const auto* name : {"gsp", "rinott"}) {
    SelectionOptions options = some_options(50);
    options.delta = 1e-10;
    try {
      const auto found = outcome_of<Host>(procedure(name), options, {0, 1e-10, 0, 1, 1}, 3, 1);
      ADD_FAILURE() << name << " ends after " << found.replications;
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("replications of the next stage: ")) << message;
      EXPECT_NE(message.find("e+21 are needed, expected at most 9007199254740992: raise delta"), std::string::npos)
          << message;
    }
  }
  SelectionOptions options = some_options(50);
  options.batch = 1e300;
  EXPECT_THROW(outcome_of<Host>(procedure("gsp"), options, slippage, 3, 1), std::invalid_argument);
  options = some_options(50);
  options.growth = 1e300;
  options.delta = 1e-10;
  for (const auto* name : {"kn", "kn++", "kt", "biz"})
    EXPECT_THROW(outcome_of<Host>(procedure(name), options, slippage, 3, 1), std::invalid_argument) << name;
}

// Rinott's first stage spends the same budget in equal parts. Differences of shares have a standard error below
// √(0.5 / runs); chance exceeds four of these with probability below 4 · 10^-5.
TEST(Budgets, AreSpentBetterThanInEqualParts) {
  const int runs = runs_in_test(250, 400);
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
