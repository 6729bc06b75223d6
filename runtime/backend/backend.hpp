// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/model_functions.hpp>

#include <sporos/core/execution/execution_settings.hpp>
#include <sporos/core/execution/tool_region.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeindex>
#include <typeinfo>

namespace sporos::runtime {

/// Returns the label under which the tools of Kokkos see the computation of a task: "sporos::rare_event[mm1]" for
/// RareEventTask and the model mm1. The label has no brackets if `model` is empty.
std::string label_of_task(const std::type_info& task, std::string_view model = {});

/// The backend for which a program is built, with the functions that commands need.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Name of the backend: serial, openmp, cuda or hip.
  virtual std::string_view name() const = 0;
  /// Largest number of threads that a user can request; 0 if users cannot choose it.
  virtual int max_threads() const = 0;

  /// Whether it computes on one of several devices, among which users can choose.
  virtual bool has_devices() const = 0;

  /// Initializes Kokkos for the lifetime of this object. Call it before any of the functions that follow. Throws the
  /// same exceptions as check_device.
  virtual void start(const ExecutionSettings& settings) = 0;
  /// Name of the processor or device that computes.
  virtual std::string device() const = 0;
  /// Number of its device, if it has one.
  virtual std::optional<int> device_number() const = 0;
  /// Number of threads that run at once.
  virtual int threads() const = 0;
  /// Adds a model, or replaces the functions of the model of that name. `name` must outlive the backend.
  virtual void add_model(std::string_view name, ModelFunctions functions) = 0;

  /// Whether the model of this name offers a task with models (model_functions.hpp).
  template <class Task>
  bool offers(std::string_view model) const {
    return functions_of(model).template find<Task>() != nullptr;
  }

  /// Runs a task with the model of this name, in a region that tools see (label_of_task). Throws std::invalid_argument
  /// if the model does not offer the task, and the exceptions of the task's `run`.
  template <class Task>
  typename Task::Result run_with(std::string_view model, const Task& task) const {
    const auto function = functions_of(model).template find<Task>();
    if (function == nullptr) throw std::invalid_argument(std::string(model) + " does not offer what is computed");
    const ToolRegion region([&] { return label_of_task(typeid(Task), model); });
    return (task.*function)();
  }

  /// Returns `count` systems whose replications are made by `launcher`, the result of a SystemsTask. Throws the same
  /// exceptions as DeviceSystems.
  virtual std::unique_ptr<ReplicatedSystems> replicated_systems(std::unique_ptr<SystemLauncher> launcher,
                                                                std::int64_t count,
                                                                const ReplicationOptions& options) const = 0;

  /// Runs one of Tasks by its runner, to which `more` is also passed, in a region that tools see. Throws the exceptions
  /// of the runner and of check_launches.
  template <class Task, class... More>
  auto run(const Task& task, const More&... more) const {
    auto* const runner = std::any_cast<typename Task::Runner*>(task_runner(typeid(typename Task::Runner*)));
    const ToolRegion region([] { return label_of_task(typeid(Task)); });
    auto outcome = runner(task, more...);
    check_launches();
    return outcome;
  }

 protected:
  /// Returns the functions of the model of this name.
  virtual const ModelFunctions& functions_of(std::string_view model) const = 0;
  /// Returns the runner of that type, which belongs to one of Tasks.
  virtual const std::any& task_runner(std::type_index type) const = 0;
  /// Throws std::runtime_error if a kernel could not be launched, because its output is then invalid.
  virtual void check_launches() const = 0;
};

/// Creates the backend for which this program is built. The function is defined in a source file that
/// sporos_write_program writes; it is compiled once per backend, with the runners.
std::unique_ptr<Backend> kokkos_backend();

}  // namespace sporos::runtime
