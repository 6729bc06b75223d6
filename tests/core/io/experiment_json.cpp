// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/experiment_json.hpp>
#include <sporos/core/io/json_text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace sporos::io {
namespace experiment_json_tests {

// State of two design points, the first of which has stopped.
ExperimentState some_state() {
  ExperimentState state{13, {}};
  for (const int count : {7, 13}) {
    ReplicationSummary summary(2, 0, 1, 1);
    summary.replications = count;
    summary.digest = 0xfedcba9876543210u + static_cast<std::uint64_t>(count);
    for (int i = 0; i < count; ++i) {
      summary.observations[0].add(1.0 / (i + 3));
      summary.observations[1].add(-0.1 * i);
      summary.pairs[0].add({1, 1.0 / (i + 3), -0.1 * i, 0});
    }
    state.points.push_back({summary, {}});
  }
  state.points[0].stopped_by = StopReason::precision;
  return state;
}

TEST(ExperimentJson, ReadsBackToTheLastBit) {
  const ExperimentState state = some_state();
  const ExperimentState read = experiment_state_of_json(parse_json("a text", json_of(state).dump()), "state");
  EXPECT_EQ(json_of(read), json_of(state));
  EXPECT_EQ(read.replications, 13);
  EXPECT_EQ(bits_text(read.points[1].summary.pairs[0].total().codeviation),
            bits_text(state.points[1].summary.pairs[0].total().codeviation));
  ASSERT_EQ(read.points.size(), 2u);
  EXPECT_EQ(read.points[0].stopped_by, StopReason::precision);
  EXPECT_FALSE(read.points[1].stopped_by);
  EXPECT_EQ(read.points[1].summary.digest, state.points[1].summary.digest);
  for (const std::size_t response : {0u, 1u}) {
    const Moments expected = state.points[1].summary.observations[response].total();
    const Moments found = read.points[1].summary.observations[response].total();
    EXPECT_EQ(found.count, 13);
    EXPECT_EQ(bits_text(found.mean), bits_text(expected.mean));
    EXPECT_EQ(bits_text(found.squared_deviation), bits_text(expected.squared_deviation));
    EXPECT_EQ(bits_text(found.cubed_deviation), bits_text(expected.cubed_deviation));
  }
}

TEST(ExperimentJson, ReadsBackWhatIsTooLargeForItsSkewness) {
  ExperimentState state = some_state();
  state.points[0].summary.observations[0].add(1e150);
  const ExperimentState read = experiment_state_of_json(parse_json("a text", json_of(state).dump()), "state");
  EXPECT_EQ(json_of(read), json_of(state));
  EXPECT_FALSE(std::isfinite(read.points[0].summary.observations[0].total().skewness()));
}

TEST(ExperimentJson, OfNoStateIsRefused) {
  const auto refuses = [](const std::string& place, const Json& value, const std::string& message) {
    Json json = json_of(some_state());
    json[Json::json_pointer(place)] = value;
    try {
      experiment_state_of_json(json, "state");
      ADD_FAILURE() << place << " was read";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refuses("/replications", "many", "state: replications is '\"many\"', expected a whole number");
  refuses("/points/1/digest", "0x12", "state: points[1]: digest is '0x12', expected 16 hexadecimal digits");
  refuses("/points/0/observations/1/0", Json::array({1, 2}),
          "expected a count, a mean, a squared and a cubed deviation");
  refuses("/points/0/observations/1/0/0", 3, "a node of moments has count 2");
  refuses("/points/0/pairs/0/0", Json::array({1, 2, 3}), "expected a count, two means and a product of deviations");
  refuses("/version", 1, "state is of version 1, expected version 3");
  refuses("/points/0/stopped_by", "boredom", "boredom");
}

}  // namespace experiment_json_tests
}  // namespace sporos::io
