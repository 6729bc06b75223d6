// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_atomics.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/last_team.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/models/mixtures/component_table.hpp>
#include <sporos/models/mixtures/mixture_kernels.hpp>
#include <sporos/models/mixtures/team_powers.hpp>
#include <sporos/models/mixtures/team_shares.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sporos::models::impl {

/// Number of chunks of a mixture that a team takes, if `teams` teams are some waves on the device. It is one in small
/// batches, since the last teams of a wave wait. It is larger in large batches, since each team must prepare its
/// components; then it is even, since two chunks are processed at once.
inline std::int64_t chunks_of_team(std::int64_t all_chunks, std::int64_t teams, std::int64_t most) {
  const std::int64_t wanted = (all_chunks + teams - 1) / teams;
  return wanted <= 1 ? 1 : std::min((wanted + 1) / 2 * 2, most);
}

/// Likelihood of the mixtures of a batch on a device, in one launch. A team processes some chunks of the observations
/// for one mixture. The last team of a mixture adds up the chunks, in their order, and then calls `then`. Chunks are so
/// small that those of one mixture fill a device, and the result of a chunk does not depend on the team's other chunks.
/// If several processes share the chunks, a second launch, tagged Add, does the work of the last teams.
///
/// If all teams are on the device at once, the team with the last index waits for the chunks' sums themselves. This
/// takes one round trip to memory. Otherwise two are needed: one for a count of teams, one for what they have written.
template <class ExecutionSpace, class Real, bool has_sums, class Then>
struct TeamLikelihood {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Memory = TeamMemory<Real>;
  static constexpr int threads = Memory::threads;            ///< threads per team
  static constexpr std::int64_t chunk = Memory::chunk_size;  ///< observations per chunk
  static constexpr int at_once = has_sums ? 3 : 4;  ///< teams per multiprocessor; limits the registers of a thread
  /// Share 1/fraction of a device's threads that the teams of large batches occupy.
  static constexpr int fraction = has_sums ? 2 : 4;

  typename TeamPowers<Real>::Coefficients coefficients;
  PointData<ExecutionSpace, Real> data;
  LikelihoodTasks<ExecutionSpace> tasks;
  LikelihoodResults<ExecutionSpace> results;
  /// Number of finished teams of each mixture.
  Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> finished;
  /// One per chunk, if one team waits for the sums.
  Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space> words;
  std::int32_t share;  ///< chunks per team
  Then then;

  /// Value of a word without a sum: a NaN that is never sent.
  static constexpr std::uint64_t no_sum = ~std::uint64_t{0};

  /// Bytes of scratch per team. The scratch of `then`, which may hold doubles, follows: in float, an odd number of
  /// components would not be aligned for them.
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    const std::size_t components = tasks.mixtures.parameters.extent(1) / 3 + 1;  // one extra component without weight
    const auto bytes = static_cast<std::int64_t>(sizeof(Memory) + sizeof(Component<Real>) * components);
    return static_cast<std::size_t>(sporos::impl::round_up(bytes, alignof(double)));
  }

  /// Number of teams per mixture.
  KOKKOS_FUNCTION std::int32_t parts() const { return (static_cast<std::int32_t>(tasks.count) + share - 1) / share; }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    // Start with the last mixtures: procedures put the largest ones there, which take longest.
    const std::int32_t teams = parts(), part = team.league_rank() % teams;
    const std::int64_t place = tasks.mixtures.size() - 1 - team.league_rank() / teams,
                       mixture = tasks.mixtures.row(place);
    auto* const memory = static_cast<Memory*>(team.team_shmem().get_shmem(static_cast<int>(scratch_bytes())));
    const Real* const sample = data.values_of(tasks.mixtures, mixture);
    const auto first_own = static_cast<std::int32_t>(tasks.first_chunk), own = static_cast<std::int32_t>(tasks.count);
    const std::int32_t first = first_own + part * share;
    const std::int32_t past = (part + 1) * share < own ? first + share : first_own + own;
    // Issue these loads before the components are prepared, so that they overlap.
    const ThreadObservations<Real> observations = observations_of(sample, first, team.team_rank());
    const ObservationPair<Real> pairs[2] = {observations.pair(0), observations.pair(1)};
    const ComponentTable<Real> table = set_tables(team, mixture, *memory);
    if (table.count == 0) return;
    write_chunks(team, table, *memory, observations, place, first, past, pairs);
    if (!tasks.are_whole()) return;
    if (waits()) {
      if (part < teams - 1) return;
      team.team_barrier();  // the memory of its own sums is reused
    } else if (!is_last_team(team, finished(place), teams)) {
      return;
    }
    finish(team, *memory, place, mixture);
  }

  /// Tag of the second launch, with a team for each mixture.
  struct Add {};

  KOKKOS_FUNCTION void operator()(const Add&, const Team& team) const {
    const std::int64_t place = team.league_rank(), mixture = tasks.mixtures.row(place);
    auto* const memory = static_cast<Memory*>(team.team_shmem().get_shmem(static_cast<int>(scratch_bytes())));
    if (then.is_open(mixture)) finish(team, *memory, place, mixture);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool waits() const { return !has_sums && words.extent(0) > 0; }

  // Pass the sum of a chunk from the team that computed it to the team that adds up all sums.
  KOKKOS_FORCEINLINE_FUNCTION void send(std::int64_t row, double sum) const {
    if (!waits()) {
      tasks.numbers(row, 0) = sum;
      return;
    }
    const std::uint64_t bits = math::impl::to_bits(sum == sum ? sum : math::impl::quiet_nan);
    sporos::impl::store_at_device_scope<std::memory_order_relaxed>(words(row), bits);
  }
  KOKKOS_FORCEINLINE_FUNCTION double receive(std::int64_t row) const {
    if (!waits()) return tasks.numbers(row, 0);
    std::uint64_t bits = no_sum;
    while (bits == no_sum) bits = sporos::impl::load_at_device_scope<std::memory_order_relaxed>(words(row));
    words(row) = no_sum;
    return math::impl::from_bits(bits);
  }

  KOKKOS_FUNCTION void finish(const Team& team, Memory& memory, std::int64_t place, std::int64_t mixture) const {
    const double value = add_chunks(team, memory, place, mixture);
    team.team_barrier();
    then(team, mixture, value);
  }

  // Returns a table without components if the mixture is skipped. All loads are in flight at once.
  KOKKOS_FUNCTION ComponentTable<Real> set_tables(const Team& team, std::int64_t mixture, Memory& memory) const {
    auto* const components = reinterpret_cast<Component<Real>*>(&memory + 1);
    const auto width = static_cast<std::int32_t>(tasks.mixtures.parameters.extent(1));
    const std::int32_t k = tasks.mixtures.components(mixture), rank = team.team_rank();
    const double parameter = rank < width ? tasks.mixtures.parameters(mixture, rank) : 0;
    const bool is_open = then.is_open(mixture);
    memory.numbers[rank] = parameter;
    SPOROS_NOT_UNROLLED
    for (std::int32_t i = rank + threads; i < width; i += threads) {
      memory.numbers[i] = tasks.mixtures.parameters(mixture, i);
    }
    TeamPowers<Real>::set(memory.powers, rank);
    if (rank == threads - 1) components[k] = {static_cast<Real>(-math::impl::infinity), 0, 0};
    if (!is_open) return {components, 0};
    team.team_barrier();
    if (rank < k) components[rank].set(memory.numbers, k, rank, data.center);
    team.team_barrier();
    return {components, k};
  }

  KOKKOS_FORCEINLINE_FUNCTION ThreadObservations<Real> observations_of(const Real* sample, std::int32_t first_chunk,
                                                                       std::int32_t rank) const {
    constexpr std::int64_t most = Memory::max_chunks * chunk;  // per team
    const std::int64_t first = first_chunk * chunk + rank, left = data.size() - first;
    return {sample + first, data.weights.data() + first, static_cast<std::int32_t>(left < most ? left : most)};
  }

  KOKKOS_FUNCTION void write_chunks(const Team& team, const ComponentTable<Real>& table, Memory& memory,
                                    const ThreadObservations<Real>& observations, std::int64_t place,
                                    std::int32_t first, std::int32_t past,
                                    const ObservationPair<Real> (&fetched)[2]) const {
    const std::int32_t rank = team.team_rank();
    if constexpr (has_sums) {
      const TeamShares<Real> shares{table, memory, {memory.powers, team.team_rank(), coefficients}};
      for (std::int32_t c = first; c < past; ++c) {
        shares.write(team, c - first, observations.pair(c - first), &tasks.numbers(place * tasks.chunks + c, 0));
      }
    } else {
      // Process two chunks at once, so that an operation need not wait for the one before it; then a single one.
      const std::int32_t count = past - first;
      ObservationPair<Real> next[2] = {fetched[0], fetched[1]};
      for (std::int32_t i = 0; i + 1 < count; i += 2) {
        const ObservationPair<Real> pairs[2] = {next[0], next[1]};
        for (int j = 0; j < 2; ++j) next[j] = observations.pair(i + 2 + j);
        add_logarithms(table, memory, rank, i, pairs);
      }
      if (count % 2 != 0) add_logarithms<1>(table, memory, rank, count - 1, {next[0]});
      team.team_barrier();
      if (rank < count) send(place * tasks.chunks + first + rank, memory.logarithm(rank));
    }
  }

  // Computes Σ w ln f over the observations of each of `count` chunks.
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void add_logarithms(const ComponentTable<Real>& table, Memory& memory, std::int32_t rank,
                                                  std::int32_t first,
                                                  const ObservationPair<Real> (&pairs)[count]) const {
    const TeamPowers<Real> power(memory.powers, rank, coefficients);
    Real densities[count][2] = {};
    for (std::int32_t c = 0; c < table.count; ++c) {
      const Component<Real> component = table[c];
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < 2; ++j)
          densities[i][j] = power(component.exponent(pairs[i].y[j])).added_to(densities[i][j]);
      }
    }
    LogOfProduct products[count];
    bool is_factor[count][2], are_factors = true;
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < 2; ++j) {
        is_factor[i][j] = products[i].multiply(densities[i][j], pairs[i].weights[j]);
        are_factors = are_factors && is_factor[i][j];
      }
    }
    for (int i = 0; i < count && !are_factors; ++i) {
      for (int j = 0; j < 2; ++j) {
        if (!is_factor[i][j]) products[i].add(table, densities[i][j], pairs[i].y[j], pairs[i].weights[j]);
      }
    }
    memory.multiply(rank, first, products);
  }

  KOKKOS_FUNCTION double add_chunks(const Team& team, Memory& memory, std::int64_t place, std::int64_t mixture) const {
    const std::int32_t rank = team.team_rank();
    double sum = 0;
    for (std::int64_t c = rank; c < tasks.chunks; c += threads) sum += receive(place * tasks.chunks + c);
    memory.add_numbers(rank, 1, {sum});  // in the half of the memory that add_shares does not use
    team.team_barrier();
    const double value = memory.total(0, 1);
    if (rank == 0) results.values(mixture) = value;
    if constexpr (has_sums) add_shares(team, memory, &tasks.numbers(place * tasks.chunks, 0), mixture);
    return value;
  }

  KOKKOS_FUNCTION void add_shares(const Team& team, Memory& memory, const double* numbers, std::int64_t mixture) const {
    const std::int32_t rank = team.team_rank();
    const auto stride = static_cast<std::int64_t>(tasks.numbers.extent(1));
    // Neighbouring threads read neighbouring numbers; groups of threads read different chunks.
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
