// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the log of visits by hand, and measures of networks against the same measures computed from the log.
#include "replicated_network.hpp"

#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/models/networks/network.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace visits_tests {

using namespace models;

std::string log_of(const std::string& json) {
  const NetworkTables<Kokkos::HostSpace> tables(network_case_of_json("case", json));
  const Network network = tables.model();
  return network.visit_log(7, traced_events(DesignPoint<Network>{network, 1}, {}, 7));
}

const std::string header =
    "replication,customer,class,visit,station,arrival,wait,service_begin,service_end,departure,outcome\n";

// The queue has one place, in which patience ends before the server is free, and no place for the third customer.
TEST(NetworkVisits, OfCustomersWhoLeaveUnserved) {
  EXPECT_EQ(log_of(R"json({"time_unit": "s", "horizon": 5.5,
      "classes": {"caller": {"interarrival": 1, "max_arrivals": 3, "enters": "agent"}},
      "stations": {"agent": {"waiting": 1, "patience": 1.5, "service": 4}}})json"),
            header +
                "7,0,caller,1,agent,1,0,1,5,5,served\n"
                "7,1,caller,1,agent,2,1.5,,,3.5,reneged\n"
                "7,2,caller,1,agent,3,0,,,3,lost\n");
}

// The second machine is slower and has no place to wait; the replication ends during a service and a wait. The part
// becomes a product after the first machine.
TEST(NetworkVisits, OfALineThatBlocks) {
  EXPECT_EQ(log_of(R"json({"time_unit": "s", "horizon": 7,
      "classes": {"part": {"interarrival": 1, "max_arrivals": 3, "enters": "first"}, "product": {}},
      "stations": {"first": {"service": 1, "next": [{"to": "second", "becomes": "product"}]},
                   "second": {"room": 1, "full": "block", "service": 3}}})json"),
            header +
                "7,0,part,1,first,1,0,1,2,2,served\n"
                "7,0,product,2,second,2,0,2,5,5,served\n"
                "7,1,part,1,first,2,0,2,3,5,served\n"
                "7,1,product,2,second,5,0,5,,,present\n"
                "7,2,part,1,first,3,2,5,6,,present\n");
}

// The first server breaks down during the service, which resumes later. The other customer still waits at the end.
TEST(NetworkVisits, OfAnInterruptedService) {
  EXPECT_EQ(log_of(R"json({"time_unit": "s", "horizon": 4,
      "classes": {"job": {"interarrival": 1, "max_arrivals": 2, "enters": "machine"}},
      "stations": {"machine": {"service": 2, "breakdowns": {"up": 2, "down": 1.5}}}})json"),
            header +
                "7,0,job,1,machine,1,0,1,,,present\n"
                "7,1,job,1,machine,2,,,,,present\n");
}

// The second patient waits for the nurse at the triage, and the first one at the treatment, where the second one comes
// when the nurse treats the first. The replication ends during the recovery of the second one, who keeps its room.
TEST(NetworkVisits, OfCustomersWhoSeizeResources) {
  std::string columns = header;
  columns.insert(columns.size() - 1, ",seized_room,released_room,seized_nurse,released_nurse");
  EXPECT_EQ(log_of(R"json({"time_unit": "s", "horizon": 14,
      "classes": {"patient": {"interarrival": 1, "max_arrivals": 2, "enters": "triage"}},
      "stations": {"triage": {"service": 2, "seize": ["room", "nurse"], "release": ["nurse"], "next": "treatment"},
                   "treatment": {"service": 3, "seize": ["nurse"], "release": ["nurse"], "next": "recovery"},
                   "recovery": {"servers": "unlimited", "service": 4, "release": ["room"]}},
      "resources": {"room": 2, "nurse": 1}})json"),
            columns +
                "7,0,patient,1,triage,1,0,1,3,3,served,1,,1,3\n"
                "7,0,patient,2,treatment,3,2,5,8,8,served,,,5,8\n"
                "7,0,patient,3,recovery,8,0,8,12,12,served,,12,,\n"
                "7,1,patient,1,triage,2,1,3,5,5,served,3,,3,5\n"
                "7,1,patient,2,treatment,5,3,8,11,11,served,,,8,11\n"
                "7,1,patient,3,recovery,11,0,11,,,present,,,,\n");
}

// A customer who reneges returns what it holds from an earlier station.
TEST(NetworkVisits, OfACustomerWhoRenegesWithAResource) {
  EXPECT_EQ(log_of(R"json({"time_unit": "s", "horizon": 9,
      "classes": {"car": {"interarrival": 1, "max_arrivals": 2, "enters": "gate"}},
      "stations": {"gate": {"service": 1, "seize": ["bay"], "next": "pump"},
                   "pump": {"service": 5, "patience": 2}},
      "resources": {"bay": 2}})json"),
            header.substr(0, header.size() - 1) +
                ",seized_bay,released_bay\n"
                "7,0,car,1,gate,1,0,1,2,2,served,1,\n"
                "7,0,car,2,pump,2,0,2,7,7,served,,7\n"
                "7,1,car,1,gate,2,0,2,3,3,served,2,\n"
                "7,1,car,2,pump,3,2,,,5,reneged,,5\n");
}

// Number of customers at station `s`, or in the network if `s` is negative, as steps of time and change.
std::vector<std::pair<double, int>> steps_of(const std::vector<NetworkVisitRecord>& visits, int s) {
  std::vector<std::pair<double, int>> steps;
  for (const NetworkVisitRecord& visit : visits) {
    if ((s >= 0 && visit.station != s) || visit.outcome == "lost") continue;
    steps.emplace_back(visit.arrival, 1);
    if (visit.departure) steps.emplace_back(*visit.departure, -1);
  }
  std::ranges::sort(steps);
  return steps;
}

// Integrates f(number) over [from, to), and returns the largest number that holds for a positive time.
template <class Function>
std::pair<double, int> integral(const std::vector<std::pair<double, int>>& steps, double from, double to,
                                const Function& f) {
  double sum = 0, last = 0;
  int number = 0, largest = 0;
  const auto hold_until = [&](double time) {
    const double length = std::min(time, to) - std::max(last, from);
    if (length > 0) {
      sum += length * f(number);
      largest = std::max(largest, number);
    }
    last = time;
  };
  for (const auto& [time, change] : steps) {
    hold_until(time);
    number += change;
  }
  hold_until(to);
  return {sum, largest};
}

// Checks the measures of one replication of an example against its log.
void expect_measures_of_log(const std::string& name, std::int64_t replication, std::size_t& compared) {
  NetworkDescription description = read_network_case(std::string(SPOROS_NETWORK_CASES) + "/" + name + ".json");
  const double horizon = description.horizon, warm_up = description.warm_up;
  ASSERT_TRUE(std::isfinite(horizon));
  description.has_maxima = true;
  description.number_limits = {0, 3};
  description.periods.ends = {(warm_up + 2 * horizon) / 3, (warm_up + 5 * horizon) / 6, horizon};
  description.periods.quantities = {PeriodQuantity::number, PeriodQuantity::wait, PeriodQuantity::throughput};
  description.check();
  const NetworkTables<Kokkos::HostSpace> tables(description);
  const Network network = tables.model();
  const auto responses = network_replication(network, 1, static_cast<std::uint64_t>(replication));
  const auto visits = network_visits(traced_events(DesignPoint<Network>{network, 1}, {}, replication));
  const auto all = network_responses(description);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [what, s, of_class, limit] = all[i];
    const auto index = static_cast<std::size_t>(limit);
    const auto steps = steps_of(visits, s);
    const bool is_period = is_of_period(all[i]);
    const double from = is_period && limit > 0 ? std::max(description.periods.ends[index - 1], warm_up) : warm_up;
    const double to = is_period ? description.periods.ends[index] : horizon;
    double waits = 0, wait = 0, longest = 0, served = 0;
    for (const NetworkVisitRecord& visit : visits) {
      if (s >= 0 && visit.station != s) continue;
      const double wait_end = visit.arrival + visit.wait().value_or(std::numeric_limits<double>::infinity());
      if (visit.outcome != "lost" && wait_end >= from && wait_end < to) {
        ++waits;
        wait += *visit.wait();
        longest = std::max(longest, *visit.wait());
      }
      served += visit.outcome == "served" && *visit.departure >= from && *visit.departure < to ? 1 : 0;
    }
    double expected = 0;
    switch (what) {
      case Observation::number_over:
        expected =
            integral(steps, from, to, [&](int n) { return n > description.number_limits[index] ? 1.0 : 0.0; }).first /
            (to - from);
        break;
      case Observation::period_number:
        expected = integral(steps, from, to, [](int n) { return double(n); }).first / (to - from);
        break;
      case Observation::largest_number:
        expected = integral(steps, from, to, [](int) { return 0.0; }).second;
        break;
      case Observation::period_wait:
        expected = waits > 0 ? wait / waits : 0;
        break;
      case Observation::longest:
        if (s < 0) continue;
        expected = longest;
        break;
      case Observation::period_throughput:
        if (s < 0) continue;
        expected = served / (to - from);
        break;
      default:
        continue;
    }
    EXPECT_NEAR(responses[i], expected, 1e-9 * (1 + expected))
        << name << ": " << network.response_name(static_cast<int>(i));
    ++compared;
  }
}

TEST(NetworkVisits, HaveTheMeasuresOfTheReplication) {
  std::size_t compared = 0;
  for (const char* const name : {"emergency_department", "call_centre", "buffered_line", "job_shop"}) {
    for (const std::int64_t replication : {0, 1}) expect_measures_of_log(name, replication, compared);
  }
  EXPECT_GT(compared, 200U);
}

}  // namespace visits_tests
}  // namespace sporos::test
