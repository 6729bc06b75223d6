// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/coordinate_search.hpp>
#include <sporos/optimizers/search/step_beliefs.hpp>

#include <boost/random/uniform_real_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

using Point = std::vector<double>;

// A step, or a pair of steps if `other` is not the same step. A step contributes `share` of its current length; the
// shares differ from 1 if a bound is near, or if a pair has unequal lengths.
struct Neighbour {
  std::size_t one, other;
  double share_one = 1, share_other = 1;
  Belief gain{0, 0};
  double score = 0;  // expected improvement

  bool is_pair() const { return one != other; }
};

// Paired differences of the objective between x and a neighbour.
struct Gain {
  std::int64_t count;
  double mean, error_variance, squares;
};

// Bayesian regression of gains on predictions through the origin, with the prior N(1, 1/4) of the slope.
class PredictionScale {
 public:
  double slope() const { return m_sum / m_precision; }
  void learn(double prediction, double gain, double variance) {
    if (!(variance > 0) || prediction == 0) return;
    m_precision += prediction * prediction / variance;
    m_sum += prediction * gain / variance;
  }

 private:
  double m_precision = 4, m_sum = 4;
};

// One run of coordinate search.
class CoordinateRun {
 public:
  CoordinateRun(SearchRun& run, const CoordinateSearchOptions& options);

  const Point& x() const { return m_x; }
  const std::deque<Point>& visited() const { return m_visited; }

  // Selects the neighbour with the largest expected improvement. Returns false if the search has ended.
  bool select();
  // Compares x with a given point instead, such as the minimum of an approximation.
  void select(Point y);
  // Whether the comparison lacks replications and the budget suffices; asked() returns them.
  bool ask();
  const std::vector<Sample>& asked() const { return m_asked; }
  void learn(std::vector<SampleMean> means);
  // Whether the comparison has a result; otherwise its sample grows.
  bool is_decided();
  // Learns from the comparison, and moves if the neighbour is better.
  void conclude();
  // Local minimum of the problem's approximation, the lower one of descents from the start and from the best level;
  // nothing if there is no approximation, or if that is the start.
  std::optional<Point> approximate_minimum();
  // Next point of the line search along the diagonal; nothing once it has ended.
  std::optional<Point> next_on_diagonal();

 private:
  std::vector<Neighbour> steps() const;
  std::vector<Neighbour> pairs(std::vector<Neighbour> steps, std::int64_t count) const;
  Neighbour pair(const Neighbour& one, const Neighbour& other) const;
  Point point(const Neighbour& neighbour) const;
  double room(std::size_t step) const;
  bool is_approximated() const { return bool(m_options.knowledge.approximation); }
  bool is_first_tried_alone(const Neighbour& step) const;
  bool is_feasible(const Point& y) const;
  bool is_new(const Point& y) const;
  std::optional<double> predicted(const Neighbour& neighbour) const;
  std::optional<Point> approximately_lower() const;
  std::optional<Point> approximately_best_level() const;
  Point approximate_descent(Point start);
  double approximation(const Point& y) const;
  void predict(Neighbour& neighbour) const;
  void score(std::vector<Neighbour>& neighbours);
  void add_pairs(std::vector<Neighbour>& all);
  // Whether only steps are left to try at x, after many failures.
  bool is_local_test() const { return m_failures > static_cast<std::int64_t>(m_lengths.size()); }
  void begin(const Neighbour& neighbour, Point y);
  Gain gain() const;
  Belief posterior(const Gain& gain) const;
  void shorten_diagonal();
  void learn_gain(const Gain& gain);
  void move(const Gain& gain);
  void renew_sample();
  void count_success(std::size_t step);
  void fail();
  void grow_samples();
  void lengthen(std::size_t step, double factor);

  SearchRun& m_run;
  CoordinateSearchOptions m_options;
  DecisionEngine m_engine;
  Point m_x;
  std::vector<double> m_lengths;
  std::vector<int> m_streaks;
  std::vector<double> m_infeasible;  // number of infeasible points to which each step led in succession
  StepBeliefs m_beliefs;
  PredictionScale m_scale;
  std::vector<double> m_scores, m_scores_of_y;    // of steps at both points, by the problem
  std::map<Point, std::vector<double>> m_values;  // replications, from number m_first on; empty at infeasible points
  mutable std::map<Point, double> m_approximations;
  std::set<Point> m_tried;  // neighbours of x
  std::deque<Point> m_visited;
  Neighbour m_neighbour{0, 0};
  Point m_y;  // the neighbour that is compared with x
  std::vector<Sample> m_asked;
  std::int64_t m_first = 0, m_next = 0;  // replications of comparisons at x, and the next new one
  std::int64_t m_count = 0, m_limit, m_asked_in_comparison = 0, m_failures = 0;
  double m_squares = 0, m_degrees = 0;  // of all paired differences
  std::size_t m_direction;              // of the diagonal: 0 up, 1 down, 2 after the line search
  double m_diagonal = 1;                // length of its steps, in units of the lengths of steps
  bool m_has_diagonal_gain = false;
  bool m_is_exhausted = false, m_is_accepted = false, m_is_foreign = false, m_is_diagonal = false;
};

CoordinateRun::CoordinateRun(SearchRun& run, const CoordinateSearchOptions& options)
    : m_run(run),
      m_options(options),
      m_engine(decision_engine(RandomDecision::search, run.seed())),
      m_x(run.start()),
      m_streaks(2 * run.dimension()),
      m_infeasible(2 * run.dimension()),
      m_beliefs(run.dimension()),
      m_visited{run.start()},
      m_limit(bounded_count(std::ceil(options.growth * static_cast<double>(options.replications)))),
      m_direction(run.dimension() > 2 ? 0 : 2) {  // pairs of steps include the diagonal of two coordinates
  for (const double start : m_x) {
    const double length = std::exp2(std::floor(std::log2(std::max(1.0, options.step * std::abs(start)))));
    m_lengths.insert(m_lengths.end(), 2, length);
  }
}

// Distance from x to the bound in the direction of a step.
double CoordinateRun::room(std::size_t step) const {
  const auto& [low, high, is_integer] = m_run.bounds()[step / 2];
  return step % 2 == 0 ? high - m_x[step / 2] : m_x[step / 2] - low;
}

// Point to which a step or a pair of steps leads.
Point CoordinateRun::point(const Neighbour& neighbour) const {
  Point y = m_x;
  const auto move = [&](std::size_t step, double share) {
    y[step / 2] += (step % 2 == 0 ? 1 : -1) * share * m_lengths[step];
  };
  move(neighbour.one, neighbour.share_one);
  if (neighbour.is_pair()) move(neighbour.other, neighbour.share_other);
  return y;
}

// A pair of steps. If one goes up and the other down, both have the shorter length: a shift.
Neighbour CoordinateRun::pair(const Neighbour& one, const Neighbour& other) const {
  Neighbour found{one.one, other.one, one.share_one, other.share_one};
  if (found.one % 2 != found.other % 2) {
    const double length = std::min(found.share_one * m_lengths[found.one], found.share_other * m_lengths[found.other]);
    found.share_one = length / m_lengths[found.one];
    found.share_other = length / m_lengths[found.other];
  }
  return found;
}

std::vector<Neighbour> CoordinateRun::steps() const {
  std::vector<Neighbour> found;
  for (std::size_t i = 0; i < m_lengths.size(); ++i) {
    const double length = std::min(m_lengths[i], room(i));
    if (length > 0) found.push_back({i, i, length / m_lengths[i]});
  }
  return found;
}

// Pairs of the `count` steps with the largest scores, along different coordinates.
std::vector<Neighbour> CoordinateRun::pairs(std::vector<Neighbour> steps, std::int64_t count) const {
  std::ranges::stable_sort(steps, std::ranges::greater(), &Neighbour::score);
  steps.resize(std::min(steps.size(), static_cast<std::size_t>(count)));
  std::vector<Neighbour> found;
  for (std::size_t a = 0; a < steps.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (steps[a].one / 2 != steps[b].one / 2) found.push_back(pair(steps[a], steps[b]));
    }
  }
  return found;
}

// Whether a step must be tried alone before it is tried in pairs.
bool CoordinateRun::is_first_tried_alone(const Neighbour& step) const {
  return !m_beliefs.is_known(step.one) && is_new(point(step));
}

double CoordinateRun::approximation(const Point& y) const {
  if (!is_approximated()) return std::numeric_limits<double>::quiet_NaN();
  const auto found = m_approximations.find(y);
  if (found != m_approximations.end()) return found->second;
  return m_approximations.emplace(y, m_options.knowledge.approximation(y)).first->second;
}

// Gain that the problem predicts, if it does.
std::optional<double> CoordinateRun::predicted(const Neighbour& neighbour) const {
  if (is_approximated()) {
    const double gain = approximation(m_x) - approximation(point(neighbour));
    if (std::isfinite(gain)) return gain;
  }
  if (m_scores.size() != m_lengths.size()) return std::nullopt;
  const auto score = [&](std::size_t step, double share) { return share * m_lengths[step] * m_scores[step]; };
  double sum = score(neighbour.one, neighbour.share_one);
  if (neighbour.is_pair()) sum += score(neighbour.other, neighbour.share_other);
  return sum;
}

void CoordinateRun::predict(Neighbour& neighbour) const {
  neighbour.gain = m_beliefs.of_step(neighbour.one).scaled(neighbour.share_one);
  if (neighbour.is_pair()) {
    const Belief other = m_beliefs.of_step(neighbour.other).scaled(neighbour.share_other),
                 interaction = m_beliefs.of_interaction(neighbour.one, neighbour.other);
    neighbour.gain.mean += other.mean + interaction.mean;
    neighbour.gain.variance += other.variance + interaction.variance;
  }
  neighbour.gain.mean += m_scale.slope() * predicted(neighbour).value_or(0);
}

void CoordinateRun::score(std::vector<Neighbour>& neighbours) {
  boost::random::uniform_real_distribution<double> tie(0, 1e-6);
  constexpr double weight_of_pairs = 0.25;  // a single step shows its gain more precisely
  for (Neighbour& neighbour : neighbours) {
    predict(neighbour);
    neighbour.score = neighbour.gain.expected_improvement() * (1 + tie(m_engine));
    // Steps that led to infeasible points before come later.
    if (!neighbour.is_pair()) neighbour.score /= 1 + m_infeasible[neighbour.one];
    if (neighbour.is_pair()) neighbour.score *= weight_of_pairs;
  }
}

bool CoordinateRun::is_feasible(const Point& y) const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] < m_run.bounds()[i].low || y[i] > m_run.bounds()[i].high) return false;
  }
  return m_run.region().violation(y) == 0;
}

// Whether y is feasible, as far as known, and not compared with x yet.
bool CoordinateRun::is_new(const Point& y) const {
  if (m_tried.contains(y) || !is_feasible(y)) return false;
  const auto known = m_values.find(y);
  return known == m_values.end() || !known->second.empty();
}

// Adds pairs of steps whose gains are known, or that are infeasible alone.
void CoordinateRun::add_pairs(std::vector<Neighbour>& all) {
  std::vector<Neighbour> tried = all;
  std::erase_if(tried, [&](const Neighbour& step) { return is_first_tried_alone(step); });
  std::vector<Neighbour> in_pairs = pairs(std::move(tried), m_options.paired_steps);
  score(in_pairs);
  std::ranges::move(in_pairs, std::back_inserter(all));
}

bool CoordinateRun::select() {
  while (!m_is_exhausted && m_limit <= m_run.budget()) {
    std::vector<Neighbour> all = steps();
    score(all);
    if (!is_local_test()) add_pairs(all);
    std::ranges::stable_sort(all, std::ranges::greater(), &Neighbour::score);
    for (const Neighbour& next : all) {
      Point y = point(next);
      if (!is_new(y)) continue;
      begin(next, std::move(y));
      return true;
    }
    grow_samples();
  }
  return false;
}

void CoordinateRun::select(Point y) {
  Neighbour any{0, 0};
  any.gain = {0, std::numeric_limits<double>::max()};
  begin(any, std::move(y));
  m_is_foreign = true;
}

// Begins to compare x with the neighbour y.
void CoordinateRun::begin(const Neighbour& neighbour, Point y) {
  m_neighbour = neighbour;
  m_y = std::move(y);
  m_count = m_options.replications;
  m_asked_in_comparison = 0;
  m_is_foreign = false;
  m_scores_of_y.clear();
}

bool CoordinateRun::ask() {
  m_asked.clear();
  std::int64_t sum = 0;
  for (const Point* const point : {&m_x, &m_y}) {
    const auto known = m_values.find(*point);
    const bool is_known = known != m_values.end();
    const std::int64_t has = is_known ? static_cast<std::int64_t>(known->second.size()) : 0;
    if ((is_known && has == 0) || has >= m_count) continue;
    m_asked.push_back({*point, m_run.seed(), m_first + has, m_count - has, false, true});
    sum += m_count - has;
  }
  if (sum > m_run.left()) m_is_exhausted = true;
  if (m_is_exhausted) return false;
  m_asked_in_comparison += sum;
  m_next = std::max(m_next, m_first + m_count);
  return sum > 0;
}

void CoordinateRun::learn(std::vector<SampleMean> means) {
  for (std::size_t i = 0; i < means.size(); ++i) {
    std::vector<double>& values = m_values[m_asked[i].x];
    if (means[i].count == 0) {
      values.clear();
    } else {
      values.insert(values.end(), means[i].values.begin(), means[i].values.begin() + means[i].count);
    }
    if (means[i].count > 0 && m_options.knowledge.step_scores)
      (m_asked[i].x == m_x ? m_scores : m_scores_of_y) =
          m_options.knowledge.step_scores(m_asked[i].x, means[i].moments);
  }
}

// Gain on the replications of both points, infinite if one of them is infeasible.
Gain CoordinateRun::gain() const {
  const auto at = m_values.find(m_x), to = m_values.find(m_y);
  if (at == m_values.end() || to == m_values.end()) return {0, 0, 0, 0};
  const std::vector<double>&from = at->second, &values = to->second;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (values.empty()) return {0, -infinity, 0, 0};
  if (from.empty()) return {0, infinity, 0, 0};
  const std::size_t n = std::min(from.size(), values.size());
  double mean = 0, squares = 0;
  for (std::size_t r = 0; r < n; ++r) mean += (from[r] - values[r]) / static_cast<double>(n);
  for (std::size_t r = 0; r < n; ++r) squares += std::pow(from[r] - values[r] - mean, 2);
  // Few differences hardly show their variance. So it is shrunk towards that of all differences.
  constexpr double prior_degrees = 2;
  const double common = m_degrees > 0 ? m_squares / m_degrees : n > 1 ? squares / static_cast<double>(n - 1) : 0;
  const double variance = (squares + prior_degrees * common) / (static_cast<double>(n) - 1 + prior_degrees);
  return {static_cast<std::int64_t>(n), mean, variance / static_cast<double>(n), squares};
}

Belief CoordinateRun::posterior(const Gain& gain) const {
  if (!std::isfinite(gain.mean)) return {gain.mean, 0};
  return m_neighbour.gain.updated(gain.mean, gain.error_variance);
}

bool CoordinateRun::is_decided() {
  const Gain found = gain();
  const Belief belief = posterior(found);
  const double error = std::sqrt(belief.variance);
  constexpr double clearly = 1.6;  // comparisons end early only if the neighbour is clearly better
  constexpr double surely = 3;     // along the diagonal, where a wrong step changes all coordinates
  const double acceptance = m_is_diagonal ? surely : m_options.acceptance;
  m_is_accepted = found.mean > 0 && belief.mean > acceptance * error;
  if (m_is_exhausted || m_count >= m_limit || !std::isfinite(found.mean)) return true;
  if (belief.mean < -m_options.rejection * error || belief.mean > clearly * acceptance * error) return true;
  m_count = std::min(m_limit, bounded_count(std::ceil(m_options.growth * static_cast<double>(m_count))));
  return false;
}

void CoordinateRun::conclude() {
  const Gain found = gain();
  if (found.count > 1 && m_asked_in_comparison > 0 && !m_is_foreign) {
    m_squares += found.squares;
    m_degrees += static_cast<double>(found.count - 1);
    learn_gain(found);
  }
  m_tried.insert(m_y);
  if (!m_neighbour.is_pair() && !m_is_foreign) {
    double& infeasible = m_infeasible[m_neighbour.one];
    infeasible = std::isinf(found.mean) ? infeasible + 1 : 0;
  }
  if (m_is_accepted) {
    move(found);
  } else if (!m_is_foreign) {
    fail();
  }
}

void CoordinateRun::learn_gain(const Gain& gain) {
  const double prediction = predicted(m_neighbour).value_or(0), expected = m_scale.slope() * prediction;
  m_scale.learn(prediction, gain.mean - (m_neighbour.gain.mean - expected),
                m_neighbour.gain.variance + gain.error_variance);
  const double rest = gain.mean - expected;
  const auto& [one, other, share_one, share_other, belief, score] = m_neighbour;
  if (m_neighbour.is_pair()) {
    m_beliefs.learn(one, share_one, other, share_other, rest, gain.error_variance);
  } else {
    m_beliefs.learn(one, rest / share_one, gain.error_variance / (share_one * share_one));
  }
}

void CoordinateRun::move(const Gain& gain) {
  const double rest = gain.mean - m_scale.slope() * predicted(m_neighbour).value_or(0);
  const bool is_known = std::isfinite(gain.mean) && !m_is_foreign;
  m_x = m_y;
  m_tried.clear();
  m_failures = 0;
  m_scores = std::exchange(m_scores_of_y, {});
  m_approximations.clear();
  renew_sample();
  m_visited.push_front(m_x);
  if (m_visited.size() > static_cast<std::size_t>(m_options.max_candidates)) m_visited.pop_back();
  if (!is_known) return;
  m_beliefs.drift();
  if (!m_neighbour.is_pair()) {
    m_beliefs.take(m_neighbour.one, rest, gain.error_variance);
    return count_success(m_neighbour.one);
  }
  m_beliefs.take_pair(m_neighbour.one, m_neighbour.other, rest);
  for (const std::size_t step : {m_neighbour.one, m_neighbour.other}) {
    if (m_beliefs.of_step(step).mean > 0) count_success(step);
  }
}

// Takes new replications for the comparisons at a new point. The errors of the gains of successive moves are then
// independent. On the same few replications they would add up: all moves would fit these, and not the mean.
void CoordinateRun::renew_sample() {
  m_first = m_next;
  std::erase_if(m_values, [](const auto& known) { return !known.second.empty(); });
}

void CoordinateRun::count_success(std::size_t step) {
  constexpr double longest = 1 << 30;
  m_streaks[step ^ 1] = 0;
  if (++m_streaks[step] >= 2 && m_lengths[step] < longest) lengthen(step, 2);
}

void CoordinateRun::fail() {
  ++m_failures;
  for (const std::size_t step : {m_neighbour.one, m_neighbour.other}) {
    m_streaks[step] = 0;
    if (m_lengths[step] == 1) continue;
    lengthen(step, 0.5);
    m_failures = 0;
    if (!m_neighbour.is_pair()) break;
  }
}

void CoordinateRun::grow_samples() {
  m_limit = bounded_count(std::ceil(m_options.growth * static_cast<double>(m_limit)));
  m_tried.clear();
  m_failures = 0;
}

void CoordinateRun::lengthen(std::size_t step, double factor) {
  m_lengths[step] *= factor;
  m_beliefs.rescale(step, factor);
}

// Returns the step with the largest decrease of the approximation or, if none decreases it, the first pair that does,
// in the order of the sums of both decreases; nothing if there is none.
std::optional<Point> CoordinateRun::approximately_lower() const {
  std::vector<Neighbour> all = steps();
  const auto decrease = [&](const Neighbour& next) {
    const Point y = point(next);
    return is_feasible(y) ? approximation(m_x) - approximation(y) : -HUGE_VAL;
  };
  for (Neighbour& next : all) next.score = decrease(next);
  std::ranges::stable_sort(all, std::ranges::greater(), &Neighbour::score);
  if (!all.empty() && all.front().score > 0) return point(all.front());
  constexpr std::int64_t many = 128;  // pairs are only approximated, so more of them can be tried
  std::vector<Neighbour> in_pairs = pairs(all, many);
  std::map<std::size_t, double> scores;
  for (const Neighbour& next : all) scores[next.one] = next.score;
  for (Neighbour& next : in_pairs) next.score = scores[next.one] + scores[next.other];
  std::ranges::stable_sort(in_pairs, std::ranges::greater(), &Neighbour::score);
  const auto lower = std::ranges::find_if(in_pairs, [&](const Neighbour& next) { return decrease(next) > 0; });
  return lower != in_pairs.end() ? std::optional(point(*lower)) : std::nullopt;
}

// Returns the point with the lowest approximation among those where each coordinate is the same number of steps above
// its lower bound; nothing if all are infeasible. A local descent from few people would not find it where one more
// person alone brings no gain.
std::optional<Point> CoordinateRun::approximately_best_level() const {
  double widest = 0;
  for (const DecisionRange& range : m_run.bounds()) widest = std::max(widest, range.high - range.low);
  std::optional<Point> best;
  double least = HUGE_VAL;
  for (double level = 1; level <= widest && std::isfinite(widest); level = level < 8 ? level + 1 : 2 * level) {
    Point y;
    for (const DecisionRange& range : m_run.bounds()) y.push_back(std::min(range.high, range.low + level));
    if (!is_feasible(y) || !(approximation(y) < least)) continue;
    least = approximation(y);
    best = std::move(y);
  }
  return best;
}

// Returns the local minimum of the approximation that a descent from `start` reaches.
Point CoordinateRun::approximate_descent(Point start) {
  constexpr int most = 10'000;
  Point x = std::exchange(m_x, std::move(start));
  const std::vector<double> lengths = m_lengths;
  for (int i = 0; i < most; ++i) {
    if (std::optional<Point> next = approximately_lower()) {
      m_x = *std::move(next);
    } else if (std::ranges::max(m_lengths) > 1) {
      for (double& length : m_lengths) length = std::max(1.0, length / 2);
    } else {
      break;
    }
    m_approximations.clear();
  }
  m_lengths = lengths;
  return std::exchange(m_x, std::move(x));
}

std::optional<Point> CoordinateRun::approximate_minimum() {
  if (!std::isfinite(approximation(m_x))) return std::nullopt;
  Point found = approximate_descent(m_x);
  if (const std::optional<Point> level = approximately_best_level()) {
    Point other = approximate_descent(*level);
    if (approximation(other) < approximation(found)) found = std::move(other);
  }
  return found == m_x ? std::nullopt : std::optional(std::move(found));
}

std::optional<Point> CoordinateRun::next_on_diagonal() {
  if (m_is_diagonal && m_is_accepted) {
    m_has_diagonal_gain = true;
    m_diagonal *= 2;
  } else if (m_is_diagonal) {
    shorten_diagonal();
  }
  m_is_diagonal = false;
  for (; m_direction < 2; shorten_diagonal()) {
    Point y = m_x;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t step = 2 * i + m_direction;
      y[i] += (m_direction == 0 ? 1 : -1) * std::min(m_diagonal * m_lengths[step], room(step));
    }
    m_is_diagonal = y != m_x && is_new(y);
    if (m_is_diagonal) return y;
  }
  return std::nullopt;
}

// After a failure: half of the length if this direction has brought a gain, otherwise the other direction.
void CoordinateRun::shorten_diagonal() {
  if (m_has_diagonal_gain && m_diagonal > 1) {
    m_diagonal /= 2;
  } else {
    m_direction = m_has_diagonal_gain ? 2 : m_direction + 1;
  }
}

}  // namespace impl

void check(const CoordinateSearchOptions& options) {
  impl::check_parameter(options.replications >= 2, "replications at a point", options.replications, "at least 2");
  impl::check_parameter(options.growth > 1 && std::isfinite(options.growth), "growth", options.growth,
                        "a finite number above 1");
  check_positive("step", options.step);
  impl::check_parameter(options.rejection >= 0, "rejection", options.rejection, "at least 0");
  impl::check_parameter(options.acceptance >= 0, "acceptance", options.acceptance, "at least 0");
  impl::check_parameter(options.paired_steps >= 0, "paired steps", options.paired_steps, "at least 0");
  impl::check_parameter(options.max_candidates >= 1, "candidates", options.max_candidates, "at least 1");
}

Search coordinate_search(SearchRun& run, CoordinateSearchOptions options) {
  refuse_constraints_on_means(run);
  check(options);
  for (std::size_t i = 0; i < run.dimension(); ++i) {
    if (run.bounds()[i].is_integer) continue;
    throw std::invalid_argument(run.problem().coordinate_name(i) +
                                " is a real number, expected integers for coordinate search; r_spline refines real "
                                "coordinates on a grid");
  }
  const SampledProblem& problem = run.problem();
  if (!options.knowledge.approximation && std::isfinite(problem.approximation(run.start())))
    options.knowledge.approximation = [&problem](std::span<const double> x) { return problem.approximation(x); };
  impl::CoordinateRun search(run, options);
  run.recommend(run.start());
  const bool is_approximated = bool(options.knowledge.approximation);
  std::optional<impl::Point> other = is_approximated ? search.approximate_minimum() : search.next_on_diagonal();
  while (other || search.select()) {
    if (other) search.select(*std::exchange(other, std::nullopt));
    do {
      if (search.ask()) search.learn(co_await run.evaluate(search.asked()));
    } while (!search.is_decided());
    search.conclude();
    run.recommend(search.x());
    run.consider({search.visited().begin(), search.visited().end()});
    if (!is_approximated) other = search.next_on_diagonal();
  }
}

}  // namespace sporos
