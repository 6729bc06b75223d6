// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/mixtures/task.hpp>

#include <sporos/procedures/mixture_bootstrap.hpp>
#include <sporos/procedures/mixture_fit.hpp>

namespace sporos::runtime {

namespace {

template <class Real>
FitOutcome fitted_in(const FitTask& task) {
  const SPOROS_BACKEND space;
  FitOutcome outcome{fit_mixtures<Real>(space, task.sample, task.options, task.callback, task.journal, task.processes),
                     {}};
  if (task.bootstrap && outcome.fit.is_whole) {
    outcome.bootstrap =
        bootstrap_mixtures<Real>(space, outcome.fit, *task.bootstrap, task.callback, task.journal, task.processes);
  }
  return outcome;
}

FitOutcome fitted(const FitTask& task) {
  return task.precision == FitPrecision::real32 ? fitted_in<float>(task) : fitted_in<double>(task);
}

}  // namespace

template <>
std::any task_runner<FitTask>() {
  return &fitted;
}

}  // namespace sporos::runtime
