// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/checks.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Weight of the last of k iterates in a mean in which iterate k has a weight of about k^η.
inline double weight_of_last(std::int64_t k, double eta) { return (eta + 1) / (static_cast<double>(k) + eta); }

/// Mean of iterates in which iterate k has a weight of about k^η.
class IterateMean {
 public:
  IterateMean(std::vector<double> start, double eta) : m_mean(std::move(start)), m_eta(eta) {}

  /// Adds the next iterate; returns the mean of all so far.
  const std::vector<double>& add(const std::vector<double>& x) {
    m_count += 1;
    const double share = weight_of_last(m_count, m_eta);
    for (std::size_t i = 0; i < m_mean.size(); ++i) m_mean[i] += share * (x[i] - m_mean[i]);
    return m_mean;
  }

 private:
  std::vector<double> m_mean;
  double m_eta;
  std::int64_t m_count = 0;
};

/// Throws std::invalid_argument if an option that all stochastic approximations share is out of range.
inline void check_approximation(std::int64_t replications, double step, double averaging) {
  check_parameter(replications >= 1, "replications at a point", replications, "at least 1");
  check_positive("step", step);
  check_parameter(averaging >= 0 && std::isfinite(averaging), "averaging", averaging, "a finite number of at least 0");
}

}  // namespace sporos::impl
