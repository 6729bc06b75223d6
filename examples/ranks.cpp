// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A code that owns MPI: each rank runs a range of the replications of every design point on its own device, and the
// ranks add up the results with MPI. The sums do not depend on the number of ranks.
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/replicate.hpp>

#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

// A year of a store that orders up to a level every day. How often does it turn customers away?
struct Store {
  double level;

  enum Input { demand, input_count };
  static constexpr auto response_names = std::array{"days of shortage"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    int shortages = 0;
    for (int day = 0; day < 365; ++day) shortages += sporos::exponential(inputs(demand), 1.0) > level;
    return {{static_cast<double>(shortages)}};
  }
};

struct SumOfPoint {
  sporos::Outputs<Space> outputs;
  std::int64_t first_row;
  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& sum) const {
    sum += static_cast<std::int64_t>(outputs(first_row + row, 0));
  }
};

void simulate_years(int rank, int ranks) {
  constexpr std::int64_t years = 10'000;
  const std::vector<Store> stores = {{3.0}, {4.0}, {5.0}};
  const Space space;

  // Share of this rank: any replication can start anywhere. The rows of a design point are contiguous.
  const std::int64_t first = years * rank / ranks, count = years * (rank + 1) / ranks - first;
  const auto points = sporos::design_points(std::span<const Store>(stores), /* seed */ 1, /* the same demand */ true);
  const sporos::Outputs<Space> outputs("store::shortages", stores.size() * static_cast<std::size_t>(count), 1);
  sporos::replicate(space, sporos::Design<Store, Space>(points), {}, {first, count}, sporos::Mapping::thread, outputs);

  std::vector<std::int64_t> days(stores.size());
  for (std::size_t point = 0; point < stores.size(); ++point) {
    Kokkos::parallel_reduce("store::days", Kokkos::RangePolicy<Space>(space, 0, count),
                            SumOfPoint{outputs, static_cast<std::int64_t>(point) * count}, days[point]);
  }
  MPI_Allreduce(MPI_IN_PLACE, days.data(), static_cast<int>(days.size()), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank != 0) return;
  for (std::size_t point = 0; point < stores.size(); ++point) {
    std::printf("level %.0f: %.4f days of shortage a year, on %d ranks\n", stores[point].level,
                static_cast<double>(days[point]) / years, ranks);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Kokkos::initialize(argc, argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  simulate_years(rank, ranks);
  Kokkos::finalize();
  MPI_Finalize();
}
