// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/sampling/lookahead.hpp>
#include <sporos/core/sampling/producer.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

/// The compiler's message for a draw that is stored.
#define SPOROS_KEPT_DRAW \
  "Sporos: a draw must be used once, where it is made: store its number, const double u = inputs(service), not auto"

/// The compiler's message for inputs that are copied.
#define SPOROS_COPIED_INPUTS                                                                                          \
  "Sporos: inputs are used by reference, because a copy would draw the same numbers again: take Inputs& inputs, and " \
  "capture them in lambdas by [&]"

/// The compiler's message for inputs or draws that are passed to a distribution of the standard library.
#define SPOROS_NO_GENERATOR                                                                                         \
  "Sporos: distributions of the standard library differ between compilers and do not run on devices: use those of " \
  "Sporos, such as sporos::exponential(inputs(service), rate)"

namespace sporos {

namespace impl {

/// Returns the name of the model that the host launched last; null before the first launch.
inline std::atomic<std::string (*)()> name_of_launched{nullptr};

/// Aborts the program because the launched model has no input `input`. The message has the model's name and its number
/// of inputs.
[[noreturn]] void abort_for_input(int input, int input_count);

// Aborts the program if a model has no such input. An index that is known at compile time costs nothing.
KOKKOS_FORCEINLINE_FUNCTION void check_input(int input, int input_count) {
  if (static_cast<unsigned>(input) >= static_cast<unsigned>(input_count)) {
    SPOROS_IF_ON_DEVICE(
        (Kokkos::abort(
             "Sporos: a model draws from an input that it does not have, expected one of 0 to input_count - 1\n");))
    SPOROS_IF_ON_HOST((abort_for_input(input, input_count);))
  }
}

/// Base class of inputs and draws that resembles a generator of the standard library, so that compilers explain in one
/// sentence why it cannot be used as one.
struct NoGenerator {
  using result_type = std::uint64_t;  ///< result type of a generator

  /// Does not compile.
  SPOROS_UNAVAILABLE(SPOROS_NO_GENERATOR) KOKKOS_FUNCTION static constexpr result_type min() { return 0; }
  /// Does not compile.
  SPOROS_UNAVAILABLE(SPOROS_NO_GENERATOR) KOKKOS_FUNCTION static constexpr result_type max() { return ~result_type{}; }
  /// Does not compile.
  SPOROS_UNAVAILABLE(SPOROS_NO_GENERATOR) KOKKOS_FUNCTION result_type operator()() const { return 0; }
};

}  // namespace impl

/// The next uniform of one input variable, not drawn yet. It converts to a number once: to a uniform in (0, 1) where a
/// double is expected, or to a variate of a standard form inside a distribution. It cannot be stored, only used.
template <class Inputs>
class Draw : public impl::NoGenerator {
 public:
  using Number = typename Inputs::Number;  ///< double; Pack if each lane of a pack runs a replication

  /// A pending draw of `input` from `inputs`.
  KOKKOS_FORCEINLINE_FUNCTION Draw(Inputs& inputs, int input) : m_inputs(inputs), m_input(input) {}

  /// Draws a uniform in the open interval (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator Number() && { return m_inputs.template next<StandardUniform>(m_input); }

  /// Does not compile: a stored draw that is used twice would give two different numbers under one name.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator Number() const&;

  /// Draws a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION Number as() && {
    return m_inputs.template next<Form>(m_input);
  }

 private:
  Inputs& m_inputs;
  int m_input;
};

/// A pending draw that belongs to an entity; see Inputs::pair_of.
class EntityDraw : public impl::NoGenerator {
 public:
  /// Wraps a uniform in [2^−53, 1 − 2^−53].
  KOKKOS_FORCEINLINE_FUNCTION explicit EntityDraw(double uniform) : m_uniform(uniform) {}

  /// Draws a uniform in the open interval (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator double() && { return m_uniform; }

  /// Does not compile: importance sampling would count a draw that is used twice as two draws.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;

  /// Draws a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    return Form::from_open_uniform(m_uniform);
  }

 private:
  double m_uniform;
};

/// A pending draw of an entity on a host, where its exponential may have been computed before (impl::EntityBlock). An
/// EntityDraw does not contain this, so that it is a single number on a device.
class ReadyDraw : public impl::NoGenerator {
 public:
  static constexpr bool may_have_exponential = true;  ///< read by `variate`

  /// Wraps a uniform: the first one of pair number `index` in `block`, or any one if `block` is null.
  KOKKOS_FORCEINLINE_FUNCTION explicit ReadyDraw(double uniform, impl::EntityBlock* block = nullptr, int index = 0)
      : m_uniform(uniform), m_block(block), m_index(index) {}

  /// Draws a uniform in the open interval (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator double() && { return m_uniform; }

  /// Does not compile, as for EntityDraw.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;

  /// Draws a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    if constexpr (std::is_same_v<Form, StandardExponential>) {
      if (m_block != nullptr) return m_block->exponential(m_index);
    }
    return Form::from_open_uniform(m_uniform);
  }

 private:
  double m_uniform;
  impl::EntityBlock* m_block;
  int m_index;
};

/// Two pending draws of one entity.
template <class Draw>
class DrawPair {
 public:
  /// Stores both draws.
  KOKKOS_FORCEINLINE_FUNCTION DrawPair(const Draw& first, const Draw& second) : m_first(first), m_second(second) {}

  /// The first draw. Use it at most once.
  KOKKOS_FORCEINLINE_FUNCTION Draw first() const { return m_first; }
  /// The second draw. Use it at most once.
  KOKKOS_FORCEINLINE_FUNCTION Draw second() const { return m_second; }

 private:
  Draw m_first, m_second;
};

/// Base class of inputs, which adds single draws to their member `pair_of`.
template <class Inputs>
class DrawsOfEntities {
 public:
  /// Draw `index` of input variable `input` that belongs to `entity`; see Inputs::pair_of.
  KOKKOS_FORCEINLINE_FUNCTION auto of(std::uint64_t entity, int input, std::uint64_t index) {
    const auto pair = static_cast<Inputs&>(*this).pair_of(entity, input, index / 2);
    return index % 2 == 0 ? pair.first() : pair.second();
  }
};

/// The source of a model's draws in one replication. For each of its `input_count` input variables, it holds the
/// sequence of uniforms of that variable, a few of them pre-generated.
///
/// Draw i of input v in replication r depends only on (source, seed, r, v, i). It depends neither on the producer's
/// lookahead nor on the order in which the model draws from the variables.
template <class Producer, int input_count>
class Inputs : public impl::NoGenerator, public DrawsOfEntities<Inputs<Producer, input_count>> {
 public:
  using Number = typename Producer::Lookahead::Number;  ///< type of a draw: double, or Pack

  /// The inputs of replication `replication` of an experiment with seed `seed`. `draws` holds the stated draws of each
  /// input. `group` holds the lanes that run the replication together; it needs memory for shared_numbers numbers in
  /// their warp.
  KOKKOS_FUNCTION Inputs(const impl::DeviceSource& source, std::uint64_t seed, std::uint64_t replication,
                         const impl::DrawsOfInputs<input_count>& draws, const impl::LaneGroup& group = {})
      : m_producer(source, seed, replication, draws) {
    for (int input = 0; input < input_count; ++input) {
      m_variables[input].draws = draws[input].total();
      m_variables[input].block.use(group, input);
    }
  }

  /// Does not compile: a copy would draw the same numbers again.
  SPOROS_UNAVAILABLE(SPOROS_COPIED_INPUTS) KOKKOS_FUNCTION Inputs(const Inputs&);
  Inputs& operator=(const Inputs&) = delete;

  /// Size of the memory, in numbers, that the lanes of a warp share for the replications that the warp runs.
  static constexpr int shared_numbers = input_count * static_cast<int>(Producer::Lookahead::capacity);

  /// The next draw of input variable `input`. Aborts the program if `input` is not in [0, input_count). An index that
  /// is known at compile time costs nothing.
  KOKKOS_FORCEINLINE_FUNCTION Draw<Inputs> operator()(int input) {
    impl::check_input(input, input_count);
    return {*this, input};
  }
  /// Does not compile: it would draw from a copy in a lambda.
  SPOROS_UNAVAILABLE(SPOROS_COPIED_INPUTS) KOKKOS_FUNCTION Draw<Inputs> operator()(int) const;
  using impl::NoGenerator::operator();

  /// Draws 2 · `pair` and 2 · `pair` + 1 of input variable `input` that belong to `entity`, such as a customer. They
  /// depend only on (source, seed, replication, entity, input, pair), and not on the draws before. If a design changes
  /// the order of events, each entity keeps its draws, so that designs under common random numbers compare the same
  /// entities. A model that calls this function or `of` declares `static constexpr bool draws_by_entity = true`. Both
  /// draws cost as much as one. Not for replications in packs.
  KOKKOS_FORCEINLINE_FUNCTION auto pair_of(std::uint64_t entity, int input, std::uint64_t pair) {
    impl::check_input(input, input_count);
    if constexpr (requires { m_producer.place_of(entity, std::uint32_t{}, pair); }) {
      const auto [block, i] = m_producer.place_of(entity, static_cast<std::uint32_t>(input), pair);
      return DrawPair<ReadyDraw>(ReadyDraw(block->uniforms[0][i], block, i), ReadyDraw(block->uniforms[1][i]));
    } else {
      const auto uniforms = m_producer.pair_of(entity, static_cast<std::uint32_t>(input), pair);
      return DrawPair<EntityDraw>(EntityDraw(uniforms[0]), EntityDraw(uniforms[1]));
    }
  }

  /// The next draw of `input` as a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION Number next(int input) {
    if constexpr (Producer::prepares_forms) {
      return next_prepared<Form>(input);
    } else {
      return Producer::template variate<Form>(next_prepared<StandardUniform>(input));
    }
  }

  /// For inputs of packs: whether they can serve the replications `index(0)` to `index(count − 1)` in lanes. `index`
  /// has a value for each lane of a pack. `reuse` says whether the thread will need the same random numbers again. Call
  /// this function before the first draw.
  template <class Index>
  KOKKOS_FORCEINLINE_FUNCTION bool serves(std::int64_t count, const Index& index, impl::Reuse reuse) {
    return m_producer.serves(count, index, reuse);
  }
  /// For inputs of packs: whether less than a full pack of replications takes less time.
  static constexpr bool fills_few_lanes = requires { requires Producer::fills_few_lanes; };

  /// On a host, uses the variates of the design point before if it has the same random numbers. Call this function
  /// before the first draw.
  void share_variates() requires(requires(Producer& producer) { producer.share_variates(); }) {
    m_producer.share_variates();
  }

  /// Call after a replication of design point `point`. If replications share a sample, records the inputs from which
  /// the replication drew more often than its model states.
  KOKKOS_INLINE_FUNCTION void note_excess([[maybe_unused]] std::int64_t point) const {
    if constexpr (Producer::shares_samples) {
      for (int input = 0; input < input_count; ++input) m_producer.note_draws(point, input, drawn(input));
    }
  }

 private:
  using Lookahead = typename Producer::Lookahead;
  static constexpr unsigned capacity = Lookahead::capacity;
  static constexpr unsigned form_stride = capacity + 1;

  // The cursor is form_stride * form + place, so that one comparison checks both that the block holds the requested
  // form and that it is not exhausted (place == capacity).
  struct Variable {
    std::uint64_t end = 0;       // index of the first draw after the block
    unsigned cursor = capacity;  // initially an empty block of form 0
    std::int64_t draws = 0;      // stated number of draws in a replication; 0 if unknown
    Lookahead block;
  };

  // Number of draws made from an input.
  KOKKOS_INLINE_FUNCTION std::int64_t drawn(int input) const {
    const Variable& variable = m_variables[input];
    return static_cast<std::int64_t>(variable.end) - (capacity - variable.cursor % form_stride);
  }

  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION Number next_prepared(int input) {
    Variable& variable = m_variables[input];
    unsigned place = variable.cursor - Form::index * form_stride;
    if (place >= capacity) place = refill<Form>(variable, input);
    variable.cursor = Form::index * form_stride + place + 1;
    return variable.block.read(place);
  }

  // Fills the block with variates of `Form`, starting at the variable's next draw, and returns the position of that
  // draw.
  //
  // Not inlined on the host: inlined, its vector code took registers from the model's own loop (M/M/c/k 10 % slower).
  template <class Form>
  SPOROS_NOINLINE_ON_HOST KOKKOS_FUNCTION unsigned refill(Variable& variable, int input) {
    const unsigned unread = Producer::prepares_forms ? capacity - variable.cursor % form_stride : 0;
    const std::uint64_t draw = variable.end - unread;
    const std::uint64_t unit = draw / Producer::unit_draws;
    const unsigned units = variable.block.units_from(unit, variable.draws);
    m_producer.template fill<Form>(variable.block, static_cast<std::uint32_t>(input), unit, units);
    variable.end = (unit + units) * Producer::unit_draws;
    return capacity - static_cast<unsigned>(variable.end - draw);
  }

  Producer m_producer;
  Variable m_variables[input_count > 0 ? input_count : 1];
};

namespace impl {

template <class ExecutionSpace, Mapping mapping>
struct LookaheadOn {
  template <int unit_draws>
  using type = std::conditional_t<
      mapping == Mapping::warp, WarpLookahead<unit_draws, runs_on_host<ExecutionSpace>>,
      std::conditional_t<runs_on_host<ExecutionSpace>, HostLookahead<unit_draws>, ThreadLookahead<unit_draws>>>;
};

}  // namespace impl

/// A source of uniforms for replication drivers: maps an execution space, a mapping and a number of input variables to
/// the type of the inputs. This is the default path. `E` is a CounterEngine or a SequentialEngine.
template <class E>
struct EngineSource {
  using engine = E;  ///< generator of the random bits

  /// Type of the inputs of a replication.
  template <class ExecutionSpace, Mapping mapping, int input_count>
  using InputsOn =
      Inputs<typename impl::ProducerOf<E, impl::LookaheadOn<ExecutionSpace, mapping>::template type, input_count>::type,
             input_count>;

  /// Type of the inputs of consecutive replications in the lanes of packs, on a host, for a CounterEngine.
  template <int input_count>
  requires CounterEngine<E>
  using PackInputs = Inputs<impl::PackProducer<E>, input_count>;
};

namespace impl {

enum class SourceRequirement { none, engine, inputs };

// The first requirement that a compiled source of uniforms does not meet.
template <class Source>
constexpr SourceRequirement unmet_source_requirement() {
  if constexpr (requires { typename Source::engine; }) {
    using E = typename Source::engine;
    return CounterEngine<E> || SequentialEngine<E> ? SourceRequirement::none : SourceRequirement::engine;
  } else {
    return requires { typename Source::template InputsOn<Kokkos::DefaultHostExecutionSpace, Mapping::thread, 1>; }
    ? SourceRequirement::none : SourceRequirement::inputs;
  }
}

inline void check_contract(Unmet<SourceRequirement::none>) {}
SPOROS_REQUIREMENT(
    SourceRequirement::engine,
    "Sporos: an engine must have blocks of 1, 2, 4, ... or 64 draws, which depend only on stream and b: static "
    "constexpr int draws_per_block; KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, draws_per_block> block("
    "const sporos::Stream& stream, std::uint64_t b); or a state: KOKKOS_FUNCTION static E of_stream("
    "const sporos::Stream& stream); KOKKOS_FUNCTION std::uint64_t next_draw()");
SPOROS_REQUIREMENT(
    SourceRequirement::inputs,
    "Sporos: a source of uniforms must be a sporos::EngineSource of an engine, or have inputs: template <class "
    "ExecutionSpace, sporos::Mapping mapping, int input_count> using InputsOn");

}  // namespace impl

/// The default source: Philox with random sampling, as fast as hand-written code.
using DefaultSource = EngineSource<Philox4x32>;

/// A source that supports every engine and sampling method, chosen at run time.
struct ChosenSource {
  /// Type of the inputs of a replication.
  template <class ExecutionSpace, Mapping mapping, int input_count>
  using InputsOn =
      Inputs<impl::ChosenProducer<impl::LookaheadOn<ExecutionSpace, mapping>::template type, input_count>, input_count>;

  /// Type of the inputs of consecutive replications in the lanes of packs, on a host.
  template <int input_count>
  using PackInputs = Inputs<impl::ChosenPackProducer<input_count>, input_count>;
};

/// Type of the results that a model computes from draws of `Inputs` and from such parameters: NumberOf of the
/// parameters, or a pack of these numbers.
template <class Inputs, class... Parameters>
using NumberIn = NumberOf<UniformOf<decltype(std::declval<Inputs&>()(0))>, Parameters...>;

}  // namespace sporos
