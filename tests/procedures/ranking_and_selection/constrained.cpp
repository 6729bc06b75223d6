// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the guarantees of selection under constraints, by many selections among normal systems, and its results.
#include "normal_systems.hpp"

#include <harness/backends.hpp>
#include <harness/long_tests.hpp>

#include <sporos/procedures/ranking_and_selection/constants.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace constrained_tests {

using namespace normal_systems;

// Systems with a normal value and two normal loads, correlated with each other. Of the first `feasible` systems, system
// 0 is the best. The others are better, but one of their loads is too large: the first load for odd numbers, the second
// for even ones.
struct LoadedSystem {
  static constexpr std::string_view name = "loaded", title = "normal values and loads";
  std::int64_t number;       // system number, from 0
  std::int64_t feasible;     // number of feasible systems
  double lead;               // by which system 0 is better than the other feasible ones, and worse than the rest
  double room, excess;       // distance below the limits 1 and 2, and above one of them
  double correlation, even;  // correlation of value and loads; factor of the deviations of even systems
  enum Input { noise, first_noise, second_noise, input_count };
  static constexpr auto response_names = std::array{"value", "load", "other load"};
  static constexpr auto parameters() {
    using L = LoadedSystem;
    return std::tuple{Parameter<L, std::int64_t>{"number", &L::number, 0, "", "number", nullptr},
                      Parameter<L, std::int64_t>{"feasible", &L::feasible, 1, "", "number", nullptr},
                      Parameter<L, double>{"lead", &L::lead, 0.5, "", "lead", nullptr},
                      Parameter<L, double>{"room", &L::room, 0.5, "", "room", nullptr},
                      Parameter<L, double>{"excess", &L::excess, 0.5, "", "excess", nullptr},
                      Parameter<L, double>{"correlation", &L::correlation, 0.0, "", "correlation", nullptr},
                      Parameter<L, double>{"even", &L::even, 1.0, "", "factor", nullptr}};
  }
  void check() const { check_parameters(*this); }
  ExactMeans<LoadedSystem> exact_means() const { return {}; }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    const double deviation = number % 2 == 0 ? even : 1.0, rest = std::sqrt(1 - correlation * correlation);
    const double z = normal(inputs(noise), 0.0, 1.0);
    const auto load = [&](double own) { return deviation * (correlation * z + rest * own); };
    const bool is_feasible = number < feasible, is_first = number % 2 == 1;
    const double mean = number == 0 ? lead : is_feasible ? 0.0 : 2 * lead;
    return {{mean + deviation * z,
             1 + (is_feasible || !is_first ? -room : excess) + load(normal(inputs(first_noise), 0.0, 1.0)),
             2 + (is_feasible || is_first ? -room : excess) + load(normal(inputs(second_noise), 0.0, 1.0))}};
  }
};
static_assert(DescribedModel<LoadedSystem>);

const ResponseConstraint load_is_small{{0, 1, 0}, 1}, other_is_small{{0, 0, 1}, 2};

SystemResponse with_constraints(std::uint64_t seed, bool common = false) {
  return {0, false, seed, common, {load_is_small, other_is_small}};
}

SelectionOptions constrained_options(double tolerance = 0.5) {
  SelectionOptions options = some_options(10);
  options.tolerances = {tolerance, tolerance};
  return options;
}

// Numbers of selections that end with system 0, and with no system.
struct Record {
  int best = 0, none = 0;
};

Record record_of(const LoadedSystem& model, const SelectionOptions& options, int runs, bool common = false,
                 std::int64_t systems = 10) {
  Record record;
  for (int run = 0; run < runs; ++run) {
    auto all =
        systems_of(Host(), model, numbered(systems), with_constraints(static_cast<std::uint64_t>(run) + 1, common));
    procedure("constrained-kn").run(all, options, {});
    const auto left = all.best(1);
    record.none += left.empty() ? 1 : 0;
    record.best += !left.empty() && left.front().system == 0 ? 1 : 0;
  }
  return record;
}

// Fewer selections are right with probability below 4 · 10^-5 if each is right with this probability.
double fewest_right(double probability, int runs) {
  return runs * probability - 4 * std::sqrt(runs * probability * (1 - probability));
}

const int runs = runs_in_test(300, 600);

// Feasible systems are worse than the best by δ; the others exceed a limit by ε and are better: the worst allowed case.
TEST(ConstrainedSelection, IsRightInTheSlippageConfiguration) {
  for (const std::int64_t feasible : {1, 5, 10}) {
    const LoadedSystem model{0, feasible, 0.5, 0.5, 0.5, 0, 1};
    EXPECT_GE(record_of(model, constrained_options(), runs).best, fewest_right(0.9, runs)) << feasible;
  }
}

// Whether a system is compared depends on its constraints, which are correlated with its value.
TEST(ConstrainedSelection, IsRightWhereValuesAndLoadsGoTogether) {
  for (const double correlation : {-0.95, 0.95}) {
    const LoadedSystem model{0, 5, 0.5, 0.5, 0.5, correlation, 2};
    EXPECT_GE(record_of(model, constrained_options(), runs / 2).best, fewest_right(0.9, runs / 2)) << correlation;
    EXPECT_GE(record_of(model, constrained_options(), runs / 2, true).best, fewest_right(0.9, runs / 2)) << correlation;
  }
}

TEST(ConstrainedSelection, SaysWhereNoneIsFeasible) {
  const LoadedSystem model{0, 0, 0.5, 0.5, 0.5, 0, 1};
  EXPECT_GE(record_of(model, constrained_options(), runs).none, fewest_right(0.9, runs));
}

TEST(ConstrainedSelectionControl, TolerancesThatAreTooLooseAreFound) {
  const LoadedSystem model{0, 5, 0.5, 0.1, 0.1, 0, 1}, none{0, 0, 0.5, 0.1, 0.1, 0, 1};
  EXPECT_LT(record_of(model, constrained_options(), runs).best, fewest_right(0.9, runs));
  EXPECT_LT(record_of(none, constrained_options(), runs).none, fewest_right(0.9, runs));
}

TEST(ConstrainedSelectionControl, ConstantsThatAreTooSmallAreFound) {
  SelectionOptions options = constrained_options();
  options.confidence = 0.2;
  EXPECT_LT(record_of({0, 5, 0.5, 0.5, 0.5, 0, 1}, options, runs).best, fewest_right(0.9, runs));
}

TEST(ConstrainedSelectionControl, WithoutConstraintsABetterOneIsTaken) {
  const LoadedSystem model{0, 5, 0.5, 0.5, 0.5, 0, 1};
  auto all = systems_of(Host(), model, numbered(10), {0, false, 1, false});
  procedure("kn").run(all, some_options(10), {});
  EXPECT_GE(all.best(1).front().system, 5);
}

// Number of lost paths of normal variates with drift δ, if looks are taken wherever the path is lowest.
int lost_paths(double h_squared, int paths) {
  constexpr double delta = 0.1;
  constexpr int first_stage = 10;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> noise(delta, 1);
  int lost = 0;
  for (int path = 0; path < paths; ++path) {
    double sum = 0, squares = 0;
    for (int n = 0; n < first_stage; ++n) {
      const double next = noise(engine);
      sum += next;
      squares += next * next;
    }
    const double width = h_squared * (squares - sum * sum / first_stage) / (first_stage - 1) / (2 * delta);
    const auto is_lost = [&](double n) { return sum < -std::max(0.0, width - delta * n / 2); };
    int n = first_stage;
    for (; n < 4 * width / delta && !is_lost(n); ++n) sum += noise(engine);
    lost += is_lost(n) ? 1 : 0;
  }
  return lost;
}

TEST(OneSidedConstant, HoldsForLooksThatDependOnData) {
  constexpr int paths = 4000;
  EXPECT_GE(paths - lost_paths(one_sided_constant(10, 0.1), paths), fewest_right(0.9, paths));
  EXPECT_LT(paths - lost_paths(kn_constant(2, 10, 0.9), paths), fewest_right(0.9, paths)) << "the control";
}

// Checks the excesses of single systems and the nearest of the infeasible systems.
TEST(ConstrainedSelection, NamesTheNearestWhereNoneIsFeasible) {
  const LoadedSystem model{0, 0, 0.5, 0.5, 0.5, 0, 1};
  auto all = systems_of(Host(), model, SystemGrid({{"number", {0, 1}}, {"excess", {1, 4}}}), with_constraints(3));
  SelectionOptions options = constrained_options();
  options.confidence = 0.999;
  procedure("constrained-kn").run(all, options, {});
  EXPECT_EQ(all.survivors(), 0);
  ASSERT_TRUE(all.nearest_infeasible());
  const auto [constraint, excess] = *all.nearest_infeasible();
  EXPECT_TRUE(excess.system == 0 || excess.system == 2) << "those that exceed it by 1";
  EXPECT_EQ(constraint, excess.system == 0 ? 1 : 0);
  EXPECT_NEAR(excess.mean, 1, 5 * std::sqrt(excess.variance / static_cast<double>(excess.replications)));
  const std::vector<std::int64_t> systems{3, 0};
  for (const int j : {0, 1}) {
    const auto excesses = all.excesses(j, systems);
    for (std::size_t i = 0; i < systems.size(); ++i) {
      EXPECT_EQ(excesses[i].system, systems[i]);
      const double mean = i == 0 ? (j == 0 ? 4 : -0.5) : (j == 0 ? -0.5 : 1);
      EXPECT_NEAR(excesses[i].mean, mean, 5 * std::sqrt(excesses[i].variance / 10));
    }
  }
}

// The compared sums have weight 0 for each response, so they are constants: 5, 6, 7, 8. The last two are infeasible.
TEST(ConstrainedSelection, ComparesKnownNumbers) {
  const LoadedSystem model{0, 2, 0.5, 0.5, 0.5, 0, 1};
  SystemResponse which = with_constraints(4);
  which.sums = {0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 8};
  auto all = systems_of(Host(), model, numbered(4), which);
  SelectionOptions options = constrained_options();
  options.confidence = 0.999;
  procedure("constrained-kn").run(all, options, {});
  ASSERT_EQ(all.survivors(), 1);
  EXPECT_EQ(all.best(1).front().system, 1);
  EXPECT_EQ(all.best(1).front().mean, 6);
  which.sums = {0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 8};
  auto ties = systems_of(Host(), model, numbered(4), which);
  procedure("constrained-kn").run(ties, options, {});
  EXPECT_EQ(ties.survivors(), 1) << "of two equal ones";
}

std::string refusal(const std::vector<double>& tolerances, std::size_t constraints, std::string_view name) {
  SelectionOptions options = some_options(10);
  options.tolerances = tolerances;
  try {
    check_selection(procedure(name), options, 10, false, constraints);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

TEST(ConstrainedSelection, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal({1, 1}, 2, "constrained-kn"), "taken");
  EXPECT_EQ(refusal({}, 0, "kn"), "taken");
  EXPECT_EQ(refusal({1}, 1, "kn"), "procedure kn takes no constraints, expected constrained-kn");
  EXPECT_EQ(refusal({}, 0, "constrained-kn"),
            "procedure constrained-kn is for systems with constraints, expected at least one");
  EXPECT_EQ(refusal({1}, 2, "constrained-kn"), "number of tolerances is 1, expected one for each of 2 constraints");
  EXPECT_EQ(refusal({0}, 1, "constrained-kn"), "tolerance is 0, expected a positive finite number");
  auto without = systems_of(Host(), default_model<LoadedSystem>(), numbered(2), {0, false, 1, false});
  EXPECT_THROW(procedure("constrained-kn").run(without, some_options(10), {}), std::invalid_argument);
  try {
    systems_of(Host(), default_model<LoadedSystem>(), numbered(2), {0, false, 1, false, {{{1, 1}, 0}}});
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "a constraint has 2 weights, expected 3");
  }
}

template <class Space>
class ConstrainedSelectionOn : public ::testing::Test {};
TYPED_TEST_SUITE(ConstrainedSelectionOn, Backends, BackendName);

// All results of a selection, for comparison.
template <class Space>
std::vector<double> numbers_of(bool common) {
  const LoadedSystem model{0, 20, 0.1, 0.3, 0.4, 0.5, 2};
  auto all = systems_of(Space(), model, numbered(40), with_constraints(5, common));
  std::vector<double> numbers;
  procedure("constrained-kn").run(all, constrained_options(0.3), [&](const SelectionStep& step) {
    numbers.insert(numbers.end(), {static_cast<double>(step.survivors), static_cast<double>(step.replications)});
  });
  for (const SystemEstimate& estimate : all.best(5)) {
    for (const int j : {0, 1}) numbers.push_back(all.excesses(j, std::array{estimate.system}).front().mean);
    numbers.insert(numbers.end(), {static_cast<double>(estimate.system), estimate.mean, estimate.variance});
  }
  const auto nearest = all.nearest_infeasible();
  numbers.insert(numbers.end(), {static_cast<double>(nearest->excess.system), nearest->excess.mean});
  return numbers;
}

TYPED_TEST(ConstrainedSelectionOn, HasTheBitsOfOneThread) {
  for (const bool common : {false, true}) EXPECT_EQ(numbers_of<TypeParam>(common), numbers_of<Host>(common));
}

}  // namespace constrained_tests
}  // namespace sporos::test
