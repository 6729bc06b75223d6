// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/proportion.hpp>

#include <boost/math/distributions/binomial.hpp>

#include <stdexcept>
#include <string>

namespace sporos {

namespace {

void check(std::int64_t events, std::int64_t trials, double confidence) {
  if (trials < 1 || events < 0 || events > trials) {
    throw std::invalid_argument("events is " + std::to_string(events) + ", expected 0 to the number of trials, " +
                                std::to_string(trials) + ", which is at least 1");
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw std::invalid_argument("confidence is " + std::to_string(confidence) + ", expected a number between 0 and 1");
  }
}

}  // namespace

ProportionEstimate clopper_pearson(std::int64_t events, std::int64_t trials, double confidence) {
  check(events, trials, confidence);
  const double one_sided = 0.5 * (1 + confidence);
  return {static_cast<double>(events) / static_cast<double>(trials), proportion_at_least(events, trials, one_sided),
          proportion_at_most(events, trials, one_sided)};
}

double proportion_at_least(std::int64_t events, std::int64_t trials, double confidence) {
  check(events, trials, confidence);
  return boost::math::binomial::find_lower_bound_on_p(static_cast<double>(trials), static_cast<double>(events),
                                                      1 - confidence);
}

double proportion_at_most(std::int64_t events, std::int64_t trials, double confidence) {
  check(events, trials, confidence);
  return boost::math::binomial::find_upper_bound_on_p(static_cast<double>(trials), static_cast<double>(events),
                                                      1 - confidence);
}

}  // namespace sporos
