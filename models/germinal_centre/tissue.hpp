// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/models/germinal_centre/agent_order.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agent_walk.hpp>
#include <sporos/models/germinal_centre/agents.hpp>
#include <sporos/models/germinal_centre/block_sums.hpp>
#include <sporos/models/germinal_centre/centre_state.hpp>
#include <sporos/models/germinal_centre/chemokine_field.hpp>
#include <sporos/models/germinal_centre/element_team.hpp>
#include <sporos/models/germinal_centre/tissue_step.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace sporos::models {

namespace impl {

/// Bit masks with the roles of each element of a centre.
inline std::vector<std::uint32_t> element_marks(const TissueMesh& mesh) {
  std::vector<std::uint32_t> marks(static_cast<std::size_t>(mesh.count()), 0);
  for (const int element : elements_in(mesh, mesh.drains)) marks[static_cast<std::size_t>(element)] |= is_drain;
  for (const int element : elements_in(mesh, mesh.surface)) marks[static_cast<std::size_t>(element)] |= is_surface;
  return marks;
}

/// Copies elements `first` to `first + list.size() - 1` of a view to a list.
template <class View, class T>
void copy_out(const View& view, std::int64_t first, std::vector<T>& list) {
  const auto range = std::pair(static_cast<std::size_t>(first), static_cast<std::size_t>(first) + list.size());
  copy_elements(list, Kokkos::subview(view, range));
}

/// Copies a list to a view, starting at index `first`.
template <class View, class T>
void copy_in(const std::vector<T>& list, const View& view, std::int64_t first) {
  const auto range = std::pair(static_cast<std::size_t>(first), static_cast<std::size_t>(first) + list.size());
  copy_elements(Kokkos::subview(view, range), list);
}

}  // namespace impl

/// The tissue of the germinal centres of one process: agents and chemokines, advanced in local steps.
///
/// The actions of an agent depend only on (case, seed, its identity, the step) and on the other agents in its element.
/// Results are bitwise identical on every backend, with any number of threads, and for any distribution of centres over
/// processes.
template <class ExecutionSpace>
class Tissue {
 public:
  using Memory = typename ExecutionSpace::memory_space;  ///< memory space of the agents

  /// Creates `centres` empty centres of a case that has passed its check. Throws OutOfMemory if their elements do not
  /// fit.
  Tissue(const ExecutionSpace& space, const GerminalCentreCase& all, std::uint64_t seed, int centres);

  /// Number of agents.
  std::int64_t agents() const { return m_count; }

  /// Performs one local step for each list of `arrivals`. `step` is the index of the first step. The agents of a list
  /// enter at the end of its step. This call blocks.
  void advance(std::int32_t step, const std::vector<std::vector<NewAgent>>& arrivals);

  /// Places `arrivals` in the tissue before the first step. This call blocks.
  void populate(std::span<const NewAgent> arrivals);

  /// State of a centre, by its number in this process. This call blocks.
  CentreState state(int centre) const;
  /// States of all centres of this process. This call blocks.
  std::vector<CentreState> states() const;
  /// Continues from states, one for each centre.
  void restore(const std::vector<CentreState>& centres);

  /// Tallies, ordered by centre, kind of agent and tally. This call blocks.
  std::vector<std::int64_t> tallies() const {
    std::vector<std::int64_t> all(m_tallies.size());
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_tallies);
    std::copy(host.data(), host.data() + host.size(), all.begin());
    return all;
  }

 private:
  using Stepper = impl::TissueStepper<ExecutionSpace>;
  using Team = impl::ElementTeam<ExecutionSpace>;
  // One team per element. The work per element varies, so threads of a host take a few elements at a time.
  template <int resident>
  using TeamPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                        Kokkos::LaunchBounds<impl::element_threads, resident>>;
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

  std::int64_t elements() const { return static_cast<std::int64_t>(m_elements); }
  template <int resident>
  TeamPolicy<resident> policy(int teams) const {
    TeamPolicy<resident> policy(m_space, teams, Team::size / Team::lanes, Team::lanes);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(sizeof(typename Team::Memory)) + 64));
    if constexpr (runs_on_host<ExecutionSpace>) policy.set_chunk_size(8);
    return policy;
  }
  // Makes Kokkos pass kernels as arguments instead of in constant memory, where a launch would wait for the previous
  // one.
  template <class AnyPolicy>
  static auto as_arguments(const AnyPolicy& policy) {
    return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  }

  void upload(const std::vector<std::vector<NewAgent>>& arrivals);
  void place(const std::vector<std::int64_t>& offsets, const std::vector<std::uint64_t>& identities,
             const std::vector<AgentState>& states);
  void launch(std::int32_t step, int number, int steps);
  void run(const Stepper& stepper, int teams);
  int launches_done();
  void advance_field(std::int64_t substep, const impl::LaunchGate<Memory>& its_gate,
                     const Attractions<Memory>& attractions);
  impl::LaunchGate<Memory> gate(int number) const;
  const impl::Ledger<Memory>& ledger(int number) const {
    return m_ledgers[static_cast<std::size_t>((m_launches + number + 3) % 3)];
  }
  static std::size_t odd(int number) { return number % 2 == 0 ? 0 : 1; }

  ExecutionSpace m_space;
  TissueMesh m_mesh;
  CentreShape m_shape;
  std::size_t m_elements;  // number of elements of all centres
  std::uint64_t m_seed;
  int m_centres;
  std::int64_t m_count = 0;
  AgentRules<Memory> m_rules;
  ChemokineFields<ExecutionSpace> m_fields;
  Kokkos::View<std::uint32_t*, Memory> m_marks;
  impl::BlockSums m_sums;
  // Double buffers: one is written while the other is read. Between steps, the first one holds the current agents.
  std::array<Attractions<Memory>, 2> m_attractions;
  std::array<AgentArrays<Memory>, 2> m_agents;
  std::array<Kokkos::View<ElementAgents*, Memory>, 2> m_of_elements;
  std::array<impl::Ledger<Memory>, 3> m_ledgers;
  std::int64_t m_launches = 0;       // number of launches in earlier calls of `advance`
  std::optional<bool> m_holds_many;  // whether a multiprocessor holds resident_elements teams
  Kokkos::View<NewAgent*, Memory> m_arrivals;
  Kokkos::View<std::int32_t*, Memory> m_next_arrivals;
  std::vector<std::int64_t> m_first_arrivals;  // start of the list of each step, then the total
  Kokkos::View<std::int64_t*, Memory> m_progress;
  CellTallies<Memory> m_tallies;
};

namespace impl {

/// Number of elements of all centres of a process. Throws OutOfMemory if their tables do not fit.
template <class Memory>
std::size_t checked_elements(const GerminalCentreCase& all, int centres) {
  const std::int64_t elements = std::int64_t{all.mesh.count()} * centres;
  sporos::impl::check_parameter(elements < std::int64_t{1} << 30, "number of elements of a process",
                                static_cast<double>(elements), "less than 2^30; use fewer centres or more processes");
  const double bytes = 16.0 * static_cast<double>(all.kinds.size()) +
                       24.0 * static_cast<double>(all.chemokines.size()) + 2.0 * sizeof(ElementAgents) + 40.0;
  check_memory<Memory>({"elements", elements, "elements", bytes});
  return static_cast<std::size_t>(elements);
}

}  // namespace impl

template <class ExecutionSpace>
Tissue<ExecutionSpace>::Tissue(const ExecutionSpace& space, const GerminalCentreCase& all, std::uint64_t seed,
                               int centres)
    : m_space(space),
      m_mesh(all.mesh),
      m_shape(CentreShape::of(all)),
      m_elements(impl::checked_elements<Memory>(all, centres)),
      m_seed(seed),
      m_centres(centres),
      m_rules(all),
      m_fields(space, all, centres),
      m_marks(impl::view_of<Memory>(impl::element_marks(all.mesh), "sporos::germinal_centre::marks")),
      m_sums(impl::BlockSums::of(elements())),
      m_progress(Kokkos::view_alloc(space, "sporos::germinal_centre::progress"), 2),
      m_tallies(Kokkos::view_alloc(space, "sporos::germinal_centre::tallies"), static_cast<std::size_t>(centres),
                all.kinds.size()) {
  for (auto& attractions : m_attractions) {
    attractions = Attractions<Memory>(Kokkos::view_alloc(space, "sporos::germinal_centre::attractions"), m_elements,
                                      all.kinds.size());
  }
  for (auto& of_elements : m_of_elements) {
    of_elements = Kokkos::View<ElementAgents*, Memory>(
        Kokkos::view_alloc(space, "sporos::germinal_centre::of_elements"), m_elements);
  }
  for (auto& ledger : m_ledgers) ledger = impl::Ledger<Memory>(space, m_sums, m_elements);
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::populate(std::span<const NewAgent> arrivals) {
  std::vector<NewAgent> all(arrivals.begin(), arrivals.end());
  std::sort(all.begin(), all.end(), [](const NewAgent& one, const NewAgent& other) {
    return std::tie(one.element, one.identity, one.kind) < std::tie(other.element, other.identity, other.kind);
  });
  std::vector<std::int64_t> offsets(m_elements + 1, 0);
  std::vector<std::uint64_t> identities;
  std::vector<AgentState> states;
  for (const NewAgent& agent : all) {
    ++offsets[static_cast<std::size_t>(agent.element) + 1];
    identities.push_back(agent.identity);
    states.push_back({static_cast<std::uint32_t>(agent.kind), 0});
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  place(offsets, identities, states);
}

/// Places agents by element: those of element e are numbers offsets[e] to offsets[e + 1] − 1.
template <class ExecutionSpace>
void Tissue<ExecutionSpace>::place(const std::vector<std::int64_t>& offsets,
                                   const std::vector<std::uint64_t>& identities,
                                   const std::vector<AgentState>& states) {
  m_count = offsets.back();
  for (auto& agents : m_agents) agents.reserve(m_count);
  for (const auto& ledger : m_ledgers) ledger.empty(m_space);
  std::vector<ElementAgents> of_elements;
  for (std::size_t e = 0; e < m_elements; ++e) {
    of_elements.push_back({offsets[e], static_cast<std::int32_t>(offsets[e + 1] - offsets[e])});
  }
  impl::copy_in(of_elements, m_of_elements[0], 0);
  if (identities.empty()) return;
  impl::copy_in(identities, m_agents[0].identity, 0);
  impl::copy_in(states, m_agents[0].state, 0);
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::upload(const std::vector<std::vector<NewAgent>>& arrivals) {
  std::vector<NewAgent> all;
  m_first_arrivals.assign(1, 0);
  for (const auto& list : arrivals) {
    all.insert(all.end(), list.begin(), list.end());
    m_first_arrivals.push_back(static_cast<std::int64_t>(all.size()));
  }
  sporos::impl::check_parameter(all.size() < std::numeric_limits<std::int32_t>::max(), "number of arriving agents",
                                static_cast<double>(all.size()), "less than 2^31 in a global step of a process");
  if (all.size() > m_arrivals.extent(0)) {
    const std::size_t room = all.size() + all.size() / 4;
    check_memory<Memory>({"arriving agents", static_cast<std::int64_t>(room), "agents", sizeof(NewAgent) + 4.0});
    m_arrivals = {};
    m_next_arrivals = {};
    m_arrivals = Kokkos::View<NewAgent*, Memory>(
        Kokkos::view_alloc("sporos::germinal_centre::arrivals", Kokkos::WithoutInitializing), room);
    m_next_arrivals = Kokkos::View<std::int32_t*, Memory>(
        Kokkos::view_alloc("sporos::germinal_centre::next_arrivals", Kokkos::WithoutInitializing), room);
  }
  if (!all.empty()) impl::copy_in(all, m_arrivals, 0);
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::advance(std::int32_t step, const std::vector<std::vector<NewAgent>>& arrivals) {
  const int steps = static_cast<int>(arrivals.size());
  if (steps == 0) return;
  upload(arrivals);
  for (int substep = 0; substep < m_fields.substeps(); ++substep) {
    advance_field(substep, gate(0), substep + 1 < m_fields.substeps() ? Attractions<Memory>() : m_attractions[0]);
  }
  for (int first = 0; first <= steps;) {
    for (int number = first; number <= steps; ++number) launch(step, number, steps);
    first = launches_done();
    if (first > steps) break;
    // The buffer was too small for launch `first`. This launch and the next one write to buffers whose contents are no
    // longer needed.
    m_agents[odd(first)].reserve(m_count);
    launch(step, first, steps);
    first = launches_done();
    m_agents[odd(first)].reserve(m_count);
  }
  if (steps % 2 != 0) {
    std::swap(m_agents[0], m_agents[1]);
    std::swap(m_of_elements[0], m_of_elements[1]);
  }
  m_fields.rotate(std::int64_t{steps} * m_fields.substeps());
  m_launches += steps;
}

template <class ExecutionSpace>
impl::LaunchGate<typename Tissue<ExecutionSpace>::Memory> Tissue<ExecutionSpace>::gate(int number) const {
  return {number == 0, m_launches + number, m_agents[odd(number)].capacity(), m_sums, ledger(number - 1).counts};
}

/// Enqueues launch `number` of `steps` + 1 launches. The host does not have the current number of agents; a launch
/// whose agents do not fit into the buffer does nothing.
template <class ExecutionSpace>
void Tissue<ExecutionSpace>::launch(std::int32_t step, int number, int steps) {
  const auto now = odd(number), then = 1 - now;
  const auto its_gate = gate(number);
  const bool acts = number < steps, advances_field = number + 1 < steps && m_fields.substeps() > 0;
  int field_teams = 0;
  std::int64_t substep = std::int64_t{number + 1} * m_fields.substeps();
  if (advances_field) {
    for (int i = 1; i < m_fields.substeps(); ++i) advance_field(substep++, its_gate, {});
    field_teams = static_cast<int>((elements() - 1) / Stepper::elements_of_field_team) + 1;
  }
  const int of_centre = m_mesh.count();
  const ElementGrid grid = ElementGrid::of(m_mesh);
  const auto list = static_cast<std::size_t>(number);
  const Stepper stepper{
      number > 0,
      acts,
      static_cast<int>(elements()),
      field_teams,
      its_gate,
      {m_seed,
       step + number - 1,
       grid,
       of_centre,
       m_rules.changes,
       {m_agents[then], m_of_elements[then], m_arrivals, m_next_arrivals, ledger(number - 1).first_arrival}},
      {m_seed, step + number, of_centre, grid, m_rules, m_attractions[now], m_marks, m_of_elements[now], m_sums,
       ledger(number).counts, m_tallies},
      m_agents[now],
      m_fields.stepper(substep, m_rules.kinds, m_attractions[then]),
      ledger(number),
      ledger(number + 1),
      m_first_arrivals[list],
      acts ? m_first_arrivals[list + 1] : 0,
      m_arrivals,
      m_next_arrivals,
      m_progress};
  run(stepper, field_teams + static_cast<int>(elements()));
}

template <class ExecutionSpace>
void Tissue<ExecutionSpace>::run(const Stepper& stepper, int teams) {
  const auto run_by = [&](const auto& any) { Kokkos::parallel_for("sporos::germinal_centre::step", any, stepper); };
  const auto many = as_arguments(policy<impl::resident_elements>(teams));
  if constexpr (runs_on_host<ExecutionSpace>) {
    run_by(many);
  } else {
    // A multiprocessor with less memory than current ones cannot hold so many teams, and Kokkos would refuse the
    // launch.
    if (!m_holds_many) m_holds_many = many.team_size() <= many.team_size_max(stepper, Kokkos::ParallelForTag());
    if (*m_holds_many) {
      run_by(many);
    } else {
      run_by(as_arguments(policy<1>(teams)));
    }
  }
}

/// Launches one substep of the fields. `attractions` are empty unless it is the last one of a step.
template <class ExecutionSpace>
void Tissue<ExecutionSpace>::advance_field(std::int64_t substep, const impl::LaunchGate<Memory>& its_gate,
                                           const Attractions<Memory>& attractions) {
  Kokkos::parallel_for("sporos::germinal_centre::diffuse", as_arguments(Policy(m_space, 0, elements())),
                       impl::FieldSubstepper<Memory>{its_gate, m_fields.stepper(substep, m_rules.kinds, attractions)});
}

/// This call blocks. Returns how many of the current launches have been done. Sets m_count to the number of agents or,
/// if the buffer was too small for the next launch, to the required capacity.
template <class ExecutionSpace>
int Tissue<ExecutionSpace>::launches_done() {
  m_space.fence();
  check_launches<ExecutionSpace>();
  std::vector<std::int64_t> progress(2);
  impl::copy_out(m_progress, 0, progress);
  m_count = progress[1];
  return static_cast<int>(progress[0] - m_launches) + 1;
}

template <class ExecutionSpace>
CentreState Tissue<ExecutionSpace>::state(int centre) const {
  CentreState state;
  std::vector<ElementAgents> of_elements(m_shape.elements);
  const auto first = static_cast<std::int64_t>(m_shape.elements) * centre;
  impl::copy_out(m_of_elements[0], first, of_elements);
  for (const ElementAgents& of_element : of_elements) state.cells.push_back(of_element.count);
  const std::int64_t first_agent = of_elements.front().begin;
  const auto agents = static_cast<std::size_t>(of_elements.back().begin + of_elements.back().count - first_agent);
  std::vector<AgentState> of_agents(agents);
  state.identity.resize(agents);
  if (agents > 0) {
    impl::copy_out(m_agents[0].identity, first_agent, state.identity);
    impl::copy_out(m_agents[0].state, first_agent, of_agents);
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
  std::vector<std::uint64_t> identities;
  std::vector<AgentState> of_agents;
  for (const CentreState& centre : centres) {
    for (const std::int64_t cells : centre.cells) offsets.push_back(offsets.back() + cells);
    identities.insert(identities.end(), centre.identity.begin(), centre.identity.end());
    for (std::size_t i = 0; i < centre.agents(); ++i) of_agents.push_back({centre.state[i], centre.since[i]});
  }
  place(offsets, identities, of_agents);
  const auto tallies = Kokkos::create_mirror_view(m_tallies);
  std::int64_t element = 0;
  auto tally = tallies.data();
  for (const CentreState& centre : centres) {
    for (const auto& [view, list] :
         {std::pair(m_fields.amounts(), &centre.amounts), std::pair(m_fields.decayed(), &centre.decayed)}) {
      for (std::size_t c = 0; c < m_shape.chemokines; ++c) {
        const auto begin = list->begin() + static_cast<std::ptrdiff_t>(c * m_shape.elements);
        impl::copy_in(std::vector(begin, begin + static_cast<std::ptrdiff_t>(m_shape.elements)),
                      Kokkos::subview(view, c, Kokkos::ALL()), element);
      }
    }
    tally = std::copy(centre.tallies.begin(), centre.tallies.end(), tally);
    element += static_cast<std::int64_t>(m_shape.elements);
  }
  copy_elements(m_tallies, tallies);
}

}  // namespace sporos::models
