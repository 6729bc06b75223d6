// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/one_line.hpp>
#include <sporos/core/replication/correlation.hpp>

#include <cstdint>
#include <limits>
#include <utility>

namespace sporos::io {

Json json_of(const Plan& plan) {
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

Json json_of(const PointResult& point, std::span<const std::optional<double>> exact) {
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

namespace {

PrimeRange prime_range_of_json(const Json& json, std::string_view what) {
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

}  // namespace

Plan plan_of_json(const Json& json, std::string_view what) {
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
  if (is_given("primes")) plan.source.primes = prime_range_of_json(json, what);
  if (is_given("sub_runs")) plan.source.weights = json_choice<SubRunWeights>(json, what, "sub_runs");
  plan.mapping = json_choice<Mapping>(json, what, "mapping");
  plan.confidence = json_member<double>(json, what, "confidence");
  plan.common_random_numbers = json_member<bool>(json, what, "common_random_numbers");
  if (json.contains("covariances")) plan.covariances = json_member<bool>(json, what, "covariances");
  return plan;
}

}  // namespace sporos::io
