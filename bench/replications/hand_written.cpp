// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hand_written.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_01.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>

namespace sporos::bench::hand_written {

namespace {

using Clock = std::chrono::steady_clock;

// Running sums for the mean and the standard error of all responses of a replication.
template <std::size_t responses>
struct Sums {
  std::array<double, responses> sum = {}, sum_of_squares = {};

  void add(const std::array<double, responses>& values) {
    for (std::size_t i = 0; i < responses; ++i) {
      sum[i] += values[i];
      sum_of_squares[i] += values[i] * values[i];
    }
  }

  Outcome outcome(std::int64_t replications, Clock::time_point start) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const auto n = static_cast<double>(replications);
    const double mean = sum[0] / n, variance = (sum_of_squares[0] - mean * sum[0]) / std::max(n - 1, 1.0);
    return {seconds, mean, std::sqrt(variance / n)};
  }
};

// Calls `replicate(uniform)` for each replication, with one engine.
template <class Replicate>
Outcome run(std::int64_t replications, const Replicate& replicate, Spacing spacing = Spacing::none) {
  const auto start = Clock::now();
  boost::random::taus88 engine(20240229u);
  boost::random::mt19937 states(20240229u);
  boost::random::uniform_01<double> distribution;
  const auto uniform = [&] { return distribution(engine); };
  Sums<std::tuple_size_v<decltype(replicate(uniform))>> sums;
  for (std::int64_t replication = 0; replication < replications; ++replication) {
    if (spacing == Spacing::random) {
      const std::array<std::uint32_t, 3> words = {states(), states(), states()};
      auto first = words.begin();
      engine.seed(first, words.end());
    }
    sums.add(replicate(uniform));
  }
  return sums.outcome(replications, start);
}

}  // namespace

Outcome pi(std::int64_t replications, std::int64_t draws, Spacing spacing) {
  const auto replicate = [&](const auto& uniform) {
    std::int64_t inside = 0;
    for (std::int64_t i = 0; i < draws; ++i) {
      const double x = uniform();
      const double y = uniform();
      inside += x * x + y * y < 1.0;
    }
    return std::array{4.0 * static_cast<double>(inside) / static_cast<double>(draws)};
  };
  return run(replications, replicate, spacing);
}

// Same model as sporos::models::MM1 when it ends after a number of customers.
Outcome mm1(std::int64_t replications, double arrival_rate, double service_rate, std::int64_t customers,
            Spacing spacing) {
  const double mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  const auto replicate = [&](const auto& uniform) {
    double arrival = 0, departure = 0, wait = 0, stay = 0, idle = 0;
    for (std::int64_t customer = 0; customer < customers; ++customer) {
      arrival -= mean_gap * std::log(uniform());
      if (arrival > departure) idle += arrival - departure;
      const double start = std::max(arrival, departure);
      departure = start - mean_service * std::log(uniform());
      wait += start - arrival;
      stay += departure - arrival;
    }
    const auto n = static_cast<double>(customers);
    return std::array{wait / n, stay / n, idle, wait / departure};
  };
  return run(replications, replicate, spacing);
}

// Same model as sporos::models::MMCK.
Outcome mmck(std::int64_t replications, double arrival_rate, double service_rate, std::int64_t servers,
             std::int64_t capacity, std::int64_t customers) {
  std::vector<double> weights(static_cast<std::size_t>(capacity) + 1, 1.0);
  double total = 1;
  for (std::int64_t n = 1; n <= capacity; ++n) {
    const auto i = static_cast<std::size_t>(n);
    weights[i] = weights[i - 1] * arrival_rate / (service_rate * static_cast<double>(std::min(n, servers)));
    total += weights[i];
  }
  const double mean_gap = 1.0 / arrival_rate, mean_service = 1.0 / service_rate;
  const double horizon = static_cast<double>(customers) * mean_gap;
  return run(replications, [&](const auto& uniform) {
    std::int64_t number = 0;
    for (double left = uniform() * total - weights[0]; left > 0 && number < capacity;) {
      left -= weights[static_cast<std::size_t>(++number)];
    }
    std::int64_t busy = std::min(number, servers);
    const auto departure_after = [&](double now) {
      return busy == 0 ? 1e300 : now - mean_service / static_cast<double>(busy) * std::log(uniform());
    };
    double now = 0, next_arrival = -mean_gap * std::log(uniform()), next_departure = departure_after(0);
    double number_area = 0, busy_area = 0, full_time = 0;
    while (true) {
      const bool arrives = next_arrival < next_departure;
      const double next_event = arrives ? next_arrival : next_departure;
      const double spent = std::min(next_event, horizon) - now;
      number_area += spent * static_cast<double>(number);
      busy_area += spent * static_cast<double>(busy);
      full_time += number == capacity ? spent : 0.0;
      if (next_event >= horizon) break;
      now = next_event;
      if (arrives) next_arrival = now - mean_gap * std::log(uniform());
      if (arrives && number == capacity) continue;
      number += arrives ? 1 : -1;
      if (arrives && busy == servers) continue;
      busy = std::min(number, servers);
      next_departure = departure_after(now);
    }
    const double entered = arrival_rate * (horizon - full_time);
    return std::array{number_area / horizon, full_time / horizon, (number_area - busy_area) / entered,
                      busy_area / (horizon * static_cast<double>(servers))};
  });
}

// Same model as sporos::models::RandomWalk.
Outcome random_walk(std::int64_t replications, std::int64_t steps, std::int64_t chunk_side, Spacing spacing) {
  const std::int64_t height = 5 * chunk_side, width = 6 * chunk_side;
  const auto replicate = [&](const auto& uniform) {
    std::int64_t row = height / 2, column = width / 2;
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto quarter = static_cast<int>(4.0 * uniform());
      const std::int64_t forward = 2 * (quarter & 1) - 1, across = quarter >> 1;
      row += (1 - across) * forward;
      column += across * forward;
      row += row < 0 ? height : 0;
      row -= row >= height ? height : 0;
      column += column < 0 ? width : 0;
      column -= column >= width ? width : 0;
    }
    std::array<double, 30> ends = {};
    ends[static_cast<std::size_t>(row / chunk_side * 6 + column / chunk_side)] = 1;
    return ends;
  };
  return run(replications, replicate, spacing);
}

// The network of sporos::models::eight_activities, with explicit paths.
Outcome pert(std::int64_t replications) {
  return run(replications, [](const auto& uniform) {
    std::array<double, 8> duration;
    for (double& value : duration) value = 1.0 + static_cast<double>(static_cast<int>(5.0 * uniform()));
    const auto [a, b, c, d, e, f, g, h] = duration;
    const double event_4 = std::max({c, a + e, b + g}), end = std::max({d, a + f, event_4 + h});
    const bool ends_with_f = a + f == end, ends_with_h = event_4 + h == end;
    const bool has_e = ends_with_h && a + e == event_4, has_g = ends_with_h && b + g == event_4;
    const auto critical = [](bool is) { return is ? 1.0 : 0.0; };
    return std::array{end,
                      critical(ends_with_f || has_e),
                      critical(has_g),
                      critical(ends_with_h && c == event_4),
                      critical(d == end),
                      critical(has_e),
                      critical(ends_with_f),
                      critical(has_g),
                      critical(ends_with_h)};
  });
}

namespace {

// Averages draws in four sums, so that additions do not wait for each other.
template <class Draw>
Outcome average(std::int64_t draws, double deviation, const Draw& draw) {
  const auto start = Clock::now();
  std::array<double, 4> sums = {};
  for (std::int64_t i = 0; i < draws; i += 4) {
    for (double& sum : sums) sum += draw();
  }
  const auto n = static_cast<double>(draws);
  const double mean = (sums[0] + sums[1] + sums[2] + sums[3]) / n;
  return {std::chrono::duration<double>(Clock::now() - start).count(), mean, deviation / std::sqrt(n)};
}

template <class Engine>
Outcome draw(Engine engine, Variate variate, std::int64_t draws) {
  boost::random::uniform_01<double> uniform;
  boost::random::exponential_distribution<double> exponential;
  boost::random::normal_distribution<double> normal;
  switch (variate) {
    case Variate::uniform:
      return average(draws, std::sqrt(1.0 / 12), [&] { return uniform(engine); });
    case Variate::exponential_by_log:
      return average(draws, 1.0, [&] { return -std::log(uniform(engine)); });
    case Variate::exponential:
      return average(draws, 1.0, [&] { return exponential(engine); });
    case Variate::normal:
      break;
  }
  return average(draws, 1.0, [&] { return normal(engine); });
}

}  // namespace

Outcome taus88(Variate variate, std::int64_t draws) { return draw(boost::random::taus88(20240229u), variate, draws); }

Outcome mt19937_64(Variate variate, std::int64_t draws) {
  return draw(boost::random::mt19937_64(20240229u), variate, draws);
}

}  // namespace sporos::bench::hand_written
