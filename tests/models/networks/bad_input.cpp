// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages for invalid cases: one line with the path of the member.
#include <harness/refusal.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/networks/network_files.hpp>

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace sporos::test {
namespace bad_input_tests {

const std::string good = R"json({
  "time_unit": "min", "horizon": "8 h", "warm_up": 30, "wait_limits": [5, "15 min"],
  "classes": {"urgent": {"interarrival": "exponential(0.05)", "enters": "triage", "priority": 0},
              "other": {"rates": [{"from": 0, "rate": "12 / h"}, {"from": "4 h", "rate": 0.1}], "cycle": "8 h",
                        "enters": [{"to": "triage", "probability": 0.9}, {"to": "doctor", "probability": 0.1}],
                        "priority": 1}},
  "stations": {
    "triage": {"servers": 2, "service": "uniform(3, 8)", "next": [{"to": "doctor", "probability": 0.7}]},
    "doctor": {"discipline": "priority", "service": {"urgent": "lognormal(2, 0.5)", "other": 10}, "room": 20,
               "full": "lose", "shifts": [{"from": 0, "servers": 2}, {"from": "4 h", "servers": 3}],
               "patience": {"other": "exponential(1) h"}}}})json";

std::string said_of(const std::string& text) {
  return refusal([&] { models::network_case_of_json("case", text); });
}

std::string said_with(const std::string& from, const std::string& to) {
  std::string text = good;
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return said_of(text.replace(place, from.size(), to));
}

TEST(NetworkCases, AreRead) {
  EXPECT_EQ(said_of(good), "none");
  const auto network = models::network_case_of_json("case", good);
  EXPECT_EQ(network.horizon, 480);
  EXPECT_EQ(network.wait_limits, (std::vector<double>{5, 15}));
  EXPECT_DOUBLE_EQ(network.classes[1].rates.steps[0].value, 0.2);
  EXPECT_DOUBLE_EQ(network.stations[1].visits[1].patience->mean(), 60);
  EXPECT_FALSE(network.stations[1].visits[0].patience);
  EXPECT_EQ(network.stations[0].visits[0].next[0].to, std::vector<int>{1});
}

// Text to replace, its replacement, and the expected message.
const std::vector<std::array<std::string, 3>> faults = {
    {"\"min\", \"hor", "\"week\", \"hor", "time_unit is '\"week\"', expected one of the units ms, s, min, h, d"},
    {"\"time_unit\": \"min\",", "", "time_unit is missing"},
    {"\"8 h\", \"warm", "\"8 weeks\", \"warm", "horizon is '\"8 weeks\"', expected one of the units"},
    {"\"8 h\", \"warm", "-1, \"warm", "horizon is '-1', expected a finite time of at least 0"},
    {"\"8 h\", \"warm", "true, \"warm", "horizon is 'true', expected a string"},
    {"\"horizon\": \"8 h\",", "", "horizon and customers are missing"},
    {"\"horizon\": \"8 h\",", "\"horizon\": 1, \"customers\": 5,", "horizon and customers are both given"},
    {"\"warm_up\": 30", "\"warm_up\": 500", "warm_up is 500, expected less than horizon, 480"},
    {"\"wait_limits\": [5", "\"wait_limits\": [50", "wait_limits[1] is 15, expected increasing numbers of at least 0"},
    {"\"wait_limits\":", "\"time_limits\": [\"4 h\", 10], \"wait_limits\":",
     "time_limits[1] is 10, expected increasing numbers of at least 0"},
    {"\"wait_limits\":", "\"most_customers\": 0, \"wait_limits\":",
     "most_customers is '0', expected a whole number from 1 to 1000000"},
    {"\"wait_limits\":", "\"time_limits\": 4, \"wait_limits\":", "time_limits is '4', expected a list of times"},
    {"\"wait_limits\":", "\"wait_quantiles\": [0.9, 0.5], \"wait_limits\":",
     "wait_quantiles[1] is 0.5, expected increasing numbers between 0 and 1"},
    {"\"wait_limits\":", "\"wait_quantiles\": [1], \"wait_limits\":",
     "wait_quantiles[0] is 1, expected increasing numbers between 0 and 1"},
    {"\"wait_limits\":", "\"wait_quantiles\": 0.5, \"wait_limits\":",
     "wait_quantiles is '0.5', expected a list of numbers between 0 and 1"},
    {"\"wait_limits\":", "\"time_quantiles\": [0.5, 0.5], \"wait_limits\":",
     "time_quantiles[1] is 0.5, expected increasing numbers between 0 and 1"},
    {"\"wait_limits\":", "\"number_limits\": [0.5], \"wait_limits\":",
     "number_limits[0] is '0.5', expected a whole number from 0 to 1"},
    {"\"wait_limits\":", "\"number_limits\": [5, 2], \"wait_limits\":",
     "number_limits[1] is 2, expected increasing whole numbers of at least 0"},
    {"\"wait_limits\":", "\"maxima\": 1, \"wait_limits\":", "maxima is '1', expected true or false"},
    {"\"wait_limits\":", "\"periods\": 0, \"wait_limits\":",
     "periods is '0', expected a length of which at most 1000 fit into 480"},
    {"\"wait_limits\":", "\"periods\": 0.4, \"wait_limits\":",
     "periods is '0.4', expected a length of which at most 1000 fit into 480"},
    {"\"wait_limits\":", "\"periods\": \"20 min\", \"wait_limits\":",
     "periods begin with one that ends at 20, before the warm_up of 30, expected a later end"},
    {"\"wait_limits\":", "\"until\": {\"lost\": 1}, \"periods\": 60, \"wait_limits\":",
     "periods are given with until, which may end a replication before them, expected one of them"},
    {"\"wait_limits\":", "\"periods\": [1, 60], \"wait_limits\":", "periods[0] is '1', expected 0 as the first start"},
    {"\"wait_limits\":", "\"periods\": [0, 60, 50], \"wait_limits\":",
     "periods have a period from 60 to 50, expected increasing times"},
    {"\"wait_limits\":", "\"periods\": [0, \"8 h\"], \"wait_limits\":",
     "periods[1] is '\"8 h\"', expected a time before 480"},
    {"\"wait_limits\":", "\"periods\": {\"every\": 60, \"starts\": [0]}, \"wait_limits\":",
     "periods has both or neither of every and starts, expected one of them"},
    {"\"wait_limits\":", "\"periods\": {\"every\": 60, \"cycle\": 500}, \"wait_limits\":",
     "periods.cycle is 500, expected at most the horizon, 480"},
    {"\"wait_limits\":", "\"periods\": {\"every\": 60, \"cycle\": 480}, \"wait_limits\":",
     "periods repeat after 480, expected a warm_up of at least that before the horizon"},
    {"\"wait_limits\":", "\"periods\": {\"every\": 60, \"responses\": [\"queue\"]}, \"wait_limits\":",
     "periods.responses[0] is '\"queue\"', expected one of number, number waiting, wait, utilization, throughput"},
    {"\"wait_limits\":", "\"periods\": {\"every\": 60, \"responses\": [\"wait\", \"wait\"]}, \"wait_limits\":",
     "periods.responses is '[\"wait\",\"wait\"]', expected distinct values"},
    {"\"wait_limits\":", "\"periods\": {\"every\": 60, \"stations\": [\"nurse\"]}, \"wait_limits\":",
     "periods.stations[0] is '\"nurse\"', expected a station"},
    {"\"wait_limits\":", "\"periods\": {\"every\": 60, \"responses\": []}, \"wait_limits\":",
     "periods have no responses, expected quantities that the stations have"},
    {"exponential(0.05)", "exponential(0)", "classes.urgent.interarrival is 'exponential(0)': rate is 0"},
    {"exponential(0.05)", "exponential(0.05) week", "classes.urgent.interarrival is '\"exponential(0.05) week\"'"},
    {"exponential(0.05)", "normal(1, 1)", "classes.urgent.interarrival can be as low as -inf"},
    {"exponential(0.05)", "constant(0)", "classes.urgent.interarrival has mean 0"},
    {"\"rate\": \"12 / h\"", "\"rate\": \"12\"",
     "classes.other.rates[0].rate is '\"12\"', expected a number, or a string"},
    {"\"from\": \"4 h\", \"rate\"", "\"from\": 0, \"rate\"", "classes.other.rates[1].from is 0, expected more than 0"},
    {"\"cycle\": \"8 h\"", "\"cycle\": \"4 h\"", "classes.other.cycle is 240, expected more than"},
    {"\"enters\": \"triage\", ", "", "classes.urgent has no member enters"},
    {"\"enters\": \"triage\"", "\"enters\": \"nurse\"",
     "classes.urgent.enters is '\"nurse\"', expected a station or 'leave'"},
    {"\"enters\": \"triage\"", "\"enters\": \"leave\"", "classes.urgent.enters leads out of the network"},
    {"\"probability\": 0.9", "\"probability\": 0.8", "classes.other.enters has probabilities whose sum is 0.9"},
    {"\"probability\": 0.7", "\"probability\": 1.7", "stations.triage.next (urgent)[0].probability is 1.7"},
    {"\"priority\": 1}", "\"priority\": 1.5}",
     "classes.other.priority is '1.5', expected a whole number from 0 to 1000"},
    {"\"servers\": 2, \"service\"", "\"servers\": 0, \"service\"",
     "stations.triage.servers is '0', expected a whole number"},
    {"\"servers\": 2, \"service\"", "\"server\": 2, \"service\"", "stations.triage.server is unknown"},
    {"\"discipline\": \"priority\"", "\"discipline\": \"fair\"",
     "stations.doctor.discipline is '\"fair\"', expected one of"},
    {"\"room\": 20,\n               \"full\": \"lose\",", "\"full\": \"block\",",
     "stations.doctor.full is given without room"},
    {"\"urgent\": \"lognormal(2, 0.5)\", ", "",
     "stations.doctor.service has no service time for customers of class 'urgent'"},
    {"\"other\": 10", "\"others\": 10", "stations.doctor.service.others is not a class of the case"},
    {"\"other\": 10", "\"other\": []", "stations.doctor.service.other is '[]', expected a number, a distribution"},
    {"\"room\": 20", "\"servers\": 2, \"room\": 20", "stations.doctor has servers and shifts, expected one of them"},
    {"\"room\": 20", "\"breakdowns\": {\"up\": 1}, \"room\": 20", "stations.doctor.breakdowns.down is missing"},
    {"\"classes\": {", "\"classes\": [], \"x\": {", "x is unknown, expected only"},
    {"\"doctor\": {\"disc", "\"leave\": {\"disc", "stations.leave has an invalid name"},
};

TEST(NetworkCases, FaultsAreSaidByTheirPath) {
  for (const auto& [from, to, said] : faults) {
    const std::string message = said_with(from, to);
    EXPECT_NE(message.find(": " + said), message.npos) << message << "\ninstead of: " << said;
    const bool names_no_member = said == "horizon and customers are missing";
    EXPECT_EQ(message.rfind(names_no_member ? "case: " : "case, line ", 0), 0U) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(NetworkCases, ChoicesAmongStationsThatBlockAndLoseAreRefused) {
  const std::string text = R"json({"time_unit": "s", "horizon": 1, "classes": {"a": {"population": 1, "enters": "x"}},
    "stations": {"x": {"service": 1, "next": [{"to": ["y", "z"]}]},
                 "y": {"room": 1, "full": "block", "service": 1}, "z": {"room": 1, "service": 1}}})json";
  EXPECT_EQ(said_of(text),
            "case, line 3: stations.z.full differs from that of 'y', expected the same, because customers of 'x' "
            "choose between them");
}

TEST(NetworkCases, ReplicationsThatNoCustomerEndsAreRefused) {
  const std::string text =
      R"json({"time_unit": "s", "customers": 10, "classes": {"a": {"population": 1, "enters": "x"}},
    "stations": {"x": {"service": 1, "next": "x"}}})json";
  EXPECT_EQ(said_of(text),
            "case, line 1: customers end a replication, but no customer leaves the network, expected a horizon");
}

// Members that the reader lists in its message about an unknown member.
std::string known_members(const std::string& from, const std::string& to) {
  const std::string said = said_with(from, to);
  return said.substr(said.find("expected only ") + 14);
}

std::string members_of(const io::Json& object) {
  std::string names;
  for (const auto& [name, member] : object.at("properties").items()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

TEST(NetworkCases, SchemaHasTheMembersThatAreRead) {
  const std::string path = SPOROS_NETWORK_SCHEMA;
  const auto schema = io::parse_json(path, io::read_text_file(path));
  const auto& parts = schema.at("$defs");
  EXPECT_EQ(members_of(schema), known_members("\"warm_up\"", "\"?\""));
  EXPECT_NE(known_members("\"interarrival\"", "\"?\"").find(members_of(parts.at("class"))), std::string::npos);
  EXPECT_NE(known_members("\"servers\": 2, \"service\"", "\"?\"").find(members_of(parts.at("station"))),
            std::string::npos);
  EXPECT_NE(known_members("\"probability\": 0.7", "\"?\": 1").find(members_of(parts.at("branch"))), std::string::npos);
}

TEST(NetworkCases, WorkedCasesAreRead) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(SPOROS_NETWORK_CASES)) {
    EXPECT_EQ(refusal([&] { models::read_network_case(file.path().string()); }), "none");
    ++count;
  }
  EXPECT_GE(count, 9);
  EXPECT_EQ(refusal([] { models::walk_in_clinic(); }), "none");
}

}  // namespace bad_input_tests
}  // namespace sporos::test
