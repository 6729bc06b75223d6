// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../optimizer.hpp"
#include "any_classification.hpp"

#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

namespace sporos::apps {

ClassificationOutcome optimized(const ClassificationTask& task, const ClassificationRun& run) {
  const auto [problem, bytes] = impl::stored_classification(task);
  if (const auto* const options = std::get_if<LbfgsOptions>(&run.options)) {
    problem->take_all_under(options->seed);
    return {lbfgs(*problem, run.state, *options, run.callback), bytes};
  }
  SqnOptions options = std::get<SqnOptions>(run.options);
  options.evaluation_size = static_cast<std::int64_t>(task.labels.size());
  problem->take_all_under(evaluation_sample(options).seed);
  return {sqn(*problem, run.state, options, run.callback), bytes};
}

}  // namespace sporos::apps
