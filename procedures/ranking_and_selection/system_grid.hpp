// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// A model parameter that differs between systems, and its values.
struct GridAxis {
  std::string parameter;       ///< name of the parameter
  std::vector<double> values;  ///< at least one, all different
};

/// Axes whose values add up to a total. All values are whole numbers.
struct GridSum {
  std::vector<std::string> parameters;  ///< parameters of at least two axes
  std::int64_t total;                   ///< sum of their values
};

/// Maps indices of systems to values of axes, on the host and in kernels. Does not own the tables to which it points.
///
/// Axes are in blocks: a single axis, or the axes of a sum. The index of a system is a mixed-radix number whose digits
/// are the blocks' states, the last block changing fastest. States of a sum are in lexicographic order.
struct SystemCoordinates {
  static constexpr int max_axes = 16;  ///< maximum number of axes

  /// Values of the axes, in order.
  using Values = Kokkos::Array<double, static_cast<std::size_t>(max_axes)>;

  /// A block of neighbouring axes.
  struct Block {
    int first;            ///< index of its first axis
    int end;              ///< index after its last axis
    std::int64_t states;  ///< number of states
    std::int64_t total;   ///< sum of the differences from the smallest values; 0 for a single axis
    /// Start of its part of the ways table: axis j with rest `left` is at (j − first) · (total + 1) + left.
    std::int64_t ways;
  };

  /// Number of axes if systems are listed one by one, otherwise 0: `values` has those of system 0, then those of the
  /// next.
  int listed = 0;
  std::int64_t list_size = 0;                                        ///< number of listed systems
  int blocks = 0;                                                    ///< number of blocks
  Kokkos::Array<Block, static_cast<std::size_t>(max_axes)> block{};  ///< the blocks
  /// Index in `values` of each axis's first value.
  Kokkos::Array<std::int64_t, static_cast<std::size_t>(max_axes) + 1> first_value{};
  const double* values = nullptr;      ///< values of all axes; ascending for axes of a sum
  const std::int64_t* ways = nullptr;  ///< number of ways in which axes j to the last of a block add up to the rest

  /// Values of system `system`.
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

  /// Calls visit(values) with the values of all systems in order, faster than one by one. Host only, with tables on the
  /// host.
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

/// A family of systems. It contains all combinations of parameter values, optionally with fixed sums, as a function of
/// the system's index without a list of them. Alternatively it is a list of systems.
class SystemGrid {
 public:
  /// Maximum number of systems of a grid.
  static constexpr std::int64_t max_systems = std::int64_t{1} << 40;

  /// Takes axes and sums. @throws std::invalid_argument if there are no axes or more than SystemCoordinates::max_axes;
  /// if an axis has no values or a value twice; if a sum has an unknown axis, an axis of another sum, or values that
  /// are not whole; and if there are no systems or more than max_systems.
  explicit SystemGrid(std::vector<GridAxis> axes, std::vector<GridSum> sums = {});

  /// Returns a list of systems: the values of axis i for systems 0, 1, … are those of `columns[i]`. @throws
  /// std::invalid_argument in the same cases as the constructor, also if columns have different lengths or if a system
  /// is listed twice.
  static SystemGrid listed(std::vector<GridAxis> columns);

  /// Number of systems.
  std::int64_t size() const { return m_size; }
  /// Axes in the given order, except that those of a sum are next to each other. For a list, they hold the values of
  /// all systems.
  std::span<const GridAxis> axes() const { return m_axes; }
  /// Values of a system, one for each axis. @throws std::out_of_range if there is no such system.
  std::vector<double> values_of(std::int64_t system) const;

  /// Returns this grid with other names of its axes, in order.
  SystemGrid with_names(std::span<const std::string> names) const;

  /// Function for kernels, with tables at other addresses: copies of the two tables below.
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
