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
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Plans and results as JSON. Doubles are written so that they read back as the same bits, seeds as whole numbers up to
/// 2^64 - 1; what is not finite or not there is null. The same values always give the same bytes.
namespace sporos::io {

/// JSON whose members keep their order.
using Json = nlohmann::ordered_json;

/// A number, or null where it is not finite.
inline Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// A plan, with `replications` or, where a precision is asked for, `max_replications`; `covariances` where they are
/// asked for.
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

/// The result of a design point; `exact` holds the expectations that theory knows, one for each response. Covariances
/// and correlations, where there are any, are a list for each response. A design point that has failed has "failure",
/// too.
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

namespace impl {

template <class Value>
constexpr std::string_view json_expectation() {
  if (std::is_same_v<Value, bool>) return "true or false";
  if (std::is_same_v<Value, double>) return "a number";
  if (std::is_same_v<Value, std::string>) return "a text";
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

/// The member `name` of `json`, which is called `what` in the std::invalid_argument that is thrown where there is no
/// such member, or not of the type `Value`: bool, double, std::int64_t, std::uint64_t, std::string or Json (any).
template <class Value>
Value json_member(const Json& json, std::string_view what, std::string_view name) {
  const auto member = json.is_object() ? json.find(name) : json.end();
  if (!json.is_object() || member == json.end()) {
    throw std::invalid_argument(fmt::format("{} has no member '{}'", what, name));
  }
  if constexpr (!std::is_same_v<Value, Json>) {
    if (!impl::json_holds<Value>(*member)) {
      throw std::invalid_argument(fmt::format("{}: {} is {}, expected {}", what, name, in_quotes(member->dump()),
                                              impl::json_expectation<Value>()));
    }
  }
  return member->template get<Value>();
}

/// The member `name` as a list; throws as json_member does, or where it is none.
inline Json json_list(const Json& json, std::string_view what, std::string_view name) {
  auto list = json_member<Json>(json, what, name);
  if (!list.is_array()) throw std::invalid_argument(fmt::format("{}: {} is no list", what, name));
  return list;
}

/// The member `name` as a list of numbers; throws as json_list does, or where one of them is none.
inline std::vector<double> json_numbers(const Json& json, std::string_view what, std::string_view name) {
  std::vector<double> numbers;
  for (const auto& number : json_list(json, what, name)) {
    if (!number.is_number()) {
      throw std::invalid_argument(
          fmt::format("{}: {}[{}] is {}, expected a number", what, name, numbers.size(), in_quotes(number.dump())));
    }
    numbers.push_back(number.get<double>());
  }
  return numbers;
}

namespace impl {

inline PrimeRange prime_range_of_json(const Json& json, std::string_view what) {
  const Json primes = json_member<Json>(json, what, "primes");
  const auto is_bound = [](const Json& bound) {
    return bound.is_number_unsigned() && bound.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  };
  if (!primes.is_array() || primes.size() != 2 || !is_bound(primes[0]) || !is_bound(primes[1])) {
    throw std::invalid_argument(
        fmt::format("{}: primes is {}, expected the two ends of a range", what, in_quotes(primes.dump())));
  }
  return {primes[0].get<std::uint32_t>(), primes[1].get<std::uint32_t>()};
}

}  // namespace impl

/// The plan that json_of(plan) describes. Throws std::invalid_argument as json_member does, and for a name that no
/// engine, sampling or mapping has; check_plan does the rest.
inline Plan plan_of_json(const Json& json, std::string_view what) {
  const auto is_given = [&](std::string_view name) { return !json_member<Json>(json, what, name).is_null(); };
  const auto number_or = [&](std::string_view name, double otherwise) {
    return is_given(name) ? json_member<double>(json, what, name) : otherwise;
  };
  const auto text = [&](std::string_view name) { return json_member<std::string>(json, what, name); };
  Plan plan;
  plan.precision = {number_or("precision", 0), number_or("relative_precision", 0)};
  plan.replications =
      json_member<std::int64_t>(json, what, plan.precision.is_set() ? "max_replications" : "replications");
  plan.batch = json_member<std::int64_t>(json, what, "batch");
  plan.time_limit = number_or("time_limit", std::numeric_limits<double>::infinity());
  plan.seed = json_member<std::uint64_t>(json, what, "seed");
  plan.source.engine = parse_choice<Engine>(text("engine"));
  plan.source.sampling = parse_choice<Sampling>(text("sampling"));
  const auto whole = [&](std::string_view name) {
    return is_given(name) ? json_member<std::int64_t>(json, what, name) : 0;
  };
  plan.source.run_length = whole("run_length");
  plan.source.sample_size = whole("sample_size");
  if (is_given("primes")) plan.source.primes = impl::prime_range_of_json(json, what);
  if (is_given("sub_runs")) plan.source.weights = parse_choice<SubRunWeights>(text("sub_runs"));
  plan.mapping = parse_choice<Mapping>(text("mapping"));
  plan.confidence = json_member<double>(json, what, "confidence");
  plan.common_random_numbers = json_member<bool>(json, what, "common_random_numbers");
  if (json.contains("covariances")) plan.covariances = json_member<bool>(json, what, "covariances");
  return plan;
}

/// How deep lists and objects of JSON that is read may lie in each other: no file of Sporos needs more than ten levels,
/// and what walks through JSON (copies, comparisons) calls itself once a level.
inline constexpr std::size_t most_json_depth = 100;

/// How many members an object that is read may have: looking for one takes as many steps.
inline constexpr std::size_t most_json_members = 10'000;

namespace impl {

/// The line and column of a character, both from 1, for messages.
inline std::string json_place(std::string_view text, std::size_t character) {
  const std::string_view before = text.substr(0, std::min(character, text.size()));
  const auto line_begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'),
                     before.size() - line_begin + 1);
}

/// Goes through a text in JSON before anything is made of it, and stops at its first fault.
class JsonExamination final : public nlohmann::json_sax<Json> {
 public:
  /// Refers to `text`, which must outlive this object.
  explicit JsonExamination(std::string_view text) : m_text(text) {}

  /// What is wrong, as the end of a sentence about the text; empty where nothing is.
  const std::string& fault() const { return m_fault; }

  bool null() override { return add(); }
  bool boolean(bool) override { return add(); }
  bool number_integer(number_integer_t) override { return add(); }
  bool number_unsigned(number_unsigned_t) override { return add(); }
  bool number_float(number_float_t, const string_t&) override { return add(); }
  bool string(string_t&) override { return add(); }
  bool binary(binary_t&) override { return add(); }
  bool start_array(std::size_t) override { return begin(true); }
  bool end_array() override { return end(); }
  bool start_object(std::size_t) override { return begin(false); }
  bool end_object() override { return end(); }

  bool key(string_t& name) override {
    Level& level = m_levels.back();
    if (!level.names.insert(name).second) {
      return refuse(fmt::format("has {} twice in {}", in_quotes(name), path().empty() ? "one object" : path()));
    }
    level.name = name;
    return level.names.size() <= most_json_members ||
           refuse(fmt::format("has an object of more than {} members, expected fewer", most_json_members));
  }

  bool parse_error(std::size_t place, const std::string&, const nlohmann::detail::exception& error) override {
    constexpr int number_out_of_range = 406;
    const std::string where = json_place(m_text, place == 0 ? 0 : place - 1);  // place counts from 1
    if (error.id == number_out_of_range) {
      return refuse(fmt::format("is not JSON that can be read: a number is too large, {}{}", where, in_path()));
    }
    if (std::string_view(error.what()).ends_with("expected end of input")) {
      return refuse(fmt::format("has more behind its JSON: expected nothing at {}", where));
    }
    return refuse(fmt::format("is not JSON: error at {}{}", where, in_path()));
  }

 private:
  // A list or an object that has not ended.
  struct Level {
    bool is_list;
    std::size_t count = 0;             // values of a list so far
    std::string name = {};             // of the member of an object that is being read
    std::set<std::string> names = {};  // of its members so far
  };

  // A value has been read.
  bool add() {
    if (m_levels.empty()) return true;
    ++m_levels.back().count;
    m_levels.back().name.clear();
    return true;
  }

  bool begin(bool is_list) {
    m_levels.push_back({is_list});
    return m_levels.size() <= most_json_depth ||
           refuse(fmt::format("is nested too deep, expected at most {} levels of lists and objects", most_json_depth));
  }

  bool end() {
    m_levels.pop_back();
    return add();
  }

  // The members that lead to the place, as in stations[1].service; empty at the top.
  std::string path() const {
    std::string path;
    for (const Level& level : m_levels) {
      if (level.is_list) path += fmt::format("[{}]", level.count);
      if (!level.is_list && !level.name.empty()) path += (path.empty() ? "" : ".") + level.name;
    }
    return one_line(path, longest_path);
  }

  std::string in_path() const {
    const std::string where = path();
    return where.empty() ? "" : ", in " + where;
  }

  bool refuse(std::string why) {
    m_fault = std::move(why);
    return false;
  }

  static constexpr std::size_t longest_path = 200;

  std::string_view m_text;
  std::vector<Level> m_levels;
  std::string m_fault;
};

/// What keeps `text` from being read as JSON, as the end of a sentence about it; empty where nothing does.
inline std::string json_fault(std::string_view text) {
  if (text.empty()) return "is empty, expected JSON";
  // To the parser it would be the end of the text.
  if (const auto place = text.find('\0'); place != std::string_view::npos) {
    return fmt::format("is not JSON: a byte 0 at {}", json_place(text, place));
  }
  JsonExamination examination(text);
  Json::sax_parse(text, &examination);
  return examination.fault();
}

}  // namespace impl

/// Reads the text of `what` as JSON. Throws std::invalid_argument, with the place, where it is none, and where it is
/// nested deeper than most_json_depth, has an object of more than most_json_members, a member that comes twice in its
/// object, or anything but blanks behind its end.
inline Json parse_json(std::string_view what, std::string_view text) {
  if (const auto fault = impl::json_fault(text); !fault.empty()) {
    throw std::invalid_argument(fmt::format("{} {}", what, fault));
  }
  return Json::parse(text);
}

}  // namespace sporos::io
