// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_atomics.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/persistent_kernel.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/math/bits.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

namespace sporos {

/// Partition of a vector's coordinates among the teams of a persistent kernel: consecutive blocks of `share`
/// coordinates.
struct TeamPartition {
  std::int64_t dimension = 0;  ///< number of coordinates
  std::int64_t share = 0;      ///< number of coordinates per team, a multiple of 64
  std::int64_t teams = 0;      ///< number of teams

  /// Largest number of values, over all teams, that one team gathers in its scratch memory at once.
  static constexpr std::int64_t gathered = 1536;

  /// The partition for vectors of `dimension` coordinates. On devices it depends only on the dimension, so that no bit
  /// of a sum depends on the machine. A host has one team of one thread.
  template <class ExecutionSpace>
  static TeamPartition of(std::int64_t dimension) {
    constexpr std::int64_t min_share = 64, max_teams = runs_on_host<ExecutionSpace> ? 1 : 64;
    const std::int64_t share = std::max(min_share, ((dimension + max_teams - 1) / max_teams + 63) / 64 * 64);
    return {dimension, share, (dimension + share - 1) / share};
  }
};

/// Memory through which the teams of a persistent kernel exchange numbers, and the time limit for their waits.
struct ExchangeBuffer {
  std::uint64_t* words = nullptr;      ///< device memory of size(partition, most) words, initially 0
  std::int64_t most = 0;               ///< largest number of values that a team publishes at once
  std::uint64_t* timed_out = nullptr;  ///< a word on the device, initially 0; a team that times out sets it to 1
  std::uint64_t limit_ms = 30'000;     ///< longest time that a thread waits for a word, in milliseconds

  /// Number of words that the exchange requires. A single team exchanges nothing.
  static std::int64_t size(const TeamPartition& partition, std::int64_t most) {
    return partition.teams > 1 ? 4 * partition.teams * most : 1;
  }
  /// Size of the scratch memory that a team requires for an exchange, in doubles.
  KOKKOS_FUNCTION std::int64_t scratch() const { return most + TeamPartition::gathered + 1; }

  /// Throws std::runtime_error if `word`, the value of timed_out after a kernel, is not 0. The kernel's results are
  /// then invalid.
  void check_time(std::uint64_t word) const {
    if (word == 0) return;
    throw std::runtime_error(
        std::string("a team of a persistent kernel waited ")
            .append(std::to_string(limit_ms))
            .append(" ms for another: expected all of its teams on the device at the same time; run no "
                    "other persistent kernel on this device"));
  }
};

/// A team of a persistent kernel. Each team owns some coordinates of all vectors; the teams exchange only sums. All
/// teams of the league take part. All of them must be resident (can_be_resident), because they wait for each other.
///
/// Teams exchange a number as two words of 64 bits. Each word contains half of the number's bits and the number of the
/// round, as in the protocol LL of NCCL. A reader can thus see whether a word has arrived. This takes one trip to
/// memory; a barrier of all teams before the words are read would take three. Words of round r are overwritten in round
/// r + 2. By then, their writer has read words of round r + 1 from each team. Each team wrote these after it had read
/// the words of round r.
///
/// A team that waits longer than the buffer's limit times out, and all others stop with it. From then on all_reduce
/// returns immediately, and the contents of numbers() are invalid.
///
/// `Member` is a Kokkos team member, or a type with its league_rank, team_rank, team_size and team_barrier.
template <class Member>
class PersistentTeam {
 public:
  /// Creates the handle of this team. `numbers` points to buffer.scratch() doubles of the team's scratch memory.
  /// `round` is the value of round() at the end of the last kernel with this buffer, or 0 if this is the first. The
  /// constructor is a barrier of the team.
  KOKKOS_FUNCTION PersistentTeam(const Member& member, const TeamPartition& partition, const ExchangeBuffer& buffer,
                                 double* numbers, std::uint32_t round)
      : m_member(member), m_partition(partition), m_buffer(buffer), m_numbers(numbers), m_round(round) {
    const std::int32_t fitting = TeamPartition::gathered / static_cast<std::int32_t>(partition.share);
    m_parts = fitting < max_parts ? fitting : max_parts;
    if (member.team_rank() == 0 && impl::lane_index() == 0) store<relaxed>(gave_up(), 0);
    member.team_barrier();
  }

  /// The Kokkos team member of this thread.
  KOKKOS_FUNCTION const Member& member() const { return m_member; }
  /// First coordinate that this team owns.
  KOKKOS_FUNCTION std::int64_t begin() const { return m_member.league_rank() * m_partition.share; }
  /// Number of coordinates that this team owns.
  KOKKOS_FUNCTION std::int64_t count() const {
    const std::int64_t left = m_partition.dimension - begin();
    return left < m_partition.share ? left : m_partition.share;
  }
  /// Whether this is the first team, which writes the results that all teams have in common.
  KOKKOS_FUNCTION bool is_first() const { return m_member.league_rank() == 0; }
  /// Number of exchanges so far.
  KOKKOS_FUNCTION std::uint32_t round() const { return m_round; }
  /// Whether this team has timed out.
  KOKKOS_FUNCTION bool has_timed_out() const { return m_has_timed_out; }
  /// The numbers to exchange, in the team's scratch memory.
  KOKKOS_FUNCTION double* numbers() const { return m_numbers; }

  /// Calls one(i) for i = 0, …, `count` − 1 on the threads of this team. A barrier of the team follows.
  template <class Do>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(std::int64_t count, const Do& one) const {
    const auto end = static_cast<std::int32_t>(count);
    const std::int32_t lanes = impl::lane_count(), threads = m_member.team_size() * lanes;
    SPOROS_NOT_UNROLLED
    for (std::int32_t i = m_member.team_rank() * lanes + impl::lane_index(); i < end; i += threads) one(i);
    m_member.team_barrier();
  }

  /// Sets numbers()[c] = Σ_j term(c, j), c = 0, …, `count` − 1, where j runs over the coordinates that this team owns.
  /// A barrier of the team follows.
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION void sum_own(std::int64_t count, const Term& term) const {
    constexpr std::int32_t width = 4;  // independent sums per group of lanes
    const auto all = static_cast<std::int32_t>(count), size = static_cast<std::int32_t>(this->count());
    const std::int32_t groups = (all + width - 1) / width;
    const std::int64_t first = begin();
    SPOROS_NOT_UNROLLED
    for (std::int32_t group = m_member.team_rank(); group < groups; group += m_member.team_size()) {
      const std::int32_t at = group * width;
      double sums[width] = {};
      SPOROS_NOT_UNROLLED
      for (std::int32_t j = impl::lane_index(); j < size; j += impl::lane_count()) {
        for (std::int32_t k = 0; k < width; ++k) sums[k] += term(at + k < all ? at + k : at, first + j);
      }
      impl::warp_sums<width>(sums);
      for (std::int32_t k = 0; k < width; ++k) {
        if (impl::lane_index() == 0 && at + k < all) m_numbers[at + k] = sums[k];
      }
    }
    m_member.team_barrier();
  }

  /// Calls finish(j, Σ_i term(i, j)), i = 0, …, `terms` − 1, for each coordinate j that this team owns. The terms are
  /// summed in independent parts, which several threads share. A barrier of the team follows.
  template <class Term, class Finish>
  KOKKOS_FORCEINLINE_FUNCTION void sum_terms(std::int64_t terms, const Term& term, const Finish& finish) const {
    const std::int64_t first = begin(), size = count();
    const std::int32_t parts = m_parts;
    if (parts < 2) {
      return for_each(size, [&](std::int64_t k) { finish(first + k, sum_of(0, terms, 1, first + k, term)); });
    }
    double* const found = m_numbers + m_buffer.most;
    for_each(size * parts, [&](std::int64_t item) {
      const auto wide = static_cast<std::uint32_t>(size), part = static_cast<std::uint32_t>(item) / wide;
      found[item] = sum_of(part, terms, parts, first + static_cast<std::uint32_t>(item) % wide, term);
    });
    for_each(size, [&](std::int64_t k) {
      double sum = 0;
      for (std::int64_t part = 0; part < parts; ++part) sum += found[part * size + k];
      finish(first + k, sum);
    });
  }

  /// Returns Σ_j term(c, j) over all coordinates j, c = 0, …, `size` − 1. Collective: all threads of all teams must
  /// call it.
  template <int size, class Term>
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, size> total(const Term& term) {
    sum_own(size, term);
    all_reduce(size);
    Kokkos::Array<double, size> found;
    for (int c = 0; c < size; ++c) found[c] = m_numbers[c];
    m_member.team_barrier();
    return found;
  }

  /// Replaces each of the first `count` numbers() by its sum over all teams, added in the order of the teams. `count`
  /// is at least 1. Collective: all threads of all teams must call it with the same count.
  KOKKOS_FUNCTION void all_reduce(std::int64_t count) {
    if (m_partition.teams == 1 || m_has_timed_out) return;
    ++m_round;
    std::uint64_t* const published = m_buffer.words + (m_round % 2) * 2 * m_partition.teams * m_buffer.most;
    publish(published + 2 * m_buffer.most * m_member.league_rank(), count);
    const std::int32_t at_once = TeamPartition::gathered / static_cast<std::int32_t>(m_partition.teams);
    for (std::int64_t first = 0; first < count && !m_has_timed_out; first += at_once) {
      gather(published + 2 * first, first, count - first < at_once ? count - first : at_once);
    }
  }

 private:
  static constexpr std::int32_t max_parts = 16;
  static constexpr std::uint32_t batch = 2;                   // numbers that a thread loads before it checks the first
  static constexpr std::uint32_t polls_between_looks = 1024;  // polls between reads of the clock: 0.5 ms on a device

  // A word can be read without any other word. Four steps must be ordered until its memory is written again: it is
  // read, its reader's team writes the next round, this team reads that round, and this team overwrites the word. On a
  // host, release and acquire order these steps. On a device, they would cost a fence and the L1 cache in each
  // exchange. There each step depends on the step before it (the waiting loop, the barrier of the team). A load that
  // returned a value derived from that load itself would violate the axiom "no thin air" of PTX's memory model.
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;
  static constexpr std::memory_order publishing = impl::on_device() ? relaxed : std::memory_order_release;
  static constexpr std::memory_order reading = impl::on_device() ? relaxed : std::memory_order_acquire;

  template <std::memory_order order>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t load(const std::uint64_t& word) {
    return impl::load_at_device_scope<order>(word);
  }
  template <std::memory_order order>
  KOKKOS_FORCEINLINE_FUNCTION static void store(std::uint64_t& word, std::uint64_t value) {
    impl::store_at_device_scope<order>(word, value);
  }

  // A word in scratch memory: whether a thread of this team has timed out. All threads of a team must see the same
  // value. The buffer's word does not guarantee this, because other teams set it at any time.
  KOKKOS_FUNCTION std::uint64_t& gave_up() const {
    return *reinterpret_cast<std::uint64_t*>(m_numbers + m_buffer.scratch() - 1);
  }

  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION static double sum_of(std::int64_t i, std::int64_t terms, std::int64_t step,
                                                   std::int64_t j, const Term& term) {
    double sum = 0;
    SPOROS_NOT_UNROLLED
    for (auto k = static_cast<std::int32_t>(i); k < terms; k += static_cast<std::int32_t>(step)) sum += term(k, j);
    return sum;
  }

  KOKKOS_FUNCTION void publish(std::uint64_t* words, std::int64_t count) const {
    const std::uint64_t tag = m_round;
    for_each(count, [&](const std::int64_t c) {
      const std::uint64_t bits = math::impl::to_bits(m_numbers[c]);
      store<publishing>(words[2 * c], (bits & 0xffffffff00000000u) | tag);
      store<publishing>(words[2 * c + 1], (bits << 32) | tag);
    });
  }

  // Sums `count` numbers starting at `first` over all teams, by way of the scratch memory that follows the numbers.
  KOKKOS_FUNCTION void gather(const std::uint64_t* words, std::int64_t first, std::int64_t count) {
    double* const found = m_numbers + m_buffer.most;
    const auto wide = static_cast<std::uint32_t>(count), all = wide * static_cast<std::uint32_t>(m_partition.teams);
    const std::uint32_t stride = (all + batch - 1) / batch;
    const auto place_of = [&](std::uint32_t item) {
      return words + item / wide * (2 * m_buffer.most) + 2 * (item % wide);
    };
    for_each(stride, [&](const std::int64_t i) {
      std::uint32_t items[batch];
      std::uint64_t high[batch], low[batch];
      for (std::uint32_t k = 0; k < batch; ++k) {
        const std::uint32_t item = static_cast<std::uint32_t>(i) + k * stride;
        items[k] = item < all ? item : static_cast<std::uint32_t>(i);
        high[k] = load<reading>(place_of(items[k])[0]);
        low[k] = load<reading>(place_of(items[k])[1]);
      }
      for (std::uint32_t k = 0; k < batch; ++k) {
        if (!await(place_of(items[k])[0], high[k]) || !await(place_of(items[k])[1], low[k])) {
          store<relaxed>(gave_up(), 1);
          return;
        }
        found[items[k]] = math::impl::from_bits((high[k] & 0xffffffff00000000u) | (low[k] >> 32));
      }
    });
    m_has_timed_out = load<relaxed>(gave_up()) != 0;
    if (m_has_timed_out) return;
    for_each(count, [&](const std::int64_t c) {
      double sum = 0;
      for (std::int64_t of = 0; of < m_partition.teams; ++of) sum += found[of * count + c];
      m_numbers[first + c] = sum;
    });
  }

  // Loads the word until it belongs to this round. Returns false if the wait ends before that.
  KOKKOS_FORCEINLINE_FUNCTION bool await(const std::uint64_t& word, std::uint64_t& value) const {
    std::uint64_t since = 0;
    for (std::uint32_t polls = 1; static_cast<std::uint32_t>(value) != m_round; ++polls) {
      value = load<reading>(word);
      if (polls % polls_between_looks == 0 && !may_wait(since)) return false;
    }
    return true;
  }

  // Whether no team has timed out and the time limit is not reached. `since` is 0 in the first call of a wait.
  KOKKOS_FUNCTION bool may_wait(std::uint64_t& since) const {
    if (load<relaxed>(*m_buffer.timed_out) != 0) return false;
    constexpr std::uint64_t nanoseconds = 1'000'000;  // per millisecond
    const std::uint64_t now = impl::shared_clock();
    if (since == 0) since = now;
    if (now > since + m_buffer.limit_ms * nanoseconds) {
      store<relaxed>(*m_buffer.timed_out, 1);
      return false;
    }
    SPOROS_IF_ON_HOST((std::this_thread::yield();))
    return true;
  }

  const Member& m_member;
  TeamPartition m_partition;
  ExchangeBuffer m_buffer;
  double* m_numbers;
  std::uint32_t m_round;
  std::int32_t m_parts;  // number of parts in sum_terms
  bool m_has_timed_out = false;
};

}  // namespace sporos
