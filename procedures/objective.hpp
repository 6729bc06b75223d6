// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// Maximum number of responses that one objective or one selection may name, for a model described by a case file.
inline constexpr int max_responses_of_case = 12;

/// A response of a model and its weight in a quantity.
struct WeightedResponse {
  /// Name of the response; empty for the constant 1, whose derivative by likelihood ratios is the score.
  std::string response;
  double weight;  ///< weight of its mean
};

/// Cost c(x) of decision variables x. If `gradient` is not empty, the function writes ∂c/∂xᵢ to gradient[i].
using CostOfDecisions = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// Function g(x, m) of decision variables x and means m. If they are not empty, it writes ∂g/∂xᵢ to by_decisions[i] and
/// ∂g/∂mⱼ to by_means[j].
using FunctionOfMeans = std::function<double(std::span<const double> x, std::span<const double> means,
                                             std::span<double> by_decisions, std::span<double> by_means)>;

/// Minimization problem: minimize g(x, E[Q(x)]) subject to hⱼ(x, E[Q(x)]) ≤ 0, where each of the quantities Q is a
/// weighted sum of responses.
struct Objective {
  std::vector<std::vector<WeightedResponse>> quantities;  ///< Q
  FunctionOfMeans function;                               ///< g
  std::vector<FunctionOfMeans> constraints = {};          ///< hⱼ
};

/// Objective c(x) + Σ wᵢ E[Yᵢ(x)] with a single quantity, so that only the weighted sum is simulated. Without `cost`, c
/// is 0.
inline Objective weighted_sum(std::vector<WeightedResponse> responses, CostOfDecisions cost = {}) {
  return {{std::move(responses)},
          [cost = std::move(cost)](std::span<const double> x, std::span<const double> means,
                                   std::span<double> by_decisions, std::span<double> by_means) {
            std::ranges::fill(by_means, 1.0);
            std::ranges::fill(by_decisions, 0.0);
            return cost ? cost(x, by_decisions) + means[0] : means[0];
          }};
}

/// Objective g(x, E[Y(x)]) of the named responses: for example a ratio of means, a squared coefficient of variation, or
/// a sum whose weights depend on decision variables.
inline Objective function_of_means(const std::vector<std::string>& responses, FunctionOfMeans function) {
  Objective objective{{}, std::move(function)};
  for (const std::string& response : responses) objective.quantities.push_back({{response, 1}});
  return objective;
}

namespace impl {

/// Joins names as "a, b, c".
std::string listed(std::span<const std::string> names);

/// Returns the weights of each quantity: one for each of `responses`, then one for the constant 1. Throws
/// std::invalid_argument if a response is not one of these, or if there are no quantities or more than there are
/// weights in each.
std::vector<std::vector<double>> quantity_weights(const Objective& objective, std::span<const std::string> responses);

}  // namespace impl

}  // namespace sporos
