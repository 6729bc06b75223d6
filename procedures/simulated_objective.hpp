// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/copy_elements.hpp>
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
  double low;             ///< least value; -infinite where there is none
  double high;            ///< greatest value; infinite where there is none
};

namespace impl {

// A model over another number type; the model itself where it has none.
template <class Model, class Real>
struct InDuals {
  using type = Model;
};
template <DifferentiableModel Model, class Real>
struct InDuals<Model, Real> {
  using type = ModelOver<Model, Real>;
};

}  // namespace impl

/// A described model as a problem for searches: decisions are some of its parameters, the objective is a function of
/// them and of mean responses. All samples that a call asks for with the same replications and gradients run in one
/// launch. Their means have the same bits on every backend. Where decisions make no model, the mean is infinite, of no
/// replications.
///
/// A DifferentiableModel has gradients where all decisions are real, pathwise ones or those of another `Estimator`, as
/// LikelihoodRatioEstimator: duals carry `directions` of them at once, more decisions take several passes. By
/// SecondOrderEstimator it has curvature, too: pathwise derivatives of these along samples' directions.
template <class Model, class ExecutionSpace, int directions = 8, class Estimator = PathwiseEstimator>
class SimulatedObjective : public SampledProblem {
 public:
  /// `model` has the values of the parameters that are not decided. Works on `space`; random numbers are independent
  /// ones of philox. @throws std::invalid_argument for a decision that is no number parameter or has no bounds that fit
  /// it, for one named twice, and for a response that the model does not have.
  SimulatedObjective(const ExecutionSpace& space, const Model& model, std::span<const Decision> decisions,
                     const Objective& objective);

  std::span<const DecisionRange> bounds() const override { return m_bounds; }
  bool has_gradient() const override { return m_has_gradient; }
  bool has_curvature() const override { return m_has_gradient && is_second_order; }
  std::size_t quantities() const override { return static_cast<std::size_t>(m_quantities.count); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return m_function(x, means, by_coordinates, by_means);
  }
  std::size_t constraints_on_means() const override { return m_constraints.size(); }
  double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return m_constraints[j](x, means, by_coordinates, by_means);
  }
  std::string coordinate_name(std::size_t coordinate) const override { return m_names[coordinate]; }

  /// The model at decisions `x`.
  Model model_at(std::span<const double> x) const;

 private:
  static constexpr int responses = response_count<Model>;
  static constexpr bool is_differentiable = DifferentiableModel<Model>;
  static constexpr bool is_second_order = std::is_same_v<Estimator, SecondOrderEstimator>;
  using Group = std::vector<std::size_t>;  // of samples, by their places
  using DualModel = typename impl::InDuals<Model, Dual<directions>>::type;
  using CurvedModel = typename impl::InDuals<Model, Dual<directions, Dual<1>>>::type;
  enum class Order { values, gradients, curvatures };  // of what is wanted
  static Order order_of(const Sample& sample) {
    return !sample.direction.empty() ? Order::curvatures : sample.has_gradient ? Order::gradients : Order::values;
  }

  void add_decision(const Decision& decision);
  void add_quantity(std::span<const WeightedResponse> sum);
  void add_passes();
  template <class PassModel>
  DesignPoint<PassModel> point_of(const PassModel& pass, const Sample& sample) const;
  bool makes_model(const Sample& sample) const;
  template <class Points>
  void run(const Points& points, const Sample& like, int columns_of_quantity);
  void run_values(std::span<const Sample> samples, const Group& group, std::vector<SampleMoments>& found);
  template <class PassModel>
  void run_derivatives(std::span<const Sample> samples, const Group& group, std::span<const PassModel> passes,
                       int orders, std::vector<SampleMoments>& found);
  void reduce();
  double moment(std::int64_t point, std::int64_t moment) const;
  SampleMoments moments_of_values(std::int64_t point) const;
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
  std::vector<FunctionOfMeans> m_constraints;
  bool m_has_gradient = is_differentiable;
  std::vector<DualModel> m_passes;           // for gradients: the model, along some of the decisions each
  std::vector<CurvedModel> m_curved_passes;  // the same for derivatives of gradients

  Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space> m_rows;
  typename Kokkos::View<double**, Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>::HostMirror m_host_rows;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> m_blocks, m_moments;
  typename Kokkos::View<double*, typename ExecutionSpace::memory_space>::HostMirror m_host_moments;
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

// Sets the value of a number, and how it varies along the direction of inner duals.
inline void set_value(double& number, double value, double) { number = value; }
inline void set_value(Dual<1>& number, double value, double along) { number = Dual<1>(value, {along}); }

// Sets the parameter at `place` of all, a number; of a dual the value alone, which varies by `along` where it is a
// dual.
template <class Model>
void set_number(Model& model, std::size_t place, double number, double along = 0) {
  std::size_t at = 0;
  for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
    if constexpr (DualNumber<Value>) {
      if (at == place) set_value((model.*parameter.member).value, number, along);
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

template <class Model, class ExecutionSpace, int directions, class Estimator>
SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::SimulatedObjective(
    const ExecutionSpace& space, const Model& model, std::span<const Decision> decisions, const Objective& objective)
    : m_space(space),
      m_model(model),
      m_source(prepared_source<ExecutionSpace>({}, std::span<const Model>(&model, 1))),
      m_function(objective.function),
      m_constraints(objective.constraints) {
  if (decisions.empty()) throw std::invalid_argument("nothing is to be decided, expected at least one parameter");
  for (const Decision& decision : decisions) add_decision(decision);
  if (objective.quantities.empty() || objective.quantities.size() > m_quantities.terms) {
    throw std::invalid_argument("an objective of " + std::to_string(objective.quantities.size()) +
                                " quantities, expected at least 1 and at most one more than the model has responses, " +
                                std::to_string(m_quantities.terms));
  }
  for (const auto& sum : objective.quantities) add_quantity(sum);
  if (m_has_gradient) add_passes();
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::add_passes() {
  if constexpr (is_differentiable) {
    const std::span<const std::string> names(m_names);
    for (std::size_t first = 0; first < names.size(); first += directions) {
      const auto of_pass = names.subspan(first, std::min<std::size_t>(directions, names.size() - first));
      m_passes.push_back(along<directions>(m_model, of_pass));
      if constexpr (is_second_order) m_curved_passes.push_back(along<directions, Dual<1>>(m_model, of_pass));
    }
  }
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::add_decision(const Decision& decision) {
  const auto& [name, low, high] = decision;
  const auto expect = [&](bool good, const std::string& fault) {
    if (!good) throw std::invalid_argument("decision '" + name + "' " + fault);
  };
  expect(std::ranges::find(m_names, name) == m_names.end(), "is given twice");
  expect(low < high, "goes from " + impl::number_text(low) + " to " + impl::number_text(high) +
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

template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::add_quantity(
    std::span<const WeightedResponse> sum) {
  const auto names = response_names_of(m_model);
  auto& weights = m_quantities.weights[m_quantities.count++];
  for (const auto& [response, weight] : sum) {
    const auto found = std::ranges::find(names, response);
    if (response.empty()) {
      weights[static_cast<std::size_t>(responses)] += weight;
      continue;
    }
    if (found == names.end()) {
      throw std::invalid_argument("response '" + response + "' is none of the model's, expected one of " +
                                  impl::listed(names));
    }
    weights[static_cast<std::size_t>(found - names.begin())] += weight;
  }
}

// `pass` at the sample's point; in duals of duals its decisions vary along the sample's direction.
template <class Model, class ExecutionSpace, int directions, class Estimator>
template <class PassModel>
DesignPoint<PassModel> SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::point_of(
    const PassModel& pass, const Sample& sample) const {
  DesignPoint<PassModel> point{pass, sample.seed};
  for (std::size_t i = 0; i < m_decided.size(); ++i)
    impl::set_number(point.model, m_decided[i], sample.x[i], sample.direction.empty() ? 0 : sample.direction[i]);
  return point;
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
Model SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::model_at(std::span<const double> x) const {
  Model model = m_model;
  for (std::size_t i = 0; i < m_decided.size(); ++i) impl::set_number(model, m_decided[i], x[i]);
  return model;
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
std::vector<SampleMoments> SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::simulate(
    std::span<const Sample> samples) {
  std::map<std::tuple<Order, std::int64_t, std::int64_t>, Group> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!makes_model(samples[i])) continue;
    groups[{order_of(samples[i]), samples[i].first, samples[i].count}].push_back(i);
  }
  std::vector<SampleMoments> found(samples.size());
  for (const auto& [like, group] : groups) {
    const Order order = std::get<0>(like);
    if (order == Order::values) {
      run_values(samples, group, found);
    } else if (!(order == Order::gradients ? has_gradient() : has_curvature())) {
      throw std::logic_error("derivatives are wanted of a problem that has none");
    } else if constexpr (is_differentiable) {
      if (order == Order::gradients) {
        run_derivatives<DualModel>(samples, group, m_passes, 1, found);
      } else if constexpr (is_second_order) {
        run_derivatives<CurvedModel>(samples, group, m_curved_passes, 2, found);
      }
    }
  }
  return found;
}

// Whether the model takes its parameters. Where derivatives are wanted, what it says of them is thrown.
template <class Model, class ExecutionSpace, int directions, class Estimator>
bool SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::makes_model(const Sample& sample) const {
  if constexpr (impl::ChecksItself<Model>) {
    try {
      model_at(sample.x).check();
    } catch (const std::invalid_argument&) {
      if (order_of(sample) != Order::values) throw;
      return false;
    }
  }
  return true;
}

// Launches the replications of `like` at all points and reduces their rows.
template <class Model, class ExecutionSpace, int directions, class Estimator>
template <class Points>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::run(const Points& points, const Sample& like,
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
  for_each_replication_with<DefaultSource>(
      "sporos::simulated_objective::replicate", m_space, design, m_source, {like.first, like.count}, by_threads,
      impl::QuantityRows<ExecutionSpace, Estimator, responses>{m_rows, m_quantities});
  reduce();
}

// Of the rows of the last launch, moments of all points. Those of a single block are the point's.
template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::reduce() {
  impl::BlockMoments<ExecutionSpace> blocks{m_rows, {}, m_columns, m_rows_of_point, m_points};
  const std::int64_t moments = m_points * m_columns.count();
  if (static_cast<std::int64_t>(m_moments.extent(0)) < moments) {
    reserve(m_moments, "sporos::simulated_objective::moments", moments);
    m_host_moments = Kokkos::create_mirror_view(m_moments);
  }
  if (blocks.blocks_of_point() == 1) {
    blocks.moments = m_moments;
    impl::for_each_moment(m_space, blocks);
  } else {
    reserve(m_blocks, "sporos::simulated_objective::blocks", blocks.indices());
    blocks.moments = m_blocks;
    impl::for_each_moment(m_space, blocks);
    impl::for_each_moment(m_space, impl::PointMoments<ExecutionSpace>{blocks, m_moments});
  }
  // Whole: on a host that is one allocation, and no copy; of a part Kokkos 3.4 made Adam's steps 1.4 times as long.
  copy_elements(m_space, m_host_moments, m_moments);
  m_space.fence();
}

// Of the last launch.
template <class Model, class ExecutionSpace, int directions, class Estimator>
double SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::moment(std::int64_t point,
                                                                                std::int64_t moment) const {
  return m_host_moments(moment * m_points + point);
}

// Of the quantities at a point, without slopes.
template <class Model, class ExecutionSpace, int directions, class Estimator>
SampleMoments SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::moments_of_values(
    std::int64_t point) const {
  const int k = m_columns.quantities;
  const auto count = static_cast<std::size_t>(k);
  SampleMoments found{m_rows_of_point, std::vector<double>(count), std::vector<double>(count * count), {}, {}};
  for (int i = 0; i < k; ++i) {
    found.means[static_cast<std::size_t>(i)] = moment(point, std::int64_t{i} * m_columns.of_quantity);
    for (int j = i; j < k; ++j) {
      const double product = moment(point, m_columns.product(i, j));
      found.products[static_cast<std::size_t>(i * k + j)] = product;
      found.products[static_cast<std::size_t>(j * k + i)] = product;
    }
  }
  return found;
}

// Where single replications are wanted, for append_column.
template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::copy_values(std::span<const Sample> samples,
                                                                                   const Group& group) {
  if (std::ranges::none_of(group, [&](std::size_t i) { return samples[i].has_values; })) return;
  m_host_rows = Kokkos::create_mirror_view(m_rows);
  copy_elements(m_space, m_host_rows, m_rows);
  m_space.fence();
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::append_column(std::vector<double>& values,
                                                                                     std::int64_t point,
                                                                                     std::int64_t column) const {
  const double* const first = &m_host_rows(point * m_rows_of_point, column);
  values.insert(values.end(), first, first + m_rows_of_point);
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::run_values(std::span<const Sample> samples,
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

// With derivatives of first order, or of second order too.
template <class Model, class ExecutionSpace, int directions, class Estimator>
template <class PassModel>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::run_derivatives(
    std::span<const Sample> samples, const Group& group, std::span<const PassModel> passes, int orders,
    std::vector<SampleMoments>& found) {
  constexpr auto block = static_cast<std::size_t>(directions);
  const std::size_t d = dimension();
  std::vector<DesignPoint<PassModel>> points;
  points.reserve(group.size() * passes.size());
  for (const std::size_t i : group) {
    for (const PassModel& pass : passes) points.push_back(point_of(pass, samples[i]));
  }
  run(points, samples[group.front()], 1 + orders * directions);
  copy_values(samples, group);
  for (std::size_t place = 0; place < group.size(); ++place) {
    const auto first = static_cast<std::int64_t>(place * passes.size());
    SampleMoments& moments = found[group[place]];
    moments = moments_of_values(first);
    const bool has_values = samples[group[place]].has_values;
    for (int i = 0; i < m_columns.quantities; ++i) {
      const std::int64_t column = std::int64_t{i} * m_columns.of_quantity;
      if (has_values) append_column(moments.values, first, column);
      for (int order = 0; order < orders; ++order) {
        std::vector<double>& derivatives = order == 0 ? moments.slopes : moments.curvatures;
        for (std::size_t j = 0; j < d; ++j) {
          const std::int64_t pass = first + static_cast<std::int64_t>(j / block);
          const std::int64_t derivative = column + 1 + order * directions + static_cast<std::int64_t>(j % block);
          derivatives.push_back(moment(pass, derivative));
          if (has_values) append_column(moments.values, pass, derivative);
        }
      }
    }
  }
}

}  // namespace sporos
