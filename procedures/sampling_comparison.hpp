// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/statistics/variance_ratio.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos {

/// One response under one sampling, compared with random sampling.
struct ComparedResponse {
  ResponseEstimate estimate;  ///< estimate of its expectation
  /// Variance per replication, as a multiple of random sampling's; exactly 1 for random sampling itself.
  VarianceRatio variance_ratio;
  /// Number of replications of random sampling that would give the same precision.
  double random_replications = 0;
};

/// Result of an experiment under one sampling.
struct ComparedSampling {
  UniformSource source;                     ///< source of uniforms, with this sampling
  PointResult result;                       ///< result of the experiment
  std::vector<ComparedResponse> responses;  ///< in the model's order
};

/// Function that runs an experiment with one design point under a plan and passes every observation to the observer.
using PlannedExperiment = std::function<PointResult(const Plan&, const Observer&)>;

namespace impl {

struct ObservedExperiment {
  PointResult result;
  std::vector<VarianceEstimate> variances;  // variance of each response
};

// The observations of a ratio of means, linearized about the means (delta method): R + (N - R D) / E(D).
inline std::vector<double> linearized(const RatioOfMeans& ratio, double estimate,
                                      const std::vector<std::vector<double>>& observations) {
  const auto value = [&](const LinearForm& form, std::size_t i) {
    double sum = form.constant;
    for (const auto& [response, weight] : form.terms) {
      sum += weight * observations[static_cast<std::size_t>(response)][i];
    }
    return sum;
  };
  const std::size_t count = observations[static_cast<std::size_t>(ratio.response)].size();
  double mean = 0;
  for (std::size_t i = 0; i < count; ++i) mean += value(ratio.denominator, i) / static_cast<double>(count);
  std::vector<double> list(count);
  for (std::size_t i = 0; i < count; ++i) {
    list[i] = estimate + (value(ratio.numerator, i) - estimate * value(ratio.denominator, i)) / mean;
  }
  return list;
}

inline ObservedExperiment observe(const PlannedExperiment& experiment, const Plan& plan,
                                  std::span<const RatioOfMeans> ratios) {
  std::vector<std::vector<double>> observations;
  ObservedExperiment observed;
  observed.result = experiment(plan, [&](std::size_t, std::size_t response, double observation) {
    if (observations.size() <= response) observations.resize(response + 1);
    observations[response].push_back(observation);
  });
  for (const auto& list : observations) observed.variances.push_back(VarianceEstimate::of(list));
  for (const RatioOfMeans& ratio : ratios) {
    const auto response = static_cast<std::size_t>(ratio.response);
    if (response >= observed.variances.size()) continue;  // stopped before the first observation
    const ResponseEstimate& estimate = observed.result.responses[response];
    constexpr double infinity = std::numeric_limits<double>::infinity();
    observed.variances[response] = std::isfinite(estimate.variance)
                                       ? VarianceEstimate::of(linearized(ratio, estimate.mean, observations))
                                       : VarianceEstimate{estimate.observations, estimate.mean, infinity, infinity};
  }
  return observed;
}

// Whether the experiment has variances or all its replications.
inline bool is_comparable(const ObservedExperiment& observed) {
  const PointResult& result = observed.result;
  return result.stopped_by == StopReason::replications ||
         (!observed.variances.empty() && result.responses.front().observations >= 2);
}

}  // namespace impl

/// Runs the same experiment under each of `samplings`, and under random sampling for comparison. Each run has the same
/// number of replications, in runs of the plan's length. The variances of responses that are `ratios` are those of
/// their observations linearized about the means. If given, `check` is called with each plan before any experiment
/// starts, and may throw. If an experiment is interrupted, the result leaves out those that have not begun or have
/// fewer than two observations. Throws the same exceptions as `simulate`, and std::invalid_argument if the plan has a
/// target precision, with which the experiments would stop at different numbers of replications.
inline std::vector<ComparedSampling> compare_samplings(const PlannedExperiment& experiment, const Plan& plan,
                                                       std::span<const Sampling> samplings,
                                                       std::span<const RatioOfMeans> ratios = {},
                                                       const std::function<void(const Plan&)>& check = check_plan) {
  if (plan.precision.is_set()) {
    throw std::invalid_argument("samplings are compared over equally many replications: expected no target precision");
  }
  const auto planned = [&](Sampling sampling) {
    Plan other = plan;
    other.source = source_with(plan.source, sampling);
    return other;
  };
  for (const Sampling sampling : samplings) check(planned(sampling));
  const Plan random_plan = planned(Sampling::random);
  const auto random = impl::observe(experiment, random_plan, ratios);
  std::vector<ComparedSampling> compared;
  if (!impl::is_comparable(random)) return compared;
  bool is_interrupted = random.result.stopped_by == StopReason::interrupted;
  for (const Sampling sampling : samplings) {
    if (is_interrupted && sampling != Sampling::random) continue;
    const Plan own = planned(sampling);
    auto observed = sampling == Sampling::random ? random : impl::observe(experiment, own, ratios);
    is_interrupted = is_interrupted || observed.result.stopped_by == StopReason::interrupted;
    if (!impl::is_comparable(observed)) continue;
    ComparedSampling entry{own.source, std::move(observed.result), {}};
    for (std::size_t i = 0; i < entry.result.responses.size(); ++i) {
      const VarianceRatio ratio =
          sampling == Sampling::random
              ? VarianceRatio{1, 1, 1}
              : variance_ratio(observed.variances[i], own.source.replications_of_run(), random.variances[i],
                               random_plan.source.replications_of_run(), plan.confidence);
      entry.responses.push_back(
          {entry.result.responses[i], ratio, static_cast<double>(entry.result.replications) / ratio.ratio});
    }
    compared.push_back(std::move(entry));
  }
  return compared;
}

}  // namespace sporos
