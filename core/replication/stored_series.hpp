// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/execution/storage_parts.hpp>
#include <sporos/core/replication/arena_replicator.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/core/replication/replicator.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Long runs of a model whose memory has a size that depends on its parameters. A run keeps its memory as long as it
/// exists. The model provides optional members:
///
///     struct SeriesState { ... };     // further state of a run; trivially copyable
///     int series_count() const;       // number of series; a KOKKOS_FUNCTION
///     template <class Storage>
///     void take_storage(Storage& storage) const;     // takes the arrays of a run in the order of observe()
///
///     // Begins or continues a run in the memory inputs.storage() and records observations while series.goes_on().
///     // Returns 0, or the mark of a failure (core/events/failure.hpp).
///     template <class Inputs, class Series>
///     KOKKOS_FUNCTION double observe(SeriesState& state, bool begins, Inputs& inputs, Series& series) const;
///
/// Draws must belong to entities: run r draws the random numbers of replication r, each at most once.
namespace sporos {

/// A model that provides long runs in memory whose size depends on its parameters.
template <class Model>
concept StoredSeriesModel = impl::NeedsStorage<Model> && requires(const Model& model, StorageParts& parts) {
  requires std::is_trivially_copyable_v<typename Model::SeriesState>;
  requires Model::draws_by_entity;
  { model.series_count() } -> std::same_as<int>;
  model.take_storage(parts);
};

/// Recorder to which a model writes one segment of a run, for a number of series that is known at run time.
template <class ExecutionSpace>
class StoredSeriesRecorder {
 public:
  /// Averages of blocks: one row per run, one column per series and block.
  using Blocks = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

  /// Creates a recorder of `series` series for run `run`.
  KOKKOS_FUNCTION StoredSeriesRecorder(const Blocks& blocks, std::int64_t run, int series, std::int64_t block_size)
      : m_blocks(blocks), m_run(run), m_series(series), m_block_size(block_size) {
    clear_block();
  }

  /// Whether the segment requires another observation.
  KOKKOS_FUNCTION bool goes_on() const { return m_recorded < segment_observations; }

  /// Records the value of series `series` in the present observation. Without a call, the value is 0.
  KOKKOS_FUNCTION void record(int series, double value) { in_block(series) += value; }

  /// Ends the present observation.
  KOKKOS_FUNCTION void end_observation() {
    if (++m_recorded % m_block_size != 0) return;
    for (int i = 0; i < m_series; ++i) in_block(i) /= static_cast<double>(m_block_size);
    ++m_block;
    clear_block();
  }

 private:
  KOKKOS_FUNCTION double& in_block(int series) const {
    return m_blocks(m_run, series * (segment_observations / m_block_size) + m_block);
  }
  KOKKOS_FUNCTION void clear_block() {
    for (int i = 0; goes_on() && i < m_series; ++i) in_block(i) = 0;
  }

  const Blocks& m_blocks;
  std::int64_t m_run;
  int m_series;
  std::int64_t m_block_size, m_recorded = 0, m_block = 0;
};

namespace impl {

// A model without its input_draws(), because a segment may draw any number of times.
template <class Model>
struct StoredSeriesOf {
  enum Input { input_count = static_cast<int>(Model::input_count) };
  static constexpr bool draws_by_entity = true;
  Model model;
  std::int64_t storage_bytes() const { return model.storage_bytes(); }
};

// Memory of long runs. Each run has a separate part.
template <class ExecutionSpace>
class RunMemory {
 public:
  static constexpr std::int64_t lanes = runs_on_host<ExecutionSpace> ? 1 : warp_lanes;

  RunMemory(std::int64_t runs, std::int64_t bytes_of_run)
      : m_bytes_of_block(lanes * bytes_of_run),
        m_memory(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::series::memory"),
                 static_cast<std::size_t>((runs + lanes - 1) / lanes * m_bytes_of_block + alignment)) {}

  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage_of(std::int64_t run) const {
    return {m_memory.data() + offset() + run / lanes * m_bytes_of_block, static_cast<int>(run % lanes)};
  }

  // Start of the block of a run in a copy of bytes().
  std::int64_t offset_of(std::int64_t run) const { return offset() + run / lanes * m_bytes_of_block; }
  const auto& bytes() const { return m_memory; }

 private:
  using Bytes = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;
  static constexpr std::int64_t alignment = 128;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t offset() const {
    const auto first = reinterpret_cast<std::uintptr_t>(m_memory.data());
    return static_cast<std::int64_t>((alignment - first % alignment) % alignment);
  }

  std::int64_t m_bytes_of_block;
  Bytes m_memory;
};

// Simulates one segment of a run.
template <class Model, class ExecutionSpace>
struct StoredSegment {
  using Recorder = StoredSeriesRecorder<ExecutionSpace>;
  using States = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;

  States states;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> marks;
  typename Recorder::Blocks blocks;
  std::int64_t block_size;
  bool begins;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const StoredSeriesOf<Model>& series, Inputs& inputs,
                                  const Replication& replication) const {
    auto& state = reinterpret_cast<typename Model::SeriesState*>(states.data())[replication.row];
    Recorder recorder(blocks, replication.row, series.model.series_count(), block_size);
    marks(replication.row) = series.model.observe(state, begins, inputs, recorder);
  }
};

// Continues all runs. A team is one warp on a device, whose first `runs_of_warp` lanes have a run each, and one thread
// on a host.
template <class Model, class ExecutionSpace>
struct StoredRuns {
  using Tasks = Replicator<DefaultSource, Mapping::thread, StoredSeriesOf<Model>, ExecutionSpace,
                           StoredSegment<Model, ExecutionSpace>>;

  Tasks tasks;
  RunMemory<ExecutionSpace> memory;
  int runs_of_warp;

  KOKKOS_INLINE_FUNCTION void operator()(const typename Kokkos::TeamPolicy<ExecutionSpace>::member_type& team) const {
    const int lane = lane_index();
    const std::int64_t run = std::int64_t{team.league_rank()} * runs_of_warp + lane;
    if (lane < runs_of_warp && run < tasks.range.count) tasks.run(run, true, {}, memory.storage_of(run));
  }
};

}  // namespace impl

/// Simulates long runs of `Model` on an execution space, with the Philox engine.
template <StoredSeriesModel Model, class ExecutionSpace>
class StoredSeriesLauncher final : public SegmentLauncher {
 public:
  /// Names and descriptions of the estimated means, on the host.
  struct About {
    std::vector<std::string> names = {};     ///< names of the means
    std::vector<SeriesMean> means = {};      ///< the means
    std::string observation = {};            ///< see SegmentLauncher::observation
    std::vector<std::string> stations = {};  ///< names of the stations, for messages about failures
  };

  /// Creates the launcher; no segment is simulated yet. It keeps `data`, to which the model points. Throws OutOfMemory
  /// if the memory of the runs does not fit.
  StoredSeriesLauncher(const ExecutionSpace& space, const Model& model, About about, std::uint64_t seed,
                       std::int64_t runs, std::shared_ptr<const void> data = nullptr)
      : m_space(space),
        m_design(impl::StoredSeriesOf<Model>{model}, seed),
        m_about(std::move(about)),
        m_runs(runs),
        m_data(std::move(data)),
        m_memory(checked_runs(model, runs), model.storage_bytes()),
        m_states(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::series::states"),
                 static_cast<std::size_t>(runs) * sizeof(typename Model::SeriesState)),
        m_marks(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::series::marks"),
                static_cast<std::size_t>(runs)) {
    model.take_storage(m_parts);
  }

  std::int64_t runs() const override { return m_runs; }
  std::vector<std::string> names() const override { return m_about.names; }
  std::size_t series_count() const override { return static_cast<std::size_t>(model().series_count()); }
  SeriesMean mean(std::size_t index) const override { return m_about.means[index]; }
  std::string observation() const override { return m_about.observation; }
  bool regenerates() const override { return false; }
  CycleSums cycles(std::int64_t, std::size_t) override { return {}; }

  std::span<const double> launch(std::int64_t block_size) override {
    allocate_blocks(block_size);
    check_launch_stop();
    simulate(block_size);
    copy_elements(m_space, m_host_blocks, m_blocks);
    m_space.fence();
    check_launches<ExecutionSpace>();
    if constexpr (runs_on_host<ExecutionSpace>) check_launch_stop();
    check_failures();
    ++m_segment;
    return {m_host_blocks.data(), m_host_blocks.size()};
  }

  SegmentState state() override {
    if (m_segment == 0) return {};
    const auto states = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_states);
    const auto memory = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_memory.bytes());
    SegmentState state{m_segment, std::vector<unsigned char>(bytes_of_state())};
    auto* const bytes = reinterpret_cast<std::byte*>(state.runs.data());
    std::copy_n(states.data(), states.size(), bytes);
    for (std::int64_t run = 0; run < m_runs; ++run)
      m_parts.copy_from(memory.data() + m_memory.offset_of(run), lanes, run % lanes, bytes + offset_in_state(run));
    return state;
  }

  void restore(const SegmentState& state) override {
    if (state.segments < 0 || state.runs.size() != (state.segments == 0 ? 0 : bytes_of_state())) {
      throw std::invalid_argument("a state of runs has " + std::to_string(state.runs.size()) + " bytes, expected " +
                                  std::to_string(bytes_of_state()));
    }
    m_segment = state.segments;
    if (m_segment == 0) return;
    const auto* const bytes = reinterpret_cast<const std::byte*>(state.runs.data());
    copy_elements(m_space, m_states, std::span(bytes, m_states.size()));
    const auto memory = Kokkos::create_mirror_view(Kokkos::HostSpace(), m_memory.bytes());
    for (std::int64_t run = 0; run < m_runs; ++run)
      m_parts.copy_to(memory.data() + m_memory.offset_of(run), lanes, run % lanes, bytes + offset_in_state(run));
    if constexpr (!runs_on_host<ExecutionSpace>)  // on a host, `memory` is that of the runs
      copy_elements(m_space, m_memory.bytes(), std::span<const std::byte>(memory.data(), memory.size()));
    m_space.fence();
  }

 private:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Segment = impl::StoredSegment<Model, ExecutionSpace>;
  using Blocks = typename Segment::Recorder::Blocks;
  static constexpr std::int64_t lanes = impl::RunMemory<ExecutionSpace>::lanes;

  const Model& model() const { return m_design.first_model().model; }

  static std::int64_t checked_runs(const Model& model, std::int64_t runs) {
    check_memory<MemorySpace>({"memory", runs, "runs", static_cast<double>(model.storage_bytes())});
    return runs;
  }

  std::size_t bytes_of_state() const { return static_cast<std::size_t>(offset_in_state(m_runs)); }
  std::int64_t offset_in_state(std::int64_t run) const {
    return static_cast<std::int64_t>(m_states.size()) + run * m_parts.bytes();
  }

  void allocate_blocks(std::int64_t block_size) {
    const std::size_t columns = series_count() * static_cast<std::size_t>(segment_observations / block_size);
    if (m_blocks.extent(1) == columns) return;
    m_blocks = {};
    m_host_blocks = {};
    check_memory<MemorySpace>({"averages", m_runs, "runs", 8 * static_cast<double>(columns)});
    m_blocks = Blocks(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::series::blocks"),
                      static_cast<std::size_t>(m_runs), columns);
    m_host_blocks = Kokkos::create_mirror_view(Kokkos::HostSpace(), m_blocks);
  }

  void simulate(std::int64_t block_size) {
    constexpr bool host = runs_on_host<ExecutionSpace>;
    const std::int64_t most = impl::replications_side_by_side(m_space.concurrency()) / impl::warp_lanes;
    const int runs_of_warp = host || m_runs <= most ? 1 : impl::warp_lanes;
    const auto league = static_cast<int>((m_runs + runs_of_warp - 1) / runs_of_warp);
    const Segment segment{m_states, m_marks, m_blocks, block_size, m_segment == 0};
    Kokkos::parallel_for("sporos::series::segment",
                         Kokkos::TeamPolicy<ExecutionSpace>(m_space, league, 1, host ? 1 : impl::warp_lanes),
                         impl::StoredRuns<Model, ExecutionSpace>{
                             {m_design, m_source.on_device(), {0, m_runs}, segment}, m_memory, runs_of_warp});
  }

  void check_failures() const {
    const auto marks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_marks);
    for (std::int64_t run = 0; run < m_runs; ++run) {
      const double mark = marks(static_cast<std::size_t>(run));
      if (mark != 0) throw std::runtime_error(impl::failure_text(run, mark, m_about.stations));
    }
  }

  ExecutionSpace m_space;
  Design<impl::StoredSeriesOf<Model>, ExecutionSpace> m_design;
  About m_about;
  std::int64_t m_runs, m_segment = 0;
  std::shared_ptr<const void> m_data;
  StorageParts m_parts;
  PreparedSource<ExecutionSpace> m_source;
  impl::RunMemory<ExecutionSpace> m_memory;
  typename Segment::States m_states;
  Kokkos::View<double*, MemorySpace> m_marks;
  Blocks m_blocks;
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> m_host_blocks;
};

}  // namespace sporos
