// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/host_view.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/models/germinal_centre/agent_actions.hpp>
#include <sporos/models/germinal_centre/agent_order.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agent_walk.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/centre_state.hpp>
#include <sporos/models/germinal_centre/chemokine_field.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sporos::models {

namespace impl {

/// Marks of the elements of a centre.
inline std::vector<std::uint32_t> element_marks(const TissueMesh& mesh) {
  std::vector<std::uint32_t> marks(static_cast<std::size_t>(mesh.count()), 0);
  for (const int element : elements_in(mesh, mesh.drains)) marks[static_cast<std::size_t>(element)] |= is_drain;
  for (const int element : elements_in(mesh, mesh.surface)) marks[static_cast<std::size_t>(element)] |= is_surface;
  return marks;
}

/// Copies the first `list.size()` numbers of a view.
template <class View, class T>
void copy_out(const View& view, std::int64_t first, std::vector<T>& list) {
  const auto range = std::pair(static_cast<std::size_t>(first), static_cast<std::size_t>(first) + list.size());
  Kokkos::deep_copy(host_view(list), Kokkos::subview(view, range));
}

/// The same the other way.
template <class View, class T>
void copy_in(const std::vector<T>& list, const View& view, std::int64_t first) {
  const auto range = std::pair(static_cast<std::size_t>(first), static_cast<std::size_t>(first) + list.size());
  Kokkos::deep_copy(Kokkos::subview(view, range), host_view(list));
}

}  // namespace impl

/// The tissue of the germinal centres of one process: agents, chemokines, and how they go on by one local step.
///
/// What becomes of an agent depends on (case, seed, its identity, the step) and on who is with it in its element alone;
/// the same bits on every backend, with any number of threads, and however centres are divided among processes.
template <class ExecutionSpace>
class Tissue {
 public:
  using Memory = typename ExecutionSpace::memory_space;  ///< where agents are

  /// `centres` empty ones, of a checked case. Throws OutOfMemory where their elements would not fit.
  Tissue(const ExecutionSpace& space, const GerminalCentreCase& all, std::uint64_t seed, int centres);

  /// Number of agents.
  std::int64_t agents() const { return m_count; }

  /// As many local steps as there are lists of `arrivals`, the first with the number `step`, from 0; at the end of each
  /// those of its list come in. Waits.
  void advance(std::int32_t step, const std::vector<std::vector<NewAgent>>& arrivals);

  /// Lets `arrivals` come in before the first step, counted as those that were there at first. Waits.
  void populate(std::span<const NewAgent> arrivals) { put_in_place(0, upload(arrivals), false); }

  /// The state of a centre, by its number in this process. Waits.
  CentreState state(int centre) const;
  /// All of them.
  std::vector<CentreState> states() const;
  /// Goes on from there: one state for each centre.
  void restore(const std::vector<CentreState>& centres);

  /// Tallies by centre, kind and tally. Waits.
  std::vector<std::int64_t> tallies() const {
    std::vector<std::int64_t> all(m_tallies.size());
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_tallies);
    std::copy(host.data(), host.data() + host.size(), all.begin());
    return all;
  }

 private:
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  using ElementPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Arrivals = Kokkos::View<NewAgent*, Memory>;

  std::int64_t elements() const { return static_cast<std::int64_t>(m_elements); }
  // A team for each, on a host of one thread, whose barriers would cost more than they save. Elements differ in what
  // they have to do; threads of a host take a few at a time.
  ElementPolicy over_elements() const {
    const int teams = static_cast<int>(elements());
    if constexpr (runs_on_host<ExecutionSpace>) return ElementPolicy(m_space, teams, 1).set_chunk_size(8);
    constexpr int threads = 64;  // of 32, 64, 128 and 256 the best for both one and eight centres, on an H200
    return ElementPolicy(m_space, teams, threads);
  }
  Policy over(const Arrivals& arrivals) const { return {m_space, 0, static_cast<std::int64_t>(arrivals.extent(0))}; }

  Arrivals upload(std::span<const NewAgent> arrivals) const {
    return impl::view_of<Memory>(std::vector<NewAgent>(arrivals.begin(), arrivals.end()),
                                 "sporos::germinal_centre::arrivals");
  }

  void plan_next_walks();
  void reserve_fates();
  void act(std::int32_t step);
  void put_in_place(std::int32_t step, const Arrivals& arrivals, bool moves);

  ExecutionSpace m_space;
  ExecutionSpace m_field_space;  // chemokines know nothing of agents: they go on while these act
  TissueMesh m_mesh;
  CentreShape m_shape;
  std::size_t m_elements;  // of all centres
  std::uint64_t m_seed;
  int m_centres;
  std::int64_t m_count = 0;
  AgentRules<Memory> m_rules;
  ChemokineFields<ExecutionSpace> m_fields;
  Attractions<Memory> m_attractions;
  WalkTable<Memory> m_walks, m_next_walks;
  Kokkos::View<std::uint32_t*, Memory> m_marks;
  AgentArrays<Memory> m_agents, m_others;
  Kokkos::View<AgentFate*, Memory> m_fates;
  Kokkos::View<std::int64_t*, Memory> m_counts, m_staying, m_offsets, m_next_offsets, m_places;
  CellTallies<Memory> m_tallies;
};

namespace impl {

/// Elements of all centres of a process. Throws OutOfMemory where tables of so many would not fit.
template <class Memory>
std::size_t checked_elements(const GerminalCentreCase& all, int centres) {
  const std::int64_t elements = std::int64_t{all.mesh.count()} * centres;
  sporos::impl::check_parameter(elements < std::numeric_limits<std::int32_t>::max(), "number of elements of a process",
                                static_cast<double>(elements), "less than 2^31: fewer centres, or more processes");
  const double bytes = (8.0 + 8.0 * direction_count) * static_cast<double>(all.kinds.size()) +
                       24.0 * static_cast<double>(all.chemokines.size()) + 40.0;
  check_memory<Memory>({"elements", elements, "elements", bytes});
  return static_cast<std::size_t>(elements);
}

}  // namespace impl

template <class ExecutionSpace>
Tissue<ExecutionSpace>::Tissue(const ExecutionSpace& space, const GerminalCentreCase& all, std::uint64_t seed,
                               int centres)
    : m_space(space),
      m_field_space(sporos::impl::own_instance<ExecutionSpace>()),
      m_mesh(all.mesh),
      m_shape(CentreShape::of(all)),
      m_elements(impl::checked_elements<Memory>(all, centres)),
      m_seed(seed),
      m_centres(centres),
      m_rules(all),
      m_fields(all, centres),
      m_marks(impl::view_of<Memory>(impl::element_marks(all.mesh), "sporos::germinal_centre::marks")) {
  m_attractions = Attractions<Memory>("sporos::germinal_centre::attractions", m_elements, all.kinds.size());
  m_walks = WalkTable<Memory>("sporos::germinal_centre::walks", m_elements, all.kinds.size());
  m_next_walks = WalkTable<Memory>("sporos::germinal_centre::walks", m_elements, all.kinds.size());
  m_counts = Kokkos::View<std::int64_t*, Memory>("sporos::germinal_centre::counts", m_elements);
  m_staying = Kokkos::View<std::int64_t*, Memory>("sporos::germinal_centre::staying", m_elements);
  m_places = Kokkos::View<std::int64_t*, Memory>("sporos::germinal_centre::places", m_elements);
  m_offsets = Kokkos::View<std::int64_t*, Memory>("sporos::germinal_centre::offsets", m_elements + 1);
  m_next_offsets = Kokkos::View<std::int64_t*, Memory>("sporos::germinal_centre::offsets", m_elements + 1);
  m_tallies =
      CellTallies<Memory>("sporos::germinal_centre::tallies", static_cast<std::size_t>(centres), all.kinds.size());
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::advance(std::int32_t step, const std::vector<std::vector<NewAgent>>& arrivals) {
  std::vector<NewAgent> of_all;
  for (const auto& list : arrivals) of_all.insert(of_all.end(), list.begin(), list.end());
  const Arrivals uploaded = upload(of_all);
  std::size_t first = 0;
  plan_next_walks();
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    m_field_space.fence();
    std::swap(m_walks, m_next_walks);
    act(step);
    if (i + 1 < arrivals.size()) plan_next_walks();
    put_in_place(step++, Kokkos::subview(uploaded, std::pair(first, first + arrivals[i].size())), true);
    first += arrivals[i].size();
  }
  m_space.fence();
  check_launches<ExecutionSpace>();
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::plan_next_walks() {
  m_fields.advance(m_field_space);
  plan_walks(m_field_space, m_mesh, m_rules, m_fields, m_attractions, m_next_walks);
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::reserve_fates() {
  const auto room = static_cast<std::size_t>(m_agents.capacity());
  if (room <= m_fates.size()) return;
  check_memory<Memory>({"agents' fates", m_agents.capacity(), "agents", sizeof(AgentFate)});
  m_fates = {};  // the old ones first
  m_fates = Kokkos::View<AgentFate*, Memory>(
      Kokkos::view_alloc("sporos::germinal_centre::fates", Kokkos::WithoutInitializing), room);
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::act(std::int32_t step) {
  using Actor = impl::ElementActor<ExecutionSpace>;
  reserve_fates();
  Kokkos::parallel_for("sporos::germinal_centre::act",
                       over_elements().set_scratch_size(0, Kokkos::PerTeam(Actor::team_bytes())),
                       Actor{m_seed, step, m_mesh.count(), ElementGrid::of(m_mesh), m_rules, m_walks, m_marks, m_agents,
                             m_fates, m_offsets, m_counts, m_staying, m_tallies});
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::put_in_place(std::int32_t step, const Arrivals& arrivals, bool moves) {
  Kokkos::parallel_for("sporos::germinal_centre::count_arrivals", over(arrivals),
                       impl::ArrivalCounter<Memory>{arrivals, m_counts});
  std::int64_t count = 0;
  Kokkos::parallel_scan("sporos::germinal_centre::scan", Policy(m_space, 0, elements()),
                        impl::OffsetScanner<Memory>{m_counts, m_staying, m_next_offsets, m_places}, count);
  m_space.fence();
  check_launches<ExecutionSpace>();
  m_others.reserve(count);
  if (moves) {
    Kokkos::parallel_for("sporos::germinal_centre::move", over_elements(),
                         impl::AgentMover<ExecutionSpace>{m_seed, step, m_offsets, m_next_offsets, m_agents, m_others,
                                                          m_fates, m_places});
  }
  Kokkos::parallel_for(
      "sporos::germinal_centre::place_arrivals", over(arrivals),
      impl::ArrivalPlacer<Memory>{step, m_mesh.count(), moves, arrivals, m_others, m_places, m_tallies});
  if (count > m_agents.capacity()) m_space.fence();  // they have moved
  m_agents.reserve(count);
  Kokkos::parallel_for("sporos::germinal_centre::merge", over_elements(),
                       impl::ElementMerger<ExecutionSpace>{m_next_offsets, m_staying, m_others, m_agents});
  std::swap(m_offsets, m_next_offsets);
  m_count = count;
}

template <class ExecutionSpace>
CentreState Tissue<ExecutionSpace>::state(int centre) const {
  CentreState state;
  std::vector<std::int64_t> offsets(m_shape.elements + 1);
  const auto first = static_cast<std::int64_t>(m_shape.elements) * centre;
  impl::copy_out(m_offsets, first, offsets);
  for (std::size_t e = 0; e < m_shape.elements; ++e) state.cells.push_back(offsets[e + 1] - offsets[e]);
  const auto agents = static_cast<std::size_t>(offsets.back() - offsets.front());
  std::vector<AgentState> of_agents(agents);
  state.identity.resize(agents);
  if (agents > 0) {
    impl::copy_out(m_agents.identity, offsets.front(), state.identity);
    impl::copy_out(m_agents.state, offsets.front(), of_agents);
  }
  for (const AgentState& agent : of_agents) {
    state.state.push_back(agent.word);
    state.since.push_back(agent.since);
  }
  for (const auto& [view, list] :
       {std::pair(m_fields.amounts(), &state.amounts), std::pair(m_fields.decayed(), &state.decayed)}) {
    for (std::size_t c = 0; c < m_shape.chemokines; ++c) {
      std::vector<std::int64_t> part(m_shape.elements);
      impl::copy_out(Kokkos::subview(view, c, Kokkos::ALL()), first, part);
      list->insert(list->end(), part.begin(), part.end());
    }
  }
  const auto all = tallies();
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(m_shape.kinds * tally_count) * centre;
  state.tallies.assign(begin, begin + static_cast<std::ptrdiff_t>(m_shape.kinds * tally_count));
  return state;
}

template <class ExecutionSpace>
std::vector<CentreState> Tissue<ExecutionSpace>::states() const {
  std::vector<CentreState> all;
  for (int centre = 0; centre < m_centres; ++centre) all.push_back(state(centre));
  return all;
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::restore(const std::vector<CentreState>& centres) {
  std::vector<std::int64_t> offsets{0};
  for (const CentreState& centre : centres) {
    for (const std::int64_t cells : centre.cells) offsets.push_back(offsets.back() + cells);
  }
  m_count = offsets.back();
  m_agents.reserve(m_count);
  impl::copy_in(offsets, m_offsets, 0);
  const auto tallies = Kokkos::create_mirror_view(m_tallies);
  std::int64_t first = 0, element = 0;
  auto tally = tallies.data();
  for (const CentreState& centre : centres) {
    std::vector<AgentState> of_agents;
    for (std::size_t i = 0; i < centre.agents(); ++i) of_agents.push_back({centre.state[i], centre.since[i]});
    if (!of_agents.empty()) {
      impl::copy_in(centre.identity, m_agents.identity, first);
      impl::copy_in(of_agents, m_agents.state, first);
    }
    for (const auto& [view, list] :
         {std::pair(m_fields.amounts(), &centre.amounts), std::pair(m_fields.decayed(), &centre.decayed)}) {
      for (std::size_t c = 0; c < m_shape.chemokines; ++c) {
        const auto begin = list->begin() + static_cast<std::ptrdiff_t>(c * m_shape.elements);
        impl::copy_in(std::vector(begin, begin + static_cast<std::ptrdiff_t>(m_shape.elements)),
                      Kokkos::subview(view, c, Kokkos::ALL()), element);
      }
    }
    tally = std::copy(centre.tallies.begin(), centre.tallies.end(), tally);
    first += static_cast<std::int64_t>(centre.agents());
    element += static_cast<std::int64_t>(m_shape.elements);
  }
  Kokkos::deep_copy(m_tallies, tallies);
}

}  // namespace sporos::models
