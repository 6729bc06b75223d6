// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

inline std::int64_t replications_of(const std::vector<Sample>& samples) {
  std::int64_t sum = 0;
  for (const Sample& sample : samples) sum += sample.count;
  return sum;
}

// Next move after a reflection.
enum class Move { accept, expand, contract_outside, contract_inside, unclear };

// The vertices, and the sample on which they are compared.
class SampledSimplex {
 public:
  SampledSimplex(SearchRun& run, const SampledNelderMeadOptions& options)
      : m_run(run),
        m_options(options),
        m_step(options.step),
        m_of_batch((options.replications + batch_count - 1) / batch_count) {
    const auto vertices = static_cast<double>(run.dimension() + 1);
    m_max_of_batch = std::max(
        m_of_batch, bounded_count(options.largest_share * static_cast<double>(run.budget()) / vertices) / batch_count);
    const double growths =
        std::log(static_cast<double>(m_max_of_batch) / static_cast<double>(m_of_batch)) / std::log(options.growth);
    const auto looks = 1 + bounded_count(std::ceil(std::max(1.0, growths)));  // one more for a further simplex
    m_critical = critical_of_comparisons(options.probability, looks);
    for (const double start : run.start()) m_scales.push_back(std::max(1.0, std::abs(start)));
    m_vertices.push_back({run.start(), {}, {}});
    if (!run.problem().drawn_by().empty() && can_be_drawn(run.problem())) {
      DecisionEngine engine = decision_engine(RandomDecision::search, run.seed());
      for (std::vector<double>& point : drawn_points(run, static_cast<std::int64_t>(dimension()), engine))
        m_vertices.push_back({std::move(point), {}, {}});
    } else {
      surround();
    }
  }

  std::size_t dimension() const { return m_scales.size(); }
  std::int64_t replications() const { return m_of_batch * batch_count; }
  const BatchedPoint& best() const { return m_vertices.front(); }
  const BatchedPoint& second_worst() const { return *std::prev(m_vertices.end(), 2); }
  const BatchedPoint& worst() const { return m_vertices.back(); }

  // Samples that the vertices still lack.
  std::vector<Sample> missing() const {
    std::vector<Sample> samples;
    for (const BatchedPoint& vertex : m_vertices) append_missing(samples, vertex);
    return samples;
  }
  // Sample at another point.
  std::vector<Sample> sample(const BatchedPoint& point) const {
    std::vector<Sample> samples;
    samples.reserve(static_cast<std::size_t>(batch_count));
    append_missing(samples, point);
    return samples;
  }

  // Adds the samples that the vertices lacked and sorts the vertices.
  void add(std::span<SampleMean> found) {
    for (BatchedPoint& vertex : m_vertices) {
      if (!misses(vertex)) continue;
      const auto first = std::make_move_iterator(found.begin());
      add_batches(m_run, vertex, {first, first + batch_count});
      found = found.subspan(batch_count);
    }
    m_vertices.sort([](const BatchedPoint& a, const BatchedPoint& b) { return mean_of(a) < mean_of(b); });
  }

  // Whether a point is lower than another; the means decide if the sample cannot grow.
  Comparison compare(const BatchedPoint& first, const BatchedPoint& second) const {
    const double range = worst().all.mean - best().all.mean;
    const Comparison found = compare_by_batches(first, second, m_critical, m_options.indifference * range);
    if (found != Comparison::unclear || may_grow()) return found;
    return first.all.mean < second.all.mean ? Comparison::lower : Comparison::not_lower;
  }

  // Whether the vertices' values differ by at most a standard error on the largest sample.
  bool is_spent() const {
    if (may_grow()) return false;
    const auto [difference, variance] = difference_by_batches(worst(), best());
    return !(difference > std::sqrt(variance));
  }

  // Centroid of all but the worst vertex, moved away from the worst by `factor` times their distance.
  BatchedPoint reflected(double factor) const {
    std::vector<double> x(dimension());
    for (auto vertex = m_vertices.begin(); vertex != std::prev(m_vertices.end()); ++vertex) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += vertex->x[i] / static_cast<double>(x.size());
    }
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * (x[i] - worst().x[i]);
    return {m_run.within_region(std::move(x)), {}, {}};
  }

  // Chooses the move by comparisons with the best, second worst and worst vertex, as far as they are needed.
  Move move_of(const BatchedPoint& reflection) const {
    const Comparison to_best = compare(reflection, best());
    if (to_best != Comparison::not_lower) return to_best == Comparison::lower ? Move::expand : Move::unclear;
    const Comparison to_second = compare(reflection, second_worst());
    if (to_second != Comparison::not_lower) return to_second == Comparison::lower ? Move::accept : Move::unclear;
    const Comparison to_worst = compare(reflection, worst());
    if (to_worst == Comparison::unclear) return Move::unclear;
    return to_worst == Comparison::lower ? Move::contract_outside : Move::contract_inside;
  }

  // Point that an expansion or a contraction tries. Uses the coefficients of Gao and Han; for one coordinate, those for
  // two.
  BatchedPoint tried(Move move) const {
    const double contraction = 0.75 - 0.5 / effective_dimension();
    return reflected(move == Move::expand             ? 1 + 2 / effective_dimension()
                     : move == Move::contract_outside ? contraction
                                                      : -contraction);
  }

  // The other vertices stay in order.
  void replace_worst(BatchedPoint point) {
    const auto last = std::prev(m_vertices.end());
    const auto place = std::ranges::upper_bound(m_vertices.begin(), last, point.all.mean, {}, mean_of);
    *last = std::move(point);
    m_vertices.splice(place, m_vertices, last);
  }
  // Moves all vertices towards the best.
  void shrink() {
    const double factor = 1 - 1 / effective_dimension();
    for (auto vertex = std::next(m_vertices.begin()); vertex != m_vertices.end(); ++vertex) {
      std::vector<double> x = best().x;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * (vertex->x[i] - x[i]);
      *vertex = {std::move(x), {}, {}};
    }
  }
  // Enlarges the sample.
  void grow() {
    const auto wanted = bounded_count(std::ceil(m_options.growth * static_cast<double>(m_of_batch)));
    m_of_batch = std::min(wanted, m_max_of_batch);
  }
  // Starts a smaller simplex around the best vertex, which may use a larger sample.
  void begin_again() {
    m_step /= 2;
    m_max_of_batch *= 2;
    m_vertices.resize(1);
    surround();
  }

 private:
  static double mean_of(const BatchedPoint& vertex) { return vertex.all.mean; }
  double effective_dimension() const { return std::max(2.0, static_cast<double>(dimension())); }
  bool may_grow() const { return m_of_batch < m_max_of_batch; }
  // Whether a vertex lacks replications; an infeasible vertex does not.
  bool misses(const BatchedPoint& vertex) const {
    return vertex.batches.empty() || (vertex.all.count > 0 && vertex.replications_of_batch() < m_of_batch);
  }

  // Appends the samples that `point` lacks. Batch b starts at b times the budget, so batches never overlap.
  void append_missing(std::vector<Sample>& samples, const BatchedPoint& point) const {
    const std::int64_t known = point.replications_of_batch();
    if (misses(point)) append_batches(samples, m_run, point.x, {known, m_run.budget(), m_of_batch - known}, false);
  }

  // Adds a vertex along each coordinate of the only vertex, within its bounds.
  void surround() {
    for (std::size_t i = 0; i < m_scales.size(); ++i) {
      std::vector<double> x = m_vertices.front().x;
      const double reach = m_step * m_scales[i];
      x[i] += x[i] + reach <= m_run.bounds()[i].high ? reach : -reach;
      m_vertices.push_back({m_run.within_region(std::move(x)), {}, {}});
    }
  }

  SearchRun& m_run;
  SampledNelderMeadOptions m_options;
  double m_step;
  std::int64_t m_of_batch, m_max_of_batch;
  double m_critical;
  std::vector<double> m_scales;
  std::list<BatchedPoint> m_vertices;  // from the best to the worst; a list, because it takes time to move points
};

}  // namespace impl

void check(const SampledNelderMeadOptions& options) {
  const auto check_part = [](std::string_view name, double value) {
    impl::check_parameter(value > 0 && value < 1, name, value, "a number between 0 and 1");
  };
  impl::check_parameter(options.replications >= 1, "replications of the first sample", options.replications,
                        "at least 1");
  impl::check_parameter(options.growth > 1 && std::isfinite(options.growth), "growth", options.growth,
                        "a finite number greater than 1");
  impl::check_parameter(options.probability > 0.5 && options.probability < 1, "probability", options.probability,
                        "a number between 0.5 and 1");
  check_part("indifference", options.indifference);
  check_part("largest share", options.largest_share);
  check_positive("step", options.step);
}

Search sampled_nelder_mead(SearchRun& run, SampledNelderMeadOptions options) {
  refuse_constraints_on_means(run);
  check(options);
  run.check_only_bounds("Nelder-Mead");
  impl::SampledSimplex simplex(run, options);
  run.recommend(run.start());
  while (true) {
    std::vector<Sample> missing = simplex.missing();
    if (!missing.empty()) {
      if (impl::replications_of(missing) > run.left()) co_return;
      std::vector<SampleMean> means = co_await run.evaluate(std::move(missing));
      simplex.add(means);
    }
    if (run.recommended() != simplex.best().x) run.recommend(simplex.best().x);
    if (simplex.is_spent()) {
      simplex.begin_again();
      continue;
    }
    if (run.left() < 2 * simplex.replications()) co_return;
    impl::BatchedPoint reflection = simplex.reflected(1);
    {
      std::vector<SampleMean> means = co_await run.evaluate(simplex.sample(reflection));
      add_batches(run, reflection, std::move(means));
    }
    const impl::Move move = simplex.move_of(reflection);
    if (move == impl::Move::unclear) {
      simplex.grow();
      continue;
    }
    if (move == impl::Move::accept) {
      simplex.replace_worst(std::move(reflection));
      continue;
    }
    impl::BatchedPoint trial = simplex.tried(move);
    {
      std::vector<SampleMean> means = co_await run.evaluate(simplex.sample(trial));
      add_batches(run, trial, std::move(means));
    }
    const bool is_inside = move == impl::Move::contract_inside;
    switch (simplex.compare(trial, is_inside ? simplex.worst() : reflection)) {
      case impl::Comparison::unclear:
        simplex.grow();
        break;
      case impl::Comparison::lower:
        simplex.replace_worst(std::move(trial));
        break;
      case impl::Comparison::not_lower:
        if (move == impl::Move::expand) {
          simplex.replace_worst(std::move(reflection));
        } else {
          simplex.shrink();
        }
        break;
    }
  }
}

}  // namespace sporos
