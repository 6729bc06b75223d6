// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/one_line.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>

#include <nlohmann/json.hpp>

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
Json json_of(const Plan& plan);

/// Returns the result of a design point as JSON. `exact` holds the theoretical expectation of each response, if it is
/// known. Covariances and correlations, if there are any, are one list per response. A design point that has failed
/// also has "failure".
Json json_of(const PointResult& point, std::span<const std::optional<double>> exact);

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

/// Returns the plan that json_of(plan) describes. Throws the same exceptions as json_member and json_choice. check_plan
/// checks the values.
Plan plan_of_json(const Json& json, std::string_view what);

}  // namespace sporos::io
