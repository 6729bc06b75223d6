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

/// A response of a model and its part in an objective.
struct WeightedResponse {
  std::string response;  ///< its name
  double weight;         ///< of its mean
};

/// c(x) of decisions x. Where `gradient` is not empty, ∂c/∂xᵢ is written to gradient[i].
using CostOfDecisions = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// What is minimized: c(x) + Σ wᵢ E[Yᵢ(x)].
struct ObjectiveTerms {
  std::vector<WeightedResponse> responses;  ///< w and Y
  CostOfDecisions cost = {};                ///< c; none is 0
};

namespace impl {

/// Mean and sum of squared deviations of some neighbouring rows of one column.
struct ColumnMoments {
  double mean, squared_deviation;
};

// Writes of each replication the weighted sum of its responses, and of a model in duals its derivatives: a column each.
template <class ExecutionSpace, int responses>
struct ObjectiveRows {
  Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> rows;
  Kokkos::Array<double, static_cast<std::size_t>(responses)> weights;

  template <class Model, class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const {
    const auto found = model(inputs);
    using Real = std::remove_cvref_t<decltype(found[0])>;
    Real objective = 0;
    for (int i = 0; i < responses; ++i) {
      if (weights[i] != 0) objective += weights[i] * found[i];
    }
    if (!replication.writes) return;
    if constexpr (DualNumber<Real>) {
      rows(replication.row, 0) = objective.value;
      for (int j = 0; j < static_cast<int>(objective.slope.size()); ++j)
        rows(replication.row, 1 + j) = objective.slope[j];
    } else {
      rows(replication.row, 0) = objective;
    }
  }
};

// A model in duals; the model itself where it has none.
template <class Model, int directions>
struct InDuals {
  using type = Model;
};
template <DifferentiableModel Model, int directions>
struct InDuals<Model, directions> {
  using type = ModelOver<Model, Dual<directions>>;
};

// Moments of blocks of rows; an index is a (block, point, column) triple.
template <class ExecutionSpace>
struct BlockMoments {
  static constexpr std::int64_t block_rows = 256;

  Kokkos::View<const double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> rows;
  Kokkos::View<ColumnMoments*, typename ExecutionSpace::memory_space> blocks;
  std::int64_t rows_of_point, points;

  KOKKOS_FUNCTION static std::int64_t blocks_of(std::int64_t rows) { return (rows + block_rows - 1) / block_rows; }

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t blocks_of_point = blocks_of(rows_of_point);
    const std::int64_t block = index % blocks_of_point, place = index / blocks_of_point;
    const std::int64_t point = place % points, column = place / points;
    const std::int64_t first = block * block_rows, left = rows_of_point - first;
    const std::int64_t count = left < block_rows ? left : block_rows, begin = point * rows_of_point + first;
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += rows(begin + i, column);
    const double mean = sum / static_cast<double>(count);
    double squares = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const double deviation = rows(begin + i, column) - mean;
      squares += deviation * deviation;
    }
    blocks(index) = {mean, squares};
  }
};

}  // namespace impl

/// A described model as a problem for searches: decisions are some of its parameters, the objective is c(x) plus a
/// weighted sum of mean responses. All samples that a call asks for with the same replications and gradients run in one
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
                     const ObjectiveTerms& terms);

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  bool has_gradient() const override { return m_has_gradient; }
  std::vector<SampleMean> evaluate(std::span<const Sample> samples) override;

  /// The model at decisions `x`.
  Model model_at(std::span<const double> x) const;

 private:
  static constexpr int responses = response_count<Model>;
  static constexpr bool is_differentiable = DifferentiableModel<Model>;
  using Group = std::vector<std::size_t>;  // of samples, by their places
  using DualModel = typename impl::InDuals<Model, directions>::type;

  void add_decision(const Decision& decision);
  void add_weight(const WeightedResponse& term);
  void add_passes();
  template <class AnyModel>
  AnyModel with_decisions(AnyModel model, std::span<const double> x) const;
  bool makes_model(const Sample& sample) const;
  template <int columns, class Points>
  void run(const Points& points, const Sample& like);
  void run_values(std::span<const Sample> samples, const Group& group, std::vector<SampleMean>& means);
  void run_gradients(std::span<const Sample> samples, const Group& group, std::vector<SampleMean>& means);
  impl::ColumnMoments moments(std::int64_t point, std::int64_t column) const;
  void copy_values(std::span<const Sample> samples, const Group& group);
  void append_column(std::vector<double>& values, std::int64_t point, std::int64_t column) const;
  void add_cost(const Sample& sample, SampleMean& mean) const;
  [[noreturn]] void refuse(const Sample& sample, double value) const;

  ExecutionSpace m_space;
  Model m_model;
  PreparedSource<ExecutionSpace> m_source;
  std::vector<std::size_t> m_decided;  // places among the parameters
  std::vector<std::string> m_names;
  std::vector<DecisionRange> m_bounds;
  Kokkos::Array<double, static_cast<std::size_t>(responses)> m_weights;
  CostOfDecisions m_cost;
  bool m_has_gradient = is_differentiable;
  std::vector<DualModel> m_passes;  // for gradients: the model, along some of the decisions each

  Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> m_rows;
  typename Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>::HostMirror m_host_rows;
  Kokkos::View<impl::ColumnMoments*, typename ExecutionSpace::memory_space> m_blocks;
  typename Kokkos::View<impl::ColumnMoments*, typename ExecutionSpace::memory_space>::HostMirror m_host_blocks;
  std::int64_t m_rows_of_point = 0, m_points = 0;  // of the last launch
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
                                                                          const ObjectiveTerms& terms)
    : m_space(space),
      m_model(model),
      m_source(prepared_source<ExecutionSpace>({}, std::span<const Model>(&model, 1))),
      m_cost(terms.cost) {
  if (decisions.empty()) throw std::invalid_argument("nothing is to be decided, expected at least one parameter");
  for (const Decision& decision : decisions) add_decision(decision);
  for (int i = 0; i < responses; ++i) m_weights[i] = 0;
  for (const WeightedResponse& term : terms.responses) add_weight(term);
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
void SimulatedObjective<Model, ExecutionSpace, directions>::add_weight(const WeightedResponse& term) {
  const auto names = response_names_of(m_model);
  const auto found = std::ranges::find(names, term.response);
  if (found == names.end()) {
    throw std::invalid_argument("response '" + term.response + "' is none of the model's, expected one of " +
                                impl::listed(names));
  }
  m_weights[static_cast<int>(found - names.begin())] += term.weight;
}

template <class Model, class ExecutionSpace, int directions>
template <class AnyModel>
AnyModel SimulatedObjective<Model, ExecutionSpace, directions>::with_decisions(AnyModel model,
                                                                               std::span<const double> x) const {
  for (std::size_t i = 0; i < m_decided.size(); ++i) impl::set_number(model, m_decided[i], x[i]);
  return model;
}

template <class Model, class ExecutionSpace, int directions>
Model SimulatedObjective<Model, ExecutionSpace, directions>::model_at(std::span<const double> x) const {
  return with_decisions(m_model, x);
}

template <class Model, class ExecutionSpace, int directions>
std::vector<SampleMean> SimulatedObjective<Model, ExecutionSpace, directions>::evaluate(
    std::span<const Sample> samples) {
  std::map<std::tuple<bool, std::int64_t, std::int64_t>, Group> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!makes_model(samples[i])) continue;
    groups[{samples[i].has_gradient, samples[i].first, samples[i].count}].push_back(i);
  }
  std::vector<SampleMean> means(samples.size(), SampleMean{0, std::numeric_limits<double>::infinity(), 0, {}, {}});
  for (const auto& [like, group] : groups) {
    if (std::get<0>(like)) {
      run_gradients(samples, group, means);
    } else {
      run_values(samples, group, means);
    }
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (means[i].count > 0) add_cost(samples[i], means[i]);
  }
  return means;
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
template <int columns, class Points>
void SimulatedObjective<Model, ExecutionSpace, directions>::run(const Points& points, const Sample& like) {
  using PointModel = std::remove_cvref_t<decltype(points.front().model)>;
  m_points = static_cast<std::int64_t>(points.size());
  m_rows_of_point = like.count;
  const auto rows = static_cast<std::size_t>(m_points * m_rows_of_point);
  if (m_rows.extent(0) < rows || m_rows.extent(1) < columns) {
    m_rows = {};
    m_rows = decltype(m_rows)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::simulated_objective::rows"),
                              rows, columns);
  }
  const Design<PointModel, ExecutionSpace> design{std::span<const DesignPoint<PointModel>>(points)};
  for_each_replication_with<DefaultSource>("sporos::simulated_objective::replicate", m_space, design, m_source,
                                           {like.first, like.count}, by_threads,
                                           impl::ObjectiveRows<ExecutionSpace, responses>{m_rows, m_weights});
  using Reducer = impl::BlockMoments<ExecutionSpace>;
  const std::int64_t blocks = Reducer::blocks_of(m_rows_of_point) * m_points * columns;
  if (static_cast<std::int64_t>(m_blocks.extent(0)) < blocks) {
    reserve(m_blocks, "sporos::simulated_objective::blocks", blocks);
    m_host_blocks = Kokkos::create_mirror_view(m_blocks);
  }
  Kokkos::parallel_for("sporos::simulated_objective::reduce",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(m_space, 0, blocks),
                       Reducer{m_rows, m_blocks, m_rows_of_point, m_points});
  // Whole: on a host that is one allocation, and no copy; of a part Kokkos 3.4 made Adam's steps 1.4 times as long.
  Kokkos::deep_copy(m_space, m_host_blocks, m_blocks);
  m_space.fence();
}

// Of a column of a point's rows, from its blocks in their order.
template <class Model, class ExecutionSpace, int directions>
impl::ColumnMoments SimulatedObjective<Model, ExecutionSpace, directions>::moments(std::int64_t point,
                                                                                   std::int64_t column) const {
  using Reducer = impl::BlockMoments<ExecutionSpace>;
  const std::int64_t blocks = Reducer::blocks_of(m_rows_of_point), first = (column * m_points + point) * blocks;
  SampleMean all;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const impl::ColumnMoments& part = m_host_blocks(first + block);
    const std::int64_t rows = std::min(Reducer::block_rows, m_rows_of_point - block * Reducer::block_rows);
    all.add({rows, part.mean, part.squared_deviation, {}, {}});
  }
  return {all.mean, all.squared_deviation};
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
                                                                       std::vector<SampleMean>& means) {
  std::vector<DesignPoint<Model>> points;
  for (const std::size_t i : group) points.push_back({model_at(samples[i].x), samples[i].seed});
  run<1>(points, samples[group.front()]);
  copy_values(samples, group);
  for (std::size_t place = 0; place < group.size(); ++place) {
    const auto [mean, squares] = moments(static_cast<std::int64_t>(place), 0);
    means[group[place]] = {m_rows_of_point, mean, squares, {}, {}};
    if (samples[group[place]].has_values)
      append_column(means[group[place]].values, static_cast<std::int64_t>(place), 0);
  }
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::run_gradients(std::span<const Sample> samples,
                                                                          const Group& group,
                                                                          std::vector<SampleMean>& means) {
  if (!m_has_gradient) throw std::logic_error("pathwise derivatives are wanted of a problem that has none");
  if constexpr (is_differentiable) {
    constexpr auto block = static_cast<std::size_t>(directions);
    const std::size_t d = dimension(), passes = m_passes.size();
    std::vector<DesignPoint<DualModel>> points;
    for (const std::size_t i : group) {
      for (const DualModel& pass : m_passes) points.push_back({with_decisions(pass, samples[i].x), samples[i].seed});
    }
    run<1 + directions>(points, samples[group.front()]);
    copy_values(samples, group);
    for (std::size_t place = 0; place < group.size(); ++place) {
      const auto [mean, squares] = moments(static_cast<std::int64_t>(place * passes), 0);
      SampleMean& found = means[group[place]];
      found = {m_rows_of_point, mean, squares, std::vector<double>(d), {}};
      const bool has_values = samples[group[place]].has_values;
      if (has_values) append_column(found.values, static_cast<std::int64_t>(place * passes), 0);
      for (std::size_t j = 0; j < d; ++j) {
        const auto pass = static_cast<std::int64_t>(place * passes + j / block);
        const auto column = static_cast<std::int64_t>(1 + j % block);
        found.gradient[j] = moments(pass, column).mean;
        if (has_values) append_column(found.values, pass, column);
      }
    }
  }
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::add_cost(const Sample& sample, SampleMean& mean) const {
  if (m_cost) {
    std::vector<double> slopes(mean.gradient.size());
    mean.mean += m_cost(sample.x, slopes);
    for (std::size_t i = 0; i < slopes.size(); ++i) mean.gradient[i] += slopes[i];
  }
  if (!std::isfinite(mean.mean)) refuse(sample, mean.mean);
  for (const double slope : mean.gradient) {
    if (!std::isfinite(slope)) refuse(sample, slope);
  }
}

template <class Model, class ExecutionSpace, int directions>
void SimulatedObjective<Model, ExecutionSpace, directions>::refuse(const Sample& sample, double value) const {
  std::string place;
  for (std::size_t i = 0; i < m_names.size(); ++i) {
    place += (i == 0 ? "" : ", ") + m_names[i] + " = " + impl::number_text(sample.x[i]);
  }
  throw std::runtime_error("objective or gradient at " + place + " is " + impl::number_text(value) +
                           ", not a finite number");
}

}  // namespace sporos
