// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace sporos::runtime {

/// Whether an objective will not come back to where it began.
inline bool is_hopeless(double objective, double at_first) { return objective > 1000 * at_first; }

/// Why what was found is no model, and what may help; nothing where it is one. It is none where it is worse than the
/// model that knows no feature, with which a run begins that comes after `first` = 0 iterations, or hopeless.
std::optional<std::string> divergence(const QuasiNewtonResult& result,
                                      const std::variant<SqnOptions, LbfgsOptions>& options, std::int64_t first);

}  // namespace sporos::runtime
