// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the state of a run as text: reading it yields the same bits, or one line that says what is wrong with it.
#include "harness/refusal.hpp"

#include <sporos/core/io/json_text.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace sporos::test {
namespace quasi_newton_json_tests {

QuasiNewtonState some_state() {
  QuasiNewtonState state;
  state.solution = {0.1, -0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(), 1e300};
  state.iteration = 37;
  state.step = 0x1.23456789abcdep-30;
  state.pairs = {{{1, 2, 3, 4, 5}, {0.1, 0.2, 0.3, 0.4, 0.5}}, {{5, 4, 3, 2, 1}, {1, 1, 1, 1, 1.0 / 7}}};
  state.counts = {{9, 2, 1}, 4, 37, 13};
  state.sum = {1, 2, 3, 4, 0.7};
  state.average = {-1, -2, -3, -4, -0.7};
  state.is_watched = true;
  return state;
}

TEST(State, ReadsBackToTheLastBit) {
  const auto state = some_state();
  const auto read = quasi_newton_state_of_json(io::parse_json("JSON", json_of(state).dump()), "state");
  EXPECT_EQ(read.solution, state.solution);
  EXPECT_TRUE(std::signbit(read.solution[1]));
  EXPECT_EQ(read.iteration, state.iteration);
  EXPECT_EQ(read.step, state.step);
  ASSERT_EQ(read.pairs.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read.pairs[i].s, state.pairs[i].s);
    EXPECT_EQ(read.pairs[i].y, state.pairs[i].y);
  }
  EXPECT_EQ(read.counts.pairs.stored, 9);
  EXPECT_EQ(read.counts.pairs.damped, 2);
  EXPECT_EQ(read.counts.pairs.skipped, 1);
  EXPECT_EQ(read.counts.limited_steps, 4);
  EXPECT_EQ(read.counts.gradients, 37);
  EXPECT_EQ(read.counts.hessian_products, 13);
  EXPECT_EQ(read.sum, state.sum);
  EXPECT_EQ(read.average, state.average);
  EXPECT_TRUE(read.is_watched);
  EXPECT_EQ(json_of(read), json_of(state));
}

std::string refusal(const std::string& place, const io::Json& value) {
  io::Json json = json_of(some_state());
  json[io::Json::json_pointer(place)] = value;
  return test::refusal([&] { quasi_newton_state_of_json(json, "state"); });
}

TEST(State, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(refusal("/solution/2", nullptr), "state: solution[2] is 'null', expected a number");
  EXPECT_EQ(refusal("/iteration", 1.5),
            "state: iteration is '1.5', expected a whole number from -9223372036854775808 to "
            "9223372036854775807");
  EXPECT_EQ(refusal("/pairs", 3), "state: pairs is '3', expected a list");
  EXPECT_EQ(refusal("/pairs/1", 3), "state: pairs[1] has no member 's'");
  EXPECT_EQ(refusal("/pairs/1/y/0", "x"), "state: pairs[1]: y[0] is '\"x\"', expected a number");
  EXPECT_EQ(refusal("/counts", nullptr), "state: counts has no member 'pairs_stored'");
  EXPECT_EQ(refusal("/is_watched", 1), "state: is_watched is '1', expected true or false");
  EXPECT_EQ(test::refusal([] {
              quasi_newton_state_of_json({{"solution", {1.0}}}, "state");
            }),
            "state has no member 'iteration'");
}

TEST(Options, AreAllThere) {
  const io::Json sqn = json_of(SqnOptions());
  EXPECT_EQ(sqn["step_rule"], "harmonic");
  EXPECT_EQ(sqn["pairs"]["memory"], 25);
  EXPECT_EQ(sqn["longest_move"], nullptr);  // no limit
  EXPECT_EQ(sqn["limit_steps"], true);
  const io::Json lbfgs = json_of(LbfgsOptions());
  EXPECT_EQ(lbfgs["line_search"]["curvature"], 0.9);
  EXPECT_EQ(lbfgs["time_limit"], nullptr);
}

}  // namespace quasi_newton_json_tests
}  // namespace sporos::test
