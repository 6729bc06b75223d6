// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/model.hpp>

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

/// What a model knows of its responses beside their names, so that intervals can be right where Student's is not.
namespace sporos {

/// Between which values a response lies in every replication. Where all observations are alike, their variance says
/// nothing of what has not been seen; the range does.
struct ResponseRange {
  double least = -std::numeric_limits<double>::infinity();  ///< no value is below
  double most = std::numeric_limits<double>::infinity();    ///< no value is above
  bool is_two_valued = false;                               ///< whether it takes these two values only

  /// Of a response that is always `value`.
  static constexpr ResponseRange constant(double value) { return {value, value, false}; }
  /// Of a response that is 1 where an event happens, and 0 otherwise.
  static constexpr ResponseRange event() { return {0, 1, true}; }
};

/// A model that knows the ranges of its responses, and states them on the host:
///
///     ResponseRange response_range(int response) const;
template <class Model>
concept StatesRanges = requires(const Model& model) {
  { model.response_range(0) } -> std::same_as<ResponseRange>;
};

/// A linear combination of responses: constant + Σ weight · response.
struct LinearForm {
  /// One response and its weight.
  struct Term {
    int response;   ///< its index
    double weight;  ///< its factor
  };
  double constant = 0;           ///< what there is without any response
  std::vector<Term> terms = {};  ///< the rest, no response twice
};

/// A response that estimates a ratio of two expectations. In a replication it is the ratio of what happened in that
/// one, whose expectation is another; so its estimate is formed from the means of the responses in both.
struct RatioOfMeans {
  int response;            ///< the response that it is
  LinearForm numerator;    ///< of other responses
  LinearForm denominator;  ///< likewise
};

/// A model with responses that estimate ratios of expectations, and that states them on the host:
///
///     std::vector<RatioOfMeans> ratios() const;
template <class Model>
concept StatesRatios = requires(const Model& model) {
  { model.ratios() } -> std::same_as<std::vector<RatioOfMeans>>;
};

/// What the expectation of `response` is estimated by: that one of `ratios` that is it, or the mean of the response.
RatioOfMeans estimator_of(int response, std::span<const RatioOfMeans> ratios = {});

/// Two responses whose covariance is wanted.
struct ResponsePair {
  int first;   ///< the one of smaller index
  int second;  ///< the other

  /// By the first, then by the second.
  auto operator<=>(const ResponsePair&) const = default;
};

/// What is known of the responses of a model with certain parameters.
struct ResponseProperties {
  std::vector<ResponseRange> ranges = {};  ///< of each response; empty where none is known
  std::vector<RatioOfMeans> ratios = {};   ///< of some
};

/// What a model states.
template <class Model>
ResponseProperties properties_of(const Model& model) {
  ResponseProperties properties;
  if constexpr (StatesRanges<Model>) {
    for (int i = 0; i < response_count_of(model); ++i) properties.ranges.push_back(model.response_range(i));
  }
  if constexpr (StatesRatios<Model>) properties.ratios = model.ratios();
  return properties;
}

namespace impl {

// The responses of a ratio, each once, in order.
std::vector<int> responses_of(const RatioOfMeans& ratio);

}  // namespace impl

/// The pairs of responses whose covariances the ratios of any of these models take; with `all`, all pairs. In order.
template <class Model>
std::vector<ResponsePair> pairs_of(std::span<const Model> models, bool all = false) {
  std::vector<ResponsePair> pairs;
  if (all) {
    const int responses = response_count_of(models.front());
    for (int first = 0; first < responses; ++first) {
      for (int second = first + 1; second < responses; ++second) pairs.push_back({first, second});
    }
    return pairs;
  }
  if constexpr (StatesRatios<Model>) {
    for (const Model& model : models) {
      for (const RatioOfMeans& ratio : model.ratios()) {
        const auto responses = impl::responses_of(ratio);
        for (auto first = responses.begin(); first != responses.end(); ++first) {
          for (auto second = first + 1; second != responses.end(); ++second) {
            const ResponsePair pair{*first, *second};
            if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
          }
        }
      }
    }
    std::sort(pairs.begin(), pairs.end());
  }
  return pairs;
}

}  // namespace sporos
