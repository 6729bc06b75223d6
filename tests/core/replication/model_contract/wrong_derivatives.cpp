// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variates that do not have the derivatives that are requested.
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>

// expected: likelihood ratios have no derivatives with respect to the ends of a distribution
template <class Real, class Inputs>
double end_of(Inputs& inputs) {
  sporos::LikelihoodInputs<Inputs, Real> scored(inputs);
  return sporos::value_of(sporos::uniform(scored(0), 0.0, Real(1))) +
         sporos::value_of(sporos::triangular(scored(0), 0.0, 1.0, Real(2)));
}

// expected: a count is a step function of its parameter and has no pathwise derivative
template <class Real, class Inputs>
double count_of(Inputs& inputs) {
  return sporos::poisson(inputs(0), Real(1)) + sporos::geometric(inputs(0), Real(1));
}

double run_all(sporos::impl::AnyInputs& inputs) {
  return end_of<sporos::Dual<1>>(inputs) + count_of<sporos::Dual<1>>(inputs);
}
