// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/models/projects/network.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sporos::models {

/// An activity as kernels see it.
struct PertArc {
  AnyDistribution duration;  ///< of the activity
  int from;                  ///< the event where it begins
  int to;                    ///< the event that waits for it
  int response;              ///< its criticality
};

/// How long a project of activities with random durations takes (PERT, as in paper 001, section 7.2): an event happens
/// when the last of the activities that lead to it has ended, an activity begins at its event. A replication carries
/// the project out once.
struct Pert {
  const PertArc* arcs;       ///< on the device, ordered by `to`
  int activities;            ///< number of arcs
  int events;                ///< the first is 0, the last events − 1
  const std::string* names;  ///< of the activities, on the host

  /// One input variable, whose draws are the durations in the order of the arcs: each activity is a random variable of
  /// its own.
  enum Input { activity, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP have a kernel for Mapping::warp

  /// One draw of each activity.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1, activities}}}; }

  /// The project's duration, then the activities' criticalities: 1 for one that lies on a longest path, so that each
  /// delay of it delays the project, and 0 otherwise.
  KOKKOS_FUNCTION int response_count() const { return 1 + activities; }
  /// For the host.
  std::string response_name(int response) const {
    return response == 0 ? "duration" : "criticality of " + names[response - 1];
  }

  /// A duration is at least 0, criticalities are events.
  ResponseRange response_range(int response) const {
    return response == 0 ? ResponseRange{.least = 0} : ResponseRange::event();
  }

  /// In lanes, too.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// One replication.
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    carry_out<NumberIn<Inputs>>([&](int arc) { return variate(inputs(activity), arcs[arc].duration); }, arcs,
                                responses);
  }

  /// The responses to durations `duration_of(arc)`, each asked for once and in order; `order` is `arcs` where it is
  /// called. `Number` is double, or a Pack of durations.
  template <class Number, class DurationOf, class Responses>
  KOKKOS_FUNCTION void carry_out(const DurationOf& duration_of, const PertArc* order, Responses& responses) const;
};

template <class Number, class DurationOf, class Responses>
KOKKOS_FUNCTION void Pert::carry_out(const DurationOf& duration_of, const PertArc* order, Responses& responses) const {
  using Truth = decltype(Number(0) < Number(0));  // bool, or that of each lane
  constexpr int most_events = most_activities + 1;
  Number time[most_events];               // of the events
  Truth is_last_to_end[most_activities];  // of the activities that lead to the same event
  Truth is_critical[most_events];         // whether a longest path leads through the event
  time[0] = 0;
  is_critical[0] = Truth{};
  int event = 0, first_arc = 0;
  for (int i = 0; i < activities; ++i) {
    const PertArc& arc = order[i];
    const Number end = time[arc.from] + duration_of(i);
    if (arc.to != event) {
      event = arc.to;
      first_arc = i;
      time[event] = end;
      is_critical[event] = Truth{};
    }
    const Truth is_later = end > time[event];
    if (math::any(is_later)) {
      time[event] = math::select(is_later, end, time[event]);
      for (int j = first_arc; j < i; ++j) is_last_to_end[j] = is_last_to_end[j] & !is_later;
    }
    is_last_to_end[i] = end == time[event];
  }
  is_critical[event] = !Truth{};
  responses.set(0, time[event]);
  for (int i = activities - 1; i >= 0; --i) {
    const PertArc& arc = order[i];
    const Truth is_on_path = is_last_to_end[i] & is_critical[arc.to];
    if (math::any(is_on_path)) is_critical[arc.from] = is_critical[arc.from] | is_on_path;
    responses.set(arc.response, math::select(is_on_path, 1.0, 0.0));
  }
}

/// A network in `MemorySpace`. Copies share it.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class PertTables {
 public:
  /// Copies `network` there.
  explicit PertTables(const ProjectNetwork& network) : m_events(network.event_count()) {
    std::vector<PertArc> arcs;
    for (const auto& arc : network.arcs()) {
      const Activity& activity = network.activities()[static_cast<std::size_t>(arc.activity)];
      m_durations.emplace_back(activity.duration);
      arcs.push_back({m_durations.back().handle(), arc.from, arc.to, 1 + arc.activity});
    }
    m_arcs = sporos::impl::table_view<MemorySpace>("sporos::pert::arcs", arcs);
    std::vector<std::string> names;
    for (const Activity& activity : network.activities()) names.push_back(activity.name);
    m_names = std::make_shared<const std::vector<std::string>>(std::move(names));
  }

  /// The model, good as long as these tables or a copy of them live.
  Pert model() const { return {m_arcs.data(), static_cast<int>(m_arcs.extent(0)), m_events, m_names->data()}; }

 private:
  int m_events;
  std::vector<AnyDistributionTable<MemorySpace>> m_durations;
  Kokkos::View<const PertArc*, MemorySpace> m_arcs;
  std::shared_ptr<const std::vector<std::string>> m_names;
};

/// What is known exactly of a project.
struct ExactPert {
  double mean;                        ///< of the duration
  double deviation;                   ///< standard deviation of the duration
  std::vector<double> criticalities;  ///< probability that the activity lies on a longest path, one for each
};

/// By trying all outcomes; nothing where a duration has infinitely many values, there are more than 10^7 outcomes, or
/// outcomes times activities are more than 10^8.
std::optional<ExactPert> exact_pert(const ProjectNetwork& network);

/// A project's network from a file.
struct PertCase {
  static constexpr std::string_view name = "pert";                                       ///< on the command line
  static constexpr std::string_view title = "PERT network: duration and criticalities";  ///< in lists

  std::string network;  ///< the file (see read_network); empty for eight_activities

  using Data = ProjectNetwork;  ///< what the file holds
  using Model = Pert;           ///< what runs
  /// The network on a device.
  template <class MemorySpace>
  using Tables = PertTables<MemorySpace>;

  /// The parameter, described.
  static auto parameters() {
    return std::tuple{Parameter<PertCase, std::string>{"network", &PertCase::network, "", "",
                                                       "CSV with columns activity, from, to (events) and distribution",
                                                       nullptr}};
  }

  /// Reads the network.
  ProjectNetwork load(std::vector<std::string>& notes) const {
    return network.empty() ? eight_activities() : read_network(network, notes);
  }

  /// A network that could be read is a good one.
  void check(const ProjectNetwork&) const {}

  /// Duration, and the criticality of each activity.
  std::vector<std::string> response_names(const ProjectNetwork& data) const {
    std::vector<std::string> names{"duration"};
    for (const Activity& activity : data.activities()) names.push_back("criticality of " + activity.name);
    return names;
  }

  /// As exact_pert has them.
  std::vector<std::optional<double>> exact_means(const ProjectNetwork& data) const {
    std::vector<std::optional<double>> means(1 + data.activities().size());
    const auto exact = exact_pert(data);
    if (!exact) return means;
    means[0] = exact->mean;
    std::copy(exact->criticalities.begin(), exact->criticalities.end(), means.begin() + 1);
    return means;
  }

  /// The model on a device.
  template <class MemorySpace>
  Pert model(const PertTables<MemorySpace>& tables) const {
    return tables.model();
  }
};

namespace impl {

// Sums of a project's responses, each weighted with its outcome's probability.
struct PertSums {
  double* responses;
  double squared_duration = 0, weight = 1;

  KOKKOS_FUNCTION void set(int response, double value) {
    responses[response] += weight * value;
    if (response == 0) squared_duration += weight * value * value;
  }
};

// The durations of one outcome.
struct OutcomeDurations {
  const double* durations;  // by arc

  KOKKOS_FUNCTION double operator()(int arc) const { return durations[arc]; }
};

// The next outcome, or none: places[i] counts through the values of duration i, the last one fastest.
inline bool next_outcome(std::vector<std::size_t>& places, const std::vector<DistributionChoice>& durations) {
  for (std::size_t i = places.size(); i-- > 0;) {
    if (++places[i] < durations[i].values.size()) return true;
    places[i] = 0;
  }
  return false;
}

}  // namespace impl

inline std::optional<ExactPert> exact_pert(const ProjectNetwork& network) {
  constexpr double most_outcomes = 1e7, most_steps = 1e8;
  std::vector<DistributionChoice> durations;
  std::vector<PertArc> arcs;
  double outcomes = 1;
  for (const auto& arc : network.arcs()) {
    const Activity& activity = network.activities()[static_cast<std::size_t>(arc.activity)];
    auto table = activity.duration.finite_table(static_cast<std::int64_t>(most_outcomes));
    if (!table) return std::nullopt;
    outcomes *= static_cast<double>(table->values.size());
    durations.push_back(std::move(*table));
    arcs.push_back({{}, arc.from, arc.to, 1 + arc.activity});
  }
  if (outcomes > most_outcomes || outcomes * static_cast<double>(arcs.size()) > most_steps) return std::nullopt;

  const Pert project{nullptr, static_cast<int>(arcs.size()), network.event_count(), nullptr};
  std::vector<double> responses(1 + arcs.size());
  impl::PertSums sums{responses.data()};
  std::vector<std::size_t> places(arcs.size(), 0);
  std::vector<double> outcome(arcs.size());
  do {
    sums.weight = 1;
    for (std::size_t i = 0; i < places.size(); ++i) {
      sums.weight *= durations[i].probabilities[places[i]];
      outcome[i] = durations[i].values[places[i]];
    }
    project.carry_out<double>(impl::OutcomeDurations{outcome.data()}, arcs.data(), sums);
  } while (impl::next_outcome(places, durations));

  const double mean = responses[0];
  return ExactPert{
      mean, std::sqrt(std::max(sums.squared_duration - mean * mean, 0.0)), {responses.begin() + 1, responses.end()}};
}

}  // namespace sporos::models
