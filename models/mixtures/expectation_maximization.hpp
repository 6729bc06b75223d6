// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/row_matrix.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/mixtures/em_kernels.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/mixtures/mixture_prior.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// Everything about a run of EM that is neither sample nor start.
struct EmOptions {
  std::int64_t iterations = 10'000;  ///< most iterations
  double tolerance = 1e-12;          ///< converged once a step of EM raises L, and ln of the prior, by less times |L|
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

/// Is told, at least every 64 iterations, how many are done and how many fits are still open; false ends them where
/// they are.
using EmCallback = std::function<bool(std::int64_t iterations, std::int64_t open)>;

namespace impl {

/// Some iterations of the fits that are open.
template <class ExecutionSpace, class Real>
void run_round(MixtureLikelihood<ExecutionSpace, Real>& likelihood, const EmOptions& options, std::int64_t iterations,
               const std::vector<std::int32_t>& samples, const std::vector<std::size_t>& open,
               std::vector<EmFit>& fits) {
  std::vector<NormalMixture> mixtures;
  std::vector<double> posteriors;
  std::vector<std::int32_t> open_samples;
  for (const std::size_t i : open) {
    mixtures.push_back(fits[i].mixture);
    posteriors.push_back(fits[i].log_posterior);
    if (!samples.empty()) open_samples.push_back(samples[i]);
  }
  const auto batch = to_batch<ExecutionSpace>(mixtures, open_samples);
  EmProgress<ExecutionSpace> progress;
  progress.log_likelihoods = Vector<ExecutionSpace>("sporos::mixtures::log_likelihoods", open.size());
  progress.log_posteriors = to_device<ExecutionSpace>(posteriors);
  progress.iterations = decltype(progress.iterations)("sporos::mixtures::iterations", open.size());
  progress.has_converged = decltype(progress.has_converged)("sporos::mixtures::has_converged", open.size());
  const auto matrix = [&](const std::string& label) {
    return RowMatrix<ExecutionSpace>(label, open.size(), batch.parameters.extent(1));
  };
  EmStep<ExecutionSpace> step{
      {options.prior, options.least_deviation},
      batch,
      Vector<ExecutionSpace>("sporos::mixtures::values", open.size()),
      matrix("sporos::mixtures::sums"),
      progress,
      options.tolerance,
      {matrix("sporos::mixtures::first"), matrix("sporos::mixtures::second"), matrix("sporos::mixtures::third")},
      0};
  for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
    step.phase = static_cast<int>(iteration % EmStep<ExecutionSpace>::phases);
    likelihood.evaluate(batch, step.values, step.sums);
    Kokkos::parallel_for(
        "sporos::mixtures::maximize",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(likelihood.execution(), 0, batch.size()),
        step);
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
/// every fourth iteration leaping ahead along the three before it (SQUAREM, Varadhan and Roland 2008; a leap may lower
/// it by up to 1), all starts in lock-step on the device, those that have converged put aside. The fit from a start is
/// the same bits whatever the others. Where the likelihood is over several samples, `samples` says by which of them
/// each start is judged.
/// @throws std::invalid_argument for a start or options that are not as they should be.
template <class ExecutionSpace, class Real>
std::vector<EmFit> maximize_by_em(MixtureLikelihood<ExecutionSpace, Real>& likelihood,
                                  const std::vector<NormalMixture>& starts, const EmOptions& options = {},
                                  const EmCallback& callback = {}, const std::vector<std::int32_t>& samples = {}) {
  check(options.prior);
  check_non_negative("tolerance", options.tolerance);
  check_non_negative("floor of the deviations", options.least_deviation);
  std::vector<EmFit> fits(starts.size());
  std::vector<std::size_t> open(starts.size());  // fits that go on
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (std::size_t i = 0; i < starts.size(); ++i) fits[i].mixture = starts[i];
  // Rounds grow, since many fits converge soon and go on until their round is over. They are whole cycles of EmStep.
  constexpr std::int64_t first_round = 4, longest_round = 64;
  std::int64_t done = 0, round = first_round;
  while (done < options.iterations && !open.empty()) {
    if (callback && !callback(done, static_cast<std::int64_t>(open.size()))) break;
    impl::run_round(likelihood, options, std::min(round, options.iterations - done), samples, open, fits);
    done += round;
    round = std::min(2 * round, longest_round);
    std::erase_if(open, [&](std::size_t i) { return fits[i].has_converged; });
  }
  return fits;
}

}  // namespace sporos::models
