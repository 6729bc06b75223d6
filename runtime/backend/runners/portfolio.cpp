// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/runners/run_frank_wolfe.hpp>
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/optimization/tasks.hpp>

#include <sporos/models/finance/portfolio.hpp>
#include <sporos/optimizers/frank_wolfe/regions/balls.hpp>
#include <sporos/optimizers/frank_wolfe/regions/bounded_simplex.hpp>
#include <sporos/optimizers/frank_wolfe/regions/box.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/regions/product.hpp>

namespace sporos::runtime {

namespace {

using Space = SPOROS_BACKEND;
using Portfolio = models::Portfolio<Space>;
using Kind = PortfolioRegionKind;

Portfolio portfolio_of(const PortfolioTask& task) {
  if (const auto* normal = std::get_if<models::NormalReturns>(&task.returns)) return Portfolio(*normal, task.moments);
  return Portfolio(std::get<models::HistoricalReturns>(task.returns), task.days);
}

// A common type for all regions except the unbounded budget, which has a separate, faster type.
using AnyRegion = Product<Space, L1Ball<Space>, L2Ball<Space>, Box<Space>, KSparse<Space>, BoundedSimplex<Space>>;

AnyRegion region_of(const PortfolioRegion& region, std::int64_t dimension) {
  const auto only = [](AnyRegion::Block block) { return AnyRegion({std::move(block)}); };
  if (region.kind == Kind::l1_ball) return only(L1Ball<Space>(dimension, region.limit));
  if (region.kind == Kind::l2_ball) return only(L2Ball<Space>(dimension, region.limit));
  if (region.kind == Kind::k_sparse) return only(KSparse<Space>(dimension, region.nonzeros, region.limit));
  const auto& [low, high] = region.bounds;
  if (region.kind == Kind::full_investment) return only(BoundedSimplex<Space>(low, high, region.limit));
  return only(Box<Space>(low, high));
}

OptimizationOutcome optimized_portfolio(const PortfolioTask& task, const OptimizationRun& run) {
  Portfolio portfolio = portfolio_of(task);
  const auto& region = task.region;
  if (!region.is_bounded && (region.kind == Kind::budget || region.kind == Kind::full_investment)) {
    const bool must_be_met = region.kind == Kind::full_investment;
    return impl::run_frank_wolfe(portfolio, Budget<Space>(portfolio.dimension(), region.limit, must_be_met), run);
  }
  return impl::run_frank_wolfe(portfolio, region_of(region, portfolio.dimension()), run);
}

}  // namespace

template <>
std::any task_runner<PortfolioTask>() {
  return &optimized_portfolio;
}

}  // namespace sporos::runtime
