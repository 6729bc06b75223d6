// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model whose memory depends on a parameter: a ward turns patients away if all of its 400 beds are taken. The exact
// share is 3.89 % (Erlang's loss formula).
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/events/timers.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

struct Ward {
  double arrival_rate, discharge_rate;  // per day; the second one for each patient
  int beds;
  double warm_up, days;

  enum Input { interarrival, stay, input_count };
  static constexpr auto response_names = std::array{"share turned away"};

  // A timer for each bed, in which a stay ends, and one for the next arrival; a stack of the free beds.
  struct Memory {
    KOKKOS_FUNCTION Memory(sporos::ReplicationStorage storage, int beds)
        : timers(storage, beds + 1), free_beds(storage.take<int>(beds)), bytes(storage.bytes()) {}

    sporos::Timers timers;
    sporos::StoredArray<int> free_beds;
    std::int64_t bytes;
  };

  std::int64_t storage_bytes() const { return Memory({}, beds).bytes; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    Memory memory(inputs.storage(), beds);
    sporos::Timers& timers = memory.timers;
    const int arrival = beds;
    int free = beds;
    for (int bed = 0; bed < beds; ++bed) memory.free_beds[bed] = bed;

    std::int64_t patients = 0, turned_away = 0;
    const auto start = [&](int timer, int input, double rate) {
      timers.start(timer, timers.now() + sporos::exponential(inputs(input), rate));
    };
    start(arrival, interarrival, arrival_rate);
    for (int timer = timers.next(); timer >= 0 && timers.now() < days; timer = timers.next()) {
      if (timer != arrival) {
        memory.free_beds[free++] = timer;
        continue;
      }
      start(arrival, interarrival, arrival_rate);
      if (timers.now() > warm_up) {
        ++patients;
        if (free == 0) ++turned_away;
      }
      if (free > 0) start(memory.free_beds[--free], stay, discharge_rate);
    }
    return {{static_cast<double>(turned_away) / static_cast<double>(patients)}};
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  sporos::Plan plan;
  plan.replications = 1024;
  const Ward ward{80.0, 0.2, 400, 40, 100};
  const auto result = sporos::simulate(Kokkos::DefaultExecutionSpace(), ward, plan);
  for (const auto& response : result.responses) {
    std::printf("%s: %.4f +- %.4f\n", response.name.c_str(), response.mean, response.half_width);
  }
  std::printf("a replication takes %lld bytes\n", static_cast<long long>(ward.storage_bytes()));
}
