// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/tables.hpp>
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
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

/// Row r of the mixtures from row r of the points.
template <class ExecutionSpace>
struct MixtureRows {
  PointBatch<ExecutionSpace> points;
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> components_of_simplex;
  models::MixtureCoordinates coordinates;
  models::MixtureBatch<ExecutionSpace> mixtures;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const std::int32_t k = components_of_simplex(points.simplices(row));
    mixtures.components(row) = k;
    coordinates.set_parameters(&points.points(row, 0), k, &mixtures.parameters(row, 0));
  }
};

/// −(L + ln prior) / Σ w from L.
template <class ExecutionSpace>
struct MixtureCosts {
  models::MixtureBatch<ExecutionSpace> mixtures;
  models::MixturePrior prior;
  double total_weight;
  Vector<ExecutionSpace> values;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const double log_prior = prior.log_density(&mixtures.parameters(row, 0), mixtures.components(row));
    values(row) = -(values(row) + log_prior) / total_weight;
  }
};

}  // namespace impl

/// What a search for the likeliest mixtures makes small: minus the log-likelihood, and the logarithm of a prior, per
/// observation, of mixtures given by their MixtureCoordinates. Simplex s looks for a mixture of its own number of
/// components; all points of a batch are evaluated in the launches of one.
template <class ExecutionSpace, class Real>
class MixtureObjective {
 public:
  using execution_space = ExecutionSpace;  ///< where it works

  /// Over the sample of `likelihood`, which has to live as long; `components_of_simplex[s]` is k of simplex s.
  MixtureObjective(models::MixtureLikelihood<ExecutionSpace, Real>& likelihood,
                   const models::MixtureCoordinates& coordinates, const models::MixturePrior& prior,
                   const std::vector<std::int32_t>& components_of_simplex)
      : m_likelihood(&likelihood),
        m_coordinates(coordinates),
        m_prior(prior),
        m_most_components(*std::max_element(components_of_simplex.begin(), components_of_simplex.end())),
        m_components_of_simplex(impl::table_view<typename ExecutionSpace::memory_space>(
            "sporos::mixtures::components_of_simplex", components_of_simplex)) {}

  /// The instance on which it works.
  const ExecutionSpace& execution() const { return m_likelihood->execution(); }

  /// values(r) = the cost at row r of the points. Does not wait.
  void evaluate(const PointBatch<ExecutionSpace>& points, const Vector<ExecutionSpace>& values) {
    using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    const std::int64_t size = points.size();
    if (m_mixtures.size() != size) {
      m_mixtures = models::MixtureBatch<ExecutionSpace>::allocated(size, m_most_components);
    }
    const Policy rows(execution(), 0, size);
    Kokkos::parallel_for("sporos::mixtures::set_parameters", rows,
                         impl::MixtureRows<ExecutionSpace>{points, m_components_of_simplex, m_coordinates, m_mixtures});
    m_likelihood->evaluate(m_mixtures, values);
    Kokkos::parallel_for("sporos::mixtures::set_costs", rows,
                         impl::MixtureCosts<ExecutionSpace>{m_mixtures, m_prior, m_likelihood->total_weight(), values});
  }

 private:
  models::MixtureLikelihood<ExecutionSpace, Real>* m_likelihood;
  models::MixtureCoordinates m_coordinates;
  models::MixturePrior m_prior;
  std::int64_t m_most_components;
  Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space> m_components_of_simplex;
  models::MixtureBatch<ExecutionSpace> m_mixtures;
};

}  // namespace sporos
