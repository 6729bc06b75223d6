// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <tuple>
#include <type_traits>

namespace sporos::runtime {

struct CalibratorRequest;
struct ClassificationTask;
struct FitTask;
struct GerminalCentreTask;
struct NewsvendorTask;
struct PointRequest;
struct PortfolioTask;
struct RadiationTask;

/// The tasks that backends carry out beside experiments with models. Each has a file in runners/. Its member `Runner`
/// is the type of a function that takes the task as its first parameter.
using Tasks = std::tuple<CalibratorRequest, ClassificationTask, FitTask, GerminalCentreTask, NewsvendorTask,
                         PointRequest, PortfolioTask, RadiationTask>;

/// Calls `visit` with std::type_identity of each task's type, which may be incomplete.
template <class Visit>
void for_each_task(Visit&& visit) {
  [&]<class... Task>(std::type_identity<std::tuple<Task...>>) {
    (visit(std::type_identity<Task>()), ...);
  }(std::type_identity<Tasks>());
}

/// The pointer to a `Task::Runner` that carries out tasks on the backend for which this program is built. Each is
/// compiled alone, in runners/.
template <class Task>
std::any task_runner();

}  // namespace sporos::runtime
