// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <tuple>

namespace sporos::test {

/// An engine without state, drawn from in order as the engines with a state are.
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

/// An engine that can be chosen at run time, and its class.
template <Engine e, class C>
struct EngineCase {
  using Class = C;
  static constexpr Engine engine = e;
};

/// Every engine there is.
using EngineCases =
    std::tuple<EngineCase<Engine::philox4x32, InOrder<Philox4x32>>, EngineCase<Engine::philox4x64, InOrder<Philox4x64>>,
               EngineCase<Engine::taus88, Taus88>, EngineCase<Engine::mrg32k3a, Mrg32k3a>,
               EngineCase<Engine::ranlux24_0, Ranlux24_0>, EngineCase<Engine::ranlux24_1, Ranlux24_1>,
               EngineCase<Engine::ranlux24_2, Ranlux24_2>, EngineCase<Engine::ranlux48_0, Ranlux48_0>,
               EngineCase<Engine::ranlux48_1, Ranlux48_1>, EngineCase<Engine::ranlux48_2, Ranlux48_2>>;
static_assert(std::tuple_size_v<EngineCases> == ChoiceNames<Engine>::values.size());

/// Calls `visit(EngineCase())` for every engine.
template <class Visit>
void for_each_engine(const Visit& visit) {
  std::apply([&](const auto&... cases) { (visit(cases), ...); }, EngineCases());
}

/// The `rand()` of paper 001, section 6.2: SEED = (1103515245 SEED + 12345) mod 2^15, seeded, as one does with srand(),
/// by the number of the stream. What every check of randomness must reject.
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
