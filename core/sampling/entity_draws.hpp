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

/// Eight pairs of an entity and an input, and on request the exponentials of their first uniforms.
class EntityBlock {
 public:
  static constexpr int pairs = 8;  ///< number of pairs

  std::uint64_t entity, first, input;  ///< the block has pairs `first` to `first` + 7
  double uniforms[2][pairs];           ///< both draws of each pair

  /// Returns −ln u for the first uniform of pair `first` + i. All eight are computed together, in vector code.
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

/// Pairs of a stateless engine on a host, which computes eight pairs of an entity together: vector code takes hardly
/// longer for them than scalar code for one pair. Customers of a network draw a pair at each visit to a station, so
/// that their next pairs are ready. Ten stations take 0.81 of the time. Exponentials that are also computed together
/// save another 8 % there, and 10 % of a Jackson network.
template <CounterEngine E>
class EntityLookahead {
 public:
  /// The block with pair number `pair` of the uniforms of `stream` that belong to `entity`. All calls must have the
  /// same seed and replication.
  KOKKOS_FORCEINLINE_FUNCTION EntityBlock& block_of(const Stream& stream, std::uint64_t entity, std::uint64_t pair) {
    if (!m_is_clear) clear();
    EntityBlock& block = m_blocks[(entity + 5 * stream.input) % block_count];
    const std::uint64_t first = pair / at_once * at_once;
    if (block.entity != entity || block.first != first || block.input != stream.input)
      fill(block, stream, entity, first);
    return block;
  }

 private:
  static constexpr int at_once = EntityBlock::pairs, block_count = 32;
  static constexpr std::uint64_t no_input = ~std::uint64_t{0};

  // Called at the first pair, because most models have no entities.
  SPOROS_NOINLINE KOKKOS_FUNCTION void clear() {
    for (EntityBlock& block : m_blocks) block.input = no_input;
    m_is_clear = true;
  }

  SPOROS_NOINLINE KOKKOS_FUNCTION static void fill(EntityBlock& block, const Stream& stream, std::uint64_t entity,
                                                   std::uint64_t first) {
    block.entity = entity;
    block.first = first;
    block.input = stream.input;
    block.discard_exponentials();
    for (int i = 0; i < at_once; ++i) {
      const auto pair = pair_of_entity<E>(stream, entity, first + static_cast<std::uint64_t>(i));
      block.uniforms[0][i] = pair[0];
      block.uniforms[1][i] = pair[1];
    }
  }

  bool m_is_clear = false;
  EntityBlock m_blocks[block_count];
};

}  // namespace sporos::impl
