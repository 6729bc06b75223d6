// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Centres on several processes have the same bits as on one, and processes communicate once in each global step.
#include "cases.hpp"
#include "harness/serial_or_host.hpp"

#include <harness/long_tests.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/distributed/mpi.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace sporos::test {
namespace distributed_centres_tests {

using models::GerminalCentreCase, models::GerminalCentres;
using Space = Kokkos::DefaultExecutionSpace;

// A case with a centre for each process of these tests.
GerminalCentreCase eight_centres() {
  GerminalCentreCase rich = rich_centres();
  rich.centres = 8;
  return rich;
}

TEST(GerminalCentreProcesses, DoNotShow) {
  MpiProcesses processes(MPI_COMM_WORLD);
  GerminalCentres<Space> shared(Space(), eight_centres(), 9, processes), whole(Space(), eight_centres(), 9);
  for (int i = 0; i < 3; ++i) {
    shared.advance();
    whole.advance();
    EXPECT_EQ(shared.census().tissue, whole.census().tissue);
  }
  EXPECT_EQ(shared.digest(), whole.digest());
}

// Runs also with as many threads as OMP_NUM_THREADS says. The result equals that of Serial on one process; with another
// seed it differs (control).
TEST(GerminalCentreProcesses, DoNotShowAfterManySteps) {
  const int steps = are_tests_long() ? 20 : 5;  // global steps of 50 local steps each
  MpiProcesses processes(MPI_COMM_WORLD);
  GerminalCentres<Space> shared(Space(), eight_centres(), 7, processes);
  for (int i = 0; i < steps; ++i) shared.advance();
  const std::uint64_t digest = shared.digest();
  if (processes.rank() != 0) return;
  for (const std::uint64_t seed : {7, 8}) {
    GerminalCentres<SerialOrHost> whole(SerialOrHost(), eight_centres(), seed);
    for (int i = 0; i < steps; ++i) whole.advance();
    EXPECT_EQ(whole.digest() == digest, seed == 7);
    EXPECT_EQ(whole.census().tallies == shared.census().tallies, seed == 7);
  }
}

TEST(GerminalCentreProcesses, GoOnFromAStateOfOthers) {
  MpiProcesses processes(MPI_COMM_WORLD);
  GerminalCentres<Space> shared(Space(), eight_centres(), 9, processes), whole(Space(), eight_centres(), 9);
  shared.advance();
  whole.restore(shared.state());
  EXPECT_EQ(shared.digest(), whole.digest());
  whole.advance();
  const auto state = whole.state();
  shared.restore(state);
  whole.advance();
  shared.advance();
  EXPECT_EQ(shared.digest(), whole.digest());
}

TEST(GerminalCentreProcesses, TalkOnceInAGlobalStep) {
  MpiProcesses processes(MPI_COMM_WORLD);
  GerminalCentres<Space> centres(Space(), eight_centres(), 9, processes);
  const auto before = processes.traffic().collectives;
  for (int i = 0; i < 3; ++i) centres.advance();
  EXPECT_EQ(processes.traffic().collectives - before, 3);
}

TEST(GerminalCentreProcesses, AreNotMoreThanCentres) {
  MpiProcesses processes(MPI_COMM_WORLD);
  const std::string expected = processes.count() == 1 ? "none"
                                                      : "number of processes is " + std::to_string(processes.count()) +
                                                            ", expected at most 1, one for each germinal centre";
  EXPECT_EQ(refusal([&] { GerminalCentres<Space>(Space(), plain_case(1), 9, processes); }), expected);
}

}  // namespace distributed_centres_tests
}  // namespace sporos::test
