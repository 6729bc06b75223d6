// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sporos::models {

/// The number of customers of an M/M/c queue from the arrival that finds it empty until it is empty again, from one
/// arrival or departure to the next.
struct BusyCycle {
  double arrival_rate;   ///< λ > 0
  double service_rate;   ///< μ > 0 of a busy server
  std::int64_t servers;  ///< c
  std::int64_t places;   ///< most customers in the system: who finds as many there is lost

  /// Room for any number.
  static constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

  /// One draw an event.
  enum Input { event, input_count };
  /// How many are there.
  struct State {
    std::int64_t present;  ///< in the system
  };

  /// An arrival is an event below λ / (λ + c μ), and where fewer servers are busy below larger ones.
  std::vector<double> uniform_cuts(int) const {
    std::vector<double> cuts;
    for (std::int64_t busy = servers; busy > 0 && cuts.size() < 3; --busy) cuts.push_back(share_of_arrivals(busy));
    return cuts;
  }

  /// The first customer.
  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs&) const {
    return {1};
  }
  /// The next event.
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const bool arrives = inputs(event) < share_of_arrivals(state.present < servers ? state.present : servers);
    if (!arrives) {
      --state.present;
    } else if (state.present < places) {
      ++state.present;
    }
  }
  /// The number of customers.
  KOKKOS_FUNCTION double level(const State& state) const { return static_cast<double>(state.present); }
  /// Whether none is there.
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.present == 0; }

  /// P(`level` customers are there before none is): 1 / Σ ρ_1 ⋯ ρ_j over j from 0 to level − 1, where ρ_i is the rate
  /// of departures over that of arrivals with i customers (birth and death process).
  double exact_reach(double level) const {
    const double wanted = std::ceil(level);
    if (wanted > static_cast<double>(places)) return 0;
    double sum = 1, product = 1;
    for (double i = 1; i < wanted && std::isfinite(sum); ++i) {
      product *= std::min(i, static_cast<double>(servers)) * service_rate / arrival_rate;
      sum += product;
    }
    return 1 / sum;
  }

 private:
  KOKKOS_FUNCTION double share_of_arrivals(std::int64_t busy) const {
    return arrival_rate / (arrival_rate + static_cast<double>(busy) * service_rate);
  }
};

}  // namespace sporos::models
