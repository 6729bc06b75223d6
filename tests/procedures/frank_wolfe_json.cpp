// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the state of a run as text: reading it yields the same bits, or one line that says what is wrong with it.
#include "harness/refusal.hpp"

#include <sporos/core/io/json_text.hpp>
#include <sporos/procedures/frank_wolfe_json.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace sporos::test {
namespace frank_wolfe_json_tests {

FrankWolfeState some_state() {
  FrankWolfeState state;
  state.solution = {0.1, -0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(), 1e300};
  state.epoch = 7;
  state.iteration = 3;
  state.replications = std::numeric_limits<std::uint64_t>::max();
  state.window = 12;
  state.averaged_gradient = {1, 2, 3, 4, 0.7};
  state.smoothness = 0x1.23456789abcdep-30;
  state.active_set = {{{{0, 0.1}, {4, 1e300}}, 0.25}, {{}, 0.75}};
  return state;
}

FrankWolfeState written_and_read(const FrankWolfeState& state) {
  return frank_wolfe_state_of_json(io::parse_json("JSON", json_of(state).dump()), "state");
}

TEST(State, ReadsBackToTheLastBit) {
  const auto state = some_state(), read = written_and_read(state);
  EXPECT_EQ(read.solution, state.solution);
  EXPECT_TRUE(std::signbit(read.solution[1]));
  EXPECT_EQ(read.epoch, state.epoch);
  EXPECT_EQ(read.iteration, state.iteration);
  EXPECT_EQ(read.replications, state.replications);
  EXPECT_EQ(read.window, state.window);
  EXPECT_EQ(read.averaged_gradient, state.averaged_gradient);
  EXPECT_EQ(read.smoothness, state.smoothness);
  ASSERT_EQ(read.active_set.size(), 2u);
  for (std::size_t v = 0; v < 2; ++v) {
    EXPECT_EQ(read.active_set[v].weight, state.active_set[v].weight);
    ASSERT_EQ(read.active_set[v].entries.size(), state.active_set[v].entries.size());
    for (std::size_t i = 0; i < read.active_set[v].entries.size(); ++i) {
      EXPECT_EQ(read.active_set[v].entries[i].index, state.active_set[v].entries[i].index);
      EXPECT_EQ(read.active_set[v].entries[i].value, state.active_set[v].entries[i].value);
    }
  }
}

std::string refusal(const std::string& place, const io::Json& value) {
  io::Json json = json_of(some_state());
  json[io::Json::json_pointer(place)] = value;
  return test::refusal([&] { frank_wolfe_state_of_json(json, "state"); });
}

TEST(State, ThatIsNoneIsRefused) {
  EXPECT_EQ(refusal("/epoch", 8), "none");
  EXPECT_EQ(refusal("/epoch", 0.5),
            "state: epoch is '0.5', expected a whole number from -9223372036854775808 to 9223372036854775807");
  EXPECT_EQ(refusal("/solution/2", nullptr), "state: solution[2] is 'null', expected a number");
  EXPECT_EQ(refusal("/solution", 3), "state: solution is '3', expected a list");
  EXPECT_EQ(refusal("/active_set/1", 3), "state: active_set[1] has no member 'weight'");
  EXPECT_EQ(refusal("/active_set/0/entries/1", io::Json::array({1})),
            "state: active_set[0]: entries[1] is '[1]', expected a coordinate and its value");
}

TEST(Progress, ReadsBackWithBothEstimatesOfItsDistance) {
  FrankWolfeProgress point{3, 30, 1.5, 0.25, 0.125, 2, GapEstimate{0.1, 0.05, 0.2, 0.9, 4, 50}};
  const auto read = [&] {
    return frank_wolfe_progress_of_json(io::parse_json("JSON", json_of(point).dump()), "point").independent_gap.value();
  };
  EXPECT_EQ(read().bound(), 0.2) << "of the duality gap alone";
  point.independent_gap->suboptimality = SuboptimalityEstimate{0.01, 1.0 / 3, 0.001};
  EXPECT_EQ(read().bound(), 1.0 / 3);
  EXPECT_EQ(read().upper, 0.2);
  EXPECT_EQ(read().suboptimality->estimate, 0.01);
  EXPECT_EQ(read().suboptimality->solver_gap, 0.001);
}

TEST(Progress, WithoutAnEstimateHasNull) { EXPECT_TRUE(json_of(std::optional<GapEstimate>()).is_null()); }

}  // namespace frank_wolfe_json_tests
}  // namespace sporos::test
