// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/inventory/newsvendor_kernels.hpp>
#include <sporos/models/inventory/newsvendor_sample.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// How Frank–Wolfe's iterations over a newsvendor's products come to be run on a few of them: the problem's part in
/// optimizers/frank_wolfe/screening.hpp (concept ProblemScreen).
///
/// ∂_j f̂ = k_j − v_j + (h_j + v_j) F̂_j(x_j) grows with x_j alone. During a window x_j shrinks by Π(1 − γ) at most, and
/// where no step goes towards product j it does not grow: so one pass that counts the demands below both ends brackets
/// every derivative from below, and those of all products from above but of the few towards which a step goes.
namespace sporos::models {

/// What is known of a candidate's derivative: it stays for low <= x_j < high.
struct DerivativeStep {
  double derivative = 0;                       ///< ∂_j f̂
  impl::CountInterval interval = {0.0, -1.0};  ///< of x_j; at first empty
};

/// A newsvendor's data in the kernels of a screening; see ProblemScreen.
template <class ExecutionSpace, class Demand>
struct NewsvendorScreenData {
  /// A row for each repetition.
  using Rows = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;
  /// The repetitions' seeds.
  using Seeds = Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space>;
  /// Places of the candidates.
  using Places = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;

  impl::NewsvendorTerms<ExecutionSpace, Demand> terms;  ///< what the products cost, and their demands
  Seeds seeds;                                          ///< of each repetition
  SampleRange sample;                                   ///< replications of the epoch, under any seed
  Rows lowers;                                          ///< lower bounds: repetitions × products
  Rows uppers;                                          ///< upper bounds: repetitions × products
  Places places;                                        ///< repetition · products + product of each candidate
  Kokkos::View<DerivativeStep*, typename ExecutionSpace::memory_space> steps;  ///< of each candidate
  std::int64_t dimension;                                                      ///< number of products

  /// The sample under a repetition's seed.
  KOKKOS_FORCEINLINE_FUNCTION NewsvendorSample sample_of(std::int64_t repetition) const {
    return {{seeds(repetition), sample.first, sample.size}};
  }

  /// ∂_j f̂ where this many of the sample's demands are at most x_j.
  KOKKOS_FORCEINLINE_FUNCTION double derivative(std::int64_t j, std::int64_t count) const {
    return terms.derivative(j, static_cast<double>(count) / static_cast<double>(sample.size));
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
    DerivativeStep& step = steps(c);
    if (!(step.interval.low <= x && x < step.interval.high)) {
      const std::int64_t j = places(c) % dimension;
      const UniformsAround found = sample_of(repetition).around(j, terms.demand(j).cdf(x));
      step.derivative = derivative(j, found.count);
      step.interval = impl::count_interval(found, terms.demand(j));
    }
    return step.derivative;
  }

  /// Nothing but the coordinates moves.
  template <class Team>
  KOKKOS_FUNCTION void move(const Team&, std::int64_t, double, std::int64_t, double) const {}
};

namespace impl {

/// Brackets the derivatives of a block of products.
template <class ExecutionSpace, class Demand>
struct ProductBracketer {
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 32 : 2;  // products of a thread

  NewsvendorScreenData<ExecutionSpace, Demand> data;
  const double* x;
  double shrinkage;
  std::int64_t blocks;

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t repetition = task / blocks, j = task % blocks * width;
    const std::int64_t count = data.dimension - j < width ? data.dimension - j : width;
    Kokkos::Array<double, width> low{}, high{};
    Kokkos::Array<std::int64_t, width> least, largest;
    for (std::int64_t i = 0; i < count; ++i) {
      const double stock = x[repetition * data.dimension + j + i];
      low[i] = data.terms.demand(j + i).cdf_bounds(stock * shrinkage).low;
      high[i] = data.terms.demand(j + i).cdf_bounds(stock).high;
    }
    data.sample_of(repetition).count(j, low, high, least, largest);
    for (std::int64_t i = 0; i < count; ++i) {
      data.lowers(repetition, j + i) = data.derivative(j + i, least[i]);
      data.uppers(repetition, j + i) = data.derivative(j + i, largest[i]);
    }
  }
};

}  // namespace impl

/// A newsvendor's part in screening (concept ProblemScreen), for repetitions with seeds of their own.
template <class ExecutionSpace, class Demand>
class NewsvendorScreen {
 public:
  using execution_space = ExecutionSpace;                      ///< where it runs
  using memory_space = typename ExecutionSpace::memory_space;  ///< where its data lie

  /// For `repetitions` of a newsvendor of `dimension` products with these terms.
  NewsvendorScreen(const ExecutionSpace& space, const impl::NewsvendorTerms<ExecutionSpace, Demand>& terms,
                   std::int64_t repetitions, std::int64_t dimension);

  /// See ProblemScreen.
  template <class Iterates, class Window, class Vertices>
  void bracket(const Iterates& x, const typename NewsvendorScreenData<ExecutionSpace, Demand>::Seeds& seeds,
               const SampleRange& sample, const Window& window, const Vertices& vertices);

  /// See ProblemScreen.
  template <class Seeds, class Candidates>
  void load(const Seeds& seeds, const SampleRange& sample, const Candidates& candidates);

  /// See ProblemScreen: as many products as steps go towards rise above their upper bounds.
  std::int64_t witnesses(std::int64_t iterations) const { return iterations; }

  /// See ProblemScreen.
  const NewsvendorScreenData<ExecutionSpace, Demand>& on_device() const { return m_data; }

 private:
  ExecutionSpace m_space;
  std::int64_t m_repetitions;
  NewsvendorScreenData<ExecutionSpace, Demand> m_data;
};

template <class ExecutionSpace, class Demand>
NewsvendorScreen<ExecutionSpace, Demand>::NewsvendorScreen(const ExecutionSpace& space,
                                                           const impl::NewsvendorTerms<ExecutionSpace, Demand>& terms,
                                                           std::int64_t repetitions, std::int64_t dimension)
    : m_space(space), m_repetitions(repetitions) {
  using Rows = typename NewsvendorScreenData<ExecutionSpace, Demand>::Rows;
  m_data.terms = terms;
  m_data.dimension = dimension;
  m_data.lowers = Rows("sporos::newsvendor::lowers", repetitions, dimension);
  m_data.uppers = Rows("sporos::newsvendor::uppers", repetitions, dimension);
}

template <class ExecutionSpace, class Demand>
template <class Iterates, class Window, class Vertices>
void NewsvendorScreen<ExecutionSpace, Demand>::bracket(
    const Iterates& x, const typename NewsvendorScreenData<ExecutionSpace, Demand>::Seeds& seeds,
    const SampleRange& sample, const Window& window, const Vertices&) {
  m_data.seeds = seeds;
  m_data.sample = sample;
  using Bracketer = impl::ProductBracketer<ExecutionSpace, Demand>;
  const std::int64_t blocks = (m_data.dimension + Bracketer::width - 1) / Bracketer::width;
  Kokkos::parallel_for(
      "sporos::newsvendor::bracket",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(m_space, 0, m_repetitions * blocks),
      Bracketer{m_data, x.data(), window.shrinkage(window.iterations - 1), blocks});
}

template <class ExecutionSpace, class Demand>
template <class Seeds, class Candidates>
void NewsvendorScreen<ExecutionSpace, Demand>::load(const Seeds&, const SampleRange&, const Candidates& candidates) {
  if (static_cast<std::int64_t>(m_data.steps.extent(0)) < candidates.count) {
    m_data.steps = decltype(m_data.steps)("sporos::newsvendor::steps", 2 * candidates.count);
  } else {
    Kokkos::deep_copy(m_space, m_data.steps, DerivativeStep{});
  }
  m_data.places = candidates.places;
}

}  // namespace sporos::models
