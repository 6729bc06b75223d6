// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/array_sums.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/host_team.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/math/lane_sums.hpp>
#include <sporos/core/math/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

/// The kernels of CorrectionPairs. Pairs are stored in slots; their age counts from the oldest, 0, to the newest, m −
/// 1. Sums over pairs go by age, so that no sum depends on the slot of a pair. Every other sum has an order that
/// depends only on the dimension.
namespace sporos::impl {

/// The stored pairs. A new pair replaces the oldest if the memory is full.
struct StoredPairs {
  double* first_s = nullptr;   // M vectors
  double* first_y = nullptr;   // M vectors
  std::int64_t dimension = 0;  // d
  std::int64_t stride = 0;     // distance of two vectors
  std::int64_t memory = 0;     // M
  std::int64_t oldest = 0;     // slot of the oldest pair
  std::int64_t count = 0;      // m, pairs in slots 0 to m − 1

  KOKKOS_FUNCTION double* s(std::int64_t slot) const { return first_s + slot * stride; }
  KOKKOS_FUNCTION double* y(std::int64_t slot) const { return first_y + slot * stride; }
  KOKKOS_FUNCTION std::int64_t newest() const { return slot(count - 1); }
  KOKKOS_FUNCTION std::int64_t slot(std::int64_t age) const {
    const std::int64_t sum = oldest + age;
    return sum < memory ? sum : sum - memory;
  }
  /// Makes room for one more pair, in the slot of the newest.
  KOKKOS_FUNCTION void add() {
    if (count < memory) {
      ++count;
    } else {
      oldest = oldest + 1 < memory ? oldest + 1 : 0;
    }
  }
};

/// Products of all pairs with one vector, by chunks. Chunk k writes that of the s in slot j to 2 M k + j, that of the y
/// to 2 M k + m + j. KokkosBlas::gemv does not fit: pairs are stored in slots, of which the oldest is replaced, and a
/// sum must not depend on the slot (docs/reference/dependencies.md has the measured ratio and the command).
template <class ExecutionSpace>
struct PairDots {
  // Coordinates that a thread multiplies at once; on a host those of a vector register. g++ 12 does not vectorize loops
  // over arrays here; with them 10 pairs of 1000 took 1.7 times as long.
  using Numbers = std::conditional_t<runs_on_host<ExecutionSpace>, Pack, double>;
  static constexpr int lanes = sizeof(Numbers) / sizeof(double);
  static constexpr int together = runs_on_host<ExecutionSpace> ? 2 : 1;  // pairs that a thread multiplies at once
  static constexpr int threads = 128;                                    // per team on a device

  StoredPairs pairs;
  const double* vector;
  std::int64_t chunk;  // number of coordinates
  double* parts;

  /// Number of teams: one for each chunk of each group of `together` pairs.
  std::int64_t teams() const { return (pairs.dimension + chunk - 1) / chunk * groups(); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t part = team.league_rank() / groups(), group = team.league_rank() % groups();
    const Numbers last = last_numbers(part);
    Sums found;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, team.team_size()),
        [&](const int thread, Sums& sums) { multiply(part, group, last, thread, team.team_size(), sums); },
        ArraySums<2 * together>{found});
    Kokkos::single(Kokkos::PerTeam(team), [&]() { write(part, group, found); });
  }

  /// Does the work of teams `begin` to `end` − 1 on the calling thread of a host. Inlined into a large kernel, the
  /// function lacks registers.
  [[gnu::noinline]] void on_one_thread(std::int64_t begin, std::int64_t end) const {
    const std::int64_t groups = this->groups();
    std::int64_t part = begin / groups, group = begin % groups;
    Numbers last = last_numbers(part);
    for (std::int64_t team = begin; team < end; ++team, ++group) {
      if (group == groups) {
        group = 0;
        last = last_numbers(++part);
      }
      Sums sums = {};
      multiply(part, group, last, 0, 1, sums);
      write(part, group, sums);
    }
  }

 private:
  using Sums = typename ArraySums<2 * together>::value_type;  // products with the s of a group, then with its y

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t groups() const { return (pairs.count + together - 1) / together; }
  // Slot of pair k of a group. The last group may contain a pair twice.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t slot(std::int64_t group, int k) const {
    const std::int64_t j = group * together + k;
    return j < pairs.count ? j : pairs.count - 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(std::int64_t part, std::int64_t group, const Sums& sums) const {
    double* const of_part = parts + part * 2 * pairs.memory;
    for (int k = 0; k < together; ++k) {
      of_part[slot(group, k)] = sums.of[k];
      of_part[pairs.count + slot(group, k)] = sums.of[together + k];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t end_of(std::int64_t part) const {
    const std::int64_t after = (part + 1) * chunk;
    return after < pairs.dimension ? after : pairs.dimension;
  }
  // The last numbers of the vector's chunk, which do not fill all lanes, and zeros.
  KOKKOS_FORCEINLINE_FUNCTION Numbers last_numbers(std::int64_t part) const {
    if constexpr (lanes == 1) {
      return 0.0;
    } else {
      const std::int64_t end = end_of(part), count = (end - part * chunk) % lanes;
      double numbers[lanes] = {};
      for (std::int64_t k = 0; k < count; ++k) numbers[k] = vector[end - count + k];
      return Numbers::load(numbers);
    }
  }
  // Adds the products of a thread's share of a chunk. The vector is read once for a group, and the sums are
  // independent.
  KOKKOS_FORCEINLINE_FUNCTION void multiply(std::int64_t part, std::int64_t group, const Numbers& last, int thread,
                                            int threads_of_team, Sums& products) const {
    const double* vectors[2 * together];
    Numbers sums[2 * together];
    for (int k = 0; k < together; ++k) {
      vectors[k] = pairs.s(slot(group, k));
      vectors[together + k] = pairs.y(slot(group, k));
      sums[k] = sums[together + k] = Numbers(0.0);
    }
    const auto add = [&](const Numbers& numbers, std::int64_t i) {
      for (int k = 0; k < 2 * together; ++k) sums[k] += loaded(vectors[k] + i) * numbers;
    };
    const std::int64_t end = end_of(part);
    std::int64_t i = part * chunk + thread * lanes;
    for (; i + lanes <= end; i += threads_of_team * lanes) add(loaded(vector + i), i);
    if (i < end) add(last, i);
    double totals[2 * together];
    add_up_lanes(sums, totals);
    for (int k = 0; k < 2 * together; ++k) products.of[k] += totals[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION static Numbers loaded(const double* first) {
    if constexpr (lanes == 1) {
      return *first;
    } else {
      return Numbers::load(first);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add_up_lanes(const Numbers (&sums)[2 * together],
                                                       double (&totals)[2 * together]) {
    if constexpr (lanes == 1) {
      for (int k = 0; k < 2 * together; ++k) totals[k] = sums[k];
    } else {
      sums_of_lanes(sums, totals);
    }
  }
};

/// Products of the pairs with each other, by slot, as the recursion needs them: the inverse of the triangle R of s_iᵀ
/// y_j, i not younger than j, and all y_iᵀ y_j.
struct PairProducts {
  double* numbers = nullptr;  // array of size(M) numbers
  std::int64_t memory = 0;    // M

  KOKKOS_FUNCTION static std::int64_t size(std::int64_t memory) { return memory * (1 + 3 * memory); }

  KOKKOS_FUNCTION double* sy() const { return numbers; }  // s_iᵀ y_i
  // Columns of matrices; the first matrix is symmetric.
  KOKKOS_FUNCTION double* yy(std::int64_t j) const { return numbers + memory * (1 + j); }
  KOKKOS_FUNCTION double* inverse(std::int64_t j) const { return yy(memory + j); }         // R⁻¹
  KOKKOS_FUNCTION double* transposed(std::int64_t j) const { return yy(2 * memory + j); }  // R⁻ᵀ
  /// Scale κ of the initial matrix.
  KOKKOS_FUNCTION double scale(std::int64_t newest) const { return sy()[newest] / yy(newest)[newest]; }
};

/// Products of all pairs with one vector, and the coefficients, by slot, of H g = κ g + Σ_j (δ_j s_j − κ α_j y_j).
struct PairCoefficients {
  double *with_s = nullptr, *with_y = nullptr;  // Sᵀg; Yᵀg, then Rᵀ δ
  double *alpha = nullptr, *delta = nullptr;
};

/// Computes Σ_i a_i x_i over the slots i of the `count` oldest pairs, on the lanes of a warp.
KOKKOS_INLINE_FUNCTION double product_by_age(const double* a, const double* x, std::int64_t oldest, std::int64_t memory,
                                             std::int64_t count) {
  double sum[1] = {0};
  SPOROS_NOT_UNROLLED
  for (std::int64_t age = lane_index(); age < count; age += lane_count()) {
    const std::int64_t slot = oldest + age < memory ? oldest + age : oldest + age - memory;
    sum[0] += a[slot] * x[slot];
  }
  warp_sums<1>(sum);
  return sum[0];
}

/// Calls finish(j, Σ_i A_ji x_i) for each slot j, with the sum over the slots i of the `count` oldest pairs. column(i)
/// is a column of A and row(j) a row. Called by a team, which then waits.
template <class Width, class Member, class Column, class Row, class Finish>
KOKKOS_FUNCTION void multiply_slots(const Member& team, const StoredPairs& pairs, std::int64_t count,
                                    const Column& column, const Row& row, const double* x, const Finish& finish) {
  constexpr std::int64_t width = Width::value;  // slots per thread
  if constexpr (width == 1) {
    const auto size = static_cast<std::int32_t>(pairs.count);
    SPOROS_NOT_UNROLLED
    for (std::int32_t j = team.team_rank(); j < size; j += team.team_size()) {
      const double sum = product_by_age(row(j), x, pairs.oldest, pairs.memory, count);
      if (lane_index() == 0) finish(j, sum);
    }
  } else {
    constexpr int packs = width / Pack::lanes;
    for (std::int64_t first = team.team_rank() * width; first < pairs.count; first += team.team_size() * width) {
      Pack sums[packs];
      for (Pack& some : sums) some = Pack(0.0);
      for (std::int64_t age = 0; age < count; ++age) {
        const std::int64_t i = pairs.slot(age);
        const Pack factor(x[i]);
        const double* const of_column = column(i) + first;
        for (int k = 0; k < packs; ++k) sums[k] += factor * Pack::load(of_column + k * Pack::lanes);
      }
      double found[width];
      for (int k = 0; k < packs; ++k) sums[k].store(found + k * Pack::lanes);
      const std::int64_t left = pairs.count - first, size = left < width ? left : width;
      for (std::int64_t k = 0; k < size; ++k) finish(first + k, found[k]);
    }
  }
  team.team_barrier();
}

/// Number of slots that a thread multiplies: on a host several, in four packs; on a device one. A host thread may read
/// as many numbers after the last slot of a matrix.
template <class ExecutionSpace>
using SlotWidth = std::integral_constant<std::int64_t, runs_on_host<ExecutionSpace> ? 4 * Pack::lanes : 1>;

/// Stores the products of the newest pair's y with all pairs; called by a team.
///
/// With r the s_iᵀ y of the older pairs, R⁻¹ is extended by the column −R⁻¹ r / sᵀy and 1 / sᵀy below it. If the oldest
/// pair was replaced, its first row and column of R⁻¹ are dropped.
template <class Width, class Member>
KOKKOS_FUNCTION void extend(const Member& team, const StoredPairs& pairs, const PairProducts& products,
                            const PairCoefficients& of) {
  const std::int64_t m = pairs.count, newest = pairs.newest();
  const double sy = of.with_s[newest];
  const auto inverse = [&](std::int64_t j) { return products.inverse(j); };
  const auto transposed = [&](std::int64_t j) { return products.transposed(j); };
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, m), [&](const std::int64_t j) {
    products.yy(newest)[j] = products.yy(j)[newest] = of.with_y[j];
    products.inverse(j)[newest] = products.transposed(newest)[j] = 0;
  });
  team.team_barrier();
  multiply_slots<Width>(team, pairs, m - 1, inverse, transposed, of.with_s, [&](const std::int64_t j, double sum) {
    if (j == newest) return;
    products.inverse(newest)[j] = products.transposed(j)[newest] = -sum / sy;
  });
  Kokkos::single(Kokkos::PerTeam(team), [&]() {
    products.sy()[newest] = sy;
    products.inverse(newest)[newest] = products.transposed(newest)[newest] = 1 / sy;
  });
  team.team_barrier();
}

/// Runs the two-loop recursion on coefficients, from the products of g with the pairs; called by a team.
///
/// First loop, from the newest pair, with q = g at first: α_i = s_iᵀq / s_iᵀy_i, q ← q − α_i y_i; so α solves R α =
/// Sᵀg. Then r = κ q with κ = sᵀy / yᵀy of the newest pair. Second loop, from the oldest pair: β_i = y_iᵀr / s_iᵀy_i, r
/// ← r + (α_i − β_i) s_i; so δ_i = α_i − β_i solves Rᵀ δ = D α − κ (Yᵀg − YᵀY α), where D is the diagonal matrix of the
/// s_iᵀy_i. Since R⁻¹ is stored, no step waits for the preceding one.
template <class Width, class Member>
KOKKOS_FUNCTION void recur(const Member& team, const StoredPairs& pairs, const PairProducts& products,
                           const PairCoefficients& of) {
  const std::int64_t m = pairs.count;
  const double kappa = products.scale(pairs.newest());
  const auto inverse = [&](std::int64_t j) { return products.inverse(j); };
  const auto transposed = [&](std::int64_t j) { return products.transposed(j); };
  const auto yy = [&](std::int64_t j) { return products.yy(j); };
  multiply_slots<Width>(team, pairs, m, inverse, transposed, of.with_s,
                        [&](const std::int64_t j, double sum) { of.alpha[j] = sum; });
  multiply_slots<Width>(team, pairs, m, yy, yy, of.alpha, [&](const std::int64_t j, double sum) {
    of.with_y[j] = products.sy()[j] * of.alpha[j] - kappa * (of.with_y[j] - sum);
  });
  multiply_slots<Width>(team, pairs, m, transposed, inverse, of.with_y,
                        [&](const std::int64_t j, double sum) { of.delta[j] = sum; });
}

/// Adds up column c of the sums of chunks that PairDots has written.
KOKKOS_INLINE_FUNCTION double sum_of_parts(const double* parts, std::int64_t chunks, std::int64_t memory,
                                           std::int64_t c) {
  double sum = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += parts[chunk * 2 * memory + c];
  return sum;
}

/// Step after PairDots of a vector, by one team: `extend` if the vector is the newest pair's y, otherwise `recur`.
template <class ExecutionSpace>
struct PairSolver {
  StoredPairs pairs;
  PairProducts products;
  const double* parts;
  std::int64_t chunks;
  PairCoefficients coefficients;
  bool extends;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t m = pairs.count;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, m), [&](const std::int64_t j) {
      coefficients.with_s[j] = sum_of_parts(parts, chunks, pairs.memory, j);
      coefficients.with_y[j] = sum_of_parts(parts, chunks, pairs.memory, m + j);
    });
    team.team_barrier();
    if (extends) {
      extend<SlotWidth<ExecutionSpace>>(team, pairs, products, coefficients);
    } else {
      recur<SlotWidth<ExecutionSpace>>(team, pairs, products, coefficients);
    }
  }
};

/// Computes out[k] = (H g)[`first` + k] for k = 0, …, `count` − 1; `count` is at most `width`. A host keeps all sums in
/// registers, and may read `width` numbers of each pair.
template <std::int64_t width>
KOKKOS_FUNCTION void combine(const StoredPairs& pairs, double kappa, const PairCoefficients& of, const double* g,
                             std::int64_t first, std::int64_t count, double* out) {
  if constexpr (width == 1) {
    double sum = kappa * g[first];
    for (std::int64_t age = 0; age < pairs.count; ++age) {
      const std::int64_t j = pairs.slot(age);
      sum += of.delta[j] * pairs.s(j)[first] - kappa * of.alpha[j] * pairs.y(j)[first];
    }
    out[first] = sum;
  } else {
    constexpr int packs = width / Pack::lanes;
    double own[width] = {};
    for (std::int64_t k = 0; k < count; ++k) own[k] = kappa * g[first + k];
    Pack sums[packs];
    for (int k = 0; k < packs; ++k) sums[k] = Pack::load(own + k * Pack::lanes);
    for (std::int64_t age = 0; age < pairs.count; ++age) {
      const std::int64_t j = pairs.slot(age);
      const double *const s = pairs.s(j) + first, *const y = pairs.y(j) + first;
      const Pack of_s(of.delta[j]), of_y(kappa * of.alpha[j]);
      for (int k = 0; k < packs; ++k) {
        sums[k] += of_s * Pack::load(s + k * Pack::lanes) - of_y * Pack::load(y + k * Pack::lanes);
      }
    }
    for (int k = 0; k < packs; ++k) sums[k].store(own + k * Pack::lanes);
    for (std::int64_t k = 0; k < count; ++k) out[first + k] = own[k];
  }
}

/// Computes out = H g for a few neighbouring coordinates.
template <class ExecutionSpace>
struct PairCombiner {
  // Coordinates per task: on a host eight packs, on a device one coordinate per thread.
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 8 * Pack::lanes : 1;

  StoredPairs pairs;
  PairProducts products;
  PairCoefficients coefficients;
  const double* g;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t first = task * width, left = pairs.dimension - first;
    combine<width>(pairs, products.scale(pairs.newest()), coefficients, g, first, left < width ? left : width, out);
  }
};

/// H g by the threads of one team on a host, with the same bits as PairDots, PairSolver and PairCombiner.
struct TeamMultiplier {
  using Space = Kokkos::DefaultHostExecutionSpace;  ///< Space whose kernels give these bits.

  StoredPairs pairs;
  PairProducts products;
  std::int64_t chunk, chunks;  // number of coordinates of a chunk; number of chunks
  double* parts;               // sums of chunks

  /// Size of the scratch memory of a team, in numbers.
  static std::int64_t scratch(std::int64_t threads, std::int64_t memory) { return threads * 4 * memory; }

  /// Sets out = H g for the coordinates of the calling thread, and returns these coordinates. Every thread runs the
  /// recursion, which takes less time than a barrier. All threads of the team must have written g before.
  template <class Team>
  ThreadShare multiply(const Team& team, const double* g, double* scratch, double* out) const {
    const PairDots<Space> dots{pairs, g, chunk, parts};
    const ThreadShare share = thread_share(team, dots.teams());
    dots.on_one_thread(share.begin, share.end);
    team.team_barrier();
    const std::int64_t m = pairs.count, memory = pairs.memory;
    double* const own = scratch + team.team_rank() * 4 * memory;
    const PairCoefficients of{own, own + memory, own + 2 * memory, own + 3 * memory};
    for (std::int64_t j = 0; j < m; ++j) {
      of.with_s[j] = sum_of_parts(parts, chunks, memory, j);
      of.with_y[j] = sum_of_parts(parts, chunks, memory, m + j);
    }
    recur<SlotWidth<Space>>(TeamOfOne(), pairs, products, of);
    constexpr std::int64_t width = PairCombiner<Space>::width;
    const double kappa = products.scale(pairs.newest());
    const ThreadShare coordinates = thread_share(team, pairs.dimension, width);
    for (std::int64_t first = coordinates.begin; first < coordinates.end; first += width) {
      const std::int64_t left = coordinates.end - first;
      combine<width>(pairs, kappa, of, g, first, left < width ? left : width, out);
    }
    return coordinates;
  }
};

}  // namespace sporos::impl
