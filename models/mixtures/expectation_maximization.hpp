// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/mixtures/mixture_prior.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sporos::models {

/// Everything about a run of EM that is neither sample nor start.
struct EmOptions {
  std::int64_t iterations = 10'000;  ///< most iterations
  double tolerance = 1e-12;          ///< converged once an iteration raises L, and ln of the prior, by less times |L|
  double least_deviation = 0;        ///< the floor: no σ becomes less
  MixturePrior prior = {};           ///< flat where nothing else is said
};

/// What EM found from one start.
struct EmFit {
  NormalMixture mixture;      ///< with components that may have lost all of their weight
  double log_likelihood = 0;  ///< L of the iterate before, at most what the last iteration raised it by below
  double log_posterior = -math::impl::infinity;  ///< the same and ln of the prior
  std::int64_t iterations = 0;                   ///< done
  bool has_converged = false;                    ///< or all iterations are done
};

namespace impl {

/// Where each mixture of a batch stands, for kernels.
template <class ExecutionSpace>
struct EmProgress {
  Vector<ExecutionSpace> log_likelihoods, log_posteriors;
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> iterations;
  Kokkos::View<bool*, typename ExecutionSpace::memory_space> has_converged;
};

/// The M step of one mixture, whose L and sums are known, unless it has converged.
template <class ExecutionSpace>
struct Maximizer {
  MixtureBatch<ExecutionSpace> mixtures;
  Vector<ExecutionSpace> values;
  RowMatrix<ExecutionSpace> sums;
  EmProgress<ExecutionSpace> progress;
  double total_weight, tolerance, least_deviation;
  MixturePrior prior;

  KOKKOS_FUNCTION void operator()(std::int64_t m) const {
    if (progress.has_converged(m)) return;
    const std::int32_t k = mixtures.components(m);
    double* const parameters = &mixtures.parameters(m, 0);
    const double posterior = values(m) + prior.log_density(parameters, k);
    const double gain = posterior - progress.log_posteriors(m);
    progress.log_likelihoods(m) = values(m);
    progress.log_posteriors(m) = posterior;
    ++progress.iterations(m);
    progress.has_converged(m) = !(gain > tolerance * math::impl::absolute(posterior));  // or NaN
    if (progress.has_converged(m)) return;
    for (std::int32_t c = 0; c < k; ++c) maximize(parameters, &sums(m, 0), k, c);
  }

 private:
  KOKKOS_FUNCTION void maximize(double* parameters, const double* shares, std::int32_t k, std::int32_t c) const {
    constexpr double least_share = 1e-200;  // of which nothing can be learned
    const double share = shares[c], extra = prior.concentration - 1;
    parameters[c] = (share + extra) / (total_weight + k * extra);
    double& mean = parameters[k + c];
    double& deviation = parameters[2 * k + c];
    const double strength = share + prior.mean_strength;
    if (!(share > least_share)) return;
    const double sample_mean = mean + deviation * (shares[k + c] / share);
    const double scatter = deviation * deviation * (shares[2 * k + c] - shares[k + c] * (shares[k + c] / share));
    const double distance = sample_mean - prior.mean;
    const double squares = (scatter > 0 ? scatter : 0) + prior.squared_scale +
                           prior.mean_strength * share / strength * distance * distance;
    mean = (share * sample_mean + prior.mean_strength * prior.mean) / strength;
    const double found = ::sqrt(squares / (share + prior.deviation_power()));
    deviation = found > least_deviation ? found : least_deviation;
  }
};

/// Some iterations of the fits that are open.
template <class ExecutionSpace, class Real>
void run_round(MixtureLikelihood<ExecutionSpace, Real>& likelihood, const EmOptions& options, std::int64_t iterations,
               const std::vector<std::size_t>& open, std::vector<EmFit>& fits) {
  std::vector<NormalMixture> mixtures;
  std::vector<double> posteriors;
  for (const std::size_t i : open) {
    mixtures.push_back(fits[i].mixture);
    posteriors.push_back(fits[i].log_posterior);
  }
  const auto batch = to_batch<ExecutionSpace>(mixtures);
  EmProgress<ExecutionSpace> progress;
  progress.log_likelihoods = Vector<ExecutionSpace>("sporos::mixtures::log_likelihoods", open.size());
  progress.log_posteriors = to_device<ExecutionSpace>(posteriors);
  progress.iterations = decltype(progress.iterations)("sporos::mixtures::iterations", open.size());
  progress.has_converged = decltype(progress.has_converged)("sporos::mixtures::has_converged", open.size());
  const Maximizer<ExecutionSpace> maximizer{
      batch,
      Vector<ExecutionSpace>("sporos::mixtures::values", open.size()),
      RowMatrix<ExecutionSpace>("sporos::mixtures::sums", open.size(), batch.parameters.extent(1)),
      progress,
      likelihood.total_weight(),
      options.tolerance,
      options.least_deviation,
      options.prior};
  for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
    likelihood.evaluate(batch, maximizer.values, maximizer.sums);
    Kokkos::parallel_for(
        "sporos::mixtures::maximize",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(likelihood.execution(), 0, batch.size()),
        maximizer);
  }
  likelihood.execution().fence();
  const auto on_host = [](const auto& view) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); };
  const auto likelihoods = to_host<ExecutionSpace>(progress.log_likelihoods);
  const auto found_posteriors = to_host<ExecutionSpace>(progress.log_posteriors);
  const auto counts = on_host(progress.iterations);
  const auto converged = on_host(progress.has_converged);
  mixtures = to_mixtures(batch);
  for (std::size_t j = 0; j < open.size(); ++j) {
    EmFit& fit = fits[open[j]];
    fit = {mixtures[j], likelihoods[j], found_posteriors[j], fit.iterations + counts(j), converged(j)};
  }
}

}  // namespace impl

/// Raises the likelihood, or with a prior the posterior density, from each start by EM (Dempster, Laird, Rubin 1977),
/// all starts in lock-step on the device, those that have converged put aside. The fit from a start is the same bits
/// whatever the others.
/// @throws std::invalid_argument for a start or options that are not as they should be.
template <class ExecutionSpace, class Real>
std::vector<EmFit> maximize_by_em(MixtureLikelihood<ExecutionSpace, Real>& likelihood,
                                  const std::vector<NormalMixture>& starts, const EmOptions& options = {}) {
  check(options.prior);
  check_non_negative("tolerance", options.tolerance);
  check_non_negative("floor of the deviations", options.least_deviation);
  constexpr std::int64_t iterations_of_round = 64;
  std::vector<EmFit> fits(starts.size());
  std::vector<std::size_t> open(starts.size());  // fits that go on
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (std::size_t i = 0; i < starts.size(); ++i) fits[i].mixture = starts[i];
  for (std::int64_t done = 0; done < options.iterations && !open.empty(); done += iterations_of_round) {
    const std::int64_t left = options.iterations - done;
    impl::run_round(likelihood, options, left < iterations_of_round ? left : iterations_of_round, open, fits);
    std::erase_if(open, [&](std::size_t i) { return fits[i].has_converged; });
  }
  return fits;
}

}  // namespace sporos::models
