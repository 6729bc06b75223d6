// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/journaled_problem.hpp>

#include <cstdint>
#include <limits>
#include <utility>

namespace sporos::runtime {

std::vector<SampleMean> JournaledProblem::evaluate(std::span<const Sample> samples) {
  if (m_means.size() - m_next >= samples.size()) {
    const auto first = m_means.begin() + static_cast<std::ptrdiff_t>(m_next);
    m_next += samples.size();
    return {first, first + static_cast<std::ptrdiff_t>(samples.size())};
  }
  std::vector<SampleMean> means = m_problem.evaluate(samples);
  m_means.insert(m_means.end(), means.begin(), means.end());
  m_next = m_means.size();
  return means;
}

io::Json JournaledProblem::json() const {
  io::Json journal = io::Json::array();
  for (const SampleMean& mean : m_means) {
    journal.push_back({{"count", mean.count},
                       {"mean", io::json_number(mean.mean)},
                       {"squared_deviation", mean.squared_deviation},
                       {"gradient", mean.gradient}});
  }
  return journal;
}

void JournaledProblem::restore(const io::Json& journal, const std::string& what) {
  m_means.clear();
  for (const io::Json& entry : journal) {
    SampleMean mean;
    mean.count = io::json_member<std::int64_t>(entry, what, "count");
    mean.mean = std::numeric_limits<double>::infinity();  // of no replications
    if (mean.count > 0) mean.mean = io::json_member<double>(entry, what, "mean");
    mean.squared_deviation = io::json_member<double>(entry, what, "squared_deviation");
    mean.gradient = io::json_numbers(entry, what, "gradient");
    m_means.push_back(std::move(mean));
  }
  m_next = 0;
}

std::int64_t JournaledProblem::replications() const {
  std::int64_t sum = 0;
  for (const SampleMean& mean : m_means) sum += mean.count;
  return sum;
}

}  // namespace sporos::runtime
