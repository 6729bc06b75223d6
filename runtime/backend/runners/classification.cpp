// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/runners/any_classification.hpp>
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/optimization/in_segments.hpp>

#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

namespace sporos::runtime {

namespace {

template <class Options, class Optimize>
QuasiNewtonResult in_segments(Processes& processes, const ClassificationRun& run, const Options& options,
                              const Optimize& optimize) {
  return optimized_in_segments(processes, run.state, options, run.callback, run.keep, optimize);
}

ClassificationOutcome learned(const ClassificationTask& task, const ClassificationRun& run) {
  const auto [stored, bytes] = impl::stored_classification(task);
  auto& problem = *stored;
  if (const auto* const options = std::get_if<LbfgsOptions>(&run.options)) {
    problem.take_all_under(options->seed);
    return {in_segments(processes_of(problem), run, *options,
                        [&](const auto&... arguments) { return lbfgs(problem, arguments...); }),
            bytes};
  }
  SqnOptions options = std::get<SqnOptions>(run.options);
  options.evaluation_size = static_cast<std::int64_t>(task.labels.size());
  problem.take_all_under(evaluation_sample(options).seed);
  return {in_segments(processes_of(problem), run, options,
                      [&](const auto&... arguments) { return sqn(problem, arguments..., run.stop_request); }),
          bytes};
}

}  // namespace

template <>
std::any task_runner<ClassificationTask>() {
  return &learned;
}

}  // namespace sporos::runtime
