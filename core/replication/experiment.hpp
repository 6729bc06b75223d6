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

// Contiguous ranges: whatever a span can be made of.
template <class Models>
concept ModelRange = requires(const Models& models) {
  std::span(models);
};

template <class Models>
concept ScatteredModels = !ModelRange<Models> && requires(const Models& models) {
  std::begin(models);
};

// A model, or that of a range.
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

enum class RangeLack { none, contiguity };

inline void check_contract(Lacks<RangeLack::none>) {}
SPOROS_TELL(
    RangeLack::contiguity,
    "Sporos: simulate takes a model, or models that lie one behind the other: a std::vector, std::array, std::span or "
    "array of them");

}  // namespace impl

/// Runs every design point of `models`, a contiguous range of at least one, in replications on `space`, as `plan` says.
/// Where `models` is a model and no range, the result is that of its design point. The result does not
/// depend on the execution space, its threads, the mapping or how the work was cut into launches. Throws
/// std::invalid_argument for a plan that cannot be carried out and for parameters that a model's own `check()` refuses,
/// before anything runs, OutOfMemory where not even one run of each design point fits into memory, and
/// std::runtime_error where replications share a sample and one draws more often than its model states, and where every
/// design point has failed. A design point fails where a replication has no responses (core/events/failure.hpp), or
/// where a response is not a finite number; it has PointResult::failure, and the other design points go on. An observer
/// sees every observation; then all outputs are copied to the host.
///
/// Several processes share the work, and each gets the whole result, the same for any number of them. Collective over
/// them: all give the same models and plan (std::invalid_argument where plans differ), each its own execution space and
/// watcher, and all an observer or none. Where one's watcher stops, all stop; where one fails, all fail.
///
/// Checkpoints say where the experiment goes on (std::invalid_argument where that is the state of another one), and how
/// its state is kept; an observer sees only what comes after their start. Processes share start and `every`; who keeps
/// the state has a `save`.
///
/// A recorder sees the responses of every replication on all processes, all of which have one or none; what it throws
/// ends the experiment.
template <class Models, class ExecutionSpace>
typename impl::ModelOf<Models>::Result simulate(const ExecutionSpace& space, const Models& models, const Plan& plan,
                                                const Watcher& watcher = {}, const Observer& observer = {},
                                                Processes& processes = alone, const Checkpoints& checkpoints = {},
                                                const Recorder& recorder = {}) {
  using Of = impl::ModelOf<Models>;
  using Model = typename Of::type;
  constexpr auto lack_of_range = impl::ScatteredModels<Models> ? impl::RangeLack::contiguity : impl::RangeLack::none;
  impl::check_contract(impl::Lacks<lack_of_range>());
  if constexpr (lack_of_range == impl::RangeLack::none) {
    impl::check_contract(impl::model_lack<Model>());
    if constexpr (SimulationModel<Model>) {
      const std::span<const Model> all = Of::all(models);
      if (false) impl::run_on_any_inputs(all.front());  // what is wrong in a body is said first
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

/// The same for models that are listed.
template <class Model, class ExecutionSpace>
ExperimentResult simulate(const ExecutionSpace& space, std::initializer_list<Model> models, const Plan& plan,
                          const Watcher& watcher = {}, const Observer& observer = {}, Processes& processes = alone,
                          const Checkpoints& checkpoints = {}, const Recorder& recorder = {}) {
  return simulate(space, std::span<const Model>(models), plan, watcher, observer, processes, checkpoints, recorder);
}

}  // namespace sporos
