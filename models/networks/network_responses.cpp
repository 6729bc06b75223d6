// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_data.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cstddef>

namespace sporos::models {

namespace {

// Whether customers of a station can be blocked there by a full next station.
bool can_be_blocked(const NetworkDescription& network, const NetworkStation& station) {
  for (const NetworkVisit& visit : station.visits) {
    for (const NetworkBranch& branch : visit.next) {
      for (const int to : branch.to) {
        if (network.stations[static_cast<std::size_t>(to)].when_full == WhenFull::block) return true;
      }
    }
  }
  return false;
}

// Adds the responses of station `s` for class `c`, or for all classes if `c` is negative.
void add_station(const NetworkDescription& network, int s, int c, std::vector<NetworkResponse>& responses) {
  const NetworkStation& station = network.stations[static_cast<std::size_t>(s)];
  const auto is_of_class = [&](const NetworkVisit& visit) {
    return c < 0 || &visit == &station.visits[static_cast<std::size_t>(c)];
  };
  const bool waits = station.discipline != Discipline::processor_sharing && station.servers < unlimited;
  const bool reneges = std::ranges::any_of(
      station.visits, [&](const NetworkVisit& visit) { return is_of_class(visit) && visit.patience.has_value(); });
  const auto add = [&](Observation what, int limit = 0) { responses.push_back({what, s, c, limit}); };
  add(Observation::number);
  if (waits) add(Observation::waiting);
  if (waits) add(Observation::wait);
  if (c < 0 && waits) {
    for (std::size_t i = 0; i < network.wait_limits.size(); ++i) {
      add(Observation::late, static_cast<int>(i));
      if (reneges) add(Observation::served_within, static_cast<int>(i));
    }
  }
  if (c < 0 && waits) {
    for (std::size_t i = 0; i < network.wait_quantiles.size(); ++i)
      add(Observation::wait_quantile, static_cast<int>(i));
  }
  add(Observation::time);
  if (c < 0 && station.servers < unlimited) add(Observation::utilization);
  if (c < 0 && can_be_blocked(network, station)) add(Observation::blocked);
  add(Observation::throughput);
  if (station.has_limit()) add(Observation::lost);
  if (reneges) add(Observation::reneging);
}

std::string_view word_of(Observation what) {
  switch (what) {
    case Observation::number:
      return "number";
    case Observation::waiting:
      return "number waiting";
    case Observation::wait:
      return "wait";
    case Observation::late:
      return "wait over";
    case Observation::served_within:
      return "served within";
    case Observation::wait_quantile:
      return "quantile of wait";
    case Observation::time:
      return "time";
    case Observation::time_over:
      return "time over";
    case Observation::utilization:
      return "utilization";
    case Observation::blocked:
      return "blocked servers";
    case Observation::throughput:
      return "throughput";
    case Observation::lost:
      return "lost";
    case Observation::losses:
      return "losses";
    case Observation::reneging:
      return "reneging";
  }
  return "";
}

}  // namespace

std::vector<NetworkResponse> network_responses(const NetworkDescription& network) {
  const int classes = static_cast<int>(network.classes.size());
  std::vector<NetworkResponse> responses;
  const auto add_network = [&](int c) {
    responses.push_back({Observation::number, -1, c, 0});
    responses.push_back({Observation::time, -1, c, 0});
    for (std::size_t i = 0; i < network.time_limits.size(); ++i)
      responses.push_back({Observation::time_over, -1, c, static_cast<int>(i)});
    responses.push_back({Observation::throughput, -1, c, 0});
    if (std::ranges::any_of(network.stations, [](const auto& station) { return station.has_limit(); }))
      responses.push_back({Observation::losses, -1, c, 0});
  };
  add_network(-1);
  for (int c = 0; classes > 1 && c < classes; ++c) add_network(c);
  for (int s = 0; s < static_cast<int>(network.stations.size()); ++s) {
    const auto& visits = network.stations[static_cast<std::size_t>(s)].visits;
    const auto visiting = std::ranges::count_if(visits, [](const auto& visit) { return visit.service.has_value(); });
    add_station(network, s, -1, responses);
    for (int c = 0; visiting > 1 && c < classes; ++c) {
      if (visits[static_cast<std::size_t>(c)].service) add_station(network, s, c, responses);
    }
  }
  return responses;
}

std::string network_response_name(const NetworkDescription& network, const NetworkResponse& response) {
  const auto& [what, station, of_class, limit] = response;
  std::string name(word_of(what));
  if (what == Observation::late || what == Observation::served_within) {
    name += fmt::format(" {} {}", io::shortest_text(network.wait_limits[static_cast<std::size_t>(limit)]),
                        network.time_unit);
  }
  if (what == Observation::time_over) {
    name += fmt::format(" {} {}", io::shortest_text(network.time_limits[static_cast<std::size_t>(limit)]),
                        network.time_unit);
  }
  if (what == Observation::wait_quantile) {
    name =
        fmt::format("{}-quantile of wait", io::shortest_text(network.wait_quantiles[static_cast<std::size_t>(limit)]));
  }
  if (of_class >= 0) name += " of " + network.classes[static_cast<std::size_t>(of_class)].name;
  return name + (station < 0 ? " in network" : " at " + network.stations[static_cast<std::size_t>(station)].name);
}

std::string network_response_unit(const NetworkDescription& network, const NetworkResponse& response) {
  switch (response.what) {
    case Observation::wait:
    case Observation::wait_quantile:
    case Observation::time:
      return network.time_unit;
    case Observation::losses:
    case Observation::throughput:
      return "1/" + network.time_unit;
    default:
      return "";
  }
}

}  // namespace sporos::models
