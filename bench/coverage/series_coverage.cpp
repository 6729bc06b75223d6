// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/series.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/procedures/steady_state/series_methods.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace sporos::bench {

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

// x' = 0.9 x + z, which begins 8.7 deviations from its stationary mean, 0.
struct Autoregressive {
  enum Input { noise, input_count };
  struct SeriesState {
    double last;
  };
  static constexpr auto series_names = std::array{"value"};
  static constexpr std::array<std::string_view, 0> series_ignores{};
  static constexpr bool series_regenerates = false;

  std::array<std::optional<double>, 1> series_means() const { return {0}; }
  void check_series() const {}

  template <class Inputs>
  KOKKOS_FUNCTION SeriesState begin_series(Inputs&) const {
    return {20};
  }
  template <class Inputs, class Series>
  KOKKOS_FUNCTION void observe(SeriesState& state, Inputs& inputs, Series& series) const {
    while (series.goes_on()) {
      state.last = 0.9 * state.last + normal(inputs(noise), 0.0, 1.0);
      series.record(state.last);
    }
  }
};

struct Case {
  std::string name;
  std::int64_t observations;
};

// By method, of each case.
using Counts = std::map<SeriesMethod, std::vector<Coverage>>;

constexpr std::int64_t several_runs = 16;

// Looks at one experiment after 2^14, 2^16, 2^18 observations in all.
template <class Model>
void count(const Model& model, const std::vector<Case>& cases, std::size_t first_case, const CoverageOptions& options,
           Counts& counts) {
  const double exact = *model.series_means()[0];
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    for (const std::int64_t runs : {std::int64_t{1}, several_runs}) {
      SeriesLauncher<Model, Space> launcher(Space(), model, static_cast<std::uint64_t>(e + 1), runs);
      SeriesRuns series(launcher);
      for (std::size_t c = first_case; c < cases.size(); ++c) {
        if (runs > 1 && cases[c].observations / runs < 4 * segment_observations) continue;
        while (series.observations() < cases[c].observations / runs) series.extend();
        for (const SeriesMethod method : values_of<SeriesMethod>()) {
          const bool is_for_runs = method == SeriesMethod::replications;
          if (is_for_runs != (runs > 1)) continue;
          if (method == SeriesMethod::regenerative && !Model::series_regenerates) continue;
          const SeriesInterval interval = steady_state_mean(method, series, 0, options.confidence);
          auto& of_method = counts[method];
          of_method.resize(cases.size());
          of_method[c].add(interval.lack.empty(), interval.low, interval.high, exact);
        }
      }
    }
  }
}

}  // namespace

std::string series_coverage(const CoverageOptions& options) {
  std::vector<Case> cases;
  Counts counts;
  const auto add = [&](const auto& model, const std::string& name) {
    const std::size_t first = cases.size();
    for (std::int64_t length = 4 * segment_observations; length <= options.observations; length *= 4) {
      cases.push_back({name, length});
    }
    count(model, cases, first, options, counts);
  };
  for (const double load : {0.5, 0.8, 0.95}) add(models::MM1{load, 1, 1, 0}, fmt::format("load {}", load));
  add(Autoregressive(), "AR(1)");

  std::vector<std::string> header{"method"};
  for (const Case& one : cases) header.push_back(fmt::format("{}, {}", one.name, one.observations));
  std::vector<std::vector<std::string>> rows;
  for (auto& [method, of_method] : counts) {
    of_method.resize(cases.size());
    const std::string runs = method == SeriesMethod::replications ? fmt::format(", {} runs", several_runs) : "";
    auto& row = rows.emplace_back(std::vector<std::string>{fmt::format("`{}`{}", name_of(method), runs)});
    for (const Coverage& coverage : of_method) row.push_back(coverage.text());
  }
  return markdown(header, rows);
}

}  // namespace sporos::bench
