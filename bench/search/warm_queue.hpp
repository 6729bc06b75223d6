// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace sporos::bench {

/// The M/M/1 queue of SimOpt, which starts empty. Customers after a warm-up are observed.
template <class Real = double>
struct BasicWarmQueue {
  static constexpr std::string_view name = "warm-mm1";
  static constexpr std::string_view title = "M/M/1 queue after a warm-up";

  Real arrival_rate, service_rate;
  std::int64_t warm_up, customers;  ///< customers before the first observed one, and observed customers

  enum Input { interarrival, service, input_count };

  /// Average time in system over the observed customers.
  static constexpr auto response_names = std::array{"time in system"};

  static constexpr auto parameters() {
    using Q = BasicWarmQueue;
    return std::tuple{
        Parameter<Q, Real>{"arrival_rate", &Q::arrival_rate, 1.5, "1/time", "customers arriving", check_rate},
        Parameter<Q, Real>{"service_rate", &Q::service_rate, 3.0, "1/time", "customers served", check_rate},
        Parameter<Q, std::int64_t>{"warm_up", &Q::warm_up, 50, "", "customers first", check_positive_integer},
        Parameter<Q, std::int64_t>{"customers", &Q::customers, 200, "", "customers then", check_positive_integer}};
  }
  void check() const { check_parameters(*this); }
  ResponseRange response_range(int) const { return {.least = 0}; }

  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const {
    return {{{warm_up + customers}, {warm_up + customers}}};
  }

  /// The model also runs in lanes.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 1> operator()(Inputs& inputs) const {
    using math::max;
    const Real mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
    NumberIn<Inputs, Real> arrival = 0, departure = 0, stay = 0;
    for (std::int64_t customer = -warm_up; customer < customers; ++customer) {
      arrival += exponential_by_mean(inputs(interarrival), mean_gap);
      departure = max(arrival, departure) + exponential_by_mean(inputs(service), mean_service);
      if (customer >= 0) stay += departure - arrival;
    }
    return {{stay / static_cast<double>(customers)}};
  }
};

using WarmQueue = BasicWarmQueue<>;

}  // namespace sporos::bench
