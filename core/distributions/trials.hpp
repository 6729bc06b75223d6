// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/derivatives/gamma.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/gamma.hpp>
#include <sporos/core/math/incomplete_beta.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/math/pow.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// Successes and failures in trials, by inverse CDF: the smallest k with P(K <= k) >= u, as a double; see counts.hpp.
/// For small means the quantile is a sum of probabilities. Otherwise Newton's method on the logarithm of the smaller
/// tail ends next to the quantile, and the exact tail decides.
namespace sporos {

/// Largest number of trials, successes or members of a population in these distributions: 2^31 − 1.
inline constexpr std::int64_t max_binomial_trials = 2147483647;

/// Number of successes in `trials` independent trials, each a success with the given probability in [0, 1]. `trials` is
/// between 0 and `max_binomial_trials`.
template <class Draw, class Probability>
KOKKOS_FUNCTION double binomial(Draw&& draw, std::int64_t trials, const Probability& probability);

/// Does not compile: a count has no pathwise derivative.
template <impl::UnscoredDraw Draw, DualNumber Probability>
SPOROS_UNAVAILABLE(SPOROS_COUNTS_HAVE_NO_PATH)
KOKKOS_FUNCTION double binomial(Draw&& draw, std::int64_t trials, const Probability& probability);

/// Number of failures before `successes` successes of independent trials, each a success with the given probability p
/// in (0, 1]. The support is 0, 1, 2, …; the mean successes (1 − p) / p is at most 2^40. `successes`, above 0 and at
/// most `max_binomial_trials`, need not be whole: the variate is then Poisson with a gamma distributed mean.
template <class Draw, class Successes, class Probability>
KOKKOS_FUNCTION double negative_binomial(Draw&& draw, const Successes& successes, const Probability& probability);

/// Does not compile: a count has no pathwise derivative.
template <impl::UnscoredDraw Draw, class Successes, impl::DualWith<Successes> Probability>
SPOROS_UNAVAILABLE(SPOROS_COUNTS_HAVE_NO_PATH)
KOKKOS_FUNCTION double negative_binomial(Draw&& draw, const Successes& successes, const Probability& probability);

/// Number of marked members among `drawn` members that are drawn without replacement from a population of size
/// `population` with `marked` marked ones. `marked` and `drawn` are between 0 and `population`, which is at most
/// `max_binomial_trials`. The time grows with the standard deviation.
template <class Draw>
KOKKOS_FUNCTION double hypergeometric(Draw&& draw, std::int64_t population, std::int64_t marked, std::int64_t drawn);

namespace impl {

struct BinomialFamily;
struct NegativeBinomialFamily;

/// P(K <= k), P(K > k) and P(K = k).
struct CountTails {
  double lower, upper, probability;
};

/// C(n, k) p^k q^(n−k), q = 1 − p, for 0 < p < 1.
SPOROS_NOINLINE KOKKOS_INLINE_FUNCTION double binomial_probability(double k, double n, double p, double q) {
  return k == n ? math::pow(p, n) : math::impl::beta_term(k + 1.0, n - k, p, q) / (p * (n - k));
}

// A `Count` for `count_quantile` is a distribution on `least`, least + 1, …, `most` with a mean, tails and ratio(k) =
// P(K = k + 1) / P(K = k).

struct BinomialCount {
  double n, p, q;
  double least = 0.0, most = n, mean = n * p;

  KOKKOS_FUNCTION CountTails tails(double k) const {
    if (k == n) return {1.0, 0.0, math::pow(p, n)};
    const math::impl::IncompleteBeta at = math::impl::incomplete_beta(k + 1.0, n - k, p, q);
    return {at.upper, at.lower, at.term / (p * (n - k))};
  }
  KOKKOS_FUNCTION double ratio(double k) const { return (n - k) / (k + 1.0) * (p / q); }
};

struct NegativeBinomialCount {
  double r, p, q;
  double least = 0.0, most = math::impl::infinity, mean = r * q / p;

  KOKKOS_FUNCTION CountTails tails(double k) const {
    const math::impl::IncompleteBeta at = math::impl::incomplete_beta(r, k + 1.0, p, q);
    return {at.lower, at.upper, at.term / (q * (r + k))};
  }
  KOKKOS_FUNCTION double ratio(double k) const { return (r + k) / (k + 1.0) * q; }
};

/// Computes tails as sums over terms away from the mean, where the terms fall.
struct HypergeometricCount {
  double population, marked, drawn;
  double least = drawn + marked > population ? drawn + marked - population : 0.0,
         most = marked < drawn ? marked : drawn, mean = drawn * (marked / population);

  KOKKOS_FUNCTION double ratio(double k) const {
    return (marked - k) / (k + 1.0) * ((drawn - k) / (population - marked - drawn + k + 1.0));
  }
  // Computes P(K = k) from three binomial probabilities of p = drawn / population (Loader, 2000, Fast and accurate
  // computation of binomial probabilities).
  KOKKOS_FUNCTION double probability(double k) const {
    const double p = drawn / population, q = (population - drawn) / population;
    return binomial_probability(k, marked, p, q) * binomial_probability(drawn - k, population - marked, p, q) /
           binomial_probability(drawn, population, p, q);
  }
  KOKKOS_FUNCTION CountTails tails(double k) const {
    const double at = probability(k);
    double sum = k < mean ? at : 0.0, term = at;
    if (k < mean) {
      for (double j = k; j > least && term > 0x1p-56 * sum; j -= 1.0) sum += term /= ratio(j - 1.0);
      return {sum, 1.0 - sum, at};
    }
    for (double j = k; j < most && term > 0x1p-56 * sum; j += 1.0) sum += term *= ratio(j);
    return {1.0 - sum, sum, at};
  }
};

/// A count and its tails.
struct CountPlace {
  double k;
  CountTails tails;
};

/// Search for the smallest k with P(K <= k) >= u: in the lower tail for u <= ½, otherwise by P(K > k) <= 1 − u.
template <class Count>
class CountSearch {
 public:
  KOKKOS_FUNCTION CountSearch(const Count& count, double u)
      : m_count(count), m_is_lower(u <= 0.5), m_wanted(m_is_lower ? u : 1.0 - u) {}

  /// Searches for the quantile from a guess. In most cases, the search evaluates the tails once.
  KOKKOS_FUNCTION double quantile_from(double guess) const {
    const CountPlace at = newton(place(guess));
    const double neighbour = near(at);
    if (neighbour >= 0.0) return neighbour;
    CountPlace below = at, above = at;
    for (double stride = 2.0; is_reached(below); stride *= 2.0) {
      if (below.k == m_count.least) return below.k;
      above = below;
      below = place(below.k - stride);
    }
    for (double stride = 2.0; !is_reached(above) && above.k < m_count.most; stride *= 2.0) {
      below = above;
      above = place(above.k + stride);
    }
    while (above.k - below.k > 8.0) {
      const CountPlace middle = place(0.5 * (below.k + above.k));
      (is_reached(middle) ? above : below) = middle;
    }
    const double added = near(m_is_lower ? below : above);
    return added >= 0.0 ? added : above.k;
  }

 private:
  KOKKOS_FUNCTION double within(double k) const {
    const double whole = k < 0x1p62 ? floor_of(k) : 0x1p62;
    return whole < m_count.least ? m_count.least : (whole > m_count.most ? m_count.most : whole);
  }
  KOKKOS_FUNCTION CountPlace place(double k) const {
    const double whole = within(k);
    return {whole, m_count.tails(whole)};
  }
  KOKKOS_FUNCTION bool is_reached(const CountPlace& at) const {
    return m_is_lower ? at.tails.lower >= m_wanted : at.tails.upper <= m_wanted;
  }

  /// Newton's method on the logarithm of the tail, until a step is below 2.
  KOKKOS_FUNCTION CountPlace newton(CountPlace at) const {
    for (int i = 0; i < 20; ++i) {
      const double tail = m_is_lower ? at.tails.lower : at.tails.upper;
      const double slope = m_is_lower ? at.tails.probability : -at.tails.probability * m_count.ratio(at.k);
      double step = 0.5 * (m_count.mean - at.k);  // used if the tail underflows
      if (tail > 0.0 && slope != 0.0) step = math::log(m_wanted / tail) * (tail / slope);
      const double moved = within(at.k + step);
      if (math::impl::absolute(moved - at.k) < 2.0) break;
      at = place(moved);
    }
    return at;
  }

  /// Returns the quantile if it is within a few counts of `from`, otherwise −1. Adds probabilities to the tail, or
  /// subtracts them if that loses at most two bits.
  KOKKOS_FUNCTION double near(const CountPlace& from) const {
    auto [k, at] = from;
    double tail = m_is_lower ? at.lower : at.upper;
    const bool goes_up = !is_reached(from);
    if (goes_up != m_is_lower && m_wanted < 0.25 * tail) return -1.0;
    const double sign = m_is_lower ? 1.0 : -1.0;
    for (int i = 0; i < 16; ++i) {
      if (k == (goes_up ? m_count.most : m_count.least)) return k;
      if (goes_up) {
        at.probability *= m_count.ratio(k);
        k += 1.0;
        tail += sign * at.probability;
        if (sign * tail >= sign * m_wanted) return k;
      } else {
        tail -= sign * at.probability;
        if (!(sign * tail >= sign * m_wanted)) return k;
        k -= 1.0;
        at.probability /= m_count.ratio(k);
      }
    }
    return -1.0;
  }

  const Count& m_count;
  bool m_is_lower;
  double m_wanted;
};

/// Searches from the Cornish–Fisher guess; `skew` is the standard deviation times the skewness.
template <class Count>
KOKKOS_INLINE_FUNCTION double count_quantile(const Count& count, double u, double deviation, double skew) {
  const double z = math::normal_quantile(u);
  return CountSearch<Count>(count, u).quantile_from(count.mean + deviation * z + skew * (z * z - 1.0) / 6.0);
}

/// Adds up probabilities, starting with P(K = 0) = `probability`.
template <class Count>
KOKKOS_INLINE_FUNCTION double count_quantile_by_adding(const Count& count, double u, double probability) {
  double k = 0.0, cumulative = probability;
  while (cumulative < u && k < count.most) {
    probability *= count.ratio(k);
    cumulative += probability;
    k += 1.0;
  }
  return k;
}

inline constexpr double max_added_mean = 32.0, max_added_uniform = 0.9990234375;

KOKKOS_INLINE_FUNCTION double binomial_quantile(double u, double trials, double probability) {
  if (trials == 0.0 || probability == 0.0) return 0.0;
  if (probability == 1.0) return trials;
  const BinomialCount count{trials, probability, 1.0 - probability};
  if (count.mean < max_added_mean && probability <= 0.5 && u < max_added_uniform) {
    return count_quantile_by_adding(count, u, math::exp(trials * math::log1p(-probability)));
  }
  return count_quantile(count, u, ::sqrt(count.mean * count.q), count.q - probability);
}

KOKKOS_INLINE_FUNCTION double negative_binomial_quantile(double u, double successes, double probability) {
  if (probability == 1.0) return 0.0;
  const NegativeBinomialCount count{successes, probability, 1.0 - probability};
  const double variance = count.mean / probability;
  if (count.mean < max_added_mean && variance < 8.0 * max_added_mean && u < max_added_uniform) {
    const double none = math::exp(successes * math::log1p(-count.q));
    if (none > 1e-200) return count_quantile_by_adding(count, u, none);
  }
  return count_quantile(count, u, ::sqrt(variance), (2.0 - probability) / probability);
}

KOKKOS_INLINE_FUNCTION double hypergeometric_quantile(double u, double population, double marked, double drawn) {
  const HypergeometricCount count{population, marked, drawn};
  if (count.least >= count.most) return count.least;
  const double share = marked / population;
  const double variance = drawn * share * (1.0 - share) * ((population - drawn) / (population - 1.0));
  const double skew = population > 2.0 ? (1.0 - 2.0 * share) * ((population - 2.0 * drawn) / (population - 2.0)) : 0.0;
  return count_quantile(count, u, ::sqrt(variance), skew);
}

}  // namespace impl

template <class Draw, class Probability>
KOKKOS_FUNCTION double binomial(Draw&& draw, std::int64_t trials, const Probability& probability) {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw)), n = static_cast<double>(trials);
  return scored<impl::BinomialFamily>(draw, impl::binomial_quantile(u, n, value_of(probability)), n, probability);
}

template <class Draw, class Successes, class Probability>
KOKKOS_FUNCTION double negative_binomial(Draw&& draw, const Successes& successes, const Probability& probability) {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  const double k = impl::negative_binomial_quantile(u, value_of(successes), value_of(probability));
  return scored<impl::NegativeBinomialFamily>(draw, k, successes, probability);
}

template <class Draw>
KOKKOS_FUNCTION double hypergeometric(Draw&& draw, std::int64_t population, std::int64_t marked, std::int64_t drawn) {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  return impl::hypergeometric_quantile(u, static_cast<double>(population), static_cast<double>(marked),
                                       static_cast<double>(drawn));
}

/// P(K <= x) of `binomial`.
KOKKOS_INLINE_FUNCTION double binomial_cdf(double x, std::int64_t trials, double probability) {
  const double n = static_cast<double>(trials), k = ::floor(x);
  if (!(k >= 0.0)) return 0.0;
  if (k >= n || probability == 0.0) return 1.0;
  return probability == 1.0 ? 0.0 : impl::BinomialCount{n, probability, 1.0 - probability}.tails(k).lower;
}

/// P(K <= x) of `negative_binomial`.
KOKKOS_INLINE_FUNCTION double negative_binomial_cdf(double x, double successes, double probability) {
  const double k = ::floor(x);
  if (!(k >= 0.0)) return 0.0;
  if (k == math::impl::infinity || probability == 1.0) return 1.0;
  return impl::NegativeBinomialCount{successes, probability, 1.0 - probability}.tails(k).lower;
}

/// P(K <= x) of `hypergeometric`.
KOKKOS_INLINE_FUNCTION double hypergeometric_cdf(double x, std::int64_t population, std::int64_t marked,
                                                 std::int64_t drawn) {
  const impl::HypergeometricCount count{static_cast<double>(population), static_cast<double>(marked),
                                        static_cast<double>(drawn)};
  const double k = ::floor(x);
  if (!(k >= count.least)) return 0.0;
  return k >= count.most ? 1.0 : count.tails(k).lower;
}

// Families of distributions; see continuous.hpp.
namespace impl {

struct BinomialFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"trials", "probability"});
  static void check(double trials, double probability) {
    check_whole("trials", trials, 0, static_cast<double>(max_binomial_trials));
    check_probability("probability", probability);
  }
  static double mean(double trials, double probability) { return trials * probability; }
  KOKKOS_FUNCTION static double variate(double u, double trials, double probability) {
    return binomial(u, static_cast<std::int64_t>(trials), probability);
  }
  template <class Probability>
  KOKKOS_FUNCTION static NumberOf<Probability> log_density(double k, double trials, const Probability& probability) {
    const double choices = math::log_gamma(trials + 1.0) - math::log_gamma(k + 1.0) - math::log_gamma(trials - k + 1.0);
    return choices + k * math::log(probability) + (trials - k) * math::log1p(-probability);
  }
};

struct NegativeBinomialFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"successes", "probability"});
  static void check(double successes, double probability) {
    check_parameter(successes > 0 && successes <= static_cast<double>(max_binomial_trials), "successes", successes,
                    "a number above 0 and up to " + number_text(static_cast<double>(max_binomial_trials)));
    check_positive_probability("probability", probability);
    check_parameter(mean(successes, probability) <= 0x1p40, "probability", probability,
                    "a value p for which the mean, successes (1 - p) / p, is at most 2^40");
  }
  static double mean(double successes, double probability) { return successes * (1 - probability) / probability; }
  KOKKOS_FUNCTION static double variate(double u, double successes, double probability) {
    return negative_binomial(u, successes, probability);
  }
  template <class Successes, class Probability>
  KOKKOS_FUNCTION static NumberOf<Successes, Probability> log_density(double k, const Successes& successes,
                                                                      const Probability& probability) {
    return math::log_gamma(NumberOf<Successes>(successes + k)) - math::log_gamma(successes) - math::log_gamma(k + 1.0) +
           successes * math::log(probability) + k * math::log1p(-probability);
  }
};

struct HypergeometricFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"population", "marked", "drawn"});
  static void check(double population, double marked, double drawn) {
    check_whole("population", population, 1, static_cast<double>(max_binomial_trials));
    check_whole("marked", marked, 0, population);
    check_whole("drawn", drawn, 0, population);
  }
  static double mean(double population, double marked, double drawn) { return drawn * (marked / population); }
  static double least(double population, double marked, double drawn) {
    return HypergeometricCount{population, marked, drawn}.least;
  }
  KOKKOS_FUNCTION static double variate(double u, double population, double marked, double drawn) {
    return hypergeometric_quantile(u, population, marked, drawn);
  }
};

}  // namespace impl

}  // namespace sporos
