// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Draws that belong to entities, from an engine; see Inputs::pair_of.
namespace sporos::impl {

/// Two draws of 64 bits.
using TwoDraws = Kokkos::Array<std::uint64_t, 2>;

// Returns draws 2 · `pair` and 2 · `pair` + 1 of `stream`, from a stateless engine.
template <CounterEngine E>
KOKKOS_FORCEINLINE_FUNCTION TwoDraws two_draws(const Stream& stream, std::uint64_t pair) {
  constexpr std::uint64_t width = E::draws_per_block;
  if constexpr (width == 1) {
    return {{E::block(stream, 2 * pair)[0], E::block(stream, 2 * pair + 1)[0]}};
  } else {
    const auto block = E::block(stream, 2 * pair / width);
    const std::uint64_t first = 2 * pair % width;
    return {{block[first], block[first + 1]}};
  }
}

// Returns pair number `pair` of `stream`, from an engine with a state. Each pair has its own stream, because such an
// engine cannot skip draws.
template <SequentialEngine E>
KOKKOS_INLINE_FUNCTION TwoDraws two_draws(const Stream& stream, std::uint64_t pair) {
  E engine = E::of_stream({entity_seed(stream.seed, pair), stream.replication, stream.input});
  const std::uint64_t first = engine.next_draw();
  return {{first, engine.next_draw()}};
}

// Returns pair number `pair` of the uniforms of `stream` that belong to `entity`.
template <class E>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, 2> pair_of_entity(const Stream& stream, std::uint64_t entity,
                                                                    std::uint64_t pair) {
  const TwoDraws bits = two_draws<E>({entity_seed(stream.seed, entity), stream.replication, stream.input}, pair);
  return {{open_uniform(bits[0]), open_uniform(bits[1])}};
}

/// Pairs of a stateless engine, each computed when it is drawn.
template <CounterEngine E>
class EntityPairs {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, 2> pair_of(const Stream& stream, std::uint64_t entity,
                                                               std::uint64_t pair) const {
    return pair_of_entity<E>(stream, entity, pair);
  }
};

/// Eight pairs of an input, and on request the exponentials of their first uniforms. Row 0 has pairs 0 to 3 of an
/// entity with an even number and of the next one. Row r > 0 has pairs 8 r − 4 to 8 r + 3 of one entity.
class EntityBlock {
 public:
  static constexpr int pairs = 8;  ///< number of pairs

  std::uint64_t entity, row, input;  ///< identify the pairs
  double uniforms[2][pairs];         ///< both draws of each pair

  /// Returns −ln u for the first uniform of pair i of the block. All eight are computed together, in vector code.
  KOKKOS_FORCEINLINE_FUNCTION double exponential(int i) {
    if (!m_has_exponentials) fill_exponentials();
    return m_exponentials[i];
  }
  /// Marks new uniforms.
  KOKKOS_FORCEINLINE_FUNCTION void discard_exponentials() { m_has_exponentials = false; }

 private:
  SPOROS_NOINLINE KOKKOS_FUNCTION void fill_exponentials() {
    for (int i = 0; i < pairs; ++i) m_exponentials[i] = StandardExponential::from_open_uniform(uniforms[0][i]);
    m_has_exponentials = true;
  }

  bool m_has_exponentials = false;
  double m_exponentials[pairs];
};

/// A pair in an EntityBlock.
struct EntityPlace {
  EntityBlock* block;  ///< block
  int pair;            ///< index of the pair in the block
};

/// Pairs of a stateless engine on a host, which computes eight pairs together: vector code takes hardly longer for them
/// than scalar code for one pair. Customers of a network draw a pair at each visit to a station, so that their next
/// pairs are ready. Many customers make few visits, so the first pairs are computed together with those of the next
/// customer: Erlang A takes 0.88 of the time that it took with eight pairs of one customer, a Jackson network 0.95, and
/// ten stations, where most customers make eight visits, 1.03. Rows 0 and later rows have their own blocks: in common
/// ones they would replace each other, and ten stations would take another 10 %.
template <CounterEngine E>
class EntityLookahead {
 public:
  /// The place of pair number `pair` of the uniforms of `stream` that belong to `entity`. All calls must have the same
  /// seed and replication.
  KOKKOS_FORCEINLINE_FUNCTION EntityPlace place_of(const Stream& stream, std::uint64_t entity, std::uint64_t pair) {
    if (!m_is_clear) clear();
    const std::uint64_t is_first_row = pair < 4 ? 1 : 0;
    const std::uint64_t first = entity & ~is_first_row, row = (pair + 4) / 8;
    EntityBlock& block = m_blocks[is_first_row][((entity >> is_first_row) + 5 * stream.input) % block_count];
    if (block.entity != first || block.row != row || block.input != stream.input) fill(block, stream, first, row);
    return {&block, static_cast<int>((pair + 4) % 8 - 4 * (is_first_row & ~entity))};
  }

 private:
  static constexpr int block_count = 32;
  static constexpr std::uint64_t no_input = ~std::uint64_t{0};

  // Called at the first pair, because most models have no entities.
  SPOROS_NOINLINE KOKKOS_FUNCTION void clear() {
    for (auto& blocks : m_blocks) {
      for (EntityBlock& block : blocks) block.input = no_input;
    }
    m_is_clear = true;
  }

  SPOROS_NOINLINE KOKKOS_FUNCTION static void fill(EntityBlock& block, const Stream& stream, std::uint64_t entity,
                                                   std::uint64_t row) {
    block.entity = entity;
    block.row = row;
    block.input = stream.input;
    block.discard_exponentials();
    if (row == 0) {
      for (std::uint64_t i = 0; i < EntityBlock::pairs; ++i)
        set(block, i, pair_of_entity<E>(stream, entity + i / 4, i % 4));
    } else {
      for (std::uint64_t i = 0; i < EntityBlock::pairs; ++i)
        set(block, i, pair_of_entity<E>(stream, entity, 8 * row - 4 + i));
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void set(EntityBlock& block, std::uint64_t i,
                                              const Kokkos::Array<double, 2>& pair) {
    block.uniforms[0][i] = pair[0];
    block.uniforms[1][i] = pair[1];
  }

  bool m_is_clear = false;
  EntityBlock m_blocks[2][block_count];  // of later rows, and of rows 0
};

}  // namespace sporos::impl
