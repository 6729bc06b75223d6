// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/models/mixtures/component_table.hpp>
#include <sporos/models/mixtures/mixture_kernels.hpp>
#include <sporos/models/mixtures/team_powers.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// How a team on a device forms the sums of a chunk of observations.
namespace sporos::models::impl {

/// ln of a product of positive numbers: a sum of logarithms for little more than the price of one.
class LogOfProduct {
 public:
  /// Multiplies with a positive normal number.
  KOKKOS_FORCEINLINE_FUNCTION void multiply(double factor) {
    constexpr std::uint64_t fraction = 0x000fffffffffffff, one = 0x3ff0000000000000;
    const auto bits = __builtin_bit_cast(std::uint64_t, m_fraction * factor);
    m_exponent += static_cast<std::int32_t>(bits >> 52U) - 1023;
    m_fraction = __builtin_bit_cast(double, (bits & fraction) | one);
  }
  /// Multiplies with the number whose logarithm is this.
  KOKKOS_FORCEINLINE_FUNCTION void add(double logarithm) { m_rest += logarithm; }

  /// Multiplies with an observation's density to the power of its weight, given the density's plain sum.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void multiply(const ComponentTable<Real>& table, Real density, Real y, Real weight) {
    if (density >= least_plain_sum<Real> && weight == 1) {
      multiply(static_cast<double>(density));
    } else if (weight != 0) {
      add(static_cast<double>(weight * log_of(table, density, y)));
    }
  }

  /// ln f from its plain sum; out of line, since few observations need it.
  template <class Real>
  SPOROS_NOINLINE KOKKOS_FUNCTION static Real log_of(const ComponentTable<Real>& table, Real density, Real y) {
    return density >= least_plain_sum<Real> ? fast_log(density) : table.log_density(y);
  }

  KOKKOS_FORCEINLINE_FUNCTION double value() const {
    return multiply_add(static_cast<double>(m_exponent), ln2, m_rest + fast_log(m_fraction));
  }

 private:
  double m_fraction = 1, m_rest = 0;  // the fraction from 1 to 2
  std::int32_t m_exponent = 0;
};

/// The memory that the threads of a team share, and sums of what each of them has.
template <class Real>
struct TeamMemory {
  static constexpr int threads = 128;     ///< of a team
  static constexpr int most_chunks = 16;  ///< of a team
  static constexpr int lanes = sporos::impl::warp_lanes, warps = threads / lanes;

  double powers[TeamPowers<Real>::roots == 0 ? 1 : TeamPowers<Real>::roots];
  double numbers[8 * threads];
  double logarithms[most_chunks * warps];  // of the warps, for each chunk

  /// Adds up x of all threads, in an order of its own, for logarithm(i) once these have waited for each other.
  KOKKOS_FORCEINLINE_FUNCTION void add_logarithm(int rank, int i, double x) {
    const double sum = sporos::impl::warp_sum(x);
    if (rank % lanes == 0) logarithms[i * warps + rank / lanes] = sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION double logarithm(int i) const {
    double sum = 0;
    for (int warp = 0; warp < warps; ++warp) sum += logarithms[i * warps + warp];
    return sum;
  }

  /// Adds up the numbers of all threads, `width` of each, in an order of its own, for total(i, …) once these have
  /// waited for each other. Memory of the chunk before the last one is used again.
  template <int width>
  KOKKOS_FORCEINLINE_FUNCTION void add_numbers(int rank, int chunk, const double (&own)[width]) {
    const int lane = rank % lanes, warp = rank / lanes;
    const double total = sporos::impl::warp_sum_of_lane(own, lane);
    if (lane % (lanes / width) == 0) totals_of(chunk)[warp * lanes + lane * width / lanes] = total;
  }
  KOKKOS_FORCEINLINE_FUNCTION double total(int i, int chunk) {
    double sum = 0;
    for (int warp = 0; warp < warps; ++warp) sum += totals_of(chunk)[warp * lanes + i];
    return sum;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION double* totals_of(int chunk) { return numbers + chunk % 2 * threads; }
};

/// Σ w ln f and the components' sums of a chunk of observations, by a team.
template <class Real>
struct TeamShares {
  static constexpr int threads = TeamMemory<Real>::threads;
  ComponentTable<Real> table;  ///< and behind it a component without weight
  TeamMemory<Real>& memory;
  const Real* sample;
  const Real* weights;

  /// Writes those of the team's chunk number i where a chunk's numbers go.
  template <class Team>
  KOKKOS_FUNCTION void write(const Team& team, std::int32_t i, std::int64_t first, std::int64_t end,
                             double* found) const {
    const std::int32_t k = table.count;
    if (k <= 2) {
      write_few<2>(team, i, first, end, found);
    } else if (k <= 4) {
      write_few<4>(team, i, first, end, found);
    } else if (k <= 6) {
      write_few<6>(team, i, first, end, found);
    } else if (k <= 8) {
      write_few<8>(team, i, first, end, found);
    } else if (k <= 10) {
      write_few<10>(team, i, first, end, found);
    } else {
      write_many(team, i, first, end, found);
    }
  }

 private:
  // `size` components, k or one more, whose terms and sums each thread has in its registers.
  template <int size, class Team>
  KOKKOS_FUNCTION void write_few(const Team& team, std::int32_t chunk, std::int64_t first, std::int64_t end,
                                 double* found) const {
    const TeamPowers<Real> power{memory.powers};
    LogOfProduct product;
    Real shares[size] = {}, distances[size] = {}, squares[size] = {};
    for (std::int64_t i = first + team.team_rank(); i < end; i += threads) {
      const Real y = sample[i], weight = weights[i];
      Real terms[size], density = 0;
      for (int c = 0; c < size; ++c) {
        const PowerFactors<Real> term = power(table[c].exponent(y));
        terms[c] = term.value();
        density = term.added_to(density);
      }
      product.multiply(table, density, y, weight);
      if (!(density >= least_plain_sum<Real>)) {
        Real far[size];  // or the terms themselves would have to be in memory
        density = set_far_terms(table, y, far, size);
        for (int c = 0; c < size; ++c) terms[c] = far[c];
      }
      const Real factor = weight / density;
      for (int c = 0; c < size; ++c) {
        const Real share = terms[c] * factor, z = table[c].distance(y), moment = share * z;
        shares[c] += share;
        distances[c] += moment;
        squares[c] = multiply_add(moment, z, squares[c]);
      }
    }
    constexpr int width = 3 * size <= 8 ? 8 : 3 * size <= 16 ? 16 : 32;
    double own[width] = {};
    for (int c = 0; c < size; ++c) {
      own[c] = static_cast<double>(shares[c]);
      own[size + c] = static_cast<double>(distances[c]);
      own[2 * size + c] = static_cast<double>(squares[c]);
    }
    const int rank = team.team_rank(), kind = rank / size, c = rank % size;
    memory.add_logarithm(rank, chunk, product.value());
    memory.add_numbers(rank, chunk, own);
    team.team_barrier();
    if (rank == threads - 1) found[0] = memory.logarithm(chunk);
    if (kind >= 3 || c >= table.count) return;
    constexpr double unit = deviations_of_distance;
    found[1 + kind * table.count + c] = (kind == 0 ? 1.0 : kind == 1 ? unit : unit * unit) * memory.total(rank, chunk);
  }

  // Terms of an observation where no density is large enough to be told from 0, times one factor, and their sum.
  SPOROS_NOINLINE KOKKOS_FUNCTION static Real set_far_terms(const ComponentTable<Real>& table, Real y, Real* terms,
                                                            int size) {
    const Real largest = table.largest_exponent(y);
    Real sum = 0;
    for (int c = 0; c < size; ++c) {
      terms[c] = fast_exp2(table[c].bounded_exponent(y) - largest);
      sum += terms[c];
    }
    return sum;
  }

  // Any number of components, whose terms are formed twice.
  template <class Team>
  KOKKOS_FUNCTION void write_many(const Team& team, std::int32_t chunk, std::int64_t first, std::int64_t end,
                                  double* found) const {
    constexpr auto log2_e = static_cast<Real>(1 / ln2);
    const TeamPowers<Real> power{memory.powers};
    const int rank = team.team_rank();
    double* const logs = memory.numbers + threads;  // ln f of each observation, behind the numbers that are added up
    LogOfProduct product;
    for (std::int64_t i = first + rank; i < end; i += threads) {
      const Real y = sample[i];
      Real density = 0;
      for (std::int32_t c = 0; c < table.count; ++c) density = power(table[c].exponent(y)).added_to(density);
      product.multiply(table, density, y, weights[i]);
      logs[i - first] = static_cast<double>(LogOfProduct::log_of(table, density, y));
    }
    memory.add_logarithm(rank, chunk, product.value());
    team.team_barrier();
    if (rank == 0) found[0] = memory.logarithm(chunk);
    for (std::int32_t c = 0; c < table.count; ++c) {
      const Component<Real> component = table[c];
      double share = 0, distance = 0, square = 0;
      for (std::int64_t i = first + rank; i < end; i += threads) {
        const Real y = sample[i], log_density = static_cast<Real>(logs[i - first]);
        const double z = deviations_of_distance * static_cast<double>(component.distance(y));
        const Real part = power(component.bounded_exponent(y) - log2_e * log_density).value();
        const double w = static_cast<double>(weights[i] * part);
        share += w;
        distance += w * z;
        square += w * z * z;
      }
      team.team_reduce(Kokkos::Sum<double>(share));
      team.team_reduce(Kokkos::Sum<double>(distance));
      team.team_reduce(Kokkos::Sum<double>(square));
      if (rank != 0) continue;
      found[1 + c] = share;
      found[1 + table.count + c] = distance;
      found[1 + 2 * table.count + c] = square;
    }
    team.team_barrier();
  }
};

}  // namespace sporos::models::impl
