// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/step_beliefs.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sporos::impl {

namespace {

// Factor by which a variance changes after an observation that differs from its expectation by `error`.
double variance_factor(double error, double expected_variance) {
  constexpr double rate = 0.1, most = 5;
  return expected_variance > 0 ? std::exp(rate * (std::min(error * error / expected_variance, most) - 1)) : 1;
}

}  // namespace

Belief Belief::updated(double observation, double error_variance) const {
  const double error = observation - mean, surprising = 4 * (variance + error_variance);
  const double prior = error * error > surprising ? error * error - error_variance : variance;
  if (prior + error_variance <= 0) return {observation, 0};
  const double share = prior / (prior + error_variance);
  return {mean + share * error, share * error_variance};
}

double Belief::expected_improvement() const {
  if (variance <= 0) return std::max(mean, 0.0);
  const double s = std::sqrt(variance), z = mean / s;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return s * (z * std::erfc(-z / std::numbers::sqrt2) / 2 + density);
}

void StepBeliefs::Moments::add(double value) {
  count += 1;
  const double delta = value - mean;
  mean += delta / count;
  squares += delta * (value - mean);
}

// Belief about a step that was not observed: nothing at first, then that its gain is similar to observed ones.
Belief StepBeliefs::first() const {
  constexpr double unlimited = 1e200, few = 4;
  if (m_gains.count == 0) return {0, unlimited};
  if (m_gains.count < few) return {0, m_gains.variance() + m_gains.mean * m_gains.mean};
  return {m_gains.mean * m_gains.count / (m_gains.count + few), m_gains.variance()};
}

// Learns the typical size of gains from the first gain of a step.
void StepBeliefs::observe_first(double gain) {
  constexpr double share = 0.05, enough = 8;
  m_gains.add(gain);
  if (m_gains.count == enough) m_drift = share * m_gains.variance();
}

Belief StepBeliefs::of_step(std::size_t step) const { return m_steps[step].is_known ? m_steps[step].belief : first(); }

Belief StepBeliefs::of_interaction(std::size_t one, std::size_t other) const {
  const auto found = m_interactions.find(std::minmax(one, other));
  if (found != m_interactions.end()) return found->second;
  const Interactions& all = m_kinds[kind_of(one, other)];
  return {all.mean, all.share * first().variance};
}

void StepBeliefs::learn(std::size_t step, double gain, double error_variance) {
  const Belief before = of_step(step);
  if (!m_steps[step].is_known) {
    observe_first(gain);
  } else {
    m_drift *= variance_factor(gain - before.mean, before.variance + error_variance);
  }
  m_steps[step] = {before.updated(gain, error_variance), true};
}

void StepBeliefs::learn(std::size_t one, double factor_one, std::size_t other, double factor_other, double gain,
                        double error_variance) {
  const bool is_known = m_steps[one].is_known && m_steps[other].is_known;
  if (!is_known && m_gains.count < 8) observe_first(gain / std::numbers::sqrt2);
  const Belief first_gain = of_step(one), second_gain = of_step(other), interaction = of_interaction(one, other);
  const Belief first_part = first_gain.scaled(factor_one), second_part = second_gain.scaled(factor_other);
  const double total = first_part.variance + second_part.variance + interaction.variance + error_variance;
  const double error = gain - first_part.mean - second_part.mean - interaction.mean;
  const std::pair<std::size_t, std::size_t> key = std::minmax(one, other);
  if (!m_interactions.contains(key)) {
    Interactions& all = m_kinds[kind_of(one, other)];
    constexpr double rate = 0.05;
    all.share *= variance_factor(error, total);
    all.mean += rate * error;
  }
  if (total <= 0) return;
  const auto corrected = [&](const Belief& belief, double factor) {
    const double weight = factor * belief.variance / total;
    return Belief{belief.mean + weight * error, belief.variance * (1 - factor * weight)};
  };
  m_steps[one] = {corrected(first_gain, factor_one), true};
  m_steps[other] = {corrected(second_gain, factor_other), true};
  m_interactions.insert_or_assign(key, corrected(interaction, 1));
}

void StepBeliefs::drift() {
  for (Known& step : m_steps) step.belief.variance += m_drift;
  for (auto& [pair, interaction] : m_interactions) interaction.variance += m_drift / 2;
}

void StepBeliefs::take(std::size_t step, double gain, double error_variance) {
  m_steps[step ^ 1] = {{-gain, error_variance}, true};
  m_steps[step] = {{gain / 2, m_steps[step].belief.variance + gain * gain / 4}, true};
}

void StepBeliefs::take_pair(std::size_t one, std::size_t other, double gain) {
  for (const std::size_t step : {one, one ^ 1, other, other ^ 1}) m_steps[step].belief.variance += gain * gain / 4;
}

void StepBeliefs::rescale(std::size_t step, double factor) {
  Belief& belief = m_steps[step].belief;
  belief = belief.scaled(factor);
  belief.variance += belief.mean * belief.mean / 4;
}

}  // namespace sporos::impl
