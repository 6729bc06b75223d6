// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sporos::models {

/// Number of customers in an M/M/c queue during a busy cycle: from the arrival that finds it empty until it is empty
/// again. Each step is an arrival or a departure.
struct BusyCycle {
  double arrival_rate;   ///< λ > 0, arrivals per unit of time
  double service_rate;   ///< μ > 0 per busy server
  std::int64_t servers;  ///< number of servers c
  std::int64_t places;   ///< maximum number of customers in the system; arrivals beyond it are lost

  /// Value of `places` for an unlimited number.
  static constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

  /// The only input variable, with one draw per event.
  enum Input { event, input_count };
  /// State of the chain.
  struct State {
    std::int64_t present;  ///< number of customers in the system
  };

  /// Returns the uniforms at which the effect of a draw changes, for importance sampling. With b busy servers, a draw
  /// below λ / (λ + b μ) is an arrival; the largest b are used, at most three of them.
  std::vector<double> uniform_cuts(int) const {
    std::vector<double> cuts;
    for (std::int64_t busy = servers; busy > 0 && cuts.size() < 3; --busy) cuts.push_back(share_of_arrivals(busy));
    return cuts;
  }

  /// Starts with the first customer.
  template <class Inputs>
  KOKKOS_FUNCTION State start(Inputs&) const {
    return {1};
  }
  /// Simulates the next event.
  template <class Inputs>
  KOKKOS_FUNCTION void step(State& state, Inputs& inputs) const {
    const bool arrives = inputs(event) < share_of_arrivals(state.present < servers ? state.present : servers);
    if (!arrives) {
      --state.present;
    } else if (state.present < places) {
      ++state.present;
    }
  }
  /// Returns the number of customers.
  KOKKOS_FUNCTION double level(const State& state) const { return static_cast<double>(state.present); }
  /// Whether the system is empty.
  KOKKOS_FUNCTION bool is_over(const State& state) const { return state.present == 0; }

  /// Returns the probability that `level` customers are present before the system is empty. In a birth and death
  /// process this is 1 / Σ ρ_1 ⋯ ρ_j over j from 0 to level − 1, where ρ_i is the ratio of the departure rate to the
  /// arrival rate with i customers.
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
