// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Your own body for replications: a histogram of 200 000 days, whose responses are not stored. When does a workshop
// close, with its present press and with a faster one?
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/for_each_replication.hpp>

#include <Kokkos_Core.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

struct Workshop {
  double mean_sawing, mean_pressing;  // minutes
  std::int64_t jobs;

  enum Input { sawing, pressing, input_count };

  template <class Inputs>
  KOKKOS_FUNCTION double last_finish(Inputs& inputs) const {
    double sawn = 0, pressed = 0;
    for (std::int64_t job = 0; job < jobs; ++job) {
      sawn += sporos::exponential(inputs(sawing), 1 / mean_sawing);
      const double start = sawn > pressed ? sawn : pressed;
      pressed = start + sporos::uniform(inputs(pressing), 0.5 * mean_pressing, 1.5 * mean_pressing);
    }
    return pressed;
  }
};

// Counts the days that end in each minute. The last minute includes all later ends.
struct MinuteCounter {
  using Days = Kokkos::View<std::int64_t**, Space::memory_space>;
  Days days;  // indexed by workshop and minute

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Workshop& workshop, Inputs& inputs,
                                  const sporos::Replication& replication) const {
    const double finish = workshop.last_finish(inputs), last = days.extent(1) - 1.0;
    if (!replication.writes) return;
    Kokkos::atomic_add(&days(replication.point, static_cast<int>(finish < last ? finish : last)), std::int64_t{1});
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr std::int64_t count = 200'000;
  const std::vector<sporos::DesignPoint<Workshop>> presses = {{{1.0, 1.0, 100}, /* seed */ 1}, {{1.0, 0.9, 100}, 1}};
  const sporos::Design<Workshop, Space> design{std::span(presses)};
  const MinuteCounter counter{MinuteCounter::Days("days", presses.size(), 480)};
  sporos::for_each_replication("workshop::days", Space(), design, {}, {0, count}, sporos::Mapping::thread, counter);
  const auto days = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counter.days);  // waits for the kernel
  for (std::size_t press = 0; press < presses.size(); ++press) {
    std::int64_t ended = 0;
    int minute = 0;
    while (20 * (ended += days(press, minute)) < 19 * count) ++minute;
    std::printf("pressing takes %.1f minutes: %" PRId64 " of %" PRId64 " days end before minute %d\n",
                presses[press].model.mean_pressing, ended, count, minute + 1);
  }
}
