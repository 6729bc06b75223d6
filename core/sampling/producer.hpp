// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/sampling.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos {

/// Which random numbers a plan asks for.
struct UniformSource {
  Engine engine = Engine::philox4x32;    ///< where the bits come from
  Sampling sampling = Sampling::random;  ///< how they become uniforms

  /// Whether this is the default path: philox, random.
  KOKKOS_FUNCTION bool is_default() const { return engine == Engine::philox4x32 && sampling == Sampling::random; }
};

namespace impl {

/// Fills lookaheads by an engine without state that is known at compile time; variates of any standard form.
template <CounterEngine E, template <int> class LookaheadOf>
class EngineProducer {
 public:
  using Lookahead = LookaheadOf<E::draws_per_block>;
  static constexpr unsigned unit_draws = E::draws_per_block;
  static constexpr bool prepares_forms = true;

  KOKKOS_FUNCTION EngineProducer(const UniformSource&, std::uint64_t seed, std::uint64_t replication)
      : m_seed(seed), m_replication(replication) {}

  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION void fill(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                        unsigned units) {
    const Stream stream{m_seed, m_replication, input};
    lookahead.fill(
        first_unit, units, [&](std::uint64_t unit) { return E::block(stream, unit); },
        [](std::uint64_t bits) { return Form::from_open_uniform(open_uniform(bits)); });
  }

 private:
  std::uint64_t m_seed, m_replication;
};

/// Fills lookaheads as the source says at run time: every engine and sampling there is, by a branch that all lanes of a
/// warp take alike, once for a block of draws.
template <template <int> class LookaheadOf, int input_count>
class ChosenProducer {
 public:
  using Lookahead = LookaheadOf<4>;
  static constexpr unsigned unit_draws = 4;
  static constexpr bool prepares_forms = false;

  KOKKOS_FUNCTION ChosenProducer(const UniformSource& source, std::uint64_t seed, std::uint64_t replication)
      : m_seed(seed),
        m_replication(source.sampling == Sampling::antithetic ? replication / 2 : replication),
        m_engine(source.engine),
        m_reflect(source.sampling == Sampling::antithetic && replication % 2 == 1) {
    if (m_engine == Engine::taus88) {
      for (int input = 0; input < input_count; ++input) m_taus88[input] = Taus88::of_stream(stream(input));
    }
  }

  template <class Form>
  KOKKOS_INLINE_FUNCTION void fill(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                   unsigned units) {
    const Stream name = stream(input);
    const auto value_of_bits = [reflect = m_reflect](std::uint64_t bits) {
      const double u = open_uniform(bits);
      return reflect ? 1.0 - u : u;
    };
    switch (m_engine) {
      case Engine::philox4x32:
        lookahead.fill(
            first_unit, units,
            [&](std::uint64_t unit) {
              const auto a = Philox4x32::block(name, 2 * unit);
              const auto b = Philox4x32::block(name, 2 * unit + 1);
              return Kokkos::Array<std::uint64_t, 4>{{a[0], a[1], b[0], b[1]}};
            },
            value_of_bits);
        break;
      case Engine::philox4x64:
        lookahead.fill(
            first_unit, units, [&](std::uint64_t unit) { return Philox4x64::block(name, unit); }, value_of_bits);
        break;
      case Engine::taus88:
        lookahead.fill_in_order(
            units, [&] { return m_taus88[input].next_draw(); }, value_of_bits);
        break;
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(std::uint32_t input) const { return {m_seed, m_replication, input}; }

  std::uint64_t m_seed, m_replication;
  Engine m_engine;
  bool m_reflect;
  Taus88 m_taus88[input_count > 0 ? input_count : 1];
};

}  // namespace impl
}  // namespace sporos
