// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/standard_normals.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

/// The kernels behind models::Portfolio. Every sum has an order that depends on the sizes alone.
namespace sporos::models::impl {

/// Centred returns, asset by replication. Where a thread runs on a host it works on one asset's returns, which lie side
/// by side; on a device the assets do, for neighbouring threads.
template <class ExecutionSpace>
using CentredReturns =
    Kokkos::View<double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

// Of a host's core, to draw a return or a factor: a normal variate.
inline constexpr double nanoseconds_of_draw = 5;

/// Draws the returns of a few neighbouring assets in all replications, and centres them.
template <class ExecutionSpace, class Returns>
struct SampleDrawer {
  // Assets of a thread: on a host loops in vector registers, on a device the two draws of a block of philox.
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 64 : 2;

  Returns returns;
  std::uint64_t seed, first_replication;
  CentredReturns<ExecutionSpace> sample;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> means;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t first = task * width, left = static_cast<std::int64_t>(sample.extent(0)) - first;
    const std::int64_t count = left < width ? left : width, n = static_cast<std::int64_t>(sample.extent(1));
    double drawn[width], sums[width] = {};
    for (std::int64_t r = 0; r < n; ++r) {
      returns.fill(seed, first_replication + static_cast<std::uint64_t>(r), first, count, drawn);
      for (std::int64_t i = 0; i < count; ++i) {
        sample(first + i, r) = drawn[i];
        sums[i] += drawn[i];
      }
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const double mean = sums[i] / static_cast<double>(n);
      means(first + i) = mean;
      for (std::int64_t r = 0; r < n; ++r) sample(first + i, r) -= mean;
    }
  }
};

/// A "sample" whose mean is μ and whose covariance is B Bᵀ: its replications are the common factors, scaled by √(n −
/// 1), and one of zeros at the end.
template <class ExecutionSpace>
struct FactorFiller {
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> distribution_means, loadings;  // B by factor
  CentredReturns<ExecutionSpace> sample;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> means;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    const std::int64_t d = static_cast<std::int64_t>(sample.extent(0)), n = static_cast<std::int64_t>(sample.extent(1));
    const std::int64_t factors = static_cast<std::int64_t>(loadings.extent(0)) / d;
    const double scale = ::sqrt(static_cast<double>(n - 1));
    for (std::int64_t k = 0; k < n; ++k) sample(j, k) = k < factors ? scale * loadings(k * d + j) : 0.0;
    means(j) = distribution_means(j);
  }
};

/// σⱼ² wⱼ² of each asset.
template <class ExecutionSpace>
struct OwnVariance {
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> deviations, weights;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> variances;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    const double spread = deviations(j) * weights(j);
    variances(j) = spread * spread;
  }
};

/// gⱼ += σⱼ² wⱼ.
template <class ExecutionSpace>
struct OwnGradientAdder {
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> deviations, weights;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> gradient;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const { gradient(j) += deviations(j) * deviations(j) * weights(j); }
};

/// What a portfolio of a block of assets earns beyond its mean in each replication, and, at n, its mean.
template <class ExecutionSpace>
struct BlockProjector {
  static constexpr std::int64_t assets = 512;  // of a block

  CentredReturns<ExecutionSpace> sample;
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> means, weights;
  Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> parts;

  static std::int64_t blocks(std::int64_t dimension) { return (dimension + assets - 1) / assets; }

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t first = block * assets, d = static_cast<std::int64_t>(sample.extent(0));
    const std::int64_t end = first + assets < d ? first + assets : d, n = static_cast<std::int64_t>(sample.extent(1));
    double* const part = &parts(block, 0);
    for (std::int64_t r = 0; r <= n; ++r) part[r] = 0;
    for (std::int64_t j = first; j < end; ++j) {
      const double weight = weights(j);
      if (weight == 0) continue;
      const double* const returns = &sample(j, 0);
      for (std::int64_t r = 0; r < n; ++r) part[r] += weight * returns[r];
      part[n] += weight * means(j);
    }
  }
};

/// Adds the blocks up.
template <class ExecutionSpace>
struct BlockAdder {
  Kokkos::View<const double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> parts;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> projection;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    double sum = 0;
    for (std::int64_t block = 0; block < static_cast<std::int64_t>(parts.extent(0)); ++block) sum += parts(block, r);
    projection(r) = sum;
  }
};

/// The same as both in one, on a device: a team for each replication.
template <class ExecutionSpace>
struct TeamProjector {
  CentredReturns<ExecutionSpace> sample;
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> means, weights;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> projection;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t r = team.league_rank(), n = static_cast<std::int64_t>(sample.extent(1));
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, static_cast<std::int64_t>(sample.extent(0))),
        [&](const std::int64_t j, double& part) { part += weights(j) * (r < n ? sample(j, r) : means(j)); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { projection(r) = sum; });
  }
};

/// gⱼ = Σᵣ X(j, r) vᵣ / (n − 1) − R̄ⱼ, the sum in eight interleaved ones that a vector register holds.
template <class ExecutionSpace>
struct GradientWriter {
  CentredReturns<ExecutionSpace> sample;
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> means, projection;
  Kokkos::View<double*, typename ExecutionSpace::memory_space> gradient;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    constexpr int lanes = 8;
    const std::int64_t n = static_cast<std::int64_t>(sample.extent(1));
    double sums[lanes] = {};
    std::int64_t r = 0;
    for (; r + lanes <= n; r += lanes) {
      for (int lane = 0; lane < lanes; ++lane) sums[lane] += sample(j, r + lane) * projection(r + lane);
    }
    for (int lane = 0; r < n; ++r, ++lane) sums[lane] += sample(j, r) * projection(r);
    const double sum = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    gradient(j) = sum / static_cast<double>(n - 1) - means(j);
  }
};

/// Where a host's blocks of assets leave their parts of a projection; a device has none.
template <class ExecutionSpace>
using ProjectionParts = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// projection = Xᵀw and, at n, wᵀR̄.
///
/// Returns lie as threads read them, an asset's together on a host and a replication's on a device: so a host goes
/// through blocks of assets and adds them up, and a device has a team for each replication. Not KokkosBlas::gemv:
/// docs/dependencies.md has the times of both. The means go along, and a host leaves out assets without a weight, most
/// of them in Frank–Wolfe.
template <class ExecutionSpace>
void project_returns(const ExecutionSpace& space, const CentredReturns<ExecutionSpace>& sample,
                     const ConstVector<ExecutionSpace>& means, const ConstVector<ExecutionSpace>& weights,
                     const ProjectionParts<ExecutionSpace>& parts, const Vector<ExecutionSpace>& projection) {
  const std::int64_t d = sample.extent_int(0), n = sample.extent_int(1);
  if constexpr (runs_on_host<ExecutionSpace>) {
    using Projector = BlockProjector<ExecutionSpace>;
    const std::int64_t blocks = Projector::blocks(d), returns = std::min(d, Projector::assets) * n;
    for_each_index("sporos::portfolio::project", space, blocks,
                   sporos::impl::nanoseconds_of_element * static_cast<double>(returns),
                   Projector{sample, means, weights, parts});
    for_each_index("sporos::portfolio::add_blocks", space, n + 1,
                   sporos::impl::nanoseconds_of_element * static_cast<double>(blocks),
                   BlockAdder<ExecutionSpace>{parts, projection});
  } else {
    Kokkos::parallel_for("sporos::portfolio::project",
                         Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(n + 1), Kokkos::AUTO),
                         TeamProjector<ExecutionSpace>{sample, means, weights, projection});
  }
}

/// gradient = X v / (n − 1) − R̄, from the projection v.
template <class ExecutionSpace>
void write_gradient(const ExecutionSpace& space, const CentredReturns<ExecutionSpace>& sample,
                    const ConstVector<ExecutionSpace>& means, const ConstVector<ExecutionSpace>& projection,
                    const Vector<ExecutionSpace>& gradient) {
  for_each_index("sporos::portfolio::gradient", space, sample.extent_int(0),
                 sporos::impl::nanoseconds_of_element * static_cast<double>(sample.extent(1)),
                 GradientWriter<ExecutionSpace>{sample, means, projection, gradient});
}

/// Common factors of replication `first_replication` + r, side by side.
template <class ExecutionSpace>
struct FactorDrawer {
  std::uint64_t seed, first_replication;
  Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> factors;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    fill_standard_normals({seed, first_replication + static_cast<std::uint64_t>(r), 1}, 0,
                          static_cast<std::int64_t>(factors.extent(1)), &factors(r, 0));
  }
};

}  // namespace sporos::models::impl
