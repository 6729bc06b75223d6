// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/mixtures/component_table.hpp>
#include <sporos/models/mixtures/mixture_batch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// Kernels of MixtureLikelihood over individual observations. A task processes a chunk of the observations for one
/// mixture and writes a row of numbers: Σ w ln f and, on request, Σ w r, Σ w r z and Σ w r z² of each component. Here r
/// is the component's responsibility, its share of the density at the observation, and z the distance from its mean in
/// deviations.
namespace sporos::models::impl {

/// Samples of equal size, relative to their centre, padded to whole blocks with observations of weight 0.
template <class ExecutionSpace, class Real>
struct PointData {
  static constexpr std::int64_t block = 64, chunk = 2048;  // a chunk is a multiple of a block

  Kokkos::View<const Real*, typename ExecutionSpace::memory_space> values;  // samples are contiguous
  // Weights of the observations, common to all samples.
  Kokkos::View<const Real*, typename ExecutionSpace::memory_space> weights;
  double center;

  /// Number of observations of a sample, including the padding.
  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(weights.extent(0)); }

  /// Number of chunks of a sample, and the end of chunk i.
  std::int64_t chunks() const { return (size() + chunk - 1) / chunk; }
  KOKKOS_FUNCTION std::int64_t end_of(std::int64_t i) const {
    return (i + 1) * chunk < size() ? (i + 1) * chunk : size();
  }

  /// Observations over which a mixture of the batch is evaluated.
  KOKKOS_FUNCTION const Real* values_of(const MixtureBatch<ExecutionSpace>& mixtures, std::int64_t mixture) const {
    return values.data() + mixtures.sample_of(mixture) * size();
  }
};

/// Tasks of an evaluation: each computes the sums of one chunk for one mixture of a batch. The sums go to row `chunk` +
/// `chunks` · `place`, where `place` is the index of the mixture, whichever process computes them.
template <class ExecutionSpace>
struct LikelihoodTasks {
  MixtureBatch<ExecutionSpace> mixtures;
  std::int64_t chunks;              // chunks of the sample
  std::int64_t first_chunk, count;  // chunks of this process
  RowMatrix<ExecutionSpace> numbers;

  /// Number of tasks, one for each mixture and each chunk of this process; and the mixture's index, the chunk and the
  /// row of a task.
  std::int64_t size() const { return mixtures.size() * count; }
  KOKKOS_FUNCTION std::int64_t place(std::int64_t task) const { return task / count; }
  KOKKOS_FUNCTION std::int64_t chunk(std::int64_t task) const { return first_chunk + task % count; }
  KOKKOS_FUNCTION std::int64_t row(std::int64_t task) const { return place(task) * chunks + chunk(task); }

  /// Whether this process computes all chunks.
  KOKKOS_FUNCTION bool are_whole() const { return count == chunks; }
};

/// Results of an evaluation: L of each mixture and, on request, a row of sums.
template <class ExecutionSpace>
struct LikelihoodResults {
  Vector<ExecutionSpace> values;
  RowMatrix<ExecutionSpace> sums;
};

/// Action after the evaluation of a mixture that does nothing.
struct NothingThen {
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }
  KOKKOS_FUNCTION bool is_open(std::int64_t) const { return true; }
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team&, std::int64_t, double) const {}
};

/// Densities of a block in vector registers and, on request, the terms of the components.
template <class Real, bool keeps_terms>
struct BlockDensities {
  static constexpr int size = PointData<Kokkos::DefaultHostExecutionSpace, Real>::block;

  alignas(64) Real terms[keeps_terms ? max_components : 1][size];  ///< term of each component, times a common factor
  alignas(64) Real sums[size];                                     ///< sums of the terms
  alignas(64) Real logs[size];                                     ///< ln f

  void compute(const ComponentTable<Real>& table, const Real* y) {
    // Local copies tell the compiler that no store changes them, so it keeps them in registers.
    alignas(64) Real values[size], total[size] = {};
    for (int i = 0; i < size; ++i) values[i] = y[i];
    for (std::int32_t c = 0; c < table.count; ++c) {
      const Component<Real> component = table[c];
      // A separate loop. Otherwise g++ makes the bound a second case of the power, under masks, a tenth slower.
      alignas(64) Real exponents[size];
      for (int i = 0; i < size; ++i) exponents[i] = bounded_exponent_of_2(component.exponent(values[i]));
      for (int i = 0; i < size; ++i) {
        const Real term = exp2_of_bounded(exponents[i]);
        if constexpr (keeps_terms) terms[c][i] = term;
        total[i] += term;
      }
    }
    for (int i = 0; i < size; ++i) sums[i] = total[i];
    for (int i = 0; i < size; ++i) logs[i] = fast_log(total[i]);
    typename BinaryFormat<Real>::Bits small = 0;  // counted, since a loop with an early exit is not vectorized
    for (int i = 0; i < size; ++i) small += total[i] >= min_plain_sum<Real> ? 0 : 1;
    if (small == 0) return;
    for (int i = 0; i < size; ++i) {
      if (!(sums[i] >= min_plain_sum<Real>)) rescale(table, y[i], i);
    }
  }

 private:
  void rescale(const ComponentTable<Real>& table, Real y, int i) {
    const Real largest = table.largest_exponent(y);
    sums[i] = 0;
    for (std::int32_t c = 0; c < table.count; ++c) {
      const Real term = fast_exp2(table[c].bounded_exponent(y) - largest);
      if constexpr (keeps_terms) terms[c][i] = term;
      sums[i] += term;
    }
    logs[i] = multiply_add(largest, static_cast<Real>(ln2), fast_log(sums[i]));
  }
};

/// Sums of a component over the observations, in lanes that are added up at the end. (z is in the units of
/// ComponentTable.)
template <class Real>
struct ShareSums {
  static constexpr int lanes = 16;
  alignas(64) Real shares[lanes] = {}, distances[lanes] = {}, squares[lanes] = {};

  /// Adds a block. Each term is multiplied by its element of `weights_over_sums`.
  void add(const Component<Real>& component, const Real* y, const Real* terms, const Real* weights_over_sums) {
    ShareSums own = *this;  // in registers
    for (int first = 0; first < BlockDensities<Real, true>::size; first += lanes) {
      for (int lane = 0; lane < lanes; ++lane) {
        const Real share = terms[first + lane] * weights_over_sums[first + lane];
        const Real z = component.distance(y[first + lane]);
        own.shares[lane] += share;
        own.distances[lane] = multiply_add(share, z, own.distances[lane]);
        own.squares[lane] = multiply_add(share * z, z, own.squares[lane]);
      }
    }
    *this = own;
  }

  static double total(const Real* lane_sums) {
    double sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum += static_cast<double>(lane_sums[lane]);
    return sum;
  }
};

inline constexpr double deviations_of_distance = 0x1.2d6abe44afc43p0;  // √(2 ln 2)

/// Performs one task on a host.
template <class ExecutionSpace, class Real, bool has_sums, class Then>
struct HostLikelihood {
  PointData<ExecutionSpace, Real> data;
  LikelihoodTasks<ExecutionSpace> tasks;
  Then then;

  void operator()(std::int64_t task) const {
    const std::int64_t mixture = tasks.mixtures.row(tasks.place(task)), chunk = tasks.chunk(task);
    if (!then.is_open(mixture)) return;
    const std::int32_t k = tasks.mixtures.components(mixture);
    Component<Real> components[max_components];
    for (std::int32_t c = 0; c < k; ++c) components[c].set(&tasks.mixtures.parameters(mixture, 0), k, c, data.center);
    const ComponentTable<Real> table{components, k};

    BlockDensities<Real, has_sums> block;
    CompensatedSum<Real> lanes[block.size];
    ShareSums<Real> sums[has_sums ? max_components : 1];
    const Real* const sample = data.values_of(tasks.mixtures, mixture);
    for (std::int64_t first = chunk * data.chunk; first < data.end_of(chunk); first += block.size) {
      const Real* const y = sample + first;
      const Real* const weights = &data.weights(first);
      block.compute(table, y);
      for (int i = 0; i < block.size; ++i) lanes[i].add(weights[i] * block.logs[i]);
      if constexpr (has_sums) {
        for (int i = 0; i < block.size; ++i) block.sums[i] = weights[i] / block.sums[i];
        for (std::int32_t c = 0; c < k; ++c) sums[c].add(table[c], y, block.terms[c], block.sums);
      }
    }
    double* const numbers = &tasks.numbers(tasks.row(task), 0);
    numbers[0] = 0;
    for (const auto& lane : lanes) numbers[0] += lane.total();
    if constexpr (has_sums) {
      constexpr double unit = deviations_of_distance;
      for (std::int32_t c = 0; c < k; ++c) {
        numbers[1 + c] = sums[c].total(sums[c].shares);
        numbers[1 + k + c] = unit * sums[c].total(sums[c].distances);
        numbers[1 + 2 * k + c] = unit * unit * sums[c].total(sums[c].squares);
      }
    }
  }
};

/// Adds up L and the sums of a mixture over its chunks, in their order, by a team, which then calls `then`.
template <class ExecutionSpace, bool has_sums, class Then>
struct ChunkAdder {
  LikelihoodTasks<ExecutionSpace> tasks;
  LikelihoodResults<ExecutionSpace> results;
  Then then;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<ExecutionSpace>::member_type& team) const {
    const std::int64_t place = team.league_rank(), mixture = tasks.mixtures.row(place);
    if (!then.is_open(mixture)) return;
    const std::int32_t count = has_sums ? 1 + 3 * tasks.mixtures.components(mixture) : 1;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](std::int32_t j) {
      double sum = 0;
      for (std::int64_t chunk = 0; chunk < tasks.chunks; ++chunk) {
        sum += tasks.numbers(place * tasks.chunks + chunk, j);
      }
      (j == 0 ? results.values(mixture) : results.sums(mixture, j - 1)) = sum;
    });
    team.team_barrier();
    then(team, mixture, results.values(mixture));
  }
};

}  // namespace sporos::models::impl
