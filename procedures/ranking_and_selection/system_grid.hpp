// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// A parameter of a model that differs between systems, and the values that it takes.
struct GridAxis {
  std::string parameter;       ///< its name
  std::vector<double> values;  ///< at least one, all different
};

/// Axes whose values add up to a total, all of them whole numbers.
struct GridSum {
  std::vector<std::string> parameters;  ///< of at least two axes
  std::int64_t total;                   ///< what they add up to
};

/// How numbers of systems become values of axes, for the host and for kernels; points into tables that another owns.
///
/// Axes come in blocks: one axis alone, or those of a sum. The number of a system is a number of mixed radix whose
/// digits are the blocks' states, the last block changing fastest; states of a sum are in lexicographic order.
struct SystemCoordinates {
  static constexpr int most_axes = 16;  ///< that differ between systems, at most

  /// Values of the axes, in their order.
  using Values = Kokkos::Array<double, static_cast<std::size_t>(most_axes)>;

  /// Some neighbouring axes.
  struct Block {
    int first;            ///< its first axis
    int end;              ///< the one behind its last
    std::int64_t states;  ///< that it has
    std::int64_t total;   ///< what places above the least add up to; of an axis alone nothing
    /// Where its table of ways begins: of axis j and what is left, (j − first) · (total + 1) + left.
    std::int64_t ways;
  };

  /// Where systems are listed one by one, the number of axes: `values` has those of system 0, then those of the next.
  int listed = 0;
  std::int64_t list_size = 0;                                                          ///< systems of a list
  int blocks = 0;                                                                      ///< how many
  Kokkos::Array<Block, static_cast<std::size_t>(most_axes)> block{};                   ///< all of them
  Kokkos::Array<std::int64_t, static_cast<std::size_t>(most_axes) + 1> first_value{};  ///< of each axis, in the table
  const double* values = nullptr;      ///< of all axes, those of an axis growing where it is part of a sum
  const std::int64_t* ways = nullptr;  ///< in how many ways axes j to the last of a block add up to what is left

  /// The values of system `system`.
  KOKKOS_FUNCTION Values operator()(std::int64_t system) const {
    Values found{};
    for (int axis = 0; axis < listed; ++axis) found[axis] = values[system * listed + axis];
    for (int b = blocks - 1; b >= 0; --b) {
      const std::int64_t state = system % block[b].states;
      system /= block[b].states;
      if (block[b].end - block[b].first == 1) {
        found[block[b].first] = values[first_value[block[b].first] + state];
      } else {
        find_in_sum(block[b], state, found);
      }
    }
    return found;
  }

  /// Calls visit(values) with those of all systems, in their order, sooner than one by one. On the host, of tables
  /// there.
  template <class Visit>
  void for_each_system(const Visit& visit) const {
    Values found{};
    if (listed == 0) return visit_block(0, found, visit);
    for (std::int64_t system = 0; system < list_size; ++system) visit((*this)(system));
  }

 private:
  template <class Visit>
  void visit_block(int b, Values& found, const Visit& visit) const {
    if (b == blocks) return visit(found);
    visit_axis(b, block[b].first, block[b].total, found, visit);
  }

  template <class Visit>
  void visit_axis(int b, int axis, std::int64_t left, Values& found, const Visit& visit) const {
    const Block& of = block[b];
    if (axis == of.end) return visit_block(b + 1, found, visit);
    const bool is_sum = of.end - of.first > 1;
    for (std::int64_t i = first_value[axis]; i < first_value[axis + 1]; ++i) {
      std::int64_t after = 0;
      if (is_sum) {
        after = left - static_cast<std::int64_t>(values[i] - values[first_value[axis]]);
        if (after < 0) break;
        if (ways[of.ways + (axis + 1 - of.first) * (of.total + 1) + after] == 0) continue;
      }
      found[axis] = values[i];
      visit_axis(b, axis + 1, after, found, visit);
    }
  }

  KOKKOS_FUNCTION void find_in_sum(const Block& sum, std::int64_t state, Values& found) const {
    std::int64_t left = sum.total;
    for (int axis = sum.first; axis < sum.end; ++axis) {
      const double least = values[first_value[axis]];
      for (std::int64_t i = first_value[axis]; i < first_value[axis + 1]; ++i) {
        const auto above = static_cast<std::int64_t>(values[i] - least);
        if (above > left) break;
        const std::int64_t after = ways[sum.ways + (axis + 1 - sum.first) * (sum.total + 1) + left - above];
        if (state < after) {
          found[axis] = values[i];
          left -= above;
          break;
        }
        state -= after;
      }
    }
  }
};

/// A family of systems: all combinations of values of some parameters, of which sums may be given, as a function of the
/// system's number without a list of them; or a list of systems.
class SystemGrid {
 public:
  /// The most systems of a grid.
  static constexpr std::int64_t most_systems = std::int64_t{1} << 40;

  /// Of these axes and sums. @throws std::invalid_argument without axes or for more than SystemCoordinates::most_axes,
  /// for an axis without values or with one twice, for a sum of an axis that there is not, that is in another sum, or
  /// has values that are not whole, and where there are no systems, or more than most_systems.
  explicit SystemGrid(std::vector<GridAxis> axes, std::vector<GridSum> sums = {});

  /// A list of systems: the values of axis i of system 0, 1, … are the values of `columns[i]`, in this order. @throws
  /// std::invalid_argument as the constructor does, for columns of different lengths, and where a system is listed
  /// twice.
  static SystemGrid listed(std::vector<GridAxis> columns);

  /// How many systems there are.
  std::int64_t size() const { return m_size; }
  /// The axes, those of a sum next to each other; otherwise as they were given. Of a list, the values of all systems.
  std::span<const GridAxis> axes() const { return m_axes; }
  /// The values of a system, an axis each. @throws std::out_of_range where there is no such system.
  std::vector<double> values_of(std::int64_t system) const;

  /// The same grid with other names of its axes, in their order.
  SystemGrid with_names(std::span<const std::string> names) const;

  /// The function for kernels, with tables that lie elsewhere: copies of the two below.
  SystemCoordinates coordinates(const double* values, const std::int64_t* ways) const;
  /// Values of all axes.
  const std::vector<double>& value_table() const { return m_values; }
  /// Ways of all sums.
  const std::vector<std::int64_t>& way_table() const { return m_ways; }

 private:
  SystemGrid() = default;
  void add_block(std::size_t first, std::size_t end);
  void add_sum(std::size_t first, std::size_t end, const GridSum& sum);
  void multiply_size(std::int64_t states);

  std::vector<GridAxis> m_axes;
  SystemCoordinates m_coordinates;
  std::vector<double> m_values;
  std::vector<std::int64_t> m_ways;
  std::int64_t m_size = 1;
};

}  // namespace sporos
