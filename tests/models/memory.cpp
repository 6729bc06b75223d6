// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>
#include <harness/memory_limit.hpp>

#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/sparse_features.hpp>
#include <sporos/models/finance/portfolio.hpp>
#include <sporos/models/mixtures/drawn_samples.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

/// Data that do not fit into memory are refused before they are stored.
namespace memory_tests {

using namespace sporos;
using namespace sporos::models;

template <class Space>
class DataMemory : public ::testing::Test {
 public:
  static std::string sentence(const std::string& need, const std::string& fitting) {
    return need + ", " + test::owner_of_memory<Space>() + " has 1 MiB free: at most " + fitting + " would fit";
  }

  const test::MemoryLimit limit{"1048576"};
};
TYPED_TEST_SUITE(DataMemory, test::Backends, test::BackendName);

TYPED_TEST(DataMemory, IsAskedForDenseFeatures) {
  using MemorySpace = typename TypeParam::memory_space;
  const DenseRows rows{10, std::vector<double>(400'000, 1.0)};
  EXPECT_EQ(test::shortage([&] { DenseFeatures<double, MemorySpace>{rows}; }),
            this->sentence("the features of 40000 rows need 3.052 MiB", "13107 rows"));
  EXPECT_EQ(test::shortage([&] { DenseFeatures<float, MemorySpace>{rows}; }),
            this->sentence("the features of 40000 rows need 1.526 MiB", "26214 rows"));
}

TYPED_TEST(DataMemory, IsAskedForSparseAndPackedFeatures) {
  SparseRows sparse;
  sparse.columns = 2;
  for (int row = 0; row < 60'000; ++row) {
    sparse.indices.push_back(row % 2);
    sparse.values.push_back(1);
    sparse.starts.push_back(row + 1);
  }
  EXPECT_EQ(test::shortage([&] { SparseFeatures<typename TypeParam::memory_space>{sparse}; }),
            this->sentence("the features of 60000 rows need 1.144 MiB", "52428 rows"));
  const PackedRows packed{64, std::vector<std::uint64_t>(200'000)};
  EXPECT_EQ(test::shortage([&] { PackedFeatures<typename TypeParam::memory_space>{packed}; }),
            this->sentence("the features of 200000 rows need 1.526 MiB", "131072 rows"));
}

TYPED_TEST(DataMemory, IsAskedForReturns) {
  HistoricalReturns returns{{"A", "B"}, {}, std::vector<double>(200'000)};
  for (std::size_t i = 0; i < returns.values.size(); ++i) returns.values[i] = static_cast<double>(i % 7);
  EXPECT_EQ(test::shortage([&] { Portfolio<TypeParam>(returns, Days::drawn); }),
            this->sentence("the returns of 100000 days need 1.526 MiB", "65536 days"));
  returns.values.resize(20);
  Portfolio<TypeParam> portfolio(returns, Days::drawn);
  EXPECT_EQ(test::shortage([&] {
              portfolio.draw({1, 0, 100'000});
            }),
            this->sentence("the returns of 100000 replications need 1.526 MiB", "65536 replications"));
}

TYPED_TEST(DataMemory, IsAskedForObservations) {
  const Observations sample{std::vector<double>(100'000, 1.0), {}};
  EXPECT_EQ(test::shortage([&] { MixtureLikelihood<TypeParam>(sample, TypeParam()); }),
            this->sentence("the values and weights of 100000 observations need 1.526 MiB", "65536 observations"));
  const NormalMixture mixture{{1.0, 0.0, 1.0}};
  EXPECT_EQ(test::shortage([&] { drawn_samples(TypeParam(), mixture, 100, 2000, 1); }),
            this->sentence("the observations of 100 samples need 1.526 MiB", "65 samples"));
}

}  // namespace memory_tests
