// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks people with roles against days by hand, and against the Kolmogorov equations of queues whose staff changes.
#include "exact_values.hpp"

#include <harness/refusal.hpp>
#include <sporos/models/networks/network_approximation.hpp>
#include <sporos/models/networks/network_series.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sporos::test {
namespace rosters_tests {

// One person works from 8 to 16 and has a break at 12. Customers come at 7 (served from 8), 11.75 (until 12.25:
// overtime of 0.25, and a break until 12.75), 12.5 (served from 12.75), 15.9 (until 16.4: overtime of 0.4) and 20
// (never served). The cost is 10 before 12 and 20 after it.
const std::string day = R"json({"time_unit": "h", "horizon": "1 d",
  "classes": {"call": {"arrivals": [7, 11.75, 12.5, 15.9, 20], "enters": "desk"}},
  "stations": {"desk": {"service": 0.5, "roles": ["clerk"]}},
  "staff": {"clerk": {"starts": [0, 1, 0], "shift": 8, "breaks": [{"after": 4, "length": "30 min"}], "cost": "10 / h",
                      "cost_factors": [{"from": 0, "factor": 1}, {"from": 12, "factor": 2}],
                      "overtime_factor": 1.5}}})json";

TEST(NetworkRosters, ADayByHand) {
  const double cost = 4 * 10 + 4 * 20 + 0.25 * 20 * 0.5 - 0.5 * 20 + 0.4 * 20 * 1.5;
  const Exact exact{{"staff cost of clerk per day", cost},       {"overtime of clerk per day", 0.65},
                    {"utilization of clerk", 2 / (4.25 + 3.65)}, {"served at once at desk", 2 / 5.0},
                    {"waits per day at desk", 1 + 0.25 + 4},     {"wait at desk", 1.25 / 4},
                    {"number waiting at desk", 5.25 / 24},       {"throughput at desk", 4 / 24.0}};
  expect_values(day, exact);
  expect_other_values(with(day, "30 min", "20 min"), exact);
  expect_other_values(with(day, "\"overtime_factor\": 1.5", "\"overtime_factor\": 1"), exact);
}

// Nobody takes work at or after the beginning of a break or the end of a shift. A service that ends then is no
// overtime.
TEST(NetworkRosters, BreaksAndShiftsEndOnTime) {
  const std::string text = with(day, "[7, 11.75, 12.5, 15.9, 20]", "[8, 11.5, 12, 15.5, 16]");
  expect_values(text, {{"overtime of clerk per day", 0},
                       {"served at once at desk", 3 / 5.0},
                       {"waits per day at desk", 0.5 + 8},
                       {"staff cost of clerk per day", 40 + 80 - 10},
                       {"utilization of clerk", 2 / 7.5}});
  // A late break ends with the shift: services until 15.8 and a break until 16 instead of 16.3.
  const std::string late = with(with(day, "[7, 11.75, 12.5, 15.9, 20]", "[15.3]"), "\"after\": 4", "\"after\": 7.5");
  expect_values(late, {{"overtime of clerk per day", 0.3},
                       {"staff cost of clerk per day", 40 + 80 + 0.3 * 20 * 0.5 - 0.2 * 20},
                       {"utilization of clerk", 0.5 / 7.8}});
  // Nobody works after the shift if the last service goes on: no break, and all of the excess is overtime.
  const std::string over =
      with(with(day, "[7, 11.75, 12.5, 15.9, 20]", "[15.3]"), "\"service\": 0.5", "\"service\": 1");
  expect_values(
      with(over, "\"after\": 4", "\"after\": 7.5"),
      {{"overtime of clerk per day", 0.8}, {"staff cost of clerk per day", 40 + 80 + 0.5 * 20 * 0.5 + 0.3 * 20 * 1.5}});
}

// Two people work all day. Customers of two classes come at 1, 1.1, 1.2 (b) and 1.3, and are served for 1.
TEST(NetworkRosters, PeopleTakeWorkInTheirOrder) {
  const auto text = [](const std::string& roles, const std::string& takes) {
    return R"json({"time_unit": "h", "horizon": "1 d",
      "classes": {"a": {"arrivals": [1, 1.1, 1.3], "enters": "desk"}, "b": {"arrivals": [1.2], "enters": "desk"}},
      "stations": {"desk": {"service": 1, "roles": {"a": )json" +
           roles + R"json(, "b": ["both"]}}},
      "staff": {"only": {"starts": [1], "shift": 24}, "both": {"starts": [1], "shift": 24)json" +
           takes + "}}}";
  };
  // The dedicated person serves the first customer and, from 2, the last; the other one serves b from 2.1.
  const Exact dedicated{{"waits of a per day at desk", 0.7}, {"waits of b per day at desk", 0.9}};
  expect_values(text(R"(["only", "both"])", ""), dedicated);
  expect_other_values(text(R"(["both", "only"])", ""), dedicated);
  // The flexible person is free at 2 and serves b, who came first; or it prefers a, and serves b from 3.
  expect_values(text(R"(["both", "only"])", ""),
                {{"waits of a per day at desk", 0.8}, {"waits of b per day at desk", 0.8}});
  expect_values(text(R"(["both", "only"])", R"(, "takes": ["a at desk", "desk"])"),
                {{"waits of a per day at desk", 0.7}, {"waits of b per day at desk", 1.8}});
}

// Shifts are counted by their start, and customers by their arrival, between the warm-up and the cool-down. Costs are
// those of the shifts, also of parts after the end.
TEST(NetworkRosters, CountFromTheWarmUpToTheCoolDown) {
  const std::string text = R"json({"time_unit": "h", "horizon": "4 d", "warm_up": "1 d", "cool_down": "1 d",
    "classes": {"c": {"arrivals": [1, 23.5], "cycle": 24, "enters": "desk"}},
    "stations": {"desk": {"service": 1, "roles": ["r"]}},
    "staff": {"r": {"starts": [1, 0, 0, 1], "shift": 6, "cost": 1}}})json";
  // Every day, a person works from 0 to 6 and another one from 18 to 24; the second call causes an overtime of 0.5.
  const Exact exact{{"overtime of r per day", 0.5}, {"staff cost of r per day", 12.5}, {"served at once at desk", 1}};
  expect_values(text, exact);
  expect_other_values(with(text, "\"horizon\": \"4 d\", \"warm_up\": \"1 d\", \"cool_down\": \"1 d\"",
                           "\"horizon\": \"4 d\", \"warm_up\": \"20 h\""),
                      exact);
}

// Two roles of one person each: first from 0 to 2, then from 1 to 3. Nobody works from 3 to 4. The state is the number
// of waiting customers and whether each person serves; services that have begun go on.
struct TwoShifts {
  static constexpr int most = 40;
  std::vector<double> p =
      std::vector<double>(4 * (most + 1));              // index 4 · waiting + 2 · (second serves) + first serves
  double waiting = 0, first_over = 0, second_over = 0;  // integrals

  static std::vector<double> slope(const std::vector<double>& at, double arrivals, bool first, bool second) {
    constexpr double service = 2;
    std::vector<double> d(at.size());
    for (std::size_t s = 0; s < at.size(); ++s) {
      const std::size_t n = s / 4;
      const bool of_first = s % 2 == 1, of_second = s / 2 % 2 == 1;
      const auto move = [&](std::size_t to, double rate) {
        d[s] -= rate * at[s];
        d[to] += rate * at[s];
      };
      if (first && !of_first) {
        move(s + 1, arrivals);
      } else if (second && !of_second) {
        move(s + 2, arrivals);
      } else if (n < most) {
        move(s + 4, arrivals);
      }
      if (of_first) move(first && n > 0 ? s - 4 : s - 1, service);
      if (of_second) move(second && n > 0 ? s - 4 : s - 2, service);
    }
    return d;
  }

  void run(double arrivals, bool first, bool second, bool first_is_over, bool second_is_over) {
    constexpr int steps = 400;
    const double h = 1.0 / steps;
    const auto moved = [](std::vector<double> at, const std::vector<double>& d, double by) {
      for (std::size_t i = 0; i < at.size(); ++i) at[i] += by * d[i];
      return at;
    };
    const auto sums = [&](const std::vector<double>& at, double weight) {
      for (std::size_t s = 0; s < at.size(); ++s) {
        waiting += weight * at[s] * static_cast<double>(s / 4);
        if (first_is_over && s % 2 == 1) first_over += weight * at[s];
        if (second_is_over && s / 2 % 2 == 1) second_over += weight * at[s];
      }
    };
    for (int step = 0; step < steps; ++step) {
      const auto slope_at = [&](const std::vector<double>& at) { return slope(at, arrivals, first, second); };
      const auto a = slope_at(p), b = slope_at(moved(p, a, h / 2)), c = slope_at(moved(p, b, h / 2)),
                 d = slope_at(moved(p, c, h));
      sums(p, h / 6);
      sums(moved(p, a, h / 2), h / 3);
      sums(moved(p, b, h / 2), h / 3);
      sums(moved(p, c, h), h / 6);
      p = moved(moved(moved(moved(p, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
  }

  // The second person comes and takes a waiting customer.
  void begin_second() {
    std::vector<double> after(p.size());
    for (std::size_t s = 0; s < p.size(); ++s) after[s / 4 > 0 ? s - 4 + 2 : s] += p[s];
    p = after;
  }
};

TEST(NetworkRosters, HaveTheMeansOfKolmogorovsEquations) {
  TwoShifts exact;
  exact.p[0] = 1;
  exact.run(2, true, false, false, false);
  exact.begin_second();
  exact.run(4, true, true, false, false);
  exact.run(3, false, true, true, false);
  exact.run(1, false, false, true, true);
  const std::string text = R"json({"time_unit": "h", "horizon": 4,
    "classes": {"c": {"rates": [{"from": 0, "rate": 2}, {"from": 1, "rate": 4}, {"from": 2, "rate": 3},
                                {"from": 3, "rate": 1}], "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(2)", "roles": ["early", "late"]}},
    "staff": {"early": {"starts": [1, 0, 0, 0], "cycle": 4, "shift": 2},
              "late": {"starts": [0, 1, 0, 0], "cycle": 4, "shift": 2}}})json";
  const Exact means{{"number waiting at desk", exact.waiting / 4},
                    {"waits per day at desk", exact.waiting * 6},
                    {"overtime of early per day", exact.first_over * 6},
                    {"overtime of late per day", exact.second_over * 6}};
  expect_exact(text, means, 4000);
  expect_seen(with(text, R"(["early", "late"])", R"(["late", "early"])"), means, 20000);
}

// A mixture has the mean and the tail of its components, also in a sum and with a unit.
TEST(NetworkRosters, ServicesCanBeMixtures) {
  const auto text = [](const std::string& service) {
    return R"json({"time_unit": "min", "horizon": "2000 h", "time_limits": ["1 h"],
      "classes": {"c": {"interarrival": "exponential(1) h", "enters": "desk"}},
      "stations": {"desk": {"servers": "unlimited", "service": )json" +
           service + "}}}";
  };
  const std::string mixture = R"("mixture(uniform(0, 1):0.25, exponential(0.5):0.75) h")";
  const double mean = 60 * (0.25 * 0.5 + 0.75 * 2), over = 0.75 * std::exp(-0.5);
  const Exact exact{{"time in network", mean}, {"time over 60 min in network", over}};
  expect_exact(text(mixture), exact);
  expect_exact(text("[" + mixture + ", 1]"), {{"time in network", mean + 1}});
  expect_seen(text(R"("mixture(uniform(0, 1):0.3, exponential(0.5):0.7) h")"), exact);
}

// Members change the numbers of people, also more of them than a model holds itself.
TEST(NetworkRosters, AreDecisionVariables) {
  const std::string path = std::string(SPOROS_NETWORK_CASES) + "/teleops.json";
  const auto network = models::read_network_case(path);
  const auto members = models::network_members(network);
  std::vector<double> values;
  std::vector<int> changed;
  std::vector<double> people;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool is_start = members[i].name.rfind("staff.", 0) == 0;
    values.push_back(is_start ? static_cast<double>(i % 3) : members[i].value);
    if (!is_start) continue;
    changed.push_back(static_cast<int>(i));
    people.push_back(values.back());
  }
  EXPECT_EQ(changed.size(), 72U);
  EXPECT_EQ(members[static_cast<std::size_t>(changed[8])].name, "staff.car_only.starts.9");
  EXPECT_EQ(members[static_cast<std::size_t>(changed[8])].value, 5);
  const models::NetworkTables<Kokkos::HostSpace> tables(network), others(models::with_members(network, values));
  models::Network model = tables.model();
  model.set_members(changed.data(), people.data(), static_cast<int>(changed.size()));
  EXPECT_EQ(network_replication(model, 1, 0), network_replication(others.model(), 1, 0));
  EXPECT_NE(network_replication(model, 1, 0), network_replication(tables.model(), 1, 0));  // control
  EXPECT_EQ(refusal([&] { models::check_network_members(network, values); }), "none");
  std::ranges::fill(values, 20);
  EXPECT_EQ(refusal([&] { models::check_network_members(network, values); }), "none");
  values[static_cast<std::size_t>(changed[0])] = 1000;
  EXPECT_EQ(refusal([&] { models::check_network_members(network, values); }),
            "staff has up to 1460 people at the same time, expected at most 1024, the value of most_people");
}

TEST(NetworkRosters, FaultsAreSaidByTheirPath) {
  EXPECT_EQ(refusal([] { models::long_run_of(models::network_case_of_json("case", day), {}); }),
            "staff is given, which long runs do not support: use `sporos simulate` with a long horizon and a warm_up");
  const std::vector<std::array<std::string, 3>> faults = {
      {"[0, 1, 0]", "[]", "staff.clerk.starts has 0 numbers, expected 1 to 1000"},
      {"[0, 1, 0]", "[0, 1.5]", "staff.clerk.starts[1] is '1.5', expected a whole number from 0 to 1"},
      {"\"shift\": 8", "\"shift\": 0", "staff.clerk.shift is 0, expected a time above 0"},
      {"\"shift\": 8, ", "", "staff.clerk.shift is missing"},
      {"\"after\": 4", "\"after\": 8",
       "staff.clerk.breaks[0].after is 8, expected a time between 0 and the end of the"},
      {"\"cost\": \"10 / h\"", "\"cost\": -1", "staff.clerk.cost is -1, expected a rate of at least 0"},
      {"\"from\": 12, ", "\"from\": 24, ", "staff.clerk.cost_factors[1].from is 24, expected a time between 0 and the"},
      {"\"overtime_factor\": 1.5", "\"takes\": [\"x at desk\"]",
       "staff.clerk.takes[0] is '\"x at desk\"', expected a s"},
      {"\"overtime_factor\": 1.5", "\"overtime\": 1.5", "staff.clerk.overtime is unknown"},
      {"\"roles\": [\"clerk\"]", "\"servers\": 1", "staff.clerk serves nowhere, expected its name in the member roles"},
      {"\"roles\": [\"clerk\"]", "\"roles\": [\"boss\"]",
       "stations.desk.roles[0] is '\"boss\"', expected a role: clerk"},
      {"\"roles\": [\"clerk\"]", "\"roles\": [\"clerk\", \"clerk\"]", "stations.desk.roles names a role twice"},
      {"\"roles\": [\"clerk\"]", "\"servers\": 1, \"roles\": [\"clerk\"]",
       "stations.desk has servers and roles, expected one of them"},
      {"\"roles\": [\"clerk\"]", "\"roles\": [\"clerk\"], \"discipline\": \"preemptive\"",
       "stations.desk.discipline is given with roles, expected first-in-first-out or priority"},
      {"\"roles\": [\"clerk\"]", "\"roles\": [\"clerk\"], \"breakdowns\": {\"up\": 1, \"down\": 1}",
       "stations.desk has roles and breakdowns, expected one of them"},
      {"\"horizon\": \"1 d\"", "\"horizon\": \"1 d\", \"cool_down\": \"1 d\"",
       "cool_down is 24, expected a time from 0 to less than horizon minus warm_up, 24"},
      {"\"service\": 0.5", "\"service\": \"mixture(exponential(1):0.5, exponential(2):0.4)\"",
       "stations.desk.service (call) is a mixture whose probabilities have the sum 0.9, expected 1"},
      {"\"service\": 0.5", "\"service\": \"mixture(exponential(1), exponential(2):0.4)\"",
       "stations.desk.service is '\"mixture(exponential(1), exponential(2):0.4)\"', expected components such as"},
      {"\"service\": 0.5", "\"service\": \"mixture(exponential(-1):1)\"",
       "stations.desk.service is 'mixture(exponential(-1):1)': rate is -1"},
  };
  for (const auto& [from, to, said] : faults) {
    const std::string message = refusal([&] { models::network_case_of_json("case", with(day, from, to)); });
    EXPECT_NE(message.find(": " + said), message.npos) << message << "\ninstead of: " << said;
  }
}

// Returns the approximate means at the numbers of people of the case, by the names of the responses.
std::map<std::string, double> approximated(const models::NetworkDescription& network) {
  const auto members = models::network_members(network);
  std::vector<std::size_t> starts;
  std::vector<double> people;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].kind != models::NetworkMember::Kind::starts) continue;
    starts.push_back(i);
    people.push_back(members[i].value);
  }
  const auto approximate = models::approximate_means(network, starts);
  if (!approximate) return {};
  const std::vector<double> means = approximate(people);
  const auto responses = models::network_responses(network);
  std::map<std::string, double> named;
  for (std::size_t i = 0; i < means.size(); ++i) named[network_response_name(network, responses[i])] = means[i];
  return named;
}

// Customers pass a hall, half of them twice, so that 4 an hour come to the desk. There, three people are at work all
// day: M/M/3 with a load of 2 and Erlang's C = 4/9. At midnight a person serves with probability 2/3, for half an hour.
const std::string desk = R"json({"time_unit": "h", "horizon": "9 d", "warm_up": "1 d", "cool_down": "1 d",
  "classes": {"new": {"rates": [{"from": 0, "rate": 2}], "enters": "hall"}, "back": {}},
  "stations": {"hall": {"servers": "unlimited", "service": "exponential(3)",
                        "next": {"new": "desk", "back": "desk"}},
               "desk": {"service": "exponential(2)", "roles": ["clerk"],
                        "next": {"new": [{"to": "hall", "becomes": "back"}], "back": "leave"}}},
  "staff": {"clerk": {"starts": [3], "shift": 24, "cost": 10, "overtime_factor": 1.5}}})json";

TEST(NetworkRosters, ApproximationIsErlangsForOneRole) {
  const auto means = approximated(models::network_case_of_json(
      "case", with(desk, "\"horizon\": \"9 d\"",
                   "\"horizon\": \"9 d\", \"wait_limits\": [0.5], \"periods\": {\"every\": 8, \"cycle\": 24}")));
  EXPECT_NEAR(means.at("served at once at desk"), 5 / 9.0, 1e-12);
  EXPECT_NEAR(means.at("utilization of clerk"), 2 / 3.0, 1e-12);
  EXPECT_NEAR(means.at("overtime of clerk per day"), 1, 1e-12);
  EXPECT_NEAR(means.at("staff cost per day"), 3 * 24 * 10 + 1 * 10 * 1.5, 1e-9);
  EXPECT_NEAR(means.at("wait at desk"), 4 / 9.0 / (6 - 4), 1e-5);
  EXPECT_NEAR(means.at("wait over 0.5 h at desk"), 4 / 9.0 * std::exp(-0.5 * (6 - 4)), 1e-5);
  EXPECT_NEAR(means.at("number waiting at desk"), 8 / 9.0, 1e-5);
  EXPECT_NEAR(means.at("number waiting at desk from 8 to 16 h"), 8 / 9.0, 1e-5);
  EXPECT_NEAR(means.at("wait at desk from 16 to 24 h"), 2 / 9.0, 1e-5);
  EXPECT_NEAR(means.at("utilization of clerk from 8 to 16 h"), 2 / 3.0, 1e-12);
  EXPECT_NEAR(means.at("waits per day at desk"), 24 * 8 / 9.0, 1e-5);
  EXPECT_NEAR(means.at("wait of new at desk"), 2 / 9.0, 1e-5);
  EXPECT_NEAR(means.at("waits of new per day at desk"), 12 * 8 / 9.0, 1e-5);
  EXPECT_TRUE(std::isnan(means.at("time at desk")));
}

// Names of responses whose approximation differs from the simulation by more than `part` of it and five standard
// errors (6e-7).
std::vector<std::string> far_from_simulation(const models::NetworkDescription& simulated,
                                             const std::map<std::string, double>& means,
                                             const std::vector<std::string>& names, double part,
                                             std::uint64_t replications) {
  const auto moments = network_moments(simulated, 1, replications);
  std::vector<std::string> far;
  for (const std::string& name : names) {
    const Moments& found = moments.at(name);
    const double error = std::sqrt(found.variance() / static_cast<double>(replications));
    if (std::abs(means.at(name) - found.mean) > part * found.mean + 5 * error) far.push_back(name);
  }
  return far;
}

// For two hours, more customers come than six people can serve, who need the next hours for those who wait. The day
// begins empty. The control has a person more.
TEST(NetworkRosters, ApproximationFollowsQueues) {
  const std::string text = R"json({"time_unit": "h", "horizon": 10, "wait_limits": [0.25], "periods": [0, 2, 4, 6],
    "classes": {"c": {"rates": [{"from": 0, "rate": 6}, {"from": 2, "rate": 14}, {"from": 4, "rate": 6}],
                      "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(2)", "roles": ["clerk"]}},
    "staff": {"clerk": {"starts": [6], "cycle": 10, "shift": 10}}})json";
  const auto network = models::network_case_of_json("case", text);
  const std::vector<std::string> names = {"wait at desk",
                                          "wait over 0.25 h at desk",
                                          "number waiting at desk",
                                          "waits per day at desk",
                                          "number waiting at desk from 2 to 4 h",
                                          "number waiting at desk from 4 to 6 h"};
  EXPECT_EQ(far_from_simulation(network, approximated(network), names, 0.2, 2000), std::vector<std::string>());
  const auto more = models::network_case_of_json("case", with(text, "\"starts\": [6]", "\"starts\": [7]"));
  EXPECT_EQ(far_from_simulation(network, approximated(more), names, 0.2, 2000), names);
}

// If the three people of the desk are roles of one person each, the desk is still M/M/3, where a wait exceeds t with
// probability 4/9 exp(−2t). By Erlang's losses with the load 2, the roles serve 2/3, 8/15 and 36/95 customers at once,
// and a third of 2 · 4/19 more after waits. The control is the approximation of roles that do not form a group, because
// customers prefer them in two orders.
TEST(NetworkRosters, ApproximationPoolsRolesThatTheSameCustomersPrefer) {
  std::string three = with(desk, "[\"clerk\"]", "[\"a\", \"b\", \"c\"]");
  three =
      with(three, "\"clerk\": {", R"("a": {"starts": [1], "shift": 24}, "b": {"starts": [1], "shift": 24}, "c": {)");
  three = with(three, "\"starts\": [3]", "\"starts\": [1]");
  three = with(three, "\"horizon\"", "\"wait_limits\": [0.25], \"horizon\"");
  const auto means = approximated(models::network_case_of_json("case", three));
  EXPECT_NEAR(means.at("served at once at desk"), 5 / 9.0, 1e-12);
  EXPECT_NEAR(means.at("wait over 0.25 h at desk"), 4 / 9.0 * std::exp(-0.5), 1e-5);
  EXPECT_NEAR(means.at("utilization of a"), 46 / 57.0, 1e-12);
  EXPECT_NEAR(means.at("utilization of b"), 64 / 95.0, 1e-12);
  EXPECT_NEAR(means.at("utilization of c"), 148 / 285.0, 1e-12);
  const std::string orders = with(three, R"(["a", "b", "c"])", R"({"new": ["a", "b", "c"], "back": ["c", "b", "a"]})");
  EXPECT_GT(std::abs(approximated(models::network_case_of_json("case", orders)).at("served at once at desk") - 5 / 9.0),
            1e-6);
}

// The approximation of a centre with two dedicated roles and a flexible one is near the simulation, by day and for one
// day that begins empty. The limits are an error of 0.01 and five standard errors (6e-7). The control leaves out
// people.
TEST(NetworkRosters, ApproximationIsNearTheSimulation) {
  models::NetworkDescription network = models::read_network_case(SPOROS_NETWORK_CASES "/teleops.json");
  const auto is_near = [&](const std::map<std::string, double>& means, std::uint64_t replications) {
    const auto moments = network_moments(network, 1, replications);
    return std::ranges::all_of(std::array{"served at once of car at center", "served at once of truck at center"},
                               [&](const char* name) {
                                 const Moments& found = moments.at(name);
                                 const double error = std::sqrt(found.variance() / static_cast<double>(replications));
                                 return std::abs(means.at(name) - found.mean) < 0.01 + 5 * error;
                               }) &&
           std::abs(means.at("staff cost per day") / moments.at("staff cost per day").mean - 1) < 0.01;
  };
  network.roles[0].starts = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  network.roles[1].starts = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  network.roles[2].starts = {1, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
  auto means = approximated(network);
  EXPECT_TRUE(is_near(means, 20));
  ++network.roles[2].starts[8];
  EXPECT_FALSE(is_near(means, 20));
  network.horizon = 24;
  network.warm_up = network.cool_down = 0;
  EXPECT_FALSE(is_near(means, 100));
  EXPECT_TRUE(is_near(approximated(network), 100));
}

// Waits are near the simulation also with dedicated and flexible people. Hardly anyone waits, so that the approximation
// of trucks, who mostly need flexible people, is further off. The control has three people more.
TEST(NetworkRosters, ApproximationOfRareWaitsIsNearTheSimulation) {
  models::NetworkDescription network = models::read_network_case(SPOROS_NETWORK_CASES "/teleops.json");
  network.roles[0].starts = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  network.roles[1].starts = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  network.roles[2].starts = {1, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
  const std::vector<std::string> cars = {"wait of car at center"}, all = {"waits per day at center", cars[0]};
  EXPECT_EQ(far_from_simulation(network, approximated(network), cars, 0.3, 80), std::vector<std::string>());
  EXPECT_EQ(far_from_simulation(network, approximated(network), all, 0.6, 80), std::vector<std::string>());
  models::NetworkDescription more = network;
  for (const std::size_t hour : {8U, 12U, 17U}) ++more.roles[2].starts[hour];
  EXPECT_EQ(far_from_simulation(network, approximated(more), cars, 0.3, 80), cars);
}

// Utilizations of roles in periods are near the simulation: within 2 % and five standard errors (6e-7). The control has
// three people more by day, which must be noticed there.
TEST(NetworkRosters, ApproximationOfUtilizationsInPeriodsIsNearTheSimulation) {
  models::NetworkDescription network = models::read_network_case(SPOROS_NETWORK_CASES "/teleops.json");
  network.roles[0].starts = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  network.roles[1].starts = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  network.roles[2].starts = {1, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
  network.periods = {.ends = {8, 16, 24}, .cycle = 24, .quantities = {models::PeriodQuantity::utilization}};
  network.check();
  std::vector<std::string> all;
  for (const std::string role : {"car_only", "truck_only", "car_truck"}) {
    for (const std::string period : {" from 0 to 8 h", " from 8 to 16 h", " from 16 to 24 h"})
      all.push_back("utilization of " + role + period);
  }
  const std::vector<std::string> flexible = {"utilization of car_truck from 8 to 16 h",
                                             "utilization of car_truck from 16 to 24 h"};
  EXPECT_EQ(far_from_simulation(network, approximated(network), all, 0.02, 40), std::vector<std::string>());
  models::NetworkDescription more = network;
  for (const std::size_t hour : {8U, 12U, 17U}) ++more.roles[2].starts[hour];
  EXPECT_EQ(far_from_simulation(network, approximated(more), flexible, 0.02, 40), flexible);
}

TEST(NetworkRosters, HasNoApproximationOfOtherCases) {
  const models::NetworkDescription network = models::network_case_of_json("case", desk);
  const auto members = models::network_members(network);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool is_starts = members[i].name == "staff.clerk.starts.1";
    EXPECT_EQ(bool(models::approximate_means(network, std::array{i})), is_starts) << members[i].name;
  }
  EXPECT_TRUE(approximated(models::network_case_of_json("case", day)).empty());
}

}  // namespace rosters_tests
}  // namespace sporos::test
