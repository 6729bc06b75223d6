// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <csignal>

int main(int argc, char** argv) {
  // Restore the default action: shells make background programs ignore SIGINT, and some tests wait for its effect.
  std::signal(SIGINT, SIG_DFL);
  ::testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
