// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/inventory/burr_demand.hpp>

#include <boost/math/special_functions/beta.hpp>

#include <cmath>

namespace sporos::models {

namespace {

// Policy under which errors give NaN or infinity.
using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

}  // namespace

// ∫ P(D > t) dt up to the stock, and above it. These are incomplete beta functions of w = t^alpha / (1 + t^alpha) or of
// 1 − w, whichever is smaller.
MeanSales burr_mean_sales(double alpha, double beta, double stock) {
  const double a = 1 / alpha, b = beta - a;
  const double w = 1 / (1 + std::pow(stock, -alpha)), rest = 1 / (1 + std::pow(stock, alpha));
  if (w < rest) return {a * boost::math::beta(a, b, w, Quiet()), a * boost::math::betac(a, b, w, Quiet())};
  return {a * boost::math::betac(b, a, rest, Quiet()), a * boost::math::beta(b, a, rest, Quiet())};
}

}  // namespace sporos::models
