// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures how fast log-likelihoods of normal mixtures are evaluated on every backend, with and without the sums for
// their gradient. Evaluates one mixture and many in a launch, in double and in float. Also measures how fast the
// machine computes exponentials. mixtures.py compares the results with peers.
#include "../harness/npy_file.hpp"
#include "../harness/program.hpp"
#include "exponential_rates.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/recorded_launches.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sporos;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

struct Case {
  std::int64_t observations = 32'768, components = 10, mixtures = 64;
  std::uint64_t seed = 1;
  std::string instance;
};

struct Instance {
  models::Observations sample;
  std::vector<models::NormalMixture> mixtures;
};

// Mixtures of many shapes, and a sample of the first of them. No observation is so far from the components of any
// mixture that a float underflows, because the peers do not handle underflow.
Instance random_instance(const Case& of) {
  std::mt19937_64 engine(of.seed);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  Instance instance;
  for (std::int64_t m = 0; m < of.mixtures; ++m) {
    models::NormalMixture mixture;
    double sum = 0;
    for (std::int64_t c = 0; c < of.components; ++c) {
      const double share = (static_cast<double>(c) + uniform(engine)) / static_cast<double>(of.components);
      mixture.push_back({0.2 + uniform(engine), 10 * share - 5, 0.8 + uniform(engine)});
      sum += mixture.back().weight;
    }
    for (auto& component : mixture) component.weight /= sum;
    instance.mixtures.push_back(mixture);
  }
  const auto& first = instance.mixtures.front();
  for (std::int64_t i = 0; i < of.observations; ++i) {
    const auto& component = first[static_cast<std::size_t>(i) % first.size()];
    instance.sample.values.push_back(component.mean + component.deviation * normal(engine));
  }
  return instance;
}

// Log-likelihood L of every mixture and, in the order of a batch's parameters, ∂L/∂ ln w, ∂L/∂μ and ∂L/∂ ln σ.
struct Evaluation {
  std::vector<double> values, gradients;
};

template <class Space, class Real>
class Evaluator {
 public:
  Evaluator(const models::Observations& sample, const std::vector<models::NormalMixture>& mixtures)
      : m_likelihood(sample),
        m_mixtures(mixtures),
        m_batch(models::to_batch<Space>(mixtures)),
        m_values("sporos::bench::values", mixtures.size()),
        m_sums("sporos::bench::sums", mixtures.size(), m_batch.parameters.extent(1)) {}

  void launch(bool has_sums) {
    if (has_sums) {
      m_likelihood.evaluate(m_batch, m_values, m_sums);
    } else {
      m_likelihood.evaluate(m_batch, m_values);
    }
  }

  const Space& execution() const { return m_likelihood.execution(); }
  void wait() { execution().fence(); }

  void run(bool has_sums) {
    launch(has_sums);
    wait();
  }

  Evaluation found() {
    run(true);
    const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_values);
    const auto sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_sums);
    Evaluation found;
    for (std::size_t m = 0; m < m_mixtures.size(); ++m) {
      const std::size_t k = m_mixtures[m].size();
      found.values.push_back(values(m));
      for (std::size_t c = 0; c < k; ++c) found.gradients.push_back(sums(m, c));
      for (std::size_t c = 0; c < k; ++c) found.gradients.push_back(sums(m, k + c) / m_mixtures[m][c].deviation);
      for (std::size_t c = 0; c < k; ++c) found.gradients.push_back(sums(m, 2 * k + c) - sums(m, c));
    }
    return found;
  }

 private:
  models::MixtureLikelihood<Space, Real> m_likelihood;
  std::vector<models::NormalMixture> m_mixtures;
  models::MixtureBatch<Space> m_batch;
  Vector<Space> m_values;
  RowMatrix<Space> m_sums;
};

// Throws std::runtime_error if an entry of `found` differs from `expected` by more than `tolerance` times the largest
// entry.
void check(const char* what, const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  double error = 0, scale = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error = std::fmax(error, std::abs(found[i] - expected[i]));
    scale = std::fmax(scale, std::abs(expected[i]));
  }
  if (error <= tolerance * scale) return;
  throw std::runtime_error(
      fmt::format("the error of {} is {:g}, expected {:g} at most", what, error / scale, tolerance));
}

template <class Space, class Real>
void add_benchmarks(const Instance& instance, const Evaluation& expected) {
  const bool is_double = sizeof(Real) == sizeof(double);
  const Evaluation found = Evaluator<Space, Real>(instance.sample, instance.mixtures).found();
  check("values", found.values, expected.values, is_double ? 1e-12 : 1e-6);
  check("gradients", found.gradients, expected.gradients, is_double ? 1e-12 : 1e-5);
  // Waits for each evaluation. On a device it also waits only after many: values stay on the device, as for an
  // optimizer.
  constexpr benchmark::IterationCount queue = runs_on_host<Space> ? 1 : 256;
  const auto add = [&](const std::string& way, bool has_sums, std::size_t count, benchmark::IterationCount launches,
                       bool is_recorded = false) {
    const std::string name = std::string(has_sums ? "gradient/" : "value/").append(backend_name<Space>()) +
                             (is_double ? "/float64/" : "/float32/") + way;
    benchmark::RegisterBenchmark(
        name.c_str(),
        [&instance, has_sums, count, launches, is_recorded](benchmark::State& state) {
          auto mixtures = instance.mixtures;
          mixtures.resize(count);
          Evaluator<Space, Real> evaluator(instance.sample, mixtures);
          evaluator.run(has_sums);
          std::function<void()> run = [&] {
            for (benchmark::IterationCount i = 0; i < launches; ++i) evaluator.launch(has_sums);
          };
          if (is_recorded) run = [all = RecordedLaunches<Space>(evaluator.execution(), run)] { all.run(); };
          double launching = 0;
          while (state.KeepRunningBatch(launches)) {
            const Kokkos::Timer timer;
            run();
            launching += timer.seconds();
            evaluator.wait();
          }
          if (launches > 1) state.counters["launching_us"] = 1e6 * launching / static_cast<double>(state.iterations());
          state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(mixtures.size()));
        })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  };
  for (int sums = 0; sums < 2; ++sums) {
    add("single", sums == 1, 1, 1);
    add("batch", sums == 1, instance.mixtures.size(), 1);
    if (queue > 1) add("batch_recorded", sums == 1, instance.mixtures.size(), 1, true);
    if (queue > 1) add("queued", sums == 1, 1, queue);
    if (queue > 1) add("recorded", sums == 1, 1, queue, true);
  }
}

void add_benchmarks(const Case& of) {
  static const Instance instance = random_instance(of);
  const Evaluation expected = Evaluator<Kokkos::Serial, double>(instance.sample, instance.mixtures).found();
  if (!of.instance.empty()) {
    std::vector<double> parameters;
    for (const auto& mixture : instance.mixtures) {
      for (const auto& component : mixture) parameters.push_back(component.weight);
      for (const auto& component : mixture) parameters.push_back(component.mean);
      for (const auto& component : mixture) parameters.push_back(component.deviation);
    }
    bench::write_matrix(of.instance + "/observations.npy", instance.sample.values, 1);
    bench::write_matrix(of.instance + "/mixtures.npy", parameters, 3 * of.components);
    bench::write_matrix(of.instance + "/values.npy", expected.values, 1);
    bench::write_matrix(of.instance + "/gradients.npy", expected.gradients, 3 * of.components);
  }
  for_each_backend([&]<class Space>(const Space&) {
    add_benchmarks<Space, double>(instance, expected);
    add_benchmarks<Space, float>(instance, expected);
  });
  bench::register_exponential_rates();
}

}  // namespace

int main(int argc, char** argv) {
  Case of;
  bench::OptionParser app("Log-likelihoods of normal mixtures; takes --benchmark_… options too.", "bench_mixtures");
  app.add_option("--observations", of.observations).positive();
  app.add_option("--components", of.components, "of each mixture").between(std::int64_t{1}, models::max_components);
  app.add_option("--mixtures", of.mixtures, "of a batch").positive();
  app.add_option("--seed", of.seed, "of observations and mixtures");
  app.add_option("--write-instance", of.instance,
                 "folder for observations, mixtures, values and gradients as NPY files");
  return sporos::bench::run_benchmarks(app, argc, argv, [&] { add_benchmarks(of); });
}
