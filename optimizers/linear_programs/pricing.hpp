// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/linear_programs/basis.hpp>
#include <sporos/optimizers/linear_programs/linear_program.hpp>
#include <sporos/optimizers/linear_programs/scaling.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::impl {

// A reduced cost counts as negative only if it exceeds this fraction of the terms that it sums.
inline constexpr double reduced_cost_tolerance = 1e-9;

// Gain of a scaled column, or 0 if it is not more than rounding (Dantzig's rule on the equilibrated program). `cost`
// and `reduced_cost` are the column's own; `weight` scales them to a column whose largest entry is 1.
KOKKOS_INLINE_FUNCTION double gain_of(double cost, double reduced_cost, double weight, double price_scale) {
  const double gain = -reduced_cost * weight;
  const double size = (cost < 0 ? -cost : cost) * weight + price_scale;
  return gain > reduced_cost_tolerance * size ? gain : 0;
}

// A column and its gain, or no column if nothing is gained.
struct PricedColumn {
  double gain;
  std::int64_t column;

  KOKKOS_FUNCTION void keep_better(const PricedColumn& other) {
    if (other.gain > gain || (other.gain == gain && other.column < column)) *this = other;
  }
};

// Kokkos reducer to the column with the largest gain, the first among ties.
template <class MemorySpace>
struct BestColumn {
  using reducer = BestColumn;
  using value_type = PricedColumn;
  using result_view_type = Kokkos::View<value_type, MemorySpace, Kokkos::MemoryUnmanaged>;

  KOKKOS_FUNCTION explicit BestColumn(value_type& value) : m_value(&value) {}
  KOKKOS_FUNCTION void join(value_type& to, const value_type& from) const { to.keep_better(from); }
  KOKKOS_FUNCTION void join(volatile value_type& to, const volatile value_type& from) const {
    if (from.gain > to.gain || (from.gain == to.gain && from.column < to.column)) {
      to.gain = from.gain;
      to.column = from.column;
    }
  }
  KOKKOS_FUNCTION void init(value_type& value) const { value = {0, Kokkos::reduction_identity<std::int64_t>::min()}; }
  KOKKOS_FUNCTION value_type& reference() const { return *m_value; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(m_value); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }

 private:
  value_type* m_value;
};

// Finds the best column of each block of columns. In phase 1 `costs` is empty.
template <class ExecutionSpace>
struct BlockPricer {
  using Member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Best = BestColumn<typename ExecutionSpace::memory_space>;

  ConstraintColumns<ExecutionSpace> columns;
  ConstVector<ExecutionSpace> costs;
  ConstVector<ExecutionSpace> weights;
  ConstVector<ExecutionSpace> prices;  // prices of the unscaled rows
  double price_scale;                  // sum of the scaled prices' magnitudes
  bool is_first_wanted;                // for Bland's rule: finds the first column that gains, not the best
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> best;

  // Use four sums, so that additions need not wait for each other.
  KOKKOS_FUNCTION double price_of(std::int64_t j) const {
    const auto rows = static_cast<std::int64_t>(columns.extent(1));
    double sums[4] = {0, 0, 0, 0};
    std::int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
      for (int k = 0; k < 4; ++k) sums[k] += prices(i + k) * columns(j, i + k);
    }
    for (; i < rows; ++i) sums[0] += prices(i) * columns(j, i);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // A cost that is not finite gets the largest gain, so that it is detected.
  KOKKOS_FUNCTION double gain(std::int64_t j) const {
    const double cost = costs.extent(0) == 0 ? 0 : costs(j);
    const double reduced_cost = cost - price_of(j);
    if (!(reduced_cost - reduced_cost == 0)) return Kokkos::reduction_identity<double>::min();
    const double gain = gain_of(cost, reduced_cost, weights(j), price_scale);
    return is_first_wanted && gain > 0 ? 1 : gain;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const ColumnBlock block(columns.extent(0), team.league_rank());
    PricedColumn block_best;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, block.begin, block.end),
        [&](std::int64_t j, PricedColumn& found) {
          found.keep_better({gain(j), j});
        },
        Best(block_best));
    Kokkos::single(Kokkos::PerTeam(team),
                   [&] { best(team.league_rank()) = block_best.gain > 0 ? block_best.column : -1; });
  }
};

// Copies chosen columns, each followed by its cost and weight, to memory that the host fetches at once.
template <class ExecutionSpace>
struct ColumnGatherer {
  ConstraintColumns<ExecutionSpace> columns;
  ConstVector<ExecutionSpace> costs;
  ConstVector<ExecutionSpace> weights;
  Kokkos::View<const std::int64_t*, typename ExecutionSpace::memory_space> chosen;
  Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> gathered;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t j = chosen(place);
    const auto rows = static_cast<std::int64_t>(columns.extent(1));
    for (std::int64_t i = 0; i < rows; ++i) gathered(place, i) = columns(j, i);
    gathered(place, rows) = costs.extent(0) == 0 ? 0 : costs(j);
    gathered(place, rows + 1) = weights(j);
  }
};

// The columns of A on the device. Finds the columns with the largest gain in one pass over all.
template <class ExecutionSpace>
class PricedColumns {
 public:
  using Costs = ConstVector<ExecutionSpace>;  // one per column; empty in phase 1

  PricedColumns(const ExecutionSpace& space, const ConstraintColumns<ExecutionSpace>& columns)
      : m_columns(columns),
        m_row_scales(impl::row_scales(space, columns)),
        m_weights(column_weights(space, columns, m_row_scales)),
        m_prices(Kokkos::view_alloc(space, "sporos::linear_programs::prices"), m_row_scales.size()),
        m_best(Kokkos::view_alloc(space, "sporos::linear_programs::best_columns"),
               static_cast<std::size_t>(column_blocks)) {}

  std::int64_t count() const { return static_cast<std::int64_t>(m_columns.extent(0)); }
  const std::vector<double>& row_scales() const { return m_row_scales; }

  // Returns the best column of each block, or the block's first that gains. `prices` are those of the scaled rows.
  std::vector<ScaledColumn> find(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& costs,
                                 const std::vector<double>& prices, bool is_first_wanted) const;

  // Returns columns by index. Throws std::invalid_argument if a cost is not finite.
  std::vector<ScaledColumn> gather(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& costs,
                                   const std::vector<std::int64_t>& indices) const;

 private:
  static double sum_of_sizes(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value < 0 ? -value : value;
    return sum;
  }

  ScaledColumn scaled(std::int64_t index, const double* entries) const;

  ConstraintColumns<ExecutionSpace> m_columns;
  std::vector<double> m_row_scales;
  Vector<ExecutionSpace> m_weights;
  Vector<ExecutionSpace> m_prices;
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> m_best;
};

template <class ExecutionSpace>
std::vector<ScaledColumn> PricedColumns<ExecutionSpace>::find(const ExecutionSpace& space,
                                                              const ConstVector<ExecutionSpace>& costs,
                                                              const std::vector<double>& prices,
                                                              bool is_first_wanted) const {
  const auto host_prices = Kokkos::create_mirror_view(m_prices);
  for (std::size_t i = 0; i < prices.size(); ++i) host_prices(i) = prices[i] * m_row_scales[i];
  copy_elements(space, m_prices, host_prices);
  // A team on a host has one thread, because barriers cost more than they save.
  constexpr int team_size = runs_on_host<ExecutionSpace> ? 1 : 256;
  Kokkos::parallel_for("sporos::linear_programs::price",
                       Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(column_blocks), team_size),
                       BlockPricer<ExecutionSpace>{m_columns, costs, m_weights, m_prices, sum_of_sizes(prices),
                                                   is_first_wanted, m_best});
  const auto best = Kokkos::create_mirror_view(m_best);
  copy_elements(space, best, m_best);
  space.fence();
  std::vector<std::int64_t> found;
  for (std::int64_t block = 0; block < column_blocks; ++block) {
    if (best(block) >= 0) found.push_back(best(block));
  }
  return gather(space, costs, found);
}

template <class ExecutionSpace>
std::vector<ScaledColumn> PricedColumns<ExecutionSpace>::gather(const ExecutionSpace& space,
                                                                const ConstVector<ExecutionSpace>& costs,
                                                                const std::vector<std::int64_t>& indices) const {
  if (indices.empty()) return {};
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> chosen(
      Kokkos::view_alloc(space, "sporos::linear_programs::chosen"), indices.size());
  copy_elements(space, chosen, indices);
  const Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> gathered(
      Kokkos::view_alloc(space, "sporos::linear_programs::gathered"), indices.size(), m_row_scales.size() + 2);
  Kokkos::parallel_for("sporos::linear_programs::gather",
                       Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<std::int64_t>(indices.size())),
                       ColumnGatherer<ExecutionSpace>{m_columns, costs, m_weights, chosen, gathered});
  const auto fetched = Kokkos::create_mirror_view(gathered);
  copy_elements(space, fetched, gathered);
  space.fence();
  std::vector<ScaledColumn> columns;
  for (std::size_t place = 0; place < indices.size(); ++place) {
    columns.push_back(scaled(indices[place], &fetched(place, 0)));
  }
  return columns;
}

template <class ExecutionSpace>
ScaledColumn PricedColumns<ExecutionSpace>::scaled(std::int64_t index, const double* entries) const {
  const std::size_t rows = m_row_scales.size();
  const double cost = entries[rows];
  const double weight = entries[rows + 1];
  if (!std::isfinite(cost)) {
    refuse_parameter(std::string("cost of column ").append(std::to_string(index + 1)), number_text(cost),
                     "a finite number");
  }
  const double scale = power_of_two_below(weight);
  ScaledColumn column{index, cost * scale, scale, weight / scale, std::vector<double>(rows)};
  for (std::size_t i = 0; i < rows; ++i) column.entries[i] = entries[i] * m_row_scales[i] * scale;
  return column;
}

}  // namespace sporos::impl
