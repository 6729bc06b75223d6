// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <tuple>
#include <type_traits>

namespace sporos::runtime {

struct CalibratorRequest;
struct ClassificationTask;
struct FitTask;
struct NewsvendorTask;
struct PointRequest;
struct PortfolioTask;

/// Calls DO(name, Task) for each case model, in the order in which they are listed. A case model is what `sporos
/// simulate` runs from a case file. `Task` is its task. `name` is the name of its files, and part of the names
/// name_model (runtime) and name_command (apps).
#define SPOROS_FOR_EACH_CASE_MODEL(DO) DO(radiation, RadiationTask) DO(germinal_centre, GerminalCentreTask)

#define SPOROS_DECLARE_TASK(name, Task) struct Task;
SPOROS_FOR_EACH_CASE_MODEL(SPOROS_DECLARE_TASK)
#undef SPOROS_DECLARE_TASK

#define SPOROS_TASK_OF(name, Task) Task,
/// The tasks without a model. Each has a file in runners/. Its member type `Runner` is the type of a function that
/// takes the task as its first parameter.
using Tasks = std::tuple<SPOROS_FOR_EACH_CASE_MODEL(SPOROS_TASK_OF) CalibratorRequest, ClassificationTask, FitTask,
                         NewsvendorTask, PointRequest, PortfolioTask>;
#undef SPOROS_TASK_OF

/// Calls `visit` with std::type_identity of each task's type, which may be incomplete.
template <class Visit>
void for_each_task(Visit&& visit) {
  [&]<class... Task>(std::type_identity<std::tuple<Task...>>) {
    (visit(std::type_identity<Task>()), ...);
  }(std::type_identity<Tasks>());
}

/// Returns the pointer to a `Task::Runner` that runs tasks on the backend for which this program is built. Each runner
/// is compiled separately, in runners/.
template <class Task>
std::any task_runner();

}  // namespace sporos::runtime
