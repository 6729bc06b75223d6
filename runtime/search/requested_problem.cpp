// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/requested_problem.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/distribution_text.hpp>
#include <sporos/runtime/search/constraints.hpp>
#include <sporos/runtime/search/task.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/math/count.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the contiguous part of the samples that this process simulates. All processes get about the same number of
// replications.
std::span<const Sample> samples_of(const Processes& processes, std::span<const Sample> samples) {
  double total = 0;
  for (const Sample& sample : samples) total += static_cast<double>(sample.count);
  std::size_t first = 0, count = 0;
  double before = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto replications = static_cast<double>(samples[i].count);
    const double middle = (before + replications / 2) / total;
    before += replications;
    if (static_cast<int>(middle * processes.count()) != processes.rank()) continue;
    if (count == 0) first = i;
    ++count;
  }
  return samples.subspan(first, count);
}

// Moments of samples, packed as a sequence of numbers.
class PackedMoments {
 public:
  void add(const SampleMoments& moments) {
    for (const auto number : {moments.count, moments.failed, static_cast<std::int64_t>(moments.failure.failure),
                              static_cast<std::int64_t>(moments.failure.capacity)})
      m_numbers.push_back(static_cast<double>(number));
    for (const auto* list :
         {&moments.means, &moments.products, &moments.slopes, &moments.values, &moments.curvatures, &moments.least}) {
      m_numbers.push_back(static_cast<double>(list->size()));
      m_numbers.insert(m_numbers.end(), list->begin(), list->end());
    }
  }

  // Returns the moments of all processes.
  std::vector<SampleMoments> gathered(Processes& processes) const {
    const std::vector<double> all = gather(processes, std::span<const double>(m_numbers));
    std::vector<SampleMoments> found;
    for (auto next = all.begin(); next != all.end();) {
      SampleMoments& moments = found.emplace_back();
      moments.count = static_cast<std::int64_t>(*next++);
      moments.failed = static_cast<std::int64_t>(*next++);
      moments.failure.failure = static_cast<Failure>(*next++);
      moments.failure.capacity = static_cast<std::uint32_t>(*next++);
      for (auto* list :
           {&moments.means, &moments.products, &moments.slopes, &moments.values, &moments.curvatures, &moments.least}) {
        const auto size = static_cast<std::ptrdiff_t>(*next++);
        list->assign(next, next + size);
        next += size;
      }
    }
    return found;
  }

 private:
  std::vector<double> m_numbers;
};

}  // namespace

std::vector<SampleMoments> SharedProblem::simulate(std::span<const Sample> samples) {
  if (m_processes.count() == 1) return m_problem.simulate(samples);
  PackedMoments mine;
  together(m_processes, [&] {
    for (const SampleMoments& moments : m_problem.simulate(samples_of(m_processes, samples))) mine.add(moments);
  });
  return mine.gathered(m_processes);
}

RequestedProblem::RequestedProblem(const SearchRequest& request, Objective objective, const Backend& backend,
                                   const Wrap& wrap)
    : m_request(request) {
  const bool is_scored = request.gradient == GradientKind::likelihood_ratio;
  if (!backend.offers<ProblemTask>(request.model->name)) {
    throw std::invalid_argument(request.model->name + " has no parameters that can be optimized");
  }
  // The added quantity is the constant 1, whose derivatives are scores.
  if (is_scored && has_tails(request)) objective.quantities.push_back({{"", 1}});
  m_simulated =
      backend.run_with(request.model->name, ProblemTask{request.values, request.decisions, objective, is_scored});
  m_problem = m_simulated.get();
  add_tails(objective);
  if (wrap) {
    m_wrapped = wrap(*m_problem);
    m_problem = m_wrapped.get();
  }
  m_problem = &m_shared.emplace(*m_problem, processes());
  if (!request.constraints.empty()) {
    std::vector<LinearConstraint> constraints = request.constraints;
    for (LinearConstraint& constraint : constraints) constraint.weights.resize(m_problem->dimension());
    m_problem = &m_constrained.emplace(*m_shared, std::move(constraints));
  }
  if (request.gradient == GradientKind::differences) take_differences();
  if (!request.draws.empty()) take_distributions();
}

std::vector<double> RequestedProblem::start() const {
  std::vector<double> start = start_of(m_request);
  if (m_tails) start = m_tails->with_thresholds(std::move(start));
  if (!m_constrained) return start;
  const SearchRegion region = m_constrained->region();
  const bool has_integers = std::ranges::any_of(m_constrained->bounds(), &DecisionRange::is_integer);
  if (!has_integers) return region.projected(std::move(start));
  if (region.violation(start) == 0) return start;
  throw std::invalid_argument(fmt::format(
      "the start {} violates --subject-to, expected a start that satisfies it, because decisions are whole numbers",
      decisions_text(m_request, start_of(m_request))));
}

// Wraps the tails directly around the simulation, so that single replications are evaluated where they are made. Only
// means go to other processes and into the journal.
void RequestedProblem::add_tails(const Objective& objective) {
  auto tails =
      tails_of(m_request.constraints_on_means, objective, *m_request.model, m_request.values, m_request.decisions);
  if (tails.empty()) return;
  double most = 0;
  for (const TailConstraint& tail : tails) {
    if (tail.measure != TailMeasure::probability) continue;
    const double limit = tail.limit(start(), {});
    most = std::max(most, 10 / std::min(limit, 1 - limit));
  }
  m_default_sample = std::min(bounded_count(std::ceil(most)), std::max<std::int64_t>(m_request.budget / 50, 1));
  std::optional<std::size_t> score;
  if (m_request.gradient == GradientKind::likelihood_ratio) score = objective.quantities.size() - 1;
  constexpr std::int64_t pilot = 1000;
  m_problem = &m_tails.emplace(*m_problem, std::move(tails), start(), m_request.seed + 1, pilot, score);
}

void RequestedProblem::take_distributions() {
  std::vector<QuantileFunction> drawn_by(m_request.decisions.size());
  for (const DrawnDecision& drawn : m_request.draws) {
    const auto decision = std::ranges::find(m_request.decisions, drawn.parameter, &Decision::parameter);
    drawn_by[static_cast<std::size_t>(decision - m_request.decisions.begin())] =
        [distribution = drawn.distribution](std::span<double> u) { replace_by_quantiles(distribution, u); };
  }
  m_problem = &m_drawn.emplace(*m_problem, std::move(drawn_by));
}

// Replaces gradients by central differences. A pilot sample, not counted in the budget, determines their steps when the
// first gradient is requested.
void RequestedProblem::take_differences() {
  if (std::ranges::any_of(m_problem->bounds(), &DecisionRange::is_integer)) {
    throw std::invalid_argument("--gradient differences needs decisions that are real numbers");
  }
  DifferenceStepOptions options;
  options.seed = m_request.seed + 1;
  const auto find_steps = [&problem = *m_problem, x = start(), options] {
    return difference_steps(problem, x, options);
  };
  m_problem = &m_differenced.emplace(*m_problem, find_steps);
}

}  // namespace sporos::runtime
