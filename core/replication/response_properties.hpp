// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/model.hpp>

#include <algorithm>
#include <compare>
#include <concepts>
#include <limits>
#include <span>
#include <vector>

/// Properties of a model's responses other than their names. With them, intervals are valid where Student's is not.
namespace sporos {

/// Range of a response over all replications. If all observations are identical, their variance gives no information on
/// unseen values, but the range does.
struct ResponseRange {
  double least = -std::numeric_limits<double>::infinity();  ///< lower bound of the response
  double most = std::numeric_limits<double>::infinity();    ///< upper bound of the response
  bool is_two_valued = false;                               ///< whether it takes only these two values

  /// Range of a response that is always `value`.
  static constexpr ResponseRange constant(double value) { return {value, value, false}; }
  /// Range of a response that is 1 if an event happens, and 0 otherwise.
  static constexpr ResponseRange event() { return {0, 1, true}; }
};

/// A model that states the ranges of its responses, on the host:
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
    int response;   ///< index of the response
    double weight;  ///< factor of the response
  };
  double constant = 0;           ///< constant term
  std::vector<Term> terms = {};  ///< terms; each response occurs at most once
};

/// A response that estimates a ratio of two expectations. In a single replication it is the ratio of that replication's
/// values, whose expectation differs. Its estimate is therefore formed from the means of the numerator and denominator.
struct RatioOfMeans {
  int response;            ///< index of the response that the ratio defines
  LinearForm numerator;    ///< numerator, in terms of other responses
  LinearForm denominator;  ///< denominator, in terms of other responses
};

/// A model that states which of its responses estimate ratios of expectations, on the host:
///
///     std::vector<RatioOfMeans> ratios() const;
template <class Model>
concept StatesRatios = requires(const Model& model) {
  { model.ratios() } -> std::same_as<std::vector<RatioOfMeans>>;
};

/// Estimator of the expectation of `response`: its entry in `ratios`, or the mean of the response if there is none.
RatioOfMeans estimator_of(int response, std::span<const RatioOfMeans> ratios = {});

/// Two responses whose covariance is required.
struct ResponsePair {
  int first;   ///< the smaller index
  int second;  ///< the larger index

  /// Lexicographic order.
  auto operator<=>(const ResponsePair&) const = default;
};

/// Properties of the responses of a model with given parameters.
struct ResponseProperties {
  std::vector<ResponseRange> ranges = {};  ///< range of each response; empty if the model states none
  std::vector<RatioOfMeans> ratios = {};   ///< responses that are ratios
};

/// The properties that `model` states for its responses.
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

// The responses in a ratio, each once, in ascending order.
std::vector<int> responses_of(const RatioOfMeans& ratio);

}  // namespace impl

/// Pairs of responses whose covariances the ratios of any of these models require, in order; with `all`, all pairs.
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
