// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::models {

/// Distribution of an integer demand.
struct Demand {
  std::vector<double> values;         ///< increasing, at least 0
  std::vector<double> probabilities;  ///< one for each value, with sum 1

  /// Largest demand in the table.
  std::int64_t largest() const { return static_cast<std::int64_t>(values.back()); }
};

/// Table of a demand in `MemorySpace`.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class DemandTable : public DiscreteTable<MemorySpace> {
 public:
  /// Throws std::invalid_argument in the same cases as DiscreteTable.
  explicit DemandTable(const Demand& demand)
      : DiscreteTable<MemorySpace>(demand.values, demand.probabilities), m_largest(demand.values.back()) {}

  /// Largest demand in the table.
  double largest() const { return m_largest; }

 private:
  double m_largest;
};

/// Daily demand of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel
/// Monte Carlo simulation, table 3: the percentage of days for 0 to 50 newspapers.
inline Demand newspaper_demand() {
  constexpr std::array percentages = {0, 0, 1, 1, 1, 2, 1, 1, 1, 2, 2, 1, 3, 1, 3, 3, 3, 4, 3, 4, 3, 4, 5, 4, 4, 3,
                                      4, 3, 3, 4, 2, 3, 3, 2, 2, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0};
  Demand demand;
  for (const int percentage : percentages) {
    demand.values.push_back(static_cast<double>(demand.values.size()));
    demand.probabilities.push_back(percentage / 100.0);
  }
  return demand;
}

namespace impl {

inline void check_demand_sum(const std::string& path, std::string_view what, const std::vector<double>& shares,
                             double expected) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (std::abs(sum - expected) <= probability_sum_tolerance * expected) return;
  throw std::invalid_argument(
      fmt::format("{}: the sum of column '{}' is {}, expected {}", path, what, io::shortest_text(sum), expected));
}

}  // namespace impl

/// Reads a demand from a CSV file with two columns in any order: `demand` (integers in increasing order), and
/// `frequency` (in percent, with sum 100) or `probability` (with sum 1). Appends to `notes` how the file deviates from
/// plain CSV. Throws std::invalid_argument, whose message states the file, the line and the expected contents.
inline Demand read_demand(const std::string& path, std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"column", "demand"});
  const bool in_percent = rows.find("frequency").has_value();
  const std::string share_name = in_percent ? "frequency" : "probability";
  const auto value_column = rows.find("demand"), share_column = rows.find(share_name);
  if (rows.names().size() != 2 || !value_column || !share_column) {
    throw std::invalid_argument(fmt::format(
        "{}, line 1: the columns are {}, expected demand and frequency (in percent), or demand and probability", path,
        io::in_quotes(fmt::format("{}", fmt::join(rows.names(), ", ")))));
  }
  Demand demand;
  while (rows.next()) {
    const std::string place = fmt::format("{}, line {}: ", path, rows.line());
    for (const std::size_t column : {*value_column, *share_column}) {
      if (!io::number_of<double>(rows.number_text(column))) rows.refuse_near_number(column);
    }
    const auto value = static_cast<double>(io::parse_number<std::int64_t>(
        place + "demand", rows.number_text(*value_column), 0, std::int64_t{1'000'000'000}));
    if (!demand.values.empty() && value <= demand.values.back()) {
      throw std::invalid_argument(fmt::format("{}demand is {}, expected more than {}, the demand on the line before",
                                              place, value, demand.values.back()));
    }
    const auto share = io::parse_number<double>(place + share_name, rows.number_text(*share_column));
    check_non_negative(place + share_name, share);
    demand.values.push_back(value);
    demand.probabilities.push_back(share);
  }
  rows.add_note(notes);
  impl::check_demand_sum(path, share_name, demand.probabilities, in_percent ? 100 : 1);
  if (in_percent) {
    for (double& share : demand.probabilities) share /= 100;
  }
  return demand;
}

}  // namespace sporos::models
