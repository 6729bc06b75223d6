// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/critical_values.hpp>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <limits>
#include <stdexcept>

namespace sporos {

double student_t(double confidence, std::int64_t observations) {
  // A quantile takes 3 µs, as long as a small experiment, and successive experiments request the same one: cache it.
  thread_local double last_confidence = std::numeric_limits<double>::quiet_NaN(), last = 0;
  thread_local std::int64_t last_observations = 0;
  if (confidence == 1) {
    throw std::invalid_argument(
        "confidence is so close to 1 that simultaneous intervals would each require 1: use a smaller confidence");
  }
  if (confidence == last_confidence && observations == last_observations) return last;
  const boost::math::students_t distribution(static_cast<double>(observations - 1));
  last = boost::math::quantile(boost::math::complement(distribution, 0.5 * (1.0 - confidence)));
  last_confidence = confidence;
  last_observations = observations;
  return last;
}

double one_sided_student_t(double confidence, std::int64_t observations) {
  return confidence > 0.5 ? student_t(2 * confidence - 1, observations) : 0;
}

double student_t_quantile(double probability, double degrees_of_freedom) {
  const boost::math::students_t distribution(degrees_of_freedom);
  // (1 + confidence) / 2 rounds to 1 for the largest confidence below 1.
  if (probability == 1) return boost::math::quantile(boost::math::complement(distribution, 0x1p-54));
  return boost::math::quantile(distribution, probability);
}

double normal_z(double confidence) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), 0.5 * (1.0 - confidence)));
}

}  // namespace sporos
