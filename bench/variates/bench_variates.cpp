// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nanoseconds a variate by inversion, on one core, beside Boost.Math's quantile of the same uniforms in double, without
// its promotion to long double. scipy_peer.py puts SciPy's beside and writes the table.
#include "../harness/context.hpp"
#include "../replications/comparison.hpp"

#include <sporos/core/distributions/beta.hpp>
#include <sporos/core/distributions/gamma.hpp>
#include <sporos/core/distributions/johnson.hpp>
#include <sporos/core/distributions/phase_type.hpp>
#include <sporos/core/distributions/power_tails.hpp>
#include <sporos/core/distributions/trials.hpp>
#include <sporos/core/distributions/truncated.hpp>
#include <sporos/core/execution/initialize.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::bench {
namespace {

namespace bm = boost::math;
using Policy = bm::policies::policy<bm::policies::promote_double<false>,
                                    bm::policies::discrete_quantile<bm::policies::integer_round_up>>;

// Points of a rotation by the golden ratio: evenly spread, neighbours far apart.
std::vector<double> spread_uniforms(std::size_t count) {
  std::vector<double> u(count);
  double x = 0.5;
  for (double& point : u) point = x = x + 0.6180339887498949 - std::floor(x + 0.6180339887498949);
  return u;
}

template <class Variate>
double seconds_of(const std::vector<double>& u, const Variate& variate) {
  const auto start = std::chrono::steady_clock::now();
  double sum = 0;
  for (const double point : u) sum += variate(point);
  benchmark::DoNotOptimize(sum);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(benchmark::State& state, const Comparison& comparison, const std::vector<Contestant>& contestants,
            double count) {
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    state.counters[contestants[i].name + "_ns"] = comparison.time(i, 0.0) / count * 1e9;
  }
  state.SetIterationTime(comparison.time(0, 0.0));
}

// Alone: Boost.Math has no such distribution.
template <class Variate>
void register_variate(const std::string& name, const Effort& effort, const Variate& variate) {
  register_comparison("variates/" + name, benchmark::kMicrosecond, [=](benchmark::State& state) {
    const auto u = spread_uniforms(2000);
    const std::vector<Contestant> contestants{{"sporos", [&] { return seconds_of(u, variate); }}};
    report(state, Comparison(contestants, effort), contestants, static_cast<double>(u.size()));
  });
}

// Beside a distribution of Boost.Math, whose quantiles are the same to 10⁻⁹, or for counts but for single uniforms
// beside a step.
template <class Distribution, class Variate>
void register_variate(const std::string& name, const Effort& effort, const Variate& variate,
                      const Distribution& distribution) {
  register_comparison("variates/" + name, benchmark::kMicrosecond, [=](benchmark::State& state) {
    const auto u = spread_uniforms(2000);
    const auto peer = [&](double point) { return bm::quantile(distribution, point); };
    int different = 0;
    for (const double point : u) different += !(std::abs(variate(point) - peer(point)) <= 1e-9 * std::abs(peer(point)));
    if (different > 2) throw std::runtime_error(name + " is not Boost.Math's");
    const std::vector<Contestant> contestants{{"sporos", [&] { return seconds_of(u, variate); }},
                                              {"boost", [&] { return seconds_of(u, peer); }}};
    report(state, Comparison(contestants, effort), contestants, static_cast<double>(u.size()));
  });
}

void register_all(const Effort& effort) {
  register_variate(
      "gamma(2.5, 2)", effort, [](double u) { return gamma(u, 2.5, 2.0); },
      bm::gamma_distribution<double, Policy>(2.5, 2.0));
  register_variate(
      "beta(2, 3.5)", effort, [](double u) { return beta(u, 2.0, 3.5); },
      bm::beta_distribution<double, Policy>(2.0, 3.5));
  register_variate(
      "beta(0.3, 0.6)", effort, [](double u) { return beta(u, 0.3, 0.6); },
      bm::beta_distribution<double, Policy>(0.3, 0.6));
  register_variate(
      "beta(40, 700)", effort, [](double u) { return beta(u, 40.0, 700.0); },
      bm::beta_distribution<double, Policy>(40.0, 700.0));
  register_variate(
      "student(3.5, 0, 1)", effort, [](double u) { return student(u, 3.5, 0.0, 1.0); },
      bm::students_t_distribution<double, Policy>(3.5));
  register_variate(
      "pareto(2.5, 3)", effort, [](double u) { return pareto(u, 2.5, 3.0); },
      bm::pareto_distribution<double, Policy>(3.0, 2.5));
  register_variate("log-logistic(2.5, 3)", effort, [](double u) { return log_logistic(u, 2.5, 3.0); });
  register_variate("burr(2.5, 1.5, 3)", effort, [](double u) { return burr(u, 2.5, 1.5, 3.0); });
  register_variate("johnson-su(1, 2, 0, 1)", effort, [](double u) { return johnson_su(u, 1.0, 2.0, 0.0, 1.0); });
  register_variate("johnson-sb(1, 2, 0, 1)", effort, [](double u) { return johnson_sb(u, 1.0, 2.0, 0.0, 1.0); });
  register_variate("truncated-normal(1, 2, 0, 5)", effort,
                   [](double u) { return truncated_normal(u, 1.0, 2.0, 0.0, 5.0); });
  register_variate("hyperexponential(0.3, 0.2, 5)", effort,
                   [](double u) { return hyperexponential(u, 0.3, 0.2, 5.0); });
  const PhaseTypeTable<Kokkos::HostSpace> table(coxian_phases(std::array{2.0, 3.0}, std::array{0.6}));
  register_variate("phase type, Coxian of 2", effort, [table](double u) { return phase_type(u, table.handle()); });
  register_variate(
      "binomial(20, 0.3)", effort, [](double u) { return binomial(u, 20, 0.3); },
      bm::binomial_distribution<double, Policy>(20, 0.3));
  register_variate(
      "binomial(5000, 0.3)", effort, [](double u) { return binomial(u, 5000, 0.3); },
      bm::binomial_distribution<double, Policy>(5000, 0.3));
  register_variate(
      "negative-binomial(2.5, 0.4)", effort, [](double u) { return negative_binomial(u, 2.5, 0.4); },
      bm::negative_binomial_distribution<double, Policy>(2.5, 0.4));
  register_variate(
      "negative-binomial(2.5, 0.001)", effort, [](double u) { return negative_binomial(u, 2.5, 0.001); },
      bm::negative_binomial_distribution<double, Policy>(2.5, 0.001));
  register_variate(
      "hypergeometric(50, 20, 10)", effort, [](double u) { return hypergeometric(u, 50, 20, 10); },
      bm::hypergeometric_distribution<double, Policy>(20, 10, 50));
}

void run(int argc, char** argv) {
  const bool is_smoke = argc > 1 && std::strcmp(argv[1], "--sizes=smoke") == 0;
  if (is_smoke) {
    std::swap(argv[0], argv[1]);
    ++argv;
    --argc;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) throw std::invalid_argument("unknown arguments");
  const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
  add_context();
  register_all(is_smoke ? Effort{1, 0.0} : Effort{15, 0.05});
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();  // they hold views, which must not outlive Kokkos
}

}  // namespace
}  // namespace sporos::bench

int main(int argc, char** argv) {
  try {
    sporos::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_variates: " << error.what() << '\n';
    return 1;
  }
}
