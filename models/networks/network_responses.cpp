// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_series.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace sporos::models {

namespace {

// Adds the responses of station `s` for class `c`, or for all classes if `c` is negative.
void add_station(const NetworkDescription& network, int s, int c, bool reneges,
                 std::vector<NetworkResponse>& responses) {
  const NetworkStation& station = network.stations[static_cast<std::size_t>(s)];
  const auto is_of_class = [&](const NetworkVisit& visit) {
    return c < 0 || &visit == &station.visits[static_cast<std::size_t>(c)];
  };
  const bool waits = station.has_queue();
  const bool balks = std::ranges::any_of(
      station.visits, [&](const NetworkVisit& visit) { return is_of_class(visit) && visit.may_balk(); });
  const bool jockeys = !station.jockeying.to.empty();
  const auto add = [&](Observation what, int limit = 0) { responses.push_back({what, s, c, limit}); };
  add(Observation::number);
  if (waits) add(Observation::waiting);
  if (waits) add(Observation::wait);
  if (c < 0 && waits) {
    for (std::size_t i = 0; i < network.wait_limits.size(); ++i) {
      add(Observation::late, static_cast<int>(i));
      if (reneges || jockeys) add(Observation::served_within, static_cast<int>(i));
    }
  }
  if (c < 0 && waits) {
    for (std::size_t i = 0; i < network.wait_quantiles.size(); ++i)
      add(Observation::wait_quantile, static_cast<int>(i));
  }
  add(Observation::time);
  if (c < 0 && station.servers < unlimited) add(Observation::utilization);
  if (c < 0 && network.can_block(s)) add(Observation::blocked);
  add(Observation::throughput);
  if (network.is_limited(s)) add(Observation::lost);
  if (reneges) add(Observation::reneging);
  if (balks) add(Observation::balking);
  if (jockeys) add(Observation::jockeying);
  if (c >= 0) return;
  for (std::size_t i = 0; i < network.number_limits.size(); ++i) add(Observation::number_over, static_cast<int>(i));
  if (!network.has_maxima) return;
  add(Observation::largest_number);
  if (waits) add(Observation::largest_waiting);
  if (waits) add(Observation::longest);
}

// Returns the observation of a quantity in periods at station `s`, or in the network if `s` is negative; empty if the
// station has no such quantity.
std::optional<Observation> observed_in_periods(const NetworkDescription& network, PeriodQuantity quantity, int s) {
  const bool is_limited = s >= 0 && network.stations[static_cast<std::size_t>(s)].servers < unlimited;
  const bool waits = s >= 0 && network.stations[static_cast<std::size_t>(s)].has_queue();
  switch (quantity) {
    case PeriodQuantity::number:
      return Observation::period_number;
    case PeriodQuantity::waiting:
      return waits ? std::optional(Observation::period_waiting) : std::nullopt;
    case PeriodQuantity::wait:
      return waits ? std::optional(Observation::period_wait) : std::nullopt;
    case PeriodQuantity::utilization:
      return is_limited ? std::optional(Observation::period_utilization) : std::nullopt;
    case PeriodQuantity::throughput:
      return Observation::period_throughput;
  }
  return std::nullopt;
}

// Adds the responses of the periods, each quantity of a place over all periods.
void add_periods(const NetworkDescription& network, std::vector<NetworkResponse>& responses) {
  const std::vector<double>& ends = network.periods.ends;
  const std::vector<PeriodQuantity>& quantities = network.periods.quantities;
  const std::vector<int>& stations = network.periods.stations;
  const auto add = [&](int s) {
    for (const PeriodQuantity quantity : quantities) {
      const auto what = observed_in_periods(network, quantity, s);
      for (std::size_t i = 0; what && i < ends.size(); ++i) responses.push_back({*what, s, -1, static_cast<int>(i)});
    }
  };
  for (const int s : stations) add(s);
  if (!stations.empty()) return;
  for (int s = -1; s < static_cast<int>(network.stations.size()); ++s) add(s);
  const auto observes = [&](PeriodQuantity quantity) {
    return std::ranges::find(quantities, quantity) != quantities.end();
  };
  const auto add_place = [&](Observation what, std::size_t place) {
    for (std::size_t i = 0; i < ends.size(); ++i)
      responses.push_back({what, static_cast<int>(network.stations.size() + 1 + place), -1, static_cast<int>(i)});
  };
  const std::size_t roles = network.roles.size(), resources = network.resources.size();
  const bool is_used = observes(PeriodQuantity::utilization);
  for (std::size_t r = 0; is_used && r < roles; ++r) add_place(Observation::period_utilization, r);
  for (std::size_t r = roles; r < roles + resources; ++r) {
    if (is_used) add_place(Observation::period_utilization, r);
    if (observes(PeriodQuantity::wait)) add_place(Observation::period_wait, r);
  }
}

// Adds the responses of roles, and of customers at stations with roles, for each class if several are served there.
void add_roles(const NetworkDescription& network, std::vector<NetworkResponse>& responses) {
  if (network.roles.empty()) return;
  const int roles = static_cast<int>(network.roles.size());
  for (int r = -1; r < roles; ++r) responses.push_back({Observation::staff_cost, -1, -1, r});
  for (int r = 0; r < roles; ++r) responses.push_back({Observation::overtime, -1, -1, r});
  for (int r = 0; r < roles; ++r) responses.push_back({Observation::role_utilization, -1, -1, r});
  for (int s = 0; s < static_cast<int>(network.stations.size()); ++s) {
    const NetworkStation& station = network.stations[static_cast<std::size_t>(s)];
    if (!station.has_roles()) continue;
    const auto served =
        std::ranges::count_if(station.visits, [](const NetworkVisit& visit) { return visit.service.has_value(); });
    for (const Observation what : {Observation::at_once, Observation::waits_per_day}) {
      responses.push_back({what, s, -1, 0});
      for (int c = 0; served > 1 && c < static_cast<int>(station.visits.size()); ++c) {
        if (station.visits[static_cast<std::size_t>(c)].service) responses.push_back({what, s, c, 0});
      }
    }
  }
}

// Adds the responses of resources.
void add_resources(const NetworkDescription& network, std::vector<NetworkResponse>& responses) {
  for (int r = 0; r < static_cast<int>(network.resources.size()); ++r) {
    for (const Observation what :
         {Observation::resource_number, Observation::resource_usage, Observation::resource_wait})
      responses.push_back({what, -1, -1, r});
    if (network.has_maxima) responses.push_back({Observation::resource_largest, -1, -1, r});
  }
}

// Name of a place of periods: the network, a station, a role or a resource.
std::string place_of(const NetworkDescription& network, int station) {
  if (station < 0) return "network";
  auto place = static_cast<std::size_t>(station);
  if (place < network.stations.size()) return network.stations[place].name;
  place -= network.stations.size() + 1;
  return place < network.roles.size() ? network.roles[place].name
                                      : network.resources[place - network.roles.size()].name;
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
    case Observation::area_number:
      return "number";
    case Observation::area_lost:
      return "lost";
    case Observation::end_time:
      return "end time";
    case Observation::ended:
      return "ended";
    case Observation::balking:
      return "balking";
    case Observation::jockeying:
      return "jockeying";
    case Observation::time_quantile:
      return "quantile of time";
    case Observation::number_over:
      return "number over";
    case Observation::largest_number:
      return "largest number";
    case Observation::largest_waiting:
      return "largest number waiting";
    case Observation::longest:
      return "longest";
    case Observation::period_number:
      return "number";
    case Observation::period_waiting:
      return "number waiting";
    case Observation::period_wait:
      return "wait";
    case Observation::period_utilization:
      return "utilization";
    case Observation::period_throughput:
      return "throughput";
    case Observation::at_once:
      return "served at once";
    case Observation::waits_per_day:
      return "waits";
    case Observation::staff_cost:
      return "staff cost";
    case Observation::overtime:
      return "overtime";
    case Observation::role_utilization:
      return "utilization";
    case Observation::resource_number:
      return "number in use";
    case Observation::resource_usage:
      return "utilization";
    case Observation::resource_wait:
      return "wait";
    case Observation::resource_largest:
      return "largest number in use";
  }
  return "";
}

}  // namespace

std::vector<bool> reneging_visits(const NetworkDescription& network) {
  const std::size_t classes = network.classes.size(), stations = network.stations.size();
  std::vector<bool> reneging(stations * classes);
  std::vector<std::size_t> found;
  const auto add = [&](std::size_t s, std::size_t c) {
    if (reneging[s * classes + c]) return;
    reneging[s * classes + c] = true;
    found.push_back(s * classes + c);
  };
  for (std::size_t s = 0; s < stations; ++s) {
    for (std::size_t c = 0; c < classes; ++c) {
      if (network.stations[s].visits[c].patience) add(s, c);
    }
  }
  for (std::size_t next = 0; next < found.size(); ++next) {
    const std::size_t s = found[next] / classes, c = found[next] % classes;
    const auto& change = network.stations[s].visits[c].change;
    if (change) add(s, static_cast<std::size_t>(change->becomes));
    for (const int to : network.stations[s].jockeying.to) add(static_cast<std::size_t>(to), c);
  }
  return reneging;
}

std::vector<NetworkResponse> network_responses(const NetworkDescription& network) {
  const int classes = static_cast<int>(network.classes.size());
  const std::vector<bool> reneging = reneging_visits(network);
  std::vector<NetworkResponse> responses;
  const auto add_network = [&](int c) {
    responses.push_back({Observation::number, -1, c, 0});
    responses.push_back({Observation::time, -1, c, 0});
    for (std::size_t i = 0; i < network.time_limits.size(); ++i)
      responses.push_back({Observation::time_over, -1, c, static_cast<int>(i)});
    for (std::size_t i = 0; i < network.time_quantiles.size(); ++i)
      responses.push_back({Observation::time_quantile, -1, c, static_cast<int>(i)});
    responses.push_back({Observation::throughput, -1, c, 0});
    if (network.has_limits()) responses.push_back({Observation::losses, -1, c, 0});
  };
  add_network(-1);
  for (std::size_t i = 0; i < network.number_limits.size(); ++i)
    responses.push_back({Observation::number_over, -1, -1, static_cast<int>(i)});
  if (network.has_maxima) {
    responses.push_back({Observation::largest_number, -1, -1, 0});
    responses.push_back({Observation::longest, -1, -1, 0});
  }
  if (network.until.kind != NetworkUntil::Kind::none) {
    responses.push_back({Observation::end_time, -1, -1, 0});
    responses.push_back({Observation::ended, -1, -1, 0});
  }
  for (int c = 0; classes > 1 && c < classes; ++c) add_network(c);
  for (int area = 0; area < static_cast<int>(network.areas.size()); ++area) {
    responses.push_back({Observation::area_number, -1, -1, area});
    responses.push_back({Observation::area_lost, -1, -1, area});
  }
  for (int s = 0; s < static_cast<int>(network.stations.size()); ++s) {
    const auto& visits = network.stations[static_cast<std::size_t>(s)].visits;
    const auto visiting = std::ranges::count_if(visits, [](const auto& visit) { return visit.service.has_value(); });
    const auto first = reneging.begin() + s * classes;
    add_station(network, s, -1, std::find(first, first + classes, true) != first + classes, responses);
    for (int c = 0; visiting > 1 && c < classes; ++c) {
      if (visits[static_cast<std::size_t>(c)].service) add_station(network, s, c, first[c], responses);
    }
  }
  add_roles(network, responses);
  add_resources(network, responses);
  add_periods(network, responses);
  if (network.slot > 0)
    std::erase_if(responses, [&](const NetworkResponse& response) { return is_constant(network, response); });
  return responses;
}

std::vector<std::string> station_names(const NetworkDescription& network) {
  std::vector<std::string> names;
  for (const NetworkStation& station : network.stations) names.push_back(station.name);
  for (const NetworkResource& resource : network.resources) names.push_back(resource.name);
  return names;
}

bool is_of_period(const NetworkResponse& response) {
  return response.what >= Observation::period_number && response.what <= Observation::period_throughput;
}

std::vector<PeriodResponse> period_responses(const NetworkDescription& network) {
  std::vector<PeriodResponse> periods;
  const auto responses = network_responses(network);
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const auto& [what, station, of_class, limit] = responses[i];
    if (!is_of_period(responses[i])) continue;
    const auto period = static_cast<std::size_t>(limit);
    periods.push_back({i, place_of(network, station), std::string(word_of(what)),
                       period > 0 ? network.periods.ends[period - 1] : 0, network.periods.ends[period],
                       network.time_unit});
  }
  return periods;
}

std::string network_response_name(const NetworkDescription& network, const NetworkResponse& response) {
  const auto& [what, station, of_class, limit] = response;
  std::string name(word_of(what));
  if (what == Observation::area_number) return name + " in " + network.areas[static_cast<std::size_t>(limit)].name;
  if (what == Observation::staff_cost && limit < 0) return name + " per day";
  if (what == Observation::staff_cost || what == Observation::overtime)
    return name + " of " + network.roles[static_cast<std::size_t>(limit)].name + " per day";
  if (what == Observation::role_utilization) return name + " of " + network.roles[static_cast<std::size_t>(limit)].name;
  if (what == Observation::resource_wait)
    return name + " for " + network.resources[static_cast<std::size_t>(limit)].name;
  if (what >= Observation::resource_number)
    return name + " of " + network.resources[static_cast<std::size_t>(limit)].name;
  if (what == Observation::area_lost) return name + " at " + network.areas[static_cast<std::size_t>(limit)].name;
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
  if (what == Observation::time_quantile) {
    name =
        fmt::format("{}-quantile of time", io::shortest_text(network.time_quantiles[static_cast<std::size_t>(limit)]));
  }
  if (what == Observation::number_over)
    name += fmt::format(" {}", network.number_limits[static_cast<std::size_t>(limit)]);
  if (what == Observation::longest) name += station < 0 ? " time" : " wait";
  if (of_class >= 0) name += " of " + network.classes[static_cast<std::size_t>(of_class)].name;
  if (what == Observation::waits_per_day) name += " per day";
  const bool is_station = station < static_cast<int>(network.stations.size());
  const bool is_awaited = what == Observation::period_wait;
  name += (station < 0 ? " in " : is_station ? " at " : is_awaited ? " for " : " of ") + place_of(network, station);
  if (!is_of_period(response)) return name;
  const std::vector<double>& ends = network.periods.ends;
  const double start = limit > 0 ? ends[static_cast<std::size_t>(limit) - 1] : 0;
  return fmt::format("{} from {} to {} {}", name, io::shortest_text(start),
                     io::shortest_text(ends[static_cast<std::size_t>(limit)]), network.time_unit);
}

std::string network_response_unit(const NetworkDescription& network, const NetworkResponse& response) {
  switch (response.what) {
    case Observation::wait:
    case Observation::wait_quantile:
    case Observation::time:
    case Observation::time_quantile:
    case Observation::longest:
    case Observation::end_time:
    case Observation::period_wait:
    case Observation::overtime:
    case Observation::waits_per_day:
    case Observation::resource_wait:
      return network.time_unit;
    case Observation::losses:
    case Observation::throughput:
    case Observation::period_throughput:
      return "1/" + network.time_unit;
    default:
      return "";
  }
}

}  // namespace sporos::models
