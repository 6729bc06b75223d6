// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/long_tests.hpp"
#include "harness/memory_limit.hpp"
#include "refusal.hpp"
#include "result_json.hpp"

#include <sporos/core/io/json.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Commands that need more memory than there is are refused before they start, and leave no file.
namespace sporos::test {
namespace memory_tests {

// A data set of 40000 rows of five features and a label.
std::string data_text() {
  std::string text = "a,b,c,d,e,label\n";
  for (int row = 0; row < 40'000; ++row) {
    for (int column = 0; column < 5; ++column) text += std::to_string((row * (column + 3)) % 101) + ",";
    text += row % 3 == 0 ? "yes\n" : "no\n";
  }
  return text;
}

// Expects a failure that is not the user's fault: exit status 1 and one line.
void expect_failure(const Outcome& outcome, const std::string& message) {
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: " + message + "\n");
}

std::string owner_of_memory_of(const std::string& program) {
  return program == "sporos-cuda" ? "the device" : "the host";
}

TEST(Memory, ThatIsTooSmallForDataEndsTheRunWithoutAFile) {
  const Folder folder;
  const std::string data = folder.write("data.csv", data_text());
  for (const std::string& program : programs()) {
    const MemoryLimit limit("1048576");
    const auto outcome = run(program, {"optimize", "classification", data, "--test-share", "0", "--model",
                                       folder / "model.json", "--save-state", folder / "state.json"});
    expect_failure(outcome, "the features of 40000 rows need 1.526 MiB, " + owner_of_memory_of(program) +
                                " has 1 MiB free: at most 26214 rows would fit");
    EXPECT_EQ(folder.files(), std::vector<std::string>{"data.csv"});
  }
}

TEST(Memory, ThatIsSmallChangesNoBitOfAnExperiment) {
  const std::string line = "simulate pi --draws 1 --replications 2000000 --format json";
  for (const std::string& program : programs()) {
    const auto whole = io::Json::parse(run(program, words(line)).out);
    const MemoryLimit limit("400000");
    const auto in_batches = io::Json::parse(run(program, words(line)).out);
    EXPECT_EQ(in_batches["findings"]["digest"], whole["findings"]["digest"]) << program;
    EXPECT_EQ(rows_of(in_batches, "means"), rows_of(whole, "means")) << program;
  }
}

TEST(Memory, ThatIsTooSmallForARunOfAnExperimentIsToldSo) {
  for (const std::string& program : programs()) {
    const MemoryLimit limit("1048576");
    expect_failure(run(program, words("simulate pi --draws 1 --replications 1048576 --run-length 1048576")),
                   "the responses of 1048576 replications in a run need 16 MiB, " + owner_of_memory_of(program) +
                       " has 1 MiB free: at most 65536 replications in a run would fit");
  }
}

TEST(Memory, ThatIsTooSmallForPointsIsToldSo) {
  const Folder folder;
  const MemoryLimit limit("1048576");
  expect_failure(sporos("sample sobol --points 100000 --dimensions 2 --output " + folder / "points.csv"),
                 "the lines of 100000 points need 3.815 MiB, the host has 1 MiB free: at most 26214 points would fit");
  EXPECT_TRUE(folder.files().empty());
}

// A command line that needs more memory than there is, and the start of the expected message.
struct Want {
  std::string line;
  int status;  // 1, or 2 if the input is at fault
  std::string reason;
};

// Each command ends within a second, because it does not first allocate memory of this size.
TEST(Memory, ThatIsTooSmallIsToldOfBeforeItIsTaken) {
  const Folder folder;
  const std::string data = folder.write("data.csv", data_text());
  const std::vector<Want> wants = {
      {"optimize newsvendor --product-count 100000 --resource-count 1000", 1,
       "the amounts of 100000 products need 2.235 GiB"},
      {"optimize portfolio --returns /dev/zero", 2, "/dev/zero, line 1: there is a byte 0"},
      {"optimize classification /dev/zero", 2, "/dev/zero, line 1: there is a byte 0"},
      {"fit /dev/zero", 2, "/dev/zero, line 1: there is a byte 0"},
      {"predict /dev/zero " + data, 2, "/dev/zero, line 1: there is a byte 0"},
      {"simulate --plan /dev/zero", 2, "/dev/zero, line 1: there is a byte 0"},
      {"simulate pert --network /dev/zero", 2, "/dev/zero, line 1: there is a byte 0"},
      {"simulate radiation --case /dev/zero", 2, "/dev/zero, line 1: there is a byte 0"},
      {"simulate germinal-centre /dev/zero --hours 1", 2, "/dev/zero, line 1: there is a byte 0"},
      {"sample random --points 8 --dimensions 2 --extend /dev/zero", 2, "cannot read '/dev/zero': it is larger than "},
      {"sample sobol --points 1000000000000 --dimensions 1000000", 2, "--points is '1000000000000', expected a whole "},
      {"sample random --points 200 --dimensions 1000000", 1, "the lines of 200 points need "},
      {"simulate mmck --servers 1:1000000000:1", 2,
       "--servers is '1:1000000000:1', a range of 1e+09 values, expected at"},
      {"simulate mmck --servers 1:1000:1 --customers 1:1000:1", 2, "the ranges make 1000000 design points or more"},
      {"fit " + std::string(SPOROS_SAMPLE_DATA) + "/galaxies.csv --components 1:9 --starts 100000", 1,
       "the numbers of 900000 starts need "},
      {"calibrate --memory 1e308", 2, "--memory is '1e308', expected at most 1, the free memory in mebibytes"}};
  const MemoryLimit limit("1048576");
  for (const Want& want : wants) {
    SCOPED_TRACE(want.line);
    const auto outcome = run(first_program, words(want.line));
    EXPECT_EQ(outcome.status, want.status);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.error.starts_with("sporos: " + want.reason)) << outcome.error;
    EXPECT_EQ(lines_of(outcome.error), 1) << outcome.error;
  }
}

TEST(Memory, WhoseLimitIsNoNumberIsRefused) {
  const MemoryLimit limit("8 GiB");
  expect_refusal(sporos("simulate pi --draws 1 --replications 2000000"),
                 "SPOROS_MEMORY_LIMIT is '8 GiB', expected a number of bytes");
}

// Runs the first program of this build under `ulimit -v`, whose unit is KiB.
Outcome run_within(std::int64_t kibibytes, const std::string& line) {
  const std::string command = "ulimit -v " + std::to_string(kibibytes) + " && exec ";
  return run("/bin/sh", {"-c", command + path_of(first_program) + " " + line});
}

// Lines of a million fields are read, and longer ones are refused. The memory used grows with the size of the file.
TEST(Memory, OfWideFilesIsBounded) {
  if (starts_gpu()) GTEST_SKIP() << "a GPU reserves more addresses than this limit permits";
  const int columns = are_tests_long() ? 1'000'000 : 100'000;
  const std::int64_t of_program = 100'000, most = of_program + 2 * columns;
  const Folder folder;
  std::string wide;
  for (int i = 0; i < columns; ++i) wide += "c" + std::to_string(i) + (i + 1 < columns ? "," : "\n");
  for (int row = 0; row < 4; ++row) {
    for (int i = 1; i < columns; ++i) wide += "0." + std::to_string((i + row) % 4) + ",";
    wide += row % 2 == 0 ? "-0.5\n" : "0.5\n";
  }
  const std::string path = folder.write("wide.csv", wide);
  for (const std::string& line : std::vector<std::string>{
           "fit " + path + " --column c5 --components 1 --starts 1", "optimize portfolio --epochs 1 --returns " + path,
           "optimize classification " + path + " --optimizer lbfgs --iterations 1"}) {
    const Outcome outcome = run_within(most, line);
    EXPECT_EQ(outcome.status, 0) << line << ": " << outcome.error;
  }
  const std::string no_parameter =
      path + ", line 1: column 'c0' is no parameter of mm1: expected one of arrival_rate, ";
  EXPECT_EQ(run_within(most, "simulate mm1 --design " + path).error,
            "sporos: " + no_parameter + "service_rate, customers, horizon\n");
}

TEST(Memory, OfALineWithoutAnEndIsBounded) {
  const std::size_t bytes = are_tests_long() ? 100'000'000 : 25'000'000;
  const std::int64_t most = are_tests_long() ? 1'000'000 : 600'000;
  const Folder folder;
  std::string fields;
  while (fields.size() < bytes) fields += "a,";
  const std::string of_fields = folder.write("fields", fields);
  const std::string too_many = ", line 1: column 10000001 is one too many, expected at most 10000000 fields in a line";
  const std::string of_one = folder.write("one", std::string(bytes, 'x'));
  for (const auto& [line, message] : std::vector<std::pair<std::string, std::string>>{
           {"fit " + of_one, of_one + ": no row follows the names, expected one for each observation"},
           {"fit " + of_fields, of_fields + too_many},
           {"simulate newsboy --demand " + of_fields, of_fields + too_many},
           {"optimize newsvendor --cost 1 --price 2 --demands " + of_fields, of_fields + too_many}}) {
    if (line != "fit " + of_one && line != "fit " + of_fields && !are_tests_long()) continue;  // the same reader
    const Outcome outcome = run_within(most, line);
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.error, "sporos: " + message + "\n");
  }
}

}  // namespace memory_tests
}  // namespace sporos::test
