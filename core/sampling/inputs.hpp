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

/// What compilers say of a draw that is kept.
#define SPOROS_KEPT_DRAW \
  "Sporos: a draw is used where it is made, and once: keep its number, const double u = inputs(service), not auto"

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

/// The model whose replications the host has launched last; null before the first launch.
inline std::atomic<std::string (*)()> name_of_launched{nullptr};

/// Aborts the program for an `input` that the launched model does not have, with its name and count of inputs.
[[noreturn]] void abort_for_input(int input, int input_count);

// Aborts the program where a model has no such input. An index that is known to the compiler costs nothing.
KOKKOS_FORCEINLINE_FUNCTION void check_input(int input, int input_count) {
  if (static_cast<unsigned>(input) >= static_cast<unsigned>(input_count)) {
    SPOROS_IF_ON_DEVICE(
        (Kokkos::abort(
             "Sporos: a model draws from an input that it does not have, expected one of 0 to input_count - 1\n");))
    SPOROS_IF_ON_HOST((abort_for_input(input, input_count);))
  }
}

/// A base class of inputs and draws that looks like a generator of the standard library, so that compilers tell in a
/// sentence why it is none.
struct NoGenerator {
  using result_type = std::uint64_t;  ///< as a generator has it

  /// Does not compile.
  SPOROS_UNAVAILABLE(SPOROS_NO_GENERATOR) KOKKOS_FUNCTION static constexpr result_type min() { return 0; }
  /// Does not compile.
  SPOROS_UNAVAILABLE(SPOROS_NO_GENERATOR) KOKKOS_FUNCTION static constexpr result_type max() { return ~result_type{}; }
  /// Does not compile.
  SPOROS_UNAVAILABLE(SPOROS_NO_GENERATOR) KOKKOS_FUNCTION result_type operator()() const { return 0; }
};

}  // namespace impl

/// The next uniform of one input variable, not drawn yet. It turns into a number once: as a uniform in (0, 1) where a
/// double is wanted, or as a variate of a standard form inside a distribution. It cannot be kept, only used.
template <class Inputs>
class Draw : public impl::NoGenerator {
 public:
  using Number = typename Inputs::Number;  ///< double, or in lanes Pack

  /// The next draw of `input` from `inputs`.
  KOKKOS_FORCEINLINE_FUNCTION Draw(Inputs& inputs, int input) : m_inputs(inputs), m_input(input) {}

  /// Draws a uniform in the open interval (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator Number() && { return m_inputs.template next<StandardUniform>(m_input); }

  /// Does not compile: a draw that is kept and used twice would be two numbers under one name.
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

/// What a model draws from in one replication: for each of its `input_count` input variables the sequence of that
/// variable's uniforms, a few of them computed ahead.
///
/// Draw i of input v in replication r depends on (source, seed, r, v, i) alone: not on the producer's lookahead, nor on
/// the order in which variables are asked.
template <class Producer, int input_count>
class Inputs : public impl::NoGenerator {
 public:
  using Number = typename Producer::Lookahead::Number;  ///< of a draw: double, or in lanes Pack

  /// The inputs of replication `replication` of an experiment with seed `seed`, whose model draws as `draws` states for
  /// each input. Lanes that run it together are a `group` with memory for shared_numbers numbers in their warp.
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

  /// Numbers in memory that the lanes of a warp share, for the replications that it runs.
  static constexpr int shared_numbers = input_count * static_cast<int>(Producer::Lookahead::capacity);

  /// The next draw of input variable `input`, in [0, input_count); of any other the program is aborted. An index that
  /// is known to the compiler costs nothing.
  KOKKOS_FORCEINLINE_FUNCTION Draw<Inputs> operator()(int input) {
    impl::check_input(input, input_count);
    return {*this, input};
  }
  /// Does not compile, as of a copy in a lambda.
  SPOROS_UNAVAILABLE(SPOROS_COPIED_INPUTS) KOKKOS_FUNCTION Draw<Inputs> operator()(int) const;
  using impl::NoGenerator::operator();

  /// The next draw of `input` as a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION Number next(int input) {
    if constexpr (Producer::prepares_forms) {
      return next_prepared<Form>(input);
    } else {
      return Producer::template variate<Form>(next_prepared<StandardUniform>(input));
    }
  }

  /// With packs, whether the inputs are those of `count` replications.
  KOKKOS_FORCEINLINE_FUNCTION bool serves([[maybe_unused]] std::int64_t count) const {
    if constexpr (requires { m_producer.serves(count); }) return m_producer.serves(count);
    return true;
  }

  /// After the replication, one of design point `point`: takes note of the inputs of which it drew more than its model
  /// states, where replications share a sample.
  KOKKOS_INLINE_FUNCTION void note_excess([[maybe_unused]] std::int64_t point) const {
    if constexpr (Producer::shares_samples) {
      for (int input = 0; input < input_count; ++input) m_producer.note_draws(point, input, drawn(input));
    }
  }

 private:
  using Lookahead = typename Producer::Lookahead;
  static constexpr unsigned capacity = Lookahead::capacity;
  static constexpr unsigned form_stride = capacity + 1;

  // The cursor is form_stride * form + place: one comparison tells both that the block holds the wanted form and that
  // it is not used up (place == capacity).
  struct Variable {
    std::uint64_t end = 0;       // index of the first draw behind the block
    unsigned cursor = capacity;  // an empty block of form 0
    std::int64_t draws = 0;      // that a replication makes, as far as it is known
    Lookahead block;
  };

  // Draws that were made of an input.
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

  // Fills the block with variates of `Form` from the variable's next draw on and returns that draw's place.
  //
  // Out of line on the host: inlined, its vector code took the registers of the model's own loop (M/M/c/k 10 % slower).
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

/// A source of uniforms as a replication driver takes it: for an execution space, a mapping and a number of input
/// variables, the type of the inputs. The default path. `E` is a CounterEngine or a SequentialEngine.
template <class E>
struct EngineSource {
  using engine = E;  ///< where the bits come from

  /// The inputs that this source gives.
  template <class ExecutionSpace, Mapping mapping, int input_count>
  using InputsOn =
      Inputs<typename impl::ProducerOf<E, impl::LookaheadOn<ExecutionSpace, mapping>::template type, input_count>::type,
             input_count>;

  /// Those of neighbouring replications in the lanes of packs, on a host, for a CounterEngine.
  template <int input_count>
  requires CounterEngine<E>
  using PackInputs = Inputs<impl::PackProducer<E>, input_count>;
};

namespace impl {

enum class SourceLack { none, engine, inputs };

// The first thing that a compiled source of uniforms misses.
template <class Source>
constexpr SourceLack lack_of_source() {
  if constexpr (requires { typename Source::engine; }) {
    using E = typename Source::engine;
    return CounterEngine<E> || SequentialEngine<E> ? SourceLack::none : SourceLack::engine;
  } else {
    return requires { typename Source::template InputsOn<Kokkos::DefaultHostExecutionSpace, Mapping::thread, 1>; }
    ? SourceLack::none : SourceLack::inputs;
  }
}

inline void check_contract(Lacks<SourceLack::none>) {}
SPOROS_TELL(
    SourceLack::engine,
    "Sporos: an engine must have blocks of 1, 2, 4, ... or 64 draws, which stream and b alone name: static constexpr "
    "int draws_per_block; KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, draws_per_block> block(const "
    "sporos::Stream& stream, std::uint64_t b); or a state: KOKKOS_FUNCTION static E of_stream(const sporos::Stream& "
    "stream); KOKKOS_FUNCTION std::uint64_t next_draw()");
SPOROS_TELL(SourceLack::inputs,
            "Sporos: a source of uniforms must be a sporos::EngineSource of an engine, or have inputs: template <class "
            "ExecutionSpace, sporos::Mapping mapping, int input_count> using InputsOn");

}  // namespace impl

/// The default: philox, random, as fast as hand-written.
using DefaultSource = EngineSource<Philox4x32>;

/// Every engine and sampling, chosen at run time.
struct ChosenSource {
  /// The inputs that this source gives.
  template <class ExecutionSpace, Mapping mapping, int input_count>
  using InputsOn =
      Inputs<impl::ChosenProducer<impl::LookaheadOn<ExecutionSpace, mapping>::template type, input_count>, input_count>;

  /// Those of neighbouring replications in the lanes of packs, on a host.
  template <int input_count>
  using PackInputs = Inputs<impl::ChosenPackProducer<input_count>, input_count>;
};

/// The type of what a model computes from draws of `Inputs` and from such parameters: as NumberOf of the parameters, in
/// lanes over packs.
template <class Inputs, class... Parameters>
using NumberIn = NumberOf<UniformOf<decltype(std::declval<Inputs&>()(0))>, Parameters...>;

}  // namespace sporos
