// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stations and routes are laid out by Graphviz if it is installed, otherwise in a grid. Animated pictures have the
// numbers of customers that follow from the trace of the same replication.
#include "harness/environment_variable.hpp"

#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/station_animation.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/models/networks/network.hpp>
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_picture.hpp>
#include <sporos/models/networks/network_timeline.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace network_pictures_tests {

// Script for a network of five stations, one of which sends customers back.
std::string script() {
  const auto network = models::read_network_case(SPOROS_NETWORK_CASES "/emergency_department.json");
  const std::vector<double> means(models::network_responses(network).size(), 0.5);
  return models::network_picture(network, means);
}

// Number of points of each route.
std::vector<int> points_of_ways(const std::string& script) {
  std::vector<int> points;
  std::istringstream lines(script);
  bool is_in_way = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "END") is_in_way = false;
    if (is_in_way) ++points.back();
    if (!line.starts_with("$way")) continue;
    is_in_way = true;
    points.push_back(0);
  }
  return points;
}

void expect_stations_inside(const std::string& script) {
  const std::regex corner("set object rectangle from ([-0-9.]+),([-0-9.]+) to ([-0-9.]+),([-0-9.]+)");
  int corners = 0;
  for (std::sregex_iterator found(script.begin(), script.end(), corner), end; found != end; ++found) {
    for (std::size_t i = 1; i <= 4; ++i) {
      ++corners;
      EXPECT_GE(std::stod((*found)[i]), 0);
      EXPECT_LE(std::stod((*found)[i]), 1);
    }
  }
  EXPECT_EQ(corners, 5 * 3 * 4);
}

TEST(NetworkPicture, IsLaidOutByGraphviz) {
  if (!io::impl::run_program({"dot", "-V"}, "")) GTEST_SKIP() << "there is no dot in PATH";
  const std::string drawn = script();
  const auto points = points_of_ways(drawn);
  EXPECT_EQ(points.size(), 5u);
  for (const int count : points) EXPECT_GE(count, 13);  // a curve
  expect_stations_inside(drawn);
}

TEST(NetworkPicture, IsAGridWithoutGraphviz) {
  const EnvironmentVariable path("PATH", "/nowhere");
  const std::string drawn = script();
  const auto points = points_of_ways(drawn);
  EXPECT_EQ(points.size(), 5u);
  for (const int count : points) EXPECT_EQ(count, 2);
  expect_stations_inside(drawn);
}

// The boxes of the animated picture.
std::vector<io::PixelPoint> boxes_of(const io::StationAnimation& animation) {
  std::vector<io::PixelPoint> boxes;
  for (const io::AnimatedStation& station : animation.stations) boxes.push_back(station.at);
  return boxes;
}

// Number of boxes that leave the picture or overlap with another.
int misplaced(const io::StationAnimation& animation, const std::vector<io::PixelPoint>& boxes) {
  int count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto& [x, y] = boxes[i];
    bool is_misplaced =
        x < 0 || y < 0 || x + animation.box_width > animation.width || y + animation.box_height > animation.height;
    for (std::size_t k = 0; k < i; ++k) {
      is_misplaced = is_misplaced || (std::abs(boxes[k].x - x) < animation.box_width &&
                                      std::abs(boxes[k].y - y) < animation.box_height);
    }
    count += is_misplaced ? 1 : 0;
  }
  return count;
}

void expect_placed(const models::NetworkDescription& network) {
  const io::StationAnimation animation = models::network_timeline(network, models::NumberRecord()).animation;
  std::vector<io::PixelPoint> boxes = boxes_of(animation);
  EXPECT_EQ(boxes.size(), network.stations.size());
  EXPECT_EQ(misplaced(animation, boxes), 0);
  boxes.back() = boxes.front();  // control
  EXPECT_EQ(misplaced(animation, boxes), 1);
  std::size_t inner_ways = 0;
  for (const io::AnimatedWay& way : animation.ways) {
    for (const io::PixelPoint& point : way.line) {
      EXPECT_TRUE(point.x >= 0 && point.x <= animation.width && point.y >= 0 && point.y <= animation.height);
    }
    inner_ways += way.line.size() > 2 || way.line.front().y != way.line.back().y ? 1u : 0u;
  }
  EXPECT_GT(inner_ways, 0u);
}

TEST(NetworkAnimation, PlacesStationsWithAndWithoutGraphviz) {
  for (const char* file : {"/emergency_department.json", "/job_shop.json", "/amusement_park.json"}) {
    const auto network = models::read_network_case(std::string(SPOROS_NETWORK_CASES) + file);
    expect_placed(network);
    const EnvironmentVariable path("PATH", "/nowhere");
    expect_placed(network);
  }
}

// A timeline of a replication and its trace, which another function of the run writes.
struct TracedTimeline {
  models::NetworkDescription network;
  io::StationTimeline timeline;
  std::vector<TracedEvent> events;
};

TracedTimeline traced(const models::NetworkDescription& network, std::uint64_t seed) {
  const models::NetworkTables<Kokkos::HostSpace> tables(network);
  const models::Network model = tables.model();
  return {network, models::NetworkCase{}.timeline(network, model, seed, 0),
          traced_events(DesignPoint<models::Network>{model, seed}, {}, 0)};
}

// Applies an event to the numbers at the stations and to the stations of the customers.
void apply(const TracedEvent& event, std::vector<int>& numbers, std::map<std::int64_t, int>& places) {
  using models::NetworkHappening;
  const auto what = static_cast<NetworkHappening>(event.kind);
  const bool leaves =
      what == NetworkHappening::leaves || what == NetworkHappening::reneges || what == NetworkHappening::is_lost;
  if (!leaves && what != NetworkHappening::arrival && what != NetworkHappening::comes) return;
  if (const auto place = places.find(event.entity); place != places.end()) {
    --numbers[static_cast<std::size_t>(place->second)];
    places.erase(place);
  }
  if (leaves) return;
  ++numbers[static_cast<std::size_t>(event.station)];
  places[event.entity] = event.station;
}

// Number of `times` at which the animation and the trace disagree on the numbers at stations.
int disagreements(const io::StationAnimation& animation, const std::vector<TracedEvent>& events,
                  const std::vector<double>& times) {
  std::vector<int> animated(animation.stations.size()), numbers(animation.stations.size());
  std::map<std::int64_t, int> places;
  int count = 0;
  std::size_t step = 0, event = 0;
  for (const double time : times) {
    for (; step < animation.steps.size() && animation.steps[step].time <= time; ++step)
      animated[static_cast<std::size_t>(animation.steps[step].station)] = animation.steps[step].number;
    for (; event < events.size() && events[event].time <= time; ++event) apply(events[event], numbers, places);
    count += animated == numbers ? 0 : 1;
  }
  return count;
}

// Removes the last event of that kind.
std::vector<TracedEvent> without_last(std::vector<TracedEvent> events, models::NetworkHappening what) {
  for (std::size_t i = events.size(); i-- > 0;) {
    if (events[i].kind != static_cast<int>(what)) continue;
    events.erase(events.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  return events;
}

TEST(NetworkAnimation, HasAllNumbersOfTheTrace) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto [network, timeline, events] = traced(models::walk_in_clinic(), seed);
    std::vector<double> times;
    for (const TracedEvent& event : events) times.push_back(event.time);
    EXPECT_GT(times.size(), 100u);
    EXPECT_EQ(disagreements(timeline.animation, events, times), 0);
    EXPECT_GT(disagreements(timeline.animation, without_last(events, models::NetworkHappening::arrival), times), 0);
    EXPECT_EQ(timeline.animation.note, "The animation shows all " + std::to_string(timeline.animation.steps.size()) +
                                           " changes of the numbers.");
    EXPECT_EQ(timeline.animation.end, network.horizon);
  }
}

// More changes than an animation has: patients renege, and doctors and nurses work in shifts.
TEST(NetworkAnimation, HasTheNumbersOfTheTraceAtIntervals) {
  const auto [network, timeline, events] =
      traced(models::read_network_case(SPOROS_NETWORK_CASES "/emergency_department.json"), 1);
  const io::StationAnimation& animation = timeline.animation;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(animation.note, found, std::regex("at every ([0-9.]+) min"))) << animation.note;
  const double interval = std::stod(found[1]);
  std::vector<double> times;
  for (int i = 0; i * interval <= network.horizon; ++i) times.push_back(i * interval);
  EXPECT_LE(animation.steps.size(), models::max_animated_steps);
  EXPECT_EQ(disagreements(animation, events, times), 0);
  EXPECT_GT(disagreements(animation, without_last(events, models::NetworkHappening::reneges), times), 0);
  for (double& time : times) time += interval / 2;  // between these times, the animation omits changes
  EXPECT_GT(disagreements(animation, events, times), 0);
}

// Returns a record in which the number at the only station rises by 1 and falls by 1 in turn, once per unit of time.
models::NumberRecord alternating(int changes, std::size_t max_steps = 1'000'000) {
  models::NumberRecord record(max_steps);
  for (int i = 0; i < changes; ++i) {
    if (!record.add(i + 0.5, 0, i % 2 == 0 ? 1 : 0)) return record;
  }
  record.finish(changes, false);
  return record;
}

models::NetworkDescription one_station() {
  return models::network_case_of_json("case", R"json({"time_unit": "s", "horizon": 9,
      "classes": {"c": {"interarrival": 1, "enters": "only"}}, "stations": {"only": {"service": 1}}})json");
}

TEST(NetworkAnimation, OfAShortRecordHasAllChanges) {
  const auto most = static_cast<int>(models::max_animated_steps);
  EXPECT_EQ(models::network_timeline(one_station(), alternating(most)).animation.steps.size(),
            models::max_animated_steps);
  const auto longer = models::network_timeline(one_station(), alternating(most + 1)).animation;
  EXPECT_LT(longer.steps.size(), models::max_animated_steps);
  EXPECT_TRUE(longer.note.starts_with("Of 5001 changes of the numbers, the animation shows the numbers at every 2 s"))
      << longer.note;
}

// A peak between two intervals is in the curve and in the still picture.
TEST(NetworkAnimation, KeepsEachPeak) {
  models::NumberRecord record;
  for (int i = 0; i < 100'000; ++i) record.add(i, 0, i % 10 == 0 ? 2 : 1);
  record.add(100'000 - 0.5, 0, 77);
  record.add(100'000 - 0.25, 0, 1);
  record.finish(100'000, false);
  const auto [picture, animation] = models::network_timeline(one_station(), record);
  EXPECT_EQ(std::ranges::max(animation.stations[0].peaks), 77);
  EXPECT_EQ(std::ranges::count(animation.stations[0].peaks, 2), std::ssize(animation.stations[0].peaks) - 1);
  EXPECT_NE(picture.find(" 77\n"), std::string::npos);
  EXPECT_EQ(picture.find(" 76\n"), std::string::npos);
  EXPECT_NEAR(animation.stations[0].mean, 1.1 + 0.25 * 76 / 100'000, 1e-9);
  EXPECT_TRUE(std::ranges::none_of(animation.steps, [](const auto& step) { return step.number == 77; }));
}

TEST(NetworkAnimation, SaysWhereItsRecordEnds) {
  const auto cut = models::network_timeline(one_station(), alternating(60, 50));
  EXPECT_TRUE(cut.animation.note.starts_with(
      "The picture ends at 50.5 s, because only the first 50 changes are recorded. The animation shows all 50 "))
      << cut.animation.note;
  EXPECT_EQ(cut.animation.end, 50.5);
  EXPECT_NE(cut.picture.find("until 50.5"), std::string::npos);
  models::NumberRecord failed;
  failed.add(3, 0, 1);
  failed.finish(9, true);
  const auto ended = models::network_timeline(one_station(), failed).animation;
  EXPECT_TRUE(ended.note.starts_with("The replication failed at 3 s, where the picture ends.")) << ended.note;
  EXPECT_EQ(ended.end, 3);
  const auto whole = models::network_timeline(one_station(), alternating(50, 50));  // control
  EXPECT_EQ(whole.animation.note.find("ends"), std::string::npos);
  EXPECT_EQ(whole.picture.find("until"), std::string::npos);
}

// Servers by schedule, a changed number of servers, and stations where nobody waits.
TEST(NetworkAnimation, HasTheServersOfEachStation) {
  const auto network = models::network_case_of_json("case", R"json({"time_unit": "min", "horizon": "2 h",
      "classes": {"c": {"interarrival": "exponential(1)", "enters": "shifts"}},
      "stations": {"shifts": {"service": 1, "shifts": [{"from": 0, "servers": 2}, {"from": 30, "servers": 4}],
                              "cycle": "1 h", "next": "fixed"},
                   "fixed": {"servers": 3, "service": 1, "next": "shared"},
                   "shared": {"servers": 3, "discipline": "processor-sharing", "service": 1, "next": "free"},
                   "free": {"servers": "unlimited", "service": 1}}})json");
  const models::NetworkTables<Kokkos::HostSpace> tables(network);
  models::Network model = tables.model();
  const auto members = models::network_members(network);
  const auto changed = std::ranges::find(members, "stations.fixed.servers", &models::NetworkMember::name);
  ASSERT_NE(changed, members.end());
  ASSERT_TRUE(model.set_member(static_cast<int>(changed - members.begin()), 5));
  const auto stations = models::NetworkCase{}.timeline(network, model, 1, 0).animation.stations;
  using Steps = std::vector<std::pair<double, int>>;
  EXPECT_EQ(stations[0].servers.steps, (Steps{{0, 2}, {30, 4}}));
  EXPECT_EQ(stations[0].servers.cycle, 60);
  EXPECT_EQ(stations[1].servers.steps, (Steps{{0, 5}}));
  EXPECT_TRUE(stations[2].servers.steps.empty());
  EXPECT_TRUE(stations[3].servers.steps.empty());
}

}  // namespace network_pictures_tests
}  // namespace sporos::test
