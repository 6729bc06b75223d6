// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/team_atomics.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Pre-generated draws: while each lane of one warp runs a replication, the lanes of another warp generate the variates
/// that these replications will draw (docs/explanation/threads-and-warps.md, Pre-generated draws).
namespace sporos::impl {

/// The variates of a warp's replications, in scratch memory aligned to 16 bytes: one ring for each input of each lane.
///
/// A variate is stored with the index of its draw. Each of two words holds half of the variate's bits and the low bits
/// of the index. A reader can thus check that both words belong to the requested draw, and loads and stores need no
/// ordering.
template <int input_count, int unit_draws>
struct DrawQueues {
  static constexpr unsigned at_once = unit_draws < 4 ? 4 : unit_draws;  ///< draws that are generated together
  static constexpr unsigned length = 4 * at_once;                       ///< length of a ring
  static constexpr unsigned reported_draws = 4;  ///< a replication reports its number of draws after this many
  static constexpr std::uint64_t replication_is_over = ~std::uint64_t{0};  ///< value of `used` after the end

  WordPair variates[input_count][length * warp_lanes];  ///< indexed by position in the ring, then by lane
  /// Number of draws that the replication has made, shifted left by 8 bits. The lowest 8 bits hold the requested form:
  /// its index + 1, or 0 before the first draw.
  std::uint64_t used[input_count][warp_lanes];

  /// Resets the queues of `lane`. Call before its replication begins.
  KOKKOS_INLINE_FUNCTION void clear(int lane) {
    for (int input = 0; input < input_count; ++input) {
      for (unsigned place = 0; place < length; ++place) variates[input][place * warp_lanes + lane] = {0, 0};
      used[input][lane] = 0;
    }
  }

  /// Marks the replication of `lane` as over. Call after it ends.
  KOKKOS_INLINE_FUNCTION void end(int lane) {
    for (auto& lanes : used) store_in_team(lanes[lane], replication_is_over);
  }
};

// Returns the mark of the words of draw `draw`. Even for the first draw it differs from 0, the value of cleared memory.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t mark_of_draw(std::uint64_t draw) {
  return static_cast<std::uint32_t>(draw + 1);
}

// Not inlined: a normal variate takes so many instructions that all uses share one copy of the code.
SPOROS_NOINLINE KOKKOS_INLINE_FUNCTION double standard_normal_of(double uniform) {
  return StandardNormal::from_open_uniform(uniform);
}

/// Generates variates for the replication of `lane` until it is over. Each input gets variates of the form that the
/// replication drew from it first.
template <CounterEngine E, int input_count>
KOKKOS_INLINE_FUNCTION void make_draws(DrawQueues<input_count, E::draws_per_block>& queues, int lane,
                                       std::uint64_t seed, std::uint64_t replication) {
  using Queues = DrawQueues<input_count, E::draws_per_block>;
  constexpr unsigned unit_draws = E::draws_per_block, at_once = Queues::at_once;
  std::uint64_t made[input_count] = {};
  for (bool is_over = false; !is_over;) {
    SPOROS_NOT_UNROLLED
    for (int input = 0; input < input_count; ++input) {
      const std::uint64_t used_and_form = load_in_team(queues.used[input][lane]);
      is_over = used_and_form == Queues::replication_is_over;
      const std::uint64_t form = used_and_form & 255, used = used_and_form >> 8;
      std::uint64_t& first = made[input];
      // Other forms are computed when they are drawn.
      const bool is_known = form >= 1 && form <= StandardNormal::index + 1;
      if (is_over || !is_known || first + at_once > used + Queues::length) continue;
      // The replication has overtaken this warp, and will be still further when these draws are ready: skip ahead.
      if (used > first) first = ((used + at_once - 1) / at_once + 1) * at_once;

      const Stream stream{seed, replication, static_cast<std::uint32_t>(input)};
      double values[at_once];
      for (unsigned i = 0; i < at_once; i += unit_draws) {
        const auto bits = E::block(stream, (first + i) / unit_draws);
        for (unsigned w = 0; w < unit_draws; ++w) values[i + w] = open_uniform(bits[w]);
      }
      if (form == StandardExponential::index + 1) {
        for (double& value : values) value = StandardExponential::from_open_uniform(value);
      } else if (form == StandardNormal::index + 1) {
        for (double& value : values) value = standard_normal_of(value);
      }
      for (unsigned i = 0; i < at_once; ++i) {
        const std::uint64_t mark = std::uint64_t{mark_of_draw(first + i)} << 32, bits = math::impl::to_bits(values[i]);
        store_in_team(queues.variates[input][(first + i) % Queues::length * warp_lanes + lane],
                      {mark | bits >> 32, mark | (bits & 0xffffffff)});
      }
      first += at_once;
    }
  }
}

/// Inputs of a replication whose variates are pre-generated. They never wait: if a variate is not ready or has another
/// form, the replication computes it itself, with the same bits. Lanes that waited for each other's variates would
/// diverge permanently and run one after the other (measured: M/M/c/k 3 times slower).
template <CounterEngine E, int input_count>
class QueuedInputs : public DrawsOfEntities<QueuedInputs<E, input_count>> {
 public:
  using Number = double;                                       ///< type of a draw
  using Queues = DrawQueues<input_count, E::draws_per_block>;  ///< type of the queues of variates

  /// The inputs of replication `replication` of an experiment with seed `seed`, run by lane `lane`.
  KOKKOS_FUNCTION QueuedInputs(Queues& queues, int lane, std::uint64_t seed, std::uint64_t replication)
      : m_queues(queues), m_lane(lane), m_seed(seed), m_replication(replication) {}

  QueuedInputs(const QueuedInputs&) = delete;
  QueuedInputs& operator=(const QueuedInputs&) = delete;

  /// The next draw of input variable `input`, as for Inputs.
  KOKKOS_FORCEINLINE_FUNCTION Draw<QueuedInputs> operator()(int input) {
    check_input(input, input_count);
    return {*this, input};
  }

  /// Draws that belong to an entity, which are not pre-generated; see Inputs.
  KOKKOS_FORCEINLINE_FUNCTION DrawPair<EntityDraw> pair_of(std::uint64_t entity, int input, std::uint64_t pair) {
    check_input(input, input_count);
    const auto uniforms = pair_of_entity<E>({m_seed, m_replication, static_cast<std::uint32_t>(input)}, entity, pair);
    return {EntityDraw(uniforms[0]), EntityDraw(uniforms[1])};
  }

  /// The next draw of `input` as a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double next(int input) {
    Variable& variable = m_variables[input];
    const WordPair words = load_in_team(m_queues.variates[input][variable.place + m_lane]);
    const std::uint64_t draw = variable.drawn++;
    variable.place = (variable.place + warp_lanes) % (Queues::length * warp_lanes);
    if (variable.drawn % Queues::reported_draws == 0) tell_used(input);
    if (is_of_draw(words, draw) && variable.form == Form::index + 1) {
      return math::impl::from_bits(words.first << 32 | (words.second & 0xffffffff));
    }
    if (variable.form == 0) {
      variable.form = Form::index + 1;
      tell_used(input);
    }
    return made_here<Form>({m_seed, m_replication, static_cast<std::uint32_t>(input)}, draw);
  }

 private:
  struct Variable {
    std::uint64_t drawn = 0;
    unsigned form = 0;   // index + 1 of the form that is pre-generated; 0 if none
    unsigned place = 0;  // position of the next variate in the ring, in lanes
  };

  KOKKOS_FORCEINLINE_FUNCTION static bool is_of_draw(const WordPair& words, std::uint64_t draw) {
    const std::uint32_t mark = mark_of_draw(draw);
    return static_cast<std::uint32_t>(words.first >> 32) == mark &&
           static_cast<std::uint32_t>(words.second >> 32) == mark;
  }

  KOKKOS_FORCEINLINE_FUNCTION void tell_used(int input) {
    const Variable& variable = m_variables[input];
    store_in_team(m_queues.used[input][m_lane], variable.drawn << 8 | variable.form);
  }

  // Static, because an object whose address is passed to a function that is not inlined would be kept in memory.
  template <class Form>
  SPOROS_NOINLINE KOKKOS_FUNCTION static double made_here(const Stream& stream, std::uint64_t draw) {
    const auto bits = E::block(stream, draw / E::draws_per_block);
    return Form::from_open_uniform(open_uniform(bits[draw % E::draws_per_block]));
  }

  Queues& m_queues;
  int m_lane;
  std::uint64_t m_seed, m_replication;
  Variable m_variables[input_count];
};

}  // namespace sporos::impl
