// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/mixtures/mixture_batch.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace sporos::models {

/// Entropy of the assignment of observations to components, −Σ_i w_i Σ_c r_ic ln r_ic, where r are the components'
/// responsibilities. It is computed from L and the sums of MixtureLikelihood, since ln r = ln(w φ(z)/σ) − ln f. The
/// entropy is non-negative; it is NaN for a histogram. This call blocks.
template <class ExecutionSpace, class Real>
double classification_entropy(MixtureLikelihood<ExecutionSpace, Real>& likelihood, const NormalMixture& mixture) {
  if (likelihood.is_binned()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t k = mixture.size();
  const ExecutionSpace& space = likelihood.execution();
  const Vector<ExecutionSpace> value(Kokkos::view_alloc(space, "sporos::mixtures::value"), 1);
  const RowMatrix<ExecutionSpace> sums(Kokkos::view_alloc(space, "sporos::mixtures::sums"), 1, 3 * k);
  likelihood.evaluate(to_batch<ExecutionSpace>({mixture}), value, sums);
  space.fence();
  const auto shares = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  double entropy = value_at<ExecutionSpace>(space, value, 0);
  for (std::size_t c = 0; c < k; ++c) {
    if (mixture[c].weight == 0) continue;
    const double log_height = std::log(mixture[c].weight / mixture[c].deviation) - 0.5 * std::log(2 * std::numbers::pi);
    entropy -= shares(0, c) * log_height - 0.5 * shares(0, 2 * k + c);
  }
  return entropy > 0 ? entropy : 0;
}

}  // namespace sporos::models
