// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <csignal>

int main(int argc, char** argv) {
  std::signal(SIGINT, SIG_DFL);  // which a shell lets programs in its background ignore: some tests wait for its effect
  ::testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
