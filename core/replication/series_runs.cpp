// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/series_runs.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace sporos {

SeriesRuns::SeriesRuns(SegmentLauncher& launcher) : m_launcher(launcher) {
  constexpr std::uint64_t most = std::uint64_t{1} << 16, least = std::uint64_t{1} << 11;
  constexpr std::uint64_t most_of_all = std::uint64_t{1} << 22;
  const auto runs = static_cast<std::uint64_t>(launcher.runs());
  const std::size_t series = launcher.series_count();
  const std::size_t kept = std::bit_floor(std::max(std::min(most, most_of_all / series) / runs, least));
  m_series.assign(series, std::vector<BlockedSeries>(runs, BlockedSeries(kept)));
}

void SeriesRuns::extend() {
  const std::int64_t size = std::min(block_size(), segment_observations);
  const auto blocks = static_cast<std::size_t>(segment_observations / size);
  const std::span<const double> averages = m_launcher.launch(size);
  const std::size_t runs = m_series.front().size();
  for (std::size_t series = 0; series < m_series.size(); ++series) {
    for (std::size_t run = 0; run < runs; ++run) {
      for (std::size_t block = 0; block < blocks; ++block) {
        m_series[series][run].add(averages[(series * blocks + block) * runs + run], size);
      }
    }
  }
  m_observations += segment_observations;
}

SeriesRuns::State SeriesRuns::state() const {
  State state{m_launcher.state(), {}};
  for (const auto& runs : m_series) {
    auto& list = state.series.emplace_back();
    for (const BlockedSeries& run : runs) list.push_back(run.state());
  }
  return state;
}

void SeriesRuns::restore(const State& state) {
  const std::int64_t observations = state.segments.segments * segment_observations;
  bool fits = state.series.size() == m_series.size();
  for (std::size_t series = 0; fits && series < m_series.size(); ++series) {
    fits = state.series[series].size() == m_series[series].size();
    for (std::size_t run = 0; fits && run < m_series[series].size(); ++run) {
      m_series[series][run].restore(state.series[series][run]);
      fits = m_series[series][run].observations() == observations;
    }
  }
  if (!fits) throw std::invalid_argument("the state of the series belongs to other runs, expected one of these runs");
  m_launcher.restore(state.segments);
  m_observations = observations;
}

CycleSums SeriesRuns::cycles(std::size_t series) const {
  CycleSums all;
  for (std::int64_t run = 0; run < m_launcher.runs(); ++run) {
    const CycleSums sums = m_launcher.cycles(run, series);
    all.cycles += sums.cycles;
    all.length += sums.length;
    all.length_square += sums.length_square;
    all.total += sums.total;
    all.total_square += sums.total_square;
    all.product += sums.product;
  }
  return all;
}

}  // namespace sporos
