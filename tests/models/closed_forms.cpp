// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every model's estimates against the exact means of a run of the same length. Each interval misses with
// probability 10^-3 for a random seed. Each model runs with three fixed seeds, each with its own engine; with
// SPOROS_LONG_TESTS each seed runs with all engines. The controls are faults that these checks must find.
#include "model_checks.hpp"

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>

#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/models/walks/random_walk.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace closed_forms_tests {

using namespace sporos;
using models::MM1, models::MMCK, models::Pi, models::RandomWalk;
using test::misses, test::plan_with;
using Space = Kokkos::DefaultExecutionSpace;

template <class Model>
void expect_exact_means(const Model& model, std::int64_t replications) {
  constexpr std::array engines = {Engine::philox4x32, Engine::philox4x64, Engine::taus88};
  for (std::size_t seed = 0; seed < 3; ++seed) {
    for (std::size_t e = 0; e < engines.size(); ++e) {
      if (e != seed && !test::are_tests_long()) continue;
      const PointResult result = simulate(Space(), model, plan_with(seed + 1, replications, engines[e]));
      EXPECT_EQ(misses(result, model.exact_means()), 0)
          << Model::name << ", seed " << seed + 1 << ", " << name_of(engines[e]);
    }
  }
}

TEST(ClosedForms, Pi) { expect_exact_means(Pi{1000}, 2000); }
TEST(ClosedForms, MM1) {
  expect_exact_means(MM1{0.5, 1, 200, 0}, 2000);
  expect_exact_means(MM1{2.0, 1.0, 50, 0}, 2000);  // unstable, but the mean over 50 customers is known
  expect_exact_means(MM1{0.5, 1, 1, 0}, 2000);
}
TEST(ClosedForms, MM1ByHorizon) {
  expect_exact_means(MM1{1.0 / 3, 0.5, 0, 60}, 20000);
  expect_exact_means(MM1{2.0, 1.0, 0, 20}, 20000);  // unstable
  expect_exact_means(MM1{0.5, 1, 0, 1}, 20000);     // often no one arrives
}
TEST(ClosedForms, MMCK) {
  expect_exact_means(MMCK{4, 1, 3, 5, 20000}, 64);
  expect_exact_means(MMCK{0.5, 1, 1, 1, 20000}, 64);
  expect_exact_means(MMCK{3, 1, 4, 10, 20000}, 64);
}
TEST(ClosedForms, MMCKFromEmpty) {
  expect_exact_means(MMCK{4, 1, 3, 5, 200, 1}, 2000);
  expect_exact_means(MMCK{4, 1, 1, 2, 7, 1}, 2000);
  expect_exact_means(MMCK{0.5, 1, 2, 9, 4, 1}, 4000);
  expect_exact_means(MMCK{4, 1, 1, 1, 50, 1}, 200);  // no one waits
}
// With one customer, the mean number in system is S / (A + S), the share of time that the customer spends in service.
// For exponential times with rates λ and μ its expectation is λ μ / (μ − λ)² (ln(μ/λ) + λ/μ − 1).
TEST(ClosedForms, MMCKFromEmptyOfOneCustomer) {
  constexpr double lambda = 4, mu = 1;
  const double share = lambda * mu / ((mu - lambda) * (mu - lambda)) * (std::log(mu / lambda) + lambda / mu - 1);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const PointResult result = simulate(Space(), MMCK{lambda, mu, 2, 5, 1, 1}, plan_with(seed, 20000));
    EXPECT_EQ(misses(result, ExactMeans<MMCK>{share, std::nullopt, 0.0, share / 2}), 0);
    EXPECT_GT(misses(result, ExactMeans<MMCK>{0.98 * share}), 0) << "control";
  }
}

// Compares the model with the loop printed by Cheng (2014), Massively parallel programming in statistical optimization
// & simulation, with other random numbers. The difference of the means exceeds the sum of their 99.9 % half-widths with
// a probability of about 10^-5.
TEST(ClosedForms, MMCKFromEmptyIsThePapersLoop) {
  const MMCK model{4, 1, 3, 5, 60, 1};
  std::mt19937_64 engine(1);
  std::exponential_distribution<double> exponential;
  MomentsTree tree;
  for (int replication = 0; replication < 4000; ++replication) {
    constexpr double huge_time = 1e300;
    const auto service = [&](int busy) { return exponential(engine) / (model.service_rate * busy); };
    double time = 0, previous = 0, area = 0, next_arrival = exponential(engine) / model.arrival_rate;
    double next_departure = huge_time;
    int n = 0, busy = 0, entered = 0, departed = 0;
    while (departed < model.customers) {
      const bool arrives = next_arrival < next_departure;
      time = arrives ? next_arrival : next_departure;
      area += n * (time - previous);
      previous = time;
      if (arrives) {
        const bool enters = n < model.capacity;
        if (enters) {
          busy = std::min<int>(++n, 3);
          ++entered;
          next_departure = time + service(busy);
        }
        next_arrival = entered == model.customers ? huge_time : time + exponential(engine) / model.arrival_rate;
      } else {
        busy = std::min<int>(--n, 3);
        ++departed;
        next_departure = n > 0 ? time + service(busy) : huge_time;
      }
    }
    tree.add(area / time);
  }
  const Moments printed = tree.total();
  const auto ours = simulate(Space(), model, plan_with(1, 4000)).responses[0];
  const double reach = ours.half_width + half_width(printed, 0.999);
  EXPECT_NEAR(ours.mean, printed.mean, reach);
  EXPECT_GT(std::abs(*MMCK{4, 1, 3, 5, 60}.exact_means()[0] - printed.mean), reach) << "control: the stationary mean";
}

TEST(ClosedForms, RandomWalk) { expect_exact_means(RandomWalk{101, 4}, 20000); }

TEST(ExactMeans, AreTheKnownOnes) {
  const auto queue = MMCK{4, 1, 3, 5, 1}.exact_means();  // p_n ∝ 1, 4, 8, 32/3, 128/9, 512/27
  const double total = 1 + 4 + 8 + 32.0 / 3 + 128.0 / 9 + 512.0 / 27;
  EXPECT_NEAR(*queue[0], (4 + 16 + 32 + 4 * 128.0 / 9 + 5 * 512.0 / 27) / total, 1e-12);
  EXPECT_NEAR(*queue[0], 3.58306, 5e-6);
  EXPECT_NEAR(*queue[1], 512.0 / 27 / total, 1e-12);
  const auto long_run = MM1{0.5, 1, 1'000'000'000, 0}.exact_means();  // steady state: ρ / (μ − λ) = 1
  EXPECT_NEAR(*long_run[0], 1, 1e-6);
  EXPECT_NEAR(*long_run[1], 2, 1e-6);
  EXPECT_NEAR(*long_run[2], 1e9, 10);
  // Two customers: the second waits E[(S − A)^+] = λ / (μ (λ + μ)).
  EXPECT_NEAR(*(MM1{0.5, 1, 2, 0}.exact_means()[0]), 0.5 * (0.5 / 1.5), 1e-12);
  // Reference values come from the matrix exponential of the chain of number in system and arrivals. SciPy's
  // expm_multiply is applied to the generator, with a block that adds x/μ at each arrival that finds x and one that
  // integrates. The truncated states have 1e-15 of the mass.
  const std::array<std::array<double, 7>, 3> by_exponential = {
      {{0.5, 1, 3, 0.1839713498972072, 0.9608411897487775, 2.117823675505791, 0.1009412828444562},
       {2, 1, 4, 2.217258811081926, 3.2169233484540234, 0.855721326673326, 1.8383936946723294},
       {1.0 / 3, 0.5, 60, 2.6941343232649375, 4.694134319142631, 23.726440320707106, 0.8816637666627155}}};
  for (const auto& row : by_exponential) {
    const auto means = MM1{row[0], row[1], 0, row[2]}.exact_means();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(*means[i], row[i + 3], 1e-11 * row[i + 3]) << row[2] << ", " << i;
  }
  const auto steady = MM1{0.5, 1, 0, 25000}.exact_means();  // the empty start has little weight
  EXPECT_NEAR(*steady[0], 1, 1e-3);
  EXPECT_NEAR(*steady[3], 0.5, 1e-3);
  EXPECT_FALSE((MM1{0.5, 1, 0, 1e6}.exact_means()[0]));
  double sum = 0;
  for (const auto& share : RandomWalk{100, 3}.exact_means()) sum += *share;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_FALSE(RandomWalk({1'000'000, 1000}).exact_means()[0]);
}

TEST(ExactMeans, DoNotOverflowInLargeQueues) {
  for (const auto& queue : {MMCK{1e6, 1, 100000, 200000, 1}, MMCK{1e-6, 1, 3, 5000, 1}, MMCK{900, 1, 1000, 5000, 1}}) {
    for (const auto& mean : queue.exact_means()) EXPECT_TRUE(std::isfinite(*mean)) << queue.arrival_rate;
  }
}

// In an overloaded queue the number of free places is geometric. The sum skips the far tail, whose probabilities are
// too small for a double; visiting it would take seconds.
TEST(ExactMeans, PassOverNumbersThatAreNeverSeen) {
  const std::int64_t capacity = std::int64_t{1} << 33;
  const auto means = MMCK{4, 1, 3, capacity, 10}.exact_means();
  EXPECT_NEAR(*means[0], static_cast<double>(capacity) - 3, 1e-3);
  EXPECT_NEAR(*means[1], 0.25, 1e-12);
  EXPECT_NEAR(*means[3], 1, 1e-12);
  const auto idle = MMCK{1, 4, std::int64_t{1} << 33, std::int64_t{1} << 33, 10}.exact_means();
  EXPECT_NEAR(*idle[0], 0.25, 1e-12);
}

// The number of 2000 independent 95 % intervals that cover the mean lies in its binomial band, with error probability
// 10^-3 on each side.
TEST(Coverage, IsWhatThePlanAsksFor) {
  Plan plan;
  plan.replications = 20;
  plan.common_random_numbers = false;
  const MM1 model{0.5, 1, 20, 0};
  const std::vector<MM1> experiments(2000, model);  // identical except for their random numbers
  const double exact = *model.exact_means()[2];
  int covered = 0, covered_by_narrow = 0;
  for (const auto& experiment : simulate(Space(), std::span<const MM1>(experiments), plan).points) {
    const auto& idle = experiment.responses[2];
    covered += std::abs(idle.mean - exact) <= idle.half_width;
    covered_by_narrow += std::abs(idle.mean - exact) <= 0.9 * idle.half_width;
  }
  const auto [least, most] = test::binomial_band(2000, 0.95, 1e-3);
  EXPECT_GE(covered, least);
  EXPECT_LE(covered, most);
  EXPECT_LT(covered_by_narrow, least) << "control: intervals a tenth too narrow pass";
}

// Controls: faults that the checks above must find.

TEST(ClosedFormsControl, AShorterHorizonIsFound) {
  const PointResult result = simulate(Space(), MM1{1.0 / 3, 0.5, 0, 60}, plan_with(1, 20000));
  EXPECT_EQ(misses(result, MM1{1.0 / 3, 0.5, 0, 50}.exact_means()), 4);
}

TEST(ClosedFormsControl, AServerTooManyIsFound) {
  const PointResult from_empty = simulate(Space(), MMCK{4, 1, 3, 5, 20, 1}, plan_with(1, 2000));
  ExactMeans<MMCK> stationary_wait;
  stationary_wait[2] = MMCK{4, 1, 3, 5, 20}.exact_means()[2];
  EXPECT_GT(misses(from_empty, stationary_wait), 0);
  const PointResult result = simulate(Space(), MMCK{4, 1, 4, 5, 20000}, plan_with(1, 64));
  EXPECT_GT(misses(result, MMCK{4, 1, 3, 5, 20000}.exact_means()), 0);
}

// Runs `model` with a faulty source of uniforms and counts the misses.
template <class FaultyEngine, class Model>
int misses_with(const Model& model, std::int64_t replications) {
  const Design<Model, Space> design(model, 1);
  const Outputs<Space> outputs("outputs", replications, response_count<Model>);
  replicate_with<EngineSource<FaultyEngine>, Model>(Space(), design, {}, {0, replications}, Mapping::thread, outputs);
  ReplicationSummary summary(response_count<Model>);
  const std::vector<std::string> names(Model::response_names.begin(), Model::response_names.end());
  const std::uint64_t seed = 1;
  LaunchSummary<Space> launched;
  launched.summarize(Space(), outputs, {0, replications}, 0, {}, std::span(&seed, 1));
  launched.add_to(summary, 0, 0, replications, names);
  return misses({impl::estimates(summary, names, 0.999), replications, 0, {}}, model.exact_means());
}

// Engine that cuts one draw in 64 to the lower half of [0, 1).
struct BiasedEngine {
  static constexpr int draws_per_block = 2;
  KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, 2> block(const Stream& stream, std::uint64_t b) {
    auto draws = Philox4x32::block(stream, b);
    if (b % 32 == 0) draws[0] >>= 1;
    return draws;
  }
};

// Engine from which every input variable of every replication reads the same stream.
struct OneStreamEngine {
  static constexpr int draws_per_block = 2;
  KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, 2> block(const Stream& stream, std::uint64_t b) {
    return Philox4x32::block({stream.seed, stream.replication, 0}, b);
  }
};

TEST(ClosedFormsControl, ABiasedEngineIsFound) { EXPECT_GT(misses_with<BiasedEngine>(Pi{1000}, 2000), 0); }
TEST(ClosedFormsControl, OverlappingStreamsAreFound) {
  EXPECT_GT(misses_with<OneStreamEngine>(Pi{1000}, 2000), 0);
  EXPECT_GT((misses_with<OneStreamEngine>(MM1{0.5, 1, 200, 0}, 2000)), 0);
}
TEST(ClosedFormsControl, TheEngineWithoutFaultIsNot) { EXPECT_EQ(misses_with<Philox4x32>(Pi{1000}, 2000), 0); }

}  // namespace closed_forms_tests
