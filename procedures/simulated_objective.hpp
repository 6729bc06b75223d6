// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/host_view.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/objective.hpp>
#include <sporos/procedures/objective_kernels.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sporos {

/// A parameter of a model that is to be decided.
struct Decision {
  std::string parameter;  ///< its name
  double low;             ///< least value
  double high;            ///< greatest value; infinite where there is none
};

namespace impl {

// A model in duals; the model itself where it has none.
template <class Model, int directions>
struct InDuals {
  using type = Model;
};
template <DifferentiableModel Model, int directions>
struct InDuals<Model, directions> {
  using type = ModelOver<Model, Dual<directions>>;
};

}  // namespace impl

/// A described model as a problem for searches: decisions are some of its parameters, the objective is a function of
/// them and of mean responses. All samples that a call asks for with the same replications and gradients run in one
/// launch. Their means have the same bits on every backend. Where decisions make no model, the mean is infinite, of no
/// replications.
///
/// A DifferentiableModel has pathwise gradients where all decisions are real: duals carry `directions` of them at once,
/// more decisions take several passes.
template <class Model, class ExecutionSpace, int directions = 8>
class SimulatedObjective : public SampledProblem {
 public:
  /// `model` has the values of the parameters that are not decided. Works on `space`; random numbers are independent
  /// ones of philox. @throws std::invalid_argument for a decision that is no number parameter or has no bounds that fit
  /// it, for one named twice, and for a response that the model does not have.
  SimulatedObjective(const ExecutionSpace& space, const Model& model, std::span<const Decision> decisions,
                     const Objective& objective);

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  bool has_gradient() const override { return m_has_gradient; }
  std::size_t quantities() const override { return static_cast<std::size_t>(m_quantities.count); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return m_function(x, means, by_coordinates, by_means);
  }
  std::string coordinate_name(std::size_t coordinate) const override { return m_names[coordinate]; }

  /// The model at decisions `x`.
  Model model_at(std::span<const double> x) const;

 private:
  static constexpr int responses = response_count<Model>;
  static constexpr bool is_differentiable = DifferentiableModel<Model>;
  using Group = std::vector<std::size_t>;  // of samples, by their places
  using DualModel = typename impl::InDuals<Model, directions>::type;

  void add_decision(const Decision& decision);
  void add_quantity(std::span<const WeightedResponse> sum);
  void add_passes();
  template <class AnyModel>
  void decide(AnyModel& model, std::span<const double> x) const;
  bool makes_model(const Sample& sample) const;
  template <class Points>
  void run(const Points& points, const Sample& like, int columns_of_quantity);
  void run_values(std::span<const Sample> samples, const Group& group, std::vector<SampleMoments>& found);
  void run_gradients(std::span<const Sample> samples, const Group& group, std::vector<SampleMoments>& found);
  double moment(std::int64_t block, std::int64_t point, std::int64_t moment) const;
  SampleMoments moments_of_block(std::int64_t block, std::int64_t point) const;
  SampleMoments moments_of_values(std::int64_t point) const;
  double mean_of(std::int64_t point, std::int64_t column) const;
  void copy_values(std::span<const Sample> samples, const Group& group);
  void append_column(std::vector<double>& values, std::int64_t point, std::int64_t column) const;

  ExecutionSpace m_space;
  Model m_model;
  PreparedSource<ExecutionSpace> m_source;
  std::vector<std::size_t> m_decided;  // places among the parameters
  std::vector<std::string> m_names;
  std::vector<DecisionRange> m_bounds;
  impl::Quantities<responses> m_quantities;
  FunctionOfMeans m_function;
  bool m_has_gradient = is_differentiable;
  std::vector<DualModel> m_passes;  // for gradients: the model, along some of the decisions each

  Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> m_rows;
  typename Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>::HostMirror m_host_rows;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> m_blocks;
  typename Kokkos::View<double*, typename ExecutionSpace::memory_space>::HostMirror m_host_blocks;
  impl::MomentColumns m_columns{};  // of the last launch, as its rows and points
  std::int64_t m_rows_of_point = 0, m_points = 0;
};

namespace impl {

/// A parameter that is a number.
struct NumberParameter {
  std::string name;
  std::size_t place;  // among all parameters
  bool is_integer;
};

// Free functions: g++ 12 behind nvcc does not take templates of lambdas in members of a class template with a default.
template <class Model>
std::vector<NumberParameter> number_parameters() {
  std::vector<NumberParameter> numbers;
  std::size_t place = 0;
  for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
    if constexpr (std::is_arithmetic_v<Value>) {
      numbers.push_back({std::string(parameter.name), place, std::is_integral_v<Value>});
    }
    ++place;
  });
  return numbers;
}

// Sets the parameter at `place` of all, a number; of a dual the value alone.
template <class Model>
void set_number(Model& model, std::size_t place, double number) {
  std::size_t at = 0;
  for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
    if constexpr (DualNumber<Value>) {
      if (at == place) (model.*parameter.member).value = number;
    } else if constexpr (std::is_arithmetic_v<Value>) {
      if (at == place) model.*parameter.member = static_cast<Value>(number);
    }
    ++at;
  });
}

inline std::string listed(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace impl

template <class Model, class ExecutionSpace, int directions>
SimulatedObjective<Model, ExecutionSpace, directions>::SimulatedObjective(const ExecutionSpace& space,
                                                                          const Model& model,
                                                                          std::span<const Decision> decisions,
                                                                          const Objective& objective)
    : m_space(space),
      m_model(model),
      m_source(prepared_source<ExecutionSpace>({}, std::span<const Model>(&model, 1))),
      m_function(objective.function) {
  if (decisions.empty()) throw std::invalid_argument("nothing is to be decided, expected at least one parameter");
  for (const Decision& decision : decisions) add_decision(decision);
  if (objective.quantities.empty() || objective.quantities.size() > static_cast<std::size_t>(responses)) {
    throw std::invalid_argument("an objective of " + std::to_string(objective.quantities.size()) +
                                " quantities, expected at least 1 and at most as many as the model has responses, " +
                                std::to_string(responses));
  }
  for (const auto& sum : objective.quantities) add_quantity(sum);
  if (m_has_gradient) add_passes();
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::add_passes() {
  if constexpr (is_differentiable) {
    const std::span<const std::string> names(m_names);
    for (std::size_t first = 0; first < names.size(); first += directions) {
      m_passes.push_back(
          along<directions>(m_model, names.subspan(first, std::min<std::size_t>(directions, names.size() - first))));
    }
  }
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::add_decision(const Decision& decision) {
  const auto& [name, low, high] = decision;
  const auto expect = [&](bool good, const std::string& fault) {
    if (!good) throw std::invalid_argument("decision '" + name + "' " + fault);
  };
  expect(std::ranges::find(m_names, name) == m_names.end(), "is given twice");
  expect(low < high && !std::isinf(low), "goes from " + impl::number_text(low) + " to " + impl::number_text(high) +
                                             ", expected a least value below the greatest");
  const auto numbers = impl::number_parameters<Model>();
  const auto found = std::ranges::find(numbers, name, &impl::NumberParameter::name);
  if (found == numbers.end()) {
    std::vector<std::string> names;
    for (const auto& number : numbers) names.push_back(number.name);
    expect(false, "is no parameter, expected one of " + impl::listed(names));
  }
  m_bounds.push_back({low, high, found->is_integer});
  m_has_gradient = m_has_gradient && !found->is_integer;
  m_decided.push_back(found->place);
  m_names.push_back(name);
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::add_quantity(std::span<const WeightedResponse> sum) {
  const auto names = response_names_of(m_model);
  auto& weights = m_quantities.weights[m_quantities.count++];
  for (const auto& [response, weight] : sum) {
    const auto found = std::ranges::find(names, response);
    if (found == names.end()) {
      throw std::invalid_argument("response '" + response + "' is none of the model's, expected one of " +
                                  impl::listed(names));
    }
    weights[static_cast<std::size_t>(found - names.begin())] += weight;
  }
}

template <class Model, class ExecutionSpace, int directions>
template <class AnyModel>
void SimulatedObjective<Model, ExecutionSpace, directions>::decide(AnyModel& model, std::span<const double> x) const {
  for (std::size_t i = 0; i < m_decided.size(); ++i) impl::set_number(model, m_decided[i], x[i]);
}

template <class Model, class ExecutionSpace, int directions>
Model SimulatedObjective<Model, ExecutionSpace, directions>::model_at(std::span<const double> x) const {
  Model model = m_model;
  decide(model, x);
  return model;
}

template <class Model, class ExecutionSpace, int directions>
std::vector<SampleMoments> SimulatedObjective<Model, ExecutionSpace, directions>::simulate(
    std::span<const Sample> samples) {
  std::map<std::tuple<bool, std::int64_t, std::int64_t>, Group> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!makes_model(samples[i])) continue;
    groups[{samples[i].has_gradient, samples[i].first, samples[i].count}].push_back(i);
  }
  std::vector<SampleMoments> found(samples.size());
  for (const auto& [like, group] : groups) {
    if (std::get<0>(like)) {
      run_gradients(samples, group, found);
    } else {
      run_values(samples, group, found);
    }
  }
  return found;
}

// Whether the model takes its parameters. Where derivatives are wanted, what it says of them is thrown.
template <class Model, class ExecutionSpace, int directions>
bool SimulatedObjective<Model, ExecutionSpace, directions>::makes_model(const Sample& sample) const {
  if constexpr (impl::ChecksItself<Model>) {
    try {
      model_at(sample.x).check();
    } catch (const std::invalid_argument&) {
      if (sample.has_gradient) throw;
      return false;
    }
  }
  return true;
}

// Launches the replications of `like` at all points and reduces their rows.
template <class Model, class ExecutionSpace, int directions>
template <class Points>
void SimulatedObjective<Model, ExecutionSpace, directions>::run(const Points& points, const Sample& like,
                                                                int columns_of_quantity) {
  using PointModel = std::remove_cvref_t<decltype(points.front().model)>;
  m_columns = {m_quantities.count, columns_of_quantity};
  m_points = static_cast<std::int64_t>(points.size());
  m_rows_of_point = like.count;
  const auto rows = static_cast<std::size_t>(m_points * m_rows_of_point);
  const auto columns = static_cast<std::size_t>(m_columns.means());
  if (m_rows.extent(0) < rows || m_rows.extent(1) < columns) {
    m_rows = {};
    m_rows = decltype(m_rows)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::simulated_objective::rows"),
                              rows, columns);
  }
  const Design<PointModel, ExecutionSpace> design{std::span<const DesignPoint<PointModel>>(points)};
  for_each_replication_with<DefaultSource>("sporos::simulated_objective::replicate", m_space, design, m_source,
                                           {like.first, like.count}, by_threads,
                                           impl::QuantityRows<ExecutionSpace, responses>{m_rows, m_quantities});
  using Reducer = impl::BlockMoments<ExecutionSpace>;
  const std::int64_t blocks = Reducer::blocks_of(m_rows_of_point) * m_points * m_columns.count();
  if (static_cast<std::int64_t>(m_blocks.extent(0)) < blocks) {
    reserve(m_blocks, "sporos::simulated_objective::blocks", blocks);
    m_host_blocks = Kokkos::create_mirror_view(m_blocks);
  }
  Kokkos::parallel_for("sporos::simulated_objective::reduce",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(m_space, 0, blocks),
                       Reducer{m_rows, m_blocks, m_columns, m_rows_of_point, m_points});
  // Whole: on a host that is one allocation, and no copy; of a part Kokkos 3.4 made Adam's steps 1.4 times as long.
  Kokkos::deep_copy(m_space, m_host_blocks, m_blocks);
  m_space.fence();
}

template <class Model, class ExecutionSpace, int directions>
double SimulatedObjective<Model, ExecutionSpace, directions>::moment(std::int64_t block, std::int64_t point,
                                                                     std::int64_t moment) const {
  return m_host_blocks((moment * m_points + point) * impl::BlockMoments<ExecutionSpace>::blocks_of(m_rows_of_point) +
                       block);
}

template <class Model, class ExecutionSpace, int directions>
SampleMoments SimulatedObjective<Model, ExecutionSpace, directions>::moments_of_block(std::int64_t block,
                                                                                      std::int64_t point) const {
  constexpr std::int64_t block_rows = impl::BlockMoments<ExecutionSpace>::block_rows;
  const int k = m_columns.quantities;
  const auto count = static_cast<std::size_t>(k);
  SampleMoments found{std::min(block_rows, m_rows_of_point - block * block_rows),
                      std::vector<double>(count),
                      std::vector<double>(count * count),
                      {},
                      {}};
  for (int i = 0; i < k; ++i) {
    found.means[static_cast<std::size_t>(i)] = moment(block, point, std::int64_t{i} * m_columns.of_quantity);
    for (int j = i; j < k; ++j) {
      const double product = moment(block, point, m_columns.product(i, j));
      found.products[static_cast<std::size_t>(i * k + j)] = product;
      found.products[static_cast<std::size_t>(j * k + i)] = product;
    }
  }
  return found;
}

// Of the quantities at a point, from its blocks in their order.
template <class Model, class ExecutionSpace, int directions>
SampleMoments SimulatedObjective<Model, ExecutionSpace, directions>::moments_of_values(std::int64_t point) const {
  SampleMoments all = moments_of_block(0, point);
  for (std::int64_t block = 1; block < impl::BlockMoments<ExecutionSpace>::blocks_of(m_rows_of_point); ++block) {
    all.add(moments_of_block(block, point));
  }
  return all;
}

// Of a column of a point's rows, from its blocks in their order.
template <class Model, class ExecutionSpace, int directions>
double SimulatedObjective<Model, ExecutionSpace, directions>::mean_of(std::int64_t point, std::int64_t column) const {
  using Reducer = impl::BlockMoments<ExecutionSpace>;
  double mean = 0;
  for (std::int64_t block = 0, done = 0; block < Reducer::blocks_of(m_rows_of_point); ++block) {
    const std::int64_t rows = std::min(Reducer::block_rows, m_rows_of_point - done);
    done += rows;
    mean += (moment(block, point, column) - mean) * (static_cast<double>(rows) / static_cast<double>(done));
  }
  return mean;
}

// Where single replications are wanted, for append_column.
template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::copy_values(std::span<const Sample> samples,
                                                                        const Group& group) {
  if (std::ranges::none_of(group, [&](std::size_t i) { return samples[i].has_values; })) return;
  m_host_rows = Kokkos::create_mirror_view(m_rows);
  Kokkos::deep_copy(m_space, m_host_rows, m_rows);
  m_space.fence();
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::append_column(std::vector<double>& values,
                                                                          std::int64_t point,
                                                                          std::int64_t column) const {
  const double* const first = &m_host_rows(point * m_rows_of_point, column);
  values.insert(values.end(), first, first + m_rows_of_point);
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::run_values(std::span<const Sample> samples,
                                                                       const Group& group,
                                                                       std::vector<SampleMoments>& found) {
  std::vector<DesignPoint<Model>> points;
  points.reserve(group.size());
  for (const std::size_t i : group) points.push_back({model_at(samples[i].x), samples[i].seed});
  run(points, samples[group.front()], 1);
  copy_values(samples, group);
  for (std::size_t place = 0; place < group.size(); ++place) {
    const auto point = static_cast<std::int64_t>(place);
    SampleMoments& moments = found[group[place]];
    moments = moments_of_values(point);
    if (!samples[group[place]].has_values) continue;
    for (int i = 0; i < m_columns.quantities; ++i) append_column(moments.values, point, i);
  }
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::run_gradients(std::span<const Sample> samples,
                                                                          const Group& group,
                                                                          std::vector<SampleMoments>& found) {
  if (!m_has_gradient) throw std::logic_error("pathwise derivatives are wanted of a problem that has none");
  if constexpr (is_differentiable) {
    constexpr auto block = static_cast<std::size_t>(directions);
    const std::size_t d = dimension(), passes = m_passes.size();
    std::vector<DesignPoint<DualModel>> points;
    points.reserve(group.size() * passes);
    for (const std::size_t i : group) {
      for (const DualModel& pass : m_passes) {
        points.push_back({pass, samples[i].seed});
        decide(points.back().model, samples[i].x);
      }
    }
    run(points, samples[group.front()], 1 + directions);
    copy_values(samples, group);
    for (std::size_t place = 0; place < group.size(); ++place) {
      const auto first = static_cast<std::int64_t>(place * passes);
      SampleMoments& moments = found[group[place]];
      moments = moments_of_values(first);
      moments.slopes.reserve(quantities() * d);
      const bool has_values = samples[group[place]].has_values;
      for (int i = 0; i < m_columns.quantities; ++i) {
        const std::int64_t column = std::int64_t{i} * m_columns.of_quantity;
        if (has_values) append_column(moments.values, first, column);
        for (std::size_t j = 0; j < d; ++j) {
          const std::int64_t pass = first + static_cast<std::int64_t>(j / block);
          const std::int64_t slope = column + 1 + static_cast<std::int64_t>(j % block);
          moments.slopes.push_back(mean_of(pass, slope));
          if (has_values) append_column(moments.values, pass, slope);
        }
      }
    }
  }
}

}  // namespace sporos
