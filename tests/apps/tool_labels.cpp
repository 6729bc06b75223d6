// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools of Kokkos see questions, phases of solvers, rounds and copies as regions, and kernels with the name of the
// model.
#include "process.hpp"

#include "harness/environment_variable.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sporos::test {
namespace tool_labels_tests {

// Runs a command with the recording tool and returns what the tool has seen.
std::string seen_in(const std::string& line) {
  const Folder folder;
  const std::string file = folder / "seen";
  const EnvironmentVariable output("SPOROS_TOOL_OUTPUT", file);
  const EnvironmentVariable tool("KOKKOS_TOOLS_LIBS", SPOROS_RECORDING_TOOL);
  const EnvironmentVariable old_tool("KOKKOS_PROFILE_LIBRARY", SPOROS_RECORDING_TOOL);
  const Outcome outcome = run(programs().back(), quoted_words(line));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return contents_of(file);
}

void expect_seen(const std::string& seen, const std::string& line) {
  EXPECT_NE(seen.find(line + "\n"), std::string::npos) << "no '" << line << "' in\n" << seen;
}

TEST(ToolLabels, NameQuestionsRoundsAndModels) {
  const std::string seen = seen_in("simulate mm1 --customers 10 --replications 1000 --arrival-rate 0.3,0.6");
  const std::string round = "sporos::simulation[mm1] > sporos::experiment::round > ";
  expect_seen(seen, "region: sporos::simulation[mm1]");
  expect_seen(seen, "region: sporos::simulation[mm1] > sporos::experiment::round");
  expect_seen(seen, round + "sporos::replicate[mm1]");  // a kernel, or on Serial a region
  expect_seen(seen, "region: " + round + "sporos::copy[sporos::replication::design from host]");
  EXPECT_EQ(seen.find("a region is open"), std::string::npos);
}

TEST(ToolLabels, NamePhasesOfSolvers) {
  const std::string frank_wolfe =
      seen_in("optimize newsvendor --product-count 5 --epochs 2 --gap-interval 1 --gap-batches 2 --gap-batch-size 50");
  expect_seen(frank_wolfe, "region: sporos::newsvendor > sporos::frank_wolfe::epoch > sporos::frank_wolfe::gap");
  const std::string selection =
      seen_in("select mmck --over servers=1,2,3 --largest utilization --delta 0.1 --customers 20");
  expect_seen(selection, "region: sporos::select[mmck] > sporos::selection::stage");
  EXPECT_NE(selection.find("sporos::selection::replicate[mmck]\n"), std::string::npos) << selection;
  const std::string search =
      seen_in("optimize mm1 --customers 20 --over service-rate=1:5 --minimize 'time in queue' --replications 500");
  expect_seen(search, "region: sporos::optimize[mm1] > sporos::search::round");
}

}  // namespace tool_labels_tests
}  // namespace sporos::test
