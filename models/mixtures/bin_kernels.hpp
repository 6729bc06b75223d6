// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/models/mixtures/mixture_kernels.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Kernels of MixtureLikelihood over a histogram. The probability of a bin replaces the density at an observation, and
/// the means of z and z² over the bin replace z and z² (McLachlan and Jones 1988, Biometrics 44, 571–578).
namespace sporos::models::impl {

/// Edges and counts of a histogram.
template <class ExecutionSpace>
struct BinData {
  static constexpr std::int64_t chunk = 16;
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> edges, counts;

  KOKKOS_FUNCTION std::int64_t bins() const { return static_cast<std::int64_t>(counts.extent(0)); }
  std::int64_t chunks() const { return (bins() + chunk - 1) / chunk; }
};

/// A standard normal variable restricted to (low, high]: ln of the probability, and the means of z and z². Beyond 36
/// deviations, the first terms of Mills' ratio are used, with errors below 1e-9.
struct NormalInterval {
  double log_probability, mean, mean_square;

  KOKKOS_FUNCTION static NormalInterval of(double low, double high) {
    if (low > 0 || (low == 0 && high > 0)) return of_mirrored(low, high);
    if (high > 0) return of_plain(low, high, math::normal_cdf(high) - math::normal_cdf(low));
    NormalInterval mirrored = of_mirrored(-high, -low);
    mirrored.mean = -mirrored.mean;
    return mirrored;
  }

 private:
  static constexpr double log_sqrt_2pi = 0x1.d67f1c864beb5p-1, inverse_sqrt_2pi = 0x1.9884533d43651p-2;

  KOKKOS_FUNCTION static double density(double z) { return inverse_sqrt_2pi * math::exp(-0.5 * z * z); }
  KOKKOS_FUNCTION static double moment(double z) { return z - z == 0 ? z * density(z) : 0; }

  KOKKOS_FUNCTION static NormalInterval of_plain(double low, double high, double probability) {
    return {math::log(probability), (density(low) - density(high)) / probability,
            1 + (moment(low) - moment(high)) / probability};
  }

  // P(Z > z) / φ(z) for a large z, by Mills' series.
  KOKKOS_FUNCTION static double mills_ratio(double z) {
    const double s = 1 / (z * z);
    return (1 - s * (1 - 3 * s * (1 - 5 * s))) / z;
  }

  // Requires 0 <= low < high.
  KOKKOS_FUNCTION static NormalInterval of_mirrored(double low, double high) {
    constexpr double far = 36;
    if (low < far) return of_plain(low, high, math::normal_cdf(-low) - math::normal_cdf(-high));
    const double a = low < largest_distance<double> ? low : largest_distance<double>, mills = mills_ratio(a);
    const double decay = math::exp(-0.5 * (high - a) * (high + a));  // φ(high) / φ(a)
    const double left = decay > 0 ? mills - decay * mills_ratio(high) : mills;
    return {-0.5 * a * a - log_sqrt_2pi + math::log(left), (1 - decay) / left,
            1 + (a - (decay > 0 ? high * decay : 0)) / left};
  }
};

/// Evaluates one task, bin by bin, on any backend.
template <class ExecutionSpace, bool has_sums, class Then>
struct BinLikelihood {
  BinData<ExecutionSpace> data;
  LikelihoodTasks<ExecutionSpace> tasks;
  Then then;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t mixture = tasks.mixtures.row(tasks.place(task)), first = tasks.chunk(task) * data.chunk;
    if (!then.is_open(mixture)) return;
    const std::int64_t end = first + data.chunk < data.bins() ? first + data.chunk : data.bins();
    const Mixture y{&tasks.mixtures.parameters(mixture, 0), tasks.mixtures.components(mixture)};
    double* const numbers = &tasks.numbers(tasks.row(task), 0);
    for (std::int64_t j = 0; j <= (has_sums ? 3 * y.count : 0); ++j) numbers[j] = 0;
    for (std::int64_t b = first; b < end; ++b) {
      if (data.counts(b) > 0) add(y, b, numbers);
    }
  }

 private:
  struct Mixture {
    const double* parameters;
    std::int32_t count;

    KOKKOS_FUNCTION NormalInterval interval(std::int32_t c, double low, double high) const {
      const double mean = parameters[count + c], deviation = parameters[2 * count + c];
      NormalInterval found = NormalInterval::of((low - mean) / deviation, (high - mean) / deviation);
      found.log_probability += math::log(parameters[c]);
      return found;
    }
  };

  KOKKOS_FUNCTION void add(const Mixture& y, std::int64_t b, double* numbers) const {
    const double low = data.edges(b), high = data.edges(b + 1), count = data.counts(b);
    double largest = -math::impl::infinity, sum = 0;
    NormalInterval parts[max_components];
    for (std::int32_t c = 0; c < y.count; ++c) {
      parts[c] = y.interval(c, low, high);
      if (!(parts[c].log_probability <= largest)) largest = parts[c].log_probability;  // or NaN
    }
    for (std::int32_t c = 0; c < y.count; ++c) sum += math::exp(parts[c].log_probability - largest);
    const double log_probability = largest + math::log(sum);
    numbers[0] += count * log_probability;
    if constexpr (has_sums) {
      for (std::int32_t c = 0; c < y.count; ++c) {
        const double share = count * math::exp(parts[c].log_probability - log_probability);
        if (!(share > 0)) continue;
        numbers[1 + c] += share;
        numbers[1 + y.count + c] += share * parts[c].mean;
        numbers[1 + 2 * y.count + c] += share * parts[c].mean_square;
      }
    }
  }
};

}  // namespace sporos::models::impl
