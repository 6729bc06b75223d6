// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::runtime {

struct FitTask;
struct FitOutcome;

/// Fits mixtures on the backend for which this program is built. Compiled in runners/. Throws std::invalid_argument
/// where fit_mixtures and bootstrap_mixtures do.
FitOutcome fitted(const FitTask& task);

}  // namespace sporos::runtime
