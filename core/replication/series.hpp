// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/events/failure.hpp>
#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/failed_replications.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/series_model.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/core/statistics/regenerative_mean.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

namespace impl {

// State of a run in addition to the state of its model: regenerative cycles.
template <int series>
struct CycleState {
  double length = 0;  // number of observations in the current cycle
  bool has_begun = false;
  double totals[series] = {};
  CycleSums sums[series];
};

}  // namespace impl

/// Recorder to which a model writes one segment of a run. An observation consists of `series` numbers.
template <int series, class ExecutionSpace>
class SeriesRecorder {
 public:
  /// Averages of blocks: one row per run, one column per series and block.
  using Blocks = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

  /// Creates a recorder for run `run`, which updates its `cycles`.
  KOKKOS_FUNCTION SeriesRecorder(const Blocks& blocks, std::int64_t run, std::int64_t block_size,
                                 impl::CycleState<series>& cycles)
      : m_blocks(blocks), m_run(run), m_block_size(block_size), m_cycles(cycles) {}

  /// Whether the segment requires another observation.
  KOKKOS_FORCEINLINE_FUNCTION bool goes_on() const { return m_recorded < segment_observations; }

  /// Marks a regeneration point: the following observations do not depend on the previous ones and have the same
  /// distribution as after every other regeneration point.
  KOKKOS_FORCEINLINE_FUNCTION void regenerate() {
    if (m_cycles.has_begun) {
      for (int i = 0; i < series; ++i) m_cycles.sums[i].add(m_cycles.length, m_cycles.totals[i]);
    }
    m_cycles.has_begun = true;
    m_cycles.length = 0;
    for (int i = 0; i < series; ++i) m_cycles.totals[i] = 0;
  }

  /// Records an observation, one number for each series.
  template <class... Numbers>
  KOKKOS_FORCEINLINE_FUNCTION void record(const Numbers&... numbers) {
    static_assert(sizeof...(Numbers) == series,
                  "Sporos: an observation must have one number for each of observed_series.names");
    const double given[] = {static_cast<double>(numbers)...};
    m_cycles.length += 1;
    for (int i = 0; i < series; ++i) {
      m_sums[i] += given[i];
      m_cycles.totals[i] += given[i];
    }
    if (++m_recorded % m_block_size == 0) end_block();
  }

  /// Ends a run that has failed, with the mark of its failure (core/events/failure.hpp). The launcher then throws.
  KOKKOS_INLINE_FUNCTION void fail(double mark) {
    for (std::size_t column = 0; column < m_blocks.extent(1); ++column) m_blocks(m_run, column) = mark;
    m_recorded = segment_observations;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void end_block() {
    const std::int64_t blocks = segment_observations / m_block_size, block = m_recorded / m_block_size - 1;
    for (int i = 0; i < series; ++i) {
      m_blocks(m_run, i * blocks + block) = m_sums[i] / static_cast<double>(m_block_size);
      m_sums[i] = 0;
    }
  }

  const Blocks& m_blocks;
  std::int64_t m_run, m_block_size, m_recorded = 0;
  double m_sums[series] = {};
  impl::CycleState<series>& m_cycles;
};

namespace impl {

template <class Model>
inline constexpr int series_count = static_cast<int>(Model::observed_series.names.size());

// A model without its input_draws(), because a segment may draw any number of times.
template <class Model>
struct SeriesOf {
  enum Input { input_count = static_cast<int>(Model::input_count) };
  Model model;
};

template <class Model>
struct RunState {
  typename Model::SeriesState state;
  CycleState<series_count<Model>> cycles;
};

// Simulates one segment of a run.
template <class Model, class ExecutionSpace>
struct SegmentRecorder {
  using Recorder = SeriesRecorder<series_count<Model>, ExecutionSpace>;
  // Bytes, because copies of Views of many different types take long to compile.
  using States = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;

  States states;
  typename Recorder::Blocks blocks;
  std::int64_t block_size;
  bool begins;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const SeriesOf<Model>& series, Inputs& inputs, const Replication& replication) const {
    RunState<Model>& kept = reinterpret_cast<RunState<Model>*>(states.data())[replication.row];
    RunState<Model> run = begins ? RunState<Model>{series.model.begin_series(inputs), {}} : kept;
    Recorder recorder(blocks, replication.row, block_size, run.cycles);
    series.model.observe(run.state, inputs, recorder);
    kept = run;
  }
};

}  // namespace impl

/// Simulates long runs of `Model` on an execution space, with the Philox engine.
template <SeriesModel Model, class ExecutionSpace>
class SeriesLauncher final : public SegmentLauncher {
 public:
  /// Creates the launcher; no segment is simulated yet. Throws the exceptions of the model's checks.
  SeriesLauncher(const ExecutionSpace& space, const Model& model, std::uint64_t seed, std::int64_t runs)
      : m_space(space), m_design({model}, seed), m_runs(runs) {
    if constexpr (requires { model.check(); }) model.check();
    model.check_series();
    m_states = States(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::series::states"),
                      static_cast<std::size_t>(runs) * sizeof(impl::RunState<Model>));
  }

  std::int64_t runs() const override { return m_runs; }

  std::vector<std::string> names() const override {
    return {Model::observed_series.names.begin(), Model::observed_series.names.end()};
  }

  bool regenerates() const override { return Model::observed_series.regenerates; }

  std::span<const double> launch(std::int64_t block_size) override {
    const auto columns = static_cast<std::size_t>(impl::series_count<Model> * (segment_observations / block_size));
    if (m_blocks.extent(1) != columns) {
      m_blocks = {};
      m_blocks = Blocks(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::series::blocks"),
                        static_cast<std::size_t>(m_runs), columns);
      m_host_blocks = Kokkos::create_mirror_view(Kokkos::HostSpace(), m_blocks);
    }
    const impl::SegmentRecorder<Model, ExecutionSpace> recorder{m_states, m_blocks, block_size, m_segment == 0};
    for_each_replication_with<DefaultSource>("sporos::series::segment", m_space, m_design, m_source,
                                             {m_segment * m_runs, m_runs}, by_threads, recorder);
    copy_elements(m_space, m_host_blocks, m_blocks);
    m_space.fence();
    check_launches<ExecutionSpace>();
    check_failures();
    ++m_segment;
    return {m_host_blocks.data(), m_host_blocks.size()};
  }

  CycleSums cycles(std::int64_t run, std::size_t series) override {
    if (m_segment == 0) return {};
    if (m_segment_on_host != m_segment) {
      m_host_states = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_states);
      m_segment_on_host = m_segment;
    }
    return reinterpret_cast<const impl::RunState<Model>*>(m_host_states.data())[run].cycles.sums[series];
  }

  SegmentState state() override {
    if (m_segment == 0) return {};
    const auto states = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_states);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(states.data());
    return {m_segment, {bytes, bytes + states.size()}};
  }

  void restore(const SegmentState& state) override {
    if (state.segments < 0 || state.runs.size() != (state.segments == 0 ? 0 : m_states.size())) {
      throw std::invalid_argument("a state of runs has " + std::to_string(state.runs.size()) + " bytes, expected " +
                                  std::to_string(m_states.size()));
    }
    m_segment = state.segments;
    m_segment_on_host = 0;
    if (m_segment == 0) return;
    copy_elements(m_space, m_states, std::as_bytes(std::span(state.runs)));
    m_space.fence();
  }

 private:
  using Blocks = typename SeriesRecorder<impl::series_count<Model>, ExecutionSpace>::Blocks;
  using States = typename impl::SegmentRecorder<Model, ExecutionSpace>::States;

  void check_failures() const {
    for (std::int64_t run = 0; run < m_runs; ++run) {
      const double first = m_host_blocks(static_cast<std::size_t>(run), 0);
      if (failure_marked_by(first).failure == Failure::none) continue;
      throw std::runtime_error(impl::failure_text(run, first));
    }
  }

  ExecutionSpace m_space;
  Design<impl::SeriesOf<Model>, ExecutionSpace> m_design;
  std::int64_t m_runs, m_segment = 0;
  PreparedSource<ExecutionSpace> m_source;
  States m_states;
  std::int64_t m_segment_on_host = 0;  // number of segments after which m_host_states was copied
  Kokkos::View<std::byte*, Kokkos::HostSpace> m_host_states;
  Blocks m_blocks;
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> m_host_blocks;
};

}  // namespace sporos
