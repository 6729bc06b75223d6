// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_files.hpp>
#include <sporos/models/networks/network_load.hpp>
#include <sporos/models/networks/network_picture.hpp>
#include <sporos/models/networks/network_run.hpp>
#include <sporos/models/networks/network_run_arrivals.hpp>
#include <sporos/models/networks/network_run_responses.hpp>
#include <sporos/models/networks/network_run_routes.hpp>
#include <sporos/models/networks/network_run_servers.hpp>
#include <sporos/models/networks/network_run_stations.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace sporos::models {

/// A network of stations as a model. A replication is one event-driven simulation (NetworkRun) and uses `storage_bytes`
/// of thread-private memory.
struct Network {
  /// Maximum number of members that can differ from the case.
  static constexpr int max_changes = max_network_changes;
  /// Size of a replication's calendar, customers, queues and statistics; independent of the type of its inputs.
  static constexpr std::size_t storage_bytes = sizeof(NetworkRun<int>);
  /// A changed value of a member of the case.
  struct Change {
    int member;    ///< index in network_members
    double value;  ///< new value
  };

  NetworkData data;                       ///< network data on the device
  const NetworkDescription* description;  ///< description on the host, for names

  /// Names of trace events, indexed by NetworkHappening.
  static constexpr auto event_names =
      std::array{"arrival", "comes",   "service begins", "service ends",       "is blocked",         "is interrupted",
                 "reneges", "is lost", "leaves",         "server breaks down", "server is repaired", "shift begins"};
  /// Names of the stations by index; host only.
  std::vector<std::string> station_names() const {
    std::vector<std::string> names;
    for (const NetworkStation& station : description->stations) names.push_back(station.name);
    return names;
  }

  /// See NetworkData::Input.
  static constexpr int input_count = NetworkData::input_count;
  /// Draws belong to customers, classes and servers.
  static constexpr bool draws_by_entity = true;

  /// Number of responses; see network_responses.
  KOKKOS_FUNCTION int response_count() const { return data.response_count; }
  /// Name of a response; host only.
  std::string response_name(int response) const {
    return network_response_name(*description, network_responses(*description)[static_cast<std::size_t>(response)]);
  }
  /// Fractions lie between 0 and 1; all other responses are non-negative.
  ResponseRange response_range(int response) const {
    const NetworkResponse of = network_responses(*description)[static_cast<std::size_t>(response)];
    const bool is_part = of.what == Observation::late || of.what == Observation::served_within ||
                         of.what == Observation::time_over || of.what == Observation::lost ||
                         of.what == Observation::reneging;
    return is_part ? ResponseRange{.least = 0, .most = 1} : ResponseRange{.least = 0};
  }

  Kokkos::Array<Change, static_cast<std::size_t>(max_changes)> changes = {};  ///< values that differ from the case
  int change_count = 0;                                                       ///< number of changes

  /// Changes a member of the case. Returns false if `max_changes` other members have been changed already.
  KOKKOS_FUNCTION bool set_member(int member, double value) {
    int place = 0;
    while (place < change_count && changes[place].member != member) ++place;
    if (place == max_changes) return false;
    changes[place] = {member, value};
    if (place == change_count) ++change_count;
    return true;
  }

  /// Simulates one replication.
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    NetworkRun<Inputs> run(data, inputs);
    for (int i = 0; i < change_count; ++i) run.change(data.members[changes[i].member], changes[i].value);
    run.run();
    run.write(responses);
  }
};

/// A network in `MemorySpace`. Copies share their data.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class NetworkTables {
 public:
  /// Copies `network` to `MemorySpace`.
  explicit NetworkTables(const NetworkDescription& network);

  /// Returns the model, which is valid as long as these tables or a copy of them live.
  Network model() const { return {.data = m_data, .description = m_description.get()}; }

 private:
  template <class Number>
  const Number* keep(const char* label, const std::vector<Number>& numbers) {
    const auto view = sporos::impl::table_view<MemorySpace>(std::string("sporos::network::") + label, numbers);
    m_views.push_back(std::make_shared<Kokkos::View<const Number*, MemorySpace>>(view));
    return view.data();
  }
  DurationData duration(const std::optional<NetworkDuration>& duration);
  TableRange add_route(const NetworkRoute& route);
  ScheduleData add_schedule(const NetworkSchedule& schedule);

  std::shared_ptr<const NetworkDescription> m_description;
  std::vector<AnyDistributionTable<MemorySpace>> m_distributions;
  std::vector<std::shared_ptr<void>> m_views;
  std::vector<BranchData> m_branches;
  std::vector<int> m_targets;
  std::vector<NetworkStep> m_steps;
  NetworkData m_data{};
};

/// A network of stations from a case file.
struct NetworkCase {
  static constexpr std::string_view name = "network";                                     ///< name on the command line
  static constexpr std::string_view title = "queueing network described in a JSON file";  ///< title in lists

  std::string case_file;  ///< path of the case file (see read_network_case); if empty, walk_in_clinic is used

  using Data = NetworkDescription;  ///< content of the file
  using Model = Network;            ///< model that is simulated
  /// Tables of the network in a memory space.
  template <class MemorySpace>
  using Tables = NetworkTables<MemorySpace>;

  /// Returns the description of the parameter.
  static auto parameters() {
    return std::tuple{Parameter<NetworkCase, std::string>{
        "case", &NetworkCase::case_file, "", "", "JSON file with stations, customer classes and horizon", nullptr}};
  }

  /// Reads the network from the case file.
  NetworkDescription load(std::vector<std::string>&) const {
    return case_file.empty() ? walk_in_clinic() : read_network_case(case_file);
  }

  /// Does nothing: load() has checked the network.
  void check(const NetworkDescription&) const {}

  /// Names of the responses; see network_responses.
  std::vector<std::string> response_names(const NetworkDescription& data) const {
    std::vector<std::string> names;
    for (const NetworkResponse& response : network_responses(data))
      names.push_back(network_response_name(data, response));
    return names;
  }

  /// Names of the stations in the order of the case.
  std::vector<std::string> station_names(const NetworkDescription& data) const {
    std::vector<std::string> names;
    for (const NetworkStation& station : data.stations) names.push_back(station.name);
    return names;
  }

  /// Returns empty optionals: no exact mean is known for a replication that starts empty.
  std::vector<std::optional<double>> exact_means(const NetworkDescription& data) const {
    return std::vector<std::optional<double>>(network_responses(data).size());
  }

  /// Members that can be decision variables; see network_members.
  std::vector<CaseMember> members(const NetworkDescription& data) const {
    std::vector<CaseMember> members;
    for (const NetworkMember& member : network_members(data))
      members.push_back({member.name, member.value, member.is_whole(), member.unit, member.meaning});
    return members;
  }
  /// See NetworkMember::check.
  void check_member(const NetworkDescription& data, std::size_t member, double value) const {
    network_members(data)[member].check(value);
  }
  /// See check_network_members.
  void check_members(const NetworkDescription& data, std::span<const double> values) const {
    check_network_members(data, values);
  }

  /// See instability_notes.
  std::vector<std::string> notes(const NetworkDescription& data, std::span<const double> members) const {
    return instability_notes(data, members);
  }

  /// Returns a picture of the network with the means of its responses, as a script for io::PictureFile.
  std::string picture(const NetworkDescription& data, std::span<const double> means) const {
    return network_picture(data, means);
  }
  /// Simulates a replication on the host and returns a picture of the numbers of customers at the stations over time.
  /// `model` must point into tables in host memory.
  std::string timeline_picture(const NetworkDescription& data, const Network& model, std::uint64_t seed,
                               std::int64_t replication) const;

  /// Returns the model for `tables`.
  template <class MemorySpace>
  Network model(const NetworkTables<MemorySpace>& tables) const {
    return tables.model();
  }
};

namespace impl {

// Records the numbers of customers at stations.
struct NumberWatcher {
  std::vector<NumberStep>* steps;
  void note_number(double time, int station, int number) const { steps->push_back({time, station, number}); }
};

}  // namespace impl

inline std::string NetworkCase::timeline_picture(const NetworkDescription& data, const Network& model,
                                                 std::uint64_t seed, std::int64_t replication) const {
  using Inputs = DefaultSource::InputsOn<Kokkos::DefaultHostExecutionSpace, Mapping::thread, Network::input_count>;
  static_assert(sizeof(NetworkRun<Inputs>) == Network::storage_bytes);
  Inputs inputs({}, seed, static_cast<std::uint64_t>(replication), {});
  std::vector<NumberStep> steps;
  NetworkRun<Inputs, impl::NumberWatcher> run(model.data, inputs, {&steps});
  for (int i = 0; i < model.change_count; ++i)
    run.change(model.data.members[model.changes[i].member], model.changes[i].value);
  run.run();
  return numbers_picture(data, steps, run.end());
}

template <class MemorySpace>
DurationData NetworkTables<MemorySpace>::duration(const std::optional<NetworkDuration>& duration) {
  if (!duration) return {};
  m_distributions.emplace_back(duration->distribution);
  return {m_distributions.back().handle(), duration->unit};
}

template <class MemorySpace>
TableRange NetworkTables<MemorySpace>::add_route(const NetworkRoute& route) {
  const TableRange range{static_cast<int>(m_branches.size()), static_cast<int>(m_branches.size() + route.size())};
  double sum = 0;
  for (const NetworkBranch& branch : route) {
    sum += branch.probability;
    const int first = static_cast<int>(m_targets.size());
    m_targets.insert(m_targets.end(), branch.to.begin(), branch.to.end());
    m_branches.push_back(
        {sum, {first, static_cast<int>(m_targets.size())}, branch.becomes.value_or(-1), branch.choice});
  }
  // A sum just below 1 by rounding must not leave a way out of the network.
  if (!route.empty() && sum > 1 - 1e-9) m_branches.back().cumulative = 1;
  return range;
}

template <class MemorySpace>
ScheduleData NetworkTables<MemorySpace>::add_schedule(const NetworkSchedule& schedule) {
  const int first = static_cast<int>(m_steps.size());
  m_steps.insert(m_steps.end(), schedule.steps.begin(), schedule.steps.end());
  return {{first, static_cast<int>(m_steps.size())}, schedule.cycle, schedule.integral()};
}

template <class MemorySpace>
NetworkTables<MemorySpace>::NetworkTables(const NetworkDescription& network)
    : m_description(std::make_shared<const NetworkDescription>(network)) {
  std::vector<ClassData> classes;
  for (const NetworkClass& of : network.classes) {
    classes.push_back({duration(of.interarrival), add_schedule(of.rates), duration(of.batch), add_route(of.enters),
                       of.arrival_speed, of.max_arrivals, of.population, of.priority});
  }
  std::vector<StationData> stations;
  std::vector<VisitData> visits;
  int breaking_servers = 0;
  for (const NetworkStation& station : network.stations) {
    const auto& breakdowns = station.breakdowns;
    stations.push_back({station.speed, station.servers, station.room, station.waiting, station.discipline,
                        station.when_full, add_schedule(station.shifts),
                        duration(breakdowns ? std::optional(breakdowns->up) : std::nullopt),
                        duration(breakdowns ? std::optional(breakdowns->down) : std::nullopt), breaking_servers});
    if (breakdowns) breaking_servers += station.servers;
    for (const NetworkVisit& visit : station.visits)
      visits.push_back({duration(visit.service), duration(visit.patience), add_route(visit.next)});
  }
  const std::vector<NetworkResponse> responses = network_responses(network);
  m_data.classes = keep("classes", classes);
  m_data.stations = keep("stations", stations);
  m_data.visits = keep("visits", visits);
  m_data.branches = keep("branches", m_branches);
  m_data.targets = keep("targets", m_targets);
  m_data.steps = keep("steps", m_steps);
  m_data.responses = keep("responses", responses);
  std::vector<MemberData> members;
  for (const NetworkMember& member : network_members(network)) members.push_back({member.kind, member.owner});
  m_data.members = keep("members", members);
  m_data.class_count = static_cast<int>(classes.size());
  m_data.station_count = static_cast<int>(stations.size());
  m_data.response_count = static_cast<int>(responses.size());
  m_data.horizon = network.horizon;
  m_data.warm_up = network.warm_up;
  m_data.customers = network.customers;
  for (std::size_t i = 0; i < network.wait_limits.size(); ++i) m_data.wait_limits[i] = network.wait_limits[i];
  m_data.wait_limit_count = static_cast<int>(network.wait_limits.size());
  for (std::size_t i = 0; i < network.time_limits.size(); ++i) m_data.time_limits[i] = network.time_limits[i];
  m_data.time_limit_count = static_cast<int>(network.time_limits.size());
  for (std::size_t i = 0; i < network.wait_quantiles.size(); ++i) m_data.wait_quantiles[i] = network.wait_quantiles[i];
  m_data.wait_quantile_count = static_cast<int>(network.wait_quantiles.size());
}

}  // namespace sporos::models
