// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/retrospective_stages.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sporos::impl {

std::int64_t RetrospectiveStages::next_stage(std::int64_t of_batch) const {
  const auto wanted = bounded_count(std::ceil(m_growth * static_cast<double>(of_batch)));
  // The budget must cover the extension of the current point and two further points.
  return std::min(wanted, (m_run.left_with_gradients() / batch_count + of_batch) / 3);
}

std::vector<Sample> RetrospectiveStages::samples_from(const std::vector<double>& x, std::int64_t first,
                                                      std::int64_t of_batch) const {
  std::vector<Sample> samples;
  append_batches(samples, m_run, x, {first, of_batch, of_batch}, true);
  return samples;
}

void check_stages(std::int64_t replications, double growth, double tolerance) {
  check_parameter(replications >= 1, "replications of the first stage", replications, "at least 1");
  check_parameter(growth >= 1 && std::isfinite(growth), "growth", growth, "a finite number of at least 1");
  check_parameter(tolerance >= 0 && std::isfinite(tolerance), "tolerance", tolerance, "a finite number of at least 0");
}

double linear_change(const BatchedPoint& at, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += at.all.gradient[i] * (x[i] - at.x[i]);
  return sum;
}

double next_part(double part, double linear, double change) {
  const double best = 0.5 * part * -linear / (change - linear);
  return std::isfinite(change) ? std::clamp(best, 0.1 * part, 0.5 * part) : 0.25 * part;
}

}  // namespace sporos::impl
