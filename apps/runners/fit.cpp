// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../fit_task.hpp"
#include "../fitter.hpp"

#include <sporos/procedures/mixture_fit.hpp>

namespace sporos::apps {

MixtureFit fitted(const FitTask& task) {
  const SPOROS_BACKEND space;
  if (task.precision == FitPrecision::real32) {
    return fit_mixtures<float>(space, task.sample, task.options, task.callback);
  }
  return fit_mixtures<double>(space, task.sample, task.options, task.callback);
}

}  // namespace sporos::apps
