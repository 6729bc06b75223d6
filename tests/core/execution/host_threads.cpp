// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any number of threads, whatever sets it, is either one that Kokkos supports or gives an error message.
#include <harness/environment_variable.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/execution/host_threads.hpp>
#include <sporos/core/execution/initialize.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace host_threads_tests {

using namespace sporos;

std::string refusal_of(std::optional<int> threads) {
  return test::refusal([&] { checked_host_threads(threads); });
}

TEST(HostThreads, AreThoseChosen) {
  EXPECT_EQ(checked_host_threads(1), 1);
  EXPECT_EQ(checked_host_threads(max_host_threads), max_host_threads);
  for (const int bad : {-1, 0, 513, 600}) {
    EXPECT_EQ(refusal_of(bad), "the number of threads is " + std::to_string(bad) + ", expected 1 to 512");
  }
}

TEST(HostThreads, AreThoseOfKokkosVariable) {
  for (const std::string number : {"1", "3", "512"}) {
    const test::EnvironmentVariable variable("KOKKOS_NUM_THREADS", number);
    EXPECT_EQ(std::to_string(checked_host_threads({}).value()), number);
    EXPECT_EQ(checked_host_threads(2), 2);
  }
}

TEST(HostThreads, OfKokkosVariableAreRefused) {
  for (const std::string text :
       {"", "0", "-3", "513", "600,2", "4 ", " 4", "2.5", "four", "1e2", "99999999999999999999"}) {
    const test::EnvironmentVariable variable("KOKKOS_NUM_THREADS", text);
    EXPECT_EQ(refusal_of({}), "KOKKOS_NUM_THREADS is '" + text + "', expected a whole number from 1 to 512");
    EXPECT_EQ(refusal_of(2), refusal_of({}));  // Kokkos reads the variable in any case
  }
}

#ifdef KOKKOS_ENABLE_OPENMP

// OpenMP read its variables before this program started. The call sets the number that it would have read.
TEST(HostThreads, OfOpenMpAreRefused) {
  for (const std::string text : {"513", "600", "600,2", "100000", "2147483647"}) {
    const test::EnvironmentVariable variable("OMP_NUM_THREADS", text);
    omp_set_num_threads(std::stoi(text));
    EXPECT_EQ(refusal_of({}), "OMP_NUM_THREADS is '" + text + "', expected at most 512 threads");
    EXPECT_EQ(checked_host_threads(2), 2);
    EXPECT_EQ(checked_host_threads({}), 2) << "OpenMP was not told";
  }
}

// A parallel region with fewer threads than Kokkos expects would leave work undone.
TEST(HostThreads, AreAllThereInEveryRegion) {
  omp_set_dynamic(1);
  checked_host_threads(2);
  EXPECT_EQ(omp_get_dynamic(), 0);
}

#endif

}  // namespace host_threads_tests
