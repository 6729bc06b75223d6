// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures nanoseconds per variate by inversion on one core, against Boost.Math's quantile of the same uniforms in
// double, without its promotion to long double. Also measures the underlying functions, one number at a time, against
// the C library and AS 241. scipy_peer.py adds SciPy's times and writes the tables.
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
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/random/standard_normals.hpp>

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

// Points of a rotation by the golden ratio: evenly spread, with successive points far apart.
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

// Registers a variate without a peer: Boost.Math has no such distribution.
template <class Variate>
void register_variate(const std::string& name, const Effort& effort, const Variate& variate) {
  register_comparison("variates/" + name, benchmark::kMicrosecond, [=](benchmark::State& state) {
    const auto u = spread_uniforms(2000);
    const std::vector<Contestant> contestants{{"sporos", [&] { return seconds_of(u, variate); }}};
    report(state, Comparison(contestants, effort), contestants, static_cast<double>(u.size()));
  });
}

// Registers a variate against a distribution of Boost.Math. Their quantiles must agree to 10⁻⁹; at most two uniforms,
// next to a step of a discrete distribution, may differ.
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

// Wichura (1988), Algorithm AS 241: The percentage points of the normal distribution, Applied Statistics 37: PPND16.
double as241(double p) {
  const auto ratio = [](double r, const std::array<double, 8>& a, const std::array<double, 8>& b) {
    double numerator = a[7], denominator = b[7];
    for (std::size_t i = 7; i-- > 0;) {
      numerator = numerator * r + a[i];
      denominator = denominator * r + b[i];
    }
    return numerator / denominator;
  };
  constexpr std::array a = {3.387132872796366608,  133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
                            45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727};
  constexpr std::array b = {1.0,
                            42.313330701600911252,
                            687.1870074920579083,
                            5394.1960214247511077,
                            21213.794301586595867,
                            39307.89580009271061,
                            28729.085735721942674,
                            5226.495278852545925};
  constexpr std::array c = {1.42343711074968357734,  4.6303378461565452959,   5.7694972214606914055,
                            3.64784832476320460504,  1.27045825245236838258,  .24178072517745061177,
                            .0227238449892691845833, 7.7454501427834140764e-4};
  constexpr std::array d = {1.0,
                            2.05319162663775882187,
                            1.6763848301838038494,
                            .68976733498510000455,
                            .14810397642748007459,
                            .0151986665636164571966,
                            5.475938084995344946e-4,
                            1.05075007164441684324e-9};
  constexpr std::array e = {6.6579046435011037772,     5.4637849111641143699,    1.7848265399172913358,
                            .29656057182850489123,     .026532189526576123093,   .0012426609473880784386,
                            2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array f = {1.0,
                            .59983220655588793769,
                            .13692988092273580531,
                            .0148753612908506148525,
                            7.868691311456132591e-4,
                            1.8463183175100546818e-5,
                            1.4215117583164458887e-7,
                            2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return q * ratio(0.180625 - q * q, a, b);
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p)), z = r <= 5 ? ratio(r - 1.6, c, d) : ratio(r - 5, e, f);
  return q < 0 ? -z : z;
}

// Measures functions of uniforms that no branch predictor can learn.
template <class Function, class Peer>
void register_function(const std::string& name, const Effort& effort, const Function& function, const Peer& peer) {
  register_comparison("functions/" + name, benchmark::kMicrosecond, [=](benchmark::State& state) {
    std::vector<double> u(100'000);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = open_uniform(mix_bits(i + 1));
    for (const double point : u) {
      if (!(std::abs(function(point) - peer(point)) <= 1e-12 * (1 + std::abs(peer(point))))) {
        throw std::runtime_error(name + " is not its peer's");
      }
    }
    const std::vector<Contestant> contestants{{"sporos", [&] { return seconds_of(u, function); }},
                                              {"peer", [&] { return seconds_of(u, peer); }}};
    report(state, Comparison(contestants, effort), contestants, static_cast<double>(u.size()));
  });
}

void register_functions(const Effort& effort) {
  register_function(
      "pow, the C library's", effort, [](double u) { return math::pow(7 * u + 0.1, 6 * u - 3); },
      [](double u) { return std::pow(7 * u + 0.1, 6 * u - 3); });
  register_function(
      "normal quantile, AS 241", effort, [](double u) { return math::normal_quantile(u); }, as241);
  register_comparison("functions/normals in vectors, uniforms included", benchmark::kMicrosecond,
                      [=](benchmark::State& state) {
                        std::vector<double> z(4096);
                        const std::vector<Contestant> contestants{
                            {"sporos", [&] {
                               const auto start = std::chrono::steady_clock::now();
                               fill_standard_normals({1, 2, 3}, 0, static_cast<std::int64_t>(z.size()), z.data());
                               benchmark::DoNotOptimize(z.data());
                               return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                             }}};
                        report(state, Comparison(contestants, effort), contestants, static_cast<double>(z.size()));
                      });
}

void register_all(const Effort& effort) {
  register_functions(effort);
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
  benchmark::ClearRegisteredBenchmarks();  // the benchmarks hold Views, which must not outlive Kokkos
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
