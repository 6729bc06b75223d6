// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/model_functions.hpp>

#include <sporos/core/execution/execution_settings.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>

namespace sporos::runtime {

/// The backend that a program is built for, as far as its commands need it.
class Backend {
 public:
  virtual ~Backend() = default;

  /// serial, openmp, cuda, hip.
  virtual std::string_view name() const = 0;
  /// The most threads that a user can ask of it; 0 where they are not the user's choice.
  virtual int most_threads() const = 0;

  /// Whether it computes on one of several devices that a user can choose from.
  virtual bool has_devices() const = 0;

  /// Initializes Kokkos until the end of this object, or throws as check_device does. What follows may be called only
  /// after it.
  virtual void start(const ExecutionSettings& settings) = 0;
  /// What it computes on.
  virtual std::string device() const = 0;
  /// The number of its device, where it has one.
  virtual std::optional<int> device_number() const = 0;
  /// How many threads run at once.
  virtual int threads() const = 0;
  /// Whether the model of this name offers a task with models (model_functions.hpp).
  template <class Task>
  bool offers(std::string_view model) const {
    return functions_of(model).template find<Task>() != nullptr;
  }

  /// Carries out a task with the model of this name, which must offer it. Throws what the task's `run` throws.
  template <class Task>
  typename Task::Result run_with(std::string_view model, const Task& task) const {
    return functions_of(model).template find<Task>()(task);
  }

  /// `count` systems whose replications `launcher`, the result of a SystemsTask, makes. Throws as DeviceSystems does.
  virtual std::unique_ptr<ReplicatedSystems> replicated_systems(std::unique_ptr<SystemLauncher> launcher,
                                                                std::int64_t count,
                                                                const ReplicationOptions& options) const = 0;

  /// Carries out one of Tasks by its runner, which is given `more`, too. Throws what that throws, and as check_launches
  /// does.
  template <class Task, class... More>
  auto run(const Task& task, const More&... more) const {
    auto* const runner = std::any_cast<typename Task::Runner*>(task_runner(typeid(typename Task::Runner*)));
    auto outcome = runner(task, more...);
    check_launches();
    return outcome;
  }

 protected:
  /// The functions of the model of this name.
  virtual const ModelFunctions& functions_of(std::string_view model) const = 0;
  /// The runner of that type, of one of Tasks.
  virtual const std::any& task_runner(std::type_index type) const = 0;
  /// Throws std::runtime_error where a kernel could not be launched: what it was to write is no result.
  virtual void check_launches() const = 0;
};

}  // namespace sporos::runtime
