// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

// Moves the axes of each sum to the place of its first axis.
std::vector<GridAxis> gathered(std::vector<GridAxis> axes, const std::vector<GridSum>& sums) {
  for (const GridSum& sum : sums) {
    const auto first = std::ranges::find_first_of(axes, sum.parameters, {}, &GridAxis::parameter);
    std::stable_partition(first, axes.end(), [&](const GridAxis& axis) {
      return std::ranges::find(sum.parameters, axis.parameter) != sum.parameters.end();
    });
  }
  return axes;
}

void check_names(const std::vector<GridAxis>& axes) {
  if (axes.empty()) refuse("a family of systems has no parameter that differs, expected at least one");
  if (axes.size() > static_cast<std::size_t>(SystemCoordinates::max_axes)) {
    refuse(std::to_string(axes.size()) + " parameters differ between systems, expected at most " +
           std::to_string(SystemCoordinates::max_axes));
  }
  for (const GridAxis& axis : axes) {
    if (axis.values.empty()) refuse(axis.parameter + " has no values, expected at least one");
    if (std::ranges::count(axes, axis.parameter, &GridAxis::parameter) > 1) refuse(axis.parameter + " is given twice");
  }
}

void check_axes(const std::vector<GridAxis>& axes) {
  check_names(axes);
  for (const GridAxis& axis : axes) {
    std::vector<double> sorted = axis.values;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) refuse(axis.parameter + " takes a value twice");
  }
}

void check_sums(const std::vector<GridAxis>& axes, const std::vector<GridSum>& sums) {
  std::vector<std::string> summed;
  for (const GridSum& sum : sums) {
    if (sum.parameters.size() < 2) refuse("a sum has less than two parameters, expected at least two");
    for (const std::string& name : sum.parameters) {
      const auto axis = std::ranges::find(axes, name, &GridAxis::parameter);
      if (axis == axes.end()) refuse("a sum has " + name + ", which is the same in all systems");
      if (std::ranges::find(summed, name) != summed.end()) refuse(name + " is in a sum twice");
      if (std::ranges::any_of(axis->values, [](double x) { return std::floor(x) != x || std::abs(x) > 1e9; })) {
        refuse(name + " takes values that are not whole, expected whole numbers in a sum");
      }
      summed.push_back(name);
    }
  }
}

}  // namespace

SystemGrid::SystemGrid(std::vector<GridAxis> axes, std::vector<GridSum> sums) {
  check_axes(axes);
  check_sums(axes, sums);
  m_axes = gathered(std::move(axes), sums);
  for (std::size_t axis = 0; axis < m_axes.size();) {
    const auto sum = std::ranges::find_if(sums, [&](const GridSum& other) {
      return std::ranges::find(other.parameters, m_axes[axis].parameter) != other.parameters.end();
    });
    const std::size_t end = axis + (sum == sums.end() ? 1 : sum->parameters.size());
    for (std::size_t i = axis; i < end; ++i) {
      if (sum != sums.end()) std::ranges::sort(m_axes[i].values);
      m_coordinates.first_value[i] = static_cast<std::int64_t>(m_values.size());
      m_values.insert(m_values.end(), m_axes[i].values.begin(), m_axes[i].values.end());
      m_coordinates.first_value[i + 1] = static_cast<std::int64_t>(m_values.size());
    }
    if (sum == sums.end()) {
      add_block(axis, end);
    } else {
      add_sum(axis, end, *sum);
    }
    axis = end;
  }
}

SystemGrid SystemGrid::listed(std::vector<GridAxis> columns) {
  check_names(columns);
  const std::size_t systems = columns.front().values.size();
  std::map<std::vector<double>, std::size_t> known;
  SystemGrid grid;
  for (std::size_t system = 0; system < systems; ++system) {
    std::vector<double> values;
    for (const GridAxis& column : columns) {
      if (column.values.size() != systems) {
        refuse(column.parameter + " has " + std::to_string(column.values.size()) +
               " values, expected one for each of " + std::to_string(systems) + " systems");
      }
      values.push_back(column.values[system]);
    }
    const auto [same, is_new] = known.try_emplace(values, system);
    if (!is_new) {
      refuse("system " + std::to_string(system + 1) + " is the same as system " + std::to_string(same->second + 1) +
             ", expected each system once");
    }
    grid.m_values.insert(grid.m_values.end(), values.begin(), values.end());
  }
  grid.m_axes = std::move(columns);
  grid.m_coordinates.listed = static_cast<int>(grid.m_axes.size());
  grid.m_size = grid.m_coordinates.list_size = static_cast<std::int64_t>(systems);
  return grid;
}

void SystemGrid::add_block(std::size_t first, std::size_t end) {
  const auto states = static_cast<std::int64_t>(m_axes[first].values.size());
  m_coordinates.block[static_cast<std::size_t>(m_coordinates.blocks++)] = {static_cast<int>(first),
                                                                           static_cast<int>(end), states, 0, 0};
  multiply_size(states);
}

// The ways are computed by dynamic programming from the last axis to the first.
void SystemGrid::add_sum(std::size_t first, std::size_t end, const GridSum& sum) {
  constexpr std::int64_t max_total = 1'000'000;
  std::int64_t total = sum.total;
  for (std::size_t i = first; i < end; ++i) total -= static_cast<std::int64_t>(m_axes[i].values.front());
  if (total < 0 || total > max_total) {
    refuse("there are no systems whose parameters add up to " + std::to_string(sum.total));
  }
  const std::size_t columns = static_cast<std::size_t>(total) + 1, axes = end - first;
  std::vector<std::int64_t> ways((axes + 1) * columns, 0);
  ways[axes * columns] = 1;
  for (std::size_t axis = axes; axis-- > 0;) {
    const std::vector<double>& values = m_axes[first + axis].values;
    for (std::size_t left = 0; left < columns; ++left) {
      std::int64_t& sum_of_ways = ways[axis * columns + left];
      for (const double value : values) {
        const auto above = static_cast<std::size_t>(value - values.front());
        if (above > left) break;
        sum_of_ways = std::min(sum_of_ways + ways[(axis + 1) * columns + left - above], max_systems + 1);
      }
    }
  }
  const std::int64_t states = ways[columns - 1];
  if (states == 0) refuse("there are no systems whose parameters add up to " + std::to_string(sum.total));
  m_coordinates.block[static_cast<std::size_t>(m_coordinates.blocks++)] = {
      static_cast<int>(first), static_cast<int>(end), states, total, static_cast<std::int64_t>(m_ways.size())};
  m_ways.insert(m_ways.end(), ways.begin(), ways.end());
  multiply_size(states);
}

void SystemGrid::multiply_size(std::int64_t states) {
  if (states > max_systems / m_size) {
    refuse("there are more than 2^40 systems, expected at most " + std::to_string(max_systems));
  }
  m_size *= states;
}

SystemGrid SystemGrid::with_names(std::span<const std::string> names) const {
  SystemGrid named = *this;
  for (std::size_t axis = 0; axis < m_axes.size(); ++axis) named.m_axes[axis].parameter = names[axis];
  return named;
}

SystemCoordinates SystemGrid::coordinates(const double* values, const std::int64_t* ways) const {
  SystemCoordinates found = m_coordinates;
  found.values = values;
  found.ways = ways;
  return found;
}

std::vector<double> SystemGrid::values_of(std::int64_t system) const {
  if (system < 0 || system >= m_size) throw std::out_of_range("there is no system " + std::to_string(system));
  const auto values = coordinates(m_values.data(), m_ways.data())(system);
  return {values.data(), values.data() + m_axes.size()};
}

}  // namespace sporos
