// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/linear_algebra/ordered_sum.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/finance/historical_returns.hpp>
#include <sporos/models/finance/normal_returns.hpp>
#include <sporos/models/finance/portfolio_kernels.hpp>
#include <sporos/models/finance/portfolio_screen.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::models {

/// Mean–variance choice of a portfolio (paper 004, section 3.1): f(w) = ½ wᵀΣw − wᵀμ, estimated from n vectors of
/// returns Rᵣ by f̂(w) = ½ wᵀĈw − wᵀR̄ with their mean R̄ and their sample covariance Ĉ (divisor n − 1). f̂ and its
/// gradient are unbiased. (The paper leaves out the ½ in f̂: a slip.)
///
/// With exact moments f is minimized itself: X holds the common factors, and the assets' own variances are added.
///
/// A sample is held centred, as d × n numbers X; with v = Xᵀw, which skips assets of weight 0, ∇f̂(w) = Xv / (n − 1) − R̄
/// and wᵀĈw = vᵀv / (n − 1). Vectors lie in the memory space of `ExecutionSpace`. Every sum has an order that depends
/// on d and n alone: the same bits from run to run on a backend, with any number of threads.
template <class ExecutionSpace>
class Portfolio {
 public:
  using execution_space = ExecutionSpace;                      ///< where it works
  using memory_space = typename ExecutionSpace::memory_space;  ///< where vectors lie

  /// Of normally distributed returns. Throws as NormalReturns::check does.
  explicit Portfolio(NormalReturns returns, const ExecutionSpace& space = ExecutionSpace())
      : Portfolio(std::move(returns), ReturnMoments::sampled, space) {}

  /// Takes normally distributed returns that are drawn for each sample, or their exact means and covariances, which
  /// makes the problem deterministic, a quadratic program. Throws as NormalReturns::check does.
  Portfolio(NormalReturns returns, ReturnMoments moments, const ExecutionSpace& space = ExecutionSpace());

  /// Of historical returns: of days that are drawn for each sample, or of all days, which makes the problem
  /// deterministic, with n = D. Throws as HistoricalReturns::check does.
  Portfolio(HistoricalReturns returns, Days days, const ExecutionSpace& space = ExecutionSpace());

  /// The instance on which it works.
  const ExecutionSpace& execution() const { return m_space; }

  /// d.
  std::int64_t dimension() const { return static_cast<std::int64_t>(m_means.extent(0)); }

  /// Number of vectors of returns in the sample; 0 before the first draw. With exact moments, one more than there are
  /// common factors, at least 2.
  std::int64_t sample_size() const { return static_cast<std::int64_t>(m_sample.extent(1)); }

  /// Draws the returns of these replications: for drawn days two replications may be the same day, with all days or
  /// exact moments nothing changes. Throws std::invalid_argument for a size below 2.
  void draw(const SampleRange& range);

  /// f̂(w); waits for it.
  double objective(const ConstVector<ExecutionSpace>& w);

  /// g = ∇f̂(w).
  void gradient(const ConstVector<ExecutionSpace>& w, const Vector<ExecutionSpace>& g);

  /// dᵀĈd for a direction; waits for it.
  double curvature(const ConstVector<ExecutionSpace>& direction);

  /// f(w), from the distribution of the returns; with drawn days, of a day drawn from all. Computed on the host; waits.
  double exact_objective(const ConstVector<ExecutionSpace>& w) const;

  /// For Frank–Wolfe on a few assets at a time, in `repetitions` repetitions side by side: of normal returns without
  /// common factors, nothing for others. Good as long as this lives.
  std::optional<PortfolioScreen<ExecutionSpace>> screen(std::int64_t repetitions) const;

 private:
  using NormalTable = NormalReturnsTable<memory_space>;
  using HistoricalTable = HistoricalReturnsTable<memory_space>;

  void fill_factors();
  double own_variance(const ConstVector<ExecutionSpace>& w);
  void resize(std::int64_t replications);
  void draw_from(const NormalTable& table, const SampleRange& range);
  void draw_from(const HistoricalTable& table, const SampleRange& range);
  template <class Returns>
  void fill_sample(const Returns& returns, const SampleRange& range);
  void project(const ConstVector<ExecutionSpace>& w);
  double variance(const ConstVector<ExecutionSpace>& w);

  ExecutionSpace m_space;
  std::variant<NormalReturns, HistoricalReturns> m_returns;
  std::variant<NormalTable, HistoricalTable> m_table;
  Days m_days = Days::drawn;
  bool m_is_fixed = false;                                              // whether nothing is ever drawn
  impl::CentredReturns<ExecutionSpace> m_sample;                        // X
  Vector<ExecutionSpace> m_means;                                       // R̄
  Kokkos::View<double**, Kokkos::LayoutRight, memory_space> m_factors;  // common ones, by replication
  impl::ProjectionParts<ExecutionSpace> m_block_parts;                  // of the projection
  Vector<ExecutionSpace> m_projection;                                  // v
  Vector<ExecutionSpace> m_own_deviations;                              // σ, of exact moments with any
  Vector<ExecutionSpace> m_own_variances;                               // scratch, as many
};

template <class ExecutionSpace>
Portfolio<ExecutionSpace>::Portfolio(NormalReturns returns, ReturnMoments moments, const ExecutionSpace& space)
    : m_space(space),
      m_returns(std::move(returns)),
      m_table(NormalTable(std::get<NormalReturns>(m_returns))),
      m_is_fixed(moments == ReturnMoments::exact),
      m_means(Kokkos::view_alloc(space, "sporos::portfolio::means"), std::get<NormalReturns>(m_returns).means.size()) {
  if (m_is_fixed) fill_factors();
}

template <class ExecutionSpace>
void Portfolio<ExecutionSpace>::fill_factors() {
  const auto& normal = std::get<NormalReturns>(m_returns);
  resize(std::max<std::int64_t>(normal.factors(), 1) + 1);
  const auto on_device = [&](const std::vector<double>& numbers) {
    return to_device<ExecutionSpace>(m_space, numbers);
  };
  for_each_index(
      "sporos::portfolio::fill_factors", m_space, dimension(),
      sporos::impl::nanoseconds_of_element * static_cast<double>(sample_size()),
      impl::FactorFiller<ExecutionSpace>{on_device(normal.means), on_device(normal.loadings), m_sample, m_means});
  m_space.fence();  // before what the kernel reads goes
  const auto& deviations = normal.deviations;
  if (std::all_of(deviations.begin(), deviations.end(), [](double deviation) { return deviation == 0; })) return;
  m_own_deviations = on_device(deviations);
  m_own_variances =
      Vector<ExecutionSpace>(Kokkos::view_alloc(m_space, "sporos::portfolio::own_variances"), deviations.size());
}

template <class ExecutionSpace>
Portfolio<ExecutionSpace>::Portfolio(HistoricalReturns returns, Days days, const ExecutionSpace& space)
    : m_space(space),
      m_returns(std::move(returns)),
      m_table(HistoricalTable(std::get<HistoricalReturns>(m_returns), days)),
      m_days(days),
      m_is_fixed(days == Days::all),
      m_means(Kokkos::view_alloc(space, "sporos::portfolio::means"),
              std::get<HistoricalReturns>(m_returns).names.size()) {
  if (days == Days::drawn) return;
  const std::int64_t day_count = std::get<HistoricalReturns>(m_returns).days();
  resize(day_count);
  fill_sample(std::get<HistoricalTable>(m_table).handle(), {0, 0, day_count});
}

template <class ExecutionSpace>
auto Portfolio<ExecutionSpace>::screen(std::int64_t repetitions) const
    -> std::optional<PortfolioScreen<ExecutionSpace>> {
  const auto* const table = std::get_if<NormalTable>(&m_table);
  if (m_is_fixed || table == nullptr || table->factors() > 0) return std::nullopt;
  return PortfolioScreen<ExecutionSpace>(std::get<NormalReturns>(m_returns), table->independent(), repetitions);
}

template <class ExecutionSpace>
void Portfolio<ExecutionSpace>::draw(const SampleRange& range) {
  if (m_is_fixed) return;
  if (range.size < 2) sporos::impl::refuse_parameter("sample size", fmt::format("{}", range.size), "at least 2");
  resize(range.size);
  std::visit([&](const auto& table) { draw_from(table, range); }, m_table);
}

template <class ExecutionSpace>
void Portfolio<ExecutionSpace>::resize(std::int64_t replications) {
  if (replications == sample_size()) return;
  const auto d = static_cast<std::size_t>(dimension()), n = static_cast<std::size_t>(replications);
  const auto unset = [](const std::string& label) { return Kokkos::view_alloc(Kokkos::WithoutInitializing, label); };
  m_sample = impl::CentredReturns<ExecutionSpace>();  // before there are two
  using MemorySpace = typename ExecutionSpace::memory_space;
  check_memory<MemorySpace>({"returns", replications, "replications", static_cast<double>(d) * sizeof(double)});
  m_sample = impl::CentredReturns<ExecutionSpace>(unset("sporos::portfolio::sample"), d, n);
  m_projection = Vector<ExecutionSpace>(unset("sporos::portfolio::projection"), n);
  const auto blocks = static_cast<std::size_t>(impl::BlockProjector<ExecutionSpace>::blocks(dimension()));
  if (blocks > 1) m_block_parts = decltype(m_block_parts)(unset("sporos::portfolio::parts"), blocks, n);
}

template <class ExecutionSpace>
void Portfolio<ExecutionSpace>::draw_from(const NormalTable& table, const SampleRange& range) {
  if (table.factors() == 0) return fill_sample(table.independent(), range);
  if (m_factors.extent(0) != static_cast<std::size_t>(range.size)) {
    m_factors = decltype(m_factors)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::portfolio::factors"),
                                    static_cast<std::size_t>(range.size), static_cast<std::size_t>(table.factors()));
  }
  for_each_index("sporos::portfolio::draw_factors", m_space, range.size,
                 impl::nanoseconds_of_draw * static_cast<double>(table.factors()),
                 impl::FactorDrawer<ExecutionSpace>{range.seed, range.first, m_factors});
  fill_sample(table.with_factors(m_factors.data(), range.first), range);
}

template <class ExecutionSpace>
void Portfolio<ExecutionSpace>::draw_from(const HistoricalTable& table, const SampleRange& range) {
  fill_sample(table.handle(), range);
}

template <class ExecutionSpace>
template <class Returns>
void Portfolio<ExecutionSpace>::fill_sample(const Returns& returns, const SampleRange& range) {
  using Drawer = impl::SampleDrawer<ExecutionSpace, Returns>;
  const std::int64_t tasks = (dimension() + Drawer::width - 1) / Drawer::width;
  const std::int64_t assets = std::min(dimension(), Drawer::width);
  for_each_index("sporos::portfolio::draw", m_space, tasks,
                 impl::nanoseconds_of_draw * static_cast<double>(assets * range.size),
                 Drawer{returns, range.seed, range.first, m_sample, m_means});
}

// v = Xᵀw.
template <class ExecutionSpace>
void Portfolio<ExecutionSpace>::project(const ConstVector<ExecutionSpace>& w) {
  if (sample_size() == 0) throw std::logic_error("there is no sample, expected a draw before the first estimate");
  impl::project_returns<ExecutionSpace>(m_space, m_sample, w, m_block_parts, m_projection);
}

template <class ExecutionSpace>
double Portfolio<ExecutionSpace>::variance(const ConstVector<ExecutionSpace>& w) {
  project(w);
  return dot<ExecutionSpace>(m_space, m_projection, m_projection) / static_cast<double>(sample_size() - 1) +
         own_variance(w);
}

// Σ σⱼ² wⱼ², which a sample has in it.
template <class ExecutionSpace>
double Portfolio<ExecutionSpace>::own_variance(const ConstVector<ExecutionSpace>& w) {
  if (m_own_deviations.extent(0) == 0) return 0;
  for_each_index("sporos::portfolio::own_variances", m_space, dimension(), sporos::impl::nanoseconds_of_element,
                 impl::OwnVariance<ExecutionSpace>{m_own_deviations, w, m_own_variances});
  return ordered_sum<ExecutionSpace>(m_space, m_own_variances);
}

template <class ExecutionSpace>
double Portfolio<ExecutionSpace>::objective(const ConstVector<ExecutionSpace>& w) {
  return 0.5 * variance(w) - dot<ExecutionSpace>(m_space, m_means, w);
}

template <class ExecutionSpace>
double Portfolio<ExecutionSpace>::curvature(const ConstVector<ExecutionSpace>& direction) {
  return variance(direction);
}

template <class ExecutionSpace>
void Portfolio<ExecutionSpace>::gradient(const ConstVector<ExecutionSpace>& w, const Vector<ExecutionSpace>& g) {
  project(w);
  impl::write_gradient<ExecutionSpace>(m_space, m_sample, m_means, m_projection, g);
  if (m_own_deviations.extent(0) == 0) return;
  for_each_index("sporos::portfolio::own_gradient", m_space, dimension(), sporos::impl::nanoseconds_of_element,
                 impl::OwnGradientAdder<ExecutionSpace>{m_own_deviations, w, g});
}

template <class ExecutionSpace>
double Portfolio<ExecutionSpace>::exact_objective(const ConstVector<ExecutionSpace>& w) const {
  m_space.fence();
  const auto weights = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), w);
  const std::span<const double> span(weights.data(), weights.size());
  if (const auto* normal = std::get_if<NormalReturns>(&m_returns)) return normal->objective(span);
  const auto& history = std::get<HistoricalReturns>(m_returns);
  return history.objective(span, m_days == Days::drawn ? history.days() : history.days() - 1);
}

}  // namespace sporos::models
