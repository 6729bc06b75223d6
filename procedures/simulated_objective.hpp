// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/count.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>
#include <sporos/procedures/objective_kernels.hpp>
#include <sporos/procedures/quantity_moments.hpp>
#include <sporos/procedures/sample_groups.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

// The model over number type `Real`, or the model itself if it is not differentiable.
template <class Model, class Real>
struct InDuals {
  using type = Model;
};
template <DifferentiableModel Model, class Real>
struct InDuals<Model, Real> {
  using type = ModelOver<Model, Real>;
};

}  // namespace impl

/// A described model as a problem for solvers: decision variables are some of its parameters, and the objective is a
/// function of them and of mean responses. All samples of a call that have the same replications and derivatives run in
/// one launch. Their means have the same bits on every backend. A point is infeasible, with an infinite mean of no
/// replications, if the model rejects the decisions, if a replication fails there, or if a response is not finite.
/// `SampleMoments::failed` counts such replications.
///
/// A DifferentiableModel has gradients if all decision variables are real. They are pathwise or come from another
/// `Estimator`, such as LikelihoodRatioEstimator. Duals carry `directions` derivatives at once; more decision variables
/// take several passes. SecondOrderEstimator also gives curvature: pathwise derivatives of the gradients along the
/// samples' directions.
template <class Model, class ExecutionSpace, int directions = 8, class Estimator = PathwiseEstimator>
class SimulatedObjective : public SampledProblem {
 public:
  /// `model` provides the values of all other parameters. Kernels run on `space`; draws are independent and come from
  /// Philox. @throws std::invalid_argument if a decision is not a numeric parameter, has bounds that do not fit it or
  /// is named twice, and if the model does not have a named response.
  SimulatedObjective(const ExecutionSpace& space, const Model& model, std::span<const Decision> decisions,
                     const Objective& objective);

  std::span<const DecisionRange> bounds() const override { return m_decided.bounds; }
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
  std::string coordinate_name(std::size_t coordinate) const override { return m_decided.names[coordinate]; }
  ResponseRange quantity_range(std::size_t quantity, std::span<const double> x) const override;

  /// Returns the model with its decision variables set to `x`.
  Model model_at(std::span<const double> x) const;

 private:
  static constexpr int responses = response_count<Model>;
  static constexpr bool is_differentiable = DifferentiableModel<Model>;
  static constexpr bool is_second_order = std::is_same_v<Estimator, SecondOrderEstimator>;
  using DualModel = typename impl::InDuals<Model, Dual<directions>>::type;
  using CurvedModel = typename impl::InDuals<Model, Dual<directions, Dual<1>>>::type;

  void set_weights(const Objective& objective);
  void add_passes();
  template <class PassModel>
  DesignPoint<PassModel> point_of(const PassModel& pass, const Sample& sample) const;
  bool makes_model(const Sample& sample) const;
  template <class PassModel>
  void run(std::span<const Sample> samples, const impl::SampleGroup& group, std::span<const PassModel> passes,
           int orders, std::vector<SampleMoments>& found);

  ExecutionSpace m_space;
  Model m_model;
  PreparedSource<ExecutionSpace> m_source;
  impl::DecidedParameters m_decided;
  impl::Quantities<responses> m_quantities;
  FunctionOfMeans m_function;
  std::vector<FunctionOfMeans> m_constraints;
  bool m_has_gradient;
  std::vector<DualModel> m_passes;           // for gradients: the model, each along some of the decision variables
  std::vector<CurvedModel> m_curved_passes;  // for derivatives of gradients: the same models in duals of duals
  impl::QuantityMoments<ExecutionSpace> m_moments;
};

namespace impl {

// These are free functions because nvcc with g++ 12 rejects template lambdas in members of a class template with a
// default argument.
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

// Sets the value of a number, and its slope along the direction of inner duals.
inline void set_value(double& number, double value, double) { number = value; }
inline void set_value(Dual<1>& number, double value, double along) { number = Dual<1>(value, {along}); }

// Sets the decision variables among the numeric parameters to `x`. For a dual, sets only its value; if that value is
// itself a dual, its slope becomes the coordinate of `direction`, or 0 if there is none.
template <class Model>
void set_decisions(Model& model, const DecidedParameters& decided, std::span<const double> x,
                   std::span<const double> direction = {}) {
  std::size_t place = 0;
  for_each_parameter<Model>([&]<class Value>(const Parameter<Model, Value>& parameter) {
    const std::size_t i = decided.decision_at(place++);
    if (i == DecidedParameters::none) return;
    if constexpr (DualNumber<Value>) {
      set_value((model.*parameter.member).value, x[i], direction.empty() ? 0 : direction[i]);
    } else if constexpr (std::is_integral_v<Value>) {
      model.*parameter.member = static_cast<Value>(bounded_count(x[i]));
    } else if constexpr (std::is_arithmetic_v<Value>) {
      model.*parameter.member = static_cast<Value>(x[i]);
    }
  });
}

}  // namespace impl

template <class Model, class ExecutionSpace, int directions, class Estimator>
SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::SimulatedObjective(
    const ExecutionSpace& space, const Model& model, std::span<const Decision> decisions, const Objective& objective)
    : m_space(space),
      m_model(model),
      m_source(prepared_source<ExecutionSpace>({}, std::span<const Model>(&model, 1))),
      m_decided(impl::decided_parameters(decisions, impl::number_parameters<Model>())),
      m_function(objective.function),
      m_constraints(objective.constraints),
      m_has_gradient(is_differentiable && m_decided.are_real),
      m_moments(space) {
  impl::check_contract(impl::requirement_of_model<Model>());
  if constexpr (is_differentiable) impl::check_contract(impl::unmet_conversion_requirement<Model>());
  set_weights(objective);
  if (m_has_gradient) add_passes();
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::set_weights(const Objective& objective) {
  const auto weights = impl::quantity_weights(objective, response_names_of(m_model));
  m_quantities.count = static_cast<int>(weights.size());
  for (std::size_t quantity = 0; quantity < weights.size(); ++quantity) {
    for (std::size_t term = 0; term < weights[quantity].size(); ++term) {
      m_quantities.weights[quantity][term] = weights[quantity][term];
    }
  }
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::add_passes() {
  if constexpr (is_differentiable) {
    const std::span<const std::string> names(m_decided.names);
    for (std::size_t first = 0; first < names.size(); first += directions) {
      const auto of_pass = names.subspan(first, std::min<std::size_t>(directions, names.size() - first));
      m_passes.push_back(along<directions>(m_model, of_pass));
      if constexpr (is_second_order) m_curved_passes.push_back(along<directions, Dual<1>>(m_model, of_pass));
    }
  }
}

// Returns `pass` at the sample's point. In duals of duals, its decision variables vary along the sample's direction.
template <class Model, class ExecutionSpace, int directions, class Estimator>
template <class PassModel>
DesignPoint<PassModel> SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::point_of(
    const PassModel& pass, const Sample& sample) const {
  DesignPoint<PassModel> point{pass, sample.seed};
  impl::set_decisions(point.model, m_decided, sample.x, sample.direction);
  return point;
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
Model SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::model_at(std::span<const double> x) const {
  Model model = m_model;
  impl::set_decisions(model, m_decided, x);
  return model;
}

// Range of the weighted sum of responses that defines the quantity.
template <class Model, class ExecutionSpace, int directions, class Estimator>
ResponseRange SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::quantity_range(
    std::size_t quantity, std::span<const double> x) const {
  if constexpr (StatesRanges<Model>) {
    const Model model = model_at(x);
    const auto& weights = m_quantities.weights[static_cast<int>(quantity)];
    ResponseRange found = ResponseRange::constant(weights[responses]);
    for (int i = 0; i < responses; ++i) {
      const double weight = weights[i];
      if (weight == 0) continue;
      const ResponseRange range = model.response_range(i);
      found.least += weight * (weight > 0 ? range.least : range.most);
      found.most += weight * (weight > 0 ? range.most : range.least);
    }
    return found;
  }
  return {};
}

template <class Model, class ExecutionSpace, int directions, class Estimator>
std::vector<SampleMoments> SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::simulate(
    std::span<const Sample> samples) {
  std::vector<SampleMoments> found(samples.size());
  for (const auto& group : impl::sample_groups(samples, [&](const Sample& sample) { return makes_model(sample); })) {
    if (group.derivatives == impl::Derivatives::none) {
      run(samples, group, std::span<const Model>(&m_model, 1), 0, found);
    } else if (!(group.derivatives == impl::Derivatives::gradients ? has_gradient() : has_curvature())) {
      throw std::logic_error("a sample requests derivatives, which the problem does not have");
    } else if constexpr (is_differentiable) {
      if (group.derivatives == impl::Derivatives::gradients) {
        run(samples, group, std::span<const DualModel>(m_passes.data(), m_passes.size()), 1, found);
      } else if constexpr (is_second_order) {
        run(samples, group, std::span<const CurvedModel>(m_curved_passes.data(), m_curved_passes.size()), 2, found);
      }
    }
  }
  return found;
}

// Whether the model accepts the sample's decisions as parameters.
template <class Model, class ExecutionSpace, int directions, class Estimator>
bool SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::makes_model(const Sample& sample) const {
  if constexpr (impl::ChecksItself<Model>) {
    try {
      model_at(sample.x).check();
    } catch (const std::invalid_argument&) {
      return false;
    }
  }
  return true;
}

// Launches the replications of a group, with derivatives up to order `orders`, and reduces their rows.
template <class Model, class ExecutionSpace, int directions, class Estimator>
template <class PassModel>
void SimulatedObjective<Model, ExecutionSpace, directions, Estimator>::run(std::span<const Sample> samples,
                                                                           const impl::SampleGroup& group,
                                                                           std::span<const PassModel> passes,
                                                                           int orders,
                                                                           std::vector<SampleMoments>& found) {
  std::vector<DesignPoint<PassModel>> points;
  points.reserve(group.samples.size() * passes.size());
  bool has_values = false;
  for (const std::size_t i : group.samples) {
    for (const PassModel& pass : passes) points.push_back(point_of(pass, samples[i]));
    has_values = has_values || samples[i].has_values;
  }
  const ReplicationRange range = group.range(samples);
  const auto& rows =
      m_moments.rows({m_quantities.count, 1 + orders * directions},
                     static_cast<std::int64_t>(points.size() * group.row), samples[group.samples.front()].count);
  const Design<PassModel, ExecutionSpace> design{std::span<const DesignPoint<PassModel>>(points.data(), points.size())};
  for_each_replication_with<DefaultSource>(
      "sporos::simulated_objective::replicate", m_space, design, m_source, range, by_threads,
      impl::QuantityRows<ExecutionSpace, Estimator, responses>{rows, m_quantities});
  m_moments.reduce(has_values);
  m_moments.find(samples, group, static_cast<std::int64_t>(passes.size()), orders, directions, found);
}

}  // namespace sporos
