// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/conditional.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/with_controls.hpp>
#include <sporos/core/statistics/proportion.hpp>
#include <sporos/core/statistics/quantile.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/procedures/controlled_means.hpp>

#include <Kokkos_Core.hpp>

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sporos::bench {

namespace {

constexpr double quantile_level = 0.9;  // level of the quantile; the event is a response above it

// e^z for a standard normal z; the skewness is 6.2.
struct Lognormal {
  enum Input { noise, input_count };
  static constexpr auto response_names = std::array{"value"};

  double mean() const { return std::exp(0.5); }
  double quantile() const { return std::exp(boost::math::quantile(boost::math::normal(), quantile_level)); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{lognormal(inputs(noise), 0.0, 1.0)}};
  }
};

// u^(−1/a) with a = 2.5, which has a finite variance and an infinite skewness.
struct Pareto {
  enum Input { noise, input_count };
  static constexpr auto response_names = std::array{"value"};

  double mean() const { return 2.5 / 1.5; }
  double quantile() const { return std::pow(1 - quantile_level, -1 / 2.5); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{math::exp(exponential(inputs(noise), 2.5))}};
  }
};

// An event with a given probability.
struct Event {
  enum Input { trial, input_count };
  static constexpr auto response_names = std::array{"event"};
  double probability;

  ResponseRange response_range(int) const { return ResponseRange::event(); }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{static_cast<double>(inputs(trial)) < probability ? 1.0 : 0.0}};
  }
};

constexpr std::array<std::int64_t, 3> sizes{30, 100, 1000};

using Row = std::vector<Coverage>;

Row row() { return Row(sizes.size()); }

// Runs the experiments as design points of shared launches, and calls `see(estimates, values)` for each. `values` are
// those of the first response, and empty unless `wants_values`.
template <class Model, class See>
void replicate_experiments(const Model& model, std::int64_t replications, const CoverageOptions& options,
                           bool wants_values, bool covariances, const See& see) {
  const std::int64_t batch = std::max<std::int64_t>(1, (std::int64_t{1} << 20) / replications);
  in_batches(options.experiments, batch, [&](std::int64_t first, std::int64_t number) {
    const std::vector<Model> models(static_cast<std::size_t>(number), model);
    Plan plan;
    plan.replications = replications;
    plan.seed = options.seed(first);
    plan.confidence = options.confidence;
    plan.mapping = Mapping::thread;
    plan.common_random_numbers = false;
    plan.covariances = covariances;
    std::vector<std::vector<double>> values(models.size());
    Observer observer;
    if (wants_values) {
      observer = [&](std::size_t point, std::size_t response, double value) {
        if (response == 0) values[point].push_back(value);
      };
    }
    const ExperimentResult result = simulate(Device(), models, plan, {}, observer);
    for (std::size_t i = 0; i < models.size(); ++i) see(result.points[i], values[i]);
  });
}

void add_mean(Coverage& coverage, const ResponseEstimate& estimate, double exact) {
  coverage.add(std::isfinite(estimate.half_width), estimate.mean - estimate.half_width,
               estimate.mean + estimate.half_width, exact);
}

template <class Model>
void add_rows(const Model& model, const std::string& name, const CoverageOptions& options, CoverageTable& table) {
  Row mean = row(), quantiles = row(), probability = row();
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto see = [&](const PointResult& point, const std::vector<double>& values) {
      add_mean(mean[s], point.responses.front(), model.mean());
      const QuantileEstimate found = quantile(values, quantile_level, options.confidence);
      quantiles[s].add(std::isfinite(found.lower) && std::isfinite(found.upper), found.lower, found.upper,
                       model.quantile());
      const auto above = std::count_if(values.begin(), values.end(), [&](double x) { return x > model.quantile(); });
      const ProportionEstimate share = clopper_pearson(above, sizes[s], options.confidence);
      probability[s].add(true, share.lower, share.upper, 1 - quantile_level);
    };
    replicate_experiments(model, sizes[s], options, true, false, see);
  }
  table.add({"mean, Student", name}, mean);
  table.add({"quantile at 0.9", name}, quantiles);
  table.add({"probability 0.1, Clopper–Pearson", name}, probability);
}

void add_event(double probability, const CoverageOptions& options, CoverageTable& table) {
  Row mean = row();
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto see = [&](const PointResult& point, const auto&) {
      add_mean(mean[s], point.responses.front(), probability);
    };
    replicate_experiments(Event{probability}, sizes[s], options, false, false, see);
  }
  table.add({"event, Wilson", fmt::format("probability {}", probability)}, mean);
}

// Mean wait of 100 customers, with and without control variates.
void add_queue(double load, const CoverageOptions& options, CoverageTable& table) {
  const models::MM1 queue{load, 1, 100, 0};
  const double exact = *queue.exact_means()[0];
  Row plain = row(), controlled = row();
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto see = [&](const PointResult& point, const auto&) {
      add_mean(plain[s], point.responses.front(), exact);
      const ControlledMean found = controlled_means(point, {0, 0}, options.confidence).responses.front();
      controlled[s].add(true, found.mean - found.half_width, found.mean + found.half_width, exact);
    };
    replicate_experiments(WithControls<models::MM1>{queue}, sizes[s], options, false, true, see);
  }
  const std::string name = fmt::format("waits of 100 customers, load {}", load);
  table.add({"mean, Student", name}, plain);
  table.add({"mean, control variates", name}, controlled);
}

// Means of the responses of M/M/3/5 in equilibrium.
void add_full_queue(const CoverageOptions& options, CoverageTable& table) {
  const models::MMCK queue{4, 1, 3, 5, 100};
  const auto exact = queue.exact_means();
  std::vector<Row> means(exact.size(), row());
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto see = [&](const PointResult& point, const auto&) {
      for (std::size_t i = 0; i < means.size(); ++i) add_mean(means[i][s], point.responses[i], *exact[i]);
    };
    replicate_experiments(queue, sizes[s], options, false, false, see);
  }
  for (std::size_t i = 0; i < means.size(); ++i) {
    const char* const kind = i == 2 ? "ratio of means, delta method" : "mean, Student";
    table.add({kind, fmt::format("M/M/3/5, 100 arrivals, {}", models::MMCK::response_names[i])}, means[i]);
  }
}

void add_conditional(const CoverageOptions& options, CoverageTable& table) {
  Row mean = row();
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto see = [&](const PointResult& point, const auto&) {
      add_mean(mean[s], point.responses.front(), std::numbers::pi);
    };
    replicate_experiments(Conditioned<models::Pi>{{1}}, sizes[s], options, false, false, see);
  }
  table.add({"conditional mean, Student", "4 √(1 − U²)"}, mean);
}

}  // namespace

CoverageTable replication_coverage(const CoverageOptions& options) {
  CoverageTable table{"replications", {"interval", "response", "n = 30", "n = 100", "n = 1000"}, {}};
  add_rows(Lognormal(), "lognormal, σ = 1", options, table);
  add_rows(Pareto(), "Pareto, a = 2.5", options, table);
  for (const double probability : {0.5, 0.02}) add_event(probability, options, table);
  for (const double load : {0.5, 0.8, 0.95}) add_queue(load, options, table);
  add_full_queue(options, table);
  add_conditional(options, table);
  return table;
}

}  // namespace sporos::bench
