// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/projected_hessian.hpp>
#include <sporos/optimizers/search/sampled_sqn.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// Means of successive groups of L iterates.
class IterateMeans {
 public:
  IterateMeans(std::size_t dimension, std::int64_t length) : m_length(length), m_sum(dimension) {}

  // Adds an iterate. Returns whether L of them are complete; last() is then their mean.
  bool add(const std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) m_sum[i] += x[i] / static_cast<double>(m_length);
    if (++m_count < m_length) return false;
    m_before = std::exchange(m_last, std::exchange(m_sum, std::vector<double>(x.size())));
    m_count = 0;
    return true;
  }

  // Whether there is an earlier mean that differs from the last one.
  bool has_moved() const { return !m_before.empty() && m_before != m_last; }
  const std::vector<double>& before() const { return m_before; }
  const std::vector<double>& last() const { return m_last; }

 private:
  std::int64_t m_length, m_count = 0;
  std::vector<double> m_sum, m_last, m_before;
};

}  // namespace impl

void check(const SampledSqnOptions& options) {
  impl::check_parameter(options.replications >= 1, "replications at a point", options.replications, "at least 1");
  impl::check_parameter(options.pair_interval >= 1, "pair interval", options.pair_interval, "at least 1");
  impl::check_parameter(options.pair_factor >= 1, "pair factor", options.pair_factor, "at least 1");
  impl::check_parameter(options.pairs >= 1, "number of correction pairs", options.pairs, "at least 1");
  check_positive("step", options.step);
  impl::check_parameter(options.largest_step >= options.step, "largest step", options.largest_step,
                        "at least the step");
  impl::check_parameter(options.decay >= 0 && options.decay <= 1, "decay", options.decay, "at least 0 and at most 1");
  impl::check_parameter(options.averaging >= 0, "averaging", options.averaging, "at least 0");
}

Search sampled_sqn(SearchRun& run, SampledSqnOptions options) {
  refuse_constraints_on_means(run);
  check(options);
  run.check_only_bounds("stochastic quasi-Newton");
  impl::ProjectedHessian hessian(run, {options.step, options.largest_step, options.pairs});
  impl::IterateMeans iterates(run.dimension(), options.pair_interval);
  const std::int64_t of_pair = options.pair_factor * options.replications;
  std::vector<double> x = run.start(), mean = x, feasible, mean_before = x;
  run.recommend(x);
  for (std::int64_t k = 1; run.left_with_gradients() >= options.replications; ++k) {
    {
      std::vector<Sample> samples;
      samples.push_back(run.fresh_sample(x, options.replications, true));
      const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
      if (means.front().gradient.empty()) {  // x is infeasible
        if (feasible.empty()) co_return;
        x = run.halfway(std::move(x), feasible);
        mean = mean_before;
      } else {
        feasible = x;
        mean_before = mean;
        hessian.set_at(x, means.front().gradient);
        const std::vector<double> move = hessian.move(means.front().gradient);
        const double length = std::pow(static_cast<double>(k), -options.decay);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += length * move[i];
      }
    }
    x = run.within_region(std::move(x));
    const double eta = options.averaging, share = std::isinf(eta) ? 1 : (eta + 1) / (static_cast<double>(k) + eta);
    for (std::size_t i = 0; i < x.size(); ++i) mean[i] += share * (x[i] - mean[i]);
    run.recommend(mean);
    if (!iterates.add(x) || !iterates.has_moved() || run.left_with_gradients() < 2 * of_pair) continue;
    std::vector<Sample> samples;
    samples.push_back(run.fresh_sample(iterates.before(), of_pair, true));
    samples.push_back(samples.front());
    samples.back().x = iterates.last();
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    if (means.front().gradient.empty() || means.back().gradient.empty()) continue;
    hessian.learn({iterates.before(), means.front().gradient}, {iterates.last(), means.back().gradient});
  }
}

}  // namespace sporos
