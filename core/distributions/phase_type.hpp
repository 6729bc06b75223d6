// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/incomplete_gamma.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Times until absorption of a Markov chain with finitely many phases (Neuts, 1981, Matrix-geometric solutions in
/// stochastic models, chapter 2), by inverse CDF. See continuous.hpp for the types of `draw`. Variates grow with u. For
/// Erlang variates use the dedicated function in gamma.hpp.
namespace sporos {

namespace impl {

struct HyperexponentialFamily;

/// P(X <= x), P(X > x) and the density at x.
struct HyperexponentialTails {
  double lower, upper, density;
};

KOKKOS_INLINE_FUNCTION HyperexponentialTails hyperexponential_tails(double x, double probability, double rate,
                                                                    double other_rate) {
  const double rest = 1.0 - probability;
  const double of_one = probability * math::exp(-rate * x), of_other = rest * math::exp(-other_rate * x);
  return {-(probability * math::expm1(-rate * x) + rest * math::expm1(-other_rate * x)), of_one + of_other,
          rate * of_one + other_rate * of_other};
}

/// Newton's method on the cumulative hazard −ln P(X > x), which is concave. From a start below the quantile it rises
/// towards the quantile and does not pass it.
KOKKOS_INLINE_FUNCTION double hyperexponential_quantile(double u, double probability, double rate, double other_rate) {
  const double hazard = -math::log1p(-u);
  const double of_one = probability > 0.0 ? (hazard + math::log(probability)) / rate : 0.0;
  const double of_other = probability < 1.0 ? (hazard + math::log1p(-probability)) / other_rate : 0.0;
  double x = of_one > of_other ? of_one : of_other;
  if (!(x > 0.0)) x = 0.0;
  for (int i = 0; i < 60; ++i) {
    const HyperexponentialTails at = hyperexponential_tails(x, probability, rate, other_rate);
    const double missing = u < 0.5 ? hazard + math::log1p(-at.lower) : hazard + math::log(at.upper);
    const double step = missing * (at.upper / at.density);
    x += step;
    if (!(step > 1e-9 * x)) break;
  }
  return x;
}

}  // namespace impl

/// Hyperexponential variate: exponential with `rate` > 0 with the given probability in [0, 1], otherwise with
/// `other_rate` > 0. A single draw determines the variate.
template <class Draw, class Probability, class Rate, class OtherRate>
KOKKOS_FUNCTION NumberOf<Probability, Rate, OtherRate> hyperexponential(Draw&& draw, const Probability& probability,
                                                                        const Rate& rate, const OtherRate& other_rate) {
  using Number = NumberOf<Probability, Rate, OtherRate>;
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const double p = value_of(probability),
               value = impl::hyperexponential_quantile(u, p, value_of(rate), value_of(other_rate));
  if constexpr (DualNumber<Number> && !ScoredDraw<Draw>) {
    // ∂x/∂θ = (∂P(X > x)/∂θ) / f(x)
    const Number survival = probability * math::exp(-(value * Number(rate))) +
                            (1.0 - Number(probability)) * math::exp(-(value * Number(other_rate)));
    const double density = impl::hyperexponential_tails(value, p, value_of(rate), value_of(other_rate)).density;
    Number x = survival / density;
    x.value = value;
    return x;
  } else {
    return scored<impl::HyperexponentialFamily>(draw, Number(value), probability, rate, other_rate);
  }
}

/// P(X <= x) of `hyperexponential`.
KOKKOS_INLINE_FUNCTION double hyperexponential_cdf(double x, double probability, double rate, double other_rate) {
  return x > 0.0 ? impl::hyperexponential_tails(x, probability, rate, other_rate).lower : 0.0;
}

/// Markov chain with n transient phases, on the host.
struct PhaseType {
  std::vector<double> initial;  ///< P(the chain starts in phase i): n probabilities that sum to 1
  /// Rates from phase i to j for i ≠ j; a diagonal element is minus the rate at which the chain leaves phase i. Minus
  /// the sum of a row is the rate of absorption.
  SquareMatrix generator;

  /// Throws std::invalid_argument if this is not such a chain, or if the chain is not always absorbed.
  void check() const;

  /// Mean E X = −initial · generator⁻¹ · 1.
  double mean() const;
  /// E X², from the same linear system, solved twice.
  double second_moment() const;
};

/// Chain with one exponential phase of `rates[i]`, chosen with probabilities[i].
inline PhaseType hyperexponential_phases(std::span<const double> probabilities, std::span<const double> rates);

/// Coxian chain of successive phases with the given `rates`. After phase i the next one follows with probability
/// `go_on[i]`, of which there is one less than rates; otherwise the chain is absorbed.
inline PhaseType coxian_phases(std::span<const double> rates, std::span<const double> go_on);

/// Chain of `count` successive phases with the same rate.
inline PhaseType erlang_phases(std::int64_t count, double rate);

/// View for `phase_type`, which does not own its numbers: the chain at the events of a Poisson process
/// (uniformization).
struct PhaseTypeHandle {
  const double* absorbed;   ///< P(absorbed after k events), k < size
  const double* surviving;  ///< P(not absorbed after k events), k < size
  std::int64_t size;        ///< number of entries; at the last one the chain is absorbed, up to a probability of 1e-30
  double rate;              ///< rate of the Poisson process
  double mean;              ///< E X
};

namespace impl {

struct PhaseTypeTails {
  double tail, density;
};

/// Sums the Poisson weights of mean y = rate x times the numbers at k events, and times the steps of these numbers. The
/// sums are P(X <= x) and f(x) if `is_lower`, otherwise P(X > x) and f(x). Terms rise to one maximum and then fall; the
/// summation starts at the maximum of the weights.
KOKKOS_INLINE_FUNCTION PhaseTypeTails phase_type_tails(const PhaseTypeHandle& chain, double y, bool is_lower) {
  constexpr double negligible = 0x1p-58;
  const double last = static_cast<double>(chain.size - 1);
  const auto number = [&](double k) {
    if (k > last) return is_lower ? 1.0 : 0.0;
    return (is_lower ? chain.absorbed : chain.surviving)[static_cast<std::int64_t>(k)];
  };
  const auto step = [&](double k) {  // absorbed by event k + 1
    if (k >= last) return 0.0;
    const std::int64_t i = static_cast<std::int64_t>(k);
    return chain.surviving[i] < 0.5 ? chain.surviving[i] - chain.surviving[i + 1]
                                    : chain.absorbed[i + 1] - chain.absorbed[i];
  };
  const double whole = static_cast<double>(static_cast<std::int64_t>(y < 0x1p60 ? y : 0x1p60));
  const double mode = is_lower || whole < last ? whole : last;  // nothing survives beyond `last`
  const double at_mode = math::impl::gamma_term(mode, y);
  double tail = 0.0, density = 0.0;
  double weight = at_mode;
  for (double k = mode; weight > 0.0; k += 1.0) {
    const double term = weight * number(k);
    tail += term;
    density += weight * step(k);
    if ((term <= negligible * tail && weight < negligible * at_mode) || (!is_lower && k > last)) break;
    weight *= y / (k + 1.0);
  }
  weight = at_mode;
  for (double k = mode; k > 0.0 && weight > 0.0; k -= 1.0) {
    weight *= k / y;
    const double term = weight * number(k - 1.0), share = weight * step(k - 1.0);
    tail += term;
    density += share;
    if (term <= negligible * tail && share <= negligible * density) break;
  }
  return {tail, density};
}

/// Newton's method on the logarithm of the smaller tail, over ln x for the lower and x for the upper tail, within
/// bounds that each evaluation narrows.
KOKKOS_INLINE_FUNCTION double phase_type_quantile(double u, const PhaseTypeHandle& chain) {
  const bool is_lower = u < 0.5;
  const double wanted = is_lower ? u : 1.0 - u;
  double y = chain.mean * chain.rate, low = 0.0, high = math::impl::infinity;
  for (int i = 0; i < 200; ++i) {
    const PhaseTypeTails at = phase_type_tails(chain, y, is_lower);
    (is_lower == (at.tail < wanted) ? low : high) = y;
    double next = math::impl::quiet_nan;
    if (at.tail > 0.0 && at.density > 0.0) {
      const double ratio = math::log(wanted / at.tail) * (at.tail / at.density);
      next = is_lower ? y * math::exp(ratio / y < 50.0 ? ratio / y : 50.0) : y - ratio;
    }
    if (math::impl::absolute(next - y) <= 1e-9 * y) return next / chain.rate;
    if (!(next > low && next < high)) next = high == math::impl::infinity ? 2.0 * y : 0.5 * (low + high);
    y = next;
  }
  return y / chain.rate;
}

}  // namespace impl

/// Time until absorption, from one draw: the quantile of u. The relative error is below 1e-12 if the chain's rates
/// differ by a factor below 1000. A variate takes about five steps; the time of a step grows with the square root of
/// the number of events of the fastest phase.
template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> phase_type(Draw&& draw, const PhaseTypeHandle& chain) {
  return of_uniform(static_cast<Draw&&>(draw), [&](double u) { return impl::phase_type_quantile(u, chain); });
}

/// P(X <= x) of `phase_type`.
KOKKOS_INLINE_FUNCTION double phase_type_cdf(double x, const PhaseTypeHandle& chain) {
  return x > 0.0 ? impl::phase_type_tails(chain, chain.rate * x, true).tail : 0.0;
}

/// Owner of the numbers of a phase-type distribution, in `MemorySpace`. Copies share the numbers.
template <class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
class PhaseTypeTable {
 public:
  /// Takes a chain. @throws std::invalid_argument if `chain.check()` does, or if absorption takes more than 10⁷ events
  /// of the fastest phase.
  explicit PhaseTypeTable(const PhaseType& chain);

  /// View for `phase_type`, valid as long as this table or a copy of it lives.
  PhaseTypeHandle handle() const {
    return {m_absorbed.data(), m_surviving.data(), static_cast<std::int64_t>(m_absorbed.extent(0)), m_rate, m_mean};
  }

 private:
  Kokkos::View<const double*, MemorySpace> m_absorbed, m_surviving;
  double m_rate, m_mean;
};

namespace impl {

/// Solves generator · x = −right by Gaussian elimination without pivoting, which needs none: minus the generator is an
/// M-matrix. A pivot is the rate at which the chain leaves a phase for later ones or the end; a pivot of 0, up to
/// rounding, means phases that the chain never leaves. It uses no library, since replications depend on every bit of
/// it.
inline std::vector<double> solve_phases(const PhaseType& chain, std::vector<double> right) {
  const std::size_t n = chain.initial.size();
  SquareMatrix a = chain.generator;
  for (std::size_t k = 0; k < n; ++k) {
    check_parameter(-a(k, k) > -1e-13 * chain.generator(k, k),
                    "rate from phase " + std::to_string(k) + " to absorption", std::abs(a(k, k)),
                    "a positive number: absorption must be reachable from every phase");
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] += a(k, j) * right[j];
    right[k] /= -a(k, k);
  }
  return right;
}

inline double initial_share(const PhaseType& chain, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += chain.initial[i] * x[i];
  return sum;
}

inline void check_probabilities(const std::string& name, std::span<const double> probabilities) {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    check_probability(element_name(name.c_str(), i), probabilities[i]);
    sum += probabilities[i];
  }
  check_parameter(std::abs(sum - 1) <= probability_sum_tolerance, "sum of " + name, sum, "1");
}

/// The chain at the events of a Poisson process of `rate`: P(absorbed) and P(not absorbed) after 0, 1, … events.
struct UniformizedChain {
  double rate = 0;
  std::vector<double> absorbed, surviving;

  explicit UniformizedChain(const PhaseType& chain) {
    constexpr std::size_t max_events = 10'000'000;
    const std::size_t n = chain.initial.size();
    for (std::size_t i = 0; i < n; ++i) rate = std::max(rate, -chain.generator(i, i));
    std::vector<double> now = chain.initial, next(n), leaving(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) leaving[i] -= chain.generator(i, j);
      if (leaving[i] < 1e-13 * rate) leaving[i] = 0;  // only rounding
    }
    double done = 0;
    for (;;) {
      double left = 0;
      for (const double share : now) left += share;
      absorbed.push_back(done);
      surviving.push_back(left);
      if (left < 1e-30) break;
      if (absorbed.size() == max_events) {
        refuse_parameter("number of events at the largest rate until absorption", "more than 10000000",
                         "at most that many");
      }
      for (std::size_t j = 0; j < n; ++j) {
        next[j] = now[j] * (1 + chain.generator(j, j) / rate);
        for (std::size_t i = 0; i < n; ++i) {
          if (i != j) next[j] += now[i] * (chain.generator(i, j) / rate);
        }
      }
      for (std::size_t i = 0; i < n; ++i) done += now[i] * (leaving[i] / rate);
      now.swap(next);
    }
  }
};

}  // namespace impl

inline void PhaseType::check() const {
  const std::size_t n = initial.size();
  if (n == 0) impl::refuse_parameter("number of phases", "0", "at least 1");
  if (generator.size() != n) {
    impl::refuse_parameter("number of rows of the generator", std::to_string(generator.size()),
                           "one for each phase, " + std::to_string(n));
  }
  impl::check_probabilities("initial", initial);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const std::string name = "generator[" + std::to_string(i) + "][" + std::to_string(j) + "]";
      if (i == j) {
        impl::check_parameter(std::isfinite(generator(i, j)) && generator(i, j) < 0, name, generator(i, j),
                              "a negative finite number");
      } else {
        check_non_negative(name, generator(i, j));
      }
      sum += generator(i, j);
    }
    impl::check_parameter(sum <= -1e-12 * generator(i, i), "sum of row " + std::to_string(i) + " of the generator", sum,
                          "at most 0");
  }
  mean();
}

inline double PhaseType::mean() const {
  return impl::initial_share(*this, impl::solve_phases(*this, std::vector<double>(initial.size(), 1.0)));
}

inline double PhaseType::second_moment() const {
  const auto times = impl::solve_phases(*this, std::vector<double>(initial.size(), 1.0));
  return 2 * impl::initial_share(*this, impl::solve_phases(*this, times));
}

inline PhaseType hyperexponential_phases(std::span<const double> probabilities, std::span<const double> rates) {
  if (rates.size() != probabilities.size()) {
    impl::refuse_parameter("number of rates", std::to_string(rates.size()),
                           "one for each probability, " + std::to_string(probabilities.size()));
  }
  PhaseType chain{{probabilities.begin(), probabilities.end()}, SquareMatrix(rates.size())};
  for (std::size_t i = 0; i < rates.size(); ++i) chain.generator(i, i) = -rates[i];
  chain.check();
  return chain;
}

inline PhaseType coxian_phases(std::span<const double> rates, std::span<const double> go_on) {
  if (go_on.size() + 1 != rates.size()) {
    impl::refuse_parameter("number of values in go_on", std::to_string(go_on.size()),
                           "one less than the number of rates, " + std::to_string(rates.size()));
  }
  PhaseType chain{std::vector<double>(rates.size()), SquareMatrix(rates.size())};
  chain.initial[0] = 1;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    chain.generator(i, i) = -rates[i];
    if (i == go_on.size()) break;
    check_probability(impl::element_name("go_on", i), go_on[i]);
    chain.generator(i, i + 1) = rates[i] * go_on[i];
  }
  chain.check();
  return chain;
}

inline PhaseType erlang_phases(std::int64_t count, double rate) {
  check_positive_integer("number of phases", count);
  const std::size_t n = static_cast<std::size_t>(count);
  return coxian_phases(std::vector<double>(n, rate), std::vector<double>(n - 1, 1.0));
}

template <class MemorySpace>
PhaseTypeTable<MemorySpace>::PhaseTypeTable(const PhaseType& chain) {
  chain.check();
  const impl::UniformizedChain events(chain);
  m_absorbed = impl::table_view<MemorySpace>("sporos::phase_type_table::absorbed", events.absorbed);
  m_surviving = impl::table_view<MemorySpace>("sporos::phase_type_table::surviving", events.surviving);
  m_rate = events.rate;
  m_mean = chain.mean();
}

// Families of distributions; see continuous.hpp.
namespace impl {

struct HyperexponentialFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"probability", "rate", "other_rate"});
  static void check(double probability, double rate, double other_rate) {
    check_probability("probability", probability);
    check_positive("rate", rate);
    check_positive("other_rate", other_rate);
  }
  static double mean(double probability, double rate, double other_rate) {
    return probability / rate + (1 - probability) / other_rate;
  }
  KOKKOS_FUNCTION static double variate(double u, double probability, double rate, double other_rate) {
    return hyperexponential_quantile(u, probability, rate, other_rate);
  }
  template <class Probability, class Rate, class OtherRate>
  KOKKOS_FUNCTION static NumberOf<Probability, Rate, OtherRate> log_density(double x, const Probability& probability,
                                                                            const Rate& rate,
                                                                            const OtherRate& other_rate) {
    return math::log(probability * rate * math::exp(-x * rate) +
                     (1.0 - probability) * other_rate * math::exp(-x * other_rate));
  }
};

}  // namespace impl

}  // namespace sporos
