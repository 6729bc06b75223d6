// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// Writes the state of an experiment as JSON and reads it back with the same bits.
namespace sporos::io {

namespace impl {

inline Json json_of(const Moments& node) {
  return Json::array({node.count, node.mean, node.squared_deviation, json_number(node.cubed_deviation)});
}

inline Json json_of(const CoMoments& node) {
  return Json::array({node.count, node.first_mean, node.second_mean, node.codeviation});
}

template <class Node>
Json json_of(const std::vector<ObservationTree<Node>>& trees) {
  Json list = Json::array();
  for (const auto& tree : trees) {
    Json nodes = Json::array();
    for (const Node& node : tree.nodes()) nodes.push_back(json_of(node));
    list.push_back(std::move(nodes));
  }
  return list;
}

// Whether a list holds a count and then `numbers` numbers, of which the last one may be null if `may_be_null`.
inline bool is_node(const Json& json, std::size_t numbers, bool may_be_null = false) {
  if (!json.is_array() || json.size() != 1 + numbers || !json[0].is_number_integer()) return false;
  const auto end = may_be_null && json.back().is_null() ? json.end() - 1 : json.end();
  return std::all_of(json.begin(), end, [](const Json& number) { return number.is_number(); });
}

inline void read_node(const Json& json, std::string_view what, Moments& node) {
  if (!is_node(json, 3, true)) {
    throw JsonError(json, fmt::format("{}: a node is {}, expected a count, a mean, a squared and a cubed deviation",
                                      what, in_quotes(json.dump())));
  }
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  node = {json[0].get<std::int64_t>(), json[1].get<double>(), json[2].get<double>(),
          json[3].is_null() ? unknown : json[3].get<double>()};
}

inline void read_node(const Json& json, std::string_view what, CoMoments& node) {
  if (!is_node(json, 3)) {
    throw JsonError(json, fmt::format("{}: a node is {}, expected a count, two means and a product of deviations", what,
                                      in_quotes(json.dump())));
  }
  node = {json[0].get<std::int64_t>(), json[1].get<double>(), json[2].get<double>(), json[3].get<double>()};
}

// Returns the tree, beginning at observation `first`, that has these nodes.
template <class Node>
ObservationTree<Node> tree_of(std::vector<Node> nodes, std::int64_t first) {
  if (first == 0) return ObservationTree<Node>(std::move(nodes));
  constexpr std::int64_t most = std::int64_t{1} << 60;
  ObservationTree<Node> tree(first);
  for (const Node& node : nodes) {
    const bool is_valid = node.count >= 1 && node.count < most && tree.count() < most && sporos::impl::is_sound(node);
    if (is_valid && (first + tree.count()) % node.count == 0) tree.add(node);
  }
  if (tree.nodes().size() == nodes.size()) return tree;
  throw std::invalid_argument("the nodes of moments of a part do not follow each other: create the part again");
}

template <class Node>
void read_trees(const Json& json, std::string_view what, std::string_view name, std::int64_t first,
                std::vector<ObservationTree<Node>>& trees) {
  for (const Json& nodes : json_list(json, what, name)) {
    std::vector<Node> list;
    for (const Json& node : nodes) read_node(node, what, list.emplace_back());
    trees.push_back(tree_of(std::move(list), first));
  }
}

inline std::uint64_t bits_of_json(const Json& json, std::string_view what, std::string_view name) {
  const auto text = json_member<std::string>(json, what, name);
  std::uint64_t bits = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (error != std::errc() || bits_text(bits) != text) {
    throw JsonError(json.at(std::string(name)),
                    fmt::format("{}: {} is {}, expected 16 hexadecimal digits", what, name, in_quotes(text)));
  }
  return bits;
}

}  // namespace impl

namespace impl {

// The value of a failed response is written as its bits, since it is not a finite number.
inline Json json_of(const ReplicationFailures& failures) {
  return {{"count", failures.count},
          {"first", failures.first},
          {"response", failures.first_response},
          {"value", bits_text(failures.value)}};
}

inline ReplicationFailures failures_of_json(const Json& json, std::string_view what, std::size_t responses) {
  const ReplicationFailures failures{
      true, json_member<std::int64_t>(json, what, "count"), json_member<std::int64_t>(json, what, "first"),
      json_member<std::int64_t>(json, what, "response"), std::bit_cast<double>(bits_of_json(json, what, "value"))};
  if (failures.first_response < 0 || failures.first_response >= static_cast<std::int64_t>(responses)) {
    throw JsonError(json.at("response"), fmt::format("{}: response is {}, expected a number below {}", what,
                                                     failures.first_response, responses));
  }
  return failures;
}

}  // namespace impl

/// Version of an experiment's state that is written and read.
inline constexpr std::int64_t experiment_state_version = 3;

/// Returns {"version", "replications", "points": [{"replications", "digest", "stopped_by", "observations": [[[count,
/// mean, squared deviation, cubed deviation]...]...], "runs_replications": [...], "pairs": [[[count, mean, mean,
/// product of deviations]...]...]}...]}. "observations" lists the nodes of the tree of each response, "pairs" those of
/// each pair of responses. A design point that has failed also has {"failures": {"count", "first", "response",
/// "value"}}. The state of a part of an experiment also has {"first", "run_length"}.
inline Json json_of(const ExperimentState& state, std::int64_t run_length = 1) {
  Json points = Json::array();
  for (const auto& [summary, stopped_by] : state.points) {
    points.push_back({{"replications", summary.replications},
                      {"digest", bits_text(summary.digest)},
                      {"stopped_by", stopped_by ? Json(name_of(*stopped_by)) : Json(nullptr)},
                      {"observations", impl::json_of(summary.observations)},
                      {"runs_replications", impl::json_of(summary.runs_replications)},
                      {"pairs", impl::json_of(summary.pairs)}});
    if (summary.failures.has_failed) points.back()["failures"] = impl::json_of(summary.failures);
  }
  Json json = {
      {"version", experiment_state_version}, {"replications", state.replications}, {"points", std::move(points)}};
  if (state.first > 0) json["first"] = state.first, json["run_length"] = run_length;
  return json;
}

/// Returns the state that json_of(state) describes; `what` names it in messages. Throws std::invalid_argument if
/// members are missing, of the wrong type, or of another version. `simulate` checks whether the state fits the models
/// and the plan.
inline ExperimentState experiment_state_of_json(const Json& json, std::string_view what) {
  const bool has_version = json.is_object() && json.contains("version");
  const auto version = has_version ? json_member<std::int64_t>(json, what, "version") : std::int64_t{1};
  if (version != experiment_state_version) {
    throw JsonError(has_version ? json.at("version") : json,
                    fmt::format("{} is of version {}, expected version {}", what, version, experiment_state_version));
  }
  ExperimentState state{json_member<std::int64_t>(json, what, "replications"), {}};
  std::int64_t first_observation = 0;
  if (json.contains("first")) {
    state.first = json_member<std::int64_t>(json, what, "first");
    const auto run_length = json_member<std::int64_t>(json, what, "run_length");
    if (state.first < 1 || run_length < 1 || state.first % run_length != 0) {
      throw JsonError(json.at("first"), fmt::format("{}: first is {}, expected a positive multiple of {}", what,
                                                    state.first, run_length));
    }
    first_observation = state.first / run_length;
  }
  for (const Json& point : json_list(json, what, "points")) {
    const std::string name = fmt::format("{}: points[{}]", what, state.points.size());
    ReplicationSummary summary(0);
    summary.replications = json_member<std::int64_t>(point, name, "replications");
    summary.digest = impl::bits_of_json(point, name, "digest");
    impl::read_trees(point, name, "observations", first_observation, summary.observations);
    impl::read_trees(point, name, "runs_replications", state.first, summary.runs_replications);
    impl::read_trees(point, name, "pairs", first_observation, summary.pairs);
    if (point.contains("failures")) {
      summary.failures = impl::failures_of_json(json_member<Json>(point, name, "failures"), name + ": failures",
                                                summary.observations.size());
    }
    std::optional<StopReason> stopped_by;
    if (!json_member<Json>(point, name, "stopped_by").is_null()) {
      stopped_by = json_choice<StopReason>(point, name, "stopped_by");
    }
    state.points.push_back({std::move(summary), stopped_by});
  }
  return state;
}

}  // namespace sporos::io
