// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_distributions.hpp>

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string_view>

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

constexpr std::int64_t max_density_points = 1000;

}  // namespace

ResponseGrid response_grid(const std::string& option, const std::string& text, const std::string& counted,
                           const std::vector<std::string>& names, std::int64_t least, std::int64_t most) {
  const auto sign = text.rfind('=');
  const auto parts =
      sign == std::string::npos ? std::vector<std::string_view>() : split(std::string_view(text).substr(sign + 1), ':');
  if (parts.size() != 3) {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected RESPONSE=LOW:HIGH:NUMBER with the number of {}, such as '{}=0:10:20'", option,
                    io::in_quotes(text), counted, names.front()));
  }
  const std::string name = text.substr(0, sign);
  const auto place =
      std::find_if(names.begin(), names.end(), [&](const std::string& known) { return is_same_name(known, name); });
  if (place == names.end()) {
    throw std::invalid_argument(
        fmt::format("{} names {}, which is no response{}", option, io::in_quotes(name), suggestion_for(name, names)));
  }
  const auto low = io::parse_number<double>(option + "'s lowest edge", parts[0]);
  const auto high = io::parse_number<double>(option + "'s highest edge", parts[1]);
  const auto count = io::parse_number<std::int64_t>(option + "'s number of " + counted, parts[2], least, most);
  for (const double edge : {low, high}) {
    if (std::isfinite(edge)) continue;
    throw std::invalid_argument(fmt::format("{} is {}, which has an edge of {}; give finite edges{}", option,
                                            io::in_quotes(text), io::shortest_text(edge),
                                            counted == "bins" ? " (values outside of them are counted, too)" : ""));
  }
  if (low < high && !std::isfinite(high - low)) {
    throw std::invalid_argument(fmt::format("{} is {}, whose edges are too far apart, expected a finite difference",
                                            option, io::in_quotes(text)));
  }
  if (!(low < high)) {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected edges with the lower one first", option, io::in_quotes(text)));
  }
  return {static_cast<std::size_t>(place - names.begin()), low, high, count};
}

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
