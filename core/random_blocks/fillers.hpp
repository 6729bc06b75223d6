// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random_blocks/engine_lanes.hpp>
#include <sporos/core/random_blocks/exchange.hpp>
#include <sporos/core/random_blocks/options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

/// Computes blocks of random numbers on a host or on a device.
namespace sporos::impl {

/// Settings that all blocks share.
struct BlockSettings {
  std::uint64_t seed;
  std::int64_t size;  // draws of a block
  std::int64_t lanes = BlockOptions().lanes;
  int group_size = BlockOptions().group_size;
};

/// Computes blocks of an engine without state. Draw i of a consumer is draw i of its stream.
template <CounterEngine E>
struct CounterTask {
  Stream stream;
  std::uint64_t first_unit;
  std::uint64_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t unit) const {
    const auto draws = E::block(stream, first_unit + static_cast<std::uint64_t>(unit));
    for (int i = 0; i < E::draws_per_block; ++i) out[unit * E::draws_per_block + i] = draws[i];
  }
};

/// Lanes of an engine with a state that a host processes at a time, in a vector register of 64 bytes, and the largest
/// number of lanes, since inputs of streams are below 2^16. Draw i of a consumer is draw i / lanes of its stream for
/// input i % lanes.
inline constexpr std::int64_t lanes_of_register = 16, max_lanes = 1 << 16;

/// Number of draws that an engine computes at once. Block sizes are multiples of it.
template <class E>
constexpr std::int64_t draws_at_once(std::int64_t lanes = BlockOptions().lanes) {
  if constexpr (CounterEngine<E>) {
    return E::draws_per_block;
  } else {
    return lanes;
  }
}

/// Starts the lanes of an engine on a device.
template <class E>
struct LaneStart {
  std::uint64_t seed, consumer;
  E* engines;

  KOKKOS_FUNCTION void operator()(std::int64_t lane) const {
    engines[lane] = E::of_stream({seed, consumer, static_cast<std::uint32_t>(lane)});
  }
};

/// Computes the draws of one lane in a block on a device.
template <class E>
struct LaneTask {
  E* engines;
  std::int64_t lanes, draws_of_lane;
  std::uint64_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t lane) const {
    E engine = engines[lane];
    for (std::int64_t i = 0; i < draws_of_lane; ++i) out[i * lanes + lane] = engine.next_draw();
    engines[lane] = engine;
  }
};

/// Divides tasks 0 to `tasks` − 1 among work groups.
template <class Task>
struct GroupedTask {
  Task task;
  std::int64_t tasks;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const std::int64_t i = static_cast<std::int64_t>(member.league_rank()) * member.team_size() + member.team_rank();
    if (i < tasks) task(i);
  }
};

/// Fills blocks on a host in the producing thread. No kernel is launched, so the execution space stays free for the
/// consumers.
template <class E>
class HostFiller {
  static constexpr int width = lanes_of_register;
  struct NoState {};

 public:
  using Settings = BlockSettings;
  using Buffer = std::vector<std::uint64_t>;
  using State = std::conditional_t<CounterEngine<E>, NoState, std::vector<EngineLanes<E, width>>>;

  explicit HostFiller(const Settings& settings) : m_settings(settings) {}

  void advance(BlockRing<HostFiller>& ring, Buffer& buffer) const {
    buffer.resize(static_cast<std::size_t>(m_settings.size));
    if constexpr (CounterEngine<E>) {
      const std::int64_t units = m_settings.size / E::draws_per_block;
      const CounterTask<E> task{
          {m_settings.seed, ring.consumer, 0}, static_cast<std::uint64_t>(ring.claimed * units), buffer.data()};
#ifndef __clang__
#pragma GCC ivdep
#endif
      for (std::int64_t unit = 0; unit < units; ++unit) task(unit);
    } else {
      if (ring.state.empty()) start(ring);
      const auto all = static_cast<std::size_t>(m_settings.lanes);
      for (std::size_t group = 0; group < ring.state.size(); ++group) {
        auto& lanes = ring.state[group];
        for (std::size_t i = group * width; i < buffer.size(); i += all) lanes.next_draws(&buffer[i]);
      }
    }
  }

  void deliver(Buffer&) const {}

 private:
  void start(BlockRing<HostFiller>& ring) const {
    ring.state.resize(static_cast<std::size_t>(m_settings.lanes / width));
    for (std::int64_t lane = 0; lane < m_settings.lanes; ++lane) {
      ring.state[static_cast<std::size_t>(lane / width)].start(
          static_cast<int>(lane % width), {m_settings.seed, ring.consumer, static_cast<std::uint32_t>(lane)});
    }
  }

  Settings m_settings;
};

/// Fills blocks on a device in a separate instance of the execution space for each thread, and then copies them to
/// pinned memory while other threads compute.
template <class ExecutionSpace, class E>
class DeviceFiller {
 public:
  using Settings = BlockSettings;
  using Buffer = Kokkos::View<std::uint64_t*, HostPinnedSpace>;
  using State = Kokkos::View<E*, typename ExecutionSpace::memory_space>;

  explicit DeviceFiller(const Settings& settings)
      : m_settings(settings), m_space(own_instance<ExecutionSpace>()), m_numbers(uninitialized("numbers"), size()) {}

  void advance(BlockRing<DeviceFiller>& ring, Buffer& buffer) {
    if (buffer.extent(0) == 0) buffer = Buffer(uninitialized("delivered"), size());
    if constexpr (CounterEngine<E>) {
      const std::int64_t units = m_settings.size / E::draws_per_block;
      launch(units, CounterTask<E>{{m_settings.seed, ring.consumer, 0},
                                   static_cast<std::uint64_t>(ring.claimed * units),
                                   m_numbers.data()});
    } else {
      const std::int64_t lanes = m_settings.lanes;
      if (ring.state.extent(0) == 0) {
        ring.state = State(uninitialized("engines"), static_cast<std::size_t>(lanes));
        launch(lanes, LaneStart<E>{m_settings.seed, ring.consumer, ring.state.data()});
      }
      launch(lanes, LaneTask<E>{ring.state.data(), lanes, m_settings.size / lanes, m_numbers.data()});
    }
    m_space.fence();
  }

  void deliver(Buffer& buffer) {
    copy_elements(m_space, buffer, m_numbers);
    m_space.fence();
  }

 private:
  static auto uninitialized(const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("sporos::blocks::").append(label));
  }
  std::size_t size() const { return static_cast<std::size_t>(m_settings.size); }
  template <class Task>
  void launch(std::int64_t tasks, const Task& task) {
    constexpr auto label = "sporos::blocks::fill";
    if (const int size = m_settings.group_size; size > 0) {
      const auto groups = static_cast<int>((tasks + size - 1) / size);
      Kokkos::parallel_for(label, Kokkos::TeamPolicy<ExecutionSpace>(m_space, groups, size),
                           GroupedTask<Task>{task, tasks});
    } else {
      using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
      Kokkos::parallel_for(label, Range(m_space, 0, tasks), task);
    }
  }

  Settings m_settings;
  ExecutionSpace m_space;
  Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space> m_numbers;
};

}  // namespace sporos::impl
