// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/lane.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>

#include <Kokkos_Core.hpp>
#include <boost/core/demangle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>

namespace sporos {

/// Responses of single replications: row by replication, column by response. With several design points the rows of
/// point p begin at p · (replications of a point).
template <class ExecutionSpace>
using Outputs = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

/// Which replications of every design point a launch runs.
struct ReplicationRange {
  std::int64_t first = 0;  ///< index of the first replication
  std::int64_t count = 0;  ///< how many
};

namespace impl {

// Where a wide model writes the responses of one replication.
template <class ExecutionSpace>
class ResponseRow {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ResponseRow(const Outputs<ExecutionSpace>& outputs, std::int64_t row, bool writes)
      : m_outputs(outputs), m_row(row), m_writes(writes) {}

  KOKKOS_FORCEINLINE_FUNCTION void set(int response, double value) {
    if (static_cast<std::size_t>(response) >= m_outputs.extent(1)) {
      Kokkos::abort(
          "Sporos: a model sets a response that it does not have, expected one of 0 to response_count() - 1\n");
    }
    if (m_writes) m_outputs(m_row, response) = value;
  }

 private:
  const Outputs<ExecutionSpace>& m_outputs;
  std::int64_t m_row;
  bool m_writes;
};

// Runs one replication of one design point and, where it `writes`, writes its row.
template <class Source, Mapping mapping, class Model, class ExecutionSpace>
struct Replicator {
  Design<Model, ExecutionSpace> design;
  DeviceSource source;
  ReplicationRange range;
  Outputs<ExecutionSpace> outputs;

  using ModelInputs = typename Source::template InputsOn<ExecutionSpace, mapping, static_cast<int>(Model::input_count)>;

  KOKKOS_INLINE_FUNCTION void run(std::int64_t row, bool writes, const LaneGroup& group = {}) const {
    const std::int64_t point = design.count() == 1 ? 0 : row / range.count;
    const std::int64_t replication = range.first + (row - point * range.count);
    const DesignPoint<Model>& parameters = design[point];
    ModelInputs inputs(source, parameters.seed, static_cast<std::uint64_t>(replication), draws_of(parameters.model),
                       group);
    if constexpr (WideModel<Model>) {
      ResponseRow<ExecutionSpace> responses(outputs, row, writes);
      parameters.model(inputs, responses);
      if (!writes) return;
    } else {
      const Kokkos::Array<double, response_count<Model>> values = parameters.model(inputs);
      if (!writes) return;
      for (int response = 0; response < response_count<Model>; ++response) outputs(row, response) = values[response];
    }
    if constexpr (requires { inputs.note_excess(point); }) inputs.note_excess(point);
  }
};

template <class Source, class Model, class ExecutionSpace>
struct ThreadReplicator : Replicator<Source, Mapping::thread, Model, ExecutionSpace> {
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const { this->run(row, true); }
};

// A group of lanes of a warp runs the replication in step; that is how each can prepare random numbers for all. Lane 0
// of it writes.
template <class Source, class Model, class ExecutionSpace>
struct WarpReplicator : Replicator<Source, Mapping::warp, Model, ExecutionSpace> {
  using Member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Inputs = typename Replicator<Source, Mapping::warp, Model, ExecutionSpace>::ModelInputs;
  std::int64_t first_row, end_row;
  int rows_of_warp;  // a power of two
  // A multiprocessor holds 32 teams and more, and gives a team up to 64 KiB of memory, on every GPU since 2018.
  KOKKOS_FUNCTION static constexpr std::size_t warp_bytes() { return Inputs::shared_numbers * sizeof(double); }
  KOKKOS_FUNCTION static constexpr int warps() {
    return !runs_on_host<ExecutionSpace> && warp_bytes() <= (std::size_t{12} << 10) ? 4 : 1;
  }
  KOKKOS_FUNCTION static constexpr std::size_t team_bytes() { return warps() * warp_bytes(); }
  static constexpr bool has_room() { return team_bytes() <= (std::size_t{64} << 10); }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t warp = static_cast<std::int64_t>(member.league_rank()) * member.team_size() + member.team_rank();
    const int lanes = warp_lanes / rows_of_warp;
    const std::int64_t row = first_row + warp * rows_of_warp + lane_index() / lanes;
    if (row >= end_row) return;
    double* numbers = nullptr;
    if constexpr (!runs_on_host<ExecutionSpace>) {
      numbers = static_cast<double*>(member.team_shmem().get_shmem(team_bytes()));
    }
    const LaneGroup group{lanes, numbers + member.team_rank() * Inputs::shared_numbers};
    this->run(row, group.lane() == 0, group);
  }
};

// Whether there are warps, and room in one for the numbers of all inputs: elsewhere threads do the work.
template <class Source, class Model, class ExecutionSpace>
constexpr bool has_warps() {
  if constexpr (runs_on_host<ExecutionSpace>) {
    return false;
  } else {
    return WarpReplicator<Source, Model, ExecutionSpace>::has_room();
  }
}

template <class Source, class Model, class ExecutionSpace>
void launch_threads(const ExecutionSpace& space, const Replicator<Source, Mapping::thread, Model, ExecutionSpace>& body,
                    std::int64_t rows) {
  // On a GPU 24 warps a multiprocessor, at 80 registers a thread: on an H200 10^5 replications run side by side.
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>,
                                     Kokkos::LaunchBounds<128, 6>>;
  Policy policy(space, 0, rows);
  if constexpr (runs_on_host<ExecutionSpace>) {
    // Replications differ in length: small chunks, but enough of them in one that handing out costs nothing.
    policy.set_chunk_size(static_cast<int>(std::clamp<std::int64_t>(rows / (64 * space.concurrency()), 1, 1024)));
  }
  Kokkos::parallel_for(
      "sporos::replication::threads", policy,
      ThreadReplicator<Source, Model, ExecutionSpace>{{body.design, body.source, body.range, body.outputs}});
}

template <class Source, class Model, class ExecutionSpace>
void launch_warps(const ExecutionSpace& space, const Replicator<Source, Mapping::warp, Model, ExecutionSpace>& body,
                  std::int64_t rows) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Body = WarpReplicator<Source, Model, ExecutionSpace>;
  constexpr bool host = runs_on_host<ExecutionSpace>;
  constexpr int warps = Body::warps(), lanes = host ? 1 : warp_lanes;
  const int rows_of_warp = host ? 1 : rows_of_a_warp(rows, space.concurrency(), runs_in_step<Model>);
  const std::int64_t rows_of_team = warps * rows_of_warp;
  const std::int64_t most_rows = rows_of_team << 28;  // a league's size is an int
  for (std::int64_t first = 0; first < rows; first += most_rows) {
    const std::int64_t end = std::min(rows, first + most_rows);
    const auto league = static_cast<int>((end - first + rows_of_team - 1) / rows_of_team);
    Policy policy(space, league, warps, lanes);
    if (!host) policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Body::team_bytes())));
    Kokkos::parallel_for("sporos::replication::warps", policy,
                         Body{{body.design, body.source, body.range, body.outputs}, first, end, rows_of_warp});
  }
}

template <class Source, class Model, class ExecutionSpace>
void launch(const ExecutionSpace& space, const Design<Model, ExecutionSpace>& design, const DeviceSource& source,
            const ReplicationRange& range, Mapping mapping, const Outputs<ExecutionSpace>& outputs) {
  const std::int64_t rows = design.count() * range.count;
  if constexpr (has_warps<Source, Model, ExecutionSpace>()) {
    if (mapping == Mapping::warp) {
      return launch_warps<Source, Model, ExecutionSpace>(space, {design, source, range, outputs}, rows);
    }
  }
  launch_threads<Source, Model, ExecutionSpace>(space, {design, source, range, outputs}, rows);
}

}  // namespace impl

namespace impl {

enum class OutputsLack { none, memory };

// The same for the source that `source` names.
template <class Model, class ExecutionSpace>
bool has_warps(const UniformSource& source) {
  return source.is_default() ? has_warps<DefaultSource, Model, ExecutionSpace>()
                             : has_warps<ChosenSource, Model, ExecutionSpace>();
}

// Whether responses can be written to a view, of any layout and traits that Outputs can be made of.
template <class OutputView, class ExecutionSpace>
inline constexpr OutputsLack lack_of_outputs =
    std::is_convertible_v<OutputView, Outputs<ExecutionSpace>> ? OutputsLack::none : OutputsLack::memory;

inline void check_contract(Lacks<OutputsLack::none>) {}
SPOROS_TELL(OutputsLack::memory,
            "Sporos: outputs must be a sporos::Outputs<ExecutionSpace>, which responses are written to: a "
            "Kokkos::View<double**, "
            "Kokkos::LayoutLeft> in the space's memory, and not of const");

// What the model is called, or its type.
template <class Model>
std::string name_of_model() {
  if constexpr (requires { std::string(Model::name); }) {
    return std::string(Model::name);
  } else {
    return boost::core::demangle(typeid(Model).name());
  }
}

}  // namespace impl

/// `source`, ready for replications of any of `models` on `ExecutionSpace`. Throws std::invalid_argument where it
/// cannot serve one of them.
template <class ExecutionSpace, class Model>
PreparedSource<ExecutionSpace> prepared_source(const UniformSource& source, std::span<const Model> models) {
  if constexpr (SimulationModel<Model>) {  // who runs a wrong one is told
    std::int64_t most_dimensions = 0;
    for (const Model& model : models) {
      const auto draws = impl::draws_of(model);
      check_source(source, std::span(draws.data(), draws.size()));
      most_dimensions = std::max(most_dimensions, dimensions_of(std::span(draws.data(), draws.size())));
    }
    return {source, most_dimensions, static_cast<std::int64_t>(models.size()), std::int64_t{Model::input_count}};
  } else {
    return {};
  }
}

/// Throws std::runtime_error where a replication of one of `points`, which have been run from `source` on `space`, drew
/// more often from an input than its model states, and the sampling had no coordinates left for it. Waits.
template <class Model, class ExecutionSpace>
void check_draws(const ExecutionSpace& space, const PreparedSource<ExecutionSpace>& source,
                 std::span<const DesignPoint<Model>> points) {
  const auto most_drawn = source.excessive_draws(space);
  for (std::size_t i = 0; i < most_drawn.size(); ++i) {
    if (most_drawn[i] == 0) continue;
    constexpr auto inputs = static_cast<std::size_t>(Model::input_count);
    const std::size_t input = i % inputs;
    throw std::runtime_error(
        "model " + impl::name_of_model<Model>() + " draws " + std::to_string(most_drawn[i]) + " times from input " +
        std::to_string(input + 1) + " in a replication, but its input_draws() states " +
        std::to_string(impl::draws_of(points[i / inputs].model)[input].total()) + ", expected no more: sampling " +
        std::string(name_of(source.source().sampling)) + " has a place for each draw that is stated");
  }
}

/// Runs replications [first, first + count) of every design point on `space` and writes their responses to `outputs`
/// (Outputs of `space`, design.count() · range.count rows at least, one column a response). Asynchronous: fence before
/// the outputs are read. Design points of a wide model must have the same responses. The bits depend on (parameters,
/// seed, engine, sampling, replication) alone.
///
/// `CompiledSource` is how a user's own source of uniforms plugs in at compile time: EngineSource<MyEngine>.
template <class CompiledSource, class Model, class ExecutionSpace, class OutputView>
void replicate_with(const ExecutionSpace& space, const Design<Model, ExecutionSpace>& design,
                    const PreparedSource<ExecutionSpace>& source, const ReplicationRange& range, Mapping mapping,
                    const OutputView& outputs) {
  constexpr auto lack_of_model = impl::lack_of_model<Model>();
  constexpr auto lack_of_source = impl::lack_of_source<CompiledSource>();
  constexpr auto lack_of_outputs = impl::lack_of_outputs<OutputView, ExecutionSpace>;
  impl::check_contract(impl::Lacks<lack_of_model>());
  impl::check_contract(impl::Lacks<lack_of_source>());
  impl::check_contract(impl::Lacks<lack_of_outputs>());
  if constexpr (lack_of_model == impl::ModelLack::none && lack_of_source == impl::SourceLack::none &&
                lack_of_outputs == impl::OutputsLack::none) {
    if (false) impl::run_on_any_inputs(design.first_model());  // what is wrong in a body is said first
    const std::int64_t rows = design.count() * range.count;
    const int responses = response_count_of(design.first_model());
    if (static_cast<std::int64_t>(outputs.extent(0)) < rows || static_cast<int>(outputs.extent(1)) != responses) {
      throw std::invalid_argument("outputs are " + std::to_string(outputs.extent(0)) + " x " +
                                  std::to_string(outputs.extent(1)) + ", expected " + std::to_string(rows) + " x " +
                                  std::to_string(responses));
    }
    impl::launch<CompiledSource, Model, ExecutionSpace>(space, design, source.on_device(), range, mapping, outputs);
  }
}

/// The same with the engine and sampling that `source` names at run time. Where replications share a sample,
/// check_draws says afterwards whether a model drew as often as it states.
template <class Model, class ExecutionSpace, class OutputView>
void replicate(const ExecutionSpace& space, const Design<Model, ExecutionSpace>& design,
               const PreparedSource<ExecutionSpace>& source, const ReplicationRange& range, Mapping mapping,
               const OutputView& outputs) {
  if (source.source().is_default()) {
    replicate_with<DefaultSource, Model>(space, design, source, range, mapping, outputs);
  } else {
    replicate_with<ChosenSource, Model>(space, design, source, range, mapping, outputs);
  }
}

}  // namespace sporos
