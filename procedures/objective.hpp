// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// Responses of a model that is described by a case file that one objective, or one selection, may name at most.
inline constexpr int most_responses_of_case = 12;

/// A response of a model and its part in a quantity.
struct WeightedResponse {
  std::string response;  ///< its name; empty for the constant 1, whose derivative by likelihood ratios is the score
  double weight;         ///< of its mean
};

/// c(x) of decisions x. Where `gradient` is not empty, ∂c/∂xᵢ is written to gradient[i].
using CostOfDecisions = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// g(x, m) of decisions x and means m. Where they are not empty, ∂g/∂xᵢ is written to by_decisions[i] and ∂g/∂mⱼ to
/// by_means[j].
using FunctionOfMeans = std::function<double(std::span<const double> x, std::span<const double> means,
                                             std::span<double> by_decisions, std::span<double> by_means)>;

/// What is minimized: g(x, E[Q(x)]) subject to hⱼ(x, E[Q(x)]) ≤ 0, where each of the quantities Q is a weighted sum of
/// responses.
struct Objective {
  std::vector<std::vector<WeightedResponse>> quantities;  ///< Q
  FunctionOfMeans function;                               ///< g
  std::vector<FunctionOfMeans> constraints = {};          ///< hⱼ
};

/// c(x) + Σ wᵢ E[Yᵢ(x)]: one quantity, so that only their sum is simulated. Without `cost`, c is 0.
inline Objective weighted_sum(std::vector<WeightedResponse> responses, CostOfDecisions cost = {}) {
  return {{std::move(responses)},
          [cost = std::move(cost)](std::span<const double> x, std::span<const double> means,
                                   std::span<double> by_decisions, std::span<double> by_means) {
            std::ranges::fill(by_means, 1.0);
            std::ranges::fill(by_decisions, 0.0);
            return cost ? cost(x, by_decisions) + means[0] : means[0];
          }};
}

/// g(x, E[Y(x)]) of the named responses: a ratio of means, a squared coefficient of variation, a sum whose weights
/// depend on decisions.
inline Objective function_of_means(const std::vector<std::string>& responses, FunctionOfMeans function) {
  Objective objective{{}, std::move(function)};
  for (const std::string& response : responses) objective.quantities.push_back({{response, 1}});
  return objective;
}

namespace impl {

/// "a, b, c".
std::string listed(std::span<const std::string> names);

/// For each quantity the weights of these responses and, behind them, of the constant 1. Throws std::invalid_argument
/// for a response that is none of them, and for no quantities or more than there are weights of each.
std::vector<std::vector<double>> quantity_weights(const Objective& objective, std::span<const std::string> responses);

}  // namespace impl

}  // namespace sporos
