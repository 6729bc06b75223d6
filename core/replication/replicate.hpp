// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/pack.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/name_of_model.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace sporos {

/// Responses of single replications: one row for each replication, one column for each response. With several design
/// points, the rows of point p begin at row p · (replications of a point).
template <class ExecutionSpace>
using Outputs = Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

namespace impl {

// Receives the responses of one replication of a wide model.
template <class ExecutionSpace>
class ResponseRow {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ResponseRow(const Outputs<ExecutionSpace>& outputs, const Replication& replication)
      : m_outputs(outputs), m_replication(replication) {}

  KOKKOS_FORCEINLINE_FUNCTION void set(int response, double value) { set_number(response, value); }
  KOKKOS_FORCEINLINE_FUNCTION void set(int response, const Pack& values) { set_number(response, values); }

 private:
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION void set_number(int response, const Number& value) {
    if (static_cast<std::size_t>(response) >= m_outputs.extent(1)) {
      Kokkos::abort(
          "Sporos: a model sets a response that it does not have, expected one of 0 to response_count() - 1\n");
    }
    if (m_replication.writes) write(value, m_replication, m_outputs, response);
  }

  const Outputs<ExecutionSpace>& m_outputs;
  const Replication& m_replication;
};

// Body that writes the responses of a replication to its row.
template <class ExecutionSpace>
struct RowWriter {
  Outputs<ExecutionSpace> outputs;

  template <class Model>
  static constexpr bool takes_packs() {
    return RunsInLanes<Model>;
  }

  template <class Model, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Model& model, Inputs& inputs,
                                              const Replication& replication) const {
    if constexpr (WideModel<Model>) {
      ResponseRow<ExecutionSpace> responses(outputs, replication);
      model(inputs, responses);
    } else {
      const auto values = model(inputs);
      if (replication.writes) write_all(values, replication);
    }
  }

  // Writes the responses of two packs of replications.
  template <class Model, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION void side_by_side(const Model& model, Inputs& inputs, const Replication& replication,
                                                Inputs& others, const Replication& following) const {
    const auto values = model.side_by_side(inputs, others);
    write_all(values[0], replication);
    write_all(values[1], following);
  }

 private:
  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void write_all(const Values& values, const Replication& replication) const {
    for (int response = 0; response < static_cast<int>(values.size()); ++response) {
      write(values[response], replication, outputs, response);
    }
  }
};

enum class OutputsRequirement { none, memory };

// Whether responses can be written to a View. It may have any layout and traits from which Outputs can be constructed.
template <class OutputView, class ExecutionSpace>
inline constexpr OutputsRequirement unmet_outputs_requirement =
    std::is_convertible_v<OutputView, Outputs<ExecutionSpace>> ? OutputsRequirement::none : OutputsRequirement::memory;

inline void check_contract(Unmet<OutputsRequirement::none>) {}
SPOROS_REQUIREMENT(
    OutputsRequirement::memory,
    "Sporos: outputs must be a sporos::Outputs<ExecutionSpace>, a Kokkos::View<double**, Kokkos::LayoutLeft> "
    "of elements that are not const, in the space's memory");

/// Throws std::invalid_argument if outputs have too few rows, or a wrong number of columns.
void check_outputs(std::size_t rows, std::size_t columns, std::int64_t min_rows, int responses);

/// Throws std::runtime_error for a replication of `model` that drew `drawn` times from `input`, more often than the
/// `stated` number.
[[noreturn]] void refuse_draws(const std::string& model, std::int64_t drawn, std::size_t input, std::int64_t stated,
                               Sampling sampling);

}  // namespace impl

/// Prepares `source` for replications of any of `models` on `ExecutionSpace`. Throws std::invalid_argument if it cannot
/// serve one of them.
template <class ExecutionSpace, class Model>
PreparedSource<ExecutionSpace> prepared_source(const UniformSource& source, std::span<const Model> models) {
  if constexpr (SimulationModel<Model>) {  // errors in a model are reported where it is run
    std::int64_t max_dimensions = 0;
    for (const Model& model : models) {
      const auto draws = impl::draws_of(model);
      check_source(source, std::span(draws.data(), draws.size()));
      if constexpr (DrawsByEntity<Model>) check_serves_entities(source);
      max_dimensions = std::max(max_dimensions, dimensions_of(std::span(draws.data(), draws.size())));
    }
    return {source, max_dimensions, static_cast<std::int64_t>(models.size()), std::int64_t{Model::input_count}};
  } else {
    return {};
  }
}

/// Checks the draws of replications of `points`, run from `source` on `space`. Throws std::runtime_error if one drew
/// more often from an input than its model states, and the sampling method had no coordinates left. This call blocks.
template <class Model, class ExecutionSpace>
void check_draws(const ExecutionSpace& space, const PreparedSource<ExecutionSpace>& source,
                 std::span<const DesignPoint<Model>> points) {
  const auto max_drawn = source.excessive_draws(space);
  for (std::size_t i = 0; i < max_drawn.size(); ++i) {
    if (max_drawn[i] == 0) continue;
    constexpr auto inputs = static_cast<std::size_t>(Model::input_count);
    impl::refuse_draws(impl::name_of_model<Model>(), max_drawn[i], i % inputs,
                       impl::draws_of(points[i / inputs].model)[i % inputs].total(), source.source().sampling);
  }
}

/// Runs replications [first, first + count) of every design point on `space` and writes their responses to `outputs`.
/// These are Outputs of `space`, with at least design.count() · range.count rows and one column for each response.
/// Asynchronous: fence before you read the outputs. Design points of a wide model must have the same responses.
/// Responses depend only on (parameters, seed, engine, sampling, replication), bit for bit.
///
/// `mapping` is `by_threads`, `by_one_lane`, or a Mapping, where Mapping::automatic means Mapping::thread.
/// `CompiledSource` is the type of the source of uniforms. Use EngineSource<MyEngine> to plug in your own engine at
/// compile time.
template <class CompiledSource, class Model, class ExecutionSpace, std::convertible_to<Mapping> MappingChoice,
          class OutputView>
void replicate_with(const ExecutionSpace& space, const Design<Model, ExecutionSpace>& design,
                    const PreparedSource<ExecutionSpace>& source, const ReplicationRange& range,
                    const MappingChoice& mapping, const OutputView& outputs) {
  constexpr auto unmet_model_requirement = impl::unmet_model_requirement<Model>();
  constexpr auto unmet_source_requirement = impl::unmet_source_requirement<CompiledSource>();
  constexpr auto unmet_outputs_requirement = impl::unmet_outputs_requirement<OutputView, ExecutionSpace>;
  impl::check_contract(impl::requirement_of_model<Model>());
  impl::check_contract(impl::Unmet<unmet_source_requirement>());
  impl::check_contract(impl::Unmet<unmet_outputs_requirement>());
  if constexpr (unmet_model_requirement == impl::ModelRequirement::none &&
                unmet_source_requirement == impl::SourceRequirement::none &&
                unmet_outputs_requirement == impl::OutputsRequirement::none) {
    const std::int64_t rows = design.count() * range.count;
    const int responses = response_count_of(design.first_model());
    impl::check_outputs(outputs.extent(0), outputs.extent(1), rows, responses);
    for_each_replication_with<CompiledSource>("sporos::replicate", space, design, source, range, mapping,
                                              impl::RowWriter<ExecutionSpace>{outputs});
  }
}

/// Calls replicate_with for the engine and sampling that `source` selects at run time. If replications share a sample,
/// call check_draws afterwards: it throws if a model drew more often than it states.
template <class Model, class ExecutionSpace, std::convertible_to<Mapping> MappingChoice, class OutputView>
void replicate(const ExecutionSpace& space, const Design<Model, ExecutionSpace>& design,
               const PreparedSource<ExecutionSpace>& source, const ReplicationRange& range,
               const MappingChoice& mapping, const OutputView& outputs) {
  if (source.source().is_default()) {
    replicate_with<DefaultSource, Model>(space, design, source, range, mapping, outputs);
  } else {
    replicate_with<ChosenSource, Model>(space, design, source, range, mapping, outputs);
  }
}

}  // namespace sporos
