// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --checkpoint: runs that continue on other backends, checkpoints that are refused, and files that cannot be written.
#include "kept.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sporos::test {
namespace checkpoints_tests {

const std::string long_run = "simulate mm1 --customers 10000 --replications 100000000 --format json";

class Checkpoints : public ::testing::Test {
 protected:
  std::string kept(const std::string& line, const std::string& every = "0") const {
    return line + " --checkpoint " + m_path + " --every " + every;
  }

  std::string in_quotes() const { return "'" + (m_path.size() > 60 ? m_path.substr(0, 60) + "..." : m_path) + "'"; }

  Folder m_folder;
  std::string m_path = m_folder / "state";
};

// A run is stopped three times by its time limit and continues each time on another backend with another mapping. Its
// report must equal that of a run without interruption.
TEST_F(Checkpoints, GoOnElsewhereToTheLastBit) {
  const std::string line = "simulate mmck --servers 1:3:1 --customers 100 --replications 15000 --format json";
  const std::string expected = lasting_part_of(run(first_program, words(line)).out);
  int runs = 0;
  Outcome outcome;
  do {
    const std::string limit = runs < 3 ? " --time-limit 0.001" : "";
    const std::string mapping = runs % 2 == 0 ? " --mapping thread" : " --mapping warp";
    const std::string program = programs()[static_cast<std::size_t>(runs) % programs().size()];
    const std::string threads = program == "sporos-openmp" ? " --threads 2" : "";
    outcome = run(program, words(kept(line) + limit + mapping + threads));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    ++runs;
  } while (std::filesystem::exists(m_path));
  if (starts_gpu()) {
    EXPECT_GT(runs, 1) << "a GPU may make all replications of the rest in one launch";
  } else {
    EXPECT_EQ(runs, 4);
  }
  EXPECT_EQ(lasting_part_of(outcome.out), expected);
}

// Each run computes one segment, and the next run continues on another backend.
TEST_F(Checkpoints, OfASteadyStateGoOnToTheLastBit) {
  for (const std::string& line :
       {steady_state_run, steady_state_run + " --method regenerative --runs 2",
        std::string("steady-state mmck --observations 20000 --method replications --runs 4"),
        std::string("steady-state network --observations 20000 --method replications --runs 2")}) {
    const std::string json = line + " --format json";
    const std::string expected = lasting_part_of(run(first_program, words(json)).out);
    int runs = 0;
    Outcome outcome;
    do {
      const std::string program = programs()[static_cast<std::size_t>(runs) % programs().size()];
      outcome = run(program, words(kept(json, "1000") + (runs < 3 ? " --time-limit 0.00001" : "")));
      ++runs;
    } while (std::filesystem::exists(m_path));
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(runs, 4) << line;
    EXPECT_EQ(lasting_part_of(outcome.out), expected) << line;
  }
}

TEST_F(Checkpoints, OfASignalAreWholeAndSaidOf) {
  Process process(first_program, words(kept(long_run)), m_folder / "out");
  process.wait_for_file(m_path);
  process.send(SIGTERM);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + SIGTERM);
  EXPECT_EQ(lines_of(outcome.error), 1);
  EXPECT_NE(outcome.error.find(", whose results are written; the checkpoint is " + in_quotes() + "\n"),
            std::string::npos)
      << outcome.error;
  EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"out", "state"}));
}

TEST_F(Checkpoints, OfOptimizationsGoOnAfterATimeLimit) {
  for (const std::string& line : {optimization, pairwise_optimization, classification, lbfgs_classification}) {
    const std::string json = line + " --format json";
    const std::string expected = lasting_part_of(run(first_program, words(json)).out);
    int runs = 0;
    Outcome outcome;
    do {
      outcome = run(first_program, words(kept(json) + (runs++ < 3 ? " --time-limit 0.002" : "")));
      ASSERT_EQ(outcome.status, 0) << line << ": " << outcome.error;
    } while (std::filesystem::exists(m_path));
    EXPECT_GT(runs, 1) << line;
    EXPECT_EQ(lasting_part_of(outcome.out), expected) << line;
  }
}

TEST_F(Checkpoints, OfAnotherRunAreRefused) {
  run(first_program, words(kept(fixed_run) + " --time-limit 0.0001"));
  ASSERT_TRUE(std::filesystem::exists(m_path));
  const std::string another = in_quotes() + " is the checkpoint of another run: ";
  const auto refused = [&](const std::string& line, const std::string& message) {
    expect_refusal(run(first_program, words(kept(line))), message);
  };
  refused(fixed_run + " --seed 2", another + "plan.seed is '1' in it, expected '2'");
  refused(fixed_run + " --capacity 6", another + "points[0].capacity is '5' in it, expected '6'");
  refused(sequential_run, another + "model is 'mmck' in it, expected 'mm1'");
  refused(steady_state_run, another + "command is 'simulate' in it, expected 'steady-state'");
  refused(optimization, another + "command is 'simulate' in it, expected 'optimize newsvendor'");
  refused(classification, another + "command is 'simulate' in it, expected 'optimize classification'");
  refused(fit, another + "command is 'simulate' in it, expected 'fit'");
}

// Control for all tests that continue a run: a changed byte in the checkpoint is detected.
TEST_F(Checkpoints, WithAFlippedByteAreRefused) {
  for (const std::string& line : {fixed_run, steady_state_run, optimization, classification, fit}) {
    run(first_program, words(kept(line)), "/dev/full");
    ASSERT_TRUE(std::filesystem::exists(m_path));
    std::string text = contents_of(m_path);
    text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 4);
    std::ofstream(m_path, std::ios::binary) << text;
    expect_refusal(
        run(first_program, words(kept(line))),
        in_quotes() +
            " is a damaged checkpoint: its checksum does not match its contents; delete it to restart the run");
    std::filesystem::remove(m_path);
  }
}

TEST_F(Checkpoints, OfOneFileAreOfOneRun) {
  Process first(first_program, words(kept(long_run)));
  first.wait_for_file(m_path);
  expect_refusal(run(first_program, words(kept(long_run))),
                 in_quotes() + " is in use by another run: wait until that run ends, or choose another file");
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().status, 128 + SIGTERM);
}

// If results cannot be written, the checkpoint keeps them, so that nothing is computed twice.
TEST_F(Checkpoints, OutliveResultsThatCannotBeWritten) {
  for (const std::string& line : {fixed_run, steady_state_run, optimization, classification, fit}) {
    const std::string json = line + " --format json";
    const std::string expected = lasting_part_of(run(first_program, words(json)).out);
    const Outcome failed = run(first_program, words(kept(json, "1000")), "/dev/full");
    EXPECT_EQ(failed.status, 2);
    EXPECT_EQ(failed.error,
              "sporos: cannot write standard output: No space left on device; the checkpoint is " + in_quotes() + "\n");
    ASSERT_TRUE(std::filesystem::exists(m_path));
    const Outcome outcome = run(first_program, words(kept(json, "1000")));
    EXPECT_EQ(lasting_part_of(outcome.out), expected) << line;
    EXPECT_FALSE(std::filesystem::exists(m_path));
  }
}

// Standard output is a pipe that nobody reads.
TEST_F(Checkpoints, OutliveAClosedPipe) {
  const std::string json = fixed_run + " --format json", error = m_folder / "error";
  std::FILE* const pipe = ::popen(("exec " + path_of(first_program) + " " + kept(json) + " 2>" + error).c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), 2);
  EXPECT_EQ(contents_of(error),
            "sporos: cannot write standard output: Broken pipe; the checkpoint is " + in_quotes() + "\n");
  ASSERT_TRUE(std::filesystem::exists(m_path));
  const std::string expected = lasting_part_of(run(first_program, words(json)).out);
  EXPECT_EQ(lasting_part_of(run(first_program, words(kept(json))).out), expected);
}

// A limit on file sizes simulates a full disk. It applies to the checkpoint, but not to the results in /dev/null.
TEST_F(Checkpoints, ThatCannotBeWrittenEndTheRun) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{100, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &little);
  const Outcome outcome = run(first_program, words(kept(long_run)), "/dev/null");
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(m_folder.files().size(), 0u);
}

TEST_F(Checkpoints, CannotBeJustAnywhere) {
  const auto refused = [&](const std::string& line, const std::string& message) {
    expect_refusal(run(first_program, words(line)), message);
  };
  const std::string quick = "simulate pi --replications 10 ";
  refused(quick + "--checkpoint nowhere/state", "cannot write 'nowhere/state': No such file or directory");
  refused(quick + "--checkpoint /dev/null", "'/dev/null' is not a regular file, expected one for a checkpoint");
  refused(quick + "--every 5", "--every is given without --checkpoint: expected both");
  refused(kept(quick, "often"), "--every is 'often', expected a number");
  refused(kept(quick, "-1"), "--every is -1, expected a number of seconds of at least 0");
  refused(kept("simulate newsboy --quantity 0:50:1") + " --largest profit",
          "--checkpoint is given with --largest, --smallest or --compare, which need every observation of one run: "
          "expected one of them");
  refused(kept(quick) + " --output " + m_path,
          "--output is '" + m_path + "', which --checkpoint writes: expected another file");
  refused("optimize newsvendor --product-count 3 --every 5", "--every is given without --checkpoint: expected both");
  refused("fit " SPOROS_SAMPLE_DATA "/galaxies.csv --checkpoint nowhere/state",
          "cannot write 'nowhere/state': No such file or directory");
  m_folder.write("state", "my thesis\n");
  refused(kept(quick), in_quotes() + " is not a checkpoint of Sporos: choose another file");
  EXPECT_EQ(contents_of(m_path), "my thesis\n");
}

}  // namespace checkpoints_tests
}  // namespace sporos::test
