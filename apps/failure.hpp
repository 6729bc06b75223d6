// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace sporos::apps {

/// What a failure under way is said to be a failure of: the command, and where it runs once that is known.
void set_failing_command(std::string_view command);
/// The same.
void set_failing_device(std::string_view device);

/// The sentence about a failure that is not of Sporos' own making: "simulate failed on NVIDIA H200 (cuda): …", with the
/// first line of `reason`.
std::string failure_text(std::string_view reason);

/// Says what was thrown, and returns the exit status of a program that ends by it.
int tell_failure(const std::exception_ptr& failure);

/// Whether a message comes from Kokkos or the runtime beneath it, which throw std::runtime_error as others do.
bool is_of_kokkos(std::string_view message);

/// While an object of this class lives, what ends the program by abort or std::terminate, as Kokkos does where a kernel
/// fails on a device, ends it with one line on standard error and exit status 1. What others write to std::cerr is kept
/// back until then, its first four kilobytes: their first line is the reason, and without a failure they appear at the
/// end.
class FailureReport {
 public:
  FailureReport();
  FailureReport(const FailureReport&) = delete;
  FailureReport& operator=(const FailureReport&) = delete;
  ~FailureReport();
};

}  // namespace sporos::apps
