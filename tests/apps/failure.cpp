// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../apps/failure.hpp"

#include <sporos/runtime/backend/program.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>

/// A program without models.
const sporos::runtime::Program& sporos::runtime::program() {
  static const Program none{"sporos", false, {}};
  return none;
}

/// Checks the error line of programs that abort or end by an uncaught exception. Each failure happens in a separate
/// process.
namespace sporos::apps {
namespace failure_tests {

const ::testing::ExitedWithCode status_1(1);

// Aborts as Kokkos does: prints the reason and further lines, then calls std::abort.
[[noreturn]] void abort_as_kokkos(const char* reason) {
  std::cerr << reason << "\nTraceback functionality not available\n" << std::endl;
  std::abort();
}

[[noreturn]] void fail_to_free() { throw std::runtime_error("cudaFree(ptr) error( cudaErrorECCUncorrectable)"); }

// Throws an exception that nobody can catch, as a destructor does.
void let_nobody_catch() noexcept { fail_to_free(); }

void begin(const char* command, const char* device) {
  set_failing_command(command);
  set_failing_device(device);
}

TEST(Failure, OfAKernelIsOneLine) {
  const auto fail = [] {
    const FailureReport report;
    begin("simulate", "NVIDIA H200 (cuda)");
    abort_as_kokkos("cudaStreamSynchronize(stream) error( cudaErrorIllegalAddress): an illegal memory access");
  };
  EXPECT_EXIT(fail(), status_1,
              "^sporos: simulate failed on NVIDIA H200 \\(cuda\\): cudaStreamSynchronize\\(stream\\) error\\( "
              "cudaErrorIllegalAddress\\): an illegal memory access\n$");
}

TEST(Failure, WithoutADeviceOrAReasonIsOneLine) {
  const auto fail = [] {
    const FailureReport report;
    begin("fit", "");
    std::abort();
  };
  EXPECT_EXIT(fail(), status_1, "^sporos: fit failed: it was aborted\n$");
}

TEST(Failure, ByAnExceptionThatNobodyCatchesIsOneLine) {
  const auto fail = [] {
    const FailureReport report;
    begin("sample", "a card (cuda)");
    let_nobody_catch();
  };
  EXPECT_EXIT(
      fail(), status_1,
      "^sporos: sample failed on a card \\(cuda\\): cudaFree\\(ptr\\) error\\( cudaErrorECCUncorrectable\\)\n$");
}

TEST(Failure, ThatFollowsAnotherIsNotTold) {
  const auto fail = [] {
    const FailureReport report;
    begin("optimize", "a card (cuda)");
    complain("optimize failed");
    abort_as_kokkos("cudaDeviceSynchronize() error( cudaErrorLaunchFailure)");
  };
  EXPECT_EXIT(fail(), status_1, "^sporos: optimize failed\n$");
}

TEST(Failure, ThatDoesNotComeLosesNothing) {
  const auto succeed = [] {
    {
      const FailureReport report;
      std::cerr << "a word of a model\n";
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(succeed(), ::testing::ExitedWithCode(0), "^a word of a model\n$");
}

TEST(Failure, TextNamesCommandDeviceAndReason) {
  begin("simulate", "NVIDIA H200 (cuda)");
  EXPECT_EQ(failure_text("Kokkos ERROR: no room\nBacktrace:\n"),
            "simulate failed on NVIDIA H200 (cuda): Kokkos ERROR: no room");
  EXPECT_TRUE(is_of_kokkos("Kokkos ERROR: Cuda memory space failed to allocate 12.3 GiB"));
  EXPECT_TRUE(is_of_kokkos("cudaMemcpy(...) error( cudaErrorInvalidValue): invalid argument"));
  EXPECT_TRUE(is_of_kokkos("Kokkos could not launch a kernel: out of memory (cudaErrorMemoryAllocation)"));
  EXPECT_FALSE(
      is_of_kokkos("CUDA finds no NVIDIA GPU on this machine: use a machine with a GPU, or a Kokkos without CUDA"));
  EXPECT_FALSE(is_of_kokkos("response 'sum' of replication 5 is nan, not a finite number"));
}

}  // namespace failure_tests
}  // namespace sporos::apps
