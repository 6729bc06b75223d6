// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares models and optimizers on real data with scikit-learn.
#include "harness/backends.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/data_files.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/preparation.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::test {
namespace classification_reference_tests {

// Breast cancer data, standardized to mean 0 and deviation 1 over all 569 rows, by scikit-learn 1.9.1:
//
//   X = StandardScaler().fit_transform(load_breast_cancer().data)    # label 1: malignant
//   LogisticRegression(C=1 / (penalty * 569), solver="newton-cholesky", tol=1e-12, max_iter=100000)
//
// objective = mean(logaddexp(0, m) - z m) + penalty / 2 w.w at these coefficients, where the norm of the gradient is
// below 2e-12. The lbfgs of scikit-learn, with the same tolerance, ends 4e-15 and 2e-11 above these values.
struct Reference {
  double penalty, objective, intercept;
  std::vector<double> coefficients;
};

const Reference strongly_penalized{
    0.01,
    0.09959137548470548,
    -0.4952696910897791,
    {0.4160541730425871,   0.45497872275978846,   0.40394362061972877, 0.41409209949512915,  0.1599062855343715,
     -0.09518598735183591, 0.4701364552685543,    0.5459909101255745,  0.044354296180363406, -0.29211719292237454,
     0.6454818042332554,   -0.07737955726643177,  0.44936206458552896, 0.4931156130853426,   0.09368810233059137,
     -0.38406743659840287, -0.042564295893130634, 0.16917962724938498, -0.18668660284978128, -0.33763168136438615,
     0.6297804233080426,   0.7214503179667213,    0.5652203808407763,  0.5756971369529118,   0.5075708606549191,
     0.11372642307047597,  0.5120287632741476,    0.6109079303518452,  0.5317691065674692,   0.18914817742372464}};

const Reference weakly_penalized{
    1.0 / 569,
    0.06636018622473809,
    -0.21450271739736942,
    {0.3630925319064732,   0.3876754424085947,   0.3510621186677119, 0.4356098032751113,   0.16183110280313306,
     -0.5626540337053748,  0.8599171195795223,   0.9622802234768021, -0.07620903147701863, -0.3222262369502913,
     1.2909422896656908,   -0.2689219013860394,  0.6599745965524894, 1.0125577321734929,   0.27721295891285497,
     -0.7363240127821215,  -0.11053932078344791, 0.3334076188727381, -0.2957930258946485,  -0.6809196730549373,
     1.029262261634046,    1.3146076344380306,   0.8233473825619099, 1.0107068321012709,   0.6706819627714257,
     -0.04456425178974238, 0.873333916512152,    0.9120031219156354, 0.8878373243044494,   0.4798189080384456}};

struct StandardizedData {
  models::DenseRows rows;
  std::vector<double> labels;
};

StandardizedData breast_cancer() {
  auto read = models::read_classified_csv(SPOROS_SAMPLE_DATA "/breast_cancer.csv", "diagnosis");
  models::standardization_of(read.features).apply(read.features);
  return {std::move(read.features), std::move(read.labels)};
}

template <class Space>
using Features = models::DenseFeatures<double, typename Space::memory_space>;

std::vector<double> solution_of(const Reference& reference) {
  std::vector<double> w = reference.coefficients;
  w.push_back(reference.intercept);
  return w;
}

template <class Space>
class ClassificationOn : public ::testing::Test {
 protected:
  static constexpr double tolerance = 1e-6;  // relative, of the objective
  using Problem = models::LogisticClassification<Space, Features<Space>>;

  template <class SomeProblem = models::AllRows<Problem>>
  SomeProblem problem(double penalty) const {
    return SomeProblem(Features<Space>(m_data.rows), m_data.labels, models::GeneralizedLinearOptions{penalty, true});
  }
  std::vector<double> zero() const { return std::vector<double>(static_cast<std::size_t>(m_data.rows.columns) + 1); }

  // Relative difference between the objective over all rows and the reference.
  double distance(const Reference& reference, const std::vector<double>& w) const {
    return problem(reference.penalty).objective(to_device<Space>(w)) / reference.objective - 1;
  }

  StandardizedData m_data = breast_cancer();
};
TYPED_TEST_SUITE(ClassificationOn, Backends, BackendName);

TYPED_TEST(ClassificationOn, HasTheReferencesForMinima) {
  constexpr double rounding = 1e-13, gradient_of_reference = 1e-11;
  for (const auto& reference : {strongly_penalized, weakly_penalized}) {
    const auto w = solution_of(reference);
    EXPECT_NEAR(this->distance(reference, w), 0, rounding);
    auto problem = this->problem(reference.penalty);
    const Vector<TypeParam> gradient("gradient", w.size());
    problem.gradient(to_device<TypeParam>(w), gradient);
    EXPECT_LT(norm<TypeParam>(problem.execution(), gradient), gradient_of_reference);
  }
}

TYPED_TEST(ClassificationOn, LbfgsFindsTheMinimum) {
  constexpr double of_coefficients = 1e-5;
  for (const auto& reference : {strongly_penalized, weakly_penalized}) {
    auto problem = this->problem(reference.penalty);
    const auto result = lbfgs(problem, this->zero());
    EXPECT_EQ(result.stopped_by, StoppedBy::gradient);
    EXPECT_LT(this->distance(reference, result.solution), this->tolerance);
    EXPECT_GT(this->distance(reference, result.solution), -1e-13);
    const auto expected = solution_of(reference);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(result.solution[j], expected[j], of_coefficients) << j;
    }
  }
}

// The control: the tolerance distinguishes a penalty from one that is 1 % smaller.
TYPED_TEST(ClassificationOn, LbfgsOfAnotherPenaltyFindsAnotherMinimum) {
  auto problem = this->problem(0.99 * strongly_penalized.penalty);
  EXPECT_GT(this->distance(strongly_penalized, lbfgs(problem, this->zero()).solution), 4 * this->tolerance);
}

// With seed 1 the gaps are 2.8e-4 and 1.9e-3.
TYPED_TEST(ClassificationOn, SqnComesNear) {
  for (const auto& [reference, gap] : {std::pair{strongly_penalized, 1e-3}, std::pair{weakly_penalized, 5e-3}}) {
    auto problem = this->template problem<typename TestFixture::Problem>(reference.penalty);
    const auto result = sqn(problem, this->zero());
    EXPECT_EQ(result.iterations, 2000);
    const double distance = this->distance(reference, result.solution);
    EXPECT_LT(distance, gap);
    EXPECT_GT(distance, 0);
  }
}

}  // namespace classification_reference_tests
}  // namespace sporos::test
