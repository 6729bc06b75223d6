// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/replication/replicate.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace sporos::bench {

/// Averages `draws` calls of `draw`, a multiple of 4, in four sums, so that additions do not wait for each other.
/// `Number` is double or a pack of doubles.
template <class Number = double, class Draw>
KOKKOS_FORCEINLINE_FUNCTION Number average(std::int64_t draws, Draw&& draw) {
  Number a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  for (std::int64_t i = 0; i < draws; i += 4) {
    a += draw();
    b += draw();
    c += draw();
    d += draw();
  }
  return (a + b + c + d) / static_cast<double>(draws);
}

/// Streams of random numbers on a device, with `draws` draws and one output for each stream.
template <class ExecutionSpace>
struct Streams {
  ExecutionSpace space;
  std::int64_t count, draws;
  Outputs<ExecutionSpace> outputs;

  Streams(std::int64_t streams, std::int64_t draws_of_a_stream)
      : count(streams),
        draws(draws_of_a_stream),
        outputs("sporos::bench::averages", static_cast<std::size_t>(count), 1) {}

  double work() const { return static_cast<double>(count) * static_cast<double>(draws); }

  /// Seconds from call to result, with fences.
  template <class Launch>
  double time(const Launch& launch) const {
    space.fence();
    const Kokkos::Timer timer;
    launch();
    space.fence();
    return timer.seconds();
  }

  /// Average of all draws.
  double mean() const {
    const auto averages = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += averages(i, 0);
    return sum / static_cast<double>(count);
  }

  /// Checks the average against the exact mean. `deviation` is the standard deviation of a draw.
  void check_mean(const std::string& who, double exact, double deviation) const {
    check(who, {0, mean(), deviation / std::sqrt(work())}, exact);
  }
};

}  // namespace sporos::bench
