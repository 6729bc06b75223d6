// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../apps/interruption.hpp"

#include "../../apps/failure.hpp"
#include "harness/folder.hpp"

#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/io/output_file.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <thread>

/// Runs that do or do not react to signals and to their time limit, each in a separate process.
namespace sporos::apps {
namespace interruption_tests {

constexpr double never = std::numeric_limits<double>::infinity();

// Computes without an end and ignores interruptions.
[[noreturn]] void compute_for_ever() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

[[noreturn]] void compute_under(double time_limit, int signal) {
  Interruption interruption(time_limit);
  if (signal != 0) std::raise(signal);
  compute_for_ever();
}

TEST(Interruption, EndsWhatDoesNotHearASignal) {
  const auto start = Clock::now();
  EXPECT_EXIT(compute_under(never, SIGINT), ::testing::ExitedWithCode(128 + SIGINT),
              "^sporos: interrupted in a step that takes longer than a second: no results are written\n$");
  EXPECT_GT(seconds_since(start), grace_period);
  EXPECT_EXIT(compute_under(never, SIGTERM), ::testing::ExitedWithCode(128 + SIGTERM), "^sporos: interrupted ");
}

TEST(Interruption, EndsWhatDoesNotHeedItsTimeLimit) {
  EXPECT_EXIT(compute_under(0.1, 0), ::testing::ExitedWithCode(1),
              "^sporos: the time limit of 0.1 s is over in a step that takes longer than a second: no results are "
              "written\n$");
}

TEST(Interruption, LeavesTimeToWhatHearsASignal) {
  const auto compute = [] {
    Interruption interruption;
    std::raise(SIGINT);
    while (interruption.signal() == 0) std::this_thread::yield();
    interruption.begin_writing();
    std::this_thread::sleep_for(std::chrono::duration<double>(2 * grace_period));
    std::_Exit(interruption.signal());
  };
  EXPECT_EXIT(compute(), ::testing::ExitedWithCode(SIGINT), "^$");
}

TEST(Interruption, EndsTheWritingThatASignalComesInto) {
  const auto write = [] {
    Interruption interruption(0.1);
    interruption.begin_writing();
    std::this_thread::sleep_for(std::chrono::duration<double>(2 * grace_period));  // the limit does not end writing
    std::raise(SIGINT);
    compute_for_ever();
  };
  EXPECT_EXIT(write(), ::testing::ExitedWithCode(128 + SIGINT),
              "^sporos: interrupted while results were written: some files may be missing\n$");
}

TEST(Interruption, HasWhatThereIsWrittenByAnotherThread) {
  const auto compute = [](std::optional<int> status) {
    Interruption interruption(0.1);
    interruption.rescue_by([status](int signal) {
      complain("rescued from " + std::to_string(signal));
      return status;
    });
    compute_for_ever();
  };
  EXPECT_EXIT(compute(7), ::testing::ExitedWithCode(7), "^sporos: rescued from 0\n$");
  EXPECT_EXIT(compute({}), ::testing::ExitedWithCode(1), "^sporos: rescued from 0\nsporos: the time limit of 0.1 s ");
  const auto fail = [] {
    Interruption interruption(0.1);
    interruption.rescue_by([](int) -> std::optional<int> { throw std::invalid_argument("a reason"); });
    compute_for_ever();
  };
  EXPECT_EXIT(fail(), ::testing::ExitedWithCode(2), "^sporos: a reason\n$");
}

// Results are written without the part that takes too long.
TEST(Interruption, CompletesResultsInTimeOnly) {
  const auto compute = [] {
    Interruption interruption(0.1);
    const auto write = [](int signal) {
      complain("written without it after " + std::to_string(signal));
      return 7;
    };
    if (interruption.completed(write, [] { return 5; }) != 5) std::_Exit(3);
    interruption.completed(write, [] {
      compute_for_ever();
      return 5;
    });
  };
  EXPECT_EXIT(compute(), ::testing::ExitedWithCode(7), "^sporos: written without it after 0\n$");
}

// Launches are asked to stop after the time limit. They may continue while it is extended, and after LaunchLimit ends.
TEST(Interruption, LimitsLaunches) {
  const auto wait_for_stop = [] {
    const auto start = Clock::now();
    while (!is_launch_stop_requested() && seconds_since(start) < 10) std::this_thread::yield();
    return seconds_since(start);
  };
  Interruption interruption(0.1);
  interruption.begin_writing();  // so that the watchdog does not end this process
  EXPECT_FALSE(interruption.end_request().has_come());
  {
    LaunchLimit limit(interruption);
    EXPECT_GT(wait_for_stop(), 0.05);
    EXPECT_TRUE(interruption.end_request().is_late);
    EXPECT_EQ(interruption.end_request().reason(), StopReason::time_limit);
    limit.extend(0.2);
    EXPECT_FALSE(is_launch_stop_requested());
    EXPECT_GT(wait_for_stop(), 0.1);
    EXPECT_TRUE(is_launch_stop_requested());
  }
  EXPECT_FALSE(is_launch_stop_requested());
}

TEST(Interruption, ByASecondSignalIsAtOnce) {
  const auto compute = [] {
    Interruption interruption;
    std::raise(SIGINT);
    std::raise(SIGINT);
    compute_for_ever();
  };
  const auto start = Clock::now();
  EXPECT_EXIT(compute(), ::testing::KilledBySignal(SIGINT), "^$");
  EXPECT_LT(seconds_since(start), grace_period);
}

TEST(Interruption, LeavesNoTemporaryFile) {
  const test::Folder folder;
  const auto compute = [&] {
    Interruption interruption(0.1);
    const io::impl::TemporaryFile half(folder.path(), "result", "half");
    if (folder.files().size() != 1) std::_Exit(3);
    compute_for_ever();
  };
  EXPECT_EXIT(compute(), ::testing::ExitedWithCode(1), "^sporos: the time limit ");
  EXPECT_TRUE(folder.files().empty());
}

TEST(ReadingLimit, EndsReadingAlone) {
  const auto read = [] {
    const ReadingLimit reading(0.1);
    compute_for_ever();
  };
  EXPECT_EXIT(read(), ::testing::ExitedWithCode(1),
              "^sporos: the time limit of 0.1 s is over before the input is read: expected a longer one\n$");
  { const ReadingLimit reading(0.01); }
  const ReadingLimit endless(never);
  std::this_thread::sleep_for(std::chrono::duration<double>(1.2 * grace_period));
}

}  // namespace interruption_tests
}  // namespace sporos::apps
