// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures a newsvendor of many products with fill-rate constraints, each a weighted sum over all products. The values
// and derivatives of cost and constraints in a sample are compared with a floor that only draws the same demands. The
// method of multipliers is run too, with the distance of its final point from the exact optimum.
#include "../harness/min_time.hpp"
#include "../harness/program.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/models/inventory/newsvendor.hpp>
#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/procedures/fill_rate_newsvendor.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

struct FillRateCase {
  std::int64_t products = 100'000, rates = 20, sample = 100, budget = 20'000;
  double least = 0.97;
};

struct Instance {
  models::NewsvendorProducts products;
  models::NewsvendorFillRates rates;
  std::vector<double> means;
};

Instance instance_of(const FillRateCase& of) {
  Instance made{models::generated_newsvendor(1, of.products, 1).products,
                models::generated_fill_rates(1, of.products, of.rates, of.least),
                {}};
  for (const auto& demand : made.products.demand) made.means.push_back(demand.mean());
  return made;
}

// Sums the demands of a sample.
template <class Space>
struct DrawnDemands {
  Kokkos::View<const models::NormalDemand*, typename Space::memory_space> demands;
  models::NewsvendorSample sample;
  static constexpr std::size_t block_size = runs_on_host<Space> ? 32 : 1;

  KOKKOS_FUNCTION void operator()(std::int64_t block, double& sum) const {
    const std::int64_t first = block * static_cast<std::int64_t>(block_size);
    const auto left = static_cast<std::size_t>(static_cast<std::int64_t>(demands.extent(0)) - first);
    const std::size_t count = left < block_size ? left : block_size;
    Kokkos::Array<double, block_size> u;
    for (std::int64_t i = 0; i < sample.range.size; ++i) {
      sample.uniforms(first, i, u);
      for (std::size_t j = 0; j < count; ++j) sum += demands(first + static_cast<std::int64_t>(j)).quantile(u[j]);
    }
  }
};

template <class Space>
void run_floor(benchmark::State& state, const Space& space, const FillRateCase& of) {
  const Instance made = instance_of(of);
  const models::ProductDemands<models::NormalDemand, typename Space::memory_space> demands(made.products.demand);
  using Draws = DrawnDemands<Space>;
  const auto blocks =
      (of.products + static_cast<std::int64_t>(Draws::block_size) - 1) / static_cast<std::int64_t>(Draws::block_size);
  for (auto _ : state) {
    double sum = 0;
    const double before = processor_seconds();
    Kokkos::parallel_reduce("sporos::bench::floor",
                            Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, blocks),
                            Draws{demands.view(), {{1, 0, of.sample}}}, sum);
    state.SetIterationTime(processor_seconds() - before);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * of.sample * of.products);
}

template <class Space>
void run_sample(benchmark::State& state, const Space& space, const FillRateCase& of, bool has_gradient) {
  const Instance made = instance_of(of);
  FillRateNewsvendor<Space> problem(space, made.products, made.rates);
  const std::vector<Sample> samples{{made.means, 1, 0, of.sample, has_gradient}};
  for (auto _ : state) {
    const double before = processor_seconds();
    benchmark::DoNotOptimize(problem.simulate(samples));
    state.SetIterationTime(processor_seconds() - before);
  }
  state.SetItemsProcessed(state.iterations() * of.sample * of.products);
}

template <class Space>
void run_search(benchmark::State& state, const Space& space, const FillRateCase& of) {
  const Instance made = instance_of(of);
  FillRateNewsvendor<Space> problem(space, made.products, made.rates);
  const auto optimum = models::fill_rate_optimum(made.products, made.rates);
  models::Newsvendor<Space> exact(space, made.products);
  const auto cost = [&](const std::vector<double>& x) { return exact.exact_objective(to_device<Space>(space, x)); };
  const std::vector<double> max_lost = made.rates.max_lost(made.products);
  for (auto _ : state) {
    const double before = processor_seconds();
    const auto found =
        run_searches(problem, [](SearchRun& run) { return augmented_lagrangian(run, {}); }, made.means, of.budget, {1});
    const double seconds = processor_seconds() - before;
    state.SetIterationTime(seconds);
    const std::vector<double>& x = found.front().x;
    double excess = 0;
    const models::ProductDemands<models::NormalDemand, Kokkos::HostSpace> demands(made.products.demand);
    for (std::size_t i = 0; i < max_lost.size(); ++i) {
      double lost = 0;
      for (std::size_t j = 0; j < x.size(); ++j)
        lost += made.rates.weights[i * x.size() + j] * (demands.view()(j).cdf_integral(x[j]) + made.means[j] - x[j]);
      excess = std::max(excess, lost / max_lost[i] - 1);
    }
    const double least = cost(optimum.quantities);
    state.counters["optimum"] = least;
    state.counters["relative_distance"] = cost(x) / least - 1;
    state.counters["relative_excess"] = excess;
    state.counters["replications"] = static_cast<double>(found.front().replications);
    state.counters["ns_per_demand"] =
        seconds * 1e9 / static_cast<double>(found.front().replications) / static_cast<double>(of.products);
  }
}

void add_all(const FillRateCase& of) {
  for_each_backend([&]<class Space>(const Space& space) {
    const auto add = [&](const std::string& what, const auto& measure) {
      return benchmark::RegisterBenchmark(fmt::format("{}/{}", backend_name<Space>(), what).c_str(), measure)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("floor", [=](benchmark::State& state) { run_floor(state, space, of); });
    add("values", [=](benchmark::State& state) { run_sample(state, space, of, false); });
    add("gradients", [=](benchmark::State& state) { run_sample(state, space, of, true); });
    add("augmented-lagrangian", [=](benchmark::State& state) { run_search(state, space, of); })->Iterations(1);
  });
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::FillRateCase of;
  sporos::bench::OptionParser app("Newsvendors under fill rates; takes --benchmark_... options too.",
                                  "bench_fill_rates");
  app.add_option("--products", of.products, "that are ordered").positive();
  app.add_option("--rates", of.rates, "fill rates, each of all products").positive();
  app.add_option("--sample", of.sample, "replications of a sample").positive();
  app.add_option("--budget", of.budget, "replications of the search").positive();
  return sporos::bench::run_benchmarks(app, argc, argv, [&] { sporos::bench::add_all(of); });
}
