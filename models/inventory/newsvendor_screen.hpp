// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// How Frank–Wolfe's iterations over a newsvendor's products come to be run on a few of them: the problem's part in
/// optimizers/frank_wolfe/screened_epochs.hpp (concept ProblemScreen).
///
/// ∂_j f̂ = k_j − v_j + (h_j + v_j) F̂_j(x_j) grows with x_j alone. During a window x_j shrinks by Π(1 − γ) at most, and
/// where no step goes towards product j it does not grow: so one pass that counts the demands below both ends brackets
/// every derivative from below, and those of all products from above but of the few towards which a step goes.
namespace sporos::models {

/// The part of a candidate's derivative that its sample makes: F̂_j is `share` for low <= x_j < high.
struct DemandStep {
  double share = 0;  ///< of the sample's demands that are at most x_j
  double low = 0;    ///< the largest of these
  double high = -1;  ///< the smallest of the others
};

/// A newsvendor's data in the kernels of a screening; see ProblemScreen. `Products` tells for kernels, by product,
/// `margin(j)` = k_j − v_j, `slope(j)` = h_j + v_j, and the demand's `cdf(j, x)` and `quantile(j, u)`.
template <class ExecutionSpace, class Products>
struct NewsvendorScreenData {
  /// A row for each repetition.
  using Rows = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;
  /// The repetitions' seeds.
  using Seeds = Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space>;
  /// Places of the candidates.
  using Places = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;

  Products products;   ///< what the products cost, and their demands
  Seeds seeds;         ///< of each repetition
  SampleRange sample;  ///< replications of the epoch, under any seed
  Rows lowers;         ///< lower bounds: repetitions × products
  Rows uppers;         ///< upper bounds: repetitions × products
  Places places;       ///< repetition · products + product of each candidate
  Kokkos::View<DemandStep*, typename ExecutionSpace::memory_space> steps;  ///< of each candidate
  std::int64_t dimension;                                                  ///< number of products

  /// The sample under a repetition's seed.
  KOKKOS_FORCEINLINE_FUNCTION NewsvendorSample sample_of(std::int64_t repetition) const {
    return {{seeds(repetition), sample.first, sample.size}};
  }

  /// ∂_j f̂ where this share of the demands is at most x_j.
  KOKKOS_FORCEINLINE_FUNCTION double derivative(std::int64_t j, double share) const {
    return products.margin(j) + products.slope(j) * share;
  }

  /// Lower bound of ∂_j f̂.
  KOKKOS_FORCEINLINE_FUNCTION double lower(std::int64_t repetition, std::int64_t j) const {
    return lowers(repetition, j);
  }

  /// Upper bound of ∂_j f̂ while no step goes towards product j.
  KOKKOS_FORCEINLINE_FUNCTION double upper(std::int64_t repetition, std::int64_t j) const {
    return uppers(repetition, j);
  }

  /// ∂_j f̂ of candidate c at x_j.
  KOKKOS_FUNCTION double partial(std::int64_t repetition, std::int64_t c, double x) const {
    const std::int64_t j = places(c) % dimension;
    DemandStep& step = steps(c);
    if (!(step.low <= x && x < step.high)) step = step_at(repetition, j, x);
    return derivative(j, step.share);
  }

  /// The demands next to x.
  KOKKOS_FUNCTION DemandStep step_at(std::int64_t repetition, std::int64_t j, double x) const {
    const UniformsAround found = sample_of(repetition).around(j, products.cdf(j, x));
    const UniformsAround none;
    constexpr double infinity = math::impl::infinity;
    return {static_cast<double>(found.count) / static_cast<double>(sample.size),
            found.below == none.below ? -infinity : products.quantile(j, uniform_of_rank(found.below)),
            found.above == none.above ? infinity : products.quantile(j, uniform_of_rank(found.above))};
  }

  /// Nothing but the coordinates moves.
  template <class Team>
  KOKKOS_FUNCTION void move(const Team&, std::int64_t, double, std::int64_t, double) const {}
};

namespace impl {

/// Brackets the derivatives of a block of products.
template <class ExecutionSpace, class Products>
struct ProductBracketer {
#ifdef SPOROS_IMPL_DEVICE_CODE
  static constexpr std::int64_t most = 2;
#else
  static constexpr std::int64_t most = 32;
#endif

  NewsvendorScreenData<ExecutionSpace, Products> data;
  const double* x;
  double shrinkage;
  std::int64_t block, blocks;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t repetition = i / blocks, begin = i % blocks * block;
    const std::int64_t end = begin + block < data.dimension ? begin + block : data.dimension;
    for (std::int64_t j = begin; j < end; j += most) bracket(repetition, j, end - j < most ? end - j : most);
  }

  KOKKOS_FUNCTION void bracket(std::int64_t repetition, std::int64_t j, std::int64_t count) const {
    Kokkos::Array<double, most> least{}, most_share{};
    Kokkos::Array<std::int64_t, most> least_count, most_count;
    for (std::int64_t i = 0; i < count; ++i) {
      const double stock = x[repetition * data.dimension + j + i];
      most_share[i] = data.products.cdf(j + i, stock);
      least[i] = stock == 0 ? most_share[i] : data.products.cdf(j + i, stock * shrinkage);
    }
    data.sample_of(repetition).count(j, least, most_share, least_count, most_count);
    const auto n = static_cast<double>(data.sample.size);
    for (std::int64_t i = 0; i < count; ++i) {
      data.lowers(repetition, j + i) = data.derivative(j + i, static_cast<double>(least_count[i]) / n);
      data.uppers(repetition, j + i) = data.derivative(j + i, static_cast<double>(most_count[i]) / n);
    }
  }
};

}  // namespace impl

/// A newsvendor's part in screening (concept ProblemScreen), for repetitions with seeds of their own.
template <class ExecutionSpace, class Products>
class NewsvendorScreen {
 public:
  using execution_space = ExecutionSpace;                      ///< where it runs
  using memory_space = typename ExecutionSpace::memory_space;  ///< where its data lie

  /// For `repetitions` of a newsvendor with these products, whose numbers lie where `space` can reach them.
  NewsvendorScreen(const ExecutionSpace& space, const Products& products, std::int64_t repetitions,
                   std::int64_t dimension);

  /// See ProblemScreen.
  template <class Iterates, class Window, class Vertices>
  void bracket(const Iterates& x, const typename NewsvendorScreenData<ExecutionSpace, Products>::Seeds& seeds,
               const SampleRange& sample, const Window& window, const Vertices& vertices);

  /// See ProblemScreen.
  template <class Seeds, class Candidates>
  void load(const Seeds& seeds, const SampleRange& sample, const Candidates& candidates);

  /// See ProblemScreen: as many products as steps go towards rise above their upper bounds.
  std::int64_t witnesses(std::int64_t iterations) const { return iterations; }

  /// See ProblemScreen.
  const NewsvendorScreenData<ExecutionSpace, Products>& on_device() const { return m_data; }

 private:
  ExecutionSpace m_space;
  std::int64_t m_repetitions;
  NewsvendorScreenData<ExecutionSpace, Products> m_data;
};

template <class ExecutionSpace, class Products>
NewsvendorScreen<ExecutionSpace, Products>::NewsvendorScreen(const ExecutionSpace& space, const Products& products,
                                                             std::int64_t repetitions, std::int64_t dimension)
    : m_space(space), m_repetitions(repetitions) {
  using Rows = typename NewsvendorScreenData<ExecutionSpace, Products>::Rows;
  m_data.products = products;
  m_data.dimension = dimension;
  m_data.lowers = Rows("sporos::newsvendor::lowers", repetitions, dimension);
  m_data.uppers = Rows("sporos::newsvendor::uppers", repetitions, dimension);
}

template <class ExecutionSpace, class Products>
template <class Iterates, class Window, class Vertices>
void NewsvendorScreen<ExecutionSpace, Products>::bracket(
    const Iterates& x, const typename NewsvendorScreenData<ExecutionSpace, Products>::Seeds& seeds,
    const SampleRange& sample, const Window& window, const Vertices&) {
  m_data.seeds = seeds;
  m_data.sample = sample;
  constexpr std::int64_t block = 32;
  const std::int64_t blocks = (m_data.dimension + block - 1) / block;
  Kokkos::parallel_for(
      "sporos::newsvendor::bracket",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(m_space, 0, m_repetitions * blocks),
      impl::ProductBracketer<ExecutionSpace, Products>{m_data, x.data(), window.shrinkage(window.iterations - 1), block,
                                                       blocks});
}

template <class ExecutionSpace, class Products>
template <class Seeds, class Candidates>
void NewsvendorScreen<ExecutionSpace, Products>::load(const Seeds&, const SampleRange&, const Candidates& candidates) {
  if (static_cast<std::int64_t>(m_data.steps.extent(0)) < candidates.count) {
    m_data.steps = decltype(m_data.steps)("sporos::newsvendor::steps", 2 * candidates.count);
  } else {
    Kokkos::deep_copy(m_space, m_data.steps, DemandStep{});
  }
  m_data.places = candidates.places;
}

}  // namespace sporos::models
