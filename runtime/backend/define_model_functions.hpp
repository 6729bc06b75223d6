// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/array_rqmc/task.hpp>
#include <sporos/runtime/backend/model_functions.hpp>
#include <sporos/runtime/multilevel/task.hpp>
#include <sporos/runtime/rare_events/task.hpp>
#include <sporos/runtime/search/task.hpp>
#include <sporos/runtime/selection/task.hpp>
#include <sporos/runtime/simulation/tasks.hpp>
#include <sporos/runtime/steady_state/task.hpp>
#include <sporos/runtime/stratification/task.hpp>

#include <sporos/core/replication/described_model.hpp>

#include <Kokkos_Core.hpp>

#include <tuple>
#include <type_traits>

namespace sporos::runtime {

/// All tasks that are run with a model.
using ModelTasks = std::tuple<SimulationTask, TraceTask, VisitLogTask, TimelineTask, RareEventTask, MultilevelTask,
                              StratifiedTask, ArrayRqmcTask, SeriesTask, ProblemTask, SystemsTask>;

namespace impl {

template <class Task, class Described>
concept OffersTask = requires(const Task& task) {
  task.template run<SPOROS_BACKEND, Described>();
};

template <class Described, class Task>
void add_function([[maybe_unused]] ModelFunctions& functions) {
  if constexpr (OffersTask<Task, Described>) {
    functions.add<Task>(&Task::template run<SPOROS_BACKEND, Described>);
  }
}

template <class Described, class... Task>
void add_functions(ModelFunctions& functions, std::type_identity<std::tuple<Task...>>) {
  (add_function<Described, Task>(functions), ...);
}

}  // namespace impl

template <class Described>
ModelFunctions model_functions() {
  check_described<Described>();
  ModelFunctions functions;
  if constexpr (DescribedModel<Described> || DescribedCase<Described>) {
    impl::add_functions<Described>(functions, std::type_identity<ModelTasks>());
  }
  return functions;
}

}  // namespace sporos::runtime
