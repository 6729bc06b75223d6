// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// The state of an experiment as JSON, from which it reads back to the last bit.
namespace sporos::io {

namespace impl {

inline Json json_of(const std::vector<MomentsTree>& trees) {
  Json list = Json::array();
  for (const MomentsTree& tree : trees) {
    Json nodes = Json::array();
    for (const auto& [count, mean, squared_deviation] : tree.nodes()) {
      nodes.push_back(Json::array({count, mean, squared_deviation}));
    }
    list.push_back(std::move(nodes));
  }
  return list;
}

inline Moments moments_of_json(const Json& json, std::string_view what) {
  if (!json.is_array() || json.size() != 3 || !json[0].is_number_integer() || !json[1].is_number() ||
      !json[2].is_number()) {
    throw std::invalid_argument(fmt::format("{}: a node is {}, expected a count, a mean and a squared deviation", what,
                                            in_quotes(json.dump())));
  }
  return {json[0].get<std::int64_t>(), json[1].get<double>(), json[2].get<double>()};
}

inline std::vector<MomentsTree> trees_of_json(const Json& json, std::string_view what, std::string_view name) {
  std::vector<MomentsTree> trees;
  for (const Json& nodes : json_list(json, what, name)) {
    std::vector<Moments> list;
    for (const Json& node : nodes) list.push_back(moments_of_json(node, what));
    trees.emplace_back(std::move(list));
  }
  return trees;
}

inline std::uint64_t bits_of_json(const Json& json, std::string_view what, std::string_view name) {
  const auto text = json_member<std::string>(json, what, name);
  std::uint64_t bits = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (error != std::errc() || bits_text(bits) != text) {
    throw std::invalid_argument(
        fmt::format("{}: {} is {}, expected 16 hexadecimal digits", what, name, in_quotes(text)));
  }
  return bits;
}

}  // namespace impl

/// {"replications", "points": [{"replications", "digest", "stopped_by", "observations": [[[count, mean, squared
/// deviation]...]...], "runs_replications": [...]}...]}: of each response the nodes of its tree.
inline Json json_of(const ExperimentState& state) {
  Json points = Json::array();
  for (const auto& [summary, stopped_by] : state.points) {
    points.push_back({{"replications", summary.replications},
                      {"digest", bits_text(summary.digest)},
                      {"stopped_by", stopped_by ? Json(name_of(*stopped_by)) : Json(nullptr)},
                      {"observations", impl::json_of(summary.observations)},
                      {"runs_replications", impl::json_of(summary.runs_replications)}});
  }
  return {{"replications", state.replications}, {"points", std::move(points)}};
}

/// The state that json_of(state) describes; `what` calls it in messages. Throws std::invalid_argument where members are
/// missing or not of their type; whether it fits models and plan is seen by simulate.
inline ExperimentState experiment_state_of_json(const Json& json, std::string_view what) {
  ExperimentState state{json_member<std::int64_t>(json, what, "replications"), {}};
  for (const Json& point : json_list(json, what, "points")) {
    const std::string name = fmt::format("{}: points[{}]", what, state.points.size());
    ReplicationSummary summary(0);
    summary.replications = json_member<std::int64_t>(point, name, "replications");
    summary.digest = impl::bits_of_json(point, name, "digest");
    summary.observations = impl::trees_of_json(point, name, "observations");
    summary.runs_replications = impl::trees_of_json(point, name, "runs_replications");
    std::optional<StopReason> stopped_by;
    if (!json_member<Json>(point, name, "stopped_by").is_null()) {
      stopped_by = parse_choice<StopReason>(json_member<std::string>(point, name, "stopped_by"));
    }
    state.points.push_back({std::move(summary), stopped_by});
  }
  return state;
}

}  // namespace sporos::io
