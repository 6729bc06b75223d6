// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../radiation/host_photons.hpp"

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>
#include <sporos/models/germinal_centre/intracellular.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <stdexcept>
#include <utility>
#include <vector>

/// Divides the work on agents between the cores of a host and a device. See Lee (2012), Hybrid parallel computing
/// strategies for scientific computing applications, section 4.5.4 and figures 4.34 and 4.35.
namespace sporos::bench {

/// Solves the differential equations inside an agent, with a fixed number of Runge–Kutta steps of 1 min. This is the
/// internal work W of an agent. Level k of agent i is at `levels[k * agents + i]`.
struct AgentWork {
  using Network = models::BCellNetwork;
  static constexpr std::size_t size = Network::size;

  double* levels;
  std::int64_t agents;
  int steps;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    models::OdeState<Network> state = {};
    for (std::size_t k = 0; k < size; ++k) state[k] = levels[static_cast<std::int64_t>(k) * agents + i];
    const Network network;
    for (int step = 0; step < steps; ++step) state = models::runge_kutta_step(network, state, 1.0).state;
    for (std::size_t k = 0; k < size; ++k) levels[static_cast<std::int64_t>(k) * agents + i] = state[k];
  }
};

/// Place where the random numbers and the internal work of the agents are computed.
enum class Allocation {
  cores,    ///< everything on the cores, with random numbers drawn in place
  numbers,  ///< random numbers on the device, in blocks (figure 4.34)
  hybrid    ///< random numbers and internal work on the device (figure 4.35)
};

/// Elements with equally many agents each, which cores share. In a step, a core moves the agents of its elements at
/// random, does their internal work or has the device do it, and sums their levels for each element.
template <class Space, class E>
class HybridAgents {
 public:
  static constexpr std::int64_t agents_of_element = 20;

  HybridAgents(std::uint64_t seed, int cores, std::int64_t agents)
      : m_elements((agents + agents_of_element - 1) / agents_of_element),
        m_agents(static_cast<std::size_t>(m_elements * agents_of_element)),
        m_sums(static_cast<std::size_t>(m_elements)),
        m_blocks(seed) {
    for (int core = 0; core < cores; ++core) {
      const std::int64_t first = m_elements * core / cores, end = m_elements * (core + 1) / cores;
      m_cores.emplace_back(m_blocks, seed, core, PartRange{first, end});
    }
    start();
  }

  std::int64_t count() const { return m_elements * agents_of_element; }

  /// Gives all agents their first levels.
  void start() {
    for (std::size_t i = 0; i < m_agents.size(); ++i) {
      m_agents[i] = {{{0.5 + 1e-3 * static_cast<double>(i % 1000), 4, 0.2}}, 0};
    }
  }

  /// One step of all agents. The device leaves out the last `lost` agents of each core, which is wrong if it is not 0.
  void step(Allocation allocation, int steps, std::int64_t lost = 0) {
    std::vector<std::future<void>> done;
    for (Core& core : m_cores) {
      done.push_back(std::async(std::launch::async, [&, this] {
        if (allocation == Allocation::cores) move(core, core.in_place);
        if (allocation != Allocation::cores) move(core, core.consumer);
        if (allocation == Allocation::hybrid) work_on_device(core, steps, lost);
        if (allocation != Allocation::hybrid) work_on_core(core, steps);
        sum(core);
      }));
    }
    for (auto& future : done) future.get();
  }

  /// Work of a step that always stays on the cores, one after the other: moving the agents and summing their levels.
  void host_work() {
    for (Core& core : m_cores) {
      move(core, core.consumer);
      sum(core);
    }
  }

  /// Writes the levels of all agents to work sets and back, as the hybrid allocation does.
  void packing() {
    for (Core& core : m_cores) {
      pack(core);
      unpack(core);
    }
  }

  /// Internal work alone, on the device, without copies. Agents of several cores are several kernels.
  void kernels(int steps) {
    for (Core& core : m_cores) launch(core, steps, 0);
  }

  /// Sums of the levels of each element after the last step, S in figure 4.34.
  const std::vector<double>& sums() const { return m_sums; }

 private:
  struct Agent {
    models::OdeState<AgentWork::Network> levels;
    int direction;
  };

  struct Core {
    Core(RandomBlocks<Space, E>& blocks, std::uint64_t seed, int number, const PartRange& its_elements)
        : elements(its_elements),
          space(sporos::impl::own_instance<Space>()),
          set("set", AgentWork::size * static_cast<std::size_t>(count())),
          on_device("on_device", set.extent(0)),
          in_place(Stream{seed, static_cast<std::uint64_t>(number), 0}),
          consumer(blocks.consumer(static_cast<std::uint64_t>(number))) {}

    std::int64_t first() const { return elements.first * agents_of_element; }
    std::int64_t end() const { return elements.end * agents_of_element; }
    std::int64_t count() const { return end() - first(); }

    PartRange elements;
    Space space;
    Kokkos::View<double*, sporos::impl::HostPinnedSpace> set;
    Kokkos::View<double*, typename Space::memory_space> on_device;
    InPlace<E> in_place;
    BlockConsumer consumer;
  };

  Agent& agent(std::int64_t i) { return m_agents[static_cast<std::size_t>(i)]; }

  template <class Generator>
  void move(const Core& core, Generator& generator) {
    for (std::int64_t i = core.first(); i < core.end(); ++i)
      agent(i).direction = static_cast<int>(6 * generator.next());
  }

  void sum(const Core& core) {
    for (std::int64_t element = core.elements.first; element < core.elements.end; ++element) {
      double sum = 0;
      for (std::int64_t i = 0; i < agents_of_element; ++i) {
        const Agent& one = agent(element * agents_of_element + i);
        for (std::size_t k = 0; k < AgentWork::size; ++k) sum += one.levels[k];
      }
      m_sums[static_cast<std::size_t>(element)] = sum;
    }
  }

  // Writes the levels of a core's agents to its work set in shared memory.
  void pack(const Core& core) {
    for (std::int64_t i = 0; i < core.count(); ++i) {
      for (std::size_t k = 0; k < AgentWork::size; ++k) core.set(place(core, i, k)) = agent(core.first() + i).levels[k];
    }
  }

  void unpack(const Core& core) {
    for (std::int64_t i = 0; i < core.count(); ++i) {
      for (std::size_t k = 0; k < AgentWork::size; ++k) agent(core.first() + i).levels[k] = core.set(place(core, i, k));
    }
  }

  static std::size_t place(const Core& core, std::int64_t i, std::size_t k) {
    return k * static_cast<std::size_t>(core.count()) + static_cast<std::size_t>(i);
  }

  void work_on_core(const Core& core, int steps) {
    for (std::int64_t i = core.first(); i < core.end(); ++i) AgentWork{agent(i).levels.data(), 1, steps}(0);
  }

  void work_on_device(const Core& core, int steps, std::int64_t lost) {
    pack(core);
    copy_elements(core.space, core.on_device, core.set);
    launch(core, steps, lost);
    copy_elements(core.space, core.set, core.on_device);
    core.space.fence();
    unpack(core);
  }

  // A host has no separate device: the thread itself does the work.
  void launch(const Core& core, int steps, std::int64_t lost) {
    const std::int64_t agents = core.count() - lost;
    const AgentWork work{core.on_device.data(), core.count(), steps};
    if constexpr (runs_on_host<Space>) {
      for (std::int64_t i = 0; i < agents; ++i) work(i);
    } else {
      Kokkos::parallel_for("sporos::bench::agents",
                           Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(core.space, 0, agents), work);
      core.space.fence();
    }
  }

  std::int64_t m_elements;
  std::vector<Agent> m_agents;
  std::vector<double> m_sums;
  RandomBlocks<Space, E> m_blocks;
  std::vector<Core> m_cores;
};

/// Times in seconds of a step of agents that cores share, by (4.5) and (4.15).
struct HybridModel {
  double host;           ///< time for each agent of the work that stays on the cores
  double packing;        ///< time to write an agent's levels to a work set and back
  double work;           ///< time for each agent and step of its equations, on a core
  StepTime kernel;       ///< time of a kernel; its work items are agents, its cycles steps of their equations
  LinearTime to_device;  ///< time of a copy by its bytes
  LinearTime to_host;    ///< time of a copy back by its bytes

  /// All work on the cores.
  double on_cores(std::int64_t agents, int steps, int cores) const {
    return static_cast<double>(agents) * (host + work * steps) / cores;
  }

  /// Equations on the device, which does the kernels and copies of the cores one after the other.
  double hybrid(std::int64_t agents, int steps, int cores) const {
    const std::int64_t mine = agents / cores,
                       bytes = mine * static_cast<std::int64_t>(sizeof(double) * AgentWork::size);
    return static_cast<double>(mine) * (host + packing) +
           cores * (to_device(bytes) + to_host(bytes) + kernel(mine, steps));
  }
};

}  // namespace sporos::bench
