// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>

#include <functional>
#include <optional>
#include <string>

namespace sporos::runtime {

/// Replications of each design point where a precision of quantiles is given up, where the options do not say.
inline constexpr std::int64_t usual_quantile_ceiling = 1'000'000;

/// Throws std::invalid_argument where a precision is asked for without quantiles, or beside an option that decides
/// otherwise how many replications there are or looks at those of one round: `has` says which are given, by their names
/// without dashes.
void check_quantile_precision(const QuantilePrecision& precision, bool has_quantiles,
                              const std::function<bool(const std::string& option)>& has);

/// The precision that the options of `sporos simulate` ask for, checked.
QuantilePrecision quantile_precision(const OptionTable& options);

/// An experiment in rounds that go on until all intervals of quantiles are as narrow as wanted, or the plan's
/// replications are used up. `simulate` carries out one round with a plan and the state to go on from, and adds its
/// replications to `quantiles`, which the first process has alone; `plan` ends as that of all rounds together. The
/// looks at the intervals are functions of the replications, so that it stops at the same one everywhere. Collective.
ExperimentResult simulate_to_quantiles(
    Plan& plan, const std::optional<ResponseQuantiles>& quantiles, const QuantilePrecision& precision,
    const std::function<ExperimentResult(const Plan& plan, std::optional<ExperimentState> start)>& simulate);

}  // namespace sporos::runtime
