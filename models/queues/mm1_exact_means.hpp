// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

/// Exact means of an M/M/1 queue that begins empty. Compiled once.
namespace sporos::models {

/// Expectations over a run from an empty queue.
struct MM1Means {
  double time_in_queue;   ///< of the average wait of those who arrive in the run (to its end); 0 where no one does
  double time_in_system;  ///< of the average stay of those who arrive in the run (to its end); 0 where no one does
  double idle_time;       ///< of the total time in which the server stands idle
  double queue_length;    ///< of the time average of the number waiting
};

/// The means until the last of `customers` customers leaves, at least 1, the queue length as the ratio of the mean area
/// to the mean duration; nothing where the queue is still far from equilibrium after a million customers.
std::optional<MM1Means> mm1_means_of_customers(double arrival_rate, double service_rate, std::int64_t customers);

/// The means until `horizon` by uniformization (A. Jensen, 1953), to about 10 digits, or nothing where that would take
/// much longer than half a second: more than about 40 000 arrivals and services.
std::optional<MM1Means> mm1_means_until(double arrival_rate, double service_rate, double horizon);

}  // namespace sporos::models
