// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean losses whose rows are divided between several processes: each process also computes alone what all compute
// together.
#include <sporos/core/distributed/mpi.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/sparse_features.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <harness/backends.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace distributed_tests {

using namespace sporos;
using models::DenseFeatures, models::PackedFeatures, models::SparseFeatures;
using models::GeneralizedLinear, models::LogisticLoss;

// Pseudo-random numbers: 64 bits, and a number between −1 and 1.
std::uint64_t some_bits(std::int64_t i) {
  std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
double some_number(std::int64_t i) { return static_cast<double>(some_bits(i) >> 11) * 0x1p-52 - 1; }

std::vector<double> some_numbers(std::int64_t count, std::int64_t seed) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(0.3 * some_number(i + 1000 * seed));
  return numbers;
}

std::vector<double> some_labels(std::int64_t count) {
  std::vector<double> labels;
  for (std::int64_t i = 0; i < count; ++i) labels.push_back(some_number(i) > 0.1 ? 1 : 0);
  return labels;
}

// Features of each kind, large enough to be divided: into the largest number of parts, into eight and into sixteen.
template <class Memory>
DenseFeatures<double, Memory> dense() {
  constexpr std::int64_t rows = 100'000, columns = 4;
  return {columns, some_numbers(rows * columns, 1)};
}

template <class Memory>
PackedFeatures<Memory> packed() {
  constexpr std::int64_t rows = 20'000, columns = 576;
  models::PackedRows made{columns, {}};
  for (std::int64_t i = 0; i < rows * columns / 64; ++i) made.words.push_back(some_bits(i));
  return PackedFeatures<Memory>(made);
}

template <class Memory>
SparseFeatures<Memory> sparse() {
  constexpr std::int64_t rows = 30'000, gap = 40;
  models::SparseRows made;
  made.columns = 300;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (auto j = static_cast<std::int64_t>(some_bits(i) % gap); j < made.columns; j += gap) {
      made.indices.push_back(static_cast<std::int32_t>(j));
      made.values.push_back(some_number(made.columns * i + j));
    }
    made.starts.push_back(static_cast<std::int64_t>(made.values.size()));
  }
  return SparseFeatures<Memory>(made);
}

template <class Space, class Features>
using Problem = models::LogisticClassification<Space, Features>;

template <class SomeProblem, class Features>
SomeProblem problem_of(const Features& features, Processes& processes) {
  return {features, some_labels(features.rows()), {0.01, true}, typename SomeProblem::execution_space(), processes};
}

using Bits = std::vector<std::uint64_t>;

Bits bits_of(const std::vector<double>& numbers) {
  Bits bits;
  for (const double x : numbers) bits.push_back(std::bit_cast<std::uint64_t>(x));
  return bits;
}

// Bits of all values that a problem computes on its sample.
template <class SomeProblem>
Bits values_of(SomeProblem& problem) {
  using Space = typename SomeProblem::execution_space;
  const auto w = to_device<Space>(some_numbers(problem.dimension(), 2));
  const auto v = to_device<Space>(some_numbers(problem.dimension(), 3));
  const Vector<Space> out("test::out", w.extent(0));
  std::vector<double> values{problem.objective(w)};
  const auto add = [&] {
    const auto found = to_host<Space>(out);
    values.insert(values.end(), found.begin(), found.end());
  };
  problem.gradient(w, out);
  add();
  values.push_back(problem.objective_and_gradient(w, out));
  add();
  problem.hessian_product(w, v, out);
  add();
  return bits_of(values);
}

template <class Space, class Features>
void expect_same_values(Processes& processes, const Features& features) {
  auto spread = problem_of<Problem<Space, Features>>(features, processes);
  auto whole = problem_of<Problem<Space, Features>>(features, single_process);
  const auto expect_same = [&] { EXPECT_EQ(values_of(spread), values_of(whole)); };
  expect_same();
  for (const std::int64_t size : {1, 3071, 3072, 150'000}) {
    SCOPED_TRACE(size);
    spread.draw({7, 100, size});
    whole.draw({7, 100, size});
    expect_same();
  }
  spread.draw_all();
  whole.draw_all();
  expect_same();
}

template <class Space>
struct SpreadClassification : ::testing::Test {
  using Memory = typename Space::memory_space;
  MpiProcesses processes{MPI_COMM_WORLD};
};
TYPED_TEST_SUITE(SpreadClassification, test::Backends, test::BackendName);

TYPED_TEST(SpreadClassification, OfDenseFeaturesHasTheSameBits) {
  expect_same_values<TypeParam>(this->processes, dense<typename TestFixture::Memory>());
}

TYPED_TEST(SpreadClassification, OfPackedFeaturesHasTheSameBits) {
  expect_same_values<TypeParam>(this->processes, packed<typename TestFixture::Memory>());
}

TYPED_TEST(SpreadClassification, OfSparseFeaturesHasTheSameBits) {
  expect_same_values<TypeParam>(this->processes, sparse<typename TestFixture::Memory>());
}

// Communication does not grow with the number of rows, and small samples need none.
TYPED_TEST(SpreadClassification, SaysLittle) {
  const auto features = dense<typename TestFixture::Memory>();
  auto problem = problem_of<Problem<TypeParam, std::decay_t<decltype(features)>>>(features, this->processes);
  const auto w = to_device<TypeParam>(some_numbers(problem.dimension(), 2));
  const Vector<TypeParam> g("test::gradient", w.extent(0));
  const auto said = [&](const auto& evaluate) {
    const MpiTraffic before = this->processes.traffic();
    evaluate();
    const MpiTraffic& after = this->processes.traffic();
    return MpiTraffic{after.collectives - before.collectives, after.draws - before.draws, after.bytes - before.bytes};
  };
  const MpiTraffic of_all = said([&] { problem.objective_and_gradient(w, g); });
  if (this->processes.count() == 1) {
    EXPECT_EQ(of_all.collectives, 0);
  } else {
    constexpr std::int64_t word = 8, max_nodes = models::SumOrder::most_left;
    EXPECT_EQ(of_all.collectives, 2);
    EXPECT_GT(of_all.bytes, 0);
    EXPECT_LE(of_all.bytes, word * (max_nodes * (features.columns() + 1) + models::max_parts));
  }
  problem.draw({1, 0, 500});
  EXPECT_EQ(said([&] { values_of(problem); }).collectives, 0);
}

// Bits of the solution and trajectory of an optimization, without times.
Bits course_of(const QuasiNewtonResult& result) {
  std::vector<double> numbers = result.solution;
  for (const auto& point : result.trajectory) {
    numbers.push_back(static_cast<double>(point.iteration));
    for (const double x : {point.objective, point.gradient_norm, point.step}) numbers.push_back(x);
  }
  numbers.push_back(static_cast<double>(result.counts.gradients));
  numbers.push_back(static_cast<double>(result.stopped_by));
  return bits_of(numbers);
}

template <class Space>
auto lbfgs_by(Processes& processes, const LbfgsOptions& options, const QuasiNewtonCallback& callback = {}) {
  using Features = SparseFeatures<typename Space::memory_space>;
  const auto features = sparse<typename Space::memory_space>();
  auto problem = problem_of<models::AllRows<Problem<Space, Features>>>(features, processes);
  return lbfgs(problem, std::vector<double>(static_cast<std::size_t>(problem.dimension())), options, callback);
}

template <class Space>
auto sqn_by(Processes& processes, SqnOptions options, const QuasiNewtonCallback& callback = {}) {
  using Features = DenseFeatures<double, typename Space::memory_space>;
  const auto features = dense<typename Space::memory_space>();
  auto problem = problem_of<Problem<Space, Features>>(features, processes);
  options.record_interval = 25;
  options.evaluation_size = 100'000;
  return sqn(problem, std::vector<double>(static_cast<std::size_t>(problem.dimension())), options, callback);
}

TYPED_TEST(SpreadClassification, IsOptimizedAsByOne) {
  LbfgsOptions options;
  options.iterations = 15;
  options.record_interval = 1;
  EXPECT_EQ(course_of(lbfgs_by<TypeParam>(this->processes, options)),
            course_of(lbfgs_by<TypeParam>(single_process, options)));
  SqnOptions stochastic;
  stochastic.iterations = 100;
  EXPECT_EQ(course_of(sqn_by<TypeParam>(this->processes, stochastic)),
            course_of(sqn_by<TypeParam>(single_process, stochastic)));
}

void expect_same_everywhere(Processes& processes, const QuasiNewtonResult& result, StoppedBy reason) {
  EXPECT_EQ(result.stopped_by, reason);
  const Bits mine = course_of(result);
  const Bits all = gather(processes, std::span<const std::uint64_t>(mine));
  ASSERT_EQ(all.size(), mine.size() * static_cast<std::size_t>(processes.count()));
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], mine[i % mine.size()]);
}

// The processes' clocks differ, but all processes stop at the same iteration.
TYPED_TEST(SpreadClassification, StopsTogetherAtATimeLimit) {
  LbfgsOptions options;
  options.iterations = 1'000'000;
  options.gradient_tolerance = 0;
  options.time_limit = 0.002;
  expect_same_everywhere(this->processes, lbfgs_by<TypeParam>(this->processes, options), StoppedBy::time_limit);
  SqnOptions stochastic;
  stochastic.iterations = 1'000'000'000;
  stochastic.time_limit = 0.1;
  expect_same_everywhere(this->processes, sqn_by<TypeParam>(this->processes, stochastic), StoppedBy::time_limit);
}

TYPED_TEST(SpreadClassification, StopsWhereOneProcessWantsTo) {
  const bool stops = this->processes.rank() == this->processes.count() - 1;
  const auto at_fifty = [&](const QuasiNewtonProgress& point) {
    return stops && point.iteration >= 50 ? Continuation::stop : Continuation::go_on;
  };
  SqnOptions stochastic;
  stochastic.iterations = 1'000'000'000;
  const auto result = sqn_by<TypeParam>(this->processes, stochastic, at_fifty);
  expect_same_everywhere(this->processes, result, StoppedBy::callback);
  EXPECT_EQ(result.iterations, 50);
}

}  // namespace distributed_tests
