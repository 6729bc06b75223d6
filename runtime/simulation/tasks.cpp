// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/tasks.hpp>

#include <sporos/runtime/backend/backend.hpp>

#include <sporos/core/io/format.hpp>

namespace sporos::runtime {

ExperimentResult run_simulation(const Backend& backend, std::string_view model, const Simulation& simulation) {
  const auto launcher = backend.run_with<SimulationTask>(model, simulation);
  const ToolRegion region([&] { return label_of_task(typeid(SimulationTask), model); });
  return sporos::impl::run_experiment(*launcher, simulation.plan, simulation.watcher, simulation.observer, processes(),
                                      simulation.checkpoints, simulation.recorder, simulation.kept);
}

void check_simulation(const Backend& backend, std::string_view model, const SimulationTask& simulation) {
  check_plan(simulation.plan);
  backend.run_with(model, simulation)->prepare();
}

std::vector<double> replayed(const Backend& backend, std::string_view model, const ChosenReplication& chosen) {
  const auto launcher = backend.run_with(model, SimulationTask{chosen.design, chosen.plan});
  const ToolRegion region([&] { return fmt::format("sporos::replay[{}]", model); });
  launcher->prepare();
  const Mapping mapping = chosen.plan.mapping == Mapping::warp ? Mapping::warp : Mapping::thread;
  launcher->launch({&chosen.point, 1}, {chosen.replication, 1}, mapping);
  launcher->check_launch();
  const auto responses = launcher->outputs();
  return {responses.begin(), responses.end()};
}

}  // namespace sporos::runtime
