// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/with_controls.hpp>
#include <sporos/core/statistics/proportion.hpp>
#include <sporos/core/statistics/quantile.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/procedures/controlled_means.hpp>

#include <Kokkos_Core.hpp>

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sporos::bench {

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

constexpr double level = 0.9;  // of the quantile; the event is to lie above it

// e^z, whose skewness is 6.2.
struct Lognormal {
  enum Input { noise, input_count };
  static constexpr auto response_names = std::array{"value"};

  double mean() const { return std::exp(0.5); }
  double quantile() const { return std::exp(boost::math::quantile(boost::math::normal(), level)); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{lognormal(inputs(noise), 0.0, 1.0)}};
  }
};

// u^(−1/a) with a = 2.5, whose variance is finite and whose skewness is not.
struct Pareto {
  enum Input { noise, input_count };
  static constexpr auto response_names = std::array{"value"};

  double mean() const { return 2.5 / 1.5; }
  double quantile() const { return std::pow(1 - level, -1 / 2.5); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{math::exp(exponential(inputs(noise), 2.5))}};
  }
};

constexpr std::array<std::int64_t, 3> sizes{30, 100, 1000};
const std::vector<std::string> header{"interval", "response", "n = 30", "n = 100", "n = 1000"};

using Row = std::array<Coverage, sizes.size()>;
using Rows = std::vector<std::vector<std::string>>;

void append(Rows& rows, const std::string& interval, const std::string& response, const Row& row) {
  auto& added = rows.emplace_back(std::vector<std::string>{interval, response});
  for (const Coverage& coverage : row) added.push_back(coverage.text());
}

Plan plan_of(std::int64_t replications, std::int64_t experiment, const CoverageOptions& options) {
  Plan plan;
  plan.replications = replications;
  plan.seed = static_cast<std::uint64_t>(experiment + 1);
  plan.confidence = options.confidence;
  plan.mapping = Mapping::thread;
  return plan;
}

template <class Model>
void add_rows(const Model& model, const std::string& name, const CoverageOptions& options, Rows& rows) {
  Row mean, quantiles, probability;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      std::vector<double> values;
      const auto keep = [&](std::size_t, std::size_t, double value) { values.push_back(value); };
      const auto result = simulate(Space(), {model}, plan_of(sizes[s], e, options), {}, keep).points.front();
      const ResponseEstimate& estimate = result.responses.front();
      mean[s].add(true, estimate.mean - estimate.half_width, estimate.mean + estimate.half_width, model.mean());
      const QuantileEstimate found = quantile(values, level, options.confidence);
      quantiles[s].add(std::isfinite(found.lower) && std::isfinite(found.upper), found.lower, found.upper,
                       model.quantile());
      const auto above = std::count_if(values.begin(), values.end(), [&](double x) { return x > model.quantile(); });
      const ProportionEstimate share = clopper_pearson(above, sizes[s], options.confidence);
      probability[s].add(true, share.lower, share.upper, 1 - level);
    }
  }
  append(rows, "mean, Student", name, mean);
  append(rows, "quantile at 0.9", name, quantiles);
  append(rows, "probability 0.1, Clopper–Pearson", name, probability);
}

// Of the waits of 100 customers, with and without control variates.
void add_queue(double load, const CoverageOptions& options, Rows& rows) {
  const models::MM1 queue{load, 1, 100, 0};
  const double exact = *queue.exact_means()[0];
  Row plain, controlled;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      Plan plan = plan_of(sizes[s], e, options);
      plan.covariances = true;
      const PointResult point = simulate(Space(), WithControls<models::MM1>{queue}, plan);
      const ResponseEstimate& estimate = point.responses.front();
      plain[s].add(true, estimate.mean - estimate.half_width, estimate.mean + estimate.half_width, exact);
      const ControlledMean found = controlled_means(point, {0, 0}, options.confidence).responses.front();
      controlled[s].add(true, found.mean - found.half_width, found.mean + found.half_width, exact);
    }
  }
  const std::string name = fmt::format("waits of 100 customers, load {}", load);
  append(rows, "mean, Student", name, plain);
  append(rows, "mean, control variates", name, controlled);
}

// Of M/M/3/5 in equilibrium.
void add_full_queue(const CoverageOptions& options, Rows& rows) {
  const models::MMCK queue{4, 1, 3, 5, 100};
  const auto exact = queue.exact_means();
  std::array<Row, 4> means;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      const PointResult point = simulate(Space(), queue, plan_of(sizes[s], e, options));
      for (std::size_t i = 0; i < means.size(); ++i) {
        const ResponseEstimate& estimate = point.responses[i];
        means[i][s].add(true, estimate.mean - estimate.half_width, estimate.mean + estimate.half_width, *exact[i]);
      }
    }
  }
  for (std::size_t i = 0; i < means.size(); ++i) {
    const char* const kind = i == 2 ? "ratio of means, delta method" : "mean, Student";
    append(rows, kind, fmt::format("M/M/3/5, 100 arrivals, {}", models::MMCK::response_names[i]), means[i]);
  }
}

}  // namespace

std::string replication_coverage(const CoverageOptions& options) {
  Rows rows;
  add_rows(Lognormal(), "lognormal, σ = 1", options, rows);
  add_rows(Pareto(), "Pareto, a = 2.5", options, rows);
  for (const double load : {0.5, 0.8, 0.95}) add_queue(load, options, rows);
  add_full_queue(options, rows);
  return markdown(header, rows);
}

}  // namespace sporos::bench
