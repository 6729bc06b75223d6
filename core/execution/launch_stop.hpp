// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <atomic>
#include <exception>

/// How another thread, or a signal handler, ends a launch of replications that takes too long.
namespace sporos {

/// Thrown by a launch that was asked to end before it was done: what it was to write is not there.
class LaunchStopped : public std::exception {
 public:
  /// The cause, for messages.
  const char* what() const noexcept override { return "a launch of replications was asked to end"; }
};

namespace impl {

inline std::atomic<bool> launch_stop_is_requested{false};

}  // namespace impl

/// Asks all launches of replications in this process to end, until the request is withdrawn. Launches under way on a
/// host end after the replications that their threads run; no other begins. Each throws LaunchStopped. Safe in a signal
/// handler.
inline void request_launch_stop() noexcept { impl::launch_stop_is_requested.store(true); }

/// Lets launches begin again.
inline void withdraw_launch_stop() noexcept { impl::launch_stop_is_requested.store(false); }

/// Whether launches are asked to end.
inline bool is_launch_stop_requested() noexcept { return impl::launch_stop_is_requested.load(); }

/// Throws LaunchStopped where launches are asked to end. Called before and, on hosts, after each launch.
inline void check_launch_stop() {
  if (is_launch_stop_requested()) throw LaunchStopped();
}

namespace impl {

/// Whether a replication is to be left out, because its launch is asked to end; never on a device.
KOKKOS_FORCEINLINE_FUNCTION bool leaves_replication_out() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return false;
#else
  return launch_stop_is_requested.load(std::memory_order_relaxed);
#endif
}

}  // namespace impl

}  // namespace sporos
