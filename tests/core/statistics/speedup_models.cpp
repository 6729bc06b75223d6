// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/refusal.hpp>

#include <sporos/core/statistics/speedup_models.hpp>
#include <sporos/core/statistics/two_term_fit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace speedup_models_tests {

using namespace sporos;

TEST(ThreadingModel, HasTheValuesThatOneComputesByHand) {
  // OpenMP with T_W = 1 s in Lee (2012), Hybrid parallel computing strategies for scientific computing applications,
  // table 3.1.
  const ThreadingModel model{100, 1, 0.0424};
  EXPECT_DOUBLE_EQ(model.time(1), 100 + 0.0424);
  EXPECT_DOUBLE_EQ(model.time(8), 13 + 8 * 0.0424);  // of 100 elements, each thread takes 12, and 4 are left over
  EXPECT_DOUBLE_EQ(model.speedup(10), 10 / 1.0424);
  EXPECT_DOUBLE_EQ(model.speedup(100), 100 / (1 + 4.24));
  EXPECT_DOUBLE_EQ(model.best_threads(), std::sqrt(100 / 0.0424));
  EXPECT_GT(model.speedup(48), model.speedup(47));  // the optimum is at 48.6 threads
  EXPECT_LT(model.speedup(50), model.speedup(49));
}

TEST(ThreadingModel, GainsAllThreadsWhereTheyCostNothing) {
  const ThreadingModel model{64, 0.5, 0};
  EXPECT_EQ(model.speedup(64), 64);
  EXPECT_EQ(model.sequential_time() / model.time(64), 64);
  EXPECT_TRUE(std::isinf(model.best_threads()));
}

TEST(ScaledEfficiency, HasTheValuesThatOneComputesByHand) {
  EXPECT_DOUBLE_EQ(scaled_efficiency(50, 1.0 / 60, 0.06), 1 / 1.05);
  EXPECT_EQ(scaled_efficiency(1000, 0, 1), 1);
}

// Times of a model with noise of a relative standard deviation of `noise`.
std::vector<ThreadsTime> noisy_times(const ThreadingModel& model, double noise, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal(1, noise);
  std::vector<ThreadsTime> times;
  for (std::int64_t threads = 1; threads <= 32; ++threads)
    times.push_back({threads, model.time(threads) * normal(engine)});
  return times;
}

TEST(ThreadingModel, IsFoundInTimesWithoutNoise) {
  const ThreadingModel model{60, 0.1, 0.07};
  const ThreadingModel found = fit_threading_model(60, noisy_times(model, 0, 1));
  EXPECT_NEAR(found.element_time, 0.1, 1e-12);
  EXPECT_NEAR(found.thread_time, 0.07, 1e-12);
}

// By the normal equations, the fitted constants have standard errors of 0.87 % and 0.59 % under noise of 2 %. For
// random seeds, the probability that one of the 40 constants is off by more than five standard errors is 2e-5.
TEST(ThreadingModel, IsFoundInTimesWithNoise) {
  const ThreadingModel model{60, 0.1, 0.07};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ThreadingModel found = fit_threading_model(60, noisy_times(model, 0.02, seed));
    EXPECT_NEAR(found.element_time / 0.1, 1, 0.044) << seed;
    EXPECT_NEAR(found.thread_time / 0.07, 1, 0.03) << seed;
  }
  // Control: the fit detects a larger time per thread.
  const ThreadingModel other{60, 0.1, 0.08};
  EXPECT_GT(fit_threading_model(60, noisy_times(other, 0.02, 1)).thread_time / 0.07, 1.03);
}

TEST(ThreadingModel, RefusesWhatIsNoMeasurement) {
  const auto fit = [](std::int64_t elements, const std::vector<ThreadsTime>& times) {
    return test::refusal([&] { fit_threading_model(elements, times); });
  };
  EXPECT_EQ(fit(0, {{1, 1}, {2, 1}}), "number of elements is 0, expected at least 1");
  EXPECT_EQ(fit(8, {{0, 1}, {2, 1}}), "number of threads is 0, expected at least 1");
  EXPECT_EQ(fit(8, {{1, 1}}), "number of measured values is 1, expected at least 2");
  EXPECT_EQ(fit(8, {{1, 1}, {2, -1}}), "measured value is -1.000000, expected a finite positive number");
}

TEST(TwoTermFit, HasNoNegativeCoefficient) {
  // The line through these values is 2 x - 1, with a negative coefficient.
  const std::vector<TwoTermValue> values{{1, 1, 1}, {1, 2, 3}, {1, 3, 5}};
  const TwoTermFit fit = fit_two_terms(values);
  EXPECT_EQ(fit.first, 0);
  const double slope = (1 + 2.0 / 3 + 3.0 / 5) / (1 + 4.0 / 9 + 9.0 / 25);  // computed by hand
  EXPECT_DOUBLE_EQ(fit.second, slope);
  EXPECT_GT(fit.error, 0.1);
}

TEST(TwoTermFit, NeedsNoSecondTerm) {
  // The two terms are proportional, so that the fit cannot separate them.
  const std::vector<TwoTermValue> values{{1, 1, 3}, {2, 2, 6}};
  const TwoTermFit fit = fit_two_terms(values);
  EXPECT_DOUBLE_EQ(fit.first + fit.second, 3);
  EXPECT_LT(fit.error, 1e-15);
}

// Constants of Lee (2012), section 4.2.2: 3 ms to start a copy, 4 bytes at 4.3 GB/s, 2 and 0.2 ns an instruction.
TEST(OffloadModel, IsThePapers) {
  const OffloadModel model{4 / 4.3e9, 3e-3, 2e-9, 2e-10, 10'000};
  EXPECT_DOUBLE_EQ(model.transfer_time(1 << 20), (1 << 20) * 4 / 4.3e9 + 3e-3);
  EXPECT_DOUBLE_EQ(model.device_time(10'001, 200), 200 * 2e-9 * 2 + model.transfer_time(10'001));
  EXPECT_DOUBLE_EQ(model.host_time(10'000, 200), 200 * 2e-10 * 10'000);
  EXPECT_DOUBLE_EQ(model.speedup(10'000, 200), model.host_time(10'000, 200) / model.device_time(10'000, 200));
  // The limit for much reuse is p t_CPU / t_GPU, Lee's theoretical maximum of 1000.
  EXPECT_NEAR(model.speedup(1'000'000'000, 1e9), 1000, 1);
  // Lee states that a speedup of 10 requires a reuse of some tens, however many words, and more than a megabyte.
  EXPECT_LT(model.speedup(1'000'000'000, 40), 10);
  EXPECT_LT(model.speedup(1 << 18, 200), 10);
}

}  // namespace speedup_models_tests
