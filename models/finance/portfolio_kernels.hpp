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
  // Assets in a block: a task of one thread on a host; on a device enough to keep all threads of a team busy.
  static constexpr std::int64_t assets = runs_on_host<ExecutionSpace> ? 512 : 8192;

  CentredReturns<ExecutionSpace> sample;
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> means, weights;
  double* parts;  // the numbers of block b begin at b (n + 1)

  static std::int64_t blocks(std::int64_t dimension) { return (dimension + assets - 1) / assets; }

  KOKKOS_FUNCTION std::int64_t end(std::int64_t block) const {
    const std::int64_t d = static_cast<std::int64_t>(sample.extent(0)), after = (block + 1) * assets;
    return after < d ? after : d;
  }

  // A host's thread: all replications of a block, asset by asset.
  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t n = static_cast<std::int64_t>(sample.extent(1));
    double* const part = parts + block * (n + 1);
    for (std::int64_t r = 0; r <= n; ++r) part[r] = 0;
    for (std::int64_t j = block * assets; j < end(block); ++j) {
      const double weight = weights(j);
      if (weight == 0) continue;
      const double* const returns = &sample(j, 0);
      for (std::int64_t r = 0; r < n; ++r) part[r] += weight * returns[r];
      part[n] += weight * means(j);
    }
  }

  // A device's team: one replication of a block.
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t n = static_cast<std::int64_t>(sample.extent(1)), index = team.league_rank();
    const std::int64_t block = index / (n + 1), r = index % (n + 1);
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, block * assets, end(block)),
        [&](const std::int64_t j, double& part) { part += weights(j) * (r < n ? sample(j, r) : means(j)); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { parts[index] = sum; });
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

/// Where blocks of assets leave their parts of a projection, if there are several.
template <class ExecutionSpace>
using ProjectionParts = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// projection = Xᵀw and, at n, wᵀR̄, by way of `parts`, BlockProjector's blocks × (n + 1) numbers.
///
/// Returns lie as threads read them, an asset's together on a host and a replication's on a device: hence two texts of
/// the product. A host whose threads took one replication each would read numbers far apart. Not KokkosBlas::gemv:
/// docs/dependencies.md has the times of both. The means go along, and a host leaves out assets without a weight, most
/// of them in Frank–Wolfe.
template <class ExecutionSpace>
void project_returns(const ExecutionSpace& space, const CentredReturns<ExecutionSpace>& sample,
                     const ConstVector<ExecutionSpace>& means, const ConstVector<ExecutionSpace>& weights,
                     const ProjectionParts<ExecutionSpace>& parts, const Vector<ExecutionSpace>& projection) {
  using Projector = BlockProjector<ExecutionSpace>;
  const std::int64_t d = sample.extent_int(0), n = sample.extent_int(1), blocks = Projector::blocks(d);
  const Projector project{sample, means, weights, blocks == 1 ? projection.data() : parts.data()};
  if constexpr (runs_on_host<ExecutionSpace>) {
    const std::int64_t returns = std::min(d, Projector::assets) * n;
    for_each_index("sporos::portfolio::project", space, blocks,
                   sporos::impl::nanoseconds_of_element * static_cast<double>(returns), project);
  } else {
    const auto teams = static_cast<int>(blocks * (n + 1));
    Kokkos::parallel_for("sporos::portfolio::project", Kokkos::TeamPolicy<ExecutionSpace>(space, teams, Kokkos::AUTO),
                         project);
  }
  if (blocks == 1) return;
  for_each_index("sporos::portfolio::add_blocks", space, n + 1,
                 sporos::impl::nanoseconds_of_element * static_cast<double>(blocks),
                 BlockAdder<ExecutionSpace>{parts, projection});
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
