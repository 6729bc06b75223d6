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

/// Draws made ahead: while the lanes of one warp run a replication each, the lanes of another one make the variates
/// that they will draw (docs/gpu.md, Mappings).
namespace sporos::impl {

/// The variates of a warp's replications, in scratch memory that is aligned to 16 bytes: a ring for each input of each
/// lane.
///
/// A variate is stored with the number of its draw: each of two words holds half of its bits and the low bits of that
/// number. So a reader knows whether both are those of the draw that it wants, and loads and stores need no order.
template <int input_count, int unit_draws>
struct DrawQueues {
  static constexpr unsigned at_once = unit_draws < 4 ? 4 : unit_draws;  ///< draws that are made together
  static constexpr unsigned length = 4 * at_once;                       ///< of a ring
  static constexpr unsigned told_draws = 4;  ///< after so many a replication tells how many it has made
  static constexpr std::uint64_t replication_is_over = ~std::uint64_t{0};  ///< of `used`

  WordPair variates[input_count][length * warp_lanes];  ///< by place in the ring, then lane
  /// How many draws the replication has made, and in the lowest 8 bits which form is to be made of them: its index + 1,
  /// 0 before the first draw.
  std::uint64_t used[input_count][warp_lanes];

  /// Before a lane's replication begins.
  KOKKOS_INLINE_FUNCTION void clear(int lane) {
    for (int input = 0; input < input_count; ++input) {
      for (unsigned place = 0; place < length; ++place) variates[input][place * warp_lanes + lane] = {0, 0};
      used[input][lane] = 0;
    }
  }

  /// After it.
  KOKKOS_INLINE_FUNCTION void end(int lane) {
    for (auto& lanes : used) store_in_team(lanes[lane], replication_is_over);
  }
};

// What marks a word of draw `draw`: not that of cleared memory, 0, for the first one.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t mark_of_draw(std::uint64_t draw) {
  return static_cast<std::uint32_t>(draw + 1);
}

// A normal variate takes so many instructions that one text serves all.
SPOROS_NOINLINE KOKKOS_INLINE_FUNCTION double standard_normal_of(double uniform) {
  return StandardNormal::from_open_uniform(uniform);
}

/// Makes variates for the replication of `lane` until it is over: of each input those of the form that it drew first.
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
      const bool is_known = form >= 1 && form <= StandardNormal::index + 1;  // others are made where they are drawn
      if (is_over || !is_known || first + at_once > used + Queues::length) continue;
      // The replication was faster, and is when these are ready.
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

/// What a model draws from in a replication whose variates are made ahead. It never waits: a variate that is not there,
/// or of another form, it makes itself, with the same bits. Lanes that wait for each other's variates would part for
/// good and run one after the other (seen: M/M/c/k 3 times slower).
template <CounterEngine E, int input_count>
class QueuedInputs {
 public:
  using Number = double;                                       ///< of a draw
  using Queues = DrawQueues<input_count, E::draws_per_block>;  ///< where they are

  /// The inputs of replication `replication` of an experiment with seed `seed`, run by lane `lane`.
  KOKKOS_FUNCTION QueuedInputs(Queues& queues, int lane, std::uint64_t seed, std::uint64_t replication)
      : m_queues(queues), m_lane(lane), m_seed(seed), m_replication(replication) {}

  QueuedInputs(const QueuedInputs&) = delete;
  QueuedInputs& operator=(const QueuedInputs&) = delete;

  /// The next draw of input variable `input`, as of Inputs.
  KOKKOS_FORCEINLINE_FUNCTION Draw<QueuedInputs> operator()(int input) {
    check_input(input, input_count);
    return {*this, input};
  }

  /// The next draw of `input` as a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double next(int input) {
    Variable& variable = m_variables[input];
    const WordPair words = load_in_team(m_queues.variates[input][variable.place + m_lane]);
    const std::uint64_t draw = variable.drawn++;
    variable.place = (variable.place + warp_lanes) % (Queues::length * warp_lanes);
    if (variable.drawn % Queues::told_draws == 0) tell_used(input);
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
    unsigned form = 0;   // that is made ahead: its index + 1
    unsigned place = 0;  // of the next variate in the ring, in lanes
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

  // Static: an object whose address goes out of line would live in memory.
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
