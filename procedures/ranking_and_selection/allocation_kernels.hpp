// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/ordered_sum.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/procedures/ranking_and_selection/system_kernels.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

/// Kernels of a selection that compare all survivors with the best of them: OCBA's sizes, BIZ's shares, seeded matches.
/// Sums are of whole numbers, or in an order that depends only on the number of survivors, so that bits are the same
/// everywhere.
namespace sporos::impl {

// The survivors and their sums. `place` is a position in the list of survivors.
template <class ExecutionSpace>
struct KnownSurvivors {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;

  KOKKOS_FUNCTION double mean(std::int64_t place) const { return sums.mean(survivors.systems(place)); }
  KOKKOS_FUNCTION double variance(std::int64_t place) const { return sums.variance(survivors.systems(place)); }
  KOKKOS_FUNCTION std::int64_t count(std::int64_t place) const { return sums.count(survivors.systems(place)); }
};

template <class ExecutionSpace>
struct LargestMean {
  KnownSurvivors<ExecutionSpace> known;
  KOKKOS_FUNCTION void operator()(std::int64_t place, double& largest) const {
    const double mean = known.mean(place);
    if (mean > largest) largest = mean;
  }
};

template <class ExecutionSpace>
struct FirstWithMean {
  KnownSurvivors<ExecutionSpace> known;
  double mean;
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& first) const {
    if (known.mean(place) == mean && place < first) first = place;
  }
};

// Place of the survivor with the largest mean, the first one on a tie.
template <class ExecutionSpace>
std::int64_t place_of_best(const ExecutionSpace& space, const KnownSurvivors<ExecutionSpace>& known) {
  const auto places = each_place(space, known.survivors.count);
  double largest = 0;
  Kokkos::parallel_reduce("sporos::selection::largest mean", places, LargestMean<ExecutionSpace>{known},
                          Kokkos::Max<double>(largest));
  space.fence();
  std::int64_t first = 0;
  Kokkos::parallel_reduce("sporos::selection::best", places, FirstWithMean<ExecutionSpace>{known, largest},
                          Kokkos::Min<std::int64_t>(first));
  space.fence();
  return first;
}

template <class ExecutionSpace, class Number>
SystemView<ExecutionSpace, Number> number_each(std::int64_t count) {
  return SystemView<ExecutionSpace, Number>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("sporos::selection::numbers")),
      static_cast<std::size_t>(count));
}

// Comparison of survivors with the best one.
template <class ExecutionSpace>
struct AgainstBest {
  KnownSurvivors<ExecutionSpace> known;
  std::int64_t best;

  KOKKOS_FUNCTION double standard_error(std::int64_t place) const {
    return std::sqrt(known.variance(best) / static_cast<double>(known.count(best)) +
                     known.variance(place) / static_cast<double>(known.count(place)));
  }
  KOKKOS_FUNCTION double distance(std::int64_t place) const {
    const double distance = known.mean(best) - known.mean(place), least = standard_error(place) / 1000;
    return distance > least ? distance : least;
  }
};

// Writes OCBA's w of all survivors but the best, and the terms of √(Σ w²/S²).
template <class ExecutionSpace>
struct RatioWriter {
  AgainstBest<ExecutionSpace> against;
  SystemView<ExecutionSpace, double> ratios, terms;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const double distance = against.distance(place), variance = against.known.variance(place);
    const double ratio = variance / (distance * distance);
    ratios(place) = place == against.best ? 0.0 : ratio;
    terms(place) = place == against.best ? 0.0 : ratio * (ratio / variance);
  }
};
template <class ExecutionSpace>
struct RatioOfBestWriter {
  AgainstBest<ExecutionSpace> against;
  SystemView<ExecutionSpace, double> ratios;
  double sum;
  KOKKOS_FUNCTION void operator()(std::int64_t) const {
    ratios(against.best) = std::sqrt(against.known.variance(against.best) * sum);
  }
};

template <class ExecutionSpace>
struct LargestNumber {
  SystemView<ExecutionSpace, double> numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t place, double& largest) const {
    if (numbers(place) > largest) largest = numbers(place);
  }
};

// Sizes in proportion to the ratios, but not smaller than the current ones.
template <class ExecutionSpace>
struct SizeByRatio {
  KnownSurvivors<ExecutionSpace> known;
  SystemView<ExecutionSpace, double> ratios;
  double level;

  KOKKOS_FUNCTION std::int64_t of(std::int64_t place) const {
    const auto wanted = bounded_count(level * ratios(place));
    const std::int64_t count = known.count(place);
    return wanted > count ? wanted : count;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& total) const { total += of(place); }
};
template <class ExecutionSpace>
struct SizeWriter {
  SizeByRatio<ExecutionSpace> by;
  SystemView<ExecutionSpace, std::int64_t> sizes;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const { sizes(place) = by.of(place); }
};

// Returns the sizes of OCBA: the largest level at which their sum is at most `total`, found by bisection and
// interpolation.
template <class ExecutionSpace>
SystemView<ExecutionSpace, std::int64_t> sizes_by_ratio(const ExecutionSpace& space,
                                                        const KnownSurvivors<ExecutionSpace>& known,
                                                        std::int64_t total) {
  const std::int64_t count = known.survivors.count;
  const auto places = each_place(space, count);
  const AgainstBest<ExecutionSpace> against{known, place_of_best(space, known)};
  const auto ratios = number_each<ExecutionSpace, double>(count), terms = number_each<ExecutionSpace, double>(count);
  Kokkos::parallel_for("sporos::selection::ratios", places, RatioWriter<ExecutionSpace>{against, ratios, terms});
  Kokkos::parallel_for("sporos::selection::ratio of best", each_place(space, 1),
                       RatioOfBestWriter<ExecutionSpace>{against, ratios, ordered_sum<ExecutionSpace>(space, terms)});
  double largest = 0;
  Kokkos::parallel_reduce("sporos::selection::largest ratio", places, LargestNumber<ExecutionSpace>{ratios},
                          Kokkos::Max<double>(largest));
  space.fence();
  SizeByRatio<ExecutionSpace> by{known, ratios, 0};
  const auto sum_at = [&](double level) {
    by.level = level;
    std::int64_t sum = 0;
    Kokkos::parallel_reduce("sporos::selection::sizes", places, by, sum);
    space.fence();
    return sum;
  };
  double low = 0, high = static_cast<double>(total + 1) / largest;
  std::int64_t at_low = sum_at(low), at_high = sum_at(high);
  constexpr int max_steps = 100;
  const std::int64_t near = total - count / 100;  // up to one replication for a hundred survivors may be left over
  for (int step = 0; step < max_steps && at_low < near; ++step) {
    const double share = static_cast<double>(total - at_low) / static_cast<double>(at_high - at_low);
    const double level = low + (high - low) * (step % 2 == 0 ? share : 0.5);
    if (!(low < level && level < high)) break;
    const std::int64_t sum = sum_at(level);
    (sum > total ? high : low) = level;
    (sum > total ? at_high : at_low) = sum;
  }
  by.level = low;
  const auto sizes = number_each<ExecutionSpace, std::int64_t>(count);
  Kokkos::parallel_for("sporos::selection::sizes", places, SizeWriter<ExecutionSpace>{by, sizes});
  return sizes;
}

template <class ExecutionSpace>
struct LossWriter {
  AgainstBest<ExecutionSpace> against;
  SystemView<ExecutionSpace, double> losses;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const double loss = math::normal_cdf(-against.distance(place) / against.standard_error(place));
    losses(place) = place == against.best ? 0.0 : loss;
  }
};

template <class ExecutionSpace>
double estimated_correct_selection(const ExecutionSpace& space, const KnownSurvivors<ExecutionSpace>& known) {
  const auto losses = number_each<ExecutionSpace, double>(known.survivors.count);
  Kokkos::parallel_for("sporos::selection::losses", each_place(space, known.survivors.count),
                       LossWriter<ExecutionSpace>{{known, place_of_best(space, known)}, losses});
  const double loss = ordered_sum<ExecutionSpace>(space, losses);
  return loss < 1 ? 1 - loss : 0.0;
}

template <class ExecutionSpace>
struct CountAdder {
  KnownSurvivors<ExecutionSpace> known;
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& sum) const { sum += known.count(place); }
};
template <class ExecutionSpace>
struct VarianceWriter {
  KnownSurvivors<ExecutionSpace> known;
  SystemView<ExecutionSpace, double> numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const { numbers(place) = known.variance(place); }
};

// BIZ's q, scaled so that the best has 1.
template <class ExecutionSpace>
struct ShareWriter {
  AgainstBest<ExecutionSpace> against;
  SystemView<ExecutionSpace, double> shares;
  double slope;  // δ β
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    shares(place) = math::exp(slope * (against.known.mean(place) - against.known.mean(against.best)));
  }
};
// Keeps shares that are at most `bound`; others become 0.
template <class ExecutionSpace>
struct SmallShares {
  SystemView<ExecutionSpace, double> shares, small;
  double bound;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    small(place) = shares(place) <= bound ? shares(place) : 0.0;
  }
};
template <class ExecutionSpace>
struct LargeSharesKeeper {
  SystemView<ExecutionSpace, double> shares;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  double bound;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const { keeps(place) = shares(place) > bound ? 1 : 0; }
};
template <class ExecutionSpace>
struct OneKeeper {
  SystemView<ExecutionSpace, std::int32_t> keeps;
  std::int64_t one;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const { keeps(place) = place == one ? 1 : 0; }
};

// Marks the survivors that stay, and returns P / (sum of the q of those that stay).
template <class ExecutionSpace>
double screen_by_shares(const ExecutionSpace& space, const KnownSurvivors<ExecutionSpace>& known,
                        const SystemView<ExecutionSpace, std::int32_t>& keeps, const PosteriorScreening& rule) {
  const std::int64_t count = known.survivors.count;
  const auto places = each_place(space, count);
  const AgainstBest<ExecutionSpace> against{known, place_of_best(space, known)};
  std::int64_t replications = 0;
  Kokkos::parallel_reduce("sporos::selection::counts", places, CountAdder<ExecutionSpace>{known}, replications);
  space.fence();
  const auto numbers = number_each<ExecutionSpace, double>(count), shares = number_each<ExecutionSpace, double>(count);
  Kokkos::parallel_for("sporos::selection::variances", places, VarianceWriter<ExecutionSpace>{known, numbers});
  const double by_variance = static_cast<double>(replications) / ordered_sum<ExecutionSpace>(space, numbers);
  Kokkos::parallel_for("sporos::selection::shares", places,
                       ShareWriter<ExecutionSpace>{against, shares, rule.delta * by_variance});
  const double sum = ordered_sum<ExecutionSpace>(space, shares);
  if (1 / sum >= rule.wanted) {
    Kokkos::parallel_for("sporos::selection::keep", places, OneKeeper<ExecutionSpace>{keeps, against.best});
    return rule.wanted * sum;
  }
  const auto share_up_to = [&](double bound) {
    Kokkos::parallel_for("sporos::selection::small shares", places,
                         SmallShares<ExecutionSpace>{shares, numbers, bound});
    return ordered_sum<ExecutionSpace>(space, numbers) / sum;
  };
  const double bound = rule.c * (1 - share_up_to(rule.c * sum)) * sum;
  Kokkos::parallel_for("sporos::selection::keep", places, LargeSharesKeeper<ExecutionSpace>{shares, keeps, bound});
  return rule.wanted / (1 - share_up_to(bound));
}

template <class ExecutionSpace>
struct NextSizeByVariance {
  KnownSurvivors<ExecutionSpace> known;
  double growth;
  KOKKOS_FUNCTION void operator()(std::int64_t place, double& least) const {
    const double n = static_cast<double>(known.count(place)), grown = std::ceil(n * growth);
    const double next = (grown > n ? grown : n + 1) / known.variance(place);
    if (next < least) least = next;
  }
};

// Sort key of survivors: the largest mean first; ties are in the order of systems.
struct SeedKey {
  double mean;
  std::int64_t system;
};

// Keys of survivors, padded to a power of two.
template <class ExecutionSpace>
struct SeedKeyWriter {
  KnownSurvivors<ExecutionSpace> known;
  SystemView<ExecutionSpace, SeedKey> keys;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    if (place >= known.survivors.count) {
      keys(place) = {-infinity, last};
      return;
    }
    keys(place) = {known.count(place) == 0 ? infinity : known.mean(place), known.survivors.systems(place)};
  }
};

// A step of Batcher's bitonic sort: exchanges keys at distance `stride`, within blocks in alternating order.
template <class ExecutionSpace>
struct BitonicStep {
  SystemView<ExecutionSpace, SeedKey> keys;
  std::int64_t block, stride;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t other = place ^ stride;
    if (other < place) return;
    const SeedKey first = keys(place), second = keys(other);
    const bool comes_after = second.mean > first.mean || (second.mean == first.mean && second.system < first.system);
    if (comes_after != ((place & block) == 0)) return;
    keys(place) = second;
    keys(other) = first;
  }
};

// Orders survivors so that the first half meets the second half: the best meets the worst, and so on. If their number
// is odd, the best comes last in the first half, which is longer.
template <class ExecutionSpace>
struct Seeder {
  SystemView<ExecutionSpace, SeedKey> keys;
  SystemView<ExecutionSpace, std::int64_t> systems;
  std::int64_t count;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t half = (count + 1) / 2, is_odd = count % 2;
    std::int64_t rank = place + is_odd;
    if (is_odd == 1 && place == half - 1) rank = 0;
    if (place >= half) rank = count - 1 - (place - half);
    systems(place) = keys(rank).system;
  }
};

template <class ExecutionSpace>
void write_seeded(const ExecutionSpace& space, const KnownSurvivors<ExecutionSpace>& known,
                  const SystemView<ExecutionSpace, std::int64_t>& systems) {
  std::int64_t size = 1;
  while (size < known.survivors.count) size *= 2;
  const auto keys = number_each<ExecutionSpace, SeedKey>(size);
  const auto places = each_place(space, size);
  Kokkos::parallel_for("sporos::selection::seed keys", places, SeedKeyWriter<ExecutionSpace>{known, keys});
  for (std::int64_t block = 2; block <= size; block *= 2) {
    for (std::int64_t stride = block / 2; stride > 0; stride /= 2) {
      Kokkos::parallel_for("sporos::selection::sort", places, BitonicStep<ExecutionSpace>{keys, block, stride});
    }
  }
  Kokkos::parallel_for("sporos::selection::seed", each_place(space, known.survivors.count),
                       Seeder<ExecutionSpace>{keys, systems, known.survivors.count});
}

}  // namespace sporos::impl
