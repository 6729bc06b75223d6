// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <sporos/core/io/json.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

/// The command line under mpirun.
namespace sporos::test {
namespace {

const std::string program = programs().front();

std::vector<std::string> under_mpirun(int processes, const std::string& line) {
  std::vector<std::string> arguments{"-n", std::to_string(processes), path_of(program)};
  for (const std::string& word : words(line)) arguments.push_back(word);
  return arguments;
}

Outcome run_by(int processes, const std::string& line) {
  return processes == 0 ? run(program, words(line)) : run(SPOROS_MPIRUN, under_mpirun(processes, line));
}

// A result without its times.
std::string timeless(const std::string& text) {
  auto json = io::Json::parse(text);
  json.at("run").erase("seconds");
  return json.dump(1);
}

// The lines of ours in what is written to standard error: mpirun has its own to say of a status that is not 0.
std::vector<std::string> our_lines(const std::string& error) {
  std::vector<std::string> lines;
  std::istringstream text(error);
  for (std::string line; std::getline(text, line);) {
    if (line.find("sporos:") != std::string::npos) lines.push_back(line);
  }
  return lines;
}

void expect_same_file(const std::string& line) {
  const Folder folder;
  const auto file_of = [&](int processes) {
    const std::string path = folder / ("result-" + std::to_string(processes) + ".json");
    const Outcome outcome = run_by(processes, line + " --format json --output " + path);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    return timeless(contents_of(path));
  };
  const std::string alone = file_of(0);
  for (const int processes : {1, 2, 3, 4, 7}) EXPECT_EQ(file_of(processes), alone) << processes << " processes";
}

TEST(Processes, WriteTheSameFileOfFixedReplications) {
  expect_same_file("simulate mmck --replications 3001 --customers 100 --arrival-rate 3,4,5");
}

TEST(Processes, WriteTheSameFileOfSequentialStopping) {
  expect_same_file("simulate mm1 --relative-precision 0.03 --batch 100 --customers 100 --max-replications 50000");
}

TEST(Processes, WriteTheSameFileOfMorePointsThanReplications) {
  expect_same_file("simulate pi --draws 10:100:1 --replications 3");
}

TEST(Processes, WriteTheSameFileOfRunsThatShareASample) {
  expect_same_file("simulate pi --draws 10 --replications 3000 --sampling refined-descriptive --run-length 30");
}

TEST(Processes, FindTheSameBestPoint) {
  expect_same_file("simulate newsboy --quantity 20,24,28 --replications 300 --largest profit");
}

TEST(Processes, WriteTheSameFitOfSharedObservations) {
  expect_same_file(std::string("fit ") + SPOROS_SAMPLE_DATA + "/loss_given_default.csv --components 1:3 --starts 2");
}

TEST(Processes, RefuseBadInputInOneLine) {
  const Outcome outcome = run_by(3, "simulate pi --replications -1");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  ASSERT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
  EXPECT_EQ(our_lines(outcome.error)[0].substr(0, 30), "sporos: --replications is '-1'");
}

TEST(Processes, RefuseAFileThatCannotBeWrittenInOneLine) {
  const Outcome outcome = run_by(3, "simulate pi --output /no/such/folder/file");
  EXPECT_EQ(outcome.status, 2);
  ASSERT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
}

TEST(Processes, RefuseDifferentPlans) {
  auto arguments = under_mpirun(1, "simulate pi --seed 1");
  arguments.push_back(":");
  for (const std::string& word : under_mpirun(1, "simulate pi --seed 2")) arguments.push_back(word);
  const Outcome outcome = run(SPOROS_MPIRUN, arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(our_lines(outcome.error),
            std::vector<std::string>{"sporos: seed is 2 on process 1, expected 1 as on process 0"});
}

// The numbers of the processes that `parent` has begun.
std::vector<pid_t> children_of(pid_t parent) {
  std::ifstream list("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  return {std::istream_iterator<pid_t>(list), {}};
}

TEST(Processes, EndWithinSecondsWhereOneDies) {
  using namespace std::chrono_literals;
  const Folder folder;
  Process process(SPOROS_MPIRUN,
                  under_mpirun(3, "simulate mmck --replications 1000000000000 --output " + (folder / "result")));
  std::vector<pid_t> children;
  for (int wait = 0; wait < 200 && children.size() < 3; ++wait) {
    std::this_thread::sleep_for(50ms);
    children = children_of(process.id());
  }
  ASSERT_EQ(children.size(), 3u);
  std::this_thread::sleep_for(1s);
  const auto begin = std::chrono::steady_clock::now();
  ::kill(children[1], SIGKILL);
  const Outcome outcome = process.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.error.find("signal 9"), std::string::npos) << outcome.error;
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace sporos::test
