// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/journaled_problem.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <stdexcept>

namespace sporos::runtime {

std::vector<SampleMoments> JournaledProblem::simulate(std::span<const Sample> samples) {
  if (m_moments.size() - m_next >= samples.size()) {
    const auto first = m_moments.begin() + static_cast<std::ptrdiff_t>(m_next);
    m_next += samples.size();
    note(samples, {first, samples.size()});
    return {first, first + static_cast<std::ptrdiff_t>(samples.size())};
  }
  std::vector<SampleMoments> found = m_problem.simulate(samples);
  for (const SampleMoments& moments : found) m_replications += moments.count;
  if (m_records) m_moments.insert(m_moments.end(), found.begin(), found.end());
  m_next = m_moments.size();
  note(samples, found);
  return found;
}

void JournaledProblem::note(std::span<const Sample> samples, std::span<const SampleMoments> found) {
  m_infeasible.samples += static_cast<std::int64_t>(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (found[i].count == 0) note_infeasible(samples[i], found[i]);
  }
}

void JournaledProblem::note_infeasible(const Sample& sample, const SampleMoments& moments) {
  if (m_infeasible.infeasible++ > 0) return;
  m_infeasible.example = sample.x;
  m_infeasible.replications = sample.count;
  m_infeasible.moments = moments;
}

io::Json JournaledProblem::json() const {
  io::Json journal = io::Json::array();
  for (const SampleMoments& moments : m_moments) {
    journal.push_back({{"count", moments.count},
                       {"means", moments.means},
                       {"products", moments.products},
                       {"slopes", moments.slopes}});
    if (!moments.values.empty()) journal.back()["values"] = moments.values;
    if (moments.failed == 0) continue;
    journal.back()["failed"] = moments.failed;
    journal.back()["failure"] = {static_cast<std::int64_t>(moments.failure.failure), moments.failure.capacity};
  }
  return journal;
}

void JournaledProblem::restore(const io::Json& journal, const std::string& what) {
  m_moments.clear();
  for (const io::Json& entry : journal) {
    SampleMoments& moments = m_moments.emplace_back();
    moments.count = io::json_member<std::int64_t>(entry, what, "count");
    moments.means = io::json_numbers(entry, what, "means");
    moments.products = io::json_numbers(entry, what, "products");
    moments.slopes = io::json_numbers(entry, what, "slopes");
    if (entry.contains("values")) moments.values = io::json_numbers(entry, what, "values");
    if (entry.contains("failed")) {
      moments.failed = io::json_member<std::int64_t>(entry, what, "failed");
      const std::vector<double> failure = io::json_numbers(entry, what, "failure");
      if (failure.size() != 2)
        throw std::invalid_argument(fmt::format("{} has a failure of {} numbers, expected 2", what, failure.size()));
      moments.failure = {static_cast<Failure>(failure[0]), static_cast<std::uint32_t>(failure[1])};
    }
    const std::size_t k = moments.count > 0 ? quantities() : 0, slopes = moments.slopes.size();
    const std::size_t values =
        (slopes == 0 ? k : k + slopes) * static_cast<std::size_t>(std::max<std::int64_t>(moments.count, 0));
    if (moments.count < 0 || moments.means.size() != k || moments.products.size() != k * k ||
        (slopes != 0 && slopes != k * dimension()) || (!moments.values.empty() && moments.values.size() != values)) {
      throw std::invalid_argument(
          fmt::format("{} has an entry of {} replications with {} means, {} products, {} "
                      "slopes and {} values, which do not fit {} in {} dimensions",
                      what, moments.count, moments.means.size(), moments.products.size(), slopes, moments.values.size(),
                      plural(static_cast<std::int64_t>(quantities()), "quantity", "quantities"), dimension()));
    }
  }
  m_next = 0;
  m_replications = 0;
  for (const SampleMoments& moments : m_moments) m_replications += moments.count;
}

}  // namespace sporos::runtime
