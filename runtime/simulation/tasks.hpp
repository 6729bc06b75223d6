// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/events/trace.hpp>
#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/io/station_animation.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/conditional.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/core/replication/watcher.hpp>
#include <sporos/core/replication/with_controls.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The responses of a simulated model.
enum class SimulatedResponses {
  own,            ///< responses of the model
  with_controls,  ///< responses of the model, followed by its controls (WithControls)
  conditional     ///< the conditional expectations of its responses (Conditioned)
};

/// Returns the responses that a simulation with controls, or of conditional expectations, observes.
inline SimulatedResponses simulated_responses(bool has_controls, bool is_conditional) {
  if (has_controls) return SimulatedResponses::with_controls;
  return is_conditional ? SimulatedResponses::conditional : SimulatedResponses::own;
}

/// Runs an experiment over the design points. Throws std::invalid_argument if the model does not offer these responses.
struct SimulationTask {
  std::span<const ParameterValues> design;                 ///< parameters of the points
  const Plan& plan;                                        ///< how they are simulated
  SimulatedResponses responses = SimulatedResponses::own;  ///< responses to observe
  Watcher watcher = {};                                    ///< called after each batch
  Observer observer = {};                                  ///< called with each observation
  Checkpoints checkpoints = {};                            ///< where the experiment starts and what it saves
  Recorder recorder = {};                                  ///< called with the responses of all replications

  using Result = ExperimentResult;

  template <class ExecutionSpace, class Described>
  ExperimentResult run() const {
    switch (responses) {
      case SimulatedResponses::own: {
        const DesignModels<Described, typename ExecutionSpace::memory_space> design_models(design);
        return simulate(ExecutionSpace(), design_models.models(), plan, watcher, observer, processes(), checkpoints,
                        recorder);
      }
      case SimulatedResponses::with_controls:
        if constexpr (NamesControls<Described>)
          return run_wrapped<ExecutionSpace, WithControls<Described>, Described>();
        break;
      case SimulatedResponses::conditional:
        if constexpr (OffersConditional<Described>) {
          return run_wrapped<ExecutionSpace, Conditioned<Described>, Described>();
        }
        break;
    }
    throw std::invalid_argument("the model does not offer these responses");
  }

 private:
  template <class ExecutionSpace, class Wrapped, class Described>
  ExperimentResult run_wrapped() const {
    std::vector<Wrapped> models;
    for (const auto& values : design) models.push_back({model_of<Described>(values)});
    return simulate(ExecutionSpace(), models, plan, watcher, observer, processes(), checkpoints, recorder);
  }
};

/// Checks an experiment without running it: throws std::invalid_argument if a SimulationTask would.
struct PlanCheckTask {
  std::span<const ParameterValues> design;  ///< parameters of the points
  const Plan& plan;                         ///< how they would be simulated

  using Result = void;

  template <class ExecutionSpace, class Described>
  void run() const {
    const DesignModels<Described, typename ExecutionSpace::memory_space> design_models(design);
    check_plan(plan);
    prepared_source<ExecutionSpace>(plan.source, design_models.models());
  }
};

/// A replication of a design point of an experiment.
struct ChosenReplication {
  std::span<const ParameterValues> design;  ///< parameters of the points
  const Plan& plan;                         ///< how they are simulated
  std::size_t point;                        ///< index of the design point
  std::int64_t replication;                 ///< index of the replication
};

/// Runs a single replication and returns its responses, which may mark a failure (core/events/failure.hpp).
struct ReplayTask : ChosenReplication {
  using Result = std::vector<double>;

  template <class ExecutionSpace, class Described>
  std::vector<double> run() const {
    using Models = DesignModels<Described, typename ExecutionSpace::memory_space>;
    const Models design_models(design);
    const auto replayed = design_points(design_models.models(), plan.seed, plan.common_random_numbers).at(point);
    const Mapping mapping = plan.mapping == Mapping::warp ? Mapping::warp : Mapping::thread;
    const Outputs<ExecutionSpace> outputs("sporos::runtime::replay", 1,
                                          static_cast<std::size_t>(response_count_of(replayed.model)));
    const ExecutionSpace space;
    const auto source = prepared_source<ExecutionSpace>(plan.source, std::span(&replayed.model, 1));
    replicate(space, Design<typename Models::Model, ExecutionSpace>(replayed.model, replayed.seed), source,
              ReplicationRange{replication, 1}, mapping, outputs);
    space.fence();
    check_launches<ExecutionSpace>();
    check_draws(space, source, std::span(&replayed, 1));
    const auto row = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
    std::vector<double> responses;
    for (std::size_t response = 0; response < row.extent(1); ++response) responses.push_back(row(0, response));
    return responses;
  }
};

/// Events of one replication, in order, and the names that they use.
struct EventListing {
  std::vector<TracedEvent> events;         ///< the events, in order of time
  std::vector<std::string> kinds;          ///< names of the kinds of events, by number
  std::vector<std::string> stations = {};  ///< names of the stations, by number; empty if they have no names
};

/// Lists the events of the replication that ReplayTask runs, on the host (traced_events).
struct TraceTask : ChosenReplication {
  using Result = EventListing;

  template <class, class Described>
  requires NamesEvents<typename DesignModels<Described, Kokkos::HostSpace>::Model> EventListing run()
  const {
    using Models = DesignModels<Described, Kokkos::HostSpace>;
    const Models design_models(design);
    const auto traced = design_points(design_models.models(), plan.seed, plan.common_random_numbers).at(point);
    const auto& names = Models::Model::event_names;
    EventListing listing{traced_events(traced, plan.source, replication), {names.begin(), names.end()}};
    if constexpr (requires { traced.model.station_names(); }) listing.stations = traced.model.station_names();
    return listing;
  }
};

/// Returns the visits of the entities in the replication that ReplayTask runs, as CSV. The replication runs on the
/// host.
struct VisitLogTask : ChosenReplication {
  using Result = std::string;

  template <class, class Described>
  requires LogsVisits<typename DesignModels<Described, Kokkos::HostSpace>::Model> std::string run()
  const {
    using Models = DesignModels<Described, Kokkos::HostSpace>;
    const Models design_models(design);
    const auto traced = design_points(design_models.models(), plan.seed, plan.common_random_numbers).at(point);
    return traced.model.visit_log(replication, traced_events(traced, plan.source, replication));
  }
};

/// Draws what happens over the time of one replication. The replication is simulated on the host with philox and random
/// sampling, regardless of the plan.
struct TimelineTask {
  const ParameterValues& values;  ///< parameters of the design point
  const Plan& plan;               ///< its seed
  std::size_t point;              ///< index of the design point
  std::int64_t replication;       ///< index of the replication

  using Result = io::StationTimeline;

  template <class, DescribedCase Case>
  requires requires { &Case::timeline; }
  io::StationTimeline run() const {
    const auto& data = loaded_of<Case>(values).data;
    typename Case::template Tables<Kokkos::HostSpace> tables(data);
    return model_of<Case>(values).timeline(data, case_model<Case>(values, tables),
                                           seed_of_point(plan.seed, point, plan.common_random_numbers), replication);
  }
};

}  // namespace sporos::runtime
