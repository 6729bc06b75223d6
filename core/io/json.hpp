// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/one_line.hpp>
#include <sporos/core/replication/correlation.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Plans and results as JSON. Doubles are written so that they read back as the same bits, and seeds as whole numbers
/// up to 2^64 - 1. Values that are missing or not finite are null. The same values always give the same bytes.
namespace sporos::io {

/// JSON whose members keep their order.
using Json = nlohmann::ordered_json;

/// Returns a number, or null if it is not finite.
inline Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Returns a plan as JSON. It has `max_replications` if the plan requests a precision, `replications` otherwise, and
/// `covariances` if the plan requests them.
inline Json json_of(const Plan& plan) {
  const auto positive = [](double value) { return value > 0 ? json_number(value) : Json(nullptr); };
  const auto whole = [](std::int64_t value) { return value > 0 ? Json(value) : Json(nullptr); };
  const bool is_sequential = plan.precision.is_set();
  const bool is_refined = plan.source.sampling == Sampling::refined_descriptive;
  Json json = {{"replications", is_sequential ? Json(nullptr) : Json(plan.replications)},
               {"precision", positive(plan.precision.half_width)},
               {"relative_precision", positive(plan.precision.relative_half_width)},
               {"max_replications", is_sequential ? Json(plan.replications) : Json(nullptr)},
               {"batch", plan.batch},
               {"time_limit", json_number(plan.time_limit)},
               {"seed", plan.seed},
               {"engine", name_of(plan.source.engine)},
               {"sampling", name_of(plan.source.sampling)},
               {"run_length", whole(plan.source.run_length)},
               {"sample_size", whole(plan.source.sample_size)},
               {"primes", is_refined ? Json{plan.source.primes.smallest, plan.source.primes.largest} : Json(nullptr)},
               {"sub_runs", is_refined ? Json(name_of(plan.source.weights)) : Json(nullptr)},
               {"mapping", name_of(plan.mapping)},
               {"confidence", plan.confidence},
               {"common_random_numbers", plan.common_random_numbers}};
  if (plan.covariances) json["covariances"] = true;
  return json;
}

/// Returns the result of a design point as JSON. `exact` holds the theoretical expectation of each response, if it is
/// known. Covariances and correlations, if there are any, are one list per response. A design point that has failed
/// also has "failure".
inline Json json_of(const PointResult& point, std::span<const std::optional<double>> exact) {
  Json responses = Json::array();
  for (std::size_t i = 0; i < point.responses.size(); ++i) {
    const auto& response = point.responses[i];
    responses.push_back({{"name", response.name},
                         {"mean", json_number(response.mean)},
                         {"variance", json_number(response.variance)},
                         {"half_width", json_number(response.half_width)},
                         {"replications", point.replications},
                         {"observations", response.observations},
                         {"deviation", json_number(response.deviation)},
                         {"exact", exact[i] ? json_number(*exact[i]) : Json(nullptr)}});
  }
  Json json = {{"replications", point.replications},
               {"stopped_by", name_of(point.stopped_by)},
               {"digest", bits_text(point.digest)},
               {"responses", std::move(responses)}};
  if (point.failure) json["failure"] = {{"failures", point.failure->failures}, {"reason", point.failure->reason}};
  const std::size_t count = point.responses.size();
  for (std::size_t i = 0; i < point.covariances.size(); ++i) {
    if (i % count == 0) json["covariances"].push_back(Json::array());
    json["covariances"].back().push_back(json_number(point.covariances[i]));
    if (i % count == 0) json["correlations"].push_back(Json::array());
    json["correlations"].back().push_back(json_number(correlation(point, i / count, i % count)));
  }
  return json;
}

/// Error in a JSON value. JsonText::read adds the line of the value to the message.
class JsonError : public std::invalid_argument {
 public:
  /// Refers to `value`. The message is a whole sentence that names the JSON text and the member.
  JsonError(const Json& value, const std::string& message) : std::invalid_argument(message), m_value(&value) {}

  /// Address of the value, which may no longer exist.
  const Json* value() const { return m_value; }

 private:
  const Json* m_value;
};

namespace impl {

template <class Value>
constexpr std::string_view json_expectation() {
  if (std::is_same_v<Value, bool>) return "true or false";
  if (std::is_same_v<Value, double>) return "a number";
  if (std::is_same_v<Value, std::string>) return "a string";
  return std::is_unsigned_v<Value> ? "a whole number from 0 to 18446744073709551615"
                                   : "a whole number from -9223372036854775808 to 9223372036854775807";
}

template <class Value>
bool json_holds(const Json& json) {
  if constexpr (std::is_same_v<Value, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<Value, double>) return json.is_number();
  if constexpr (std::is_same_v<Value, std::string>) return json.is_string();
  if constexpr (std::is_same_v<Value, std::uint64_t>) return json.is_number_unsigned();
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    return json.is_number_integer() && !(json.is_number_unsigned() && json.get<std::uint64_t>() > most);
  }
}

}  // namespace impl

/// Returns the member `name` of `json`. Throws JsonError, in which `what` names `json`, if there is no such member or
/// if it is not of the type `Value`: bool, double, std::int64_t, std::uint64_t, std::string or Json (any, as a
/// reference into `json`).
template <class Value>
std::conditional_t<std::is_same_v<Value, Json>, const Json&, Value> json_member(const Json& json, std::string_view what,
                                                                                std::string_view name) {
  const auto member = json.is_object() ? json.find(name) : json.end();
  if (!json.is_object() || member == json.end()) {
    throw JsonError(json, fmt::format("{} has no member '{}'", what, name));
  }
  if constexpr (std::is_same_v<Value, Json>) {
    return *member;
  } else {
    if (!impl::json_holds<Value>(*member)) {
      throw JsonError(*member, fmt::format("{}: {} is {}, expected {}", what, name, in_quotes(member->dump()),
                                           impl::json_expectation<Value>()));
    }
    return member->template get<Value>();
  }
}

/// Returns the choice that the text in member `name` names. Throws the same exceptions as json_member, also if there is
/// no such choice.
template <class Choice>
Choice json_choice(const Json& json, std::string_view what, std::string_view name) {
  const auto text = json_member<std::string>(json, what, name);
  try {
    return parse_choice<Choice>(text);
  } catch (const std::invalid_argument& error) {
    throw JsonError(json.at(std::string(name)), fmt::format("{}: {}: {}", what, name, error.what()));
  }
}

/// Returns the member `name`, a list, as a reference into `json`. Throws the same exceptions as json_member, also if it
/// is not a list.
inline const Json& json_list(const Json& json, std::string_view what, std::string_view name) {
  const Json& list = json_member<Json>(json, what, name);
  if (!list.is_array()) {
    throw JsonError(list, fmt::format("{}: {} is {}, expected a list", what, name, in_quotes(list.dump())));
  }
  return list;
}

/// Returns the member `name` as a list of numbers. Throws the same exceptions as json_list, also if an element is not a
/// number.
inline std::vector<double> json_numbers(const Json& json, std::string_view what, std::string_view name) {
  std::vector<double> numbers;
  for (const auto& number : json_list(json, what, name)) {
    if (!number.is_number()) {
      throw JsonError(number, fmt::format("{}: {}[{}] is {}, expected a number", what, name, numbers.size(),
                                          in_quotes(number.dump())));
    }
    numbers.push_back(number.get<double>());
  }
  return numbers;
}

namespace impl {

inline PrimeRange prime_range_of_json(const Json& json, std::string_view what) {
  const Json& primes = json_member<Json>(json, what, "primes");
  const auto is_bound = [](const Json& bound) {
    return bound.is_number_unsigned() && bound.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  };
  if (!primes.is_array() || primes.size() != 2 || !is_bound(primes[0]) || !is_bound(primes[1])) {
    throw JsonError(primes,
                    fmt::format("{}: primes is {}, expected the two ends of a range", what, in_quotes(primes.dump())));
  }
  return {primes[0].get<std::uint32_t>(), primes[1].get<std::uint32_t>()};
}

}  // namespace impl

/// Returns the plan that json_of(plan) describes. Throws the same exceptions as json_member and json_choice. check_plan
/// checks the values.
inline Plan plan_of_json(const Json& json, std::string_view what) {
  const auto is_given = [&](std::string_view name) { return !json_member<Json>(json, what, name).is_null(); };
  const auto number_or = [&](std::string_view name, double otherwise) {
    return is_given(name) ? json_member<double>(json, what, name) : otherwise;
  };
  Plan plan;
  plan.precision = {number_or("precision", 0), number_or("relative_precision", 0)};
  plan.replications =
      json_member<std::int64_t>(json, what, plan.precision.is_set() ? "max_replications" : "replications");
  plan.batch = json_member<std::int64_t>(json, what, "batch");
  plan.time_limit = number_or("time_limit", std::numeric_limits<double>::infinity());
  plan.seed = json_member<std::uint64_t>(json, what, "seed");
  plan.source.engine = json_choice<Engine>(json, what, "engine");
  plan.source.sampling = json_choice<Sampling>(json, what, "sampling");
  const auto whole = [&](std::string_view name) {
    return is_given(name) ? json_member<std::int64_t>(json, what, name) : 0;
  };
  plan.source.run_length = whole("run_length");
  plan.source.sample_size = whole("sample_size");
  if (is_given("primes")) plan.source.primes = impl::prime_range_of_json(json, what);
  if (is_given("sub_runs")) plan.source.weights = json_choice<SubRunWeights>(json, what, "sub_runs");
  plan.mapping = json_choice<Mapping>(json, what, "mapping");
  plan.confidence = json_member<double>(json, what, "confidence");
  plan.common_random_numbers = json_member<bool>(json, what, "common_random_numbers");
  if (json.contains("covariances")) plan.covariances = json_member<bool>(json, what, "covariances");
  return plan;
}

}  // namespace sporos::io
