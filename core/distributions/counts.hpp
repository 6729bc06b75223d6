// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/score.hpp>
#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/gamma.hpp>
#include <sporos/core/math/incomplete_gamma.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// Variates of discrete distributions by inverse CDF: the smallest k with P(K <= k) >= u, as a double. See
/// continuous.hpp for the types of `draw`. Variates do not decrease as u grows, except for u within rounding of a step
/// of the CDF. They have no pathwise derivatives; with a ScoredDraw, parameters may be duals (score.hpp).
namespace sporos {

/// Integer from low to high, each with the same probability: low + ⌊u (high − low + 1)⌋, low <= high, both within
/// ±2^52.
template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> uniform_integer(Draw&& draw, std::int64_t low, std::int64_t high);

/// Number of failures before the first success of independent trials, each a success with the given probability p in
/// (0, 1]. The support is 0, 1, 2, …; the mean is (1 − p) / p. The number of trials including the success is one more.
template <class Draw, class Probability>
KOKKOS_FUNCTION double geometric(Draw&& draw, const Probability& probability);

/// Does not compile: a count has no pathwise derivative.
template <impl::UnscoredDraw Draw, DualNumber Probability>
SPOROS_UNAVAILABLE(SPOROS_COUNTS_HAVE_NO_PATH)
KOKKOS_FUNCTION double geometric(Draw&& draw, const Probability& probability);

/// Poisson variate with the given mean in [0, 2^50] and the support 0, 1, 2, …. For a small mean, it adds up
/// probabilities in a time proportional to the mean. For a large mean, the exact CDF corrects a Cornish–Fisher guess in
/// a time independent of the mean.
template <class Draw, class Mean>
KOKKOS_FUNCTION double poisson(Draw&& draw, const Mean& mean);

/// Does not compile: a count has no pathwise derivative.
template <impl::UnscoredDraw Draw, DualNumber Mean>
SPOROS_UNAVAILABLE(SPOROS_COUNTS_HAVE_NO_PATH)
KOKKOS_FUNCTION double poisson(Draw&& draw, const Mean& mean);

/// Poisson variates with one mean, for models that draw many of them. They have the same bits as those of `poisson`. On
/// a host, a table of probabilities that the constructor makes is faster than adding them up for each variate.
class PoissonVariates {
 public:
  /// Prepares variates with a mean in [0, 2^50].
  KOKKOS_FUNCTION explicit PoissonVariates(double mean);

  /// The variate of a draw.
  template <class Draw>
  KOKKOS_FUNCTION double operator()(Draw&& draw) const;

 private:
  static constexpr int part = 16;          // counts that are compared together
  static constexpr int counts = 2 * part;  // counts in the table

  KOKKOS_FUNCTION double quantile(double u) const;

  double m_mean;
  double m_cumulative[counts];  // P(K <= k); a device does not use it
};

namespace impl {

struct GeometricFamily;
struct PoissonFamily;

/// ⌊x⌋ for |x| < 2^63.
KOKKOS_FORCEINLINE_FUNCTION double floor_of(double x) {
  const double whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1.0 : whole;
}

// Whether the variate of a uniform results from adding up probabilities.
KOKKOS_FORCEINLINE_FUNCTION bool adds_probabilities(double u, double mean) {
  // If 1 − u is small, rounding in a long sum would show. On a CPU adding is faster up to a mean of about 80, but the
  // lanes of a GPU wait for the lane that adds longest.
  return mean == 0.0 || (mean < 32.0 && u < 0.9990234375);
}

KOKKOS_INLINE_FUNCTION double poisson_by_adding(double u, double mean) {
  double k = 0.0, probability = math::exp(-mean), cumulative = probability;
  while (cumulative < u) {
    k += 1.0;
    probability *= mean / k;
    cumulative += probability;
  }
  return k;
}

/// Searches upwards from a k that is too small: adding probabilities, unlike subtracting them, loses no digits.
/// Requires u <= ½ and a guess within a few counts of the quantile.
KOKKOS_INLINE_FUNCTION double poisson_from_below(double u, double mean, double guess) {
  for (double k = guess - 1.0;; k -= 2.0) {
    // P(K <= k) = Q(k + 1, mean), P(K = k + 1) = mean^(k+1) e^(−mean) / Γ(k + 2)
    if (k < 0.0) return poisson_by_adding(u, mean);
    const auto at = math::impl::incomplete_gamma(k + 1.0, mean);
    double cumulative = at.upper, next = at.term;
    if (cumulative >= u) continue;
    while (cumulative < u) {
      k += 1.0;
      cumulative += next;
      next *= mean / (k + 1.0);
    }
    return k;
  }
}

/// Searches downwards from a k that is large enough, with q = 1 − u < ½.
KOKKOS_INLINE_FUNCTION double poisson_from_above(double q, double mean, double guess) {
  for (double k = guess > 0.0 ? guess + 1.0 : 1.0;; k += 2.0) {
    // P(K > k) = P(k + 1, mean)
    const auto at = math::impl::incomplete_gamma(k + 1.0, mean);
    double survival = at.lower, probability = at.term * (k + 1.0) / mean;
    if (survival > q) continue;
    while (k > 0.0 && survival + probability <= q) {
      survival += probability;
      probability *= k / mean;
      k -= 1.0;
    }
    return k;
  }
}

// Smallest k with P(K <= k) >= u.
KOKKOS_INLINE_FUNCTION double geometric_quantile(double u, double probability) {
  // P(K <= k) = 1 − (1 − p)^(k+1) >= u if k + 1 >= ln(1 − u) / ln(1 − p)
  const double trials = math::log1p(-u) / math::log1p(-probability);
  if (!(trials > 1.0)) return 0.0;
  return trials < 0x1p53 ? -floor_of(-trials) - 1.0 : trials;
}

KOKKOS_INLINE_FUNCTION double poisson_quantile(double u, double mean) {
  if (adds_probabilities(u, mean)) return poisson_by_adding(u, mean);
  const double z = math::normal_quantile(u), deviation = ::sqrt(mean);
  const double fisher = mean + deviation * z + (z * z - 1.0) / 6.0 + z * (1.0 - z * z) / (72.0 * deviation);
  const double guess = floor_of(fisher + 0.5);
  return u <= 0.5 ? poisson_from_below(u, mean, guess) : poisson_from_above(1.0 - u, mean, guess);
}

}  // namespace impl

template <class Draw>
KOKKOS_FUNCTION UniformOf<Draw> uniform_integer(Draw&& draw, std::int64_t low, std::int64_t high) {
  return of_uniform(static_cast<Draw&&>(draw), [=](double u) {
    return static_cast<double>(low) + impl::floor_of(u * static_cast<double>(high - low + 1));
  });
}

template <class Draw, class Probability>
KOKKOS_FUNCTION double geometric(Draw&& draw, const Probability& probability) {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  return scored<impl::GeometricFamily>(draw, impl::geometric_quantile(u, value_of(probability)), probability);
}

template <class Draw, class Mean>
KOKKOS_FUNCTION double poisson(Draw&& draw, const Mean& mean) {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  return scored<impl::PoissonFamily>(draw, impl::poisson_quantile(u, value_of(mean)), mean);
}

// Adds up probabilities in the order of poisson_by_adding.
KOKKOS_INLINE_FUNCTION PoissonVariates::PoissonVariates(double mean) : m_mean(mean) {
  if (impl::on_device()) return;
  double probability = math::exp(-mean);
  m_cumulative[0] = probability;
  for (int k = 1; k < counts; ++k) {
    probability *= mean / static_cast<double>(k);
    m_cumulative[k] = m_cumulative[k - 1] + probability;
  }
}

// Searches the table without branches that depend on u, which a processor cannot predict.
KOKKOS_INLINE_FUNCTION double PoissonVariates::quantile(double u) const {
  if (impl::on_device() || !impl::adds_probabilities(u, m_mean) || u > m_cumulative[counts - 1]) {
    return impl::poisson_quantile(u, m_mean);
  }
  const int first = m_cumulative[part - 1] < u ? part : 0;
  int k = first;
  for (int i = 0; i < part; ++i) k += m_cumulative[first + i] < u ? 1 : 0;
  return k;
}

template <class Draw>
KOKKOS_FUNCTION double PoissonVariates::operator()(Draw&& draw) const {
  const double u = standard_variate<StandardUniform>(static_cast<Draw&&>(draw));
  return scored<impl::PoissonFamily>(draw, quantile(u), m_mean);
}

// Families of distributions; see continuous.hpp.
namespace impl {

struct UniformIntegerFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"low", "high"});
  static void check(double low, double high) {
    check_whole("low", low, -0x1p52, 0x1p52);
    check_whole("high", high, -0x1p52, 0x1p52);
    check_not_above("low", low, "high", high);
  }
  static double mean(double low, double high) { return low + (high - low) / 2; }
  static double least(double low, double) { return low; }
  KOKKOS_FUNCTION static double variate(double u, double low, double high) {
    return uniform_integer(u, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
  }
};

struct GeometricFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"probability"});
  static void check(double probability) { check_positive_probability("probability", probability); }
  static double mean(double probability) { return (1 - probability) / probability; }
  KOKKOS_FUNCTION static double variate(double u, double probability) { return geometric(u, probability); }
  template <class Probability>
  KOKKOS_FUNCTION static NumberOf<Probability> log_density(double k, const Probability& probability) {
    return math::log(probability) + k * math::log1p(-probability);
  }
};

struct PoissonFamily {
  static constexpr auto parameter_names = std::to_array<std::string_view>({"mean"});
  static void check(double mean) {
    check_parameter(mean >= 0 && mean <= 0x1p50, "mean", mean, "a number from 0 to 2^50");
  }
  static double mean(double mean) { return mean; }
  KOKKOS_FUNCTION static double variate(double u, double mean) { return poisson(u, mean); }
  template <class Mean>
  KOKKOS_FUNCTION static NumberOf<Mean> log_density(double k, const Mean& mean) {
    return k * math::log(mean) - mean - math::log_gamma(k + 1.0);
  }
};

}  // namespace impl

}  // namespace sporos
