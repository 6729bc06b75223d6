// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/experiment_launcher.hpp>
#include <sporos/core/replication/experiment_run.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace sporos {

namespace impl {

// A contiguous range: any type from which a span can be constructed.
template <class Models>
concept ModelRange = requires(const Models& models) {
  std::span(models);
};

template <class Models>
concept ScatteredModels = !ModelRange<Models> && requires(const Models& models) {
  std::begin(models);
};

// The type of a model, or of the models in a range.
template <class Models>
struct ModelOf {
  using type = Models;
  using Result = PointResult;
  static std::span<const Models> all(const Models& model) { return {&model, 1}; }
};
template <ModelRange Models>
struct ModelOf<Models> {
  using type = std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<const Models&>()))>>;
  using Result = ExperimentResult;
  static std::span<const type> all(const Models& models) { return std::span(models); }
};

enum class RangeRequirement { none, contiguity };

inline void check_contract(Unmet<RangeRequirement::none>) {}
SPOROS_REQUIREMENT(
    RangeRequirement::contiguity,
    "Sporos: simulate takes a model or a contiguous range of models: a std::vector, std::array, std::span or "
    "array of them");

}  // namespace impl

/// Runs replications of every design point of `models`, a contiguous range of at least one, on `space` according to
/// `plan`. If `models` is a single model instead of a range, the result is that of its design point. The result does
/// not depend on the execution space, its number of threads, the mapping, or the division of the work into launches.
///
/// A design point fails if a replication has no responses (core/events/failure.hpp), or if a response is not a finite
/// number. It then has PointResult::failure, and the other design points continue. With an observer, which receives
/// every observation, all outputs are copied to the host.
///
/// Throws
/// - std::invalid_argument, before anything runs, if the plan is invalid or a model's `check()` rejects its parameters;
/// - OutOfMemory if one run of each design point does not fit into memory;
/// - std::runtime_error if replications share a sample and one draws more often than its model states, or if every
///   design point has failed.
///
/// Several processes share the work, and each gets the whole result, which is the same for any number of processes.
/// Collective: all pass the same models and plan (std::invalid_argument if plans differ), and either all or none pass
/// an observer. Each passes its execution space and watcher. If the watcher of one process stops the experiment, all
/// stop; if one process fails, all fail.
///
/// Checkpoints define the state from which the experiment continues (std::invalid_argument if it belongs to another
/// experiment), and how its state is saved. An observer then receives only observations after that state. All processes
/// pass the same `start` and `every`; each process that saves the state passes a `save`.
///
/// A recorder receives the responses of every replication on all processes; either all or none pass one. An exception
/// from it ends the experiment.
template <class Models, class ExecutionSpace>
typename impl::ModelOf<Models>::Result simulate(const ExecutionSpace& space, const Models& models, const Plan& plan,
                                                const Watcher& watcher = {}, const Observer& observer = {},
                                                Processes& processes = single_process,
                                                const Checkpoints& checkpoints = {}, const Recorder& recorder = {}) {
  using Of = impl::ModelOf<Models>;
  using Model = typename Of::type;
  constexpr auto unmet_range_requirement =
      impl::ScatteredModels<Models> ? impl::RangeRequirement::contiguity : impl::RangeRequirement::none;
  impl::check_contract(impl::Unmet<unmet_range_requirement>());
  if constexpr (unmet_range_requirement == impl::RangeRequirement::none) {
    impl::check_contract(impl::requirement_of_model<Model>());
    if constexpr (SimulationModel<Model>) {
      const std::span<const Model> all = Of::all(models);
      if (false) impl::run_on_any_inputs(all.front());  // reports errors of the body first
      impl::ExperimentLauncher<Model, ExecutionSpace> launcher(space, all, plan);
      ExperimentResult result =
          impl::run_experiment(launcher, plan, watcher, observer, processes, checkpoints, recorder);
      if constexpr (impl::ModelRange<Models>) {
        return result;
      } else {
        return result.points.front();
      }
    }
  }
  return {};
}

/// Runs replications of every design point of an initializer list of models.
template <class Model, class ExecutionSpace>
ExperimentResult simulate(const ExecutionSpace& space, std::initializer_list<Model> models, const Plan& plan,
                          const Watcher& watcher = {}, const Observer& observer = {},
                          Processes& processes = single_process, const Checkpoints& checkpoints = {},
                          const Recorder& recorder = {}) {
  return simulate(space, std::span<const Model>(models), plan, watcher, observer, processes, checkpoints, recorder);
}

}  // namespace sporos
