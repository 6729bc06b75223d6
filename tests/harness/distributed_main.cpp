// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributed/mpi.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

// The main function of test programs that several processes run together. All processes run the same tests in the same
// order. The first process reports all tests, the others report failures only.
int main(int argc, char** argv) {
  const sporos::MpiSession session;
  int rank = 0, failures = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) ::testing::GTEST_FLAG(brief) = true;
  ::testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int failed = RUN_ALL_TESTS();
  MPI_Allreduce(&failed, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return failures == 0 ? 0 : 1;
}
