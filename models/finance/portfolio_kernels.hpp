// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/array_sums.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/execution/for_each_team.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/core/random/standard_normals.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

/// Kernels of models::Portfolio.
namespace sporos::models::impl {

/// Centred returns, asset by replication. On a host, the returns of an asset are contiguous, since a thread works on
/// one asset. On a device, the assets of a replication are contiguous, for neighbouring threads.
template <class ExecutionSpace>
using CentredReturns = Matrix<ExecutionSpace>;

// Time of one draw of a return or a factor, a normal variate, on one host core.
inline constexpr double nanoseconds_of_draw = 5;

/// Draws the returns of a few neighbouring assets in all replications, and centres them.
template <class ExecutionSpace, class Returns>
struct SampleDrawer {
  // Assets per thread: on a host, loops in vector registers; on a device, the two draws of a Philox block.
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

/// Fills a "sample" whose mean is μ and whose covariance is B Bᵀ. Its replications are the common factors, scaled by
/// √(n − 1), and zeros in the last one.
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

/// Computes σⱼ² wⱼ² of each asset.
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

/// Computes the centred return of one block of assets of a portfolio, in each replication.
template <class ExecutionSpace>
struct BlockProjector {
  // Assets per block: on a host, the task of one thread; on a device, enough to keep all threads of a team busy.
  static constexpr std::int64_t assets = runs_on_host<ExecutionSpace> ? 512 : 8192;
  // Replications per team: on a host, neighbours in memory, which vector registers hold together.
  static constexpr int width = runs_on_host<ExecutionSpace> ? 512 : 1;
  static constexpr int threads = 512;  // per team on a device

  CentredReturns<ExecutionSpace> sample;
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> weights;
  double* parts;  // block b begins at parts[b n]

  static std::int64_t blocks(std::int64_t dimension) { return (dimension + assets - 1) / assets; }
  /// Number of teams per block.
  KOKKOS_FUNCTION static std::int64_t teams(std::int64_t replications) { return (replications + width - 1) / width; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t d = static_cast<std::int64_t>(sample.extent(0)), n = static_cast<std::int64_t>(sample.extent(1));
    const std::int64_t block = team.league_rank() / teams(n), first = team.league_rank() % teams(n) * width;
    const std::int64_t end = (block + 1) * assets < d ? (block + 1) * assets : d;
    const int count = width == 1 || n - first >= width ? width : static_cast<int>(n - first);
    using Sums = typename sporos::impl::ArraySums<width>::value_type;
    Sums found;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, block * assets, end),
        [&](const std::int64_t j, Sums& sums) {
          const double weight = weights(j);
          if (runs_on_host<ExecutionSpace> && weight == 0) return;  // a device would wait for the weight first
          for (int r = 0; r < count; ++r) sums.of[r] += weight * sample(j, first + r);
        },
        sporos::impl::ArraySums<width>{found});
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      double* const part = parts + block * n + first;
      for (int r = 0; r < count; ++r) part[r] = found.of[r];
    });
  }
};

/// Adds up the parts of all blocks.
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

/// Holds the parts of a projection by block, if there are several blocks.
template <class ExecutionSpace>
using ProjectionParts = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// projection = Xᵀw. Uses `parts`, a blocks × n array, if BlockProjector has several blocks.
///
/// This replaces KokkosBlas::gemv (docs/reference/dependencies.md has the ratio): a host skips assets of weight
/// 0, which are most assets in Frank–Wolfe, and the layout is the one that threads read fastest.
template <class ExecutionSpace>
void project_returns(const ExecutionSpace& space, const CentredReturns<ExecutionSpace>& sample,
                     const ConstVector<ExecutionSpace>& weights, const ProjectionParts<ExecutionSpace>& parts,
                     const Vector<ExecutionSpace>& projection) {
  using Projector = BlockProjector<ExecutionSpace>;
  const std::int64_t d = sample.extent_int(0), n = sample.extent_int(1), blocks = Projector::blocks(d);
  const auto returns =
      static_cast<double>(std::min(d, Projector::assets) * std::min<std::int64_t>(n, Projector::width));
  for_each_team("sporos::portfolio::project", space, {blocks * Projector::teams(n), Projector::threads},
                sporos::impl::nanoseconds_of_element * returns,
                Projector{sample, weights, blocks == 1 ? projection.data() : parts.data()});
  if (blocks == 1) return;
  for_each_index("sporos::portfolio::add_blocks", space, n,
                 sporos::impl::nanoseconds_of_element * static_cast<double>(blocks),
                 BlockAdder<ExecutionSpace>{parts, projection});
}

/// gradient = X v / (n − 1) − R̄, for the projection v.
template <class ExecutionSpace>
void write_gradient(const ExecutionSpace& space, const CentredReturns<ExecutionSpace>& sample,
                    const ConstVector<ExecutionSpace>& means, const ConstVector<ExecutionSpace>& projection,
                    const Vector<ExecutionSpace>& gradient) {
  set_scaled<ExecutionSpace>(space, gradient, -1, means);
  add_product<ExecutionSpace>(space, 1 / static_cast<double>(sample.extent_int(1) - 1), sample, projection, 1,
                              gradient);
}

/// Draws the common factors of replication `first_replication` + r into row r.
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
