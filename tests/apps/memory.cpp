// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/memory_limit.hpp"
#include "refusal.hpp"

#include <sporos/core/io/json.hpp>

#include <gtest/gtest.h>

#include <string>

/// What does not fit into memory is refused before it is begun, and leaves no file.
namespace sporos::test {
namespace {

// A data set of 40000 rows of five features and a label.
std::string data_text() {
  std::string text = "a,b,c,d,e,label\n";
  for (int row = 0; row < 40'000; ++row) {
    for (int column = 0; column < 5; ++column) text += std::to_string((row * (column + 3)) % 101) + ",";
    text += row % 3 == 0 ? "yes\n" : "no\n";
  }
  return text;
}

// A failure that is not the user's, in one line.
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
    EXPECT_EQ(in_batches["digest"], whole["digest"]) << program;
    EXPECT_EQ(in_batches["responses"], whole["responses"]) << program;
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

TEST(Memory, WhoseLimitIsNoNumberIsRefused) {
  const MemoryLimit limit("8 GiB");
  expect_refusal(sporos("simulate pi --draws 1 --replications 2000000"),
                 "SPOROS_MEMORY_LIMIT is '8 GiB', expected a number of bytes");
}

}  // namespace
}  // namespace sporos::test
