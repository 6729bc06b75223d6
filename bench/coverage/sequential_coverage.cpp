// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/series.hpp>
#include <sporos/core/statistics/quantile.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sporos::bench {

namespace {

constexpr std::array precisions{0.1, 0.05};

std::vector<Coverage> none() { return std::vector<Coverage>(precisions.size()); }

// N-Skart's, from empty.
void add_series(double load, const CoverageOptions& options, CoverageTable& table) {
  const models::MM1 queue{load, 1, 1, 0};
  const double exact = *queue.series_means()[0];
  auto coverage = none();
  for (std::size_t p = 0; p < precisions.size(); ++p) {
    const SteadyStateGoal goal{
        .confidence = options.confidence, .relative_half_width = precisions[p], .observations = 16'777'216};
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      SeriesLauncher<models::MM1, Host> launcher(Host(), queue, options.seed(e), 1);
      SeriesRuns runs(launcher);
      const SteadyStateResult result = steady_state(runs, goal);
      const SeriesInterval& interval = result.intervals.front();
      coverage[p].add(result.stopped_by == "precision", interval.low, interval.high, exact);
    }
  }
  table.add({"`skart`", fmt::format("waits at load {}", load)}, coverage);
}

void add_means(double load, const CoverageOptions& options, CoverageTable& table) {
  const models::MM1 queue{load, 1, 100, 0};
  const double exact = *queue.exact_means()[0];
  auto coverage = none();
  for (std::size_t p = 0; p < precisions.size(); ++p) {
    in_batches(options.experiments, 256, [&](std::int64_t first, std::int64_t number) {
      Plan plan;
      plan.replications = 1 << 20;
      plan.precision.relative_half_width = precisions[p];
      plan.seed = options.seed(first);
      plan.confidence = options.confidence;
      plan.mapping = Mapping::thread;
      plan.common_random_numbers = false;
      const std::vector<models::MM1> queues(static_cast<std::size_t>(number), queue);
      for (const PointResult& point : simulate(Device(), queues, plan).points) {
        const ResponseEstimate& estimate = point.responses.front();
        coverage[p].add(point.stopped_by == StopReason::precision, estimate.mean - estimate.half_width,
                        estimate.mean + estimate.half_width, exact);
      }
    });
  }
  table.add({"mean, Student", fmt::format("waits of 100 customers, load {}", load)}, coverage);
}

// Of unit exponentials, whose quantile at p is −ln(1 − p): looks are at whole batches, as --quantile-precision has them
// (runtime/simulation/quantile_rounds.cpp).
void add_quantiles(double probability, const CoverageOptions& options, CoverageTable& table) {
  constexpr std::size_t batch = 256, most = 1 << 20;
  constexpr double least_growth = 1.1, most_growth = 2;
  const double exact = -std::log1p(-probability);
  auto coverage = none();
  for (std::size_t p = 0; p < precisions.size(); ++p) {
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      boost::random::mt19937_64 engine(options.seed(e));
      boost::random::exponential_distribution<> lifetime;
      std::vector<double> values;
      for (std::size_t wanted = batch; true;) {
        while (values.size() < wanted) values.push_back(lifetime(engine));
        const QuantileEstimate found = quantile(values, probability, options.confidence);
        const double excess = 0.5 * (found.upper - found.lower) / (precisions[p] * found.value);
        if (excess <= 1 || wanted >= most) {
          coverage[p].add(excess <= 1, found.lower, found.upper, exact);
          break;
        }
        const double growth = std::clamp(excess * excess, least_growth, most_growth);
        wanted = batch * static_cast<std::size_t>(std::ceil(growth * static_cast<double>(wanted) / batch));
      }
    }
  }
  table.add({fmt::format("quantile at {}", probability), "exponential"}, coverage);
}

}  // namespace

CoverageTable sequential_coverage(const CoverageOptions& options) {
  CoverageTable table{"sequential", {"interval to a precision", "of", "of 10 %", "of 5 %"}, {}};
  for (const double load : {0.5, 0.8}) add_series(load, options, table);
  for (const double load : {0.5, 0.8}) add_means(load, options, table);
  for (const double probability : {0.5, 0.95}) add_quantiles(probability, options, table);
  return table;
}

}  // namespace sporos::bench
