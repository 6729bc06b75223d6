// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/events/trace.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/io/station_animation.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/conditional.hpp>
#include <sporos/core/replication/experiment_launcher.hpp>
#include <sporos/core/replication/experiment_run.hpp>
#include <sporos/core/replication/kept_outputs.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/core/replication/watcher.hpp>
#include <sporos/core/replication/with_controls.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

class Backend;

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

namespace impl {

// The models of a design, and the launcher of their replications. `Models` is a class such as DesignModels.
template <class Models, class ExecutionSpace>
struct DesignLauncher {
  using Model = typename Models::Model;

  DesignLauncher(std::span<const ParameterValues> design, const Plan& plan)
      : models(design), launcher(space, models.models(), plan) {
    sporos::impl::check_contract(sporos::impl::requirement_of_model<Model>());
    if (false) sporos::impl::run_on_any_inputs(models.models().front());  // reports errors of the body first
  }

  ExecutionSpace space;
  Models models;
  sporos::impl::ExperimentLauncher<Model, ExecutionSpace> launcher;
};

// The models of the points of a design, wrapped to have other responses.
template <class Wrapped, class Described>
class WrappedModels {
 public:
  using Model = Wrapped;

  explicit WrappedModels(std::span<const ParameterValues> design) {
    for (const auto& values : design) m_models.push_back({model_of<Described>(values)});
  }

  std::span<const Model> models() const { return m_models; }

 private:
  std::vector<Model> m_models;
};

}  // namespace impl

/// Most replications, over all design points, that one core of a host runs in less time than a GPU, whatever their
/// length. An H200 breaks even with a core of an Intel Xeon at 24 days of 10 000 patients in the clinic of
/// apps/new_program, and at hundreds of short replications (docs/how-to/run-on-a-gpu.md).
inline constexpr std::int64_t few_replications = 20;

/// Whether an experiment with `points` design points has so few replications that it runs on the host even if the
/// backend has a device. It does not if the plan has a target precision or chooses a mapping.
inline bool is_for_host(std::size_t points, const Plan& plan) {
  const std::int64_t most = few_replications / static_cast<std::int64_t>(std::max<std::size_t>(points, 1));
  return plan.mapping == Mapping::automatic && !plan.precision.is_set() && plan.replications <= most;
}

/// Makes the launcher of the replications of a design, for run_simulation: on the backend, or on the host if
/// is_for_host. Throws std::invalid_argument if the model does not offer these responses.
struct SimulationTask {
  std::span<const ParameterValues> design;                 ///< parameters of the points
  const Plan& plan;                                        ///< how they are simulated; must outlive the launcher
  SimulatedResponses responses = SimulatedResponses::own;  ///< responses to observe

  using Result = std::shared_ptr<sporos::impl::ReplicationLauncher>;

  template <class ExecutionSpace, class Described>
  Result run() const {
    if constexpr (!sporos::runs_on_host<ExecutionSpace>) {
      using Host = sporos::impl::SmallWorkSpace<Kokkos::DefaultHostExecutionSpace>;
      if (is_for_host(design.size(), plan)) return run<Host, Described>();
    }
    switch (responses) {
      case SimulatedResponses::own:
        return launcher_of<DesignModels<Described, typename ExecutionSpace::memory_space>, ExecutionSpace>();
      case SimulatedResponses::with_controls:
        if constexpr (NamesControls<Described>)
          return launcher_of<impl::WrappedModels<WithControls<Described>, Described>, ExecutionSpace>();
        break;
      case SimulatedResponses::conditional:
        if constexpr (OffersConditional<Described>)
          return launcher_of<impl::WrappedModels<Conditioned<Described>, Described>, ExecutionSpace>();
        break;
    }
    throw std::invalid_argument("the model does not offer these responses");
  }

 private:
  template <class Models, class ExecutionSpace>
  Result launcher_of() const {
    const auto made = std::make_shared<impl::DesignLauncher<Models, ExecutionSpace>>(design, plan);
    return {made, &made->launcher};
  }
};

/// An experiment over the design points of a SimulationTask.
struct Simulation : SimulationTask {
  Watcher watcher = {};             ///< called after each batch
  Observer observer = {};           ///< called with each observation
  Checkpoints checkpoints = {};     ///< where the experiment starts and what it saves
  Recorder recorder = {};           ///< called with the responses of all replications
  OutputsOfPoints* kept = nullptr;  ///< outputs that stay in the memory of the backend, or null (run_experiment)
};

/// Runs the experiment with the model of this name on `backend`, on all processes, in a region that tools see. Throws
/// the exceptions of Backend::run_with and `simulate`.
ExperimentResult run_simulation(const Backend& backend, std::string_view model, const Simulation& simulation);

/// Checks an experiment without running it: throws std::invalid_argument if run_simulation would.
void check_simulation(const Backend& backend, std::string_view model, const SimulationTask& simulation);

/// A replication of a design point of an experiment.
struct ChosenReplication {
  std::span<const ParameterValues> design;  ///< parameters of the points
  const Plan& plan;                         ///< how they are simulated
  std::size_t point;                        ///< index of the design point
  std::int64_t replication;                 ///< index of the replication
};

/// Runs a single replication and returns its responses, which may mark a failure (core/events/failure.hpp). Throws the
/// exceptions of run_simulation.
std::vector<double> replayed(const Backend& backend, std::string_view model, const ChosenReplication& chosen);

/// Events of one replication, in order, and the names that they use.
struct EventListing {
  std::vector<TracedEvent> events;         ///< the events, in order of time
  std::vector<std::string> kinds;          ///< names of the kinds of events, by number
  std::vector<std::string> stations = {};  ///< names of the stations, by number; empty if they have no names
};

/// Lists the events of the replication that `replayed` runs, on the host (traced_events).
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

/// Returns the visits of the entities in the replication that `replayed` runs, as CSV. The replication runs on the
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
