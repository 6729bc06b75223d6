// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <exception>

/// Stop requests from other threads or signal handlers, for replications or linear programs that take too long.
namespace sporos {

/// Thrown by a launch or linear program that was stopped before it was done; its results are missing.
class LaunchStopped : public std::exception {
 public:
  /// Reason for the exception, for messages.
  const char* what() const noexcept override { return "a launch was stopped on request before it was done"; }
};

namespace impl {

inline std::atomic<bool> launch_stop_is_requested{false};
inline std::atomic<bool> piece_stop_is_requested{false};

}  // namespace impl

/// Requests that all launches of replications in this process stop, until the request is withdrawn. A running launch on
/// a host stops after the replications that its threads have started; no other launch starts. Linear programs stop
/// after a pivot. Each of them throws LaunchStopped. Safe in a signal handler.
inline void request_launch_stop() noexcept { impl::launch_stop_is_requested.store(true); }

/// Requests that computations in timed pieces (timed_pieces.hpp) in this process stop after a piece, until the request
/// is withdrawn. Use it for one of several processes that work together: one of them cannot stop a launch while the
/// others continue. Safe in a signal handler.
inline void request_piece_stop() noexcept { impl::piece_stop_is_requested.store(true); }

/// Withdraws the requests, so that launches and pieces can start again.
inline void withdraw_launch_stop() noexcept {
  impl::launch_stop_is_requested.store(false);
  impl::piece_stop_is_requested.store(false);
}

/// Whether launches are requested to stop.
inline bool is_launch_stop_requested() noexcept { return impl::launch_stop_is_requested.load(); }

/// Whether computations in timed pieces are requested to stop.
inline bool is_piece_stop_requested() noexcept { return impl::piece_stop_is_requested.load(); }

/// Throws LaunchStopped if launches are requested to stop. Launches call it before and, on hosts, after they run.
inline void check_launch_stop() {
  if (is_launch_stop_requested()) throw LaunchStopped();
}

namespace impl {

/// Whether a replication must be skipped because its launch is requested to stop; always false on a device.
KOKKOS_FORCEINLINE_FUNCTION bool leaves_replication_out() {
  SPOROS_IF_ON_HOST((return launch_stop_is_requested.load(std::memory_order_relaxed);))
  SPOROS_IF_ON_DEVICE((return false;))
}

}  // namespace impl

}  // namespace sporos
