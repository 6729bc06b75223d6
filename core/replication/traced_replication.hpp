// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/trace.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/sampling/prepared_source.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos {

/// A model that processes the events of a calendar by `calendar.next(inputs)` and names the kinds of its events. The
/// names are in the order of the values of the enumeration of events:
///
///     static constexpr auto event_names = std::array{"arrival", "departure"};
template <class Model>
concept NamesEvents = SimulationModel<Model> && requires {
  {std::string_view(Model::event_names[0])};
  { Model::event_names.size() } -> std::convertible_to<std::size_t>;
};

/// A model whose traced events describe visits of entities, such as customers: visit_log(replication, events) returns
/// them as CSV.
template <class Model>
concept LogsVisits = NamesEvents<Model> &&
    requires(const Model& model, std::int64_t replication, std::span<const TracedEvent> events) {
  { model.visit_log(replication, events) } -> std::same_as<std::string>;
};

/// Largest number of events of a replication that can be traced.
inline constexpr std::int64_t max_traced_events = 10'000'000;

namespace impl {

// Body that runs a replication with inputs that record its events.
struct Tracer {
  EventTrace* trace;  // on the host

  template <class Model, class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication&) const {
    TracedInputs<Inputs> traced(inputs, *trace);
    if constexpr (WideModel<Model>) {
      AnyResponses responses;
      model(traced, responses);
    } else {
      model(traced);
    }
  }
};

}  // namespace impl

/// Returns the events of replication `replication` of a design point, in order. The replication runs on the host; its
/// events are the same as on any other backend. Throws std::invalid_argument if `source` cannot serve the model, or if
/// there are more than max_traced_events events.
template <NamesEvents Model>
std::vector<TracedEvent> traced_events(const DesignPoint<Model>& point, const UniformSource& source,
                                       std::int64_t replication) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Space space;
  const auto prepared = prepared_source<Space>(source, std::span(&point.model, 1));
  const Design<Model, Space> design(point.model, point.seed);
  const auto run = [&](EventTrace& trace) {
    for_each_replication("sporos::replication::trace", space, design, prepared, ReplicationRange{replication, 1},
                         by_threads, impl::Tracer{&trace});
    space.fence();
  };
  EventTrace counted;
  run(counted);
  if (counted.count > max_traced_events) {
    throw std::invalid_argument("replication " + std::to_string(replication) + " has " + std::to_string(counted.count) +
                                " events, expected at most " + std::to_string(max_traced_events) +
                                " in a traced replication");
  }
  std::vector<TracedEvent> events(static_cast<std::size_t>(counted.count));
  EventTrace trace{events.data(), counted.count, 0};
  run(trace);
  return events;
}

}  // namespace sporos
