// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/serial_or_host.hpp"

#include <harness/backends.hpp>

#include <sporos/core/distributed/mpi.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/mixtures/drawn_samples.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/procedures/mixture_bootstrap.hpp>
#include <sporos/procedures/mixture_fit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Several processes run these tests together. Each process also computes alone what all compute together.

namespace sporos {
namespace distributed_fit_tests {

using models::BinnedObservations;
using models::MixtureLikelihood;
using models::NormalMixture;
using models::Observations;
using test::SerialOrHost;

const NormalMixture truth = {{0.6, 0, 1}, {0.3, 5, 0.5}, {0.1, 9, 1}};
const std::vector<NormalMixture> guesses = {truth, {{1, 2, 3}}, {{0.5, 1, 1}, {0.5, 6, 2}}};

Observations drawn(std::size_t size) {
  const auto sample = models::drawn_samples(SerialOrHost(), truth, 1, static_cast<std::int64_t>(size), 1);
  return {{sample.data(), sample.data() + size}};
}

// A histogram of 100 bins, more than one chunk.
BinnedObservations histogram() {
  BinnedObservations sample;
  for (int i = 0; i <= 100; ++i) sample.edges.push_back(-5 + 0.2 * i);
  for (int i = 0; i < 100; ++i) sample.counts.push_back(i * 7 % 13);
  return sample;
}

struct Evaluation {
  std::vector<double> values, sums;
  bool operator==(const Evaluation&) const = default;
};

template <class Space, class Real>
Evaluation evaluation(MixtureLikelihood<Space, Real> likelihood) {
  const auto batch = models::to_batch<Space>(guesses);
  const Vector<Space> values("values", guesses.size()), again("again", guesses.size());
  const RowMatrix<Space> sums("sums", guesses.size(), 9);
  likelihood.evaluate(batch, values, sums);
  likelihood.evaluate(batch, again);
  likelihood.execution().fence();
  Evaluation found{to_host<Space>(values), {}};
  for (const double value : to_host<Space>(again)) found.values.push_back(value);
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (std::size_t m = 0; m < guesses.size(); ++m) {
    for (std::size_t j = 0; j < 3 * guesses[m].size(); ++j) found.sums.push_back(rows(m, j));
  }
  return found;
}

template <class Space>
class DistributedFit : public ::testing::Test {
 protected:
  MpiProcesses processes{MPI_COMM_WORLD};
};
TYPED_TEST_SUITE(DistributedFit, test::Backends, test::BackendName);

TYPED_TEST(DistributedFit, LikelihoodsAreTheSameAsAlone) {
  const TypeParam space;
  for (const std::size_t size : {1, 100, 2048, 2049, 5000, 20'000}) {
    SCOPED_TRACE(size);
    const Observations sample = drawn(size);
    using InDouble = MixtureLikelihood<TypeParam>;
    using InFloat = MixtureLikelihood<TypeParam, float>;
    EXPECT_EQ(evaluation(InDouble(sample, space, this->processes)), evaluation(InDouble(sample, space)));
    EXPECT_EQ(evaluation(InFloat(sample, space, this->processes)), evaluation(InFloat(sample, space)));
  }
  using OfBins = MixtureLikelihood<TypeParam>;
  EXPECT_EQ(evaluation(OfBins(histogram(), space, this->processes)), evaluation(OfBins(histogram(), space)));
}

// For 20 000 observations, processes exchange ten numbers for each mixture and chunk of 2048; for one chunk, nothing.
TYPED_TEST(DistributedFit, LittleIsSaid) {
  for (const std::size_t size : {2000, 20'000}) {
    MixtureLikelihood<TypeParam> likelihood(drawn(size), TypeParam(), this->processes);
    const MpiTraffic before = this->processes.traffic();
    evaluation(likelihood);
    const std::int64_t calls = size > 2048 ? 2 : 0, chunks = size > 2048 ? 10 : 0;
    EXPECT_EQ(this->processes.traffic().collectives - before.collectives, this->processes.count() > 1 ? calls : 0);
    EXPECT_LE(this->processes.traffic().bytes - before.bytes, chunks * 3 * (10 + 1) * 8);
  }
}

// All numbers of a fit except times.
std::vector<double> numbers_of(const MixtureFit& fit) {
  std::vector<double> numbers{static_cast<double>(fit.chosen), fit.is_whole ? 1.0 : 0.0};
  for (const MixtureSizeFit& size : fit.sizes) {
    for (const double number : models::parameters_of(size.mixture)) numbers.push_back(number);
    for (const auto& start : size.starts) numbers.push_back(start.log_posterior);
    for (const auto& error : size.standard_errors) numbers.push_back(error.mean);
    for (const double criterion : {size.bic, size.icl, size.log_posterior}) numbers.push_back(criterion);
  }
  return numbers;
}

MixtureFitOptions quick() {
  MixtureFitOptions options;
  options.max_components = 3;
  options.starts = 2;
  options.nelder_mead_starts = 1;
  options.nelder_mead.evaluations = 100;
  return options;
}

TYPED_TEST(DistributedFit, FitsAreTheSameAsAlone) {
  const Observations sample = drawn(5000);
  const MixtureFit fit = fit_mixtures(TypeParam(), sample, quick(), {}, nullptr, this->processes);
  EXPECT_EQ(fit.sizes[fit.chosen].components(), 3);
  EXPECT_EQ(numbers_of(fit), numbers_of(fit_mixtures(TypeParam(), sample, quick())));
}

TYPED_TEST(DistributedFit, BootstrapsAreTheSameAsAlone) {
  MixtureFitOptions options = quick();
  options.max_components = 2;
  const MixtureFit fit = fit_mixtures(TypeParam(), drawn(3000), options);
  MixtureBootstrapOptions bootstrap;
  bootstrap.samples = 19;
  const auto together = bootstrap_mixtures(TypeParam(), fit, bootstrap, {}, nullptr, this->processes);
  const auto by_one = bootstrap_mixtures(TypeParam(), fit, bootstrap);
  ASSERT_TRUE(together && by_one);
  ASSERT_EQ(together->tests.size(), by_one->tests.size());
  EXPECT_EQ(together->tests.front().p_value, by_one->tests.front().p_value);
  EXPECT_EQ(together->tests.front().critical, by_one->tests.front().critical);
}

// Only the last process requests a stop; all processes stop, with identical results.
TYPED_TEST(DistributedFit, StopWhereOneProcessWantsTo) {
  int looks = 0;
  const auto callback = [&](const MixtureFitProgress&) {
    const bool is_last = this->processes.rank() == this->processes.count() - 1;
    return ++looks > 3 && is_last ? Continuation::stop : Continuation::go_on;
  };
  const MixtureFit fit = fit_mixtures(TypeParam(), drawn(5000), quick(), callback, nullptr, this->processes);
  EXPECT_FALSE(fit.is_whole);
  const auto best = gather(this->processes, fit.sizes[0].log_posterior);
  for (const double of_other : best) EXPECT_EQ(of_other, fit.sizes[0].log_posterior);
  EXPECT_EQ(greatest(this->processes, looks), looks);
}

// The control of the comparison of bits above: sums over other chunks have other bits.
TEST(DistributedFitControl, SumsOverOtherChunksHaveOtherBits) {
  Observations sample = drawn(5000), turned = sample;
  std::rotate(turned.values.begin(), turned.values.begin() + 1000, turned.values.end());
  using Likelihood = MixtureLikelihood<SerialOrHost>;
  EXPECT_NE(evaluation(Likelihood(sample)), evaluation(Likelihood(turned)));
}

}  // namespace distributed_fit_tests
}  // namespace sporos
