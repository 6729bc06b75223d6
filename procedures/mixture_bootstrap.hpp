// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/models/mixtures/drawn_samples.hpp>
#include <sporos/models/mixtures/expectation_maximization.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>
#include <sporos/procedures/mixture_bootstrap_result.hpp>
#include <sporos/procedures/mixture_fit_journal.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>
#include <sporos/procedures/mixture_fit_result.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

/// For each component, the mixture with this component split in two halves, one deviation apart.
inline std::vector<models::NormalMixture> splits(const models::NormalMixture& mixture) {
  std::vector<models::NormalMixture> starts;
  for (std::size_t c = 0; c < mixture.size(); ++c) {
    models::NormalMixture& start = starts.emplace_back(mixture);
    const auto [weight, mean, deviation] = mixture[c];
    start[c] = {weight / 2, mean - deviation / 2, 0.8 * deviation};
    start.push_back({weight / 2, mean + deviation / 2, 0.8 * deviation});
  }
  return starts;
}

/// Smallest element that at least the share `probability` of the elements does not exceed.
inline double percentile(std::vector<double> numbers, double probability) {
  const auto count = static_cast<double>(numbers.size());
  const auto rank = bounded_count(std::ceil(probability * count)) - 1;
  const auto place = std::clamp<std::int64_t>(rank, 0, static_cast<std::int64_t>(numbers.size()) - 1);
  std::nth_element(numbers.begin(), numbers.begin() + place, numbers.end());
  return numbers[static_cast<std::size_t>(place)];
}

/// Runs one bootstrap of a fit.
template <class ExecutionSpace, class Real>
class MixtureBootstrapper {
 public:
  MixtureBootstrapper(const ExecutionSpace& space, const MixtureFit& fit, const MixtureBootstrapOptions& options,
                      const MixtureFitCallback& callback, MixtureFitJournal& journal, Processes& processes)
      : m_space(space),
        m_fit(fit),
        m_options(options),
        m_callback(callback),
        m_journal(journal),
        m_processes(processes) {}

  std::optional<MixtureBootstrap> run() try {
    m_result.options = m_options;
    for (std::size_t i = 0; i + 1 < m_fit.sizes.size() && !m_result.enough; ++i) test(i);
    describe_chosen();
    return std::move(m_result);
  } catch (const Stopped&) {
    return {};
  }

 private:
  struct Stopped {};  // thrown if the callback stops the bootstrap
  using Fits = MixtureFitJournal::EmFits;
  using End = MixtureFitJournal::End;
  using Likelihood = models::MixtureLikelihood<ExecutionSpace, Real>;

  // Draws samples from the fit at index `i`. Samples of different fits are independent.
  Likelihood likelihood_of_samples(std::size_t i) const {
    const models::NormalMixture& mixture = m_fit.sizes[i].mixture;
    const auto size = checked_count("observations of a bootstrap sample", m_fit.sample.weight, "lower weights");
    const std::uint64_t seed = design_point_seed(m_options.seed, mixture.size());
    return Likelihood(models::drawn_samples(m_space, mixture, m_options.samples, size, seed), m_space, m_processes);
  }

  // Returns the best fit to each sample. All samples have the same starts.
  Fits best_fits(Likelihood& likelihood, const std::vector<models::NormalMixture>& starts) {
    std::vector<models::NormalMixture> all;
    std::vector<std::int32_t> samples;
    for (std::int64_t s = 0; s < m_options.samples; ++s) {
      all.insert(all.end(), starts.begin(), starts.end());
      samples.insert(samples.end(), starts.size(), static_cast<std::int32_t>(s));
    }
    const models::EmOptions options{m_options.iterations, m_options.tolerance, m_fit.floor, m_fit.prior};
    const auto watch = [&](std::int64_t done, std::int64_t open, End& end) {
      const auto mine = m_callback ? m_callback({"bootstrap", done, open}) : Continuation::go_on;
      const auto wanted = agreed(m_processes, mine);
      if (wanted != Continuation::go_on) end = wanted == Continuation::stop ? End::stopped : End::paused;
      return wanted == Continuation::go_on;
    };
    bool is_stopped = false;
    const auto run = [&](const Fits& from, End& end) {
      auto fits = models::maximize_by_em(
          likelihood, from, options, [&](std::int64_t done, std::int64_t open) { return watch(done, open, end); },
          samples);
      is_stopped = end == End::stopped;
      return fits;
    };
    const auto reduce = [&](const Fits& fits) { return best_of(fits, starts.size(), m_fit.floor); };
    Fits best = m_journal.em(models::em_fits_at(all), samples.size() / starts.size(), run, reduce);
    if (is_stopped) throw Stopped();
    return best;
  }

  // Chooses the best of every `count` fits by the rule of fit_mixtures.
  static Fits best_of(const Fits& fits, std::size_t count, double floor) {
    Fits best;
    for (std::size_t s = 0; s < fits.size(); s += count) {
      const auto first = fits.begin() + static_cast<std::ptrdiff_t>(s);
      best.push_back(*std::max_element(first, first + static_cast<std::ptrdiff_t>(count),
                                       [&](const auto& a, const auto& b) { return models::is_better(b, a, floor); }));
    }
    return best;
  }

  void test(std::size_t i) {
    const MixtureSizeFit& null = m_fit.sizes[i];
    const MixtureSizeFit& alternative = m_fit.sizes[i + 1];
    Likelihood likelihood = likelihood_of_samples(i);
    const Fits of_null = best_fits(likelihood, {null.mixture});
    std::vector<models::NormalMixture> starts = splits(null.mixture);
    if (m_fit.prior.has_equal_deviations) {
      for (models::NormalMixture& start : starts) start = models::with_equal_deviations(start);
    }
    const Fits of_alternative = best_fits(likelihood, starts);
    MixtureRatioTest found;
    found.components = null.components();
    found.statistic = 2 * (alternative.log_posterior - null.log_posterior);
    std::vector<double> statistics;
    for (std::size_t s = 0; s < of_null.size(); ++s) {
      statistics.push_back(2 * (of_alternative[s].log_posterior - of_null[s].log_posterior));
    }
    const auto as_large = std::count_if(statistics.begin(), statistics.end(),
                                        [&](double statistic) { return statistic >= found.statistic; });
    found.p_value = (1 + static_cast<double>(as_large)) / (1 + static_cast<double>(statistics.size()));
    found.critical = percentile(statistics, 1 - m_options.level);
    m_result.tests.push_back(found);
    if (found.p_value > m_options.level) m_result.enough = found.components;
  }

  void describe_chosen() {
    const models::NormalMixture& chosen = m_fit.sizes[m_fit.chosen].mixture;
    Likelihood likelihood = likelihood_of_samples(m_fit.chosen);
    Fits fits = best_fits(likelihood, {chosen});
    for (models::EmFit& fit : fits) sort_by_mean(fit.mixture);
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      m_result.standard_errors.emplace_back();
      m_result.lower.emplace_back();
      m_result.upper.emplace_back();
      for (const auto number : numbers_of_component) {
        std::vector<double> found;
        MomentsTree moments;
        for (const models::EmFit& fit : fits) {
          found.push_back(fit.mixture[c].*number);
          moments.add(found.back());
        }
        m_result.standard_errors[c].*number = std::sqrt(moments.total().variance());
        m_result.lower[c].*number = percentile(found, (1 - m_options.confidence) / 2);
        m_result.upper[c].*number = percentile(found, (1 + m_options.confidence) / 2);
      }
    }
  }

  static constexpr std::array numbers_of_component = {&models::NormalComponent::weight, &models::NormalComponent::mean,
                                                      &models::NormalComponent::deviation};

  ExecutionSpace m_space;
  const MixtureFit& m_fit;
  const MixtureBootstrapOptions& m_options;
  const MixtureFitCallback& m_callback;
  MixtureFitJournal& m_journal;
  Processes& m_processes;
  MixtureBootstrap m_result;
};

}  // namespace impl

/// Assesses a fit by the parametric bootstrap: draws samples as large as the original one from a fit, and fits them by
/// EM, all in lock-step on the device.
///
/// Tests whether k components are enough, from the smallest k until one is. The test statistic is the likelihood ratio
/// (McLachlan 1987, Applied Statistics 36, 318–324). The samples' fits start from the k-component mixture from which
/// they were drawn, and from that mixture with each component split in turn. These are fewer starts than the fit itself
/// had, so that the test rather demands a component too many than one too few. The parameters of the chosen fit get
/// standard errors and percentile intervals from separate samples, with components matched in the order of their means.
///
/// The result is a function of fit, options and backend; it has no value if the callback stops the bootstrap. Pass the
/// journal of the fit. `Real` and processes are as in fit_mixtures. @throws std::invalid_argument if an option is out
/// of range, for fits to histograms, and for weights that do not add up to a whole number.
template <class Real = double, class ExecutionSpace>
std::optional<MixtureBootstrap> bootstrap_mixtures(const ExecutionSpace& space, const MixtureFit& fit,
                                                   const MixtureBootstrapOptions& options = {},
                                                   const MixtureFitCallback& callback = {},
                                                   MixtureFitJournal* journal = nullptr,
                                                   Processes& processes = single_process) {
  check(options);
  if (fit.is_binned)
    throw std::invalid_argument("the fit is to a histogram, but a bootstrap requires a fit to observations");
  impl::check_parameter(fit.sample.weight == std::round(fit.sample.weight), "sum of the weights", fit.sample.weight,
                        "a whole number of observations");
  MixtureFitJournal own;
  return impl::MixtureBootstrapper<ExecutionSpace, Real>(space, fit, options, callback, journal ? *journal : own,
                                                         processes)
      .run();
}

#define SPOROS_BOOTSTRAP_ON(ExecutionSpace)                                                                \
  std::optional<MixtureBootstrap> bootstrap_mixtures<double>(                                              \
      const ExecutionSpace&, const MixtureFit&, const MixtureBootstrapOptions&, const MixtureFitCallback&, \
      MixtureFitJournal*, Processes&)
SPOROS_INSTANTIATE(SPOROS_BOOTSTRAP_ON)

}  // namespace sporos
