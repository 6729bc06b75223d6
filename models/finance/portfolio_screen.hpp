// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/linear_algebra/select.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

/// How Frank–Wolfe's iterations over a mean–variance portfolio come to be run on a few assets: the problem's part in
/// optimizers/frank_wolfe/screening.hpp (concept ProblemScreen).
///
/// With the sample's centred returns x_j of asset j, n of them, and v = Σ w_j x_j the gradient is g_j = x_jᵀv / (n − 1)
/// − R̄_j. While w moves by steps towards vertices s_j e_j, v moves by at most D = (1 − Π(1 − γ)) (max_j s_j ‖x_j‖ +
/// ‖v‖) and g_j by at most ‖x_j‖ D / (n − 1). One pass over the returns, drawn and forgotten, gives all g_j and ‖x_j‖;
/// the iterations keep the returns of the few assets that can win.
namespace sporos::models {

/// A portfolio's data in the kernels of a screening; see ProblemScreen.
template <class ExecutionSpace>
struct PortfolioScreenData {
  /// A row for each repetition or candidate.
  using Rows = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

  Rows gradients;                 ///< g_j as the window begins: repetitions × assets
  Rows norms;                     ///< ‖x_j‖: repetitions × assets
  Vector<ExecutionSpace> drifts;  ///< D / (n − 1) of each repetition
  Rows portfolios;                ///< v: repetitions × n
  Rows columns;                   ///< x_j of each candidate: candidates × n
  Vector<ExecutionSpace> means;   ///< R̄_j of each candidate
  std::int64_t sample_size;       ///< n

  /// Lower bound of g_j.
  KOKKOS_FORCEINLINE_FUNCTION double lower(std::int64_t repetition, std::int64_t j) const {
    return gradients(repetition, j) - norms(repetition, j) * drifts(repetition);
  }

  /// Upper bound of g_j.
  KOKKOS_FORCEINLINE_FUNCTION double upper(std::int64_t repetition, std::int64_t j) const {
    return gradients(repetition, j) + norms(repetition, j) * drifts(repetition);
  }

  /// g_j of candidate c.
  KOKKOS_FUNCTION double partial(std::int64_t repetition, std::int64_t c, double) const {
    double product = 0;
    for (std::int64_t s = 0; s < sample_size; ++s) product += columns(c, s) * portfolios(repetition, s);
    return product / static_cast<double>(sample_size - 1) - means(c);
  }

  /// v = (1 − γ) v + γ s_j x_j, or without the last where c < 0.
  template <class Team>
  KOKKOS_FUNCTION void move(const Team& team, std::int64_t repetition, double step, std::int64_t c,
                            double amount) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, sample_size), [&](std::int64_t s) {
      const double target = c < 0 ? 0 : amount * columns(c, s);
      portfolios(repetition, s) = (1 - step) * portfolios(repetition, s) + step * target;
    });
  }
};

namespace impl {

/// Replications that are looked at together for one asset.
inline constexpr std::int64_t replication_block = 32;

/// Whether an asset is held.
struct IsHeld {
  const double* x;
  KOKKOS_FUNCTION bool operator()(std::int64_t place) const { return x[place] != 0; }
};

/// v of each repetition and the bound of its movement, by one team for each.
template <class ExecutionSpace, class Returns, class Seeds, class Places>
struct HoldingsSummer {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  Returns returns;
  PortfolioScreenData<ExecutionSpace> data;
  const double* x;
  Seeds seeds;
  Places held;  // repetition · assets + asset, in ascending order
  std::int64_t held_count, assets;
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto repetition = static_cast<std::int64_t>(team.league_rank());
    const std::int64_t n = data.sample_size;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, (n + replication_block - 1) / replication_block),
                         [&](std::int64_t block) { sum(repetition, block * replication_block); });
    team.team_barrier();
    double total = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, n), [&](std::int64_t s, double& sum) { sum += data.portfolios(repetition, s); },
        total);
    const double mean = total / static_cast<double>(n);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                         [&](std::int64_t s) { data.portfolios(repetition, s) -= mean; });
  }

  KOKKOS_FUNCTION void sum(std::int64_t repetition, std::int64_t begin) const {
    double sums[replication_block] = {}, column[replication_block];
    const std::int64_t left = data.sample_size - begin, count = left < replication_block ? left : replication_block;
    for (std::int64_t h = first_held(repetition); h < held_count && held(h) < (repetition + 1) * assets; ++h) {
      const double weight = x[held(h)];
      returns.fill_asset(seeds(repetition), first + static_cast<std::uint64_t>(begin), count, held(h) % assets, column);
      for (std::int64_t s = 0; s < count; ++s) sums[s] += weight * column[s];
    }
    for (std::int64_t s = 0; s < count; ++s) data.portfolios(repetition, begin + s) = sums[s];
  }

  KOKKOS_FUNCTION std::int64_t first_held(std::int64_t repetition) const {
    return count_below(held, held_count, repetition * assets);
  }
};

/// g_j and ‖x_j‖ of a block of assets.
template <class ExecutionSpace, class Returns, class Seeds>
struct AssetBracketer {
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 64 : 2;  // assets of a thread

  Returns returns;
  PortfolioScreenData<ExecutionSpace> data;
  Seeds seeds;
  std::int64_t assets, blocks;
  std::uint64_t first;

  // Sums are formed of differences from the first replication, for the digits' sake.
  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t repetition = task / blocks, j = task % blocks * width;
    const std::int64_t count = assets - j < width ? assets - j : width;
    double origin[width], returned[width], sum[width] = {}, square[width] = {}, product[width] = {};
    const std::uint64_t seed = seeds(repetition);
    returns.fill(seed, first, j, count, origin);
    for (std::int64_t s = 1; s < data.sample_size; ++s) {
      const double portfolio = data.portfolios(repetition, s);
      returns.fill(seed, first + static_cast<std::uint64_t>(s), j, count, returned);
      for (std::int64_t i = 0; i < count; ++i) {
        const double difference = returned[i] - origin[i];
        sum[i] += difference;
        square[i] += difference * difference;
        product[i] += difference * portfolio;
      }
    }
    const auto n = static_cast<double>(data.sample_size);
    for (std::int64_t i = 0; i < count; ++i) {
      const double spread = square[i] - sum[i] * sum[i] / n;
      data.gradients(repetition, j + i) = product[i] / (n - 1) - (origin[i] + sum[i] / n);
      data.norms(repetition, j + i) = ::sqrt(spread > 0 ? spread : 0.0);
    }
  }
};

/// The largest that v can move, by one team for each repetition.
template <class ExecutionSpace, class Vertices>
struct DriftBounder {
  using Team = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  PortfolioScreenData<ExecutionSpace> data;
  Vertices vertices;
  std::int64_t assets;
  double moved;  // 1 − Π(1 − γ)

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto repetition = static_cast<std::int64_t>(team.league_rank());
    double reach = 0, square = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, assets),
        [&](std::int64_t j, double& most) {
          const double length = vertices.amount(j) * data.norms(repetition, j);
          most = length > most ? length : most;
        },
        Kokkos::Max<double>(reach));
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, data.sample_size),
        [&](std::int64_t s, double& sum) { sum += data.portfolios(repetition, s) * data.portfolios(repetition, s); },
        square);
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      data.drifts(repetition) = moved * (reach + ::sqrt(square)) / static_cast<double>(data.sample_size - 1);
    });
  }
};

/// The centred returns of a candidate.
template <class ExecutionSpace, class Returns, class Seeds, class Places>
struct CandidateLoader {
  Returns returns;
  PortfolioScreenData<ExecutionSpace> data;
  Seeds seeds;
  Places places;
  std::int64_t assets;
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    const std::int64_t repetition = places(c) / assets, j = places(c) % assets, n = data.sample_size;
    double* const column = &data.columns(c, 0);
    returns.fill_asset(seeds(repetition), first, n, j, column);
    double sum = 0;
    for (std::int64_t s = 0; s < n; ++s) sum += column[s] - column[0];
    const double mean = column[0] + sum / static_cast<double>(n);
    for (std::int64_t s = 0; s < n; ++s) column[s] -= mean;
    data.means(c) = mean;
  }
};

}  // namespace impl

/// A mean–variance portfolio's part in screening (concept ProblemScreen), for repetitions with seeds of their own.
///
/// `Returns` is a function object for kernels, such as IndependentReturnsHandle.
template <class ExecutionSpace, class Returns>
class PortfolioScreen {
 public:
  using execution_space = ExecutionSpace;                      ///< where it runs
  using memory_space = typename ExecutionSpace::memory_space;  ///< where its data lie

  /// For `repetitions` of a portfolio of `assets` assets whose returns lie where `space` can reach them.
  PortfolioScreen(const ExecutionSpace& space, const Returns& returns, std::int64_t repetitions, std::int64_t assets);

  /// See ProblemScreen.
  template <class Iterates, class Seeds, class Window, class Vertices>
  void bracket(const Iterates& x, const Seeds& seeds, const SampleRange& sample, const Window& window,
               const Vertices& vertices);

  /// See ProblemScreen.
  template <class Seeds, class Candidates>
  void load(const Seeds& seeds, const SampleRange& sample, const Candidates& candidates);

  /// See ProblemScreen: every bound holds whatever the iterations do.
  std::int64_t witnesses(std::int64_t) const { return 1; }

  /// See ProblemScreen.
  PortfolioScreenData<ExecutionSpace> on_device() const { return m_data; }

 private:
  using Rows = typename PortfolioScreenData<ExecutionSpace>::Rows;

  Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>> range(std::int64_t size) const {
    return {m_space, 0, size};
  }

  ExecutionSpace m_space;
  Returns m_returns;
  std::int64_t m_repetitions;
  std::int64_t m_assets;
  Kokkos::View<std::int64_t*, memory_space> m_held;
  PortfolioScreenData<ExecutionSpace> m_data;
};

template <class ExecutionSpace, class Returns>
PortfolioScreen<ExecutionSpace, Returns>::PortfolioScreen(const ExecutionSpace& space, const Returns& returns,
                                                          std::int64_t repetitions, std::int64_t assets)
    : m_space(space), m_returns(returns), m_repetitions(repetitions), m_assets(assets) {
  m_held = Kokkos::View<std::int64_t*, memory_space>("sporos::portfolio::held", repetitions * assets);
  m_data.gradients = Rows("sporos::portfolio::gradients", repetitions, assets);
  m_data.norms = Rows("sporos::portfolio::norms", repetitions, assets);
  m_data.drifts = Vector<ExecutionSpace>("sporos::portfolio::drifts", repetitions);
}

template <class ExecutionSpace, class Returns>
template <class Iterates, class Seeds, class Window, class Vertices>
void PortfolioScreen<ExecutionSpace, Returns>::bracket(const Iterates& x, const Seeds& seeds, const SampleRange& sample,
                                                       const Window& window, const Vertices& vertices) {
  m_data.sample_size = sample.size;
  if (static_cast<std::int64_t>(m_data.portfolios.extent(1)) != sample.size) {
    m_data.portfolios = Rows("sporos::portfolio::portfolios", m_repetitions, sample.size);
    m_data.columns = Rows();
  }
  const double* const weights = x.data();
  const std::int64_t held = select_indices(m_space, m_repetitions * m_assets, impl::IsHeld{weights}, m_held);
  Kokkos::parallel_for("sporos::portfolio::holdings", team_policy(m_space, m_repetitions),
                       impl::HoldingsSummer<ExecutionSpace, Returns, Seeds, decltype(m_held)>{
                           m_returns, m_data, weights, seeds, m_held, held, m_assets, sample.first});
  using Bracketer = impl::AssetBracketer<ExecutionSpace, Returns, Seeds>;
  const std::int64_t blocks = (m_assets + Bracketer::width - 1) / Bracketer::width;
  Kokkos::parallel_for("sporos::portfolio::bracket", range(m_repetitions * blocks),
                       Bracketer{m_returns, m_data, seeds, m_assets, blocks, sample.first});
  const double moved = 1 - window.shrinkage(window.iterations - 1);
  Kokkos::parallel_for("sporos::portfolio::drifts", team_policy(m_space, m_repetitions),
                       impl::DriftBounder<ExecutionSpace, Vertices>{m_data, vertices, m_assets, moved});
}

template <class ExecutionSpace, class Returns>
template <class Seeds, class Candidates>
void PortfolioScreen<ExecutionSpace, Returns>::load(const Seeds& seeds, const SampleRange& sample,
                                                    const Candidates& candidates) {
  if (static_cast<std::int64_t>(m_data.columns.extent(0)) < candidates.count) {
    const std::int64_t room = 2 * candidates.count;
    m_data.columns =
        Rows(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::portfolio::columns"), room, sample.size);
    m_data.means = Vector<ExecutionSpace>("sporos::portfolio::means", room);
  }
  using Places = std::remove_cv_t<decltype(candidates.places)>;
  Kokkos::parallel_for("sporos::portfolio::load", range(candidates.count),
                       impl::CandidateLoader<ExecutionSpace, Returns, Seeds, Places>{
                           m_returns, m_data, seeds, candidates.places, m_assets, sample.first});
}

}  // namespace sporos::models
