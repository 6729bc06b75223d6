// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/model_functions.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/backend/tasks.hpp>

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/devices.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/host_threads.hpp>
#include <sporos/core/execution/initialize.hpp>
#include <sporos/procedures/ranking_and_selection/device_systems.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <any>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <typeindex>
#include <utility>

namespace sporos::runtime {

namespace impl {

// Number of the device on which `space` runs, if its backend has several.
template <class ExecutionSpace>
std::optional<int> number_of_device([[maybe_unused]] const ExecutionSpace& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) return space.cuda_device();
#endif
  return std::nullopt;
}

// Divides the GPUs and hardware threads of a machine among its processes, unless the user has chosen them.
inline ExecutionSettings settings_among(const LocalPlace& place, ExecutionSettings settings) {
  if (place.count == 1) return settings;
  const int devices = gpu_runtime().devices;
  if (!settings.device && devices > 0) settings.device = place.rank % devices;
  const bool is_said = std::getenv("OMP_NUM_THREADS") != nullptr || std::getenv("KOKKOS_NUM_THREADS") != nullptr;
  if (!settings.threads && !is_said) {
    const int share = static_cast<int>(std::thread::hardware_concurrency()) / place.count;
    settings.threads = std::clamp(share, 1, max_host_threads);
  }
  return settings;
}

using FunctionsOfModels = std::map<std::string_view, ModelFunctions>;
using TaskRunners = std::map<std::type_index, std::any>;

template <class Space>
class KokkosBackend final : public Backend {
 public:
  KokkosBackend(FunctionsOfModels models, TaskRunners tasks) : m_models(std::move(models)), m_tasks(std::move(tasks)) {}

  std::string_view name() const override { return backend_name<Space>(); }

  int max_threads() const override {
    if (name() == "serial") return 1;
    return name() == "openmp" ? max_host_threads : 0;
  }

  bool has_devices() const override { return max_threads() == 0; }

  void start(const ExecutionSettings& settings) override {
    meet();
    const ExecutionSettings shared = settings_among(local_place(), settings);
    // Backends other than OpenMP do not use host threads, so only one is started.
    m_kokkos.emplace(quiet_kokkos_settings({name() == "openmp" ? shared.threads : 1, shared.device}));
  }

  std::string device() const override { return device_name(Space()); }

  std::optional<int> device_number() const override { return number_of_device(Space()); }

  int threads() const override { return static_cast<int>(Space().concurrency()); }

  void add_model(std::string_view name, ModelFunctions functions) override {
    m_models.insert_or_assign(name, std::move(functions));
  }

  std::unique_ptr<ReplicatedSystems> replicated_systems(std::unique_ptr<SystemLauncher> launcher, std::int64_t count,
                                                        const ReplicationOptions& options) const override {
    return std::make_unique<DeviceSystems<Space>>(Space(), std::move(launcher), count, options);
  }

 private:
  const ModelFunctions& functions_of(std::string_view model) const override { return m_models.at(model); }

  const std::any& task_runner(std::type_index type) const override { return m_tasks.at(type); }

  void check_launches() const override { sporos::check_launches<Space>(); }

  FunctionsOfModels m_models;
  TaskRunners m_tasks;
  std::optional<Kokkos::ScopeGuard> m_kokkos;
};

}  // namespace impl

/// Functions of these models, by the models' names.
template <class... Model>
impl::FunctionsOfModels functions_of_models() {
  return {{Model::name, model_functions<Model>()}...};
}

/// Runners of all Tasks.
inline impl::TaskRunners task_runners() {
  impl::TaskRunners runners;
  for_each_task([&]<class Task>(std::type_identity<Task>) {
    std::any runner = task_runner<Task>();
    runners.emplace(runner.type(), std::move(runner));
  });
  return runners;
}

/// Creates the backend for which this source is compiled.
inline std::unique_ptr<Backend> backend_with(impl::FunctionsOfModels models, impl::TaskRunners tasks) {
  return std::make_unique<impl::KokkosBackend<SPOROS_BACKEND>>(std::move(models), std::move(tasks));
}

}  // namespace sporos::runtime
