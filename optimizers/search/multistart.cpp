// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>
#include <sporos/optimizers/search/runs_side_by_side.hpp>
#include <sporos/optimizers/search/tried_point.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// Points drawn for the additional starts, each of which is the best of its own points.
struct DrawnStarts {
  std::vector<std::vector<double>> points;
  std::size_t of_start;  // points of each start
  std::int64_t replications;

  DrawnStarts(const SearchRun& run, const MultistartOptions& options) : replications(options.replications) {
    const std::int64_t further = options.starts - 1;
    const double affordable = options.drawn_share * static_cast<double>(run.budget()) /
                              static_cast<double>(std::max<std::int64_t>(further * replications, 1));
    of_start = static_cast<std::size_t>(std::clamp(affordable, 1.0, static_cast<double>(options.draws)));
    DecisionEngine engine = decision_engine(RandomDecision::search, run.seed());
    points = spread_points(run, further * static_cast<std::int64_t>(of_start), engine);
  }

  // Samples by which the starts are chosen; empty if each start has only one point. Starts use different replications,
  // because with common ones all of them would err in the same direction.
  std::vector<Sample> samples(const SearchRun& run) const {
    std::vector<Sample> all;
    for (std::size_t i = 0; i < points.size() && of_start > 1; ++i) {
      const std::int64_t first = replications_of_ends + static_cast<std::int64_t>(i / of_start) * replications;
      all.push_back({points[i], run.seed(), first, replications});
    }
    return all;
  }

  // Chooses the start of each additional run from the means of these samples.
  std::vector<std::vector<double>> chosen(const std::vector<SampleMean>& means) const {
    std::vector<std::vector<double>> starts;
    for (std::size_t first = 0; first < points.size(); first += of_start) {
      TriedPoint best{std::numeric_limits<double>::infinity(), 0, points[first]};
      for (std::size_t i = first; i < first + of_start && !means.empty(); ++i)
        if (means[i].count > 0) best = std::min(best, tried_point(points[i], means[i]));
      starts.push_back(std::move(best.x));
    }
    return starts;
  }
};

// The remaining runs, the best first, and their shares of the budget.
class Race {
 public:
  Race(const SearchRun& run, std::deque<SearchRun>& runs, const MultistartOptions& options)
      : m_run(run),
        m_runs(runs),
        m_final_share(options.final_share),
        m_stage_share(options.stage_share),
        m_left(runs.size()),
        m_done(runs.size()),
        m_allotted(runs.size()),
        m_is_left(runs.size(), true) {
    std::iota(m_left.begin(), m_left.end(), std::size_t{0});
    m_batches = run.problem().constraints_on_means() > 0 ? batches_of_bounds : 1;
  }

  // Gives each remaining run its share of a stage; the last run gets all that is left.
  void begin_stage() {
    const double of_stage = m_stage_share * static_cast<double>(m_run.left());
    const auto count = static_cast<double>(m_left.size());
    const double part = m_left.size() == 1 ? static_cast<double>(m_run.left()) : (1 - m_final_share) * of_stage / count;
    m_of_batch = static_cast<std::int64_t>(m_final_share * of_stage / count / static_cast<double>(m_batches));
    for (const std::size_t i : m_left) m_allotted[i] = m_done[i] + static_cast<std::int64_t>(part);
  }
  bool goes_on(std::size_t i) const { return m_is_left[i] && used(i) <= m_allotted[i]; }
  // Records that all active runs have been evaluated.
  void note_done() {
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
      if (goes_on(i)) m_done[i] = used(i);
    }
  }

  bool is_decided() const { return m_left.size() == 1; }
  const SearchRun& leader() const { return m_runs[m_left.front()]; }

  // Samples at the points that the remaining runs recommend; empty if there are too few replications for a comparison.
  std::vector<Sample> samples() const {
    std::vector<Sample> all;
    if (m_of_batch < (m_batches > 1 ? 2 : 1)) return all;
    for (const std::size_t i : m_left) {
      for (std::int64_t b = 0; b < m_batches; ++b)
        all.push_back({m_runs[i].recommended(), m_run.seed(), m_next + b * m_of_batch, m_of_batch});
    }
    return all;
  }

  // Keeps the better half by the means of these samples; without samples the first half.
  void halve(std::vector<SampleMean> found) {
    std::vector<std::size_t> order = found.empty() ? m_left : ordered(std::move(found));
    const std::size_t half = (m_left.size() + 1) / 2;
    std::vector<std::size_t> kept;
    for (const std::size_t i : order) {
      const auto is_there = [&](std::size_t j) { return m_runs[j].recommended() == m_runs[i].recommended(); };
      if (kept.size() < half && std::ranges::none_of(kept, is_there)) kept.push_back(i);
    }
    m_left = std::move(kept);
    for (std::size_t i = 0; i < m_runs.size(); ++i) m_is_left[i] = std::ranges::find(m_left, i) != m_left.end();
    m_next += m_batches * m_of_batch;
  }

  // Candidates of the leader and the points that the other runs recommend.
  std::vector<std::vector<double>> candidates() const {
    std::vector<std::vector<double>> points = leader().candidates();
    if (m_batches > 1) return points;  // candidates are compared only by the objective
    for (const SearchRun& run : m_runs) {
      if (std::ranges::find(points, run.recommended()) == points.end()) points.push_back(run.recommended());
    }
    return points;
  }

 private:
  static constexpr std::int64_t batches_of_bounds = 20;

  std::int64_t used(std::size_t i) const { return m_runs[i].budget() - m_runs[i].left(); }

  // The remaining runs, ordered by the samples at their recommended points; infeasible ones come last.
  std::vector<std::size_t> ordered(std::vector<SampleMean> found) const {
    const SampledProblem& problem = m_run.problem();
    const double confidence = 1 - 0.05 / static_cast<double>(m_left.size());
    std::vector<std::size_t> runs, infeasible;
    std::vector<double> objectives;
    std::vector<Certificate> certificates;
    auto next = found.begin();
    for (const std::size_t i : m_left) {
      std::vector<SampleMoments> moments;
      SampleMoments all;
      for (std::int64_t b = 0; b < m_batches; ++b) {
        moments.push_back(std::move((next++)->moments));
        all.add(moments.back());
      }
      const std::vector<double>& x = m_runs[i].recommended();
      const SampleMean mean = problem.estimate(x, std::move(all));
      (mean.count > 0 ? runs : infeasible).push_back(i);
      if (mean.count == 0) continue;
      objectives.push_back(mean.mean);
      if (m_batches > 1) certificates.push_back({certified_bounds(problem, x, moments, confidence), 0});
    }
    std::vector<std::size_t> order;
    while (!runs.empty()) {
      const auto best = static_cast<std::ptrdiff_t>(
          m_batches > 1 ? best_certified(objectives, certificates)
                        : static_cast<std::size_t>(std::ranges::min_element(objectives) - objectives.begin()));
      order.push_back(runs[static_cast<std::size_t>(best)]);
      runs.erase(runs.begin() + best);
      objectives.erase(objectives.begin() + best);
      if (m_batches > 1) certificates.erase(certificates.begin() + best);
    }
    order.insert(order.end(), infeasible.begin(), infeasible.end());
    return order;
  }

  const SearchRun& m_run;
  std::deque<SearchRun>& m_runs;
  double m_final_share, m_stage_share;
  std::vector<std::size_t> m_left;
  std::vector<std::int64_t> m_done, m_allotted;  // replications of each run
  std::vector<bool> m_is_left;
  std::int64_t m_batches, m_of_batch = 0, m_next = replications_of_ends + (std::int64_t{1} << 40);
};

}  // namespace impl

void check(const MultistartOptions& options) {
  const auto check_share = [](std::string_view name, double value) {
    impl::check_parameter(value > 0 && value < 1, name, value, "a number between 0 and 1");
  };
  impl::check_parameter(options.starts >= 1, "number of starts", options.starts, "at least 1");
  impl::check_parameter(options.draws >= 1, "number of points drawn for a start", options.draws, "at least 1");
  impl::check_parameter(options.replications >= 1, "replications at a drawn point", options.replications, "at least 1");
  check_share("stage share", options.stage_share);
  check_share("final share", options.final_share);
  check_share("drawn share", options.drawn_share);
}

std::int64_t default_starts(const SampledProblem& problem, std::int64_t budget) {
  constexpr std::int64_t most = 8, of_point = 16;
  if (std::ranges::none_of(problem.bounds(), &DecisionRange::is_integer) || !can_be_drawn(problem)) return 1;
  // Points of a simplex and its neighbours.
  const std::int64_t points = 3 * static_cast<std::int64_t>(problem.dimension()) + 2;
  return std::clamp<std::int64_t>(budget / (of_point * points), 1, most);
}

Search multistart(SearchRun& run, Solver solver, MultistartOptions options) {
  check(options);
  impl::check_can_be_drawn(run, "several starts");
  run.search_from(options.starts);
  run.recommend(run.start());
  const impl::DrawnStarts drawn(run, options);
  std::vector<SampleMean> means;
  if (std::vector<Sample> samples = drawn.samples(run); !samples.empty())
    means = co_await run.evaluate(std::move(samples));
  std::deque<SearchRun> runs;
  runs.push_back(run.part(run.start(), run.left()));
  for (std::vector<double>& start : drawn.chosen(means)) runs.push_back(run.part(std::move(start), run.left()));
  impl::RunsSideBySide side_by_side(solver, runs);
  impl::Race race(run, runs, options);
  for (;;) {
    race.begin_stage();
    for (;;) {
      side_by_side.let_go_on([&](std::size_t i) { return race.goes_on(i); });
      if (!side_by_side.is_at_work()) break;
      std::vector<Sample> samples;
      side_by_side.take_wanted(samples);
      means = co_await run.evaluate(std::move(samples));
      race.note_done();
      side_by_side.give([&](std::size_t i, const SampledProblem&) { return std::move(means[i]); });
      if (run.recommended() != race.leader().recommended()) run.recommend(race.leader().recommended());
    }
    run.consider(race.candidates());
    if (race.is_decided()) co_return;
    means.clear();
    if (std::vector<Sample> samples = race.samples(); !samples.empty())
      means = co_await run.evaluate(std::move(samples));
    race.halve(std::move(means));
    if (run.recommended() != race.leader().recommended()) run.recommend(race.leader().recommended());
  }
}

}  // namespace sporos
