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

/// Default limit on the replications of a design point if a precision of quantiles is requested.
inline constexpr std::int64_t default_quantile_ceiling = 1'000'000;

/// Throws std::invalid_argument if a precision is requested without quantiles, or together with an option that
/// determines the number of replications in another way or uses the replications of one round. `has` returns whether an
/// option, named without dashes, is given.
void check_quantile_precision(const QuantilePrecision& precision, bool has_quantiles,
                              const std::function<bool(const std::string& option)>& has);

/// Returns the checked precision that the options of `sporos simulate` request.
QuantilePrecision quantile_precision(const OptionTable& options);

/// Runs an experiment in rounds until all intervals of quantiles are as narrow as requested, or the plan's replications
/// are used up. `simulate` runs one round with a plan and the state from which to continue, and adds its replications
/// to `quantiles`, which only the first process has. On return, `plan` has the replications of all rounds together. The
/// rounds depend only on the replications, so that the experiment stops at the same replication everywhere. Collective.
ExperimentResult simulate_to_quantiles(
    Plan& plan, const std::optional<ResponseQuantiles>& quantiles, const QuantilePrecision& precision,
    const std::function<ExperimentResult(const Plan& plan, std::optional<ExperimentState> start)>& simulate);

}  // namespace sporos::runtime
