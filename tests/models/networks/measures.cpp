// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks measures on request: quantiles of times, largest values, fractions of time, and values of periods.
#include "exact_values.hpp"
#include "markov_chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace sporos::test {
namespace measures_tests {

// Times in M/M/1 are exponential. The times of both classes together have P(T > t) = (2 e^(-0.5 t) + e^(-1.5 t)) / 3.
// The bins of the histogram, an eighth wide, change these quantiles by less than 0.4 %; the intervals are 2 to 4 %
// wide.
TEST(NetworkMeasures, QuantilesOfTimesInTheNetwork) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20000, "warm_up": 100, "time_quantiles": [0.5, 0.9],
    "classes": {"slow": {"interarrival": "exponential(0.5)", "enters": "a"},
                "fast": {"interarrival": "exponential(0.25)", "enters": "b"}},
    "stations": {"a": {"service": "exponential(1)"}, "b": {"service": "exponential(1.75)"}}})json";
  const auto of_all = [](double p) {
    double low = 0, high = 50;
    for (int i = 0; i < 60; ++i) {
      const double t = (low + high) / 2;
      ((2 * std::exp(-t / 2) + std::exp(-1.5 * t)) / 3 > 1 - p ? low : high) = t;
    }
    return low;
  };
  const Exact exact{{"0.5-quantile of time of slow in network", std::log(2.0) / 0.5},
                    {"0.9-quantile of time of slow in network", std::log(10.0) / 0.5},
                    {"0.9-quantile of time of fast in network", std::log(10.0) / 1.5},
                    {"0.5-quantile of time in network", of_all(0.5)},
                    {"0.9-quantile of time in network", of_all(0.9)}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(1)", "exponential(0.95)"), exact);
}

// P(maximum > m) is the probability that the chain has passed m. Of four customers at time 0, the last waits for three
// services.
TEST(NetworkMeasures, LargestNumbersAndTimes) {
  const std::string text = R"json({"time_unit": "s", "horizon": 20, "maxima": true,
    "classes": {"job": {"interarrival": "exponential(0.8)", "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(1)"}}})json";
  double largest = 0, waiting = 0;
  for (int m = 0; m < 40; ++m) {
    const MarkovChain chain({0}, [m](const ChainState& s) {
      ChainMoves moves;
      if (s[0] > m) return moves;
      moves.push_back({0.8, {s[0] + 1}});
      if (s[0] > 0) moves.push_back({1.0, {s[0] - 1}});
      return moves;
    });
    const double passed = chain.mean_at(20, 2000, [m](const ChainState& s) { return s[0] > m; });
    largest += passed;
    waiting += m > 0 ? passed : 0;
  }
  const Exact exact{{"largest number at desk", largest}, {"largest number waiting at desk", waiting}};
  expect_exact(text, exact, 800);
  expect_seen(with(text, "exponential(1)", "exponential(0.9)"), exact, 3000);
  const std::string four = R"json({"time_unit": "s", "horizon": 1000, "maxima": true,
    "classes": {"job": {"population": 4, "enters": "desk"}}, "stations": {"desk": {"service": "exponential(1)"}}})json";
  const Exact times{{"longest wait at desk", 3},
                    {"longest time in network", 4},
                    {"largest number at desk", 4},
                    {"largest number waiting at desk", 3}};
  expect_exact(four, times, 400);
  expect_seen(with(four, "exponential(1)", "exponential(0.9)"), times, 1000);
}

// M/M/1/5 in equilibrium, and from empty until 10.
TEST(NetworkMeasures, FractionsOfTimeWithMoreCustomers) {
  const std::string text = R"json({"time_unit": "s", "horizon": 2000, "warm_up": 100, "number_limits": [0, 2],
    "classes": {"job": {"interarrival": "exponential(0.9)", "enters": "desk"}},
    "stations": {"desk": {"room": 5, "service": "exponential(1)"}}})json";
  double sum = 0, over_0 = 0, over_2 = 0;
  for (int n = 0; n <= 5; ++n) {
    const double p = std::pow(0.9, n);
    sum += p;
    over_0 += n > 0 ? p : 0;
    over_2 += n > 2 ? p : 0;
  }
  const Exact exact{{"number over 0 at desk", over_0 / sum},
                    {"number over 2 at desk", over_2 / sum},
                    {"number over 2 in network", over_2 / sum}};
  expect_exact(text, exact);
  expect_seen(with(text, "exponential(1)", "exponential(0.95)"), exact);
  const std::string from_empty = with(with(text, "2000", "10"), "\"warm_up\": 100, ", "");
  const MarkovChain chain({0}, [](const ChainState& s) {
    ChainMoves moves;
    if (s[0] < 5) moves.push_back({0.9, {s[0] + 1}});
    if (s[0] > 0) moves.push_back({1.0, {s[0] - 1}});
    return moves;
  });
  const Exact until_10{
      {"number over 2 at desk", chain.mean_until(10, 1000, [](const ChainState& s) { return s[0] > 2; })}};
  expect_exact(from_empty, until_10, 800);
  expect_seen(with(from_empty, "exponential(1)", "exponential(0.85)"), until_10, 3000);
}

// M_t/M/infinity starts empty: m' = lambda(t) - 2 m in hours, with rates 4 until 2 h and 1 afterwards. Customers who
// leave in a period are the arrivals less the change of the number.
TEST(NetworkMeasures, AveragesOfPeriods) {
  const std::string text = R"json({"time_unit": "min", "horizon": "4 h", "periods": "1 h",
    "classes": {"job": {"rates": [{"from": 0, "rate": "4 / h"}, {"from": "2 h", "rate": "1 / h"}], "enters": "ward"}},
    "stations": {"ward": {"servers": "unlimited", "service": "exponential(2) h"}}})json";
  Exact exact;
  double number = 0, peak = 0;
  for (int hour = 0; hour < 4; ++hour) {
    const double rate = hour < 2 ? 4 : 1, limit = rate / 2, end = limit + (number - limit) * std::exp(-2.0);
    const std::string period =
        " at ward from " + std::to_string(60 * hour) + " to " + std::to_string(60 * hour + 60) + " min";
    exact["number" + period] = limit + (number - end) / 2;
    exact["throughput" + period] = (rate - end + number) / 60;
    number = end;
    peak = std::max(peak, exact["number" + period]);
  }
  expect_exact(text, exact, 800);
  expect_seen(with(text, "\"from\": \"2 h\"", "\"from\": \"110 min\""), exact, 10000);
  EXPECT_EQ(peak, exact["number at ward from 60 to 120 min"]);
}

// Customers arrive at 10, 20, 30 and 40. Services begin at 10, 25, 40 and 55, after waits of 0, 5, 10 and 15.
TEST(NetworkMeasures, OfAQueueByHand) {
  const std::string text = R"json({"time_unit": "min", "horizon": 60, "periods": 20, "maxima": true,
    "number_limits": [0, 1], "classes": {"job": {"interarrival": 10, "max_arrivals": 4, "enters": "desk"}},
    "stations": {"desk": {"service": 15}}})json";
  const Exact exact{{"number at desk from 0 to 20 min", 10 / 20.0},
                    {"number at desk from 20 to 40 min", 35 / 20.0},
                    {"number at desk from 40 to 60 min", 35 / 20.0},
                    {"number in network from 20 to 40 min", 35 / 20.0},
                    {"number waiting at desk from 0 to 20 min", 0},
                    {"number waiting at desk from 20 to 40 min", 15 / 20.0},
                    {"number waiting at desk from 40 to 60 min", 15 / 20.0},
                    {"wait at desk from 0 to 20 min", 0},
                    {"wait at desk from 20 to 40 min", 5},
                    {"wait at desk from 40 to 60 min", 12.5},
                    {"utilization at desk from 0 to 20 min", 0.5},
                    {"utilization at desk from 40 to 60 min", 1},
                    {"throughput at desk from 20 to 40 min", 1 / 20.0},
                    {"throughput in network from 40 to 60 min", 2 / 20.0},
                    {"largest number at desk", 2},
                    {"largest number waiting at desk", 1},
                    {"largest number in network", 2},
                    {"longest wait at desk", 15},
                    {"longest time in network", 25},
                    {"number over 0 at desk", 50 / 60.0},
                    {"number over 1 at desk", 30 / 60.0},
                    {"number over 1 in network", 30 / 60.0}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"service\": 15", "\"service\": 16"), exact);
  // The cycle from 30 to 60 is the only one after the warm-up, in which the third customer waits for no time yet.
  const Exact last{{"number at desk from 0 to 10 min", 2},
                   {"number at desk from 10 to 20 min", 2},
                   {"number at desk from 20 to 30 min", 1.5},
                   {"wait at desk from 0 to 10 min", 0},
                   {"wait at desk from 10 to 20 min", 10},
                   {"wait at desk from 20 to 30 min", 15},
                   {"largest number at desk", 2}};
  expect_values(with(text, "\"periods\": 20", "\"warm_up\": 30, \"periods\": {\"every\": 10, \"cycle\": 30}"), last);
  // The first cycle has the numbers 0, 1 and 1.5.
  const Exact average{{"number at desk from 0 to 10 min", 1}, {"number at desk from 20 to 30 min", 1.5}};
  expect_values(with(text, "\"periods\": 20", "\"periods\": {\"every\": 10, \"cycle\": 30}"), average);
  const Exact first{{"number at desk from 0 to 25 min", 20 / 25.0}, {"number at desk from 25 to 60 min", 60 / 35.0}};
  expect_values(with(text, "\"periods\": 20", "\"periods\": [0, 25]"), first);
}

// A customer is blocked on its server from 2 until 5, and two shifts have different numbers of servers.
TEST(NetworkMeasures, UtilizationOfPeriodsCountsNoBlockedServers) {
  const std::string line =
      R"json({"time_unit": "s", "horizon": 8, "periods": {"every": 4, "responses": ["utilization"]},
    "classes": {"part": {"population": 2, "enters": "first"}},
    "stations": {"first": {"service": 1, "next": "second"}, "second": {"room": 1, "full": "block", "service": 4}}})json";
  expect_values(line, {{"utilization at first from 0 to 4 s", 2 / 4.0},
                       {"utilization at first from 4 to 8 s", 0},
                       {"utilization at second from 0 to 4 s", 3 / 4.0},
                       {"utilization at second from 4 to 8 s", 1}});
  const std::string shifts = R"json({"time_unit": "s", "horizon": 8, "periods": {"every": 4, "stations": ["desk"]},
    "classes": {"job": {"population": 2, "enters": "desk"}},
    "stations": {"desk": {"service": 5, "shifts": [{"from": 0, "servers": 2}, {"from": 4, "servers": 1}]}}})json";
  expect_values(shifts,
                {{"utilization at desk from 0 to 4 s", 1}, {"utilization at desk from 4 to 8 s", 2 / (2 + 3.0)}});
}

// Customers who are there at the end of the warm-up count.
TEST(NetworkMeasures, LargestNumbersBeginWithThoseAfterTheWarmUp) {
  const std::string text = R"json({"time_unit": "s", "horizon": 9, "warm_up": 4.5, "maxima": true,
    "classes": {"job": {"population": 8, "enters": "desk"}}, "stations": {"desk": {"service": 1}}})json";
  expect_values(text, {{"largest number at desk", 4},
                       {"largest number waiting at desk", 3},
                       {"largest number in network", 4},
                       {"longest wait at desk", 7},
                       {"longest time in network", 8}});
}

// A panel shows the first value from 0 to 20 and the second, the last, from 20 to 60, each with its interval.
TEST(NetworkMeasures, PictureOfPeriodsHasAPanelForEachQuantityAtAPlace) {
  const auto picture_of = [](const std::string& periods) {
    const auto network =
        models::network_case_of_json("case", with(R"json({"time_unit": "min", "horizon": 60, "periods": ?,
          "classes": {"job": {"interarrival": 10, "enters": "a"}},
          "stations": {"a": {"service": 5, "next": "b"}, "b": {"service": 5}}})json",
                                                  "?", periods));
    std::vector<double> means, half_widths;
    for (std::size_t i = 0; i < models::network_responses(network).size(); ++i) {
      means.push_back(static_cast<double>(i));
      half_widths.push_back(0.5);
    }
    return models::network_period_picture(network, means, half_widths);
  };
  const auto panels_of = [](const std::string& script) {
    int count = 0;
    for (auto place = script.find("plot $"); place != script.npos; place = script.find("plot $", place + 1)) ++count;
    return count;
  };
  const std::string all = picture_of("20");
  EXPECT_EQ(panels_of(all), 8);
  EXPECT_NE(all.find("the first 8 of 12"), all.npos);
  const std::string one = picture_of(R"({"starts": [0, 20], "responses": ["wait"], "stations": ["b"]})");
  EXPECT_EQ(panels_of(one), 1);
  EXPECT_EQ(one.find("the first"), one.npos);
  // The last two of the responses are those of the periods.
  const auto first = one.find("$course0 << END\n0 ");
  ASSERT_NE(first, one.npos);
  std::istringstream block(one.substr(one.find('\n', first)));
  std::vector<double> numbers(16);
  for (double& number : numbers) block >> number;
  const double mean = numbers[1];
  EXPECT_EQ(numbers, (std::vector<double>{0, mean, mean - 0.5, mean + 0.5, 20, mean, mean - 0.5, mean + 0.5, 20,
                                          mean + 1, mean + 0.5, mean + 1.5, 60, mean + 1, mean + 0.5, mean + 1.5}));
  EXPECT_GT(mean, 3);
}

}  // namespace measures_tests
}  // namespace sporos::test
