// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace sporos::apps {

/// Sets the command that messages about later failures name.
void set_failing_command(std::string_view command);
/// Sets the device that messages about later failures name.
void set_failing_device(std::string_view device);

/// Returns the message for a failure that Sporos itself did not cause: "simulate failed on NVIDIA H200 (cuda): …", with
/// the first line of `reason`.
std::string failure_text(std::string_view reason);

/// Reports `failure` on standard error, and returns the exit status of a program that ends because of it.
int tell_failure(const std::exception_ptr& failure);

/// Whether a message comes from Kokkos or the runtime beneath it. Both throw std::runtime_error, as other code does.
bool is_of_kokkos(std::string_view message);

/// Turns aborts into reports while an object of this class lives. Kokkos aborts the program if a kernel fails on a
/// device. After std::abort or std::terminate, the program ends with one line on standard error and exit status 1.
/// Output of other code to std::cerr is held back until then, up to its first four kilobytes. Its first line is the
/// reason of a failure; without a failure the output appears when the object is destroyed.
class FailureReport {
 public:
  FailureReport();
  FailureReport(const FailureReport&) = delete;
  FailureReport& operator=(const FailureReport&) = delete;
  ~FailureReport();
};

/// Writes `message` as one line on standard error. If there are several processes, only the first one writes.
void complain(std::string_view message);

/// Writes a message about a failure as one line on standard error. If only one process fails, it also writes the line,
/// whatever its rank.
void complain_of_failure(std::string_view message);

/// Clears the progress line that another thread may have written to the terminal.
void clear_status_line();

/// Whether a message has been written on standard error, or left to the first process.
bool has_complained();

}  // namespace sporos::apps
