// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/experiment_run.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <span>
#include <stdexcept>
#include <string>

namespace sporos {

/// Runs every design point of `models` (at least one) in replications on `space`, as `plan` says. The result does not
/// depend on the execution space, its threads, the mapping or how the work was cut into launches. Throws
/// std::invalid_argument for a plan that cannot be carried out and for parameters that a model's own `check()` refuses,
/// before anything runs, OutOfMemory where not even one run of each design point fits into memory, and
/// std::runtime_error where a response is not a finite number. An observer sees every observation; then all outputs are
/// copied to the host.
///
/// Several processes share the work, and each gets the whole result, the same for any number of them. Collective over
/// them: all give the same models and plan (std::invalid_argument where plans differ), each its own execution space and
/// watcher, and all an observer or none. Where one's watcher stops, all stop; where one fails, all fail.
///
/// Checkpoints say where the experiment goes on (std::invalid_argument where that is the state of another one), and how
/// its state is kept; an observer sees only what comes after their start. Processes share start and `every`; who keeps
/// the state has a `save`.
template <class Model, class ExecutionSpace>
ExperimentResult simulate(const ExecutionSpace& space, std::span<const Model> models, const Plan& plan,
                          const Watcher& watcher = {}, const Observer& observer = {}, Processes& processes = alone,
                          const Checkpoints& checkpoints = {}) {
  check_model<Model>();
  together(processes, [&] {
    check_plan(plan);
    if (models.empty()) throw std::invalid_argument("an experiment needs at least one design point");
    if constexpr (requires(const Model& model) { model.check(); }) {
      for (const Model& model : models) model.check();
    }
    check_same_responses(models);
    if (checkpoints.start) {
      check_state(*checkpoints.start, models.size(), response_names_of(models.front()).size(), plan);
    }
  });
  if (processes.count() > 1) {
    check_same(processes, "number of design points", std::to_string(models.size()));
    check_same_plan(processes, plan);
  }
  return impl::ExperimentRun<Model, ExecutionSpace>(space, models, plan, observer, processes, checkpoints).run(watcher);
}

/// The same for a single design point.
template <class Model, class ExecutionSpace>
PointResult simulate(const ExecutionSpace& space, const Model& model, const Plan& plan, const Watcher& watcher = {},
                     const Observer& observer = {}, Processes& processes = alone) {
  return simulate(space, std::span<const Model>(&model, 1), plan, watcher, observer, processes).points.front();
}

}  // namespace sporos
