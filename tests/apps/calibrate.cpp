// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos calibrate`: the constants that it measures and stores, and the input that it refuses.
#include "refusal.hpp"

#include <sporos/core/io/json.hpp>
#include <sporos/core/random/engine.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace sporos::test {
namespace calibrate_tests {

using Json = io::Json;

// Provides a folder in which the programs store constants, and a command that takes a moment.
class Calibrate : public ::testing::Test {
 protected:
  Calibrate() { ::setenv("SPOROS_CACHE", (m_folder / "cache").c_str(), 1); }
  ~Calibrate() override { ::unsetenv("SPOROS_CACHE"); }

  static std::string quick(const std::string& more) {
    return "calibrate --engine ranlux24-0 --consumers 2 --draws 40000 --rounds 1 --work 5 --memory 8 " + more;
  }

  // Expects that a result has the constants of the file.
  static void expect_constants(const std::string& file, const Json& result) {
    const Json constants = Json::parse(file);
    EXPECT_EQ(constants["engine"], result["subject"]);
    EXPECT_EQ(constants["backend"], result["machine"]["backend"]);
    EXPECT_EQ(constants["kernel"]["width"], result["findings"]["kernel_width"]);
    for (const char* name : {"unit", "has_lanes", "on_host", "processors"}) {
      EXPECT_EQ(constants[name], result["findings"][name]) << name;
    }
    for (const Json& row : result["tables"]["constants"]["rows"]) {
      std::string place = "/" + row["constant"].get<std::string>();
      std::replace(place.begin(), place.end(), '.', '/');
      EXPECT_EQ(constants.at(Json::json_pointer(place)), row["time"]) << place;
    }
    EXPECT_GE(result["tables"]["constants"]["rows"].size(), 8u);
  }

  // Path of a file of constants. All tests that only read constants share one measurement, which takes a second.
  std::string constants() const {
    static const std::string contents = [] {
      const Folder folder;
      const auto outcome = sporos(quick("--format json --constants " + folder / "c"));
      EXPECT_EQ(outcome.status, 0) << outcome.error;
      expect_constants(contents_of(folder / "c"), Json::parse(outcome.out));
      return contents_of(folder / "c");
    }();
    return m_folder.write("c", contents);
  }

  Folder m_folder;
};

TEST_F(Calibrate, PredictsMeasuresPicksAndKeepsConstantsOnEveryBackend) {
  for (const std::string& program : programs()) {
    const auto outcome = run(program, words(quick("--format json --block-size 5000")));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ("sporos-" + json["machine"]["backend"].get<std::string>(), program);
    EXPECT_EQ(json["subject"], "ranlux24-0");
    EXPECT_EQ(json["settings"]["consumers"], 2);
    std::vector<std::int64_t> sizes;
    double least = 1e300;
    Json picked, fastest;
    const Json rows = json["tables"]["sizes"]["rows"];
    for (const Json& blocks : rows) {
      if (blocks["picked"].get<bool>()) picked = blocks;
      if (blocks["fastest"].get<bool>()) fastest = blocks;
      sizes.push_back(blocks["block_size"].get<std::int64_t>());
      EXPECT_GT(blocks["predicted"].get<double>(), 0);
      EXPECT_GT(blocks["measured"].get<double>(), 0);
      least = std::min(least, blocks["measured"].get<double>());
    }
    for (const std::int64_t size : {4096, 8192, 16384, 32768, 65536}) {
      EXPECT_NE(std::find(sizes.begin(), sizes.end(), size), sizes.end()) << size;
    }
    EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
    EXPECT_EQ(fastest["measured"], least);
    EXPECT_EQ(json["findings"]["fastest"], fastest["block_size"]);
    EXPECT_GE(json["findings"]["over_fastest"].get<double>(), 0);
    EXPECT_EQ(json["findings"]["picked"], picked["block_size"]);
    // The model picks the block size with the smallest predicted time, or a smaller one with nearly the same
    // prediction.
    for (const Json& blocks : rows) {
      EXPECT_LE(picked["predicted"].get<double>(), 1.02 * blocks["predicted"].get<double>());
    }
    // The constants are stored, and --stored uses them again.
    expect_constants(contents_of(json["settings"]["constants"].get<std::string>()), json);
    const auto again = run(program, words(quick("--stored --format json")));
    ASSERT_EQ(again.status, 0) << again.error;
    EXPECT_EQ(Json::parse(again.out)["tables"]["constants"], json["tables"]["constants"]);
  }
}

// With the changed constants, twice as many lanes take no longer.
TEST_F(Calibrate, ChoosesLanesWhereItMay) {
  const std::string path = constants();
  Json changed = Json::parse(contents_of(path));
  changed["kernel"] = {{"start", 1e-5}, {"step", 1e-3}, {"width", 8192}};
  m_folder.write("c", changed.dump());
  for (const int most : {4096, 8192, 65536}) {
    const auto outcome =
        sporos(quick("--stored --format json --constants " + path + " --max-lanes " + std::to_string(most)));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(Json::parse(outcome.out)["tables"]["sizes"]["rows"][0]["lanes"], std::min(most, 8192));
  }
}

TEST_F(Calibrate, RefusesConstantsOfSomethingElse) {
  const std::string path = constants();
  expect_refusal(sporos(quick("--stored --engine philox --constants " + path)),
                 "--engine is given 2 times, expected once");
  expect_refusal(sporos("calibrate --stored --engine philox --constants " + path),
                 path + ", line 5, is for another engine: '\"ranlux24-0\"', expected '\"philox\"'");
  const std::string damaged = m_folder.write("damaged.json", contents_of(path).substr(0, 100));
  const auto outcome = sporos(quick("--stored --constants " + damaged));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.error.find(damaged + " is not JSON: error at line "), std::string::npos) << outcome.error;
  expect_refusal(sporos(quick("--stored --constants /nowhere.json")),
                 "cannot read '/nowhere.json': No such file or directory");
}

TEST_F(Calibrate, WritesATableRowsAndAPicture) {
  const std::string stored = "--stored --constants " + constants();
  const auto table = sporos(quick(stored + " --picture " + m_folder / "a.svg"));
  EXPECT_EQ(table.status, 0) << table.error;
  for (const auto* what : {"ranlux24-0: blocks of random numbers\n2 consumers, 40000 draws for each and ", "kernel",
                           "hand-over", "predicted/measured", "lanes", "shared memory", "picked",
                           "block size picked by the model", "The constants are read from "}) {
    EXPECT_NE(table.out.find(what), std::string::npos) << what;
  }
  const std::string picture = contents_of(m_folder / "a.svg");
  EXPECT_NE(picture.find("<svg"), std::string::npos);
  EXPECT_NE(picture.find("predicted"), std::string::npos);
  const auto rows = sporos(quick(stored + " --format csv --output " + m_folder / "a.csv"));
  EXPECT_EQ(rows.out, "");
  const std::string csv = contents_of(m_folder / "a.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "block_size,buffers,producers,lanes,memory,predicted,measured,ratio,picked,fastest,stopped_by");
  EXPECT_GE(lines_of(csv), 6);
}

/// Checks that invalid options are refused before a file is written.
class BadCalibrateOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadCalibrateOptions, AreRefusedInOneLine) {
  const Folder folder;
  expect_refusal(sporos("calibrate --constants " + folder / "c" + " --output " + folder / "out " + GetParam().line),
                 GetParam().message);
  EXPECT_EQ(folder.files(), std::vector<std::string>());
}

std::string engines_of_blocks() {
  return names_where<Engine>([](Engine engine) { return !runs_on_hosts_only(engine); }, ", ");
}

INSTANTIATE_TEST_SUITE_P(
    Calibrate, BadCalibrateOptions,
    ::testing::Values(
        Refusal{"--consumers 0", "--consumers is '0', expected a whole number from 1 to 1024"},
        Refusal{"--draws 0", "--draws is '0', expected a whole number from 1 to 1099511627776"},
        Refusal{"--draws many", "--draws is 'many', expected a whole number from 1 to 1099511627776"},
        Refusal{"--work -1", "--work is '-1', expected a finite number of at least 0"},
        Refusal{"--work inf", "--work is 'inf', expected a finite number of at least 0"},
        Refusal{"--memory 0", "--memory is '0', expected a positive finite number"},
        Refusal{"--buffers 1", "--buffers is '1', expected a whole number from 2 to 1024"},
        Refusal{"--producers 0", "--producers is '0', expected a whole number from 1 to 1024"},
        Refusal{"--max-lanes 4095", "--max-lanes is '4095', expected a whole number from 4096 to 65536"},
        Refusal{"--rounds 0", "--rounds is '0', expected a whole number from 1 to 1000"},
        Refusal{"--consumers 2 --memory 1 --block-size 100000",
                "block size is 100000, expected at most 21845 draws: 6 blocks must fit in 1048576 bytes"},
        Refusal{"--consumers 64 --memory 1",
                "memory for blocks is 1048576 bytes, expected at least 6291456: 192 blocks of at least 4096 draws"},
        Refusal{"--engine mersenne", "unknown engine 'mersenne': expected one of " + engines_of_blocks()},
        Refusal{"--engine boost-taus88",
                "blocks are not available for engine 'boost-taus88': expected one of " + engines_of_blocks()},
        Refusal{"--format xml", "unknown format 'xml': expected one of table, json, csv"},
        Refusal{"--picture a.pdf", "picture is 'a.pdf', expected a file name that ends with .svg or .png"},
        Refusal{"--picture a.svg --picture a.svg",
                "--picture is 'a.svg', which --picture writes: expected another file"},
        Refusal{"--consumer 2", "unknown option '--consumer': did you mean '--consumers'?"},
        Refusal{"more", "unexpected 'more': expected sporos calibrate [OPTION...]"}));

TEST(BadCalibrate, NeedsAPlaceToWrite) {
  expect_refusal(sporos("calibrate --output /nowhere/a"), "cannot write '/nowhere/a': No such file or directory");
  expect_refusal(sporos("calibrate --constants /nowhere/a"), "cannot write '/nowhere/a': No such file or directory");
}

}  // namespace calibrate_tests
}  // namespace sporos::test
