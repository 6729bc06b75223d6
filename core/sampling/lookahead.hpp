// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/uniform.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

/// Lookaheads: buffers for the next few variates of an input variable.
///
/// Random bits come in units of `unit_draws` draws. A lookahead fills itself with consecutive units, converts the bits
/// of each draw to a value, and returns values by their position. If the sampling method provides no bits,
/// `fill_values` calls a functor for the value of each draw. Lookaheads affect when values are computed, never the
/// values themselves.
namespace sporos::impl {

/// Lookahead for one hardware thread of a GPU: the uniforms of a single unit, in registers. Variates are computed when
/// they are drawn, by many lanes at once. Buffered variates would run out at a different time in each lane of a warp,
/// and at each event a few lanes would compute new ones while all others wait.
template <int unit_draws>
class ThreadLookahead {
 public:
  using Number = double;
  static constexpr bool is_on_host = false;
  static constexpr unsigned capacity = unit_draws;
  static constexpr bool keeps_variates = false;

  KOKKOS_FORCEINLINE_FUNCTION void use(const LaneGroup&, int) {}
  KOKKOS_FORCEINLINE_FUNCTION unsigned units_from(std::uint64_t, std::int64_t) const { return 1; }

  template <class BitsOfUnit, class ValueOfBits>
  KOKKOS_FORCEINLINE_FUNCTION void fill(std::uint64_t unit, unsigned, const BitsOfUnit& bits_of_unit,
                                        const ValueOfBits& value_of_bits) {
    const auto bits = bits_of_unit(unit);
    for (int w = 0; w < unit_draws; ++w) m_values[w] = value_of_bits(bits[w]);
  }

  template <class NextBits, class ValueOfBits>
  KOKKOS_FORCEINLINE_FUNCTION void fill_in_order(unsigned, const NextBits& next_bits,
                                                 const ValueOfBits& value_of_bits) {
    for (int w = 0; w < unit_draws; ++w) m_values[w] = value_of_bits(next_bits());
  }

  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void fill_values(std::uint64_t unit, unsigned, const Values& values) {
    for (int w = 0; w < unit_draws; ++w) m_values[w] = values(unit * unit_draws + w);
  }

  // Returns the next value and shifts the others: an index known only at run time would force the array into memory.
  KOKKOS_FORCEINLINE_FUNCTION double read(unsigned) {
    const double value = m_values[0];
    for (int w = 1; w < unit_draws; ++w) m_values[w - 1] = m_values[w];
    return value;
  }

 private:
  double m_values[unit_draws];
};

/// Lookahead for the lanes of a warp that run one replication in lockstep. Each lane computes one unit, and all lanes
/// read all units from shared memory. On a host, one thread computes the units of all lanes.
template <int unit_draws, bool of_host>
class WarpLookahead {
 public:
  using Number = double;
  static constexpr bool is_on_host = of_host;
  static constexpr unsigned capacity = warp_lanes * unit_draws;
  static constexpr bool keeps_variates = true;

  // A group smaller than a warp stores its values at the end of the block: every block is then exhausted at the same
  // position, whatever the size of the group.
  KOKKOS_FORCEINLINE_FUNCTION void use(const LaneGroup& group, int input) {
    m_group = group;
    const int first_lane = (lane_index() & ~(group.size - 1)) + group.size - warp_lanes;
    m_values = group.numbers + input * static_cast<int>(capacity) + first_lane * unit_draws;
  }

  KOKKOS_FORCEINLINE_FUNCTION unsigned units_from(std::uint64_t, std::int64_t) const {
    return static_cast<unsigned>(m_group.size);
  }

  template <class BitsOfUnit, class ValueOfBits>
  KOKKOS_FORCEINLINE_FUNCTION void fill(std::uint64_t first_unit, unsigned, const BitsOfUnit& bits_of_unit,
                                        const ValueOfBits& value_of_bits) {
    keep([&](unsigned lane, double* values) {
      const auto bits = bits_of_unit(first_unit + lane);
      for (int w = 0; w < unit_draws; ++w) values[w] = value_of_bits(bits[w]);
    });
  }

  // Every thread steps the engine through the whole block and stores the units of its own lanes.
  template <class NextBits, class ValueOfBits>
  KOKKOS_FORCEINLINE_FUNCTION void fill_in_order(unsigned units, const NextBits& next_bits,
                                                 const ValueOfBits& value_of_bits) {
    constexpr unsigned lanes_of_thread = warp_lanes / lane_count();
    std::uint64_t own[lanes_of_thread][unit_draws] = {};
    for (unsigned unit = 0; unit < units; ++unit) {
      for (int w = 0; w < unit_draws; ++w) {
        const std::uint64_t bits = next_bits();
        if (lane_count() == 1 || unit == static_cast<unsigned>(m_group.lane())) own[unit % lanes_of_thread][w] = bits;
      }
    }
    keep([&](unsigned lane, double* values) {
      for (int w = 0; w < unit_draws; ++w) values[w] = value_of_bits(own[lane % lanes_of_thread][w]);
    });
  }

  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void fill_values(std::uint64_t first_unit, unsigned, const Values& values) {
    keep([&](unsigned lane, double* own) {
      const std::uint64_t first = (first_unit + lane) * unit_draws;
      for (int w = 0; w < unit_draws; ++w) own[w] = values(first + static_cast<unsigned>(w));
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION double read(unsigned place) const { return m_values[place]; }

 private:
  // Stores the unit that `values_of_unit(lane, values)` computes for each lane, after all lanes have finished reading
  // the previous block.
  template <class ValuesOfUnit>
  KOKKOS_FORCEINLINE_FUNCTION void keep(const ValuesOfUnit& values_of_unit) {
    m_group.for_each_lane([&](int lane) {
      double* const own = m_values + (warp_lanes - m_group.size + lane) * unit_draws;
      double values[unit_draws];
      values_of_unit(static_cast<unsigned>(lane), values);
      m_group.sync();
      for (int w = 0; w < unit_draws; ++w) own[w] = values[w];
      m_group.sync();
    });
  }

  LaneGroup m_group;
  double* m_values;
};

/// Lookahead for one host thread: a block in memory, filled by loops that compilers vectorize. The first blocks of a
/// stream are short, so that a replication with few draws costs little. If a model states its number of draws, no block
/// goes beyond it.
template <int unit_draws>
class HostLookahead {
 public:
  using Number = double;
  static constexpr bool is_on_host = true;
  static constexpr unsigned capacity = 64;
  static constexpr unsigned numbers_of_unit = unit_draws;
  static constexpr bool keeps_variates = true;

  KOKKOS_FORCEINLINE_FUNCTION void use(const LaneGroup&, int) {}

  // Number of units in the block that begins at `unit`, for a replication that makes `draws` draws (0 if unknown).
  // Blocks of five to seven small units are rounded up to the eight of a vector register: seven units of Philox and
  // their logarithms take 85 ns, eight take 38 ns.
  KOKKOS_FORCEINLINE_FUNCTION unsigned units_from(std::uint64_t unit, std::int64_t draws) const {
    const std::uint64_t draw = unit * unit_draws, end = static_cast<std::uint64_t>(draws);
    const std::uint64_t wanted = draw < 16 ? 16 : draw < 48 ? 32 : capacity;
    const std::uint64_t left = draw < end ? end - draw : wanted;
    const std::uint64_t units = ((left < wanted ? left : wanted) + unit_draws - 1) / unit_draws;
    constexpr std::uint64_t lanes = unit_draws <= 2 ? 8 : 1;
    return static_cast<unsigned>(units <= 4 ? units : (units + lanes - 1) / lanes * lanes);
  }

  template <class BitsOfUnit, class ValueOfBits>
  KOKKOS_INLINE_FUNCTION void fill(std::uint64_t first_unit, unsigned units, const BitsOfUnit& bits_of_unit,
                                   const ValueOfBits& value_of_bits) {
    std::uint64_t bits[capacity];
    unsigned j = 0;
    if constexpr (requires { bits_of_unit.in_lanes(first_unit, bits); }) {
      for (; j + Pack::lanes <= units; j += Pack::lanes) bits_of_unit.in_lanes(first_unit + j, bits + j * unit_draws);
    }
    for (; j < units; ++j) {
      const auto unit = bits_of_unit(first_unit + j);
      for (int w = 0; w < unit_draws; ++w) bits[j * unit_draws + w] = unit[w];
    }
    keep(bits, units * unit_draws, value_of_bits);
  }

  template <class NextBits, class ValueOfBits>
  KOKKOS_INLINE_FUNCTION void fill_in_order(unsigned units, const NextBits& next_bits,
                                            const ValueOfBits& value_of_bits) {
    std::uint64_t bits[capacity];
    const unsigned draws = units * unit_draws;
    for (unsigned i = 0; i < draws; ++i) bits[i] = next_bits();
    keep(bits, draws, value_of_bits);
  }

  template <class Values>
  KOKKOS_INLINE_FUNCTION void fill_values(std::uint64_t first_unit, unsigned units, const Values& values) {
    const unsigned draws = units * unit_draws;
    const std::uint64_t first = first_unit * unit_draws;
    double* kept = m_values + (capacity - draws);
    if constexpr (requires { values.fill(first, draws, kept); }) {
      values.fill(first, draws, kept);
    } else {
      for (unsigned i = 0; i < draws; ++i) kept[i] = values(first + i);
    }
  }

  // Copies the block to `numbers`, or from there. Device compilers have no such functions, because functions for both
  // sides would call them.
  void save(unsigned units, double* numbers) requires(has_vectors) {
    const unsigned draws = units * unit_draws;
    std::copy_n(m_values + (capacity - draws), draws, numbers);
  }
  void restore(unsigned units, const double* numbers) requires(has_vectors) {
    const unsigned draws = units * unit_draws;
    std::copy_n(numbers, draws, m_values + (capacity - draws));
  }

  // Transforms the uniforms of the block, made by open_uniform, to variates of `Form`.
  template <class Form>
  requires(Form::replaces_few) KOKKOS_FORCEINLINE_FUNCTION void turn_into(unsigned units) {
    const unsigned draws = units * unit_draws;
    Form::replace_open_uniforms(m_values + (capacity - draws), static_cast<int>(draws));
  }

  KOKKOS_FORCEINLINE_FUNCTION double read(unsigned place) const { return m_values[place]; }

 private:
  // Short blocks are stored at the end of the array, so that every block is exhausted at the same position.
  template <class ValueOfBits>
  KOKKOS_FORCEINLINE_FUNCTION void keep(const std::uint64_t* bits, unsigned draws, const ValueOfBits& value_of_bits) {
    double* values = m_values + (capacity - draws);
    for (unsigned i = 0; i < draws; ++i) values[i] = value_of_bits(bits[i]);
  }

  double m_values[capacity];
};

/// Lookahead for one host thread that runs the replications in the lanes of a pack in lockstep: blocks in memory that
/// hold one number per draw and lane.
template <int unit_draws>
class PackLookahead {
 public:
  using Number = Pack;
  static constexpr unsigned capacity = unit_draws < 16 ? 16 : unit_draws;
  static constexpr unsigned numbers_of_unit = unit_draws * Pack::lanes;
  static constexpr bool keeps_variates = true;

  KOKKOS_FORCEINLINE_FUNCTION void use(const LaneGroup&, int) {}

  // Number of units in the block that begins at `unit`, for a replication that makes `draws` draws (0 if unknown).
  KOKKOS_FORCEINLINE_FUNCTION unsigned units_from(std::uint64_t unit, std::int64_t draws) const {
    const std::uint64_t draw = unit * unit_draws, end = static_cast<std::uint64_t>(draws);
    const std::uint64_t left = draw < end ? end - draw : capacity;
    return static_cast<unsigned>(((left < capacity ? left : capacity) + unit_draws - 1) / unit_draws);
  }

  // `bits_of_unit(unit, bits)` writes the draws of a unit in all lanes: draw w of a lane is bits[w * lanes + lane].
  template <class BitsOfUnit, class ValueOfBits>
  void fill(std::uint64_t first_unit, unsigned units, const BitsOfUnit& bits_of_unit,
            const ValueOfBits& value_of_bits) {
    std::uint64_t bits[numbers_of_unit];
    double* values = values_of(units);
    for (unsigned j = 0; j < units; ++j, values += numbers_of_unit) {
      bits_of_unit(first_unit + j, bits);
      for (unsigned i = 0; i < numbers_of_unit; ++i) values[i] = value_of_bits(bits[i]);
    }
  }

  // Transforms the uniforms of the block, made by open_uniform, to variates of `Form`.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION void turn_into(unsigned units) {
    Form::replace_open_uniforms(values_of(units), static_cast<int>(units * unit_draws * Pack::lanes));
  }

  // Fills the first `lanes` lanes with variates of `Form`, one lane after the other; the others get the numbers of lane
  // 0. `bits_of_lane(lane, bits)` writes the draws of `capacity` / `unit_draws` units of a lane in order.
  template <class Form, class BitsOfLane>
  SPOROS_HOST_FORCEINLINE_FUNCTION void fill_lanes(unsigned units, unsigned lanes, const BitsOfLane& bits_of_lane) {
    const unsigned draws = units * unit_draws;
    double* const values = values_of(units);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      std::uint64_t bits[capacity];
      double numbers[capacity];
      bits_of_lane(lane, bits);
      if constexpr (requires { Form::replace_open_uniforms(numbers, 1); }) {
        for (unsigned i = 0; i < capacity; ++i) numbers[i] = open_uniform(bits[i]);
        Form::replace_open_uniforms(numbers, static_cast<int>(draws));
      } else {
        for (unsigned i = 0; i < capacity; ++i) numbers[i] = Form::from_open_uniform(open_uniform(bits[i]));
      }
      for (unsigned i = 0; i < draws; ++i) {
        if (lane == 0) Pack(numbers[i]).store(values + i * Pack::lanes);
        values[i * Pack::lanes + lane] = numbers[i];
      }
    }
  }

  // Copies the block to `numbers`, or from there.
  void save(unsigned units, double* numbers) { std::copy_n(values_of(units), units * numbers_of_unit, numbers); }
  void restore(unsigned units, const double* numbers) {
    std::copy_n(numbers, units * numbers_of_unit, values_of(units));
  }

  // Calls `fill(first, draws, row)`, which writes the numbers of `draws` draws starting at `first`. The numbers of draw
  // first + j belong in row(j)[lane].
  template <class Fill>
  SPOROS_HOST_FORCEINLINE_FUNCTION void fill_rows(std::uint64_t first_unit, unsigned units, const Fill& fill) {
    double* values = values_of(units);
    fill(first_unit * unit_draws, units * unit_draws, [=](unsigned j) { return values + j * Pack::lanes; });
  }

  KOKKOS_FORCEINLINE_FUNCTION Pack read(unsigned place) const { return Pack::load(m_values + place * Pack::lanes); }

 private:
  // Short blocks are stored at the end of the array, so that every block is exhausted at the same position.
  double* values_of(unsigned units) { return m_values + (capacity - units * unit_draws) * Pack::lanes; }

  alignas(Pack) double m_values[capacity * Pack::lanes];  // draw by draw
};

}  // namespace sporos::impl
