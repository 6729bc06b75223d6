// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Messages arrive as a Poisson process and are routed at random to one of ten networks, which send them one at a time
/// (NETWORK of SimOpt). The decision variables are the shares of the networks. In network i, a message takes a
/// symmetric triangular time between i − w and i + w. It costs p / i, plus t per unit of time that it spends there.
/// Networks are empty at time 0.
///
/// Network i is an M/G/1 queue with arrival rate λ qᵢ / Σ q; its stationary mean time is given by the
/// Pollaczek–Khinchine formula. The cost of its messages depends only on its share, so the total cost is a sum of
/// functions of one share each (expected_time).
struct MessageNetworks {
  static constexpr std::string_view name = "message-networks";  ///< name on the command line
  /// Title in lists.
  static constexpr std::string_view title = "messages routed at random to one of ten networks, each a queue";

  static constexpr int networks = 10;  ///< number of networks

  double share_1;         ///< q₁ >= 0; the probability of network 1 is proportional to it
  double share_2;         ///< q₂ of network 2
  double share_3;         ///< q₃ of network 3
  double share_4;         ///< q₄ of network 4
  double share_5;         ///< q₅ of network 5
  double share_6;         ///< q₆ of network 6
  double share_7;         ///< q₇ of network 7
  double share_8;         ///< q₈ of network 8
  double share_9;         ///< q₉ of network 9
  double share_10;        ///< q₁₀ of network 10
  double arrival_rate;    ///< λ, messages per unit of time
  std::int64_t messages;  ///< number of arriving messages
  double half_width;      ///< w from 0 to 1, half-width of the distribution of transit times
  double message_cost;    ///< p, cost of a message in network 1
  double time_cost;       ///< t, cost per message and unit of time

  /// Input variables, each with one draw per message.
  enum Input { interarrival, route, transit, input_count };

  /// Total cost, cost of the routes without the cost of time, and mean time of a message in its network.
  static constexpr auto response_names = std::array{"total cost", "message cost", "time in network"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using N = MessageNetworks;
    const auto number = [](std::string_view parameter, double N::*member, double default_value,
                           std::string_view meaning, void (*check)(std::string_view, double)) {
      return Parameter<N, double>{parameter, member, default_value, "", meaning, check};
    };
    const auto share = [&](std::string_view parameter, double N::*member) {
      return number(parameter, member, 0.1, "share of the messages, relative to the sum of shares", check_non_negative);
    };
    constexpr auto check_half_width = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 0 && value <= 1, parameter, value, "a number from 0 to 1");
    };
    return std::tuple{
        share("share_1", &N::share_1),
        share("share_2", &N::share_2),
        share("share_3", &N::share_3),
        share("share_4", &N::share_4),
        share("share_5", &N::share_5),
        share("share_6", &N::share_6),
        share("share_7", &N::share_7),
        share("share_8", &N::share_8),
        share("share_9", &N::share_9),
        share("share_10", &N::share_10),
        number("arrival_rate", &N::arrival_rate, 1.0, "messages arriving per unit of time", check_rate),
        Parameter<N, std::int64_t>{"messages", &N::messages, 1000, "", "number of arriving messages", check_steps},
        number("half_width", &N::half_width, 0.5, "half-width of the distribution of transit times", check_half_width),
        number("message_cost", &N::message_cost, 0.1, "cost of a message in network 1; network i costs 1/i of it",
               check_non_negative),
        number("time_cost", &N::time_cost, 0.005, "cost of a message per unit of time in the network",
               check_non_negative)};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    DescribedProblem one{
        .name = "network-1",
        .title = "shares of ten networks that minimize the cost of messages",
        .source = "SimOpt, NETWORK-1",
        .objective = "total cost",
        .budget = 1000,
        .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                .value = 62.639315286698,
                                .x = {0, 0.29909773644, 0.198116190731, 0.139917531971, 0.103856920185, 0.079528333163,
                                      0.0620360607147, 0.048836713923, 0.0384896907508, 0.0301208221215},
                                .source = "Spitzer's identity for each network and a Lagrange multiplier"},
        .is_smooth = true};
    std::string sum;
    for (int network = 1; network <= networks; ++network) {
      const std::string share = "share_" + std::to_string(network);
      one.decisions.push_back({share, 0, 1, 0.1});
      sum += (network > 1 ? " + " : "") + share;
    }
    one.constraints = {sum + " = 1"};
    return {one};
  }

  /// Throws std::invalid_argument if a parameter is out of range or if all shares are 0.
  void check() const {
    check_parameters(*this);
    if (!(total() > 0)) throw std::invalid_argument("all shares are 0, expected at least one above 0");
  }

  /// Range of a response: non-negative.
  ResponseRange response_range(int) const { return {.least = 0}; }

  /// Returns the expected total time of all messages in network `number` (from 1), if each message is routed there with
  /// probability p. The relative error is below 10⁻⁷ if λ w <= 1.
  ///
  /// The work in the network before message n + 1 is a random walk with one step per message, reflected at 0. By
  /// Spitzer's identity, its mean is Σ E max(Tⱼ, 0) / j over j = 1 … n. Tⱼ is the sum of the transit times of those of
  /// j messages that are routed there, minus the j gaps after all j. Sums of transit times are replaced by three nodes
  /// and weights that match their first five moments.
  double expected_time(int number, double p) const;

  /// Returns all exact means, by expected_time. With more than 1000 messages or λ w > 1, only the cost of the routes is
  /// known.
  ExactMeans<MessageNetworks> exact_means() const {
    double cost = 0, time = 0;
    const auto q = shares();
    const bool is_known = messages <= 1000 && arrival_rate * half_width <= 1;
    for (int i = 0; i < networks; ++i) {
      cost += q[i] / total() * message_cost / (i + 1);
      if (is_known && q[i] > 0) time += expected_time(i + 1, q[i] / total());
    }
    const auto all = static_cast<double>(messages);
    if (!is_known) return {std::nullopt, all * cost, std::nullopt};
    return {all * cost + time_cost * time, all * cost, time / all};
  }

  /// Number of draws: one of each input variable per message.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 3> input_draws() const { return {{{messages}, {messages}, {messages}}}; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    const auto q = shares();
    const double all = total(), mean_gap = 1 / arrival_rate;
    Kokkos::Array<double, networks> done;
    int last = 0;
    for (int i = 0; i < networks; ++i) {
      done[i] = 0;
      if (q[i] > 0) last = i;
    }
    double now = 0, route_cost = 0, time = 0;
    for (std::int64_t message = 0; message < messages; ++message) {
      now += exponential_by_mean(inputs(interarrival), mean_gap);
      double place = all * standard_variate<StandardUniform>(inputs(route));
      int i = 0;
      for (; i < last && place >= q[i]; ++i) place -= q[i];
      const double u = standard_variate<StandardUniform>(inputs(transit));
      const double shift = u < 0.5 ? ::sqrt(2 * u) - 1 : 1 - ::sqrt(2 * (1 - u));
      const double start = done[i] > now ? done[i] : now;
      done[i] = start + (i + 1 + half_width * shift);
      time += done[i] - now;
      route_cost += message_cost / (i + 1);
    }
    return {{route_cost + time_cost * time, route_cost, time / static_cast<double>(messages)}};
  }

 private:
  KOKKOS_FUNCTION Kokkos::Array<double, networks> shares() const {
    return {{share_1, share_2, share_3, share_4, share_5, share_6, share_7, share_8, share_9, share_10}};
  }
  KOKKOS_FUNCTION double total() const {
    double sum = 0;
    const auto q = shares();
    for (int i = 0; i < networks; ++i) sum += q[i];
    return sum;
  }
};

namespace impl {

// Returns P(N < k) for k = 0 … count, where N is a Poisson variate of mean x > 0.
inline std::vector<double> poisson_below(double x, std::int64_t count) {
  // Smaller numbers have a probability below 10⁻³⁰.
  const double first = std::max(0.0, std::floor(x - 12 * std::sqrt(x)));
  double probability = std::exp(first * std::log(x) - x - std::lgamma(first + 1)), sum = 0;
  std::vector<double> below{0};
  for (std::int64_t k = 0; k < count; ++k) {
    const auto number = static_cast<double>(k);
    if (number >= first) {
      sum += probability;
      probability *= x / (number + 1);
    }
    below.push_back(sum);
  }
  return below;
}

}  // namespace impl

inline double MessageNetworks::expected_time(int number, double p) const {
  std::vector<double> mean_above(static_cast<std::size_t>(messages), 0);  // E max(Tⱼ, 0)
  const double expected = p * static_cast<double>(messages), mean = number;
  for (std::int64_t own = 1; own < messages; ++own) {
    const auto m = static_cast<double>(own);
    if (m > expected + 9 * std::sqrt(expected) + 10) break;  // larger numbers have a probability below 10⁻¹⁶
    const double kurtosis = 3 - 0.6 / m, shift = half_width * std::sqrt(m / 6 * kurtosis), weight = 0.5 / kurtosis;
    for (const double side : {-1.0, 0.0, 1.0}) {
      const double work = m * mean + side * shift;
      const std::vector<double> below = impl::poisson_below(arrival_rate * work, messages);
      // Times P(`own` of j messages are routed there).
      double share = std::pow(p, m) * (side == 0 ? 1 - 2 * weight : weight);
      for (std::int64_t j = own; j < messages; ++j) {
        const auto at = static_cast<std::size_t>(j);
        const auto gaps = static_cast<double>(j);
        mean_above[at] += share * (work * (1 - below[at]) - gaps / arrival_rate * (1 - below[at + 1]));
        share *= (gaps + 1) / (gaps + 1 - m) * (1 - p);
      }
    }
  }
  double work = 0, time = 0;
  for (std::size_t n = 0; n < mean_above.size(); ++n) {
    if (n > 0) work += mean_above[n] / static_cast<double>(n);
    time += p * (work + mean);
  }
  return time;
}

}  // namespace sporos::models
