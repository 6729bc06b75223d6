// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/sobol.hpp>
#include <sporos/procedures/multilevel/multilevel_result.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

/// Draws of a replication from the coordinates of a point of Sobol's sequence, for models with levels.
namespace sporos {

/// A model with levels whose only draws are normal variates: the increments of a Brownian motion over 2^level equal
/// steps, in the order of time.
///
///     static constexpr bool draws_brownian_increments = true;
///
/// Points then create the path by a Brownian bridge: the first coordinate determines its end, the next ones its middle,
/// its quarters, and so on. The first coordinates, which are the most evenly distributed, thus have the largest
/// influence (Caflisch, Morokoff, Owen: Valuation of mortgage-backed securities using Brownian bridges to reduce
/// effective dimension, J. Comput. Finance 1, 1997).
template <class Model>
concept DrawsBrownianIncrements = requires {
  requires static_cast<bool>(Model::draws_brownian_increments);
};

namespace impl {

/// Point `point` of Sobol's sequence under the scrambling `seed`. Dimensions beyond the table are random numbers.
struct QuasiPoint {
  const std::uint32_t* directions;  ///< direction numbers of all dimensions
  std::uint64_t dimensions;         ///< number of dimensions in the table
  std::uint64_t seed;               ///< seed of a randomization
  std::uint32_t point;              ///< index of the point, from 0

  /// Coordinate `dimension`, in (0, 1).
  KOKKOS_FUNCTION double coordinate(std::uint64_t dimension) const {
    if (dimension >= dimensions) return open_uniform(Philox4x32::block({seed, point, 0}, dimension)[0]);
    std::uint32_t coordinate = 0;
    sobol_coordinates(directions + dimension, dimensions, point, 1, &coordinate);
    return scrambled_uniform(coordinate, ScramblingKey::of(design_point_seed(seed, dimension)));
  }
};

/// A draw of `Inputs`, which converts itself to variates.
template <class Inputs>
class QuasiDraw {
 public:
  /// Represents the next draw of `inputs`.
  KOKKOS_FORCEINLINE_FUNCTION explicit QuasiDraw(Inputs& inputs) : m_inputs(inputs) {}

  /// A uniform in (0, 1).
  KOKKOS_FORCEINLINE_FUNCTION operator double() && { return m_inputs.template next<StandardUniform>(); }
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;  ///< Does not compile.

  /// A variate of standard form `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    return m_inputs.template next<Form>();
  }

 private:
  Inputs& m_inputs;
};

/// Inputs that take a coordinate for each draw, in order.
class CoordinateInputs {
 public:
  /// Inputs from a point.
  KOKKOS_FUNCTION CoordinateInputs(const QuasiPoint& point, int) : m_point(point) {}

  /// The next draw, whatever its input.
  KOKKOS_FUNCTION QuasiDraw<CoordinateInputs> operator()(int) { return QuasiDraw<CoordinateInputs>(*this); }

  /// Variate of the next draw.
  template <class Form>
  KOKKOS_FUNCTION double next() {
    return Form::from_uniform(m_point.coordinate(m_drawn++));
  }

 private:
  QuasiPoint m_point;
  std::uint64_t m_drawn = 0;
};

/// Increments of a Brownian motion over 2^level steps, each with variance 1, by a bridge. Level k of the bridge has 2^k
/// time intervals. For each level, the object stores the motion at the end of the current interval.
class BridgeInputs {
 public:
  /// Inputs from a point; `level` must be at most 30.
  KOKKOS_FUNCTION BridgeInputs(const QuasiPoint& point, int level)
      : m_point(point), m_level(level), m_length(static_cast<double>(std::int64_t{1} << level)) {
    m_ends[0] = ::sqrt(m_length) * variate(0);
    bisect(1);
  }

  /// The next draw.
  KOKKOS_FUNCTION QuasiDraw<BridgeInputs> operator()(int) { return QuasiDraw<BridgeInputs>(*this); }

  /// Variate of the next draw: the next increment.
  template <class Form>
  KOKKOS_FUNCTION double next() {
    static_assert(std::is_same_v<Form, StandardNormal>,
                  "Sporos: a model with increments of a Brownian motion must draw only normal variates");
    const double increment = m_ends[m_level] - m_value;
    m_value = m_ends[m_level];
    if (++m_step < std::int64_t{1} << m_level) {
      int first = m_level;  // level on which this step's beginning is the middle of an interval
      for (std::int64_t place = m_step; (place & 1) == 0; place >>= 1) --first;
      m_ends[first] = m_ends[first - 1];
      bisect(first + 1);
    }
    return increment;
  }

 private:
  KOKKOS_FUNCTION double variate(std::uint64_t dimension) const {
    return StandardNormal::from_uniform(m_point.coordinate(dimension));
  }

  // Computes the middles of the current intervals on level `first` and finer levels, which all begin at this step.
  KOKKOS_FUNCTION void bisect(int first) {
    for (int k = first; k <= m_level; ++k) {
      const std::int64_t interval = m_step >> (m_level - k + 1);  // index on level k − 1, of length 2^(level − k + 1)
      const double length = static_cast<double>(std::int64_t{1} << (m_level - k + 1));
      const auto dimension = static_cast<std::uint64_t>((std::int64_t{1} << (k - 1)) + interval);
      m_ends[k] = 0.5 * (m_value + m_ends[k - 1]) + 0.5 * ::sqrt(length) * variate(dimension);
    }
  }

  QuasiPoint m_point;
  int m_level;
  double m_length;
  std::int64_t m_step = 0;
  double m_value = 0;  // value of the motion at this step
  double m_ends[max_multilevel_levels];
};

/// Inputs of a replication of `Model` from a point.
template <class Model>
using QuasiInputs = std::conditional_t<DrawsBrownianIncrements<Model>, BridgeInputs, CoordinateInputs>;

}  // namespace impl

}  // namespace sporos
