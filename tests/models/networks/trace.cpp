// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks traced events against manual calculation: all times are constants, so the events are known.
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/models/networks/network.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace sporos::test {
namespace trace_tests {

using namespace models;

std::vector<std::string> events_of(const std::string& json) {
  const NetworkTables<Kokkos::HostSpace> tables(network_case_of_json("case", json));
  const Network network = tables.model();
  const auto stations = network.station_names();
  std::vector<std::string> texts;
  for (const TracedEvent& event : traced_events(DesignPoint<Network>{network, 1}, {}, 0)) {
    std::ostringstream text;
    text << event.time << ' ' << Network::event_names.at(static_cast<std::size_t>(event.kind)) << ' '
         << stations.at(static_cast<std::size_t>(event.station));
    if (event.entity >= 0) text << ' ' << event.entity;
    texts.push_back(text.str());
  }
  return texts;
}

// The second machine is slower and has no place to wait.
TEST(NetworkTrace, OfALineThatBlocks) {
  EXPECT_EQ(events_of(R"json({"time_unit": "s", "horizon": 9,
      "classes": {"part": {"interarrival": 1, "max_arrivals": 2, "enters": "first"}},
      "stations": {"first": {"service": 1, "next": "second"}, "second": {"room": 1, "full": "block", "service": 3}}})json"),
            (std::vector<std::string>{"1 arrival first 0", "1 service begins first 0", "2 arrival first 1",
                                      "2 service ends first 0", "2 comes second 0", "2 service begins second 0",
                                      "2 service begins first 1", "3 service ends first 1", "3 is blocked first 1",
                                      "5 service ends second 0", "5 leaves second 0", "5 comes second 1",
                                      "5 service begins second 1", "8 service ends second 1", "8 leaves second 1"}));
}

// The queue has one place, in which patience ends before the server is free, and no place for the third customer.
TEST(NetworkTrace, OfCustomersWhoLeaveUnserved) {
  EXPECT_EQ(events_of(R"json({"time_unit": "s", "horizon": 5.5,
      "classes": {"caller": {"interarrival": 1, "max_arrivals": 3, "enters": "agent"}},
      "stations": {"agent": {"waiting": 1, "patience": 1.5, "service": 4}}})json"),
            (std::vector<std::string>{"1 arrival agent 0", "1 service begins agent 0", "2 arrival agent 1",
                                      "3 arrival agent 2", "3 is lost agent 2", "3.5 reneges agent 1",
                                      "5 service ends agent 0", "5 leaves agent 0"}));
}

TEST(NetworkTrace, OfServers) {
  EXPECT_EQ(events_of(R"json({"time_unit": "s", "horizon": 6,
      "classes": {"job": {"interarrival": 1, "max_arrivals": 1, "enters": "machine"}},
      "stations": {"machine": {"service": 2, "breakdowns": {"up": 2, "down": 1.5}}}})json"),
            (std::vector<std::string>{
                "1 arrival machine 0", "1 service begins machine 0", "2 server breaks down machine 0",
                "2 is interrupted machine 0", "3.5 server is repaired machine 0", "3.5 service begins machine 0",
                "4.5 service ends machine 0", "4.5 leaves machine 0", "5.5 server breaks down machine 0"}));
}

// Two served customers are blocked until a shift brings both servers and places; then both move on immediately.
TEST(NetworkTrace, OfAShiftThatFreesPlaces) {
  EXPECT_EQ(events_of(R"json({"time_unit": "s", "horizon": 6,
      "classes": {"part": {"population": 3, "enters": "first"}},
      "stations": {"first": {"servers": 3, "service": 1, "next": "second"},
                   "second": {"waiting": 0, "full": "block", "service": 9,
                              "shifts": [{"from": 0, "servers": 1}, {"from": 5, "servers": 3}]}}})json"),
            (std::vector<std::string>{"0 arrival first 0", "0 service begins first 0", "0 arrival first 1",
                                      "0 service begins first 1", "0 arrival first 2", "0 service begins first 2",
                                      "1 service ends first 0", "1 comes second 0", "1 service begins second 0",
                                      "1 service ends first 1", "1 is blocked first 1", "1 service ends first 2",
                                      "1 is blocked first 2", "5 shift begins second", "5 comes second 1",
                                      "5 service begins second 1", "5 comes second 2", "5 service begins second 2"}));
}

// The servers follow a shift schedule: services end at 10, 20 and 25, the first and second just as shifts end or begin.
TEST(NetworkTrace, OfServicesByShifts) {
  const auto events = events_of(R"json({"time_unit": "min", "horizon": 100,
      "classes": {"p": {"population": 3, "enters": "t"}},
      "stations": {"t": {"shifts": [{"from": 0, "servers": 0}, {"from": 5, "servers": 1}, {"from": 10, "servers": 0},
                                    {"from": 15, "servers": 1}], "service": 5}}})json");
  std::vector<std::string> ends;
  for (const std::string& event : events) {
    if (event.find("service ends") != std::string::npos) ends.push_back(event);
  }
  EXPECT_EQ(ends, (std::vector<std::string>{"10 service ends t 0", "20 service ends t 1", "25 service ends t 2"}));
}

// A service is completed after its shift; a customer that comes then interrupts no one.
TEST(NetworkTrace, OfOvertime) {
  EXPECT_EQ(events_of(R"json({"time_unit": "s", "horizon": 9,
      "classes": {"slow": {"population": 1, "enters": "desk", "priority": 1},
                  "fast": {"interarrival": 3, "max_arrivals": 1, "enters": "desk"}},
      "stations": {"desk": {"discipline": "preemptive", "service": 5,
                            "shifts": [{"from": 0, "servers": 1}, {"from": 2, "servers": 0}]}}})json"),
            (std::vector<std::string>{"0 arrival desk 0", "0 service begins desk 0", "2 shift begins desk",
                                      "3 arrival desk 1", "5 service ends desk 0", "5 leaves desk 0"}));
}

// Units of resources are seized before a service and returned after it. Customers return the key when they leave.
TEST(NetworkTrace, OfResources) {
  const auto events = events_of(R"json({"time_unit": "s", "horizon": 6,
      "classes": {"c": {"interarrival": 1, "max_arrivals": 2, "enters": "desk"}},
      "stations": {"desk": {"service": 2, "seize": ["pen", "key", "pen"], "release": ["pen", "pen"]}},
      "resources": {"pen": 3, "key": 1}})json");
  EXPECT_EQ(events,
            (std::vector<std::string>{
                "1 arrival desk 0",        "1 seizes pen 0",   "1 seizes pen 0",          "1 seizes key 0",
                "1 service begins desk 0", "2 arrival desk 1", "3 service ends desk 0",   "3 releases pen 0",
                "3 releases pen 0",        "3 leaves desk 0",  "3 releases key 0",        "3 seizes pen 1",
                "3 seizes pen 1",          "3 seizes key 1",   "3 service begins desk 1", "5 service ends desk 1",
                "5 releases pen 1",        "5 releases pen 1", "5 leaves desk 1",         "5 releases key 1"}));
}

// Two batches of three customers arrive; the limit cuts off two customers of the second batch.
TEST(NetworkTrace, OfBatchesUpToTheMostArrivals) {
  EXPECT_EQ(
      events_of(R"json({"time_unit": "s", "horizon": 4,
      "classes": {"c": {"interarrival": 1, "batch": 3, "max_arrivals": 4, "enters": "s"}},
      "stations": {"s": {"servers": "unlimited", "service": 9}}})json"),
      (std::vector<std::string>{"1 arrival s 0", "1 service begins s 0", "1 arrival s 1", "1 service begins s 1",
                                "1 arrival s 2", "1 service begins s 2", "2 arrival s 3", "2 service begins s 3"}));
}

}  // namespace trace_tests
}  // namespace sporos::test
