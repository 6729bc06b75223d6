// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sporos::io {
namespace json_tests {

Plan unusual_plan() {
  return {1000,
          {0.1, 1.0 / 3},
          10,
          std::numeric_limits<std::uint64_t>::max(),
          {Engine::taus88, Sampling::antithetic},
          Mapping::warp,
          0.9,
          false,
          12.5,
          true};
}

Plan plan_in_runs() {
  Plan plan;
  plan.source = {Engine::philox4x32, Sampling::refined_descriptive, 64, 0, {7, 97}, SubRunWeights::by_size};
  return plan;
}

TEST(PlanJson, ReadsBack) {
  for (const Plan& plan : {Plan{}, unusual_plan(), plan_in_runs()}) {
    const Json json = json_of(plan);
    EXPECT_EQ(json_of(plan_of_json(parse_json("plan", json.dump()), "plan")), json);
  }
  const Plan plan = plan_of_json(json_of(unusual_plan()), "plan");
  EXPECT_EQ(plan.replications, 1000);
  EXPECT_EQ(plan.precision.relative_half_width, 1.0 / 3);
  EXPECT_EQ(plan.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(plan.source.sampling, Sampling::antithetic);
  EXPECT_FALSE(plan.common_random_numbers);
  EXPECT_TRUE(plan.covariances);
  EXPECT_FALSE(json_of(Plan{}).contains("covariances"));  // as in plans from before this member existed
  EXPECT_EQ(plan_of_json(json_of(Plan{}), "plan").time_limit, std::numeric_limits<double>::infinity());
}

TEST(PlanJson, HoldsWhatMakesARun) {
  const Json json = json_of(plan_in_runs());
  EXPECT_EQ(json["sampling"], "refined-descriptive");
  EXPECT_EQ(json["run_length"], 64);
  EXPECT_EQ(json["sample_size"], nullptr);
  EXPECT_EQ(json["primes"], Json({7, 97}));
  EXPECT_EQ(json["sub_runs"], "by-size");
  const UniformSource source = plan_of_json(json, "plan").source;
  EXPECT_EQ(source.run_length, 64);
  EXPECT_EQ(source.primes.smallest, 7u);
  EXPECT_EQ(source.primes.largest, 97u);
  EXPECT_EQ(source.weights, SubRunWeights::by_size);

  Plan descriptive;
  descriptive.source.sampling = Sampling::descriptive;
  descriptive.source.sample_size = 50;
  EXPECT_EQ(plan_of_json(json_of(descriptive), "plan").source.sample_size, 50);
  for (const auto* member : {"run_length", "primes", "sub_runs"}) EXPECT_EQ(json_of(descriptive)[member], nullptr);
}

TEST(PlanJson, NamesWhatItRefuses) {
  const auto refusal = [](const std::string& name, const Json& value) -> std::string {
    Json json = json_of(Plan{});
    json[name] = value;
    try {
      plan_of_json(json, "plan");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("seed", -1), "plan: seed is '-1', expected a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(refusal("seed", 1.0), "plan: seed is '1.0', expected a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(refusal("batch", std::uint64_t{1} << 63),
            "plan: batch is '9223372036854775808', expected a whole number from -9223372036854775808 to "
            "9223372036854775807");
  EXPECT_EQ(refusal("confidence", "high"), "plan: confidence is '\"high\"', expected a number");
  EXPECT_EQ(refusal("common_random_numbers", 1), "plan: common_random_numbers is '1', expected true or false");
  EXPECT_EQ(refusal("engine", 4), "plan: engine is '4', expected a string");
  EXPECT_EQ(refusal("run_length", 1.5),
            "plan: run_length is '1.5', expected a whole number from -9223372036854775808 to 9223372036854775807");
  EXPECT_EQ(refusal("sub_runs", "plain"),
            "plan: sub_runs: unknown weights of sub-runs 'plain': expected one of equal, by-size");
  EXPECT_EQ(refusal("primes", 7), "plan: primes is '7', expected the two ends of a range");
  EXPECT_EQ(refusal("primes", {7, -97}), "plan: primes is '[7,-97]', expected the two ends of a range");
  EXPECT_EQ(refusal("primes", {7, 97, 101}), "plan: primes is '[7,97,101]', expected the two ends of a range");
  EXPECT_EQ(refusal("primes", {7, 4294967296}), "plan: primes is '[7,4294967296]', expected the two ends of a range");
  EXPECT_EQ(refusal("engine", "dice"), "plan: engine: unknown engine 'dice': expected one of " + names_of<Engine>());
}

std::string fault_of(const std::string& text) {
  try {
    parse_json("text", text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(JsonText, IsReadUpToItsLimits) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(fault_of(nested(max_json_depth)), "");
  EXPECT_EQ(fault_of(nested(max_json_depth + 1)),
            "text is nested too deeply, expected at most 100 levels of lists and objects");
  const auto wide = [](std::size_t members) {
    std::string text = "{";
    for (std::size_t i = 0; i < members; ++i) text += fmt::format("{}\"{}\":0", i > 0 ? "," : "", i);
    return text + '}';
  };
  EXPECT_EQ(fault_of(wide(max_json_members)), "");
  EXPECT_EQ(fault_of(wide(max_json_members + 1)), "text has an object of more than 10000 members, expected fewer");
}

TEST(JsonText, IsRefusedWhereItIsNone) {
  EXPECT_EQ(fault_of(""), "text is empty, expected JSON");
  EXPECT_EQ(fault_of("[1,]"), "text is not JSON: error at line 1, column 4, in [1]");
  EXPECT_EQ(fault_of("{\"a\": [{\"b\": 1},\n {\"c\": nan}]}"),
            "text is not JSON: error at line 2, column 9, in a[1].c");
  EXPECT_EQ(fault_of("[1] 2"), "text has text after its JSON, expected its end at line 1, column 5");
  EXPECT_EQ(fault_of(std::string("[1]\0", 4)), "text is not JSON: a byte 0 at line 1, column 4");
  EXPECT_EQ(fault_of("[1e999]"), "text is not JSON that can be read: a number is too large, line 1, column 6, in [0]");
  EXPECT_EQ(fault_of(R"({"a": 1, "b": {"a": 2}, "a": 3})"), "text has 'a' twice in one object");
  EXPECT_EQ(fault_of(R"({"a": 1, "b": [{"a": 2}, {"a": 3}]})"
                     "\n"),
            "");
}

TEST(ResultJson, HasNullForWhatIsNotFiniteOrNotKnown) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  PointResult point;
  point.responses = {{"r", 1, infinity, infinity, 1, infinity}};
  point.replications = 1;
  point.digest = 255;
  const std::vector<std::optional<double>> exact(1);
  EXPECT_EQ(json_of(point, exact).dump(),
            R"({"replications":1,"stopped_by":"replications","digest":"00000000000000ff","responses":[{"name":"r",)"
            R"("mean":1.0,"variance":null,"half_width":null,"replications":1,"observations":1,"deviation":null,)"
            R"("exact":null}]})");
}

}  // namespace json_tests
}  // namespace sporos::io
