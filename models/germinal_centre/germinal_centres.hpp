// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/models/germinal_centre/body_pools.hpp>
#include <sporos/models/germinal_centre/centre_state.hpp>
#include <sporos/models/germinal_centre/germinal_centre_checks.hpp>
#include <sporos/models/germinal_centre/local_arrivals.hpp>
#include <sporos/models/germinal_centre/tissue.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// State of all germinal centres and the pools after a global step.
struct GerminalCentresState {
  std::int64_t steps = 0;            ///< number of global steps
  PoolsState pools;                  ///< the same on every process
  std::vector<CentreState> centres;  ///< by number
};

/// Numbers of cells of each kind after a global step, and tallies of what has happened to cells.
struct CellCensus {
  double minutes = 0;                             ///< simulated time
  PoolsState pools;                               ///< state of the pools
  std::vector<std::vector<std::int64_t>> tissue;  ///< by centre and kind
  std::vector<std::int64_t> tallies;              ///< by centre, kind and CellTally
};

/// Throws std::invalid_argument if there are more processes than centres.
inline void check_processes(const GerminalCentreCase& all, const Processes& processes) {
  if (processes.count() <= all.centres) return;
  throw std::invalid_argument(std::string("number of processes is ")
                                  .append(std::to_string(processes.count()))
                                  .append(", expected at most ")
                                  .append(std::to_string(all.centres))
                                  .append(", one for each germinal centre"));
}

/// Germinal centres distributed over processes and coupled by pools, of which every process has the same copy. The
/// processes communicate once per global step of n local steps: they exchange the numbers of cells that have left their
/// centres.
///
/// The result depends only on (case, seed), bit for bit; backend, threads and processes do not matter.
template <class ExecutionSpace>
class GerminalCentres {
 public:
  /// Starts a case. Throws std::invalid_argument if the case is not valid or there are more processes than centres, and
  /// OutOfMemory if the tissue does not fit. Collective.
  GerminalCentres(const ExecutionSpace& space, const GerminalCentreCase& all, std::uint64_t seed,
                  Processes& processes = single_process)
      : m_case(checked(all, processes)),
        m_processes(processes),
        m_mine(parts_of_process(processes, processes.rank(), all.centres)),
        m_arrivals(m_case, seed, m_mine.first),
        m_pools(m_case, seed),
        m_tissue(space, m_case, seed, static_cast<int>(m_mine.count())) {
    m_tissue.populate(m_arrivals.beginning(static_cast<int>(m_mine.count())));
    m_tallies.assign(static_cast<std::size_t>(m_case.centres) * m_case.kinds.size() * tally_count, 0);
  }
  GerminalCentres(const GerminalCentres&) = delete;             ///< members refer to the case
  GerminalCentres& operator=(const GerminalCentres&) = delete;  ///< members refer to the case

  /// Advances by one global step. Collective.
  void advance();

  /// Number of global steps so far.
  std::int64_t steps() const { return m_steps; }
  /// Number of agents of this process.
  std::int64_t agents() const { return m_tissue.agents(); }

  /// Numbers of cells of each kind.
  CellCensus census() const;

  /// State of all centres and pools. This collective call blocks.
  GerminalCentresState state() const;
  /// Continues from a state. Throws std::invalid_argument if it has another number of centres than the case.
  void restore(const GerminalCentresState& state);

  /// Hash of the state. This collective call blocks.
  std::uint64_t digest() const;

 private:
  static const GerminalCentreCase& checked(const GerminalCentreCase& all, const Processes& processes) {
    all.check();
    check_processes(all, processes);
    return all;
  }
  std::size_t tallies_of_centre() const { return m_case.kinds.size() * tally_count; }
  std::vector<std::int64_t> all_tallies() const;
  std::vector<CentreFlow> given_since(const std::vector<std::int64_t>& before) const;

  const GerminalCentreCase m_case;
  Processes& m_processes;
  PartRange m_mine;  // centres of this process
  LocalArrivals m_arrivals;
  BodyPools m_pools;
  Tissue<ExecutionSpace> m_tissue;
  std::vector<std::int64_t> m_tallies;  // tallies of all centres
  std::int64_t m_steps = 0;
};

template <class ExecutionSpace>
void GerminalCentres<ExecutionSpace>::advance() {
  const auto sent = m_pools.send(m_steps);
  const std::span mine(sent.data() + m_mine.first, static_cast<std::size_t>(m_mine.count()));
  m_tissue.advance(static_cast<std::int32_t>(m_steps * m_case.steps_per_exchange), m_arrivals.in_steps(m_steps, mine));
  const auto before = std::exchange(m_tallies, all_tallies());
  m_pools.take(given_since(before));
  ++m_steps;
}

/// Tallies of all processes.
template <class ExecutionSpace>
std::vector<std::int64_t> GerminalCentres<ExecutionSpace>::all_tallies() const {
  const auto mine = m_tissue.tallies();
  std::vector<std::int64_t> counts;
  for (int rank = 0; rank < m_processes.count(); ++rank) {
    counts.push_back(parts_of_process(m_processes, rank, m_case.centres).count() *
                     static_cast<std::int64_t>(tallies_of_centre()));
  }
  std::vector<std::int64_t> all(static_cast<std::size_t>(m_case.centres) * tallies_of_centre());
  gather_into(all.data(), m_processes, std::span<const std::int64_t>(mine), counts);
  return all;
}

template <class ExecutionSpace>
std::vector<CentreFlow> GerminalCentres<ExecutionSpace>::given_since(const std::vector<std::int64_t>& before) const {
  std::vector<CentreFlow> given(static_cast<std::size_t>(m_case.centres));
  std::size_t i = 0;
  for (CentreFlow& of_centre : given) {
    for (std::size_t kind = 0; kind < m_case.kinds.size(); ++kind, i += tally_count) {
      of_centre.blood_or_lymph.push_back(m_tallies[i + drained] - before[i + drained]);
      of_centre.saliva.push_back(m_tallies[i + shed] - before[i + shed]);
    }
  }
  return given;
}

template <class ExecutionSpace>
CellCensus GerminalCentres<ExecutionSpace>::census() const {
  CellCensus census{static_cast<double>(m_steps) * m_case.global_step(), m_pools.state(), {}, m_tallies};
  auto tally = m_tallies.begin();
  for (int centre = 0; centre < m_case.centres; ++centre) {
    std::vector<std::int64_t> cells;
    for (const CellKind& kind : m_case.kinds) {
      cells.push_back(kind.in_tissue + tally[arrived] + tally[born] + tally[became] - tally[ceased] - tally[died] -
                      tally[drained] - tally[shed]);
      tally += tally_count;
    }
    census.tissue.push_back(std::move(cells));
  }
  return census;
}

template <class ExecutionSpace>
GerminalCentresState GerminalCentres<ExecutionSpace>::state() const {
  std::vector<std::uint64_t> mine;
  for (const CentreState& centre : m_tissue.states()) {
    const auto words = words_of(centre);
    mine.push_back(words.size());
    mine.insert(mine.end(), words.begin(), words.end());
  }
  const auto all = gather(m_processes, std::span<const std::uint64_t>(mine));
  GerminalCentresState state{m_steps, m_pools.state(), {}};
  for (auto place = all.begin(); place != all.end();) {
    const auto begin = place + 1;
    place = begin + static_cast<std::ptrdiff_t>(*place);
    state.centres.push_back(centre_state_of(std::vector(begin, place), CentreShape::of(m_case)));
  }
  return state;
}

template <class ExecutionSpace>
void GerminalCentres<ExecutionSpace>::restore(const GerminalCentresState& state) {
  if (state.centres.size() != static_cast<std::size_t>(m_case.centres)) {
    throw std::invalid_argument(std::string("a state has ")
                                    .append(std::to_string(state.centres.size()))
                                    .append(" germinal centres, expected ")
                                    .append(std::to_string(m_case.centres))
                                    .append(" as in the case"));
  }
  m_steps = state.steps;
  m_pools.restore(state.pools);
  m_tallies.clear();
  for (const CentreState& centre : state.centres) {
    m_tallies.insert(m_tallies.end(), centre.tallies.begin(), centre.tallies.end());
  }
  const auto first = state.centres.begin() + m_mine.first;
  m_tissue.restore(std::vector(first, first + m_mine.count()));
}

template <class ExecutionSpace>
std::uint64_t GerminalCentres<ExecutionSpace>::digest() const {
  std::vector<std::uint64_t> mine;
  for (const CentreState& centre : m_tissue.states()) mine.push_back(digest_of(words_of(centre)));
  auto words = gather(m_processes, std::span<const std::uint64_t>(mine));
  words.push_back(static_cast<std::uint64_t>(m_steps));
  const PoolsState& pools = m_pools.state();
  for (std::size_t kind = 0; kind < m_case.kinds.size(); ++kind) {
    for (const auto& cells : pools.cells) words.push_back(static_cast<std::uint64_t>(cells[kind]));
    for (const auto* counts : {&pools.produced, &pools.lost, &pools.sent}) {
      words.push_back(static_cast<std::uint64_t>((*counts)[kind]));
    }
  }
  return digest_of(words);
}

#define SPOROS_TISSUE_ON(ExecutionSpace) class Tissue<ExecutionSpace>
#define SPOROS_GERMINAL_CENTRES_ON(ExecutionSpace) class GerminalCentres<ExecutionSpace>
SPOROS_INSTANTIATE(SPOROS_TISSUE_ON)
SPOROS_INSTANTIATE(SPOROS_GERMINAL_CENTRES_ON)

}  // namespace sporos::models
