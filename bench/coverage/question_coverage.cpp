// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include "../harness/ishigami.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/proportion.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/procedures/point_differences.hpp>
#include <sporos/procedures/sensitivity/estimated_input.hpp>
#include <sporos/procedures/sensitivity/input_uncertainty.hpp>
#include <sporos/procedures/simultaneous_intervals.hpp>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sporos::bench {

namespace {

using models::MMCK;

constexpr std::int64_t runs_of_question = 200;  // replications at a design point

Plan plan_of(std::int64_t experiment, bool common_random_numbers, const CoverageOptions& options) {
  Plan plan;
  plan.replications = runs_of_question;
  plan.seed = options.seed(experiment);
  plan.confidence = options.confidence;
  plan.mapping = Mapping::thread;
  plan.common_random_numbers = common_random_numbers;
  plan.covariances = true;
  return plan;
}

// Three M/M/c/k queues in equilibrium, with 100 arrivals in a replication.
std::array<MMCK, 3> queues() { return {{{4, 1, 3, 5, 100}, {4, 1, 4, 5, 100}, {4, 1, 4, 6, 100}}}; }

constexpr int blocked = 1;  // index of the response that is compared: the blocking probability

// Means of three queues in one experiment: the differences for comparisons, and the result for intervals.
struct Observed {
  PointDifferences differences;
  ExperimentResult result;
};

Observed observed(const Plan& plan) {
  Observed found{PointDifferences(std::vector(3, estimator_of(blocked)), plan.common_random_numbers), {}};
  found.result = simulate(Host(), queues(), plan, {}, [&](std::size_t point, std::size_t response, double value) {
    found.differences.add(point, response, value);
  });
  return found;
}

// Whether the intervals of all means hold simultaneously.
bool do_means_hold(Simultaneous method, const Plan& plan, const ExperimentResult& result) {
  const auto widths = simultaneous_intervals(method, plan, result).half_widths;
  for (std::size_t point = 0; point < widths.size(); ++point) {
    const auto exact = queues()[point].exact_means();
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (!(std::abs(result.points[point].responses[i].mean - *exact[i]) <= widths[point][i])) return false;
    }
  }
  return true;
}

struct Comparison {
  const char* name;
  DifferencesOf which;
  Simultaneous method;
  bool is_paired, is_with_best;
};

constexpr std::array comparisons{
    Comparison{"all pairs, paired, Bonferroni", DifferencesOf::all, Simultaneous::bonferroni, true, false},
    Comparison{"all pairs, paired, max-t", DifferencesOf::all, Simultaneous::max_t, true, false},
    Comparison{"with the first, paired", DifferencesOf::first, Simultaneous::bonferroni, true, false},
    Comparison{"distances from the best, paired", DifferencesOf::all, Simultaneous::bonferroni, true, true},
    Comparison{"all pairs, independent, Tukey", DifferencesOf::all, Simultaneous::bonferroni, false, false}};

bool does_hold(const Comparison& asked, const PointDifferences& observed, double confidence) {
  std::array<double, 3> exact{};
  for (std::size_t point = 0; point < exact.size(); ++point) exact[point] = *queues()[point].exact_means()[blocked];
  const auto differences = observed.differences(asked.which, asked.method, confidence);
  bool do_hold = true;
  if (asked.is_with_best) {
    const auto distances = distances_from_best(differences, exact.size(), false);
    for (std::size_t i = 0; i < distances.size(); ++i) {
      const double off = exact[i] - std::min(exact[(i + 1) % 3], exact[(i + 2) % 3]);
      do_hold = do_hold && distances[i].lower <= off && off <= distances[i].upper;
    }
  } else {
    for (const auto& [first, second, difference, half_width] : differences) {
      do_hold = do_hold && std::abs(difference - (exact[first] - exact[second])) <= half_width;
    }
  }
  return do_hold;
}

void add_queues(const CoverageOptions& options, CoverageTable& table) {
  std::array<Coverage, 2> means;
  std::array<Coverage, comparisons.size()> of_comparisons;
  Coverage limit;
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    const Plan plan = plan_of(e, true, options);
    const Observed paired = observed(plan), independent = observed(plan_of(e, false, options));
    for (const Simultaneous method : values_of<Simultaneous>()) {
      means[static_cast<std::size_t>(method)].count(true, do_means_hold(method, plan, paired.result));
    }
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
      const auto& differences = (comparisons[i].is_paired ? paired : independent).differences;
      of_comparisons[i].count(true, does_hold(comparisons[i], differences, options.confidence));
    }
    // The bound equals the exact mean, so that it is neither satisfied nor violated. Reporting a violation is an error,
    // which may occur with the one-sided error probability.
    const ResponseEstimate& estimate = paired.result.points.front().responses[blocked];
    const double half = sporos::half_width(estimate, 1 - 2 * (1 - options.confidence));
    limit.count(true, estimate.mean - half <= *queues().front().exact_means()[blocked]);
  }
  for (const Simultaneous method : values_of<Simultaneous>()) {
    table.add({fmt::format("`--simultaneous {}`", name_of(method)), "four responses of three M/M/c/k"},
              {means[static_cast<std::size_t>(method)]});
  }
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    table.add({comparisons[i].name, "blocking probabilities of three M/M/c/k"}, {of_comparisons[i]});
  }
  table.add({"one-sided limit of `--require`", "blocking probability of M/M/3/5"}, {limit});
}

// Counts normal variates in 8 bins between −2 and 2 and in one below and one above, as --histogram does.
void add_histogram(const CoverageOptions& options, CoverageTable& table) {
  constexpr int bins = 8;
  const auto below = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  Coverage coverage;
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    boost::random::mt19937_64 engine(options.seed(e));
    boost::random::normal_distribution<> normal;
    std::array<std::int64_t, bins + 2> counts{};
    for (std::int64_t i = 0; i < runs_of_question; ++i) {
      const double place = std::floor((normal(engine) + 2) * bins / 4);
      ++counts[static_cast<std::size_t>(std::clamp(place, -1.0, 1.0 * bins) + 1)];
    }
    const double single = 1 - (1 - options.confidence) / static_cast<double>(counts.size());
    bool do_hold = true;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double low = i == 0 ? 0 : below(4.0 * static_cast<double>(i - 1) / bins - 2);
      const double high = i + 1 == counts.size() ? 1 : below(4.0 * static_cast<double>(i) / bins - 2);
      const ProportionEstimate share = clopper_pearson(counts[i], runs_of_question, single);
      do_hold = do_hold && share.lower <= high - low && high - low <= share.upper;
    }
    coverage.count(true, do_hold);
  }
  table.add({"all bins of a histogram", "normal, n = 200"}, {coverage});
}

// Runs all design points of an experiment in one launch.
void add_indices(const CoverageOptions& options, CoverageTable& table) {
  const auto [first, total] = ishigami_indices();
  std::array<Coverage, 3> of_first, of_total;
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    const SobolIndices found =
        estimated_ishigami_indices({BaseSampling::sobol, 256, 16, options.seed(e)}, 4, 1, options.confidence);
    for (std::size_t i = 0; i < 3; ++i) {
      of_first[i].count(true, std::abs(found.first[i].value - first[i]) <= found.first[i].half_width);
      of_total[i].count(true, std::abs(found.total[i].value - total[i]) <= found.total[i].half_width);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    table.add({fmt::format("Sobol's index of input {}, alone", i + 1), "Ishigami with noise, 256 rows"}, {of_first[i]});
    table.add({fmt::format("Sobol's index of input {}, in all", i + 1), "Ishigami with noise, 256 rows"},
              {of_total[i]});
  }
}

// Variance of the mean of a sample drawn with replacement.
double bootstrap_variance(const std::vector<double>& data) {
  MomentsTree tree;
  for (const double value : data) tree.add(value);
  const double n = static_cast<double>(data.size());
  return tree.total().variance() * (n - 1) / (n * n);
}

// The response is 2 a + b + noise. The means a and b are both 0 and are estimated from 50 and 100 normal observations.
void add_input_uncertainty(InputSampling sampling, const CoverageOptions& options, CoverageTable& table) {
  constexpr std::size_t samples = 100;
  constexpr int observations = 5;
  Coverage coverage, of_ratio;
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    boost::random::mt19937_64 engine(options.seed(e));
    const auto normals = [&](std::size_t count, double deviation) {
      boost::random::normal_distribution<> normal(0, deviation);
      std::vector<double> values(count);
      for (double& value : values) value = normal(engine);
      return values;
    };
    const std::vector<double> of_a = normals(50, 1), of_b = normals(100, 2);
    const auto a = input_samples(InputStatistic::mean, of_a, sampling, samples, options.seed(e), 0);
    const auto b = input_samples(InputStatistic::mean, of_b, sampling, samples, options.seed(e), 1);
    std::vector<PointMean> outer;
    for (std::size_t i = 0; i < samples; ++i) {
      MomentsTree noise;
      for (const double value : normals(observations, 1)) noise.add(value);
      outer.push_back({2 * a[i] + b[i] + noise.total().mean, noise.total().variance() / observations});
    }
    const InputUncertainty found = input_uncertainty(outer, observations, options.confidence);
    coverage.add(true, found.low, found.high, 0);
    const double input = 4 * bootstrap_variance(of_a) + bootstrap_variance(of_b), noise = 1.0 / observations;
    of_ratio.add(true, found.ratio_low, found.ratio_high, std::sqrt(input / noise));
  }
  const std::string of = "2 a + b + noise, a and b from data";
  table.add({fmt::format("input uncertainty, {}", name_of(sampling)), of}, {coverage});
  if (sampling == InputSampling::bootstrap) table.add({"γ of the inputs, bootstrap", of}, {of_ratio});
}

}  // namespace

CoverageTable question_coverage(const CoverageOptions& options) {
  CoverageTable table{"questions", {"interval", "of", "covers in"}, {}};
  add_queues(options, table);
  add_histogram(options, table);
  add_indices(options, table);
  for (const InputSampling sampling : values_of<InputSampling>()) add_input_uncertainty(sampling, options, table);
  return table;
}

}  // namespace sporos::bench
