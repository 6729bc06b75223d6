// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/mixtures/mixture_batch.hpp>
#include <sporos/models/mixtures/mixture_coordinates.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/mixtures/mixture_prior.hpp>
#include <sporos/optimizers/nelder_mead/point_batch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos {

namespace impl {

/// Mixtures at the rows of a batch of points, and their costs.
template <class ExecutionSpace>
struct MixtureRows {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  PointBatch<ExecutionSpace> points;
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> components_of_simplex;
  models::MixtureCoordinates coordinates;
  models::MixturePrior prior;
  double total_weight;
  models::MixtureBatch<ExecutionSpace> mixtures;
  Vector<ExecutionSpace> values;

  /// Sets row `row` of the mixtures, with k components, from the coordinates at `point`.
  KOKKOS_FUNCTION void set_mixture(const Team& team, std::int64_t row, std::int32_t k, const double* point) const {
    coordinates.set_parameters(team, point, k, &mixtures.parameters(row, 0));
  }
  /// Sets values(row) to the cost −(L + ln prior) / Σ w, and returns it.
  KOKKOS_FUNCTION double set_cost(const Team& team, std::int64_t row, std::int32_t k, double log_likelihood) const {
    const double log_prior = prior.log_density(team, &mixtures.parameters(row, 0), k);
    const double cost = -(log_likelihood + log_prior) / total_weight;
    Kokkos::single(Kokkos::PerTeam(team), [&]() { values(row) = cost; });
    return cost;
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t row = team.league_rank();
    const std::int32_t k = components_of_simplex(points.simplices(row));
    Kokkos::single(Kokkos::PerTeam(team), [&]() { mixtures.components(row) = k; });
    set_mixture(team, row, k, &points.points(row, 0));
  }
};

/// Uses the log-likelihood of a row: computes its cost, calls `step` with it, and sets the mixture at the row's next
/// point.
template <class ExecutionSpace, class Step>
struct MixtureStep {
  MixtureRows<ExecutionSpace> rows;
  Step step;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return step.scratch_bytes(); }
  KOKKOS_FUNCTION bool is_open(std::int64_t row) const { return step.is_open(row); }
  KOKKOS_FUNCTION void operator()(const typename MixtureRows<ExecutionSpace>::Team& team, std::int64_t row,
                                  double log_likelihood) const {
    const std::int32_t k = rows.mixtures.components(row);
    const double* const point = step(team, row, rows.set_cost(team, row, k, log_likelihood));
    team.team_barrier();
    rows.set_mixture(team, row, k, point);
  }
};

/// A step that leaves points unchanged, so that they are only evaluated.
template <class ExecutionSpace>
struct NoStep {
  PointBatch<ExecutionSpace> points;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }
  KOKKOS_FUNCTION bool is_open(std::int64_t) const { return true; }
  KOKKOS_FUNCTION const double* operator()(const typename MixtureRows<ExecutionSpace>::Team&, std::int64_t row,
                                           double) const {
    return &points.points(row, 0);
  }
};

}  // namespace impl

/// Objective for maximum likelihood or posterior density: minus the log-likelihood, minus the logarithm of a prior, per
/// observation. Mixtures are given by their MixtureCoordinates. Each simplex may have a different number of components.
/// All points of a batch are evaluated in the same launches.
template <class ExecutionSpace, class Real>
class MixtureObjective {
 public:
  using execution_space = ExecutionSpace;  ///< execution space of the kernels

  /// Uses the sample of `likelihood`, which must outlive this object; `components_of_simplex[s]` is k of simplex s.
  MixtureObjective(models::MixtureLikelihood<ExecutionSpace, Real>& likelihood,
                   const models::MixtureCoordinates& coordinates, const models::MixturePrior& prior,
                   const std::vector<std::int32_t>& components_of_simplex)
      : m_likelihood(&likelihood),
        m_coordinates(coordinates),
        m_prior(prior),
        m_max_components(*std::max_element(components_of_simplex.begin(), components_of_simplex.end())),
        m_components_of_simplex(impl::table_view<typename ExecutionSpace::memory_space>(
            "sporos::mixtures::components_of_simplex", components_of_simplex)) {}

  /// Execution space instance of the kernels.
  const ExecutionSpace& execution() const { return m_likelihood->execution(); }

  /// Processes that share the sample.
  Processes& processes() const { return m_likelihood->processes(); }

  /// Sets values(r) to the cost at row r of the points. Does not block.
  void evaluate(const PointBatch<ExecutionSpace>& points, const Vector<ExecutionSpace>& values) {
    prepare(points);
    evaluate_then(points, values, impl::NoStep<ExecutionSpace>{points});
  }

  /// See SteppingObjective. Does not block.
  void prepare(const PointBatch<ExecutionSpace>& points) {
    if (m_mixtures.size() != points.size()) {
      m_mixtures = models::MixtureBatch<ExecutionSpace>::allocated(points.size(), m_max_components);
    }
    Kokkos::parallel_for("sporos::mixtures::set_parameters", team_policy(execution(), points.size()), rows(points, {}));
  }
  /// See SteppingObjective. Does not block.
  template <class Step>
  void evaluate_then(const PointBatch<ExecutionSpace>& points, const Vector<ExecutionSpace>& values, const Step& step) {
    m_likelihood->evaluate_then(m_mixtures, values,
                                impl::MixtureStep<ExecutionSpace, Step>{rows(points, values), step});
  }

 private:
  impl::MixtureRows<ExecutionSpace> rows(const PointBatch<ExecutionSpace>& points,
                                         const Vector<ExecutionSpace>& values) const {
    return {points, m_components_of_simplex, m_coordinates, m_prior, m_likelihood->total_weight(), m_mixtures, values};
  }

  models::MixtureLikelihood<ExecutionSpace, Real>* m_likelihood;
  models::MixtureCoordinates m_coordinates;
  models::MixturePrior m_prior;
  std::int64_t m_max_components;
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> m_components_of_simplex;
  models::MixtureBatch<ExecutionSpace> m_mixtures;
};

}  // namespace sporos
