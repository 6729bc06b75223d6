// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
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

std::vector<double> parse_probabilities(const std::string& text) {
  std::vector<double> probabilities;
  for (const std::string_view part : split(text, ',')) {
    const auto probability = io::parse_number<double>("--quantiles", part);
    if (!(probability > 0 && probability < 1)) {
      throw std::invalid_argument(
          fmt::format("--quantiles is {}, expected numbers between 0 and 1, such as 0.5,0.9", io::in_quotes(text)));
    }
    if (std::find(probabilities.begin(), probabilities.end(), probability) != probabilities.end()) {
      throw std::invalid_argument(fmt::format("--quantiles has {} twice, expected it once", probability));
    }
    probabilities.push_back(probability);
  }
  return probabilities;
}

void check_independence(const std::string& option, const Plan& plan) {
  if (plan.source.replications_of_run() == 1) return;
  throw std::invalid_argument(
      fmt::format("{} needs independent replications, because its intervals use their {}: expected random sampling in "
                  "runs of 1, not {}",
                  option, option == "--quantiles" ? "order statistics" : "counts", plan.source.replications_of_run()));
}

ResponseQuantiles::ResponseQuantiles(std::vector<double> probabilities, const Plan& plan, std::size_t points,
                                     std::size_t responses)
    : m_probabilities(std::move(probabilities)), m_confidence(plan.confidence) {
  check_independence("--quantiles", plan);
  constexpr double bytes = 1 << 18;  // memory of one quantile after a few million replications
  const auto count = static_cast<std::int64_t>(points * responses * m_probabilities.size());
  check_memory<Kokkos::HostSpace>({"quantiles", count, "quantiles", std::min(bytes, 40.0 * plan.replications)});
  std::vector<Kept> of_response;
  for (const double probability : m_probabilities) of_response.push_back({KeptQuantile(probability)});
  m_kept.assign(points, std::vector<std::vector<Kept>>(responses, of_response));
  m_has_failed.assign(points, false);
}

EstimateStep ResponseQuantiles::step_of(const Kept& kept) const {
  const auto [value, lower, upper] = kept.quantile.estimate(m_confidence);
  return {kept.quantile.count(), value, lower, upper};
}

void ResponseQuantiles::add(const ReplicationRows& rows) {
  for (std::size_t place = 0; place < rows.points.size(); ++place) {
    const bool is_looked_at = rows.points[place] < m_looked_at;
    for (std::size_t response = 0; response < rows.responses; ++response) {
      for (Kept& kept : m_kept[rows.points[place]][response]) {
        for (std::int64_t row = 0; row < rows.counts[place]; ++row) {
          const double number = rows(place, row, response);
          if (!std::isfinite(number)) {
            m_has_failed[rows.points[place]] = true;
            continue;
          }
          kept.quantile.add(number);
          if (is_looked_at && kept.looks.are_due(kept.quantile.count())) kept.steps.push_back(step_of(kept));
        }
      }
    }
  }
}

WidestQuantile ResponseQuantiles::widest(const QuantilePrecision& precision) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  WidestQuantile widest;
  for (std::size_t point = 0; point < m_kept.size(); ++point) {
    if (m_has_failed[point]) continue;
    for (std::size_t response = 0; response < m_kept[point].size(); ++response) {
      for (std::size_t place = 0; place < m_probabilities.size(); ++place) {
        const QuantileEstimate estimate = m_kept[point][response][place].quantile.estimate(m_confidence);
        const double half = 0.5 * (estimate.upper - estimate.lower);
        const auto excess_over = [&](double wanted) { return half == 0 ? 0 : wanted > 0 ? half / wanted : infinity; };
        double excess = precision.half_width > 0 ? excess_over(precision.half_width) : 0;
        if (precision.relative_half_width > 0) {
          excess = std::max(excess, excess_over(precision.relative_half_width * std::abs(estimate.value)));
        }
        if (excess > widest.excess) widest = {excess, point, response, place};
      }
    }
  }
  return widest;
}

QuantileReport ResponseQuantiles::report() const {
  QuantileReport report{m_probabilities, {}, {}};
  for (const double probability : m_probabilities) {
    report.needed.push_back(observations_for_quantile(probability, m_confidence));
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const QuantileEstimate unknown{std::numeric_limits<double>::quiet_NaN(), -infinity, infinity};
  for (std::size_t point = 0; point < m_kept.size(); ++point) {
    auto& of_point = report.estimates.emplace_back();
    for (const auto& probabilities : m_kept[point]) {
      auto& list = of_point.emplace_back();
      for (const Kept& kept : probabilities)
        list.push_back(m_has_failed[point] ? unknown : kept.quantile.estimate(m_confidence));
    }
  }
  for (std::size_t point = 0; point < m_looked_at; ++point) {
    auto& of_point = report.steps.emplace_back();
    for (const auto& probabilities : m_kept[point]) {
      auto& list = of_point.emplace_back();
      for (const Kept& kept : probabilities) {
        list.push_back(m_has_failed[point] ? std::vector<EstimateStep>() : with_last(kept.steps, step_of(kept)));
      }
    }
  }
  return report;
}

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

QuantileRounds::QuantileRounds(Plan& plan, const std::optional<ResponseQuantiles>& quantiles,
                               const QuantilePrecision& precision)
    : m_plan(plan), m_quantiles(quantiles), m_precision(precision), m_round(plan) {
  if (precision.is_set()) m_round.replications = std::min(plan.batch, plan.replications);
}

bool QuantileRounds::needs_another(ExperimentResult& result, std::optional<ExperimentState>& start) {
  if (!m_precision.is_set()) return false;
  m_seconds += result.seconds;
  result.seconds = m_seconds;
  const bool is_whole = is_whole_round(result);
  const double excess = is_whole ? common_excess(m_quantiles, m_precision) : 0;
  if (!is_whole || excess <= 1 || m_round.replications == m_plan.replications) {
    if (is_whole) end_by(result, excess <= 1 ? StopReason::precision : StopReason::ceiling);
    m_plan.replications = m_round.replications;
    return false;
  }
  for (PointState& point : result.state.points) point.stopped_by.reset();
  m_round.replications = next_look(m_plan, m_round.replications, excess);
  m_round.time_limit = std::max(m_plan.time_limit - m_seconds, 1e-9);
  start = std::move(result.state);
  return true;
}

}  // namespace sporos::runtime
