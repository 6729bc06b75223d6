// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/for_each_task.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/arena_replicator.hpp>
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/name_of_model.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/replicator.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

// Position of a numeric parameter in its model.
struct ParameterPlace {
  std::size_t offset;
  bool is_integer;
};

template <class Model>
ParameterPlace parameter_place(const std::string& name) {
  const Model model{};
  ParameterPlace place{};
  bool is_found = false;
  for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
    if constexpr (std::is_arithmetic_v<Value>) {
      if (parameter.name != name) return;
      const auto* const member = reinterpret_cast<const std::byte*>(&(model.*parameter.member));
      place = {static_cast<std::size_t>(member - reinterpret_cast<const std::byte*>(&model)),
               std::is_integral_v<Value>};
      is_found = true;
    }
  });
  if (!is_found) throw std::invalid_argument(name + " is not a numeric parameter of the model");
  return place;
}

// Creates the model of a system.
template <class Model>
struct SystemModels {
  Model default_value;
  SystemCoordinates coordinates;
  int axes;
  Kokkos::Array<ParameterPlace, static_cast<std::size_t>(SystemCoordinates::max_axes)> places;

  KOKKOS_FUNCTION Model operator()(std::int64_t system) const { return with(coordinates(system)); }

  KOKKOS_FUNCTION Model with(const SystemCoordinates::Values& values) const {
    Model model = default_value;
    auto* const bytes = reinterpret_cast<unsigned char*>(&model);
    for (int axis = 0; axis < axes; ++axis) {
      unsigned char* const member = bytes + places[axis].offset;
      if (places[axis].is_integer) {
        *reinterpret_cast<std::int64_t*>(member) = static_cast<std::int64_t>(values[axis]);
      } else {
        *reinterpret_cast<double*>(member) = values[axis];
      }
    }
    return model;
  }
};

// Index of the first of `count` ascending numbers that is greater than `number`.
KOKKOS_INLINE_FUNCTION std::int64_t first_above(const std::int64_t* numbers, std::int64_t count, std::int64_t number) {
  std::int64_t low = 0;
  while (count > 0) {
    const std::int64_t half = count / 2;
    if (numbers[low + half] <= number) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

// Writes the numbers of a replication: a response and the excess over each constraint. The weights of a constraint are
// followed by its limit.
struct ObservedResponses {
  int response;
  bool is_smallest_best;
  int constraints;
  const double* weights_and_limits;
  const double* sums;  // as in SystemResponse, or null

  template <std::size_t count, class Responses>
  KOKKOS_FUNCTION double compared(const Responses& responses, std::int64_t system) const {
    if (sums == nullptr) return responses[response];
    const double* const weights = sums + system * static_cast<std::int64_t>(count + 1);
    double sum = weights[count];
    for (std::size_t i = 0; i < count; ++i) {
      if (weights[i] != 0.0) sum += weights[i] * responses[i];
    }
    return sum;
  }

  template <std::size_t count, class Responses>
  KOKKOS_FUNCTION void write(const Responses& responses, std::int64_t system, double* row) const {
    const double number = compared<count>(responses, system);
    row[0] = is_smallest_best ? -number : number;
    const double* next = weights_and_limits;
    for (int constraint = 1; constraint <= constraints; ++constraint) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i, ++next) {
        if (*next != 0.0) sum += *next * responses[i];
      }
      row[constraint] = sum - *next++;
    }
  }
};

// Makes the replications of a launch, one per thread.
template <class Model, class ExecutionSpace>
struct SystemReplicator {
  using PlainInputs =
      typename DefaultSource::template InputsOn<ExecutionSpace, Mapping::thread, static_cast<int>(Model::input_count)>;
  using Inputs = std::conditional_t<NeedsStorage<Model>, StoringInputs<PlainInputs>, PlainInputs>;
  static constexpr std::size_t response_count = Model::response_names.size();

  SystemModels<Model> models;
  SystemRows rows;
  ObservedResponses observed;
  std::uint64_t common_seed;
  bool has_common_random_numbers;
  DeviceSource source;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const { run(place, {}); }

  // Makes a replication in `storage`, which only models with storage use.
  KOKKOS_FUNCTION void run(std::int64_t place, [[maybe_unused]] const ReplicationStorage& storage) const {
    if (leaves_replication_out()) return;
    const std::int64_t row = rows.first + place;
    const std::int64_t at = first_above(rows.ends, rows.count, row);
    const std::int64_t system = rows.systems[at];
    const std::int64_t replication = rows.made[system] + row - (at == 0 ? 0 : rows.ends[at - 1]);
    const Model model = models(system);
    const std::uint64_t seed =
        has_common_random_numbers ? common_seed : design_point_seed(common_seed, static_cast<std::uint64_t>(system));
    Inputs inputs(source, seed, static_cast<std::uint64_t>(replication), draws_of(model));
    if constexpr (NeedsStorage<Model>) inputs.use(storage);
    const auto responses = model(inputs);
    observed.template write<response_count>(responses, system, rows.responses + place * (1 + observed.constraints));
  }
};

template <class Model, class ExecutionSpace>
void launch_systems(const ExecutionSpace& space, [[maybe_unused]] const ReplicationMemory& memory,
                    const SystemReplicator<Model, ExecutionSpace>& replicator) {
  using Replicator = SystemReplicator<Model, ExecutionSpace>;
  name_of_launched = &name_of_model<Model>;
  check_launch_stop();
  const std::string label = label_with_model<Model>("sporos::selection::replicate");
  const std::int64_t count = replicator.rows.end - replicator.rows.first;
  if constexpr (NeedsStorage<Model>) {
    const bool few = count <= max_rows_for_warps(space.concurrency(), {.in_step = false});
    launch_in_arena(label, space, few ? Mapping::warp : Mapping::thread, memory, count, replicator);
  } else {
    for_each_task(label, thread_policy<Model, Replicator>(space, count), replicator);
  }
  space.fence();
  if constexpr (runs_on_host<ExecutionSpace>) check_launch_stop();
}

}  // namespace impl

/// Makes replications of a described model whose parameters vary between systems over a grid, on `ExecutionSpace`.
template <class Model, class ExecutionSpace>
class ModelLauncher final : public SystemLauncher {
 public:
  /// `model` provides the parameters that are equal in all systems. @throws std::invalid_argument if an axis is not a
  /// numeric parameter or has values that are not whole for a whole parameter, if there is no response with this index,
  /// if a constraint does not have one weight for each response, or if the size of the sums does not match the systems.
  /// If the model rejects every system, the message is that of the first one's check, followed by the system's number.
  ModelLauncher(const ExecutionSpace& space, const Model& model, const SystemGrid& grid, const SystemResponse& which)
      : m_space(space),
        m_source(prepared_source<ExecutionSpace>({}, std::span<const Model>(&model, 1))),
        m_stations(station_names_of(model)),
        m_which(which) {
    impl::check_contract(impl::requirement_of_model<Model>());
    constexpr auto responses = static_cast<int>(Model::response_names.size());
    if (which.sums.empty() && (which.response < 0 || which.response >= responses)) {
      throw std::invalid_argument("response is " + std::to_string(which.response) + ", expected a number from 0 to " +
                                  std::to_string(responses - 1));
    }
    m_values = copied("sporos::selection::values", grid.value_table());
    m_ways = copied("sporos::selection::ways", grid.way_table());
    m_constraints = copied("sporos::selection::constraints", weights_and_limits(which.constraints));
    check_sums(which.sums, grid);
    m_has_known_responses = have_no_weights(which.sums);
    m_sums = copied("sporos::selection::sums", which.sums);
    m_which.sums.clear();
    m_models = models_of(model, grid, m_values.data(), m_ways.data());
    check_systems(model, grid);
  }

  void launch(const SystemRows& rows) override {
    const impl::ObservedResponses observed{m_which.response, m_which.is_smallest_best, constraints(),
                                           m_constraints.data(), m_sums.extent(0) > 0 ? m_sums.data() : nullptr};
    impl::launch_systems<Model>(
        m_space, m_memory,
        {m_models, rows, observed, m_which.seed, m_which.common_random_numbers, m_source.on_device()});
  }
  bool has_common_random_numbers() const override { return m_which.common_random_numbers; }
  int constraints() const override { return static_cast<int>(m_which.constraints.size()); }
  std::vector<std::string> station_names() const override { return m_stations; }
  bool has_known_responses() const override { return m_has_known_responses; }
  std::vector<FailedSystem> impossible() const override { return m_impossible; }

 private:
  template <class Number>
  using Table = Kokkos::View<Number*, typename ExecutionSpace::memory_space>;

  template <class Number>
  static Table<Number> copied(const char* label, const std::vector<Number>& numbers) {
    Table<Number> table(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)), numbers.size());
    if (!numbers.empty()) copy_elements(table, numbers);
    return table;
  }

  static std::vector<double> weights_and_limits(const std::vector<ResponseConstraint>& constraints) {
    std::vector<double> numbers;
    for (const ResponseConstraint& constraint : constraints) {
      if (constraint.weights.size() != Model::response_names.size()) {
        throw std::invalid_argument("a constraint has " + std::to_string(constraint.weights.size()) +
                                    " weights, expected " + std::to_string(Model::response_names.size()));
      }
      numbers.insert(numbers.end(), constraint.weights.begin(), constraint.weights.end());
      numbers.push_back(constraint.limit);
    }
    return numbers;
  }

  static impl::SystemModels<Model> models_of(const Model& model, const SystemGrid& grid, const double* values,
                                             const std::int64_t* ways) {
    impl::SystemModels<Model> models{model, grid.coordinates(values, ways), static_cast<int>(grid.axes().size()), {}};
    for (std::size_t axis = 0; axis < grid.axes().size(); ++axis) {
      models.places[axis] = impl::parameter_place<Model>(grid.axes()[axis].parameter);
      if (!models.places[axis].is_integer) continue;
      for (const double value : grid.axes()[axis].values) {
        if (value == static_cast<double>(bounded_count(value))) continue;
        throw std::invalid_argument(grid.axes()[axis].parameter +
                                    " takes values that are not whole, expected whole numbers");
      }
    }
    return models;
  }

  static void check_sums(const std::vector<double>& sums, const SystemGrid& grid) {
    const auto expected = static_cast<std::size_t>(grid.size()) * (Model::response_names.size() + 1);
    if (sums.empty() || sums.size() == expected) return;
    throw std::invalid_argument("sums of responses have " + std::to_string(sums.size()) + " numbers, expected " +
                                std::to_string(expected));
  }

  // Whether there are sums whose weights are all 0.
  static bool have_no_weights(const std::vector<double>& sums) {
    constexpr std::size_t row = Model::response_names.size() + 1;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (i % row != row - 1 && sums[i] != 0.0) return false;
    }
    return !sums.empty();
  }

  // Finds the systems that the model rejects, and the memory that replications of the others need.
  void check_systems(const Model& model, const SystemGrid& grid) {
    const auto models = models_of(model, grid, grid.value_table().data(), grid.way_table().data());
    std::int64_t system = 0;
    models.coordinates.for_each_system([&](const SystemCoordinates::Values& values) {
      try {
        const Model one = models.with(values);
        one.check();
        m_memory.fit(one);
      } catch (const std::invalid_argument& error) {
        m_impossible.push_back({system, 0, 0, error.what()});
      }
      ++system;
    });
    if (m_impossible.size() < static_cast<std::size_t>(grid.size())) return;
    throw std::invalid_argument(m_impossible.front().reason + ", in system 1");
  }

  ExecutionSpace m_space;
  PreparedSource<ExecutionSpace> m_source;
  std::vector<std::string> m_stations;
  SystemResponse m_which;
  Table<double> m_values;
  Table<std::int64_t> m_ways;
  Table<double> m_constraints, m_sums;
  bool m_has_known_responses = false;
  std::vector<FailedSystem> m_impossible;
  ReplicationMemory m_memory;
  impl::SystemModels<Model> m_models;
};

}  // namespace sporos
