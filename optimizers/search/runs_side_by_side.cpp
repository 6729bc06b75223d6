// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/runs_side_by_side.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sporos::impl {

RunsSideBySide::RunsSideBySide(const Solver& solver, std::deque<SearchRun>& runs) : m_runs(runs) {
  for (SearchRun& run : runs) {
    m_searches.push_back(solver(run));
    if (m_searches.back().resume()) m_at_work.push_back(m_searches.size() - 1);
  }
}

void RunsSideBySide::let_go_on(const std::function<bool(std::size_t run)>& goes_on) {
  m_at_work.insert(m_at_work.end(), m_waiting.begin(), m_waiting.end());
  std::ranges::sort(m_at_work);
  const auto waiting = std::stable_partition(m_at_work.begin(), m_at_work.end(), goes_on);
  m_waiting.assign(waiting, m_at_work.end());
  m_at_work.erase(waiting, m_at_work.end());
}

void RunsSideBySide::take_wanted(std::vector<Sample>& samples) {
  samples.clear();
  samples.reserve(m_ends.empty() ? 0 : m_ends.back());  // about as many as in the last round
  m_ends.clear();
  for (const std::size_t i : m_at_work) {
    std::ranges::move(m_runs[i].take_wanted(), std::back_inserter(samples));
    m_ends.push_back(samples.size());
  }
}

void RunsSideBySide::give(const std::function<SampleMean(std::size_t sample, const SampledProblem& problem)>& mean) {
  std::vector<std::size_t> left;
  std::size_t sample = 0;
  for (std::size_t place = 0; place < m_at_work.size(); ++place) {
    const std::size_t i = m_at_work[place];
    std::vector<SampleMean> means;
    means.reserve(m_ends[place] - sample);
    for (; sample < m_ends[place]; ++sample) means.push_back(mean(sample, m_runs[i].problem()));
    m_runs[i].give(std::move(means));
    if (m_searches[i].resume()) left.push_back(i);
  }
  m_at_work = std::move(left);
}

}  // namespace sporos::impl
