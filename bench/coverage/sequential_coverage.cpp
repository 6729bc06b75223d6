// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/series.hpp>
#include <sporos/core/statistics/quantile.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <boost/math/distributions/lognormal.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sporos::bench {

namespace {

constexpr std::array precisions{0.1, 0.05};

std::vector<Coverage> none() { return std::vector<Coverage>(precisions.size()); }

// Steady-state mean from `run_count` runs that start empty.
void add_series(SeriesMethod method, std::int64_t run_count, double load, const CoverageOptions& options,
                CoverageTable& table) {
  const models::MM1 queue{load, 1, 1, 0};
  const double exact = *queue.series_means()[0];
  auto coverage = none();
  for (std::size_t p = 0; p < precisions.size(); ++p) {
    const SteadyStateGoal goal{.method = method,
                               .confidence = options.confidence,
                               .relative_half_width = precisions[p],
                               .observations = 16'777'216};
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      SeriesLauncher<models::MM1, Host> launcher(Host(), queue, options.seed(e), run_count);
      SeriesRuns runs(launcher);
      const SteadyStateResult result = steady_state(runs, goal);
      const SeriesInterval& interval = result.intervals.front();
      coverage[p].add(result.stopped_by == StopReason::precision, interval.low, interval.high, exact);
    }
  }
  const std::string runs = run_count > 1 ? fmt::format(", {} runs", run_count) : "";
  table.add({fmt::format("`{}`{}", name_of(method), runs), fmt::format("waits at load {}", load)}, coverage);
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

// Quantiles of the values that `draw(engine)` returns. The stopping rule looks only at whole batches, as
// --quantile-precision does (runtime/simulation/response_quantiles.cpp).
template <class Draw>
void add_quantiles(double probability, const std::string& law, double exact, Draw draw, const CoverageOptions& options,
                   CoverageTable& table) {
  constexpr std::size_t batch = 256, most = 1 << 20;
  constexpr double min_growth = 1.1, max_growth = 2;
  auto coverage = none();
  for (std::size_t p = 0; p < precisions.size(); ++p) {
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      boost::random::mt19937_64 engine(options.seed(e));
      std::vector<double> values;
      for (std::size_t wanted = batch; true;) {
        while (values.size() < wanted) values.push_back(draw(engine));
        const QuantileEstimate found = quantile(values, probability, options.confidence);
        const double excess = 0.5 * (found.upper - found.lower) / (precisions[p] * found.value);
        if (excess <= 1 || wanted >= most) {
          coverage[p].add(excess <= 1, found.lower, found.upper, exact);
          break;
        }
        const double growth = std::clamp(excess * excess, min_growth, max_growth);
        wanted = batch * static_cast<std::size_t>(std::ceil(growth * static_cast<double>(wanted) / batch));
      }
    }
  }
  table.add({fmt::format("quantile at {}", probability), law}, coverage);
}

}  // namespace

CoverageTable sequential_coverage(const CoverageOptions& options) {
  CoverageTable table{"sequential", {"interval to a precision", "of", "of 10 %", "of 5 %"}, {}};
  for (const double load : {0.5, 0.8}) add_series(SeriesMethod::skart, 1, load, options, table);
  for (const double load : {0.5, 0.8}) add_series(SeriesMethod::replications, 16, load, options, table);
  for (const double load : {0.5, 0.8}) add_means(load, options, table);
  for (const double p : {0.5, 0.95}) {
    boost::random::exponential_distribution<> lifetime;
    add_quantiles(p, "exponential", -std::log1p(-p), lifetime, options, table);
    boost::random::lognormal_distribution<> price(0, 1);
    add_quantiles(p, "lognormal, σ = 1", boost::math::quantile(boost::math::lognormal(0, 1), p), price, options, table);
    // Steady-state wait at load 0.8: 0 with probability 0.2, otherwise exponential with rate 0.2.
    const auto wait = [](auto& engine) {
      const double u = boost::random::uniform_01<>()(engine);
      return u < 0.2 ? 0.0 : -std::log((1 - u) / 0.8) / 0.2;
    };
    add_quantiles(p, "wait in M/M/1 at load 0.8", -std::log((1 - p) / 0.8) / 0.2, wait, options, table);
  }
  return table;
}

}  // namespace sporos::bench
