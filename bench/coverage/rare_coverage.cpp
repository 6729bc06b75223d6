// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/models/finance/path_option.hpp>
#include <sporos/models/queues/busy_cycle.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/procedures/array_rqmc/array_rqmc.hpp>
#include <sporos/procedures/kernel_density.hpp>
#include <sporos/procedures/multilevel/multilevel.hpp>
#include <sporos/procedures/rare_events/adaptive_splitting.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>
#include <sporos/procedures/rare_events/splitting.hpp>
#include <sporos/procedures/stratification/stratified.hpp>

#include <Kokkos_Core.hpp>

#include <boost/math/distributions/lognormal.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>

#include <array>
#include <cmath>

namespace sporos::bench {

namespace {

// (e^Z − 1)⁺ for a standard normal Z, plus standard normal noise.
struct Payoff {
  enum Input { noise, price, input_count };
  static constexpr auto response_names = std::array{"payoff"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const double paid = math::exp(normal(inputs(price), 0.0, 1.0)) - 1, off = normal(inputs(noise), 0.0, 1.0);
    return {{(paid > 0 ? paid : 0.0) + off}};
  }
  static double exact() { return std::exp(0.5) * std::erfc(-1 / std::sqrt(2.0)) / 2 - 0.5; }
};

void append(CoverageTable& table, const std::string& interval, const std::string& of, const Coverage& coverage) {
  table.add({interval, of}, {coverage});
}

// `result(seed)` returns an estimate with `probability`, `half_width` and `at_most`, the upper bound if no event was
// observed.
template <class Result>
Coverage coverage_of(const CoverageOptions& options, double exact, const Result& result) {
  Coverage coverage;
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    const auto found = result(options.seed(e));
    const bool is_seen = found.probability > 0;
    coverage.add(true, is_seen ? found.probability - found.half_width : 0,
                 is_seen ? found.probability + found.half_width : found.at_most, exact);
  }
  return coverage;
}

void add_busy_cycle(int target, const CoverageOptions& options, CoverageTable& table) {
  const models::BusyCycle queue{0.5, 1, 1, models::BusyCycle::endless};
  const double exact = queue.exact_reach(target);
  const std::string name = fmt::format("{} customers in a busy cycle at load 0.5, P = {:.2g}", target, exact);
  append(table, "splitting, 30 runs of 100 chains", name, coverage_of(options, exact, [&](std::uint64_t seed) {
           return split(Host(), queue, target, {.chains = 100, .confidence = options.confidence, .seed = seed});
         }));
  append(table, "adaptive splitting, 30 runs of 100", name, coverage_of(options, exact, [&](std::uint64_t seed) {
           return adaptive_split(
               Host(), queue, target,
               {.chains = 100, .share = default_kept_share, .confidence = options.confidence, .seed = seed});
         }));
  append(table, "importance sampling, 2000 after steps of 1000", name,
         coverage_of(options, exact, [&](std::uint64_t seed) {
           return importance_sampled(
               Host(), queue, target,
               {.replications = 2000, .pilot_replications = 1000, .confidence = options.confidence, .seed = seed});
         }));
}

// The experiments are so small that most of them observe no event. An experiment fails if it observes none and its
// upper bound is below the exact probability.
void add_unseen(int target, const CoverageOptions& options, CoverageTable& table) {
  const models::BusyCycle queue{0.5, 1, 1, models::BusyCycle::endless};
  const double exact = queue.exact_reach(target);
  const std::string name = fmt::format("{} customers in a busy cycle at load 0.5, P = {:.2g}", target, exact);
  const auto add = [&](const std::string& method, const auto& split) {
    Coverage coverage;
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      const SplittingResult found = split(SplittingOptions{
          .runs = 2, .chains = 20, .share = 0.2, .confidence = options.confidence, .seed = options.seed(e)});
      coverage.count(true, found.probability > 0 || exact <= found.at_most);
    }
    append(table, "bound of an unseen event, " + method + ", 2 runs of 20 chains", name, coverage);
  };
  add("splitting", [&](const SplittingOptions& few) { return split(Host(), queue, target, few); });
  add("adaptive", [&](const SplittingOptions& few) { return adaptive_split(Host(), queue, target, few); });
}

void add_strata(const CoverageOptions& options, CoverageTable& table) {
  for (const bool is_shared : {false, true}) {
    Coverage coverage;
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      StratifiedOptions strata{.input = Payoff::price, .strata = 16, .replications = 160};
      if (is_shared) strata.shared_for = 0;
      strata.confidence = options.confidence;
      strata.seed = options.seed(e);
      const StratifiedMean found = stratified(Host(), Payoff(), strata).means.front();
      coverage.add(true, found.mean - found.half_width, found.mean + found.half_width, Payoff::exact());
    }
    append(table, fmt::format("stratified, 16 strata{}", is_shared ? ", shared by deviations" : ""),
           "payoff of a lognormal price, n = 160", coverage);
  }
}

void add_densities(const CoverageOptions& options, CoverageTable& table) {
  const boost::math::lognormal law(0, 0.5);
  for (const std::int64_t n : {300, 1000, 10000}) {
    boost::random::lognormal_distribution<> draw(0, 0.5);
    Coverage coverage;
    for (std::int64_t e = 0; e < options.experiments; ++e) {
      boost::random::mt19937_64 engine(options.seed(e));
      KernelDensity density({0.3, 3, 21}, n);
      for (std::int64_t i = 0; i < n; ++i) density.add(draw(engine));
      bool is_held = true;
      for (const auto& [point, value, lower, upper] : density.estimates(options.confidence)) {
        const double exact = boost::math::pdf(law, point);
        is_held = is_held && lower <= exact && exact <= upper;
      }
      coverage.count(true, is_held);
    }
    append(table, "band of a density at 21 points", fmt::format("lognormal, σ = 0.5, n = {}", n), coverage);
  }
}

// Adds the coverage of the exact price, which is the limit for infinitely many time steps. The interval accounts for
// the bias of the finest level.
void add_multilevel(LevelSampling sampling, const CoverageOptions& options, CoverageTable& table) {
  const models::PathOption option{
      100, 100, 0.05, 0.2, 1, models::PathOption::Payoff::geometric_asian, models::PathOption::Scheme::milstein};
  Coverage limit;
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    const MultilevelResult found = multilevel(
        Host(), option,
        {.rmse = 0.2, .alpha = 1, .confidence = options.confidence, .seed = options.seed(e), .sampling = sampling});
    limit.add(true, found.mean - found.half_width, found.mean + found.half_width, option.exact_price());
  }
  const std::string of = fmt::format("geometric Asian call, Milstein, {}", name_of(sampling));
  append(table, "multilevel, rmse 0.2, of the limit", of, limit);
}

// Adds the coverage of array-RQMC for a model that provides `array_chain`.
template <class Model>
void add_arrays(const Model& model, std::int64_t steps, const std::string& name, const CoverageOptions& options,
                CoverageTable& table) {
  const double exact = *model.exact_after(steps);
  Coverage coverage;
  for (std::int64_t e = 0; e < options.experiments; ++e) {
    ArrayRqmcOptions arrays{.chains = 64, .steps = steps, .randomizations = 10};
    arrays.confidence = options.confidence;
    arrays.seed = options.seed(e);
    const ArrayRqmcResult found = array_rqmc(Host(), model.array_chain(steps), arrays);
    coverage.add(true, found.mean - found.half_width, found.mean + found.half_width, exact);
  }
  append(table, "array-RQMC, 10 randomizations of 64 chains", name, coverage);
}

}  // namespace

CoverageTable rare_coverage(const CoverageOptions& options) {
  CoverageTable table{"rare", {"interval", "of", "covers in"}, {}};
  add_busy_cycle(20, options, table);
  add_unseen(12, options, table);
  add_strata(options, table);
  add_densities(options, table);
  for (const LevelSampling sampling : values_of<LevelSampling>()) add_multilevel(sampling, options, table);
  add_arrays(models::MM1{0.7, 1, 1, 0}, 20, "wait of customer 21, load 0.7", options, table);
  add_arrays(models::CallOptions{100, 100, 0.05, 0.2, 1, 1, 0}, 16, "geometric Asian call along 16 steps", options,
             table);
  return table;
}

}  // namespace sporos::bench
