// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <exception>

/// How another thread, or a signal handler, ends a launch of replications or a linear program that takes too long.
namespace sporos {

/// Thrown by a launch or linear program that was asked to end before it was done: its results are missing.
class LaunchStopped : public std::exception {
 public:
  /// The cause, for messages.
  const char* what() const noexcept override { return "a launch of replications was asked to end"; }
};

namespace impl {

inline std::atomic<bool> launch_stop_is_requested{false};
inline std::atomic<bool> piece_stop_is_requested{false};

}  // namespace impl

/// Asks all launches of replications in this process to end, until the request is withdrawn. Launches under way on a
/// host end after the replications that their threads run; no other begins. Linear programs end after a pivot. Each
/// throws LaunchStopped. Safe in a signal handler.
inline void request_launch_stop() noexcept { impl::launch_stop_is_requested.store(true); }

/// Asks computations in timed pieces (timed_pieces.hpp) in this process to end after a piece, until the request is
/// withdrawn: for one of several processes that work together, which may not end a launch alone. Safe in a signal
/// handler.
inline void request_piece_stop() noexcept { impl::piece_stop_is_requested.store(true); }

/// Lets launches and pieces begin again.
inline void withdraw_launch_stop() noexcept {
  impl::launch_stop_is_requested.store(false);
  impl::piece_stop_is_requested.store(false);
}

/// Whether launches are asked to end.
inline bool is_launch_stop_requested() noexcept { return impl::launch_stop_is_requested.load(); }

/// Whether computations in timed pieces are asked to end.
inline bool is_piece_stop_requested() noexcept { return impl::piece_stop_is_requested.load(); }

/// Throws LaunchStopped where launches are asked to end. Called before and, on hosts, after each launch.
inline void check_launch_stop() {
  if (is_launch_stop_requested()) throw LaunchStopped();
}

namespace impl {

/// Whether a replication is to be left out, because its launch is asked to end; never on a device.
KOKKOS_FORCEINLINE_FUNCTION bool leaves_replication_out() {
  SPOROS_IF_ON_HOST((return launch_stop_is_requested.load(std::memory_order_relaxed);))
  SPOROS_IF_ON_DEVICE((return false;))
}

}  // namespace impl

}  // namespace sporos
