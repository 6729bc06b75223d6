// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/inventory/demand.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sporos::models {

/// The newsboy problem of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in
/// parallel Monte Carlo simulation, section 7.3. Newspapers are bought in the morning and sold up to the day's demand;
/// the rest is returned for its salvage value. A replication is one day.
struct Newsboy {
  double cost;            ///< cost of a newspaper
  double price;           ///< price of a sold newspaper
  double salvage;         ///< salvage value of a returned newspaper
  std::int64_t quantity;  ///< number of newspapers bought
  DiscreteHandle demand;  ///< distribution of a day's demand
  /// Largest demand, for the host; infinite if unknown.
  double largest_demand = std::numeric_limits<double>::infinity();

  /// The only input variable, with one draw.
  enum Input { daily_demand, input_count };

  /// Profit: price of each newspaper sold plus salvage of each one returned, less the cost of all. Lost sales: demand
  /// that was not served.
  static constexpr auto response_names = std::array{"profit", "lost sales"};

  /// One draw.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1}}}; }

  /// Profit lies between its values if no newspaper or all are sold, in the order that price and salvage give. Lost
  /// sales are largest for the largest demand.
  ResponseRange response_range(int response) const {
    const auto none_sold = responses_to(0.0), most_wanted = responses_to(largest_demand);
    if (response == 1) return {0, most_wanted[1]};
    const auto bought = static_cast<double>(quantity);
    const double all_sold = responses_to(bought)[0];
    return {std::min(none_sold[0], all_sold), std::max(none_sold[0], all_sold)};
  }

  /// Responses to a demand, or to the demands of several days in a Pack.
  template <class Number>
  KOKKOS_FUNCTION Kokkos::Array<Number, 2> responses_to(const Number& wanted) const {
    const auto bought = static_cast<double>(quantity);
    const Number sold = math::min(bought, wanted);
    return {{sold * price + (bought - sold) * salvage - bought * cost, wanted - sold}};
  }

  /// Replications may run in the lanes of a Pack.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 2> operator()(Inputs& inputs) const {
    return responses_to(discrete(inputs(daily_demand), demand));
  }
};

/// The newsboy problem with a demand from a file.
struct NewsboyCase {
  static constexpr std::string_view name = "newsboy";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "newsboy who buys newspapers for a random demand";

  std::string demand;     ///< path of a demand file (see read_demand); empty for newspaper_demand
  double cost;            ///< cost of a newspaper
  double price;           ///< price of a sold newspaper
  double salvage;         ///< salvage value of a returned newspaper
  std::int64_t quantity;  ///< number of newspapers bought

  using Data = Demand;    ///< contents of the file
  using Model = Newsboy;  ///< model that is simulated
  /// The demand in a memory space.
  template <class MemorySpace>
  using Tables = DemandTable<MemorySpace>;

  /// Descriptions of the parameters.
  static auto parameters() {
    return std::tuple{
        Parameter<NewsboyCase, std::string>{"demand", &NewsboyCase::demand, "", "",
                                            "CSV: demand, and frequency in percent or probability", nullptr},
        Parameter<NewsboyCase, double>{"cost", &NewsboyCase::cost, 0.5, "money", "purchase cost of a newspaper",
                                       check_non_negative},
        Parameter<NewsboyCase, double>{"price", &NewsboyCase::price, 1.0, "money", "selling price of a newspaper",
                                       check_non_negative},
        Parameter<NewsboyCase, double>{"salvage", &NewsboyCase::salvage, 0.2, "money",
                                       "salvage value of an unsold paper; negative for a disposal cost", check_finite},
        Parameter<NewsboyCase, std::int64_t>{"quantity", &NewsboyCase::quantity, 24, "", "number of newspapers bought",
                                             nullptr}};
  }

  /// Reads the demand; messages about the file are added to `notes`.
  Demand load(std::vector<std::string>& notes) const {
    return demand.empty() ? newspaper_demand() : read_demand(demand, notes);
  }

  /// Throws std::invalid_argument if a parameter is out of range or the quantity exceeds the largest demand.
  void check(const Demand& data) const;

  /// Names of the responses, which do not depend on the demand.
  std::vector<std::string> response_names(const Demand&) const {
    return {Newsboy::response_names.begin(), Newsboy::response_names.end()};
  }

  /// Exact expectations, as sums over the table.
  std::vector<std::optional<double>> exact_means(const Demand& data) const;

  /// Quantity with the largest mean profit, or the smallest one if there are several. For a salvage below the cost, it
  /// is the first demand whose cumulative probability reaches (price − cost) / (price − salvage).
  std::int64_t best_quantity(const Demand& data) const;

  /// The model for kernels.
  template <class MemorySpace>
  Newsboy model(const DemandTable<MemorySpace>& table) const {
    return {cost, price, salvage, quantity, table.handle(), table.largest()};
  }
};

inline void NewsboyCase::check(const Demand& data) const {
  check_parameters(*this);
  sporos::impl::check_parameter(salvage < cost, "salvage", salvage,
                                "a number below the cost, " + sporos::impl::number_text(cost));
  if (quantity >= 0 && quantity <= data.largest()) return;
  sporos::impl::refuse_parameter(
      "quantity", std::to_string(quantity),
      "a whole number from 0 to the largest demand in the table, " + std::to_string(data.largest()));
}

inline std::vector<std::optional<double>> NewsboyCase::exact_means(const Demand& data) const {
  const Newsboy newsboy{cost, price, salvage, quantity, {}};
  double profit = 0, lost = 0;
  for (std::size_t i = 0; i < data.values.size(); ++i) {
    const auto responses = newsboy.responses_to(data.values[i]);
    profit += data.probabilities[i] * responses[0];
    lost += data.probabilities[i] * responses[1];
  }
  return {profit, lost};
}

inline std::int64_t NewsboyCase::best_quantity(const Demand& data) const {
  if (price <= cost) return 0;
  const double fractile = (price - cost) / (price - salvage);
  constexpr double rounding = 1e-12;  // allowance for rounding of the sums
  double cumulative = 0;
  for (std::size_t i = 0; i < data.values.size(); ++i) {
    cumulative += data.probabilities[i];
    if (cumulative >= fractile - rounding) return static_cast<std::int64_t>(data.values[i]);
  }
  return data.largest();
}

}  // namespace sporos::models
