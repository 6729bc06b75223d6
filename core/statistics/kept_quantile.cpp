// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/kept_quantile.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

KeptQuantile::KeptQuantile(double probability) : m_probability(probability) {
  if (probability > 0 && probability < 1) return;
  throw std::invalid_argument("probability of a quantile is " + std::to_string(probability) +
                              ", expected a number between 0 and 1");
}

void KeptQuantile::add(double observation) {
  constexpr std::size_t most_pending = 4096;
  ++m_count;
  if (observation < m_low) {
    ++m_below;
  } else if (!(observation > m_high)) {
    m_pending.push_back(observation);
    if (m_pending.size() >= std::max(most_pending, m_sorted.size())) trim();
  }
}

std::vector<KeptQuantile::Value> KeptQuantile::merged(const std::vector<Value>& sorted, std::vector<double> pending) {
  std::sort(pending.begin(), pending.end());
  std::vector<Value> all;
  const auto append = [&](const Value& next) {
    if (!all.empty() && all.back().value == next.value) {
      all.back().count += next.count;
    } else {
      all.push_back(next);
    }
  };
  auto place = sorted.begin();
  for (const double value : pending) {
    for (; place != sorted.end() && place->value < value; ++place) append(*place);
    append({value, 1});
  }
  for (; place != sorted.end(); ++place) append(*place);
  return all;
}

void KeptQuantile::trim() {
  constexpr double deviations = 10;
  auto all = merged(m_sorted, std::exchange(m_pending, {}));
  const auto n = static_cast<double>(m_count);
  const double middle = n * m_probability, reach = deviations * std::sqrt(middle * (1 - m_probability)) + 1;
  auto first = all.begin(), last = all.end();
  auto before = static_cast<double>(m_below);  // number of values before `first`
  while (first != last && before + static_cast<double>(first->count) < middle - reach) {
    before += static_cast<double>(first->count);
    m_below += first->count;
    ++first;
  }
  if (first != all.begin() && first != last) m_low = first->value;
  double end = before;  // number of observations before `kept`
  auto kept = first;
  while (kept != last && end < middle + reach) end += static_cast<double>((kept++)->count);
  if (kept != last && kept != first) m_high = std::prev(kept)->value;
  m_sorted.assign(first, kept);
}

QuantileEstimate KeptQuantile::estimate(double confidence) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double lost = std::numeric_limits<double>::quiet_NaN();
  const auto ranks = quantile_ranks(m_count, m_probability, confidence);
  const auto all = merged(m_sorted, m_pending);
  const auto of_rank = [&](std::int64_t rank) {
    std::int64_t before = m_below;
    if (rank <= before) return lost;
    for (const auto& [value, count] : all) {
      before += count;
      if (rank <= before) return value;
    }
    return lost;
  };
  const auto end_of = [&](std::int64_t rank, double otherwise) {
    const double value = rank > 0 ? of_rank(rank) : otherwise;
    return std::isnan(value) ? otherwise : value;
  };
  QuantileEstimate estimate;
  estimate.value = of_rank(ranks.below) + ranks.share * (of_rank(ranks.above) - of_rank(ranks.below));
  estimate.lower = end_of(ranks.low, -infinity);
  estimate.upper = end_of(ranks.high, infinity);
  return estimate;
}

}  // namespace sporos
