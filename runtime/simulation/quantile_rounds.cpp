// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/quantile_rounds.hpp>

#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the replications at the end of the next round, in whole batches. Half-widths decrease in proportion to the
// inverse square root of the number of replications.
std::int64_t next_look(const Plan& plan, std::int64_t replications, double excess) {
  constexpr double min_growth = 1.1, max_growth = 2;
  const double growth = std::clamp(excess * excess, min_growth, max_growth);
  const double batches = std::ceil(growth * static_cast<double>(replications) / static_cast<double>(plan.batch));
  const double next = batches * static_cast<double>(plan.batch);
  return next < static_cast<double>(plan.replications) ? static_cast<std::int64_t>(next) : plan.replications;
}

void end_by(ExperimentResult& result, StopReason reason) {
  for (PointResult& point : result.points) {
    if (!point.failure) point.stopped_by = reason;
  }
  for (PointState& point : result.state.points) point.stopped_by = reason;
}

// Whether the round made all of its replications.
bool is_whole_round(const ExperimentResult& result) {
  return std::ranges::all_of(result.points, [](const PointResult& point) {
    return point.stopped_by == StopReason::replications || point.failure;
  });
}

// Returns, on all processes, the excess that the first process finds. Collective.
double common_excess(const std::optional<ResponseQuantiles>& quantiles, const QuantilePrecision& precision) {
  const std::string text =
      text_of_first(processes(), quantiles ? io::shortest_text(quantiles->widest(precision).excess) : std::string());
  return io::parse_number<double>("excess", text);
}

}  // namespace

void check_quantile_precision(const QuantilePrecision& precision, bool has_quantiles,
                              const std::function<bool(const std::string& option)>& has) {
  if (!precision.is_set()) return;
  const std::string given = precision.half_width > 0 ? "--quantile-precision" : "--relative-quantile-precision";
  if (!has_quantiles) throw std::invalid_argument(given + " is given without --quantiles: expected both");
  for (const char* other : {"precision", "relative-precision", "max-replications", "largest", "smallest", "compare"}) {
    if (has(other))
      throw std::invalid_argument(fmt::format("{} is given with --{}, expected one of them", given, other));
  }
}

QuantilePrecision quantile_precision(const OptionTable& options) {
  QuantilePrecision precision;
  if (options.has("quantile-precision")) precision.half_width = options.positive("quantile-precision", 0);
  if (options.has("relative-quantile-precision")) {
    precision.relative_half_width = options.positive("relative-quantile-precision", 0);
  }
  check_quantile_precision(precision, options.has("quantiles"),
                           [&](const std::string& option) { return options.has(option); });
  return precision;
}

ExperimentResult simulate_to_quantiles(
    Plan& plan, const std::optional<ResponseQuantiles>& quantiles, const QuantilePrecision& precision,
    const std::function<ExperimentResult(const Plan& plan, std::optional<ExperimentState> start)>& simulate) {
  Plan round = plan;
  round.replications = std::min(plan.batch, plan.replications);
  std::optional<ExperimentState> start;
  double seconds = 0;
  while (true) {
    ExperimentResult result = simulate(round, std::move(start));
    seconds += result.seconds;
    result.seconds = seconds;
    const bool is_whole = is_whole_round(result);
    const double excess = is_whole ? common_excess(quantiles, precision) : 0;
    const bool is_last = round.replications == plan.replications;
    if (!is_whole || excess <= 1 || is_last) {
      if (is_whole) end_by(result, excess <= 1 ? StopReason::precision : StopReason::ceiling);
      plan.replications = round.replications;
      return result;
    }
    for (PointState& point : result.state.points) point.stopped_by.reset();
    round.replications = next_look(plan, round.replications, excess);
    round.time_limit = std::max(plan.time_limit - seconds, 1e-9);
    start = std::move(result.state);
  }
}

}  // namespace sporos::runtime
