// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that data members which are not parameters keep their values when a model is copied, converted to dual
// numbers, or varied.
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/procedures/ranking_and_selection/model_launcher.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace sporos::test {
namespace carried_members_tests {

using Host = Kokkos::DefaultHostExecutionSpace;

constexpr double price = 3, fee = 0.5, scale = 1.25;

// The parameters of all models below, and their replication.
template <class Model, class Real>
constexpr auto parameters_of() {
  return std::tuple{Parameter<Model, Real>{"mean", &Model::mean, 2, "", "", nullptr},
                    Parameter<Model, Real>{"stock", &Model::stock, 1.5, "", "", nullptr}};
}

template <class Real, class Inputs>
KOKKOS_FUNCTION Kokkos::Array<Real, 2> profit(Inputs& inputs, const Real& mean, const Real& stock, double of_sale,
                                              const Real& factor, double of_stock) {
  const Real demand = exponential_by_mean(inputs(0), mean);
  return {{of_sale * factor * math::min(demand, stock) - of_stock * stock, factor * demand * demand}};
}

// A model in which all numbers are parameters or constants of the source code.
template <class Real = double>
struct BasicPlain {
  Real mean, stock;

  enum Input { demand, input_count };
  static constexpr auto response_names = std::array{"profit", "square"};
  static constexpr auto parameters() { return parameters_of<BasicPlain, Real>(); }
  void check() const {}

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 2> operator()(Inputs& inputs) const {
    return profit<Real>(inputs, mean, stock, price, Real(scale), fee);
  }
};

// BasicPlain with numbers from an application: in a View, in a constant, and in an array inside a struct.
template <class Real = double>
struct BasicCarrying {
  struct Scales {
    Kokkos::Array<Real, 2> values;
  };

  Real mean;
  const double* prices;
  Scales scales;
  Real stock;
  double fee = 0;

  enum Input { demand, input_count };
  static constexpr auto response_names = std::array{"profit", "square"};
  static constexpr auto parameters() { return parameters_of<BasicCarrying, Real>(); }
  void check() const {}

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 2> operator()(Inputs& inputs) const {
    return profit<Real>(inputs, mean, stock, prices[0], scales.values[1], fee);
  }
};

// BasicPlain with private members and a converting constructor.
template <class Real = double>
class BasicConverted {
 public:
  enum Input { demand, input_count };
  static constexpr auto response_names = std::array{"profit", "square"};
  static constexpr auto parameters() { return parameters_of<BasicConverted, Real>(); }
  void check() const {}

  BasicConverted() = default;
  BasicConverted(double mean_, double stock_, const double* prices)
      : mean(mean_), stock(stock_), m_prices(prices), m_fee(fee) {}
  template <class Other>
  explicit BasicConverted(const BasicConverted<Other>& other)
      : mean(other.mean), stock(other.stock), m_prices(other.m_prices), m_fee(other.m_fee) {}

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 2> operator()(Inputs& inputs) const {
    return profit<Real>(inputs, mean, stock, m_prices[0], Real(scale), m_fee);
  }

  Real mean, stock;

 private:
  template <class Other>
  friend class BasicConverted;

  const double* m_prices;
  double m_fee;
};

const double prices[] = {price};

BasicPlain<> plain() { return {2, 1.5}; }
BasicCarrying<> carrying() { return {2, prices, {{{7, scale}}}, 1.5, fee}; }
BasicConverted<> converted() { return {2, 1.5, prices}; }

// Results that one use of a model yields.
using Numbers = std::vector<double>;

void append(Numbers& numbers, const PointResult& point) {
  numbers.push_back(static_cast<double>(point.digest));
  for (const ResponseEstimate& response : point.responses) numbers.push_back(response.mean);
}
void append(Numbers& numbers, const ExperimentResult& result) {
  for (const PointResult& point : result.points) append(numbers, point);
}

Plan plan_of(std::int64_t replications) {
  Plan plan;
  plan.replications = replications;
  return plan;
}

template <class Model>
Numbers by_estimates(const Model& model) {
  Numbers numbers;
  append(numbers, simulate(Host(), model, plan_of(100)));
  append(numbers, simulate(Host(), std::vector<Model>(3, model), plan_of(100)));
  return numbers;
}

template <class Model>
Numbers by_a_checkpoint(const Model& model) {
  const std::span<const Model> design(&model, 1);
  Checkpoints checkpoints;
  checkpoints.start = simulate(Host(), design, plan_of(100)).state;
  Numbers numbers;
  append(numbers, simulate(Host(), design, plan_of(200), {}, {}, single_process, checkpoints));
  return numbers;
}

template <template <class, int> class Derivatives, class Model>
Numbers by_derivatives(const Model& model) {
  Numbers numbers;
  append(numbers, simulate(Host(), Derivatives<Model, 2>(model, {"stock", "mean"}), plan_of(100)));
  return numbers;
}

// Samples of a search, with one pass for each group of `directions` decision variables.
template <class Estimator, int directions, class Model>
Numbers by_samples(const Model& model) {
  const std::vector<Decision> decisions{{"mean", 0.1, 9}, {"stock", 0.1, 9}};
  SimulatedObjective<Model, Host, directions, Estimator> problem(Host(), model, decisions,
                                                                 weighted_sum({{"profit", 1}, {"square", 2}}));
  std::vector<Sample> samples{{{1.2, 3}, 1, 0, 64, false}};
  if (problem.has_gradient()) samples.push_back({{1.2, 3}, 1, 0, 64, true});
  if (problem.has_curvature()) {
    samples.push_back({{1.2, 3}, 1, 0, 64, true});
    samples.back().direction = {1, 0};
  }
  Numbers numbers;
  for (const SampleMoments& moments : problem.simulate(samples)) {
    for (const auto* found : {&moments.means, &moments.products, &moments.slopes, &moments.curvatures}) {
      numbers.insert(numbers.end(), found->begin(), found->end());
    }
  }
  return numbers;
}

template <class Model>
Numbers by_systems(const Model& model) {
  const SystemGrid grid({{"stock", {1, 2, 3}}});
  ModelLauncher<Model, Host> launcher(Host(), model, grid, {0, false, 1, true});
  const std::vector<std::int64_t> systems{0, 1, 2}, ends{4, 8, 12}, made{0, 0, 0};
  Numbers responses(12);
  launcher.launch({systems.data(), ends.data(), made.data(), 3, 0, 12, responses.data()});
  return responses;
}

template <class Model>
std::vector<Numbers> everywhere(const Model& model) {
  return {by_estimates(model),
          by_a_checkpoint(model),
          by_derivatives<Pathwise>(model),
          by_derivatives<LikelihoodRatio>(model),
          by_samples<PathwiseEstimator, 8>(model),
          by_samples<PathwiseEstimator, 1>(model),
          by_samples<LikelihoodRatioEstimator, 2>(model),
          by_samples<SecondOrderEstimator, 2>(model),
          by_systems(model)};
}

TEST(CarriedMembers, KeepTheirValuesEverywhere) {
  const std::vector<Numbers> expected = everywhere(plain());
  EXPECT_EQ(everywhere(carrying()), expected);
  EXPECT_EQ(everywhere(converted()), expected);
}

// The control: other values of the same members change the results of every use.
TEST(CarriedMembers, MatterEverywhere) {
  const std::vector<Numbers> expected = everywhere(plain());
  BasicCarrying<> other = carrying();
  other.fee = 0;
  const std::vector<Numbers> found = everywhere(other);
  for (std::size_t place = 0; place < found.size(); ++place) EXPECT_NE(found[place], expected[place]) << place;
}

// Means are identical with and without gradients.
TEST(CarriedMembers, HaveTheSameMeansWithGradients) {
  const Numbers numbers = by_samples<PathwiseEstimator, 8>(carrying());
  ASSERT_GT(numbers.size(), 2u);
  EXPECT_EQ(numbers[0], numbers[2]);  // mean and sum of squares: sample without gradients, then sample with gradients
  EXPECT_EQ(numbers[1], numbers[3]);
}

}  // namespace carried_members_tests
}  // namespace sporos::test
