// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/typed_choices.hpp>
#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/host_streams.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/descriptive_uniforms.hpp>
#include <sporos/core/sampling/entity_draws.hpp>
#include <sporos/core/sampling/kept_variates.hpp>
#include <sporos/core/sampling/lookahead.hpp>
#include <sporos/core/sampling/pack_uniforms.hpp>
#include <sporos/core/sampling/point_uniforms.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/core/sampling/sampled_uniforms.hpp>
#include <sporos/core/sampling/sampling.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Producers fill lookaheads. A producer serves one replication of a model that draws as `draws` states. A pack
/// producer serves as many consecutive replications as a pack has lanes.
namespace sporos::impl {

/// Number of draws from each input of a model.
template <int input_count>
using DrawsOfInputs = Kokkos::Array<InputDraws, (input_count > 0 ? input_count : 1)>;

// Fills a lookahead with variates of `Form`. On a host, all of them are transformed together if that is faster.
template <class Form, class Lookahead, class BitsOfUnit>
KOKKOS_FORCEINLINE_FUNCTION void fill_with(Lookahead& lookahead, std::uint64_t first_unit, unsigned units,
                                           const BitsOfUnit& bits_of_unit) {
  if constexpr (ReplacesUniforms<Form> && requires { lookahead.template turn_into<Form>(units); }) {
    lookahead.fill(first_unit, units, bits_of_unit, [](std::uint64_t bits) { return open_uniform(bits); });
    lookahead.template turn_into<Form>(units);
  } else {
    lookahead.fill(first_unit, units, bits_of_unit,
                   [](std::uint64_t bits) { return Form::from_open_uniform(open_uniform(bits)); });
  }
}

// Random bits of the units of a stream.
template <CounterEngine E>
struct UnitsOfStream {
  Stream stream;

  KOKKOS_FORCEINLINE_FUNCTION auto operator()(std::uint64_t unit) const { return E::block(stream, unit); }

  // Writes the bits of Pack::lanes units: draw w of unit `first` + i is bits[2 * i + w].
  SPOROS_HOST_FORCEINLINE_FUNCTION void in_lanes(std::uint64_t first, std::uint64_t* bits) const
      requires(requires { E::blocks_in_lanes(stream, bits, bits); }) {
    write_blocks<E>(stream, first, Pack::lanes, bits);
  }
};

// Whether a lookahead's block can be saved.
template <class Lookahead>
inline constexpr bool can_be_saved = requires(Lookahead& lookahead) {
  lookahead.save(0, nullptr);
};

// The kept variates that a producer uses, if any, and the number of this use.
template <std::size_t replications>
struct UseOfKept {
  KeptVariates<replications>* variates = nullptr;
  std::uint64_t use = 0;

  // Fills the block of a lookahead with kept variates. Returns false if there are none.
  template <class Form, class Lookahead>
  bool restore(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit, unsigned units) const {
    return variates != nullptr && variates->template restore<Form>(use, lookahead, input, first_unit, units);
  }

  // Keeps the block of a lookahead.
  template <class Form, class Lookahead>
  void save(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit, unsigned units) const {
    if (variates != nullptr) variates->template save<Form>(use, lookahead, input, first_unit, units);
  }
};

// Base of a producer that uses kept variates if blocks of `Lookahead` can be saved. It is a base because an empty
// member with [[no_unique_address]] made nvcc 13 compile wrong code where a union contains the inputs.
template <class Lookahead>
struct UsesKept {};
template <class Lookahead>
requires can_be_saved<Lookahead>
struct UsesKept<Lookahead> {
  UseOfKept<1> kept;
};

/// Fills lookaheads with variates of any standard form, using a stateless engine that is known at compile time.
template <CounterEngine E, template <int> class LookaheadOf>
class EngineProducer : UsesKept<LookaheadOf<E::draws_per_block>> {
 public:
  using Lookahead = LookaheadOf<E::draws_per_block>;
  static constexpr unsigned unit_draws = E::draws_per_block;
  static constexpr bool prepares_forms = Lookahead::keeps_variates;
  static constexpr bool shares_samples = false;

  template <class Draws>
  KOKKOS_FUNCTION EngineProducer(const DeviceSource&, std::uint64_t seed, std::uint64_t replication, const Draws&)
      : m_seed(seed), m_replication(replication) {}

  // On a host, uses the variates of the design point before if it has the same random numbers.
  void share_variates() requires(can_be_saved<Lookahead>) {
    thread_local KeptVariates<1> of_thread;
    this->kept = {&of_thread, of_thread.prepare(m_seed, {m_replication}, 1)};
  }

  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION void fill(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                        unsigned units) {
    const UnitsOfStream<E> bits_of_unit{{m_seed, m_replication, input}};
    if constexpr (can_be_saved<Lookahead>) {
      if (this->kept.template restore<Form>(lookahead, input, first_unit, units)) return;
    }
    fill_with<Form>(lookahead, first_unit, units, bits_of_unit);
    if constexpr (can_be_saved<Lookahead>) this->kept.template save<Form>(lookahead, input, first_unit, units);
  }

  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION static double variate(double uniform) {
    return Form::from_open_uniform(uniform);
  }

  // Pair number `pair` of the uniforms of `input` that belong to `entity`.
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, 2> pair_of(std::uint64_t entity, std::uint32_t input,
                                                               std::uint64_t pair) requires(!Lookahead::is_on_host) {
    return m_pairs.pair_of({m_seed, m_replication, input}, entity, pair);
  }

  // The place of that pair, on a host.
  KOKKOS_FORCEINLINE_FUNCTION EntityPlace place_of(std::uint64_t entity, std::uint32_t input,
                                                   std::uint64_t pair) requires(Lookahead::is_on_host) {
    return m_pairs.place_of({m_seed, m_replication, input}, entity, pair);
  }

 private:
  std::uint64_t m_seed, m_replication;
  std::conditional_t<Lookahead::is_on_host, EntityLookahead<E>, EntityPairs<E>> m_pairs;
};

/// Fills lookaheads using a stateful engine that is known at compile time. Each input has its own state, which is
/// initialized at the input's first draw.
template <SequentialEngine E, template <int> class LookaheadOf, int input_count>
class SequentialProducer {
  static_assert(std::is_trivially_copyable_v<E>);

 public:
  using Lookahead = LookaheadOf<4>;
  static constexpr unsigned unit_draws = 4;
  static constexpr bool prepares_forms = false;
  static constexpr bool shares_samples = false;

  template <class Draws>
  KOKKOS_FUNCTION SequentialProducer(const DeviceSource&, std::uint64_t seed, std::uint64_t replication, const Draws&)
      : m_seed(seed), m_replication(replication) {}

  template <class Form>
  KOKKOS_INLINE_FUNCTION void fill(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                   unsigned units) {
    E& engine = m_states[input].template as<E>();
    if (first_unit == 0) engine = E::of_stream(Stream{m_seed, m_replication, input});
    lookahead.fill_in_order(
        units, [&] { return engine.next_draw(); }, [](std::uint64_t bits) { return open_uniform(bits); });
  }

  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION static double variate(double uniform) {
    return Form::from_open_uniform(uniform);
  }

  // Pair number `pair` of the uniforms of `input` that belong to `entity`.
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, 2> pair_of(std::uint64_t entity, std::uint32_t input,
                                                               std::uint64_t pair) const {
    return pair_of_entity<E>({m_seed, m_replication, input}, entity, pair);
  }

 private:
  std::uint64_t m_seed, m_replication;
  OneOf<E> m_states[input_count > 0 ? input_count : 1];
};

/// Selects the producer that fills lookaheads from a single engine, `E`.
template <class E, template <int> class LookaheadOf, int input_count>
struct ProducerOf {
  static constexpr bool is_on_host = LookaheadOf<4>::is_on_host;
  static_assert(
      is_on_host || !requires { E::runs_on_hosts_only; }, "Sporos: engines of Boost.Random run on hosts only");
  using type = SequentialProducer<E, LookaheadOf, input_count>;
};

template <CounterEngine E, template <int> class LookaheadOf, int input_count>
struct ProducerOf<E, LookaheadOf, input_count> {
  using type = EngineProducer<E, LookaheadOf>;
};

/// Fills lookaheads for the replications in the lanes of a pack, on a host. `E` is a CounterEngine, as in EngineSource.
template <class E>
class PackProducer {
 public:
  using Lookahead = PackLookahead<E::draws_per_block>;
  static constexpr unsigned unit_draws = E::draws_per_block;
  static constexpr bool prepares_forms = true;
  static constexpr bool shares_samples = false;
  // Up to this many lanes are filled one by one.
  static constexpr unsigned few_lanes = 3;
  static constexpr bool fills_few_lanes = requires { UnitsOfStream<E>{}.in_lanes(0, nullptr); };

  template <class Draws>
  KOKKOS_FUNCTION PackProducer(const DeviceSource&, std::uint64_t seed, std::uint64_t first_replication, const Draws&)
      : m_seed(seed), m_replications{first_replication} {}

  template <class Index>
  bool serves(std::int64_t count, const Index& index, Reuse reuse) {
    m_count = static_cast<unsigned>(count);
    if (const std::int64_t first = index(0); index(Pack::lanes - 1) - first == Pack::lanes - 1) {
      write_lanes(static_cast<std::uint64_t>(first), m_replications.data());
    } else {
      for (std::size_t lane = 0; lane < Pack::lanes; ++lane)
        m_replications[lane] = static_cast<std::uint64_t>(index(static_cast<std::int64_t>(lane)));
    }
    if (reuse != Reuse::unlikely) {
      thread_local KeptPacks<Pack::lanes> kept;
      const auto [variates, use] = kept.prepare(m_seed, m_replications, m_count, reuse);
      m_kept = {variates, use};
    }
    return true;
  }

  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION void fill(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                        unsigned units) {
    if (m_kept.template restore<Form>(lookahead, input, first_unit, units)) return;
    if (fills_few_lanes && m_count <= few_lanes) {
      fill_few<Form>(lookahead, input, first_unit, units);
    } else {
      fill_all<Form>(lookahead, input, first_unit, units);
    }
    m_kept.template save<Form>(lookahead, input, first_unit, units);
  }

 private:
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION void fill_all(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                            unsigned units) const {
    const Stream stream{m_seed, 0, input};
    fill_with<Form>(lookahead, first_unit, units, [&](std::uint64_t unit, std::uint64_t* bits) {
      block_in_lanes<E>(stream, m_replications.data(), unit, bits);
    });
  }

  // Not inlined, because its code would take registers from fill_all.
  template <class Form>
  SPOROS_NOINLINE void fill_few(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                unsigned units) const {
    if constexpr (fills_few_lanes) {
      lookahead.template fill_lanes<Form>(units, m_count, [&](unsigned lane, std::uint64_t* bits) {
        UnitsOfStream<E>{{m_seed, m_replications[lane], input}}.in_lanes(first_unit, bits);
      });
    }
  }

  std::uint64_t m_seed;
  alignas(Pack) std::array<std::uint64_t, Pack::lanes> m_replications;
  unsigned m_count = Pack::lanes;
  UseOfKept<Pack::lanes> m_kept;
};

// State that one input of a replication keeps between two fills.
template <class... EngineChoices>
using SequenceOrStateOf = OneOf<RefinedSequence, typename EngineChoices::Type...>;
using InputState = Engines::As<SequenceOrStateOf>;

struct EngineStarter {
  Stream stream;
  InputState& state;

  template <class E>
  KOKKOS_INLINE_FUNCTION void operator()(std::type_identity<E>) const {
    if constexpr (!CounterEngine<E>) state.template as<E>() = E::of_stream(stream);
  }
};

// Converts 64 random bits to a uniform, or to its reflection.
struct UniformOfBits {
  bool reflect;

  KOKKOS_FORCEINLINE_FUNCTION double operator()(std::uint64_t bits) const {
    const double u = open_uniform(bits);
    return reflect ? 1.0 - u : u;
  }
};

// Returns draws 4 · `unit` to 4 · `unit` + 3 of `stream`, from a stateless engine.
template <CounterEngine E>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<std::uint64_t, 4> four_draws(const Stream& stream, std::uint64_t unit) {
  static_assert(E::draws_per_block == 2 || E::draws_per_block == 4);
  if constexpr (E::draws_per_block == 4) {
    return E::block(stream, unit);
  } else {
    const auto a = E::block(stream, 2 * unit), b = E::block(stream, 2 * unit + 1);
    return {{a[0], a[1], b[0], b[1]}};
  }
}

// Fills a lookahead that has four draws per unit.
template <class Lookahead>
struct EngineFiller {
  Lookahead& lookahead;
  std::uint64_t first_unit;
  unsigned units;
  Stream stream;
  InputState& state;
  UniformOfBits uniform;

  template <class E>
  KOKKOS_INLINE_FUNCTION void operator()(std::type_identity<E>) const {
    if constexpr (CounterEngine<E>) {
      lookahead.fill(
          first_unit, units, [&](std::uint64_t unit) { return four_draws<E>(stream, unit); }, uniform);
    } else {
      E& engine = state.template as<E>();
      lookahead.fill_in_order(
          units, [&] { return engine.next_draw(); }, uniform);
    }
  }
};

struct PairOfEngine {
  Stream stream;
  std::uint64_t pair;

  template <class E>
  KOKKOS_INLINE_FUNCTION TwoDraws operator()(std::type_identity<E>) const {
    return two_draws<E>(stream, pair);
  }
};

/// Fills lookaheads with any engine and sampling method, chosen at run time by the source. The choice is one branch per
/// block of draws, which all lanes of a warp take together.
template <template <int> class LookaheadOf, int input_count>
class ChosenProducer {
 public:
  using Lookahead = LookaheadOf<4>;
  static constexpr unsigned unit_draws = 4;
  static constexpr bool prepares_forms = false;
  static constexpr bool shares_samples = true;

  KOKKOS_FUNCTION ChosenProducer(const DeviceSource& device, std::uint64_t seed, std::uint64_t replication,
                                 const DrawsOfInputs<input_count>& draws)
      : m_device(device), m_place(place_in_run(device.source, seed, replication)), m_draws(draws) {
    if (is_in_sub_run()) {
      m_sub_run = SubRuns(device.source.primes, seed, m_place.run, device.cycle, m_place.place);
      m_sub_run.seek(m_place.place);
    }
    for (int input = 0; input < input_count; ++input) start(static_cast<std::uint32_t>(input));
  }

  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION static double variate(double uniform) {
    return Form::from_uniform(uniform);
  }

  // Pair number `pair` of the uniforms of `input` that belong to `entity`. The source must take an engine. Not inlined,
  // because it contains every engine.
  SPOROS_NOINLINE KOKKOS_FUNCTION Kokkos::Array<double, 2> pair_of(std::uint64_t entity, std::uint32_t input,
                                                                   std::uint64_t pair) {
    if (!takes_engine(m_device.source.sampling))
      Kokkos::abort(
          "Sporos: a model that draws by entity must declare: static constexpr bool draws_by_entity = true\n");
    const UniformOfBits uniform = uniform_of_bits();
    const TwoDraws bits = bits_of_pair(stream_of(entity_seed(m_place.seed, entity), input), pair);
    return {{uniform(bits[0]), uniform(bits[1])}};
  }

  KOKKOS_INLINE_FUNCTION void note_draws(std::int64_t point, int input, std::int64_t drawn) const {
    m_device.excess.note(point, input, drawn, m_draws[input].total());
  }

  // Not inlined on any backend: the function contains every engine and sampling method, and models draw in several
  // places.
  template <class Form>
  SPOROS_NOINLINE KOKKOS_FUNCTION void fill(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                            unsigned units) {
    Samplings::visit_on_device(m_device.source.sampling, [&]<class S>(std::type_identity<S>) {
      if constexpr (S::takes_engine) {
        fill_by_engine(lookahead, input, first_unit, units);
      } else if constexpr (std::is_same_v<typename S::Uniforms, RefinedUniforms>) {
        lookahead.fill_values(first_unit, units, refined_uniforms_of(input));
      } else {
        lookahead.fill_values(first_unit, units, typename S::Uniforms{uniforms_of(input)});
      }
    });
  }

 private:
  KOKKOS_INLINE_FUNCTION SampledUniforms uniforms_of(std::uint32_t input) const {
    std::uint64_t first_dimension = 0;
    for (std::uint32_t i = 0; i < input; ++i) first_dimension += static_cast<std::uint64_t>(m_draws[i].total());
    return {m_device, m_place, input, m_draws[input], first_dimension};
  }

  KOKKOS_INLINE_FUNCTION RefinedUniforms refined_uniforms_of(std::uint32_t input) {
    return {uniforms_of(input), m_sub_run, m_states[input].template as<RefinedSequence>()};
  }

  KOKKOS_FORCEINLINE_FUNCTION bool is_refined() const {
    return m_device.source.sampling == Sampling::refined_descriptive;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_in_sub_run() const {
    return is_refined() && m_device.source.replications_of_run() > 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_antithetic() const { return m_device.source.sampling == Sampling::antithetic; }

  // A stream of an engine. The two replications of an antithetic pair share their streams.
  KOKKOS_FORCEINLINE_FUNCTION Stream stream_of(std::uint64_t seed, std::uint32_t input) const {
    return {seed, is_antithetic() ? m_place.replication / 2 : m_place.replication, input};
  }
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(std::uint32_t input) const { return stream_of(m_place.seed, input); }
  KOKKOS_FORCEINLINE_FUNCTION UniformOfBits uniform_of_bits() const {
    return UniformOfBits{is_antithetic() && m_place.replication % 2 == 1};  // nvcc 13 rejects braces without a type
  }

  KOKKOS_INLINE_FUNCTION TwoDraws bits_of_pair(const Stream& name, std::uint64_t pair) {
    if constexpr (Lookahead::is_on_host) {
      if (runs_on_hosts_only(m_device.source.engine)) {
        TwoDraws bits{};
        // The states of the inputs' own streams must not change.
        m_host_streams.draw(m_device.source.engine,
                            {entity_seed(name.seed, pair), name.replication, name.input + input_count}, 0, 2, &bits[0]);
        return bits;
      }
    }
    return Engines::visit_on_device(m_device.source.engine, PairOfEngine{name, pair});
  }

  KOKKOS_INLINE_FUNCTION void start(std::uint32_t input) {
    if (is_refined() && !is_in_sub_run()) {
      m_states[input].template as<RefinedSequence>() = refined_uniforms_of(input).sequence_of(0);
    } else if (takes_engine(m_device.source.sampling)) {
      Engines::visit_on_device(m_device.source.engine, EngineStarter{stream(input), m_states[input]});
    }
  }

  KOKKOS_INLINE_FUNCTION void fill_by_engine(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
                                             unsigned units) {
    const Stream name = stream(input);
    const UniformOfBits uniform = uniform_of_bits();
    if constexpr (Lookahead::is_on_host) {
      if (runs_on_hosts_only(m_device.source.engine)) {
        std::uint64_t bits[Lookahead::capacity];
        const unsigned count = units * unit_draws;
        m_host_streams.draw(m_device.source.engine, name, first_unit * unit_draws, count, bits);
        unsigned next = 0;
        lookahead.fill_in_order(
            units, [&] { return bits[next++]; }, uniform);
        return;
      }
    }
    Engines::visit_on_device(m_device.source.engine,
                             EngineFiller<Lookahead>{lookahead, first_unit, units, name, m_states[input], uniform});
  }

  const DeviceSource& m_device;
  PlaceInRun m_place;
  SubRuns m_sub_run;  // the replication's sub-run under refined descriptive sampling
  DrawsOfInputs<input_count> m_draws;
  InputState m_states[input_count > 0 ? input_count : 1];
  std::conditional_t<Lookahead::is_on_host, HostStreams, NoHostStreams> m_host_streams;
};

// Fills a lookahead that has four draws per unit with uniforms of consecutive replications, from a stateless engine.
struct PackEngineFiller {
  PackLookahead<4>& lookahead;
  std::uint64_t first_unit;
  unsigned units;
  std::uint64_t seed, first_replication;
  std::uint32_t input;
  bool is_antithetic;

  template <class E>
  void operator()(std::type_identity<E>) const {
    if constexpr (CounterEngine<E>) {
      if (is_antithetic) {
        lookahead.fill_rows(first_unit, units, [&](std::uint64_t, unsigned, const auto& row) {
          for (unsigned lane = 0; lane < Pack::lanes; ++lane) {
            const std::uint64_t replication = first_replication + lane;
            for (unsigned unit = 0; unit < units; ++unit) {
              const auto bits = four_draws<E>({seed, replication / 2, input}, first_unit + unit);
              for (unsigned w = 0; w < 4; ++w) row(4 * unit + w)[lane] = UniformOfBits{replication % 2 == 1}(bits[w]);
            }
          }
        });
      } else {
        constexpr unsigned width = E::draws_per_block;
        lookahead.fill(
            first_unit, units,
            [&](std::uint64_t unit, std::uint64_t* bits) {
              for (unsigned w = 0; w < 4; w += width) {
                block_in_lanes<E>({seed, first_replication, input}, (4 * unit + w) / width, bits + w * Pack::lanes);
              }
            },
            [](std::uint64_t bits) { return open_uniform(bits); });
      }
    }
  }
};

struct IsCounterEngine {
  template <class E>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(std::type_identity<E>) const {
    return CounterEngine<E>;
  }
};

// Fills a lookahead with uniforms of consecutive replications. Under refined descriptive sampling, all of them belong
// to `sub_run`. Not inlined: the function contains every engine and sampling method.
SPOROS_NOINLINE inline void fill_pack(PackLookahead<4>& lookahead, std::uint64_t first_unit, unsigned units,
                                      const SampledUniforms& uniforms, const SubRuns& sub_run) {
  const UniformSource& source = uniforms.source();
  Samplings::visit(source.sampling, [&]<class S>(std::type_identity<S>) {
    if constexpr (S::takes_engine) {
      Engines::visit(source.engine,
                     PackEngineFiller{lookahead, first_unit, units, uniforms.place.seed, uniforms.place.replication,
                                      uniforms.input, source.sampling == Sampling::antithetic});
    } else {
      lookahead.fill_rows(first_unit, units, [&](std::uint64_t first, unsigned count, const auto& row) {
        const unsigned stated = uniforms.stated(first, count);
        if (stated > 0) pack_uniforms<typename S::Uniforms>(uniforms, sub_run).fill(first, stated, row);
        PackUniforms{uniforms}.fill_randomly(first + stated, count - stated,
                                             [&](unsigned j) { return row(stated + j); });
      });
    }
  });
}

/// Fills lookaheads for the replications in the lanes of a pack, on a host, with choices made at run time. Supports the
/// stateless engines, and the sampling methods in runs of several replications.
template <int input_count>
class ChosenPackProducer {
 public:
  using Lookahead = PackLookahead<4>;
  static constexpr unsigned unit_draws = 4;
  static constexpr bool prepares_forms = true;
  static constexpr bool shares_samples = true;

  ChosenPackProducer(const DeviceSource& device, std::uint64_t seed, std::uint64_t first_replication,
                     const DrawsOfInputs<input_count>& draws)
      : m_device(device), m_place(place_in_run(device.source, seed, first_replication)), m_draws(draws) {
    if (is_refined() && is_in_run()) {
      m_sub_run = SubRuns(device.source.primes, seed, m_place.run, device.cycle, m_place.place);
      m_sub_run.seek(m_place.place);
    }
  }

  // Whether the replications are neighbours that agree in everything that the lanes of a pack share.
  template <class Index>
  bool serves(std::int64_t count, const Index& index, Reuse) const {
    if (index(count - 1) != index(0) + count - 1) return false;
    if (takes_engine(m_device.source.sampling)) {
      return Engines::visit_on_device(m_device.source.engine, IsCounterEngine());
    }
    const auto end = m_place.place + static_cast<std::uint64_t>(count);
    if (!is_in_run() || end > static_cast<std::uint64_t>(m_device.source.replications_of_run())) return false;
    return !is_refined() || end <= m_sub_run.first() + m_sub_run.size();
  }

  void note_draws(std::int64_t point, int input, std::int64_t drawn) const {
    m_device.excess.note(point, input, drawn, m_draws[input].total());
  }

  template <class Form>
  void fill(Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit, unsigned units) {
    std::uint64_t first_dimension = 0;
    for (std::uint32_t i = 0; i < input; ++i) first_dimension += static_cast<std::uint64_t>(m_draws[i].total());
    fill_pack(lookahead, first_unit, units, {m_device, m_place, input, m_draws[input], first_dimension}, m_sub_run);
    if constexpr (!std::is_same_v<Form, StandardUniform>) {
      lookahead.fill_rows(first_unit, units, [](std::uint64_t, unsigned count, const auto& row) {
        for (unsigned j = 0; j < count; ++j) turn_into<Form>(row(j));
      });
    }
  }

 private:
  bool is_refined() const { return m_device.source.sampling == Sampling::refined_descriptive; }
  bool is_in_run() const { return m_device.source.replications_of_run() > 1; }

  // Transforms the uniforms of a draw to variates. The loop is vector code if open_uniform could have made all of them.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION static void turn_into(double* values) {
    bool are_open = true;
    for (int lane = 0; lane < Pack::lanes; ++lane) are_open &= values[lane] >= 0x1p-53;
    if (are_open) {
      for (int lane = 0; lane < Pack::lanes; ++lane) values[lane] = Form::from_open_uniform(values[lane]);
    } else {
      for (int lane = 0; lane < Pack::lanes; ++lane) values[lane] = Form::from_uniform(values[lane]);
    }
  }

  const DeviceSource& m_device;
  PlaceInRun m_place;
  SubRuns m_sub_run;  // the sub-run of lane 0 under refined descriptive sampling
  DrawsOfInputs<input_count> m_draws;
};

}  // namespace sporos::impl
