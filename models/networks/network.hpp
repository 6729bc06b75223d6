// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/events/failure.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/models/networks/network_approximation.hpp>
#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_data.hpp>
#include <sporos/models/networks/network_files.hpp>
#include <sporos/models/networks/network_load.hpp>
#include <sporos/models/networks/network_memory.hpp>
#include <sporos/models/networks/network_picture.hpp>
#include <sporos/models/networks/network_resources.hpp>
#include <sporos/models/networks/network_roles.hpp>
#include <sporos/models/networks/network_run.hpp>
#include <sporos/models/networks/network_run_areas.hpp>
#include <sporos/models/networks/network_run_arrivals.hpp>
#include <sporos/models/networks/network_run_ends.hpp>
#include <sporos/models/networks/network_run_impatience.hpp>
#include <sporos/models/networks/network_run_measures.hpp>
#include <sporos/models/networks/network_run_resources.hpp>
#include <sporos/models/networks/network_run_responses.hpp>
#include <sporos/models/networks/network_run_roles.hpp>
#include <sporos/models/networks/network_run_routes.hpp>
#include <sporos/models/networks/network_run_series.hpp>
#include <sporos/models/networks/network_run_servers.hpp>
#include <sporos/models/networks/network_run_stations.hpp>
#include <sporos/models/networks/network_series.hpp>
#include <sporos/models/networks/network_timeline.hpp>
#include <sporos/models/networks/network_visits.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// A network of stations as a model. A replication is one event-driven simulation (NetworkRun) in memory whose size
/// depends on the case.
struct Network {
  /// Maximum number of members that can differ from the case in `changes`. `more` has no limit.
  static constexpr int max_changes = max_network_changes;

  NetworkData data;                       ///< network data on the device
  const NetworkDescription* description;  ///< description on the host, for names

  /// Size of a replication's timers, customers, stations and statistics.
  std::int64_t storage_bytes() const { return measured_storage().bytes(); }
  /// Size of the part that can be in scratch memory: stations and the next timers.
  std::int64_t scratch_bytes() const { return measured_storage().scratch_bytes(); }
  /// Storage without memory from which a replication has taken its arrays.
  ReplicationStorage measured_storage() const {
    ReplicationStorage measured;
    NetworkMemory(data, measured);
    return measured;
  }

  /// Names of trace events, indexed by NetworkHappening.
  static constexpr auto event_names = std::array{"arrival",
                                                 "comes",
                                                 "service begins",
                                                 "service ends",
                                                 "is blocked",
                                                 "is interrupted",
                                                 "reneges",
                                                 "is lost",
                                                 "leaves",
                                                 "server breaks down",
                                                 "server is repaired",
                                                 "shift begins",
                                                 "balks",
                                                 "jockeys",
                                                 "changes class",
                                                 "is deadlocked",
                                                 "seizes",
                                                 "releases"};
  /// Names of the stations by index, then of the resources, as in traces and failures; host only.
  std::vector<std::string> station_names() const { return models::station_names(*description); }

  /// Returns the visits of the customers in a traced replication as CSV; host only.
  std::string visit_log(std::int64_t replication, std::span<const TracedEvent> events) const {
    return visits_as_csv(*description, replication, network_visits(events));
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
    const bool is_part =
        of.what == Observation::late || of.what == Observation::served_within || of.what == Observation::time_over ||
        of.what == Observation::lost || of.what == Observation::area_lost || of.what == Observation::ended ||
        of.what == Observation::reneging || of.what == Observation::balking || of.what == Observation::jockeying ||
        of.what == Observation::number_over || of.what == Observation::at_once ||
        of.what == Observation::role_utilization || of.what == Observation::resource_usage;
    return is_part ? ResponseRange{.least = 0, .most = 1} : ResponseRange{.least = 0};
  }

  /// State of a long run (core/replication/stored_series.hpp).
  using SeriesState = NetworkSeriesState;
  /// Number of series of a long run; 0 unless the network is one of long_run_of.
  KOKKOS_FUNCTION int series_count() const { return data.series_count; }
  /// Takes the memory of a long run.
  template <class Storage>
  void take_storage(Storage& storage) const {
    NetworkMemory(data, storage);
  }
  /// Simulates a segment of a long run. Returns 0, or the mark of a failure.
  template <class Inputs, class Series>
  KOKKOS_FUNCTION double observe(SeriesState& state, bool begins, Inputs& inputs, Series& series) const {
    NetworkData slot = data;
    NetworkRun<Inputs> run(slot, inputs, inputs.storage(), begins, state);
    run.change(more, begins);
    return run.observe(slot, begins, &changes[0], change_count, state, series);
  }

  Kokkos::Array<MemberChange, static_cast<std::size_t>(max_changes)> changes =
      {};                 ///< values that differ from the case
  int change_count = 0;   ///< number of changes
  MoreChanges more = {};  ///< further changes

  /// Changes a member of the case. Returns false if `max_changes` other members have been changed already.
  KOKKOS_FUNCTION bool set_member(int member, double value) {
    int place = 0;
    while (place < change_count && changes[place].member != member) ++place;
    if (place == max_changes) return false;
    changes[place] = {member, value};
    if (place == change_count) ++change_count;
    return true;
  }

  /// Changes further members. The numbers must outlive the model, in memory that kernels can read.
  KOKKOS_FUNCTION void set_members(const int* members, const double* values, int count) {
    more = {members, values, count};
  }

  /// Simulates one replication in the memory of its inputs (HoldsStorage). On a host, inputs without memory get some.
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    if constexpr (HoldsStorage<Inputs>) {
      simulate(inputs, responses, inputs.storage());
    } else {
      SPOROS_IF_ON_DEVICE((Kokkos::abort("Sporos: a network needs inputs with memory; see storage_bytes()\n");))
      SPOROS_IF_ON_HOST((HostStorage own(storage_bytes()); simulate(inputs, responses, own.storage());))
    }
  }

 private:
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void simulate(Inputs& inputs, Responses& responses, const ReplicationStorage& memory) const {
    NetworkRun<Inputs> run(data, inputs, memory);
    run.change(&changes[0], change_count);
    run.change(more);
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

  /// Changes members of a model, whose new values these tables keep in `MemorySpace`.
  void set_members(Network& model, const std::vector<int>& members, const std::vector<double>& values) {
    model.set_members(keep("changed_members", members), keep("changed_values", values),
                      static_cast<int>(members.size()));
  }

 private:
  template <class Number>
  const Number* keep(const char* label, const std::vector<Number>& numbers) {
    const auto view = sporos::impl::table_view<MemorySpace>(std::string("sporos::network::") + label, numbers);
    m_views.push_back(std::make_shared<Kokkos::View<const Number*, MemorySpace>>(view));
    return view.data();
  }
  DurationData duration(const std::optional<NetworkDuration>& duration);
  TableRange add_components(const NetworkDuration& duration);
  TableRange add_route(const NetworkRoute& route);
  ScheduleData add_schedule(const NetworkSchedule& schedule);
  AppointmentData add_appointments(const NetworkAppointments& appointments);
  void add_areas(const NetworkDescription& network);
  void add_roles(const NetworkDescription& network);
  void add_resources(const NetworkDescription& network);
  void add_impatience(const NetworkDescription& network);

  std::shared_ptr<const NetworkDescription> m_description;
  std::vector<AnyDistributionTable<MemorySpace>> m_distributions;
  std::vector<std::shared_ptr<void>> m_views;
  std::vector<DurationData> m_parts;
  std::vector<ComponentData> m_components;
  std::vector<BranchData> m_branches;
  std::vector<int> m_targets;
  std::vector<NetworkStep> m_steps;
  std::vector<double> m_appointments;
  NetworkData m_data{};
};

/// A network of stations from a case file.
struct NetworkCase {
  static constexpr std::string_view name = "network";                                     ///< name on the command line
  static constexpr std::string_view title = "queueing network described in a JSON file";  ///< title in lists

  std::string case_file;            ///< path of the case file (see read_network_case); if empty, walk_in_clinic is used
  std::int64_t most_customers = 0;  ///< replaces NetworkDescription::most_customers, unless it is 0

  using Data = NetworkDescription;  ///< content of the file
  using Model = Network;            ///< model that is simulated
  /// Tables of the network in a memory space.
  template <class MemorySpace>
  using Tables = NetworkTables<MemorySpace>;

  /// Returns the descriptions of the parameters.
  static auto parameters() {
    return std::tuple{
        Parameter<NetworkCase, std::string>{"case", &NetworkCase::case_file, "", "",
                                            "JSON file with stations, customer classes and horizon", nullptr},
        Parameter<NetworkCase, std::int64_t>{
            "most_customers", &NetworkCase::most_customers, 0, "",
            "customers at a time for whom a replication has memory; 0: number from the case or its load",
            [](std::string_view name, std::int64_t value) { check_most_customers(std::string(name), value); }}};
  }

  /// Reads the network from the case file.
  NetworkDescription load(std::vector<std::string>&) const {
    return case_file.empty() ? walk_in_clinic() : read_network_case(case_file);
  }

  /// Checks `most_customers`; load() has checked the network.
  void check(const NetworkDescription&) const { check_parameters(*this); }

  /// Names of the responses; see network_responses.
  std::vector<std::string> response_names(const NetworkDescription& data) const {
    std::vector<std::string> names;
    for (const NetworkResponse& response : network_responses(data))
      names.push_back(network_response_name(data, response));
    return names;
  }

  /// Names of the stations, then of the resources, in the order of the case.
  std::vector<std::string> station_names(const NetworkDescription& data) const { return models::station_names(data); }

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

  /// Approximates the means of all responses from the values of some members, see approximate_means.
  ApproximateMeans approximation(const NetworkDescription& data, std::span<const double> members,
                                 std::span<const std::size_t> decided) const {
    return approximate_means(models::with_members(data, members), decided);
  }

  static constexpr std::int64_t series_observations = 100'000;  ///< default number of observations of a long run
  /// Returns the data of long runs for steady-state means, see long_run_of.
  NetworkDescription long_run(const NetworkDescription& data, std::span<const double> members) const {
    return long_run_of(data, members);
  }
  /// Returns the means that long runs of `run`, which long_run has returned, estimate.
  std::vector<SeriesMean> series_means(const NetworkDescription& run) const { return network_series(run).means; }
  /// Returns the description of an observation of a long run.
  std::string observation(const NetworkDescription& run) const { return slot_text(run); }

  /// Responses that are averages over periods.
  std::vector<PeriodResponse> periods(const NetworkDescription& data) const { return period_responses(data); }

  /// See instability_notes.
  std::vector<std::string> notes(const NetworkDescription& data, std::span<const double> members) const {
    return instability_notes(data, members);
  }

  /// Returns a picture of the network with the means of its responses, or of the values of its periods over time, as a
  /// script for io::PictureFile.
  std::string picture(const NetworkDescription& data, std::span<const double> means,
                      std::span<const double> half_widths) const {
    if (!data.periods.ends.empty()) return network_period_picture(data, means, half_widths);
    return network_picture(data, means);
  }
  /// Returns `data` with these values of its members; see models::with_members.
  NetworkDescription with_members(const NetworkDescription& data, std::span<const double> values) const {
    return models::with_members(data, values);
  }
  /// Simulates a replication on the host and returns pictures of the numbers of customers at the stations over time.
  /// `model` must point into tables in host memory.
  io::StationTimeline timeline(const NetworkDescription& data, const Network& model, std::uint64_t seed,
                               std::int64_t replication) const;

  /// Returns the model for `tables`.
  template <class MemorySpace>
  Network model(const NetworkTables<MemorySpace>& tables) const {
    Network model = tables.model();
    if (most_customers > 0) model.data.most_customers = static_cast<int>(most_customers);
    return model;
  }
};

namespace impl {

// Whether a station has identical servers that are always available, serves in order of arrival or its reverse, and
// blocks nobody.
inline bool is_plain_station(const StationData& station) {
  const bool has_order =
      station.discipline == Discipline::first_in_first_out || station.discipline == Discipline::last_in_first_out;
  return has_order && station.when_full == WhenFull::lose && !station.tracks_servers && !station.lists_services &&
         !station.serves_groups && !station.may_balk && !station.has_roles && !station.seizes &&
         station.shifts.steps.first == station.shifts.steps.end;
}

// Thrown to end a replication whose record is full.
struct RecordIsFull {};

// Records the numbers of customers at stations.
struct NumberWatcher {
  NumberRecord* record;
  void note_number(double time, int station, int number) const {
    if (!record->add(time, station, number)) throw RecordIsFull();
  }
};

// Responses of a replication on the host.
struct HostResponses {
  std::vector<double> values;
  void set(int response, double value) { values[static_cast<std::size_t>(response)] = value; }
};

}  // namespace impl

inline io::StationTimeline NetworkCase::timeline(const NetworkDescription& data, const Network& model,
                                                 std::uint64_t seed, std::int64_t replication) const {
  using Inputs = DefaultSource::InputsOn<Kokkos::DefaultHostExecutionSpace, Mapping::thread, Network::input_count>;
  Inputs inputs({}, seed, static_cast<std::uint64_t>(replication), {});
  NumberRecord record;
  HostStorage storage(model.storage_bytes());
  NetworkRun<Inputs, impl::NumberWatcher> run(model.data, inputs, storage.storage(), {&record});
  std::vector<double> members;
  for (const NetworkMember& member : network_members(data)) members.push_back(member.value);
  run.change(&model.changes[0], model.change_count);
  run.change(model.more);
  for (int i = 0; i < model.change_count; ++i)
    members[static_cast<std::size_t>(model.changes[i].member)] = model.changes[i].value;
  for (int i = 0; i < model.more.count; ++i)
    members[static_cast<std::size_t>(model.more.members[i])] = model.more.values[i];
  try {
    run.run();
    impl::HostResponses responses{std::vector<double>(static_cast<std::size_t>(model.response_count()))};
    run.write(responses);
    record.finish(run.end(), failure_marked_by(responses.values.front()).failure != Failure::none);
  } catch (const impl::RecordIsFull&) {  // the record has ended at this time
  }
  return network_timeline(with_members(data, members), record);
}

template <class MemorySpace>
DurationData NetworkTables<MemorySpace>::duration(const std::optional<NetworkDuration>& duration) {
  if (!duration) return {};
  std::vector<DurationData> parts;
  for (const NetworkDuration& part : duration->more) parts.push_back(this->duration(part));
  m_parts.insert(m_parts.end(), parts.begin(), parts.end());
  const int end = static_cast<int>(m_parts.size());
  m_distributions.emplace_back(duration->distribution);
  const AnyDistribution distribution = m_distributions.back().handle();
  return {distribution, duration->unit, end - static_cast<int>(parts.size()), end, add_components(*duration)};
}

// Adds the components of a mixture.
template <class MemorySpace>
TableRange NetworkTables<MemorySpace>::add_components(const NetworkDuration& duration) {
  const int first = static_cast<int>(m_components.size());
  if (duration.mixed.empty()) return {first, first};
  double sum = 0;
  const auto add = [&](const NetworkDuration& component) {
    sum += component.probability;
    m_distributions.emplace_back(component.distribution);
    m_components.push_back({sum, component.unit, m_distributions.back().handle()});
  };
  add(duration);
  for (const NetworkDuration& component : duration.mixed) add(component);
  m_components.back().cumulative = 1;
  return {first, static_cast<int>(m_components.size())};
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

// Adds the rules of customers who balk, renege to stations, change their class, or jockey.
template <class MemorySpace>
void NetworkTables<MemorySpace>::add_impatience(const NetworkDescription& network) {
  std::vector<ImpatienceData> rules;
  std::vector<double> balking;
  std::vector<JockeyingData> jockeying;
  for (const NetworkStation& station : network.stations) {
    const int first = static_cast<int>(m_targets.size());
    m_targets.insert(m_targets.end(), station.jockeying.to.begin(), station.jockeying.to.end());
    jockeying.push_back({{first, static_cast<int>(m_targets.size())}, station.jockeying.difference});
    m_data.has_jockeying = m_data.has_jockeying || !station.jockeying.to.empty();
    for (const NetworkVisit& visit : station.visits) {
      const int begin = static_cast<int>(balking.size());
      balking.insert(balking.end(), visit.balking.begin(), visit.balking.end());
      rules.push_back({{begin, static_cast<int>(balking.size())},
                       duration(visit.balking_wait),
                       visit.service ? visit.service->mean() : 0,
                       add_route(visit.reneging),
                       duration(visit.change ? std::optional(visit.change->after) : std::nullopt),
                       visit.change ? visit.change->becomes : -1});
      m_data.has_changes = m_data.has_changes || visit.change;
      m_data.has_impatience =
          m_data.has_impatience || visit.may_balk() || !visit.reneging.empty() || visit.change.has_value();
    }
  }
  if (m_data.has_impatience) m_data.impatience = keep("impatience", rules);
  if (m_data.has_impatience) m_data.balking_chances = keep("balking", balking);
  if (m_data.has_jockeying) m_data.jockeying = keep("jockeying", jockeying);
}

template <class MemorySpace>
AppointmentData NetworkTables<MemorySpace>::add_appointments(const NetworkAppointments& appointments) {
  const auto& [times, cycle, lateness, no_shows] = appointments;
  const int first = static_cast<int>(m_appointments.size()), first_timer = m_data.appointment_count;
  m_appointments.insert(m_appointments.end(), times.begin(), times.end());
  const int count =
      lateness ? static_cast<int>(static_cast<double>(times.size()) * appointments.repetitions(m_data.horizon)) : 0;
  m_data.appointment_count += count;
  return {{first, static_cast<int>(m_appointments.size())}, cycle, duration(lateness), no_shows, first_timer, count};
}

template <class MemorySpace>
void NetworkTables<MemorySpace>::add_areas(const NetworkDescription& network) {
  if (network.areas.empty()) return;
  std::vector<int> members;
  std::vector<AreaData> areas;
  std::vector<TableRange> areas_of;
  for (const NetworkArea& area : network.areas) {
    const int first = static_cast<int>(members.size());
    members.insert(members.end(), area.stations.begin(), area.stations.end());
    areas.push_back({{first, static_cast<int>(members.size())}, area.room, area.when_full});
  }
  for (int s = 0; s < static_cast<int>(network.stations.size()); ++s) {
    const int first = static_cast<int>(members.size());
    for (std::size_t area = 0; area < network.areas.size(); ++area) {
      if (network.areas[area].contains(s)) members.push_back(static_cast<int>(area));
    }
    areas_of.push_back({first, static_cast<int>(members.size())});
  }
  m_data.area_count = static_cast<int>(areas.size());
  m_data.areas = keep("areas", areas);
  m_data.areas_of = keep("areas_of", areas_of);
  m_data.area_members = keep("area_members", members);
}

// Adds the people who serve at stations with roles.
template <class MemorySpace>
void NetworkTables<MemorySpace>::add_roles(const NetworkDescription& network) {
  if (network.roles.empty()) return;
  std::vector<RoleData> roles;
  std::vector<int> starts, ranks, visit_roles;
  std::vector<NetworkBreak> breaks;
  std::vector<WorkData> work;
  const auto range = [](const auto& table, std::size_t count) {
    return TableRange{static_cast<int>(table.size() - count), static_cast<int>(table.size())};
  };
  for (std::size_t r = 0; r < network.roles.size(); ++r) {
    const NetworkRole& role = network.roles[r];
    const std::vector<NetworkWork> served = work_of(network, r, ranks);
    starts.insert(starts.end(), role.starts.begin(), role.starts.end());
    breaks.insert(breaks.end(), role.breaks.begin(), role.breaks.end());
    m_steps.insert(m_steps.end(), role.cost_factors.begin(), role.cost_factors.end());
    for (std::size_t i = 0; i < served.size(); ++i) {
      const NetworkStation& station = network.stations[static_cast<std::size_t>(served[i].station)];
      const int visit = served[i].station * static_cast<int>(network.classes.size()) + served[i].of_class;
      work.push_back({visit, ranks[i], station.discipline == Discipline::priority, station.seizes()});
    }
    roles.push_back({range(starts, role.starts.size()), range(breaks, role.breaks.size()),
                     range(m_steps, role.cost_factors.size()), range(work, served.size()), role.cycle, role.shift,
                     role.cost, role.overtime_factor, served.front().station});
  }
  std::vector<TableRange> roles_of;
  for (const NetworkStation& station : network.stations) {
    for (const NetworkVisit& visit : station.visits) {
      visit_roles.insert(visit_roles.end(), visit.roles.begin(), visit.roles.end());
      roles_of.push_back(range(visit_roles, visit.roles.size()));
    }
  }
  m_data.has_roles = true;
  m_data.role_count = static_cast<int>(roles.size());
  m_data.slot_count = static_cast<int>(starts.size());
  m_data.most_people = most_people_of(network);
  m_data.counted_until = network.horizon - network.cool_down;
  m_data.day = day_of(network);
  m_data.roles = keep("roles", roles);
  m_data.starts = keep("starts", starts);
  m_data.breaks = keep("breaks", breaks);
  m_data.work = keep("work", work);
  m_data.roles_of = keep("roles_of", roles_of);
  m_data.visit_roles = keep("visit_roles", visit_roles);
}

// Adds the resources that customers seize and release.
template <class MemorySpace>
void NetworkTables<MemorySpace>::add_resources(const NetworkDescription& network) {
  if (network.resources.empty()) return;
  std::vector<int> numbers;
  for (const NetworkResource& resource : network.resources) numbers.push_back(resource.units);
  std::vector<UnitsData> units;
  std::vector<TableRange> needs, returns;
  std::vector<SeizingData> seizing;
  const auto add = [&](const std::vector<int>& names) {
    const int first = static_cast<int>(units.size());
    for (const auto& [resource, number] : units_of(names)) units.push_back({resource, number});
    return TableRange{first, static_cast<int>(units.size())};
  };
  for (std::size_t s = 0; s < network.stations.size(); ++s) {
    const NetworkStation& station = network.stations[s];
    for (const NetworkVisit& visit : station.visits) {
      if (station.seizes() && visit.service) {
        seizing.push_back(
            {static_cast<int>(needs.size()), static_cast<int>(s), station.discipline == Discipline::priority});
      }
      needs.push_back(add(visit.seize));
      returns.push_back(add(visit.release));
    }
  }
  m_data.has_resources = true;
  m_data.resource_count = static_cast<int>(numbers.size());
  m_data.seizing_count = static_cast<int>(seizing.size());
  m_data.resource_units = keep("resource_units", numbers);
  m_data.units = keep("units", units);
  m_data.needs = keep("needs", needs);
  m_data.returns = keep("returns", returns);
  m_data.seizing = keep("seizing", seizing);
}

template <class MemorySpace>
NetworkTables<MemorySpace>::NetworkTables(const NetworkDescription& network)
    : m_description(std::make_shared<const NetworkDescription>(network)) {
  m_data.horizon = network.horizon;
  std::vector<ClassData> classes;
  for (const NetworkClass& of : network.classes) {
    classes.push_back({duration(of.interarrival), add_schedule(of.rates), duration(of.batch), add_route(of.enters),
                       of.arrival_speed, of.max_arrivals, of.population, of.priority,
                       add_appointments(of.appointments)});
  }
  std::vector<StationData> stations;
  std::vector<VisitData> visits;
  const std::vector<bool> reneging = reneging_visits(network);
  std::vector<double> server_speeds;
  for (const NetworkStation& station : network.stations) {
    const auto& breakdowns = station.breakdowns;
    const bool expects_waits = std::ranges::any_of(station.visits, &NetworkVisit::has_balking_wait);
    const bool lists_services = breakdowns || expects_waits || preempts(station.discipline) ||
                                station.discipline == Discipline::processor_sharing ||
                                station.shift_end != ShiftEnd::complete;
    const ShiftEnd preempted = station.discipline == Discipline::preemptive_restart    ? ShiftEnd::restart
                               : station.discipline == Discipline::preemptive_resample ? ShiftEnd::resample
                                                                                       : ShiftEnd::resume;
    const NetworkGroup group = station.group.value_or(NetworkGroup());
    m_data.has_groups = m_data.has_groups || group.most > 1;
    m_data.stops_timers = m_data.stops_timers || lists_services || std::isfinite(group.after) || station.has_roles();
    m_data.has_attempts =
        m_data.has_attempts || preempted == ShiftEnd::resample || station.shift_end == ShiftEnd::resample;
    stations.push_back({station.speed,
                        station.servers,
                        station.room,
                        station.waiting,
                        preempts(station.discipline) ? Discipline::preemptive : station.discipline,
                        station.when_full,
                        static_cast<int>(server_speeds.size()),
                        station.tracks_servers(),
                        lists_services,
                        group.most > 1,
                        std::ranges::any_of(station.visits, &NetworkVisit::may_balk),
                        station.has_roles(),
                        station.seizes(),
                        add_schedule(station.shifts),
                        duration(breakdowns ? std::optional(breakdowns->up) : std::nullopt),
                        duration(breakdowns ? std::optional(breakdowns->down) : std::nullopt),
                        {group.most, group.least, group.after, group.every},
                        preempted,
                        station.shift_end});
    server_speeds.insert(server_speeds.end(), station.speeds.begin(), station.speeds.end());
    if (breakdowns && station.speeds.empty())
      server_speeds.insert(server_speeds.end(), static_cast<std::size_t>(station.servers), 1.0);
    for (const NetworkVisit& visit : station.visits) {
      visits.push_back({duration(visit.service), duration(visit.patience), add_route(visit.next),
                        reneging[visits.size()] || visit.change, visit.change.has_value()});
      m_data.stops_timers = m_data.stops_timers || visits.back().has_timers;
    }
  }
  add_impatience(network);
  add_areas(network);
  add_roles(network);
  add_resources(network);
  m_data.until = network.until;
  m_data.can_deadlock = network.can_deadlock();
  m_data.ends_early = m_data.can_deadlock || network.until.kind != NetworkUntil::Kind::none;
  m_data.appointment_times = keep("appointment_times", m_appointments);
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
  m_data.warm_up = network.warm_up;
  m_data.customers = network.customers;
  m_data.wait_limits = keep("wait_limits", network.wait_limits);
  m_data.wait_limit_count = static_cast<int>(network.wait_limits.size());
  m_data.time_limits = keep("time_limits", network.time_limits);
  m_data.time_limit_count = static_cast<int>(network.time_limits.size());
  m_data.wait_quantiles = keep("wait_quantiles", network.wait_quantiles);
  m_data.wait_quantile_count = static_cast<int>(network.wait_quantiles.size());
  m_data.time_quantiles = keep("time_quantiles", network.time_quantiles);
  m_data.time_quantile_count = static_cast<int>(network.time_quantiles.size());
  m_data.number_limits = keep("number_limits", network.number_limits);
  m_data.number_limit_count = static_cast<int>(network.number_limits.size());
  m_data.period_ends = keep("period_ends", network.periods.ends);
  m_data.period_count = static_cast<int>(network.periods.ends.size());
  m_data.period_cycle = network.periods.cycle;
  m_data.has_levels = network.has_maxima || m_data.number_limit_count > 0 || m_data.period_count > 0;
  m_data.sum_parts = keep("sum_parts", m_parts);
  m_data.components = keep("components", m_components);
  m_data.has_sums = !m_parts.empty() || !m_components.empty();
  m_data.server_speeds = keep("server_speeds", server_speeds);
  m_data.tracked_servers = static_cast<int>(server_speeds.size());
  m_data.holds_servers = m_data.tracked_servers > 0 || m_data.has_roles;
  m_data.most_customers = most_customers_of(network);
  if (network.slot > 0) {
    const NetworkSeries series = network_series(network);
    m_data.slot = network.slot;
    m_data.series_terms = keep("series", series.terms);
    m_data.series_term_count = static_cast<int>(series.terms.size());
    m_data.series_count = series.count;
  }
  m_data.counts_by_visit = m_data.has_attempts || m_data.has_changes;
  m_data.checks_arrivals =
      m_data.area_count > 0 || std::ranges::any_of(stations, [](const auto& station) { return station.may_balk; });
  m_data.limits_places = std::ranges::any_of(
      stations, [](const auto& station) { return station.room < unlimited || station.waiting < unlimited; });
  m_data.has_speeds = std::ranges::any_of(stations, [](const auto& station) { return station.speed != 1; });
  m_data.is_plain = m_data.area_count == 0 && !m_data.has_roles && !m_data.has_resources && !m_data.has_impatience &&
                    !m_data.has_jockeying && !m_data.has_levels && !m_data.has_sums && !m_data.ends_early &&
                    m_appointments.empty() && m_data.time_quantile_count == 0 &&
                    std::ranges::all_of(stations, impl::is_plain_station);
}

}  // namespace sporos::models
