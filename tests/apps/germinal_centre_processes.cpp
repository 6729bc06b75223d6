// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Germinal centres on several processes: the output has the bytes of one process, and each process requires a centre.
#include "germinal_centre_cases.hpp"
#include "harness/long_tests.hpp"
#include "mpirun.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sporos::test {
namespace germinal_centre_processes_tests {

TEST(GerminalCentresOnProcesses, WriteWhatOneWrites) {
  const Folder folder;
  const std::string path = folder.write("case.json", small_germinal_centres([](auto& json) { json["centres"] = 3; }));
  const std::string line =
      "simulate germinal-centre " + path + " --hours 1 --format csv --snapshots " + folder / "tissue";
  const Outcome separate = run(first_program, words(line));
  const std::string snapshot = contents_of(folder / "tissue-2-000001.00-cells.vtk");
  EXPECT_FALSE(snapshot.empty());
  for (int processes = runs_in_test(3, 2); processes <= 3; ++processes) {
    const Outcome outcome = run(SPOROS_MPIRUN, under_mpirun(processes, line));
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.out, separate.out);
    EXPECT_EQ(contents_of(folder / "tissue-2-000001.00-cells.vtk"), snapshot);
  }
}

// Whatever the number of processes, one of them prints the message, once.
TEST(GerminalCentresOnProcesses, AreAtLeastAsManyAsThese) {
  const Folder folder;
  for (const int processes : {2, 4}) {
    const int centres = processes - 1;
    const std::string path =
        folder.write("case.json", small_germinal_centres([&](auto& json) { json["centres"] = centres; }));
    const Outcome outcome =
        run(SPOROS_MPIRUN, under_mpirun(processes, "simulate germinal-centre " + path + " --hours 1"));
    EXPECT_NE(outcome.status, 0);
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    const std::string line = "sporos: number of processes is " + std::to_string(processes) + ", expected at most " +
                             std::to_string(centres) + ", one for each germinal centre";
    EXPECT_EQ(our_lines(outcome.error), std::vector<std::string>{line});
  }
}

}  // namespace germinal_centre_processes_tests
}  // namespace sporos::test
