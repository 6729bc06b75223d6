// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Input without an end, and closed standard output.
#include "process.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <string>

namespace sporos::test {
namespace streams_tests {

// The program reads a pipe that nobody writes to. A signal ends it immediately with one sentence.
TEST(EndlessInput, IsInterruptedByOneSentence) {
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const char* command : {"fit", "optimize classification", "simulate --plan"}) {
      const Folder folder;
      const std::string pipe = folder / "pipe";
      ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
      Process process(first_program, words(command + (" " + pipe)));
      process.wait_for_handler(signal);
      process.send(signal);
      const Outcome outcome = process.wait();
      EXPECT_EQ(outcome.status, 128 + signal) << command;
      EXPECT_EQ(outcome.error, "sporos: interrupted while input was read: no results are written\n") << command;
    }
  }
}

TEST(EndlessInput, OfZerosIsRefusedAtOnce) {
  for (const char* command : {"fit", "optimize classification", "optimize portfolio --returns", "simulate --plan",
                              "simulate mm1 --design", "optimize newsvendor --cost 1 --price 2 --demands"}) {
    const Outcome outcome = sporos(std::string(command) + " /dev/zero");
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_NE(outcome.error.find("there is a byte 0"), std::string::npos) << outcome.error;
  }
}

TEST(ClosedOutput, MattersOnlyToWhatIsWrittenThere) {
  const Folder folder;
  const auto closed = [](const std::string& line) {
    return run("/bin/sh", {"-c", path_of(first_program) + " " + line + " >&-"});
  };
  const std::string line = "simulate pi --replications 64";
  const Outcome refused = closed(line), written = closed(line + " --output " + folder / "pi.txt");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.error, "sporos: cannot write standard output: Bad file descriptor\n");
  EXPECT_EQ(written.status, 0) << written.error;
  EXPECT_NE(contents_of(folder / "pi.txt"), "");
  EXPECT_EQ(closed("--help").status, 2);
}

}  // namespace streams_tests
}  // namespace sporos::test
