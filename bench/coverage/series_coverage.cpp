// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"
#include "series_experiments.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/procedures/steady_state/series_methods.hpp>

#include <algorithm>
#include <map>

namespace sporos::bench {

namespace {

struct Case {
  std::string name;
  std::int64_t observations;
};

// Coverage by method, then by case.
using Counts = std::map<SeriesMethod, std::vector<Coverage>>;

constexpr std::int64_t several_runs = 16;

// Evaluates the experiments of a batch after 2^14, 2^16 and 2^18 observations in total.
template <class Model>
void count(const Model& model, const std::vector<Case>& cases, std::size_t first_case, std::int64_t runs,
           SeriesExperiments<Model>& experiments, double confidence, Counts& counts) {
  const double exact = *model.series_means()[0];
  for (std::size_t c = first_case; c < cases.size(); ++c) {
    const std::int64_t length = cases[c].observations / runs;
    if (runs > 1 && length < 4 * segment_observations) continue;
    experiments.extend_to(length);
    for (const SeriesMethod method : values_of<SeriesMethod>()) {
      if ((method == SeriesMethod::replications) != (runs > 1)) continue;
      if (method == SeriesMethod::regenerative && !Model::observed_series.regenerates) continue;
      auto& of_method = counts[method];
      of_method.resize(cases.size());
      for (const SeriesRuns& series : experiments.all()) {
        const SeriesInterval interval = steady_state_mean(method, series, 0, confidence);
        of_method[c].add(interval.reason.empty(), interval.low, interval.high, exact);
      }
    }
  }
}

}  // namespace

CoverageTable series_coverage(const CoverageOptions& options) {
  std::vector<Case> cases;
  Counts counts;
  const auto add = [&](const auto& model, const std::string& name) {
    const std::size_t first_case = cases.size();
    for (std::int64_t length = 4 * segment_observations; length <= options.observations; length *= 4) {
      cases.push_back({name, length});
    }
    for (const std::int64_t runs : {std::int64_t{1}, several_runs}) {
      // On a device, a launch of 1000 experiments takes as long as one of 100.
      const std::int64_t batch = std::min<std::int64_t>(1024, 4096 / runs);
      in_batches(options.experiments, batch, [&](std::int64_t first, std::int64_t number) {
        SeriesExperiments experiments(model, options.seed(first), number, runs);
        count(model, cases, first_case, runs, experiments, options.confidence, counts);
      });
    }
  };
  for (const double load : {0.5, 0.8, 0.95}) add(models::MM1{load, 1, 1, 0}, fmt::format("load {}", load));
  add(Autoregressive(), "AR(1)");
  add(models::MMCK{4, 1, 3, 5, 1, 1}, "M/M/3/5");  // number of customers, from empty

  CoverageTable table{"series", {"method"}, {}};
  for (const Case& one : cases) table.header.push_back(fmt::format("{}, {}", one.name, one.observations));
  for (auto& [method, of_method] : counts) {
    of_method.resize(cases.size());
    const std::string runs = method == SeriesMethod::replications ? fmt::format(", {} runs", several_runs) : "";
    table.add({fmt::format("`{}`{}", name_of(method), runs)}, of_method);
  }
  return table;
}

}  // namespace sporos::bench
