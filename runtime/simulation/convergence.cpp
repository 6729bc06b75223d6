// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/convergence.hpp>

#include <sporos/core/replication/estimates.hpp>

#include <algorithm>
#include <utility>

namespace sporos::runtime {

namespace {

std::vector<ResponsePair> pairs_of(const std::vector<RatioOfMeans>& ratios) {
  std::vector<ResponsePair> pairs;
  for (const RatioOfMeans& ratio : ratios) {
    const auto responses = sporos::impl::responses_of(ratio);
    for (std::size_t i = 0; i < responses.size(); ++i) {
      for (std::size_t j = i + 1; j < responses.size(); ++j) pairs.push_back({responses[i], responses[j]});
    }
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

Convergence::Convergence(const ModelDescription& model, const std::vector<ParameterValues>& design)
    : m_names(model.response_names(design.front())) {
  const std::size_t responses = m_names.size();
  for (std::size_t i = 0; i < std::min(design.size(), max_points); ++i) {
    ResponseProperties properties{{}, model.ratios(design[i])};
    auto pairs = pairs_of(properties.ratios);
    ReplicationSummary summary(static_cast<int>(responses), 0, 1, static_cast<int>(pairs.size()));
    m_points.push_back({std::move(summary),
                        std::move(properties),
                        std::move(pairs),
                        std::vector<std::vector<double>>(responses),
                        {},
                        {}});
  }
}

void Convergence::add(std::size_t point, std::size_t response, double observation) {
  if (point >= m_points.size() || response >= m_names.size()) return;  // controls follow the responses
  auto& waiting = m_points[point].waiting;
  waiting[response].push_back(observation);
  const bool is_last = std::ranges::all_of(waiting, [&](const auto& one) { return one.size() == waiting[0].size(); });
  if (is_last) take_rows(m_points[point]);
}

void Convergence::take_rows(Point& point) {
  ReplicationSummary& summary = point.summary;
  for (std::size_t row = 0; row < point.waiting.front().size(); ++row) {
    for (std::size_t r = 0; r < m_names.size(); ++r) summary.observations[r].add(point.waiting[r][row]);
    for (std::size_t p = 0; p < point.pairs.size(); ++p) {
      const auto [first, second] = point.pairs[p];
      summary.pairs[p].add(CoMoments{1, point.waiting[static_cast<std::size_t>(first)][row],
                                     point.waiting[static_cast<std::size_t>(second)][row], 0});
    }
    if (!point.looks.are_due(++summary.replications)) continue;
    constexpr double confidence = 0.5;  // any value will do: steps() computes the half-widths again
    point.steps.push_back(sporos::impl::estimates(summary, m_names, confidence, point.properties, point.pairs));
  }
  for (auto& values : point.waiting) values.clear();
}

std::vector<EstimateStep> Convergence::steps(std::size_t point, std::size_t response, const ResponseEstimate& last,
                                             double confidence) const {
  std::vector<EstimateStep> list;
  const auto add = [&](const ResponseEstimate& estimate, double width) {
    list.push_back({estimate.observations, estimate.mean, estimate.mean - width, estimate.mean + width});
  };
  for (const auto& estimates : m_points.at(point).steps) {
    ResponseEstimate estimate = estimates.at(response);
    if (estimate.observations >= last.observations) break;
    estimate.range = last.range;
    estimate.run_length = last.run_length;
    add(estimate, half_width(estimate, confidence));
  }
  add(last, last.half_width);
  return list;
}

}  // namespace sporos::runtime
