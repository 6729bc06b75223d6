// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/folder.hpp"

#include <sporos/core/io/result_files.hpp>
#include <sporos/core/io/text_file.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace result_files_tests {

struct Queue {
  double rate;
  std::int64_t servers;
  static constexpr std::array<std::string_view, 2> response_names{"wait", "in line"};
  static constexpr auto parameters() {
    return std::tuple{Parameter<Queue, double>{"rate", &Queue::rate, 1, "", "", nullptr},
                      Parameter<Queue, std::int64_t>{"servers", &Queue::servers, 1, "", "", nullptr}};
  }
  ExactMeans<Queue> exact_means() const { return {{0.5, std::nullopt}}; }
};

struct Undescribed {};

PointResult point_result(double mean) {
  PointResult point;
  point.responses = {{"wait", mean, 0.25, 0.125, 8, 0.5}, {"in line", 2, 1, 0.5, 8, 1}};
  point.replications = 8;
  return point;
}

PointResult failed() {
  PointResult point = point_result(std::numeric_limits<double>::quiet_NaN());
  point.stopped_by = StopReason::failed;
  point.failure = {3, "replication 0 failed: no room, no time"};
  return point;
}

TEST(ResultFiles, HoldDesignPointsAndEstimates) {
  const std::vector<Queue> models{{0.5, 2}, {1.5, 1}};
  ExperimentResult result;
  result.points = {point_result(0.1), failed()};
  const Folder folder;
  io::write_result_csv(folder / "result.csv", models, result);
  EXPECT_EQ(io::read_text_file(folder / "result.csv"),
            "point,rate,servers,replications,stopped_by,digest,response,mean,variance,half_width,observations,"
            "deviation,exact,failure\n"
            "1,0.5,2,8,replications,0000000000000000,wait,0.1,0.25,0.125,8,0.5,0.5,\n"
            "1,0.5,2,8,replications,0000000000000000,in line,2,1,0.5,8,1,,\n"
            "2,1.5,1,8,failed,0000000000000000,wait,,0.25,0.125,8,0.5,0.5,\"replication 0 failed: no room, no time\"\n"
            "2,1.5,1,8,failed,0000000000000000,in line,2,1,0.5,8,1,,\"replication 0 failed: no room, no time\"\n");
  const Plan plan;
  io::write_result_json(folder / "result.json", models, plan, result);
  const auto json = io::Json::parse(io::read_text_file(folder / "result.json"));
  EXPECT_EQ(json["plan"], io::json_of(plan));
  ASSERT_EQ(json["points"].size(), 2u);
  EXPECT_EQ(json["points"][1]["parameters"], io::Json::parse(R"({"rate": 1.5, "servers": 1})"));
  EXPECT_EQ(json["points"][0]["responses"][0]["mean"], 0.1);
  EXPECT_EQ(json["points"][0]["responses"][0]["exact"], 0.5);
  EXPECT_EQ(json["points"][0]["responses"][0]["half_width"], 0.125);
  EXPECT_EQ(json["points"][1]["failure"]["failures"], 3);
}

TEST(ResultFiles, TakeOneModelThatDescribesNothing) {
  EXPECT_EQ(io::result_csv(Undescribed(), point_result(0.1)),
            "point,replications,stopped_by,digest,response,mean,variance,half_width,observations,deviation,exact,"
            "failure\n"
            "1,8,replications,0000000000000000,wait,0.1,0.25,0.125,8,0.5,,\n"
            "1,8,replications,0000000000000000,in line,2,1,0.5,8,1,,\n");
  const auto json = io::result_json(Undescribed(), Plan(), point_result(0.1));
  EXPECT_EQ(json["points"][0]["parameters"], io::Json::object());
  EXPECT_EQ(json["points"][0]["responses"][0]["exact"], nullptr);
}

}  // namespace result_files_tests
}  // namespace sporos::test
