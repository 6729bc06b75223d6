// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_densities.hpp>

#include <sporos/runtime/simulation/response_grid.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr std::int64_t max_density_points = 1000;

}  // namespace

ResponseDensities::ResponseDensities(const std::vector<std::string>& texts, const ModelDescription& model,
                                     const std::vector<ParameterValues>& design, const Plan& plan)
    : m_confidence(plan.confidence) {
  const auto names = model.response_names(design.front());
  std::vector<KernelDensity> each;
  check_independence("--density", plan);
  if (plan.replications < 2) {
    throw std::invalid_argument("--density is given with 1 replication, expected at least 2");
  }
  for (const std::string& text : texts) {
    const ResponseGrid grid = response_grid("--density", text, "points", names, 2, max_density_points);
    m_asked.push_back(
        {grid.response, names[grid.response], {grid.low, grid.high, static_cast<std::size_t>(grid.count)}});
    each.emplace_back(m_asked.back().grid, plan.replications);
  }
  m_densities.assign(design.size(), each);
}

void ResponseDensities::add(const ReplicationRows& rows) {
  for (std::size_t place = 0; place < rows.points.size(); ++place) {
    for (std::size_t i = 0; i < m_asked.size(); ++i) {
      KernelDensity& density = m_densities[rows.points[place]][i];
      for (std::int64_t row = 0; row < rows.counts[place]; ++row) {
        const double number = rows(place, row, m_asked[i].response);
        if (std::isfinite(number)) density.add(number);  // otherwise, the design point has failed
      }
    }
  }
}

DensityReport ResponseDensities::report() {
  DensityReport report{m_asked, {}};
  for (auto& of_point : m_densities) {
    auto& list = report.densities.emplace_back();
    for (KernelDensity& density : of_point) {
      density.finish();
      const std::string reason = density.reason();
      list.push_back({density.bandwidth(),
                      reason.empty() ? density.estimates(m_confidence) : std::vector<DensityEstimate>(), reason});
    }
  }
  return report;
}

}  // namespace sporos::runtime
