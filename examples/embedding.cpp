// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sporos inside a program that already runs Kokkos: its own initialization, its own execution space instance, its own
// Views. Replications are one more kernel in that instance's queue, and their outputs stay on the device for the next.
#include <sporos/core/replication/replicate.hpp>
#include <sporos/models/queues/mm1.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;

// The program's own kernel: how many first responses lie over `limit`.
struct CountOver {
  sporos::Outputs<Space> outputs;
  double limit;
  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& count) const { count += outputs(row, 0) > limit; }
};

void host_code(const Space& space) {
  constexpr std::int64_t replications = 10'000;
  const sporos::models::MM1 queue{0.5, 1.0, 1000, 0.0};
  const sporos::Outputs<Space> outputs("time in queue and more", replications,
                                       sporos::response_count<sporos::models::MM1>);

  const sporos::Design<sporos::models::MM1, Space> design(queue, /* seed */ 42);
  sporos::replicate(space, design, {}, {0, replications}, sporos::Mapping::thread, outputs);

  std::int64_t over = 0;
  Kokkos::parallel_reduce("host_code::count", Kokkos::RangePolicy<Space>(space, 0, replications),
                          CountOver{outputs, 1.2}, over);
  std::printf("share of replications over the limit: %.4f\n", static_cast<double>(over) / replications);
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  host_code(Space());
  Kokkos::finalize();
}
