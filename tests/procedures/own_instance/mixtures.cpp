// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/backends.hpp>
#include <harness/own_instance.hpp>

#include <sporos/models/mixtures/drawn_samples.hpp>
#include <sporos/models/mixtures/observations.hpp>
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>
#include <sporos/procedures/mixture_fit.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace sporos::test {
namespace mixtures_tests {

// Σ (x_i − i)², plus a valley between neighbouring coordinates.
struct Valley {
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t n) const {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double off = x[i] - static_cast<double>(i), bend = i > 0 ? x[i] - x[i - 1] * x[i - 1] : 0.0;
      sum += off * off + 10 * bend * bend;
    }
    return sum;
  }
};

struct Minima {
  bool is_bounded;

  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    NelderMeadOptions options;
    options.evaluations = 300;
    options.oriented_restarts = 1;
    if (is_bounded) options.bounds = {{{-1, -1, -1}, {1, std::numeric_limits<double>::infinity(), 1.5}}};
    std::vector<SimplexStart> starts;
    for (int s = 0; s < 6; ++s) starts.push_back({std::vector<double>(3, 0.1 * s), std::vector<double>(3, 0.2)});
    if (is_bounded) options.bounds.resize(starts.size(), options.bounds.front());
    PointwiseObjective<Space, Valley> objective(Valley{}, space);
    std::vector<double> found;
    for (const auto& result : nelder_mead(objective, starts, options)) {
      found.push_back(result.value);
      found.insert(found.end(), result.point.begin(), result.point.end());
    }
    return found;
  }
};

struct Fits {
  bool is_binned;

  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    MixtureFitOptions options;
    options.max_components = 2;
    options.starts = 3;
    options.nelder_mead_starts = 2;
    options.em_iterations = 150;
    const models::NormalMixture truth = {{0.6, 0, 1}, {0.4, 5, 0.5}};
    const auto drawn = models::drawn_samples(space, truth, 1, 300, 1);
    const auto values = to_host<Space>(space, Kokkos::subview(drawn, 0, Kokkos::ALL));
    const MixtureFit fit =
        is_binned ? fit_mixtures(
                        space, models::BinnedObservations{{-4, -1, 0, 1, 3, 4.5, 5.5, 8}, {30, 60, 60, 30, 40, 60, 20}},
                        options)
                  : fit_mixtures(space, models::Observations{values, {}}, options);
    std::vector<double> found;
    for (const MixtureSizeFit& size : fit.sizes) {
      found.insert(found.end(), {size.log_likelihood, size.bic});
      if (!is_binned) found.push_back(size.icl);
      for (const auto& [weight, mean, deviation] : size.mixture) found.insert(found.end(), {weight, mean, deviation});
      for (const auto& error : size.standard_errors) found.push_back(error.mean);
    }
    return found;
  }
};

template <class Space>
class SimplicesOnOwnInstance : public ::testing::Test {};
TYPED_TEST_SUITE(SimplicesOnOwnInstance, Backends, BackendName);

TYPED_TEST(SimplicesOnOwnInstance, FindMinima) {
  expect_same_on_own_instance<TypeParam>(Minima{false});
  expect_same_on_own_instance<TypeParam>(Minima{true});
}

TYPED_TEST(SimplicesOnOwnInstance, FitMixtures) {
  expect_same_on_own_instance<TypeParam>(Fits{false});
  expect_same_on_own_instance<TypeParam>(Fits{true});
}

}  // namespace mixtures_tests
}  // namespace sporos::test
