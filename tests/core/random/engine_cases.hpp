// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <tuple>

namespace sporos::test {

/// Adapter that draws from an engine without a state in order, as from an engine with a state.
template <CounterEngine E>
class InOrder {
 public:
  KOKKOS_INLINE_FUNCTION static InOrder of_stream(const Stream& stream) {
    InOrder engine;
    engine.m_stream = stream;
    engine.m_next = 0;
    return engine;
  }

  KOKKOS_INLINE_FUNCTION std::uint64_t next_draw() {
    constexpr std::uint64_t width = E::draws_per_block;
    const std::uint64_t n = m_next++;
    return E::block(m_stream, n / width)[static_cast<int>(n % width)];
  }

 private:
  Stream m_stream;
  std::uint64_t m_next;
};

template <class E>
struct DrawnInOrder {
  using Class = E;
};
template <CounterEngine E>
struct DrawnInOrder<E> {
  using Class = InOrder<E>;
};

/// An engine that can be chosen at run time. `Type` is the engine as listed, `Class` draws from it in order.
template <class Choice>
struct EngineCase : DrawnInOrder<typename Choice::Type> {
  using Type = typename Choice::Type;
  static constexpr Engine engine = Choice::value;
};

/// All engines that can be chosen at run time on every backend.
template <class... Choices>
using CasesOf = std::tuple<EngineCase<Choices>...>;
using EngineCases = Engines::As<CasesOf>;

/// Calls `visit(EngineCase())` for every engine.
template <class Visit>
void for_each_engine(const Visit& visit) {
  std::apply([&](const auto&... cases) { (visit(cases), ...); }, EngineCases());
}

/// The `rand()` of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel
/// Monte Carlo simulation, section 6.2: SEED = (1103515245 SEED + 12345) mod 2^15. The number of the stream seeds it,
/// as with srand(). It is a control: every check of randomness must reject it.
class PaperRand {
 public:
  static PaperRand of_stream(const Stream& stream) {
    PaperRand engine;
    engine.m_state = static_cast<std::uint32_t>(stream.seed + 16 * stream.replication + stream.input);
    return engine;
  }

  std::uint64_t next_draw() {
    m_state = (m_state * 1103515245u + 12345u) % 32768u;
    return std::uint64_t{m_state} << 49;
  }

 private:
  std::uint32_t m_state;
};

}  // namespace sporos::test
