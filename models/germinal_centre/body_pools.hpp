// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/count.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sporos::models {

/// State of the pools after a global step: numbers of cells by kind.
struct PoolsState {
  std::array<std::vector<std::int64_t>, pool_count> cells;  ///< in each pool
  std::vector<std::int64_t> produced;                       ///< produced in the marrow since the beginning
  std::vector<std::int64_t> lost;                           ///< died in pools or left the body since the beginning
  std::vector<std::int64_t> sent;                           ///< sent to the centres since the beginning

  /// Initial state of a case.
  static PoolsState of(const GerminalCentreCase& all) {
    PoolsState pools;
    for (const CellKind& kind : all.kinds) {
      for (std::size_t pool = 0; pool < pool_count; ++pool) pools.cells[pool].push_back(kind.in_pools[pool]);
    }
    pools.produced.assign(all.kinds.size(), 0);
    pools.lost = pools.sent = pools.produced;
    return pools;
  }
  /// Number of cells of a kind in all pools.
  std::int64_t total(std::size_t kind) const {
    std::int64_t sum = 0;
    for (const auto& pool : cells) sum += pool[kind];
    return sum;
  }
  /// Whether all numbers are equal.
  friend bool operator==(const PoolsState&, const PoolsState&) = default;
};

/// Cells that a centre gives to the pools, or receives from them, in a global step: numbers by kind.
struct CentreFlow {
  std::vector<std::int64_t> blood_or_lymph;  ///< given to the lymph, or received from the blood
  std::vector<std::int64_t> saliva;          ///< given to the saliva, or received from it
};

namespace impl {

/// Random rounding of numbers of cells, with one stream for each kind and place.
class Rounding {
 public:
  Rounding(std::uint64_t seed, std::uint64_t who, std::int64_t step)
      : m_seed(seed), m_who(who), m_first(static_cast<std::uint64_t>(step) << 16) {}

  /// Next uniform in (0, 1).
  double next() { return open_uniform(drawn(m_seed, m_who, DrawPurpose::exchange, m_first + m_count++)[0]); }

  /// A whole number of cells with mean `expected`.
  std::int64_t rounded(double expected) { return bounded_count(std::floor(expected + next())); }

 private:
  std::uint64_t m_seed, m_who, m_first;
  std::uint64_t m_count = 0;
};

/// Splits `count` cells in proportion to `weights`. The parts are whole numbers that add up to `count`. Each has mean
/// count · weight / Σ weights and differs from proportionality by rounding only.
inline std::vector<std::int64_t> split(std::int64_t count, std::span<const double> weights, Rounding& rounding) {
  double rest = 0;
  for (const double weight : weights) rest += weight;
  std::vector<std::int64_t> parts;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool is_last = i + 1 == weights.size() || weights[i] >= rest;
    std::int64_t part = is_last ? count : 0;
    if (!is_last && weights[i] > 0) {
      part = std::min(rounding.rounded(static_cast<double>(count) * (weights[i] / rest)), count);
    }
    parts.push_back(part);
    count -= part;
    rest -= weights[i];
  }
  return parts;
}

}  // namespace impl

/// The global pools of Lee (2012), Hybrid parallel computing strategies for scientific computing applications, Figure
/// 2.3. Every process has the same state.
class BodyPools {
 public:
  /// Initial pools of a case that has passed its check.
  BodyPools(const GerminalCentreCase& all, std::uint64_t seed)
      : m_case(all), m_seed(seed), m_state(PoolsState::of(all)) {}

  /// Current numbers of cells.
  const PoolsState& state() const { return m_state; }
  /// Continues from a saved state.
  void restore(PoolsState state) { m_state = std::move(state); }

  /// Begins global step number `step`, from 0: produces cells and carries them between pools with the flows. Returns
  /// the cells that each centre receives in this step. Each number of cells has the mean that rates and flows give.
  std::vector<CentreFlow> send(std::int64_t step);

  /// Ends the step: adds the cells that the centres have given to lymph and saliva.
  void take(const std::vector<CentreFlow>& given);

 private:
  void produce(std::int64_t step);
  void carry(std::int64_t step, std::size_t kind, std::vector<CentreFlow>& to_centres);
  std::vector<std::int64_t> carried_from(std::int64_t step, std::size_t kind, std::size_t pool) const;
  void share_out(std::int64_t step, std::size_t kind, std::size_t pool, std::int64_t count,
                 std::vector<CentreFlow>& to_centres);

  impl::Rounding rounding(std::int64_t step, std::size_t kind, std::size_t what) const {
    return {m_seed, kind * 16 + what, step};
  }

  const GerminalCentreCase& m_case;
  std::uint64_t m_seed;
  PoolsState m_state;
};

inline std::vector<CentreFlow> BodyPools::send(std::int64_t step) {
  produce(step);
  const std::vector<std::int64_t> none(m_case.kinds.size(), 0);
  std::vector<CentreFlow> to_centres(static_cast<std::size_t>(m_case.centres), {none, none});
  for (std::size_t kind = 0; kind < m_case.kinds.size(); ++kind) carry(step, kind, to_centres);
  return to_centres;
}

inline void BodyPools::take(const std::vector<CentreFlow>& given) {
  constexpr auto lymph = static_cast<std::size_t>(Compartment::lymph);
  constexpr auto saliva = static_cast<std::size_t>(Compartment::saliva);
  for (const CentreFlow& of_centre : given) {
    for (std::size_t kind = 0; kind < m_case.kinds.size(); ++kind) {
      m_state.cells[lymph][kind] += of_centre.blood_or_lymph[kind];
      m_state.cells[saliva][kind] += of_centre.saliva[kind];
    }
  }
}

inline void BodyPools::produce(std::int64_t step) {
  constexpr auto marrow = static_cast<std::size_t>(Compartment::marrow);
  for (std::size_t kind = 0; kind < m_case.kinds.size(); ++kind) {
    if (m_case.kinds[kind].production == 0) continue;
    const std::int64_t made =
        rounding(step, kind, pool_count).rounded(m_case.kinds[kind].production * m_case.global_step());
    m_state.cells[marrow][kind] += made;
    m_state.produced[kind] += made;
  }
}

/// All flows happen at once: a pool gives cells that it had at the beginning of the step.
inline void BodyPools::carry(std::int64_t step, std::size_t kind, std::vector<CentreFlow>& to_centres) {
  std::array<std::vector<std::int64_t>, pool_count> parts;
  for (std::size_t pool = 0; pool < pool_count; ++pool) parts[pool] = carried_from(step, kind, pool);
  for (std::size_t pool = 0; pool < pool_count; ++pool) {
    for (std::size_t to = 0; to < parts[pool].size(); ++to) {
      const std::int64_t count = parts[pool][to];
      if (count == 0 || to == pool_count + 2) continue;  // the last part stays
      m_state.cells[pool][kind] -= count;
      const auto where = static_cast<Compartment>(to);
      if (where == Compartment::tissue) {
        share_out(step, kind, pool, count, to_centres);
      } else if (where == Compartment::outside) {
        m_state.lost[kind] += count;
      } else {
        m_state.cells[to][kind] += count;
      }
    }
  }
}

/// Numbers of a pool's cells that go to each compartment, followed by the number that stay.
inline std::vector<std::int64_t> BodyPools::carried_from(std::int64_t step, std::size_t kind, std::size_t pool) const {
  std::vector<double> weights;
  double staying = 1;
  for (std::size_t to = 0; to <= pool_count + 1; ++to) {
    weights.push_back(pool_rate(m_case, m_case.kinds[kind], pool, static_cast<Compartment>(to)) * m_case.global_step());
    staying -= weights.back();
  }
  weights.push_back(staying > 0 ? staying : 0);
  auto numbers = rounding(step, kind, pool);
  return impl::split(m_state.cells[pool][kind], weights, numbers);
}

inline void BodyPools::share_out(std::int64_t step, std::size_t kind, std::size_t pool, std::int64_t count,
                                 std::vector<CentreFlow>& to_centres) {
  m_state.sent[kind] += count;
  const bool is_blood = static_cast<Compartment>(pool) == Compartment::blood;
  auto numbers = rounding(step, kind, pool_count + 1 + (is_blood ? 0 : 1));
  const std::vector<double> equal(to_centres.size(), 1.0);
  const auto parts = impl::split(count, equal, numbers);
  for (std::size_t centre = 0; centre < parts.size(); ++centre) {
    (is_blood ? to_centres[centre].blood_or_lymph : to_centres[centre].saliva)[kind] += parts[centre];
  }
}

}  // namespace sporos::models
