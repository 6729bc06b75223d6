// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refusal.hpp"

#include <sporos/core/io/json.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sporos::test {
namespace info_tests {

using Json = io::Json;

// Programs that compute on the processor.
std::vector<std::string> host_programs() {
  std::vector<std::string> hosts;
  for (const std::string& program : programs()) {
    if (program != "sporos-cuda") hosts.push_back(program);
  }
  return hosts;
}

TEST(Info, TellsWhatABugReportNeeds) {
  for (const std::string& program : programs()) {
    const auto outcome = run(program, {"info"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error, "");
    for (const auto* what : {"Sporos", "backend", "device", "threads", "processor", "vectors", "memory", "system",
                             "compiler", "Kokkos", "build", "same bits", "engines", "samplings", "mappings"}) {
      EXPECT_NE(("\n" + outcome.out).find("\n" + std::string(what) + " "), std::string::npos)
          << program << ": " << what;
    }
  }
}

TEST(Info, IsThereAsJson) {
  for (const std::string& program : programs()) {
    const Json json = Json::parse(run(program, words("info --format json")).out);
    EXPECT_EQ("sporos-" + json["machine"]["backend"].get<std::string>(), program);
    EXPECT_TRUE(json["fault"].is_null());
    EXPECT_GT(json["machine"]["threads"], 0);
    EXPECT_GT(json["host"]["hardware_threads"], 0);
    EXPECT_GE(json["host"]["memory"]["total"], json["host"]["memory"]["free"]);
    EXPECT_EQ(json["engines"][0], "philox");
    EXPECT_EQ(json["mappings"].size(), 3u);
    if (program != "sporos-cuda") continue;
    const Json& devices = json["cuda"]["devices"];
    ASSERT_GE(devices.size(), 1u);
    EXPECT_EQ(devices[0]["is_chosen"], true);
    EXPECT_GE(devices[0]["memory"]["total"], devices[0]["memory"]["free"]);
    EXPECT_EQ(devices[0]["name"], json["machine"]["device"]);
  }
}

TEST(Info, IsThereAsCsv) {
  const std::string text = sporos("info --format csv").out;
  EXPECT_EQ(text.substr(0, 18), "what,value\nSporos,");
  EXPECT_EQ(lines_of(text), lines_of(sporos("info").out) + 1);
}

// The description of a model uses the given values, including its case.
TEST(Describe, TakesTheCaseOfANetwork) {
  const std::string text = sporos("describe network --case " SPOROS_SAMPLE_DATA "/networks/erlang_a.json").out;
  for (const char* part : {"--stations.agents.servers", "factor of the service speed", "wait over 0.333 min at agents",
                           "served within 0.333 min at agents", "networks/erlang_a.json"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(sporos("describe network").out.find("stations.agents"), std::string::npos);
  EXPECT_NE(sporos("describe network --help").out.find("--stations.doctor.servers"), std::string::npos);
}

TEST(Describe, TakesValuesOfParameters) {
  const std::string text = sporos("describe mm1 --service-rate 3 --arrival-rate=2").out;
  EXPECT_NE(text.find("--service-rate"), std::string::npos);
  EXPECT_NE(text, sporos("describe mm1").out);
  for (const std::string model : {"mmck", "pi", "event-mmck"}) {
    EXPECT_NE(sporos("describe " + model).out.find("exact mean at these values"), std::string::npos) << model;
  }
}

TEST(Info, TellsTheThreadsThatAreAskedFor) {
  const auto outcome = run("sporos-openmp", words("info --threads 2 --format json"));
  EXPECT_EQ(Json::parse(outcome.out)["machine"]["threads"], 2);
}

TEST(Device, IsRefusedWhereTheProcessorComputes) {
  for (const std::string& program : host_programs()) {
    const std::string backend = program.substr(program.find('-') + 1);
    for (const auto* command : {"simulate pi", "sample sobol --points 2 --dimensions 2", "optimize newsvendor",
                                "optimize classification /dev/null", "fit /dev/null", "calibrate", "info"}) {
      expect_refusal(
          run(program, words(std::string(command) + " --device 0")),
          "--device is given, but the " + backend + " backend computes on the processor: expected it with CUDA only");
    }
  }
}

TEST(Device, IsInTheHelpOfWhatComputes) {
  for (const auto* command : {"simulate pi", "sample sobol", "optimize portfolio", "optimize newsvendor",
                              "optimize classification", "fit", "calibrate", "info"}) {
    EXPECT_NE(sporos(std::string(command) + " --help-all").out.find("--device N"), std::string::npos) << command;
  }
}

}  // namespace info_tests
}  // namespace sporos::test
