// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A risk-averse decision with your own simulation: how much gas to buy in summer for each winter month, at a premium
// over its mean price in winter. In a cold winter, customers burn more and gas is expensive.
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/models/risk/mean_cvar.hpp>
#include <sporos/optimizers/derivative_check.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

constexpr std::int64_t months = 5;  // November to March

// Cost of one winter, in millions, if x[m] units have been bought for month m (a SimulatedCost).
struct Winter {
  enum Input { coldness, price_noise, input_count };

  KOKKOS_FUNCTION std::int64_t dimension() const { return months; }

  template <class Inputs, class Derivatives>
  KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, Derivatives& derivatives) const {
    constexpr double premium = 1.1, impact = 0.002;  // a large order raises the summer price
    double cost = 0, cold = 0;
    for (std::int64_t m = 0; m < months; ++m) {
      cold = 0.6 * cold + 0.8 * sporos::normal(inputs(coldness), 0, 1);  // cold months tend to follow each other
      const double burnt = 10 + 2 * cold;
      const double price = sporos::lognormal(inputs(price_noise), 0.2 * cold - 0.025, 0.1);  // mean about 1
      cost += x[m] * (premium + impact * x[m]) + price * (burnt - x[m]);
      derivatives.first(m, premium + 2 * impact * x[m] - price);  // ∂cost/∂x_m
      derivatives.second(m, m, 2 * impact);                       // ∂²cost/∂x_m²
    }
    return cost;
  }
};

void buy_well() {
  sporos::models::MeanCvarOptions risk;
  risk.level = 0.95;     // CVaR: the mean of the worst 5 % of winters
  risk.weight = 0.5;     // as important as the overall mean
  risk.smoothing = 0.1;  // in millions
  sporos::models::MeanCvar<Space, Winter> problem(Winter(), risk);

  sporos::LbfgsOptions options;
  options.sample_size = 20'000;  // number of winters
  options.gradient_tolerance = 1e-6;

  std::vector<double> start(months);
  problem.draw({1, 0, options.sample_size});
  start.push_back(problem.risk(start).value_at_risk);  // the last variable: value-at-risk of buying nothing
  if (!sporos::check_gradient(problem, start).is_right) std::printf("the cost's derivatives are wrong\n");

  const auto result = sporos::lbfgs(problem, start, options);
  std::printf("buy");
  for (std::int64_t m = 0; m < months; ++m) std::printf(" %.1f", result.solution[static_cast<std::size_t>(m)]);

  problem.draw({2, 0, 100'000});  // winters that the optimizer never used
  const auto before = problem.risk(start), after = problem.risk(result.solution);
  std::printf(": mean cost %.1f instead of %.1f, worst winters %.1f instead of %.1f\n", after.mean, before.mean,
              after.cvar, before.cvar);
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  buy_well();
  Kokkos::finalize();
}
