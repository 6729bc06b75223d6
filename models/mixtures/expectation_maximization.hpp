// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/mixtures/em_kernels.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/mixtures/mixture_prior.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace sporos::models {

/// Options of EM.
struct EmOptions {
  std::int64_t iterations = 10'000;  ///< largest number of iterations
  /// A fit has converged if a step of EM raises the log-posterior by at most this share of its magnitude.
  double tolerance = 1e-12;
  double min_deviation = 0;  ///< lower bound of every σ
  MixturePrior prior = {};   ///< prior of the mixtures
};

/// Result of EM from one start.
struct EmFit {
  NormalMixture mixture;      ///< some components may have lost all of their weight
  double log_likelihood = 0;  ///< L of the last evaluated iterate, below that of `mixture` by at most the last gain
  double log_posterior = -math::impl::infinity;  ///< sum of L and ln of the prior, for the same iterate
  std::int64_t iterations = 0;                   ///< number of iterations done
  bool has_converged = false;                    ///< false if all iterations are used or the callback stopped the fit
};

/// Whether one fit is better than another. A fit above the floor of the deviations is better than any fit at it. Of two
/// fits on the same side, the one with the larger log-posterior is better.
inline bool is_better(const EmFit& fit, const EmFit& other, double floor) {
  const bool is_low = is_at_floor(fit.mixture, floor), is_other_low = is_at_floor(other.mixture, floor);
  return is_low == is_other_low ? fit.log_posterior > other.log_posterior : is_other_low;
}

/// Called at least every 64 iterations with the number of iterations done and the number of fits that have not
/// converged. If it returns false, all fits stop in their current state.
using EmCallback = std::function<bool(std::int64_t iterations, std::int64_t open)>;

namespace impl {

/// All fits of one run of EM; they stay on the device until the end.
template <class ExecutionSpace, class Real>
class EmRun {
 public:
  EmRun(MixtureLikelihood<ExecutionSpace, Real>& likelihood, const std::vector<EmFit>& fits, const EmOptions& options,
        const std::vector<std::int32_t>& samples)
      : m_likelihood(likelihood) {
    const std::size_t count = fits.size();
    std::vector<NormalMixture> starts;
    std::vector<double> likelihoods, posteriors;
    for (const EmFit& fit : fits) {
      starts.push_back(fit.mixture);
      likelihoods.push_back(fit.log_likelihood);
      posteriors.push_back(fit.log_posterior);
    }
    m_step.maximizer = {options.prior, options.min_deviation};
    m_step.mixtures = to_batch<ExecutionSpace>(starts, samples);
    m_step.tolerance = options.tolerance;
    const ExecutionSpace& space = likelihood.execution();
    m_step.values = Vector<ExecutionSpace>(Kokkos::view_alloc(space, "sporos::mixtures::values"), count);
    const auto matrix = [&](const std::string& label) {
      return RowMatrix<ExecutionSpace>(Kokkos::view_alloc(space, label), count, m_step.mixtures.parameters.extent(1));
    };
    m_step.sums = matrix("sporos::mixtures::sums");
    m_step.iterates = {matrix("sporos::mixtures::first"), matrix("sporos::mixtures::second"),
                       matrix("sporos::mixtures::third")};
    EmProgress<ExecutionSpace>& progress = m_step.progress;
    progress.log_likelihoods = to_device<ExecutionSpace>(space, likelihoods);
    progress.log_posteriors = to_device<ExecutionSpace>(space, posteriors);
    progress.iterations =
        decltype(progress.iterations)(Kokkos::view_alloc(space, "sporos::mixtures::iterations"), count);
    const auto iterations = Kokkos::create_mirror_view(progress.iterations);
    for (std::size_t m = 0; m < count; ++m) iterations(m) = fits[m].iterations;
    Kokkos::deep_copy(space, progress.iterations, iterations);
    progress.has_converged =
        decltype(progress.has_converged)(Kokkos::view_alloc(space, "sporos::mixtures::has_converged"), count);
    m_has_converged = Kokkos::create_mirror_view(progress.has_converged);
    m_open.resize(count);
    std::iota(m_open.begin(), m_open.end(), 0);
  }

  std::int64_t open() const { return static_cast<std::int64_t>(m_open.size()); }

  /// Runs some iterations of the open fits. Then removes those that have converged from the open ones.
  void iterate(std::int64_t iterations) {
    MixtureBatch<ExecutionSpace> batch = m_step.mixtures;
    batch.rows = sporos::impl::table_view<typename ExecutionSpace::memory_space>("sporos::mixtures::open", m_open);
    for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
      m_step.phase = static_cast<int>(iteration % EmStep<ExecutionSpace>::phases);
      m_likelihood.evaluate_then(batch, m_step.values, m_step.sums, m_step);
    }
    copy_elements(m_likelihood.execution(), m_has_converged, m_step.progress.has_converged);
    m_likelihood.execution().fence();
    std::erase_if(m_open, [&](std::int32_t m) { return m_has_converged(m); });
  }

  std::vector<EmFit> fits() const {
    const EmProgress<ExecutionSpace>& progress = m_step.progress;
    const auto likelihoods = to_host<ExecutionSpace>(m_likelihood.execution(), progress.log_likelihoods);
    const auto posteriors = to_host<ExecutionSpace>(m_likelihood.execution(), progress.log_posteriors);
    const auto iterations = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), progress.iterations);
    const std::vector<NormalMixture> mixtures = to_mixtures(m_step.mixtures);
    std::vector<EmFit> found;
    for (std::size_t m = 0; m < mixtures.size(); ++m) {
      found.push_back({mixtures[m], likelihoods[m], posteriors[m], iterations(m), m_has_converged(m)});
    }
    return found;
  }

 private:
  using HasConverged = decltype(EmProgress<ExecutionSpace>::has_converged);

  MixtureLikelihood<ExecutionSpace, Real>& m_likelihood;
  EmStep<ExecutionSpace> m_step = {};
  decltype(Kokkos::create_mirror_view(HasConverged())) m_has_converged;
  std::vector<std::int32_t> m_open;  // fits that have not converged
};

}  // namespace impl

/// Fits that begin at these starts, without iterations.
inline std::vector<EmFit> em_fits_at(const std::vector<NormalMixture>& starts) {
  std::vector<EmFit> fits;
  for (const NormalMixture& start : starts) fits.push_back({.mixture = start});
  return fits;
}

/// Continues `fits`, which the callback stopped; the result is bitwise identical to that of an uninterrupted run. See
/// the overload below.
template <class ExecutionSpace, class Real>
std::vector<EmFit> maximize_by_em(MixtureLikelihood<ExecutionSpace, Real>& likelihood, std::vector<EmFit> fits,
                                  const EmOptions& options = {}, const EmCallback& callback = {},
                                  const std::vector<std::int32_t>& samples = {}) {
  check(options.prior);
  check_non_negative("tolerance", options.tolerance);
  check_non_negative("floor of the deviations", options.min_deviation);
  std::vector<EmFit> open;
  std::vector<std::size_t> places;
  std::vector<std::int32_t> samples_of_open;
  for (std::size_t m = 0; m < fits.size(); ++m) {
    if (fits[m].has_converged) continue;
    open.push_back(fits[m]);
    places.push_back(m);
    if (!samples.empty()) samples_of_open.push_back(samples[m]);
  }
  if (open.empty()) return fits;
  impl::EmRun<ExecutionSpace, Real> run(likelihood, open, options, samples_of_open);
  // Rounds grow, since many fits converge early, while calls of the callback stay frequent. They are whole cycles of
  // EmStep.
  constexpr std::int64_t first_round = 4, longest_round = 64;
  constexpr double long_enough = 0.1;  // seconds
  std::int64_t done = open.front().iterations, round = first_round;
  while (done < options.iterations && run.open() > 0) {
    if (callback && !callback(done, run.open())) break;
    const Kokkos::Timer timer;
    run.iterate(std::min(round, options.iterations - done));
    done += round;
    const double seconds = greatest(likelihood.processes(), timer.seconds());
    if (seconds < long_enough) round = std::min(2 * round, longest_round);
    if (seconds > 2 * long_enough) round = std::max(round / 2, first_round);
  }
  const std::vector<EmFit> found = run.fits();
  for (std::size_t i = 0; i < found.size(); ++i) fits[places[i]] = found[i];
  return fits;
}

/// Maximizes the likelihood, or with a prior the posterior density, from each start by EM (Dempster, Laird and Rubin
/// 1977). Every fourth iteration leaps ahead along the three before it (SQUAREM, Varadhan and Roland 2008); a leap may
/// lower the log-posterior by up to 1. All starts run in lock-step on the device; those that have converged drop out.
/// The other starts do not affect a fit, not even its last bit. If the likelihood is over several samples, `samples`
/// holds the sample of each start.
/// @throws std::invalid_argument if a start or an option is not valid.
template <class ExecutionSpace, class Real>
std::vector<EmFit> maximize_by_em(MixtureLikelihood<ExecutionSpace, Real>& likelihood,
                                  const std::vector<NormalMixture>& starts, const EmOptions& options = {},
                                  const EmCallback& callback = {}, const std::vector<std::int32_t>& samples = {}) {
  return maximize_by_em(likelihood, em_fits_at(starts), options, callback, samples);
}

}  // namespace sporos::models
