// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/journaled_problem.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

std::vector<SampleMoments> JournaledProblem::simulate(std::span<const Sample> samples) {
  if (m_moments.size() - m_next >= samples.size()) {
    const auto first = m_moments.begin() + static_cast<std::ptrdiff_t>(m_next);
    m_next += samples.size();
    return {first, first + static_cast<std::ptrdiff_t>(samples.size())};
  }
  std::vector<SampleMoments> found = m_problem.simulate(samples);
  m_moments.insert(m_moments.end(), found.begin(), found.end());
  m_next = m_moments.size();
  return found;
}

io::Json JournaledProblem::json() const {
  io::Json journal = io::Json::array();
  for (const SampleMoments& moments : m_moments) {
    journal.push_back({{"count", moments.count},
                       {"means", moments.means},
                       {"products", moments.products},
                       {"slopes", moments.slopes}});
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
    const std::size_t k = moments.count > 0 ? quantities() : 0, slopes = moments.slopes.size();
    if (moments.count < 0 || moments.means.size() != k || moments.products.size() != k * k ||
        (slopes != 0 && slopes != k * dimension())) {
      throw std::invalid_argument(
          fmt::format("{} has an entry of {} replications with {} means, {} products and {} "
                      "slopes, expected those of {} in {} dimensions",
                      what, moments.count, moments.means.size(), moments.products.size(), slopes,
                      plural(static_cast<std::int64_t>(quantities()), "quantity", "quantities"), dimension()));
    }
  }
  m_next = 0;
}

std::int64_t JournaledProblem::replications() const {
  std::int64_t sum = 0;
  for (const SampleMoments& moments : m_moments) sum += moments.count;
  return sum;
}

}  // namespace sporos::runtime
