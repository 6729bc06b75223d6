// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks lists of arrivals, lateness and no-shows against calculations by hand and enumerations of all outcomes.
#include "exact_values.hpp"

#include <harness/folder.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::test {
namespace arrivals_tests {

// Services of 3 begin at 1, 4, 7, 10 and 20. Waits: 0, 2, 5, 0, 0 for arrivals at 1, 2, 2, 10 and 20.
TEST(NetworkArrivals, CustomersArriveByATrace) {
  const std::string text = R"json({"time_unit": "min", "horizon": 30,
    "classes": {"c": {"arrivals": [1, 2, "2 min", "600 s", 20], "enters": "desk"}},
    "stations": {"desk": {"service": 3}}})json";
  const Exact exact{{"wait at desk", 7 / 5.0}, {"time at desk", 7 / 5.0 + 3}, {"throughput at desk", 5 / 30.0}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"600 s\"", "4"), exact);
  // Two customers come every 10 min; waits are 0 and 3.
  expect_values(with(text, "[1, 2, \"2 min\", \"600 s\", 20]", "[1, 1], \"cycle\": 10"),
                {{"wait at desk", 1.5}, {"throughput at desk", 6 / 30.0}});
}

// Three appointments of 3 each, at 0, 4 and 5. Patients come 2 early (but not before 0), or 1 late, with equal
// probabilities, and do not come with probability 0.25. All cases are enumerated; patients are served in the order in
// which they come, those with the same time in that of their appointments.
TEST(NetworkArrivals, PatientsComeLateOrNotAtAll) {
  const std::string text = R"json({"time_unit": "min", "horizon": 20,
    "classes": {"patient": {"arrivals": [0, 4, 5], "lateness": "discrete(-2:0.5, 1:0.5)", "no_shows": 0.25,
                            "enters": "doctor"}},
    "stations": {"doctor": {"service": 3}}})json";
  const double appointments[3] = {0, 4, 5};
  double wait = 0, throughput = 0;
  for (int shows = 0; shows < 8; ++shows) {
    for (int late = 0; late < 8; ++late) {
      std::vector<double> arrivals;
      double probability = 1.0 / 8;
      for (int i = 0; i < 3; ++i) {
        const bool comes = (shows >> i & 1) != 0, is_late = (late >> i & 1) != 0;
        probability *= comes ? 0.75 : 0.25;
        if (comes) arrivals.push_back(std::max(appointments[i] + (is_late ? 1 : -2), 0.0));
      }
      std::sort(arrivals.begin(), arrivals.end());
      double free = 0, waits = 0;
      for (const double arrival : arrivals) {
        waits += std::max(free - arrival, 0.0);
        free = std::max(free, arrival) + 3;
      }
      const auto count = static_cast<double>(arrivals.size());
      wait += count > 0 ? probability * waits / count : 0;
      throughput += probability * count / 20;
    }
  }
  const Exact exact{{"wait at doctor", wait}, {"throughput at doctor", throughput}};
  expect_exact(text, exact, 1000);
  expect_seen(with(text, "0.25", "0.3"), exact, 3000);
  expect_seen(with(text, "1:0.5", "0:0.5"), exact, 3000);
}

// Batches of a list have random sizes, and max_arrivals ends them.
TEST(NetworkArrivals, OfAListCanBeBatches) {
  const std::string text = R"json({"time_unit": "min", "horizon": 10,
    "classes": {"c": {"arrivals": [1, 2, 5], "batch": 2, "max_arrivals": 5, "enters": "desk"}},
    "stations": {"desk": {"servers": "unlimited", "service": 1}}})json";
  expect_values(text, {{"throughput at desk", 5 / 10.0}, {"number at desk", 5 / 10.0}});
  expect_values(with(text, "\"max_arrivals\": 5, ", ""), {{"throughput at desk", 6 / 10.0}});
  expect_values(with(text, "\"max_arrivals\": 5", "\"max_arrivals\": 5, \"lateness\": 3"),
                {{"throughput at desk", 5 / 10.0}, {"number at desk", 5 / 10.0}});
  expect_exact(
      with(text, "\"batch\": 2, \"max_arrivals\": 5", "\"batch\": \"uniform-integer(1, 3)\", \"no_shows\": 0.5"),
      {{"throughput at desk", 3 / 10.0}}, 400);
}

// The service of a customer belongs to its appointment: it does not depend on who else comes.
TEST(NetworkArrivals, KeepTheirDrawsIfOthersDoNotCome) {
  const auto time = [](const std::string& no_shows) {
    const std::string text = R"json({"time_unit": "min", "horizon": 1000, "classes": {
      "first": {"arrivals": [0, 0, 0, 0], "no_shows": )json" +
                             no_shows + R"json(, "enters": [{"to": "a"}]},
      "second": {"arrivals": [9, 9, 9], "lateness": "uniform(0, 5)", "enters": "a"}},
      "stations": {"a": {"servers": "unlimited", "service": "exponential(1)"}}})json";
    const models::NetworkTables<Kokkos::HostSpace> tables(models::network_case_of_json("case", text));
    std::vector<std::array<double, 2>> times;
    const auto network = tables.model();
    for (std::uint64_t i = 0; i < 100; ++i) {
      const auto responses = network_replication(network, 1, i);
      std::array<double, 2> of{};
      for (std::size_t r = 0; r < responses.size(); ++r) {
        const std::string name = network.response_name(static_cast<int>(r));
        if (name == "number of first at a") of[0] = responses[r];
        if (name == "number of second at a") of[1] = responses[r];
      }
      times.push_back(of);
    }
    return times;
  };
  const auto all = time("0"), some = time("0.5");
  int fewer = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i][1], some[i][1]);
    EXPECT_LE(some[i][0], all[i][0] * (1 + 1e-12));  // the sum of the services of some of the same customers
    fewer += some[i][0] < all[i][0] ? 1 : 0;
  }
  EXPECT_GT(fewer, 80);  // all four come with probability 1/16: fewer than 81 of 100 has probability below 1e-5
}

TEST(NetworkArrivals, AreReadFromAFile) {
  const Folder folder;
  const std::string text = R"json({"time_unit": "min", "horizon": 30,
    "classes": {"c": {"arrivals": {"file": "times.csv"}, "enters": "desk"}},
    "stations": {"desk": {"service": 3}}})json";
  const std::string path = folder.write("case.json", text);
  const auto said = [&](const std::string& file) {
    folder.write("times.csv", file);
    return refusal([&] { models::read_network_case(path); });
  };
  EXPECT_EQ(said("time\n1\n2\n2 min\n600 s\n20\n"), "none");
  const auto network = models::read_network_case(path);
  EXPECT_EQ(network.classes[0].appointments.times, (std::vector<double>{1, 2, 2, 10, 20}));
  EXPECT_EQ(network_moments(network, 1, 1).at("wait at desk").mean, 7 / 5.0);
  EXPECT_EQ(said("\xEF\xBB\xBFtime\r\n1\r\n2.5\r\n"), "none");
  const std::string times = folder / "times.csv", start = path + ", line 2: classes.c.arrivals.file: " + times;
  EXPECT_EQ(said("1\n2\n"), start + " begins with the time '1', expected a name of the column, such as 'time'");
  EXPECT_EQ(said("time\n1\nnoon\n"), start + ", line 3: 'noon', expected a time of at least 1, such as 90 or '1.5 h'");
  EXPECT_EQ(said("time\n2\n1\n"), start + ", line 3: '1', expected a time of at least 2, such as 90 or '1.5 h'");
  EXPECT_EQ(said("time\n-1\n"), start + ", line 2: '-1', expected a time of at least 0, such as 90 or '1.5 h'");
  EXPECT_EQ(said("time,class\n1,a\n"), start + " has 2 columns, expected one with the times of arrivals");
  EXPECT_EQ(said("time\n").rfind(start, 0), 0U);
  const std::string missing =
      refusal([&] { models::read_network_case(folder.write("case.json", with(text, "times.csv", "none.csv"))); });
  EXPECT_NE(missing.find("classes.c.arrivals.file: cannot read"), std::string::npos) << missing;
}

TEST(NetworkArrivals, InconsistentMembersAreRefused) {
  const std::string good = R"json({"time_unit": "min", "horizon": "8 h", "classes": {"c": {"arrivals": [0, 30, "1 h"],
    "lateness": "normal(-2, 5)", "no_shows": 0.1, "cycle": "2 h", "enters": "a"}}, "stations": {"a": {"service": 1}}})json";
  EXPECT_EQ(refusal([&] { models::network_case_of_json("case", good); }), "none");
  const std::vector<std::array<std::string, 3>> faults = {
      {"[0, 30", "[0, 90", "classes.c.arrivals[2] is 60, expected times that do not decrease"},
      {"[0, 30", "[-1, 30", "classes.c.arrivals[0] is '-1', expected a finite time of at least 0"},
      {"[0, 30, \"1 h\"]", "[]", "classes.c.arrivals is '[]', expected at least one time"},
      {"[0, 30, \"1 h\"]", "5",
       "classes.c.arrivals is '5', expected a list of times, or an object with the member file"},
      {"[0, 30, \"1 h\"]", "{\"path\": 1}",
       "classes.c.arrivals.path is unknown, expected only classes.c.arrivals with file"},
      {"\"2 h\"", "\"1 h\"", "classes.c.cycle is 60, expected more than the last time of arrivals, 60"},
      {"0.1", "1", "classes.c.no_shows is 1, expected a number of at least 0 and less than 1"},
      {"\"arrivals\": [0, 30, \"1 h\"],", "\"interarrival\": 1,",
       "classes.c.cycle is given without rates, expected both"},
      {"\"no_shows\"", "\"interarrival\": 1, \"no_shows\"", "classes.c has arrivals and interarrival or rates"},
      {"\"no_shows\"", "\"arrival_speed\": 2, \"no_shows\"", "classes.c.arrival_speed is given for a list of arrivals"},
      {"\"normal(-2, 5)\"", "\"normal(-2, -5)\"", "classes.c.lateness is 'normal(-2, -5)': deviation is -5"},
      {"\"2 h\"", "\"61 min\", \"max_arrivals\": 0", "classes.c.max_arrivals is '0'"},
      {"\"horizon\": \"8 h\"", "\"customers\": 9", "classes.c.lateness is given for arrivals that repeat without end"},
      {"\"8 h\"", "\"90000 d\"",
       "classes.c.lateness is given for 3240000 arrivals before the horizon, expected at most 1000000"}};
  for (const auto& [from, to, said] : faults) {
    const std::string message =
        refusal([&, f = from, t = to] { models::network_case_of_json("case", with(good, f, t)); });
    EXPECT_EQ(message.rfind("case, line ", 0), 0U) << message;
    EXPECT_NE(message.find(": " + said), message.npos) << message << "\ninstead of: " << said;
  }
  for (const std::string member : {"lateness", "no_shows"}) {
    const std::string text = R"json({"time_unit": "min", "horizon": 9, "classes": {"c": {"interarrival": 1, ")json" +
                             member + R"json(": 0.5, "enters": "a"}}, "stations": {"a": {"service": 1}}})json";
    EXPECT_NE(refusal([&] {
                models::network_case_of_json("case", text);
              }).find("classes.c." + member + " is given without arrivals, expected both"),
              std::string::npos);
  }
}

// A list that ends can end a replication by customers only if it has enough of them.
TEST(NetworkArrivals, EndAReplicationByCustomers) {
  const std::string text = R"json({"time_unit": "min", "customers": 3, "classes": {"c": {"arrivals": [1, 2, 4],
    "enters": "a"}}, "stations": {"a": {"service": 1}}})json";
  expect_values(text, {{"throughput in network", 3 / 5.0}});
  expect_values(with(with(text, "[1, 2, 4]", "[1, 2], \"cycle\": 4"), "3,", "5,"),
                {{"throughput in network", 5 / 10.0}});
  EXPECT_NE(refusal([&] {
              models::network_case_of_json("case", with(text, "\"customers\": 3", "\"customers\": 4"));
            }).find("customers is 4, expected at most the number of customers that ever arrive, 3"),
            std::string::npos);
}

}  // namespace arrivals_tests
}  // namespace sporos::test
