// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/models/mixtures/classification_entropy.hpp>
#include <sporos/models/mixtures/expectation_maximization.hpp>
#include <sporos/models/mixtures/mixture_coordinates.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/mixtures/mixture_starts.hpp>
#include <sporos/models/mixtures/observations.hpp>
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/procedures/mixture_fit_journal.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>
#include <sporos/procedures/mixture_fit_result.hpp>
#include <sporos/procedures/mixture_objective.hpp>
#include <sporos/procedures/mixture_standard_errors.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

/// Fits mixtures of all requested sizes once.
template <class ExecutionSpace, class Real>
class MixtureFitter {
 public:
  MixtureFitter(models::MixtureLikelihood<ExecutionSpace, Real>& likelihood, const models::Observations& points,
                const MixtureFitOptions& options, const MixtureFitCallback& callback, MixtureFitJournal& journal)
      : m_likelihood(likelihood), m_options(options), m_callback(callback), m_journal(journal) {
    m_fit.sample = models::moments(points);
    m_fit.floor = checked_floor(options, points, m_fit.sample.deviation);
    m_fit.is_binned = likelihood.is_binned();
    m_fit.criterion = options.criterion;
    if (options.is_bayesian) {
      m_fit.prior = models::MixturePrior::of_sample(m_fit.sample.mean, m_fit.sample.deviation * m_fit.sample.deviation);
    }
    m_fit.prior.has_equal_deviations = has_equal_deviations();
    m_starts.emplace(points, m_fit.floor);
  }

  MixtureFit run() {
    for (std::int64_t k = m_options.min_components; k <= m_options.max_components; ++k) {
      m_fit.sizes.emplace_back().deviations = m_options.deviations;
    }
    add_candidates(MixtureMethod::em,
                   em_fits(starts(m_options.starts), m_options.em_iterations, m_options.em_tolerance, "EM"));
    add_candidates(MixtureMethod::nelder_mead, nelder_mead_fits(starts(m_options.nelder_mead_starts)));
    polish();
    for (MixtureSizeFit& size : m_fit.sizes) describe(size);
    choose();
    return std::move(m_fit);
  }

 private:
  using EmFits = MixtureFitJournal::EmFits;
  using End = MixtureFitJournal::End;

  bool has_equal_deviations() const { return m_options.deviations == MixtureDeviations::equal; }

  // The first `count` starts of each size, one size after the other.
  std::vector<models::NormalMixture> starts(std::int64_t count) const {
    std::vector<models::NormalMixture> all;
    for (std::int64_t k = m_options.min_components; k <= m_options.max_components; ++k) {
      for (std::int64_t i = 0; i < count; ++i) {
        models::NormalMixture start =
            i == 0 ? m_starts->by_quantiles(k) : m_starts->by_centres(k, m_options.seed, static_cast<std::uint64_t>(i));
        all.push_back(has_equal_deviations() ? models::with_equal_deviations(std::move(start)) : std::move(start));
      }
    }
    return all;
  }

  EmFits em_fits(const std::vector<models::NormalMixture>& starts, std::int64_t iterations, double tolerance,
                 std::string_view stage) {
    if (starts.empty()) return {};
    const models::EmOptions options{iterations, tolerance, m_fit.floor, m_fit.prior};
    const auto run = [&](const EmFits& fits, End& end) {
      return models::maximize_by_em(m_likelihood, fits, options, [&](std::int64_t done, std::int64_t open) {
        return goes_on({stage, done, open}, end);
      });
    };
    return m_journal.em(models::em_fits_at(starts), starts.size(), run, [](const EmFits& fits) { return fits; });
  }

  bool goes_on(const MixtureFitProgress& progress, End& end) {
    const auto mine = m_fit.is_whole && m_callback ? m_callback(progress) : Continuation::go_on;
    const auto wanted = agreed(m_likelihood.processes(), mine);
    if (wanted == Continuation::stop) m_fit.is_whole = false;
    end = !m_fit.is_whole ? End::stopped : wanted == Continuation::pause ? End::paused : End::whole;
    return end == End::whole;
  }

  // Runs Nelder–Mead, then EM from its results.
  EmFits nelder_mead_fits(const std::vector<models::NormalMixture>& starts) {
    if (starts.empty()) return {};
    const models::MixtureCoordinates coordinates{m_fit.sample.mean, m_fit.sample.deviation, m_fit.floor,
                                                 has_equal_deviations()};
    std::vector<NelderMeadState> simplices;
    std::vector<std::int32_t> components;
    for (const models::NormalMixture& start : starts) {
      constexpr double edge = 0.25;  // in deviations, and in logarithms of weights and deviations
      const std::vector<double> point = coordinates.of(start);
      simplices.push_back(started({point, std::vector<double>(point.size(), edge), {}}, simplices.size()));
      components.push_back(static_cast<std::int32_t>(start.size()));
    }
    MixtureObjective<ExecutionSpace, Real> objective(m_likelihood, coordinates, m_fit.prior, components);
    const auto found = m_journal.simplices(simplices, [&](const std::vector<NelderMeadState>& states, End& end) {
      return nelder_mead(objective, states, m_options.nelder_mead, [&](const NelderMeadProgress& progress) {
        return goes_on({"Nelder-Mead", progress.steps, progress.open}, end) ? Continuation::go_on : Continuation::stop;
      });
    });
    std::vector<models::NormalMixture> ends;
    for (std::size_t s = 0; s < found.size(); ++s) {
      const auto k = static_cast<std::size_t>(components[s]);
      std::vector<double> row(3 * k);
      coordinates.set_parameters(found[s].point.data(), components[s], row.data());
      ends.push_back(models::mixture_of(row.data(), k));
    }
    EmFits polished = em_fits(ends, m_options.em_iterations, m_options.em_tolerance, "polishing");
    for (std::size_t s = 0; s < found.size(); ++s) {
      if (polished[s].iterations == 0) polished[s].log_posterior = -found[s].value * m_likelihood.total_weight();
      polished[s].iterations += found[s].evaluations;
    }
    return polished;
  }

  // Adds fits, which come size by size, with the same number for each size.
  void add_candidates(MixtureMethod method, const EmFits& fits) {
    m_ends.resize(m_fit.sizes.size());
    const std::size_t count = fits.size() / m_fit.sizes.size();
    for (std::size_t i = 0; i < fits.size(); ++i) {
      const models::EmFit& fit = fits[i];
      m_fit.sizes[i / count].starts.push_back({method, fit.log_posterior, fit.iterations, fit.has_converged,
                                               models::is_at_floor(fit.mixture, m_fit.floor)});
      m_ends[i / count].push_back(fit);
    }
  }

  // Polishes the best fit of each size to the last digits. If the polished fit ends at the floor, it is put back and
  // the next best of its size is polished.
  void polish() {
    std::vector<std::size_t> open(m_fit.sizes.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    while (!open.empty()) {
      std::vector<models::NormalMixture> best;
      for (const std::size_t s : open) {
        take_best(s);
        best.push_back(m_fit.sizes[s].mixture);
      }
      constexpr double last_digits = 1e-14;
      const EmFits fits = em_fits(best, 4 * m_options.em_iterations, last_digits, "polishing");
      std::vector<std::size_t> fallen;
      for (std::size_t i = 0; i < fits.size(); ++i) {
        if (!has_polished(open[i], fits[i])) fallen.push_back(open[i]);
      }
      open = std::move(fallen);
    }
  }

  void take_best(std::size_t s) {
    const EmFits& ends = m_ends[s];
    MixtureSizeFit& size = m_fit.sizes[s];
    size.best = 0;
    for (std::size_t i = 1; i < ends.size(); ++i) {
      if (models::is_better(ends[i], ends[size.best], m_fit.floor)) size.best = i;
    }
    size.mixture = ends[size.best].mixture;
  }

  // Replaces a fit by its polished one. Returns false if the polished fit ends at the floor, so that another start may
  // be better.
  bool has_polished(std::size_t s, const models::EmFit& fit) {
    MixtureSizeFit& size = m_fit.sizes[s];
    MixtureStartResult& start = size.starts[size.best];
    if (fit.log_posterior > start.log_posterior) size.mixture = fit.mixture;
    if (start.is_at_floor || !models::is_at_floor(size.mixture, m_fit.floor)) return true;
    start.is_at_floor = true;
    start.log_posterior = fit.log_posterior;
    m_ends[s][size.best] = fit;
    return false;
  }

  void describe(MixtureSizeFit& size) {
    sort_by_mean(size.mixture);
    for (std::size_t c = 0; c < size.mixture.size(); ++c) {
      if (size.mixture[c].deviation <= m_fit.floor) size.at_floor.push_back(static_cast<std::int64_t>(c));
    }
    size.log_likelihood = models::log_likelihood(m_likelihood, size.mixture);
    size.log_posterior = size.log_likelihood + models::log_density(m_fit.prior, size.mixture);
    size.starts[size.best].log_posterior = size.log_posterior;
    size.reached = std::count_if(size.starts.begin(), size.starts.end(), [&](const MixtureStartResult& start) {
      return start.is_at_floor == !size.at_floor.empty() && start.log_posterior >= size.log_posterior - size.reach;
    });
    const auto p = static_cast<double>(size.parameters());
    size.aic = -2 * size.log_likelihood + 2 * p;
    size.bic = -2 * size.log_likelihood + p * std::log(m_fit.sample.weight);
    size.icl = size.bic + 2 * models::classification_entropy(m_likelihood, size.mixture);
    size.standard_errors = standard_errors(m_likelihood, size.mixture, m_fit.floor, has_equal_deviations());
  }

  // If possible, chooses a fit without a component at the floor, since the likelihood at the floor depends on the
  // floor.
  void choose() {
    const auto key = [&](const MixtureSizeFit& size) {
      return std::pair(!size.at_floor.empty(), size.value_of(m_fit.criterion));
    };
    const auto least = std::min_element(m_fit.sizes.begin(), m_fit.sizes.end(),
                                        [&](const auto& a, const auto& b) { return key(a) < key(b); });
    m_fit.chosen = static_cast<std::size_t>(least - m_fit.sizes.begin());
  }

  models::MixtureLikelihood<ExecutionSpace, Real>& m_likelihood;
  const MixtureFitOptions& m_options;
  const MixtureFitCallback& m_callback;
  MixtureFitJournal& m_journal;
  MixtureFit m_fit;
  std::optional<models::MixtureStarts> m_starts;
  std::vector<EmFits> m_ends;  // final fits of the starts, by size
};

}  // namespace impl

/// Fits normal mixtures of each number of components to a sample by maximum likelihood, or by the maximum of the
/// posterior density, and chooses one of them (Cheng (2014), Massively parallel programming in statistical optimization
/// & simulation, section 3.2).
///
/// For each number of components k, EM improves the starts; all starts of all k run in lock-step on the device.
/// Nelder–Mead simplices do the same from the first of these starts, and EM polishes the best of both. A fit in which a
/// deviation ended at the floor is kept only if all starts of its k ended so: the smaller the floor, the larger the
/// likelihood there. The result contains the end of every start, which shows how reliable the answer is. It is a
/// function of sample, options and backend.
///
/// `Real` is the type in which densities are computed, see MixtureLikelihood. If the callback returns `stop`, the
/// function returns the best fits so far. If it returns `pause`, the journal is saved, and a later fit resumes from it
/// with the same bits.
///
/// Several processes can share the work on the observations. All pass the same arguments, each with a separate callback
/// and journal, and all get the same fit, whose bits do not depend on the number of processes. If one process's
/// callback stops the fit, all stop.
///
/// @throws std::invalid_argument if check(Observations) rejects the sample, if its observations are all equal or fewer
/// than the parameters of the largest mixture, and if an option is out of range.
template <class Real = double, class ExecutionSpace>
MixtureFit fit_mixtures(const ExecutionSpace& space, const models::Observations& sample,
                        const MixtureFitOptions& options = {}, const MixtureFitCallback& callback = {},
                        MixtureFitJournal* journal = nullptr, Processes& processes = single_process) {
  check(options);
  MixtureFitJournal own;
  models::MixtureLikelihood<ExecutionSpace, Real> likelihood(sample, space, processes);
  impl::check_enough("observations", impl::count_of(sample), options);
  return impl::MixtureFitter<ExecutionSpace, Real>(likelihood, sample, options, callback, journal ? *journal : own)
      .run();
}

/// Fits normal mixtures to a histogram, which needs at least as many nonempty bins as there are parameters. The ICL
/// criterion is not available.
template <class ExecutionSpace>
MixtureFit fit_mixtures(const ExecutionSpace& space, const models::BinnedObservations& sample,
                        const MixtureFitOptions& options = {}, const MixtureFitCallback& callback = {}) {
  check(options);
  if (options.criterion == MixtureCriterion::icl) {
    throw std::invalid_argument("criterion of a fit to a histogram is icl, expected bic or aic");
  }
  models::MixtureLikelihood<ExecutionSpace> likelihood(sample, space);
  const models::Observations points = models::midpoints(sample);
  impl::check_enough("bins with observations", impl::count_of(points), options);
  MixtureFitJournal journal;
  return impl::MixtureFitter<ExecutionSpace, double>(likelihood, points, options, callback, journal).run();
}

#define SPOROS_FIT_ON(ExecutionSpace)                                                                           \
  MixtureFit fit_mixtures<double>(const ExecutionSpace&, const models::Observations&, const MixtureFitOptions&, \
                                  const MixtureFitCallback&, MixtureFitJournal*, Processes&)
#define SPOROS_FIT_IN_FLOAT_ON(ExecutionSpace)                                                                 \
  MixtureFit fit_mixtures<float>(const ExecutionSpace&, const models::Observations&, const MixtureFitOptions&, \
                                 const MixtureFitCallback&, MixtureFitJournal*, Processes&)
#define SPOROS_FIT_TO_BINS_ON(ExecutionSpace)                                                                 \
  MixtureFit fit_mixtures(const ExecutionSpace&, const models::BinnedObservations&, const MixtureFitOptions&, \
                          const MixtureFitCallback&)
SPOROS_INSTANTIATE(SPOROS_FIT_ON)
SPOROS_INSTANTIATE(SPOROS_FIT_IN_FLOAT_ON)
SPOROS_INSTANTIATE(SPOROS_FIT_TO_BINS_ON)

}  // namespace sporos
