// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/models/finance/normal_returns.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::bench {

namespace {

models::NormalReturns returns_of(const FrankWolfeCase& of) {
  if (of.instance.empty()) return models::paper_portfolio(of.size, of.seed);
  return {of.vector("mu"), of.vector("sigma"), {}};
}

// Draws the standard normals of an epoch in blocks of assets and adds them up, so that the compiler cannot remove any.
template <class ExecutionSpace>
struct NormalDrawer {
  static constexpr std::int64_t width = runs_on_host<ExecutionSpace> ? 64 : 2;
  std::int64_t samples;

  KOKKOS_FUNCTION void operator()(std::int64_t block, double& sum) const {
    double normals[width];
    for (std::int64_t s = 0; s < samples; ++s) {
      fill_standard_normals({1, static_cast<std::uint64_t>(s), 0}, static_cast<std::uint64_t>(block * width), width,
                            normals);
      for (std::int64_t i = 0; i < width; ++i) sum += normals[i];
    }
  }
};

template <class ExecutionSpace>
FrankWolfeOutcome timed_portfolio(const ExecutionSpace& space, const FrankWolfeCase& of) {
  const models::NormalReturns returns = returns_of(of);
  models::Portfolio<ExecutionSpace> problem(returns, space);
  auto region = unit_simplex<ExecutionSpace>(of.size);
  const auto [solution, seconds, iterations, certificate] = timed_frank_wolfe(problem, region, of);
  return {seconds, iterations, certificate, returns.objective(solution)};
}

}  // namespace

void register_portfolio(const FrankWolfeCase& of) {
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    register_case<ExecutionSpace>(
        of, [=] { return timed_portfolio(space, of); },
        [=] { return seconds_of_draws<ExecutionSpace, NormalDrawer<ExecutionSpace>, double>(space, of); });
  });
}

}  // namespace sporos::bench
