// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/models/mixtures/component_table.hpp>
#include <sporos/models/mixtures/mixture_kernels.hpp>
#include <sporos/models/mixtures/team_powers.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Sums of a chunk of observations, computed by a team on a device.
namespace sporos::models::impl {

/// Σ w ln f of some observations as the logarithm of a product of densities, so that only one logarithm is needed.
class LogOfProduct {
 public:
  /// Multiplies by a positive normal number.
  KOKKOS_FORCEINLINE_FUNCTION void multiply(double factor) {
    constexpr std::uint64_t fraction = 0x000fffffffffffff, one = 0x3ff0000000000000;
    const auto bits = __builtin_bit_cast(std::uint64_t, m_fraction * factor);
    m_exponent += static_cast<std::int32_t>(bits >> 52U) - 1023;
    m_fraction = __builtin_bit_cast(double, (bits & fraction) | one);
  }
  KOKKOS_FORCEINLINE_FUNCTION void multiply(const LogOfProduct& other) {
    multiply(other.m_fraction);
    m_exponent += other.m_exponent;
    m_rest += other.m_rest;
  }

  /// Multiplies by an observation's density to the power of its weight, given the plain sum of the density. Returns
  /// whether this was possible with one multiplication; if not, call `add`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION bool multiply(Real density, Real weight) {
    const bool is_factor = density >= min_plain_sum<Real> && weight == 1;
    multiply(is_factor ? static_cast<double>(density) : 1.0);
    return is_factor;
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void add(const ComponentTable<Real>& table, Real density, Real y, Real weight) {
    if (weight != 0) m_rest += static_cast<double>(weight * log_of(table, density, y));
  }

  /// ln f from its plain sum. It is not inlined, since few observations need it.
  template <class Real>
  SPOROS_NOINLINE KOKKOS_FUNCTION static Real log_of(const ComponentTable<Real>& table, Real density, Real y) {
    return density >= min_plain_sum<Real> ? fast_log(density) : table.log_density(y);
  }

  /// Multiplies `count` products per lane, a power of 2, over the lanes of a warp. Lane i · lanes / count and the lanes
  /// after it get product number i.
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION static LogOfProduct of_warp(const LogOfProduct (&own)[count], int lane) {
    constexpr int lanes_of_each = sporos::impl::warp_lanes / count;
    LogOfProduct product;
    double fractions[count], rests[count];
    bool has_rest = false;
    for (int i = 0; i < count; ++i) {
      fractions[i] = own[i].m_fraction;
      rests[i] = own[i].m_rest;
      has_rest = has_rest || own[i].m_rest != 0;
      const std::int32_t exponent = sporos::impl::warp_sum(own[i].m_exponent);
      if (i == lane / lanes_of_each) product.m_exponent = exponent;
    }
    product.m_fraction = sporos::impl::warp_product_of_lane(fractions, lane);  // below 2^lanes
    if (sporos::impl::ballot(has_rest) != 0) product.m_rest = sporos::impl::warp_sum_of_lane(rests, lane);
    return product;
  }

  KOKKOS_FORCEINLINE_FUNCTION double value() const {
    return multiply_add(static_cast<double>(m_exponent), ln2, m_rest + fast_log(m_fraction));
  }

 private:
  double m_fraction = 1, m_rest = 0;  // the fraction is from 1 to 2; over a warp, up to 2^32
  std::int32_t m_exponent = 0;
};

/// Prevents the compiler from keeping loaded values in registers. If it kept the distances for the sums, a thread on a
/// device would spill 126 words and read them again.
KOKKOS_FORCEINLINE_FUNCTION void forget_loads() { SPOROS_IF_ON_DEVICE((asm volatile("" ::: "memory");)) }

/// Memory that the threads of a team share, and reductions over the threads.
template <class Real>
struct TeamMemory {
  static constexpr int threads = 128;                      ///< threads per team
  static constexpr int max_chunks = 16;                    ///< chunks per team
  static constexpr std::int64_t chunk_size = 2 * threads;  ///< observations per chunk
  static constexpr int lanes = sporos::impl::warp_lanes, warps = threads / lanes;

  double powers[TeamPowers<Real>::size == 0 ? 1 : TeamPowers<Real>::size];
  double numbers[8 * threads];
  LogOfProduct products[max_chunks * warps];  // products of the warps, for each chunk

  /// Multiplies the products of all threads, in a fixed order. After a barrier, logarithm(first + i) is that of product
  /// i.
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void multiply(int rank, int first, const LogOfProduct (&own)[count]) {
    const int lane = rank % lanes, warp = rank / lanes;
    const LogOfProduct product = LogOfProduct::of_warp(own, lane);
    if (lane % (lanes / count) == 0) products[(first + lane * count / lanes) * warps + warp] = product;
  }
  KOKKOS_FORCEINLINE_FUNCTION double logarithm(int i) const {
    LogOfProduct product;
    for (int warp = 0; warp < warps; ++warp) product.multiply(products[i * warps + warp]);
    return product.value();
  }

  /// Adds up `width` numbers per thread over all threads, in a fixed order. After a barrier, total(i, …) is sum i. The
  /// memory of the chunk before the last one is reused.
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

/// The two observations of a thread in a chunk.
template <class Real>
struct ObservationPair {
  Real y[2], weights[2];
};

/// Observations of a thread in the chunks of its team. After the last one, observations have weight 0.
template <class Real>
struct ThreadObservations {
  using Memory = TeamMemory<Real>;
  const Real* values;
  const Real* weights;
  std::int32_t left;

  KOKKOS_FORCEINLINE_FUNCTION ObservationPair<Real> pair(std::int32_t chunk_of_team) const {
    ObservationPair<Real> pair = {};
    for (int j = 0; j < 2; ++j) {
      const std::int32_t i = chunk_of_team * static_cast<std::int32_t>(Memory::chunk_size) + j * Memory::threads;
      if (i < left) pair.y[j] = values[i];
      if (i < left) pair.weights[j] = weights[i];
    }
    return pair;
  }
};

/// Computes Σ w ln f and the components' sums of a chunk of observations, with a team.
template <class Real>
struct TeamShares {
  static constexpr int threads = TeamMemory<Real>::threads;
  ComponentTable<Real> table;  ///< followed by a component without weight
  TeamMemory<Real>& memory;
  TeamPowers<Real> power;

  /// Writes the numbers of chunk i of the team to `found`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Team& team, std::int32_t i, const ObservationPair<Real>& pair,
                                         double* found) const {
    const std::int32_t k = table.count;
    if (k <= 2) {
      write_few<2>(team, i, pair, found);
    } else if (k <= 4) {
      write_few<4>(team, i, pair, found);
    } else if (k <= 6) {
      write_few<6>(team, i, pair, found);
    } else if (k <= 8) {
      write_few<8>(team, i, pair, found);
    } else if (k <= 10) {
      write_few<10>(team, i, pair, found);
    } else {
      write_many(team, i, pair, found);
    }
  }

 private:
  // For `size` components, k or k + 1: each thread keeps their terms and sums in registers.
  template <int size, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write_few(const Team& team, std::int32_t chunk, const ObservationPair<Real>& pair,
                                             double* found) const {
    LogOfProduct product;
    Real shares[size] = {}, distances[size] = {}, squares[size] = {};
    SPOROS_NOT_UNROLLED
    for (int j = 0; j < 2; ++j) {
      const Real y = j == 0 ? pair.y[0] : pair.y[1], weight = j == 0 ? pair.weights[0] : pair.weights[1];
      Real terms[size], density = 0;
      for (int c = 0; c < size; ++c) {
        const PowerFactors<Real> term = power(table[c].exponent(y));
        terms[c] = term.value();
        density = term.added_to(density);
      }
      if (!product.multiply(density, weight)) product.add(table, density, y, weight);
      if (!(density >= min_plain_sum<Real>)) {
        Real far[size];  // otherwise `terms` would be in memory
        density = set_far_terms(table, y, far, size);
        for (int c = 0; c < size; ++c) terms[c] = far[c];
      }
      forget_loads();
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
    memory.multiply(rank, chunk, {product});
    memory.add_numbers(rank, chunk, own);
    team.team_barrier();
    if (rank == threads - 1) found[0] = memory.logarithm(chunk);
    if (kind >= 3 || c >= table.count) return;
    constexpr double unit = deviations_of_distance;
    found[1 + kind * table.count + c] = (kind == 0 ? 1.0 : kind == 1 ? unit : unit * unit) * memory.total(rank, chunk);
  }

  // Computes the terms of an observation whose densities all underflow, times a common factor, and their sum.
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

  // For any number of components; their terms are computed twice.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write_many(const Team& team, std::int32_t chunk, const ObservationPair<Real>& pair,
                                              double* found) const {
    constexpr auto log2_e = static_cast<Real>(1 / ln2);
    const int rank = team.team_rank();
    LogOfProduct product;
    Real logs[2];  // log₂ f
    for (int j = 0; j < 2; ++j) {
      const Real y = pair.y[j];
      Real density = 0;
      for (std::int32_t c = 0; c < table.count; ++c) density = power(table[c].exponent(y)).added_to(density);
      if (!product.multiply(density, pair.weights[j])) product.add(table, density, y, pair.weights[j]);
      logs[j] = log2_e * LogOfProduct::log_of(table, density, y);
    }
    memory.multiply(rank, chunk, {product});
    team.team_barrier();
    if (rank == 0) found[0] = memory.logarithm(chunk);
    for (std::int32_t c = 0; c < table.count; ++c) {
      const Component<Real> component = table[c];
      double share = 0, distance = 0, square = 0;
      for (int j = 0; j < 2; ++j) {
        const double z = deviations_of_distance * static_cast<double>(component.distance(pair.y[j]));
        const Real part = power(component.bounded_exponent(pair.y[j]) - logs[j]).value();
        const double w = static_cast<double>(pair.weights[j] * part);
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
