// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/kokkos_backend.hpp>

#include <sporos/runtime/backend/calibrator.hpp>
#include <sporos/runtime/backend/models.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/classification/task.hpp>
#include <sporos/runtime/mixtures/task.hpp>
#include <sporos/runtime/radiation/task.hpp>

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/devices.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/host_threads.hpp>
#include <sporos/core/execution/initialize.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace sporos::runtime {

namespace {

/// The execution space of this program.
using Space = SPOROS_BACKEND;

/// Which of several devices a space runs on, where it is one of several.
template <class ExecutionSpace>
std::optional<int> number_of_device([[maybe_unused]] const ExecutionSpace& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) return space.cuda_device();
#endif
  return std::nullopt;
}

// Processes on one machine share its GPUs and hardware threads, as far as the user has not said how.
ExecutionSettings settings_among(const LocalPlace& place, ExecutionSettings settings) {
  if (place.count == 1) return settings;
  const int devices = gpu_runtime().devices;
  if (!settings.device && devices > 0) settings.device = place.rank % devices;
  const bool is_said = std::getenv("OMP_NUM_THREADS") != nullptr || std::getenv("KOKKOS_NUM_THREADS") != nullptr;
  if (!settings.threads && !is_said) {
    const int share = static_cast<int>(std::thread::hardware_concurrency()) / place.count;
    settings.threads = std::clamp(share, 1, most_host_threads);
  }
  return settings;
}

class KokkosBackend final : public Backend {
 public:
  KokkosBackend() {
    for_each_model([&]<class Model>(std::type_identity<Model>) { m_runners.emplace(Model::name, runner<Model>()); });
  }

  std::string_view name() const override { return backend_name<Space>(); }

  int most_threads() const override {
    if (name() == "serial") return 1;
    return name() == "openmp" ? most_host_threads : 0;
  }

  bool has_devices() const override { return most_threads() == 0; }

  void start(const ExecutionSettings& settings) override {
    meet();
    const ExecutionSettings shared = settings_among(local_place(), settings);
    // Host threads that would only idle are not begun.
    m_kokkos.emplace(quiet_kokkos_settings({name() == "openmp" ? shared.threads : 1, shared.device}));
  }

  std::string device() const override { return device_name(Space()); }

  std::optional<int> device_number() const override { return number_of_device(Space()); }

  int threads() const override { return static_cast<int>(Space().concurrency()); }

  const Runner& runner_of(std::string_view model) const override { return m_runners.at(model); }

  std::vector<double> sample(const PointRequest& request) const override { return sampled_points(request); }

  OptimizationOutcome optimize(const PortfolioTask& task, const OptimizationRun& run) const override {
    return checked(optimized(task, run));
  }

  OptimizationOutcome optimize(const NewsvendorTask& task, const OptimizationRun& run) const override {
    return checked(optimized(task, run));
  }

  ClassificationOutcome optimize(const ClassificationTask& task, const ClassificationRun& run) const override {
    return checked(optimized(task, run));
  }

  FitOutcome fit(const FitTask& task) const override { return checked(fitted(task)); }

  Calibrator calibrator(Engine engine) const override { return calibrator_of(engine); }

  models::PhotonCounts trace(const RadiationTask& task) const override { return checked(traced(task)); }

 private:
  // What a kernel was to write that was never launched is no result.
  template <class Outcome>
  static Outcome checked(Outcome outcome) {
    check_launches<Space>();
    return outcome;
  }

  std::map<std::string_view, Runner> m_runners;
  std::optional<Kokkos::ScopeGuard> m_kokkos;
};

}  // namespace

std::unique_ptr<Backend> kokkos_backend() { return std::make_unique<KokkosBackend>(); }

}  // namespace sporos::runtime
