// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/radiation/task.hpp>

#include <sporos/models/radiation/trace.hpp>

namespace sporos::runtime {

namespace {

models::PhotonCounts traced(const RadiationTask& task) {
  return models::traced(SPOROS_BACKEND(), task.radiation, task.weights, task.plan, task.by_source, task.processes,
                        task.run);
}

}  // namespace

template <>
std::any task_runner<RadiationTask>() {
  return &traced;
}

}  // namespace sporos::runtime
