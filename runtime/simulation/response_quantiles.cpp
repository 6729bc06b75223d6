// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_quantiles.hpp>

#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

std::vector<double> parse_probabilities(const std::string& text) {
  std::vector<double> probabilities;
  for (const std::string_view part : split(text, ',')) {
    const auto probability = io::parse_number<double>("--quantiles", part);
    if (!(probability > 0 && probability < 1)) {
      throw std::invalid_argument(
          fmt::format("--quantiles is {}, expected numbers between 0 and 1, such as 0.5,0.9", io::in_quotes(text)));
    }
    if (std::find(probabilities.begin(), probabilities.end(), probability) != probabilities.end()) {
      throw std::invalid_argument(fmt::format("--quantiles has {} twice, expected it once", probability));
    }
    probabilities.push_back(probability);
  }
  return probabilities;
}

ResponseQuantiles::ResponseQuantiles(std::vector<double> probabilities, const Plan& plan, std::size_t points,
                                     std::size_t responses)
    : m_probabilities(std::move(probabilities)),
      m_confidence(plan.confidence),
      m_values(points, std::vector<std::vector<double>>(responses)) {
  if (plan.source.replications_of_run() > 1) {
    throw std::invalid_argument(
        fmt::format("--quantiles needs independent replications, whose order statistics give the intervals: expected "
                    "random sampling in runs of 1, not {}",
                    plan.source.replications_of_run()));
  }
  constexpr double most_numbers = std::int64_t{1} << 28;
  const double of_replication = static_cast<double>(points * responses);
  if (static_cast<double>(plan.replications) * of_replication > most_numbers) {
    throw std::invalid_argument(
        fmt::format("--quantiles keeps all responses of {} replications, {:.6g} numbers: expected at most {:.0f}, or "
                    "--responses FILE",
                    plan.replications, static_cast<double>(plan.replications) * of_replication, most_numbers));
  }
  check_memory<Kokkos::HostSpace>({"responses", plan.replications, "replications", of_replication * sizeof(double)});
}

void ResponseQuantiles::add(const ReplicationRows& rows) {
  for (std::size_t place = 0; place < rows.points.size(); ++place) {
    for (std::size_t response = 0; response < rows.responses; ++response) {
      auto& values = m_values[rows.points[place]][response];
      for (std::int64_t row = 0; row < rows.counts[place]; ++row) values.push_back(rows(place, row, response));
    }
  }
}

QuantileReport ResponseQuantiles::report() const {
  QuantileReport report{m_probabilities, {}, {}};
  for (const double probability : m_probabilities) {
    report.needed.push_back(observations_for_quantile(probability, m_confidence));
  }
  for (const auto& responses : m_values) {
    auto& of_point = report.estimates.emplace_back();
    for (std::vector<double> sorted : responses) {
      std::sort(sorted.begin(), sorted.end());
      auto& list = of_point.emplace_back();
      for (const double probability : m_probabilities) {
        list.push_back(sorted_quantile(sorted, probability, m_confidence));
      }
    }
  }
  return report;
}

}  // namespace sporos::runtime
