// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <utility>

namespace sporos {

/// A pending draw whose uniform is restricted to a part of (0, 1), or left unchanged.
template <class Draw>
class StratifiedDraw {
 public:
  /// Restricts the uniform of `draw` to (begin, begin + width); leaves it unchanged if `width` is 1.
  KOKKOS_FORCEINLINE_FUNCTION StratifiedDraw(const Draw& draw, double begin, double width)
      : m_draw(draw), m_begin(begin), m_width(width) {}

  /// Draws a uniform in the open interval (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator double() && {
    return static_cast<StratifiedDraw&&>(*this).template as<StandardUniform>();
  }

  /// Does not compile: a stored draw that is used twice would give two different numbers under one name.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;

  /// Draws a variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    if (m_width == 1) return static_cast<Draw&&>(m_draw).template as<Form>();
    const double u = static_cast<Draw&&>(m_draw).template as<StandardUniform>();
    const double inside = m_begin + m_width * u;
    return Form::from_uniform(inside < 1 - 0x1p-53 ? inside : 1 - 0x1p-53);
  }

 private:
  Draw m_draw;
  double m_begin, m_width;
};

/// The inputs of a replication in which the first draw of one input lies in a given stratum.
template <class Inputs>
class StratifiedInputs : public DrawsOfEntities<StratifiedInputs<Inputs>> {
 public:
  using Draw = StratifiedDraw<decltype(std::declval<Inputs&>()(0))>;  ///< type of a draw from any input

  /// Draws from `inputs`. The first uniform of `input` lies in (begin, begin + width).
  KOKKOS_FORCEINLINE_FUNCTION StratifiedInputs(Inputs& inputs, int input, double begin, double width)
      : m_inputs(inputs), m_input(input), m_begin(begin), m_width(width) {}

  StratifiedInputs(const StratifiedInputs&) = delete;
  StratifiedInputs& operator=(const StratifiedInputs&) = delete;

  /// The next draw of `input`.
  KOKKOS_FORCEINLINE_FUNCTION Draw operator()(int input) {
    if (input != m_input) return {m_inputs(input), 0, 1};
    const double width = m_width;
    m_width = 1;
    return {m_inputs(input), m_begin, width};
  }
  /// Memory of the replication; see HoldsStorage.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage() const requires(HoldsStorage<Inputs>) {
    return m_inputs.storage();
  }
  /// Draws that belong to an entity, which are not stratified; see Inputs.
  KOKKOS_FORCEINLINE_FUNCTION auto pair_of(std::uint64_t entity, int input, std::uint64_t pair) {
    return m_inputs.pair_of(entity, input, pair);
  }

 private:
  Inputs& m_inputs;
  int m_input;
  double m_begin, m_width;
};

}  // namespace sporos
