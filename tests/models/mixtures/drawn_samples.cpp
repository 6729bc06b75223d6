// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/mixtures/drawn_samples.hpp>
#include <sporos/models/mixtures/expectation_maximization.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>

#include "harness/backends.hpp"
#include "harness/refusal.hpp"
#include "harness/serial_or_host.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::models {
namespace drawn_samples_tests {

using test::SerialOrHost;

NormalMixture three_groups() { return {{0.2, -4, 0.5}, {0.5, 0, 1}, {0.3, 3, 2}}; }

template <class Space>
std::vector<double> row_of(const RowMatrix<Space>& samples, std::size_t row) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), samples);
  return {&host(row, 0), &host(row, 0) + host.extent(1)};
}

template <class Space>
class DrawnSamplesTest : public ::testing::Test {};
TYPED_TEST_SUITE(DrawnSamplesTest, test::Backends, test::BackendName);

TYPED_TEST(DrawnSamplesTest, AreTheSameBitsEverywhereAndWhateverTheirNumber) {
  const auto here = drawn_samples(TypeParam(), three_groups(), 5, 100, 3);
  const auto serial = drawn_samples(SerialOrHost(), three_groups(), 3, 40, 3);
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<double> first = row_of<TypeParam>(here, row);
    first.resize(40);
    EXPECT_EQ(first, row_of<SerialOrHost>(serial, row));
  }
  EXPECT_NE(row_of<TypeParam>(here, 0), row_of<TypeParam>(here, 1));
}

// Mean and deviation of 10^6 draws lie within 5 standard errors of the exact values; chance exceeds this with a
// probability below 1e-6. The control is a mixture with another weight.
TYPED_TEST(DrawnSamplesTest, HaveTheMixturesMoments) {
  constexpr std::int64_t size = 1'000'000;
  const auto mean_of = [](const NormalMixture& mixture) {
    return moments(Observations{row_of<TypeParam>(drawn_samples(TypeParam(), mixture, 1, size, 1), 0)});
  };
  double mean = 0, square = 0;
  for (const auto& [w, m, s] : three_groups()) {
    mean += w * m;
    square += w * (m * m + s * s);
  }
  const double deviation = std::sqrt(square - mean * mean), error = deviation / std::sqrt(static_cast<double>(size));
  const SampleMoments found = mean_of(three_groups());
  EXPECT_NEAR(found.mean, mean, 5 * error);
  EXPECT_NEAR(found.deviation, deviation, 5 * error);
  const SampleMoments control = mean_of({{0.21, -4, 0.5}, {0.49, 0, 1}, {0.3, 3, 2}});
  EXPECT_GT(std::abs(control.mean - mean), 5 * error);
}

// Each mixture is evaluated with its own sample, as if that were the only one.
TYPED_TEST(DrawnSamplesTest, AreJudgedOneByOne) {
  const auto samples = drawn_samples(TypeParam(), three_groups(), 3, 2500, 9);
  const std::vector<std::int32_t> of_mixtures = {2, 0, 1, 2};
  const NormalMixture other = {{0.5, 0, 1}, {0.5, 1, 2}};
  MixtureLikelihood<TypeParam> together(samples);
  const Vector<TypeParam> values("values", of_mixtures.size());
  together.evaluate(to_batch<TypeParam>({three_groups(), other, other, other}, of_mixtures), values);
  const auto found = to_host<TypeParam>(values);
  for (std::size_t m = 0; m < of_mixtures.size(); ++m) {
    MixtureLikelihood<TypeParam> separate(
        Observations{row_of<TypeParam>(samples, static_cast<std::size_t>(of_mixtures[m]))});
    EXPECT_EQ(found[m], log_likelihood(separate, m == 0 ? three_groups() : other)) << m;
  }
  const std::vector<EmFit> fits = maximize_by_em(together, {other, other}, {}, {}, {1, 2});
  MixtureLikelihood<TypeParam> separate(Observations{row_of<TypeParam>(samples, 2)});
  EXPECT_EQ(fits[1].log_likelihood, maximize_by_em(separate, {other})[0].log_likelihood);
  EXPECT_NE(fits[1].log_likelihood, fits[0].log_likelihood);
}

TEST(DrawnSamples, AreNeededByALikelihood) {
  const RowMatrix<SerialOrHost> none("none", 0, 5), empty("empty", 2, 0);
  EXPECT_EQ(test::refusal([&] { MixtureLikelihood<SerialOrHost> likelihood(none); }),
            "number of samples is 0, expected at least 1");
  EXPECT_EQ(test::refusal([&] { MixtureLikelihood<SerialOrHost> likelihood(empty); }),
            "number of observations is 0, expected at least 1");
}

}  // namespace drawn_samples_tests
}  // namespace sporos::models
