// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_histograms.hpp>

#include <sporos/runtime/simulation/response_grid.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr std::int64_t max_bins = 1000;

HistogramBins histogram_bins(const std::string& text, const std::vector<std::string>& names) {
  const auto [response, low, high, count] = response_grid("--histogram", text, "bins", names, 1, max_bins);
  HistogramBins bins{response, names[response], {}};
  for (std::int64_t i = 0; i <= count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count);
    bins.edges.push_back(i == count ? high : low + share * (high - low));
  }
  if (std::ranges::adjacent_find(bins.edges, std::greater_equal<>()) != bins.edges.end()) {
    throw std::invalid_argument(fmt::format(
        "--histogram is {}, whose bins are narrower than the spacing of floating-point numbers, expected wider bins",
        io::in_quotes(text)));
  }
  return bins;
}

}  // namespace

ResponseHistograms::ResponseHistograms(const std::vector<std::string>& texts, const ModelDescription& model,
                                       const std::vector<ParameterValues>& design, const Plan& plan)
    : m_confidence(plan.confidence) {
  const auto names = model.response_names(design.front());
  std::vector<std::vector<std::int64_t>> none;
  for (const std::string& text : texts) {
    m_bins.push_back(histogram_bins(text, names));
    none.emplace_back(m_bins.back().edges.size() + 1);
  }
  check_independence("--histogram", plan);
  m_counts.assign(design.size(), none);
}

void ResponseHistograms::add(const ReplicationRows& rows) {
  for (std::size_t place = 0; place < rows.points.size(); ++place) {
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
      const auto& [response, name, edges] = m_bins[i];
      for (std::int64_t row = 0; row < rows.counts[place]; ++row) {
        const auto above = std::ranges::upper_bound(edges, rows(place, row, response));
        ++m_counts[rows.points[place]][i][static_cast<std::size_t>(above - edges.begin())];
      }
    }
  }
}

HistogramReport ResponseHistograms::report() const {
  HistogramReport report{m_bins, {}};
  for (const auto& of_point : m_counts) {
    auto& list = report.histograms.emplace_back();
    for (const auto& counts : of_point) {
      const std::int64_t all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
      const double single = 1 - (1 - m_confidence) / static_cast<double>(counts.size());
      Histogram& histogram = list.emplace_back(Histogram{counts, {}});
      for (const std::int64_t count : counts) histogram.shares.push_back(clopper_pearson(count, all, single));
    }
  }
  return report;
}

}  // namespace sporos::runtime
