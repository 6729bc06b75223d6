// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/last_team.hpp>
#include <sporos/models/mixtures/component_table.hpp>
#include <sporos/models/mixtures/mixture_kernels.hpp>
#include <sporos/models/mixtures/team_powers.hpp>
#include <sporos/models/mixtures/team_shares.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sporos::models::impl {

/// Into how many parts the chunks of each mixture are divided where `teams` teams are some waves on the device: a team
/// each while there are few, since the last ones of a wave wait; several in large batches, since each team has to
/// prepare its components.
inline std::int64_t parts_of(std::int64_t mixtures, std::int64_t chunks, std::int64_t teams) {
  constexpr std::int64_t most_chunks = 16;
  return std::clamp(teams / mixtures, (chunks + most_chunks - 1) / most_chunks, chunks);
}

/// The likelihood of the mixtures of a batch on a device, all in one launch: a team takes some chunks of the
/// observations for one mixture; the last team of a mixture adds up the chunks, in their order, and then calls `then`.
/// Chunks are so small that those of one mixture fill a device, and what is found of one does not depend on what else
/// its team does.
template <class ExecutionSpace, class Real, bool has_sums, class Then>
struct TeamLikelihood {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Memory = TeamMemory<Real>;
  static constexpr int threads = Memory::threads;     ///< of a team
  static constexpr std::int64_t chunk = 2 * threads;  ///< observations
  static constexpr int at_once = has_sums ? 3 : 6;    ///< teams on a multiprocessor, for which registers must do

  PointData<ExecutionSpace, Real> data;
  LikelihoodTasks<ExecutionSpace> tasks;
  LikelihoodResults<ExecutionSpace> results;
  Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> finished;  ///< teams of each mixture
  std::int32_t parts;                                                           ///< teams for a mixture
  Then then;

  /// Bytes of a team in scratch.
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    const std::size_t components = tasks.mixtures.parameters.extent(1) / 3 + 1;  // one of them without weight
    return sizeof(Memory) + sizeof(Component<Real>) * components;
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    // The last mixtures first: procedures have the largest ones there, which take longest.
    const std::int32_t rank = team.league_rank(), part = rank % parts;
    const std::int64_t place = tasks.mixtures.size() - 1 - rank / parts, mixture = tasks.mixtures.row(place);
    if (!then.is_open(mixture)) return;
    auto* const memory = static_cast<Memory*>(team.team_shmem().get_shmem(static_cast<int>(scratch_bytes())));
    const Real* const sample = data.values_of(tasks.mixtures, mixture);
    const auto chunks = static_cast<std::int32_t>(tasks.chunks);
    const std::int32_t first = part * chunks / parts, past = (part + 1) * chunks / parts;
    const Pair pair = pair_of(sample, first, team.team_rank());  // while the components are prepared
    const ComponentTable<Real> table = set_tables(team, mixture, *memory);
    write_chunks(team, table, *memory, sample, place, first, past, pair);
    if (!is_last_team(team, finished(place), parts)) return;
    add_chunks(team, *memory, place, mixture);
    team.team_barrier();
    then(team, mixture);
  }

 private:
  KOKKOS_FUNCTION ComponentTable<Real> set_tables(const Team& team, std::int64_t mixture, Memory& memory) const {
    auto* const components = reinterpret_cast<Component<Real>*>(&memory + 1);
    const std::int32_t k = tasks.mixtures.components(mixture), rank = team.team_rank();
    const double* const parameters = &tasks.mixtures.parameters(mixture, 0);
    if (rank < k) components[rank].set(parameters, k, rank, data.center);
    // By the team's last threads, which have no component.
    const std::int32_t j = threads - 1 - rank;
    if (j < TeamPowers<Real>::roots) TeamPowers<Real>::set(memory.powers, j);
    if (j == TeamPowers<Real>::roots) components[k] = {static_cast<Real>(-math::impl::infinity), 0, 0};
    team.team_barrier();
    return {components, k};
  }

  // The observations of a thread in a chunk. They are fetched before they are needed.
  struct Pair {
    Real y[2], weights[2];
  };
  KOKKOS_FORCEINLINE_FUNCTION Pair pair_of(const Real* sample, std::int32_t c, std::int32_t rank) const {
    const std::int64_t last = data.size() - 1, a = c * chunk + rank, b = a + threads;
    return {{sample[a < last ? a : last], sample[b < last ? b : last]},
            {a <= last ? data.weights(a) : 0, b <= last ? data.weights(b) : 0}};
  }

  KOKKOS_FUNCTION void write_chunks(const Team& team, const ComponentTable<Real>& table, Memory& memory,
                                    const Real* sample, std::int64_t place, std::int32_t first, std::int32_t past,
                                    Pair pair) const {
    const std::int32_t rank = team.team_rank();
    if constexpr (has_sums) {
      const TeamShares<Real> shares{table, memory, sample, data.weights.data()};
      for (std::int32_t c = first; c < past; ++c) {
        const std::int64_t end = (c + 1) * chunk < data.size() ? (c + 1) * chunk : data.size();
        shares.write(team, c * chunk, end, &tasks.numbers(place * tasks.chunks + c, 0));
      }
    } else {
      // Several chunks at once, so that the threads wait for each other once only.
      for (std::int32_t c = first; c < past; c += Memory::rows) {
        const std::int32_t count = past - c < Memory::rows ? past - c : Memory::rows;
        for (std::int32_t i = 0; i < count; ++i) {
          const Pair next = pair_of(sample, c + i + 1, rank);
          memory.set(rank, i, logarithm(table, {memory.powers}, pair));
          pair = next;
        }
        memory.add_up(team, 0, count);
        if (rank < count) tasks.numbers(place * tasks.chunks + c + rank, 0) = memory.total(rank);
      }
    }
  }

  // Σ w ln f over the observations of a thread.
  KOKKOS_FUNCTION static double logarithm(const ComponentTable<Real>& table, const TeamPowers<Real>& power,
                                          const Pair& of) {
    Real densities[2] = {0, 0};
    for (std::int32_t c = 0; c < table.count; ++c) {
      const Component<Real> component = table[c];
      densities[0] += power(component.exponent(of.y[0]));
      densities[1] += power(component.exponent(of.y[1]));
    }
    LogOfProduct product;
    product.multiply(table, densities[0], of.y[0], of.weights[0]);
    product.multiply(table, densities[1], of.y[1], of.weights[1]);
    return product.value();
  }

  KOKKOS_FUNCTION void add_chunks(const Team& team, Memory& memory, std::int64_t place, std::int64_t mixture) const {
    const std::int32_t rank = team.team_rank();
    const volatile double* const numbers = &tasks.numbers(place * tasks.chunks, 0);  // of all teams
    const auto stride = static_cast<std::int64_t>(tasks.numbers.extent(1));
    double sum = 0;
    for (std::int64_t c = rank; c < tasks.chunks; c += threads) sum += numbers[c * stride];
    memory.set(rank, 0, sum);
    memory.add_up(team, 0, 1);
    if (rank == 0) results.values(mixture) = memory.total(0);
    if constexpr (has_sums) add_shares(team, memory, numbers, mixture);
  }

  KOKKOS_FUNCTION void add_shares(const Team& team, Memory& memory, const volatile double* numbers,
                                  std::int64_t mixture) const {
    const std::int32_t rank = team.team_rank();
    const auto stride = static_cast<std::int64_t>(tasks.numbers.extent(1));
    // Threads side by side take numbers side by side, groups of them other chunks.
    constexpr std::int32_t width = 32, groups = threads / width;
    const std::int32_t count = 1 + 3 * tasks.mixtures.components(mixture);
    for (std::int32_t first = 1; first < count; first += width) {
      const std::int32_t j = first + rank % width;
      double sum = 0;
      for (std::int64_t c = rank / width; c < tasks.chunks && j < count; c += groups) sum += numbers[c * stride + j];
      memory.numbers[rank] = sum;
      team.team_barrier();
      if (rank < width && j < count) {
        for (std::int32_t group = 1; group < groups; ++group) sum += memory.numbers[rank + group * width];
        results.sums(mixture, j - 1) = sum;
      }
      team.team_barrier();
    }
  }
};

}  // namespace sporos::models::impl
