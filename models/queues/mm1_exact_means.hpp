// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

/// Exact means of an M/M/1 queue that starts empty.
namespace sporos::models {

/// Expectations of the responses of a replication that starts empty.
struct MM1Means {
  /// Mean wait of those who arrive in the replication, each observed to its end; 0 if nobody does.
  double time_in_queue;
  /// Mean stay of those who arrive in the replication, each observed to its end; 0 if nobody does.
  double time_in_system;
  double idle_time;     ///< total time during which the server is idle
  double queue_length;  ///< time average of the number waiting
};

/// Returns the means until the last of `customers` >= 1 customers leaves. The queue length is the ratio of the mean
/// area to the mean duration. Returns nothing if the queue is still far from equilibrium after a million customers.
std::optional<MM1Means> mm1_means_of_customers(double arrival_rate, double service_rate, std::int64_t customers);

/// Returns the means until `horizon` by uniformization (A. Jensen, 1953), accurate to about 10 digits. Returns nothing
/// for more than about 40 000 arrivals and services, which would take much longer than half a second.
std::optional<MM1Means> mm1_means_until(double arrival_rate, double service_rate, double horizon);

}  // namespace sporos::models
