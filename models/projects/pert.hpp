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

/// An activity as seen by kernels.
struct PertArc {
  AnyDistribution duration;  ///< duration of the activity
  int from;                  ///< event at which it begins
  int to;                    ///< event that waits for it
  int response;              ///< index of its criticality among the responses
};

/// Duration of a project whose activities have random durations (PERT). An event happens when the last of the
/// activities that lead to it has ended; an activity begins at its event. A replication simulates the project once. The
/// example of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte
/// Carlo simulation, section 7.2, is such a project.
struct Pert {
  const PertArc* arcs;       ///< activities on the device, ordered by `to`
  int activities;            ///< number of activities
  int events;                ///< number of events: the first is 0, the last events − 1
  const std::string* names;  ///< names of the activities, on the host

  /// The only input variable. Its draws are the durations in the order of the arcs; each activity is a separate random
  /// variable.
  enum Input { activity, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP compile a kernel for Mapping::warp

  /// Number of draws: one per activity.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1, activities}}}; }

  /// Number of responses: the duration of the project, then the criticality of each activity. The criticality is 1 if
  /// the activity lies on a longest path, so that any delay of it delays the project, and 0 otherwise.
  KOKKOS_FUNCTION int response_count() const { return 1 + activities; }
  /// Name of a response; host only.
  std::string response_name(int response) const {
    return response == 0 ? "duration" : "criticality of " + names[response - 1];
  }

  /// Range of a response: the duration is non-negative, criticalities are events.
  ResponseRange response_range(int response) const {
    return response == 0 ? ResponseRange{.least = 0} : ResponseRange::event();
  }

  /// Replications can run in SIMD lanes.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    carry_out<NumberIn<Inputs>>([&](int arc) { return variate(inputs(activity), arcs[arc].duration); }, arcs,
                                responses);
  }

  /// Computes the responses for durations `duration_of(arc)`, which is called once per arc, in order. `order` holds the
  /// elements of `arcs` and must be readable where the function runs. `Number` is double, or a Pack of durations.
  template <class Number, class DurationOf, class Responses>
  KOKKOS_FUNCTION void carry_out(const DurationOf& duration_of, const PertArc* order, Responses& responses) const;
};

template <class Number, class DurationOf, class Responses>
KOKKOS_FUNCTION void Pert::carry_out(const DurationOf& duration_of, const PertArc* order, Responses& responses) const {
  using Truth = decltype(Number(0) < Number(0));  // bool, or a mask with one bool per lane
  constexpr int max_events = max_activities + 1;
  Number time[max_events];               // times of the events
  Truth is_last_to_end[max_activities];  // whether an activity ends last of those that lead to its event
  Truth is_critical[max_events];         // whether a longest path leads through the event
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

/// A project network in `MemorySpace`. Copies share their data.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class PertTables {
 public:
  /// Copies `network` to `MemorySpace`.
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

  /// Returns the model, which is valid as long as these tables or a copy of them live.
  Pert model() const { return {m_arcs.data(), static_cast<int>(m_arcs.extent(0)), m_events, m_names->data()}; }

 private:
  int m_events;
  std::vector<AnyDistributionTable<MemorySpace>> m_durations;
  Kokkos::View<const PertArc*, MemorySpace> m_arcs;
  std::shared_ptr<const std::vector<std::string>> m_names;
};

/// Exact results for a project.
struct ExactPert {
  double mean;                        ///< mean of the duration
  double deviation;                   ///< standard deviation of the duration
  std::vector<double> criticalities;  ///< for each activity, the probability that it lies on a longest path
};

/// Returns the exact results by enumeration of all outcomes. Returns nothing if a duration has infinitely many values,
/// if there are more than 10^7 outcomes, or if outcomes times activities exceed 10^8.
std::optional<ExactPert> exact_pert(const ProjectNetwork& network);

/// A project network read from a file.
struct PertCase {
  static constexpr std::string_view name = "pert";                      ///< name on the command line
  static constexpr std::string_view without_series = "a project ends";  ///< reason why it has no steady state
  static constexpr std::string_view title =
      "PERT network: project duration, criticality of activities";  ///< title in lists

  std::string network;  ///< path of the file (see read_network); if empty, eight_activities is used

  using Data = ProjectNetwork;  ///< content of the file
  using Model = Pert;           ///< model that is simulated
  /// Tables of the network in a memory space.
  template <class MemorySpace>
  using Tables = PertTables<MemorySpace>;

  /// Description of the parameter.
  static auto parameters() {
    return std::tuple{Parameter<PertCase, std::string>{"network", &PertCase::network, "", "",
                                                       "CSV: activity, from, to (events) and distribution", nullptr}};
  }

  /// Reads the network from the file.
  ProjectNetwork load(std::vector<std::string>& notes) const {
    return network.empty() ? eight_activities() : read_network(network, notes);
  }

  /// Does nothing: load() has checked the network.
  void check(const ProjectNetwork&) const {}

  /// Names of the responses: the duration and the criticality of each activity.
  std::vector<std::string> response_names(const ProjectNetwork& data) const {
    std::vector<std::string> names{"duration"};
    for (const Activity& activity : data.activities()) names.push_back("criticality of " + activity.name);
    return names;
  }

  /// Returns the means of exact_pert, or empty optionals if it returns nothing.
  std::vector<std::optional<double>> exact_means(const ProjectNetwork& data) const {
    std::vector<std::optional<double>> means(1 + data.activities().size());
    const auto exact = exact_pert(data);
    if (!exact) return means;
    means[0] = exact->mean;
    std::copy(exact->criticalities.begin(), exact->criticalities.end(), means.begin() + 1);
    return means;
  }

  /// Returns the model for `tables`.
  template <class MemorySpace>
  Pert model(const PertTables<MemorySpace>& tables) const {
    return tables.model();
  }
};

namespace impl {

// Sums of a project's responses, each weighted with the probability of its outcome.
struct PertSums {
  double* responses;
  double squared_duration = 0, weight = 1;

  KOKKOS_FUNCTION void set(int response, double value) {
    responses[response] += weight * value;
    if (response == 0) squared_duration += weight * value * value;
  }
};

// Durations of one outcome.
struct OutcomeDurations {
  const double* durations;  // durations by arc

  KOKKOS_FUNCTION double operator()(int arc) const { return durations[arc]; }
};

// Advances to the next outcome; returns false after the last. places[i] is an index into the values of duration i, and
// the last index varies fastest.
inline bool next_outcome(std::vector<std::size_t>& places, const std::vector<DistributionChoice>& durations) {
  for (std::size_t i = places.size(); i-- > 0;) {
    if (++places[i] < durations[i].values.size()) return true;
    places[i] = 0;
  }
  return false;
}

}  // namespace impl

inline std::optional<ExactPert> exact_pert(const ProjectNetwork& network) {
  constexpr double max_outcomes = 1e7, max_steps = 1e8;
  std::vector<DistributionChoice> durations;
  std::vector<PertArc> arcs;
  double outcomes = 1;
  for (const auto& arc : network.arcs()) {
    const Activity& activity = network.activities()[static_cast<std::size_t>(arc.activity)];
    auto table = activity.duration.finite_table(static_cast<std::int64_t>(max_outcomes));
    if (!table) return std::nullopt;
    outcomes *= static_cast<double>(table->values.size());
    durations.push_back(std::move(*table));
    arcs.push_back({{}, arc.from, arc.to, 1 + arc.activity});
  }
  if (outcomes > max_outcomes || outcomes * static_cast<double>(arcs.size()) > max_steps) return std::nullopt;

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
