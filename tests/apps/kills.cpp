// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs that are killed at random moments continue from their checkpoints and lose nothing.
#include "harness/long_tests.hpp"
#include "kept.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <ostream>
#include <random>
#include <string>
#include <thread>

namespace sporos::test {
namespace kills_tests {

using Clock = std::chrono::steady_clock;

struct Kills {
  std::string line;
  int count;  // number of kills in long tests; otherwise half as many
};

void PrintTo(const Kills& kills, std::ostream* stream) { *stream << kills.line; }

class Killed : public ::testing::TestWithParam<Kills> {
 protected:
  std::string output() const { return m_folder / "result.json"; }
  std::string checkpoint() const { return m_folder / "state"; }

  std::vector<std::string> arguments(bool is_kept) const {
    auto list = words(GetParam().line + " --format json --output " + output());
    if (is_kept) {
      for (const auto& word : {std::string("--checkpoint"), checkpoint(), std::string("--every"), std::string("0")}) {
        list.push_back(word);
      }
    }
    return list;
  }

  // Returns the result that was written, and removes its file.
  std::string take_result() const {
    const std::string result = lasting_part_of(contents_of(output()));
    std::filesystem::remove(output());
    return result;
  }

  Folder m_folder;
};

TEST_P(Killed, LosesNothing) {
  const auto start = Clock::now();
  ASSERT_EQ(run(first_program, arguments(false)).status, 0);
  const auto length = Clock::now() - start;
  const std::string expected = take_result();

  const int count = GetParam().count / (are_tests_long() ? 1 : 2);
  std::mt19937_64 random(7);
  int kills = 0, goings_on = 0, ends = 0;
  while (kills < count) {
    goings_on += std::filesystem::exists(checkpoint()) ? 1 : 0;
    Process process(first_program, arguments(true));
    if (kills == 0) {  // the first kill comes after a checkpoint, so that another run continues
      while (!std::filesystem::exists(checkpoint()) && runs(process.id()))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else {
      std::this_thread::sleep_for(length * std::uniform_real_distribution(0.0, 1.0)(random));
    }
    process.send(SIGKILL);
    const Outcome outcome = process.wait();
    const bool has_ended = outcome.signal == 0;
    kills += has_ended ? 0 : 1;
    if (has_ended) {
      ++ends;
      ASSERT_EQ(outcome.status, 0) << outcome.error;
      EXPECT_FALSE(std::filesystem::exists(checkpoint()));
    }
    if (!std::filesystem::exists(output())) continue;
    ASSERT_EQ(take_result(), expected);  // a result is complete if it exists
  }
  const Outcome last = run(first_program, arguments(true));
  ASSERT_EQ(last.status, 0) << last.error;
  EXPECT_EQ(take_result(), expected);
  EXPECT_GT(goings_on, 0);
  for (const char* ending : {"", ".new", ".lock"}) EXPECT_FALSE(std::filesystem::exists(checkpoint() + ending));
  std::cout << kills << " kills, " << goings_on << " runs that went on, " << ends + 1 << " ends\n";
}

INSTANTIATE_TEST_SUITE_P(Runs, Killed,
                         ::testing::Values(Kills{fixed_run, 20}, Kills{sequential_run, 20}, Kills{run_of_runs, 15},
                                           Kills{optimization, 8}, Kills{pairwise_optimization, 6},
                                           Kills{classification, 10}, Kills{fit, 6}, Kills{bootstrap, 6}));

}  // namespace kills_tests
}  // namespace sporos::test
