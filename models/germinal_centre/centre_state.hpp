// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/cell_tallies.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// Complete state of one germinal centre after a step, on the host. A simulation that is restored from it continues
/// with the same bits.
struct CentreState {
  std::vector<std::int64_t> cells;      ///< number of agents in each element
  std::vector<std::uint64_t> identity;  ///< by element, then sorted
  std::vector<std::int32_t> since;      ///< step in which each agent became its kind
  std::vector<std::uint32_t> state;     ///< words of AgentState
  std::vector<std::int64_t> amounts;    ///< units of each chemokine in each element, by chemokine
  std::vector<std::int64_t> decayed;    ///< units that have decayed, by chemokine and element
  std::vector<std::int64_t> tallies;    ///< by kind and tally

  /// Number of agents.
  std::size_t agents() const { return identity.size(); }
  /// A tally of a kind since the beginning.
  std::int64_t tally(std::size_t kind, CellTally what) const { return tallies[kind * tally_count + what]; }

  /// Number of agents of each of `kinds` kinds.
  std::vector<std::int64_t> census(std::size_t kinds) const {
    std::vector<std::int64_t> counts(kinds, 0);
    for (const std::uint32_t word : state) ++counts[static_cast<std::size_t>(AgentState{word}.kind())];
    return counts;
  }
  /// Whether both states are identical.
  friend bool operator==(const CentreState&, const CentreState&) = default;
};

/// Lengths of the lists of a centre's state, except those of agents.
struct CentreShape {
  std::size_t elements;    ///< elements of the mesh
  std::size_t kinds;       ///< kinds of agents
  std::size_t chemokines;  ///< chemokines

  /// Shape of a case.
  static CentreShape of(const GerminalCentreCase& all) {
    return {static_cast<std::size_t>(all.mesh.count()), all.kinds.size(), all.chemokines.size()};
  }
};

/// Encodes a state as a row of numbers, for checkpoints and for messages between processes.
inline std::vector<std::uint64_t> words_of(const CentreState& centre) {
  std::vector<std::uint64_t> words{centre.agents()};
  const auto add = [&](const auto& list) {
    for (const auto value : list) words.push_back(static_cast<std::uint64_t>(value));
  };
  add(centre.cells);
  add(centre.identity);
  for (std::size_t i = 0; i < centre.agents(); ++i) {
    words.push_back(std::uint64_t{static_cast<std::uint32_t>(centre.since[i])} << 32 | centre.state[i]);
  }
  add(centre.amounts);
  add(centre.decayed);
  add(centre.tallies);
  return words;
}

/// Decodes what words_of has encoded. Throws std::invalid_argument if `words` is not a state of this shape.
inline CentreState centre_state_of(const std::vector<std::uint64_t>& words, const CentreShape& shape) {
  const std::size_t fixed = 1 + shape.elements + 2 * shape.chemokines * shape.elements + shape.kinds * tally_count;
  if (words.empty() || words.size() < fixed || (words.size() - fixed) / 2 != words[0] ||
      (words.size() - fixed) % 2 != 0) {
    throw std::invalid_argument(std::string("the state of a germinal centre has ")
                                    .append(std::to_string(words.size()))
                                    .append(" numbers, expected a state of this case"));
  }
  std::size_t place = 1;
  CentreState centre;
  const auto take = [&](auto& list, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      list.push_back(static_cast<typename std::decay_t<decltype(list)>::value_type>(words[place++]));
    }
  };
  const auto agents = static_cast<std::size_t>(words[0]);
  take(centre.cells, shape.elements);
  take(centre.identity, agents);
  for (std::size_t i = 0; i < agents; ++i, ++place) {
    centre.since.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(words[place] >> 32)));
    centre.state.push_back(static_cast<std::uint32_t>(words[place]));
    if (static_cast<std::size_t>(AgentState{centre.state.back()}.kind()) >= shape.kinds) {
      throw std::invalid_argument("the state of a germinal centre has an agent of a kind that is not in this case");
    }
  }
  take(centre.amounts, shape.chemokines * shape.elements);
  take(centre.decayed, shape.chemokines * shape.elements);
  take(centre.tallies, shape.kinds * tally_count);
  if (std::accumulate(centre.cells.begin(), centre.cells.end(), std::int64_t{0}) != static_cast<std::int64_t>(agents)) {
    throw std::invalid_argument(
        "the state of a germinal centre has a number of agents that differs from that of its elements");
  }
  return centre;
}

/// Hash of numbers (FNV-1a, by words), continued from `hash`.
inline std::uint64_t digest_of(const std::vector<std::uint64_t>& words, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const std::uint64_t word : words) hash = (hash ^ word) * 0x100000001b3u;
  return hash;
}

}  // namespace sporos::models
