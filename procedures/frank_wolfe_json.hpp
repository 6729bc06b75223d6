// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// State and trajectory of Frank–Wolfe as JSON. Doubles are read back with the same bits, so that a run resumed from a
/// written state equals a run resumed from the state itself. Missing values and values that are not finite become null.
namespace sporos {

/// Returns {"estimate", "upper", "solver_gap"}, or null.
inline io::Json json_of(const std::optional<SuboptimalityEstimate>& suboptimality) {
  if (!suboptimality) return nullptr;
  return {{"estimate", io::json_number(suboptimality->estimate)},
          {"upper", io::json_number(suboptimality->upper)},
          {"solver_gap", io::json_number(suboptimality->solver_gap)}};
}

/// Returns an estimate of the gap as JSON, or null.
inline io::Json json_of(const std::optional<GapEstimate>& gap) {
  if (!gap) return nullptr;
  return {{"estimate", io::json_number(gap->estimate)},
          {"lower", io::json_number(gap->lower)},
          {"upper", io::json_number(gap->upper)},
          {"confidence", gap->confidence},
          {"batches", gap->batches},
          {"batch_size", gap->batch_size},
          {"suboptimality", json_of(gap->suboptimality)}};
}

/// Returns a point of a trajectory as JSON.
inline io::Json json_of(const FrankWolfeProgress& point) {
  return {{"epoch", point.epoch},
          {"iteration", point.iteration},
          {"objective", io::json_number(point.objective)},
          {"gap", io::json_number(point.gap)},
          {"step", io::json_number(point.step)},
          {"independent_gap", json_of(point.independent_gap)},
          {"seconds", io::json_number(point.seconds)}};
}

/// Returns the state as JSON:
/// {"solution": [x...], "epoch", "iteration", "replications", "window", "averaged_gradient": [...],
///  "smoothness", "active_set": [{"weight", "entries": [[index, value]...]}...]}
inline io::Json json_of(const FrankWolfeState& state) {
  io::Json active_set = io::Json::array();
  for (const auto& [entries, weight] : state.active_set) {
    io::Json list = io::Json::array();
    for (const auto& [index, value] : entries) list.push_back(io::Json::array({index, value}));
    active_set.push_back({{"weight", weight}, {"entries", std::move(list)}});
  }
  return {{"solution", state.solution},     {"epoch", state.epoch},
          {"iteration", state.iteration},   {"replications", state.replications},
          {"window", state.window},         {"averaged_gradient", state.averaged_gradient},
          {"smoothness", state.smoothness}, {"active_set", std::move(active_set)}};
}

namespace impl {

inline ActiveVertex active_vertex_of_json(const io::Json& json, const std::string& what) {
  ActiveVertex vertex{{}, io::json_member<double>(json, what, "weight")};
  for (const auto& entry : io::json_list(json, what, "entries")) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_integer() || !entry[1].is_number()) {
      throw io::JsonError(entry, fmt::format("{}: entries[{}] is {}, expected a coordinate and its value", what,
                                             vertex.entries.size(), io::in_quotes(entry.dump())));
    }
    vertex.entries.push_back({entry[0].get<std::int64_t>(), entry[1].get<double>()});
  }
  return vertex;
}

}  // namespace impl

/// Reads a state written by json_of; `what` names it in messages. Throws std::invalid_argument if members are missing
/// or have a wrong type. frank_wolfe checks whether the state fits problem and options.
inline FrankWolfeState frank_wolfe_state_of_json(const io::Json& json, std::string_view what) {
  FrankWolfeState state;
  state.solution = io::json_numbers(json, what, "solution");
  state.epoch = io::json_member<std::int64_t>(json, what, "epoch");
  state.iteration = io::json_member<std::int64_t>(json, what, "iteration");
  state.replications = io::json_member<std::uint64_t>(json, what, "replications");
  state.window = io::json_member<std::int64_t>(json, what, "window");
  state.averaged_gradient = io::json_numbers(json, what, "averaged_gradient");
  state.smoothness = io::json_member<double>(json, what, "smoothness");
  const io::Json& active_set = io::json_list(json, what, "active_set");
  for (std::size_t i = 0; i < active_set.size(); ++i) {
    state.active_set.push_back(impl::active_vertex_of_json(active_set[i], fmt::format("{}: active_set[{}]", what, i)));
  }
  return state;
}

namespace impl {

inline GapEstimate gap_estimate_of_json(const io::Json& json, const std::string& what) {
  const auto number = [&](const char* name) { return io::json_member<double>(json, what, name); };
  GapEstimate gap{number("estimate"),
                  number("lower"),
                  number("upper"),
                  number("confidence"),
                  io::json_member<std::int64_t>(json, what, "batches"),
                  io::json_member<std::int64_t>(json, what, "batch_size")};
  const io::Json& suboptimality = io::json_member<io::Json>(json, what, "suboptimality");
  if (suboptimality.is_null()) return gap;
  const auto of = [&](const char* name) { return io::json_member<double>(suboptimality, what, name); };
  gap.suboptimality = SuboptimalityEstimate{of("estimate"), of("upper"), of("solver_gap")};
  return gap;
}

}  // namespace impl

/// Reads a point written by json_of; all numbers except `gap` must be finite. Errors are those of
/// frank_wolfe_state_of_json.
inline FrankWolfeProgress frank_wolfe_progress_of_json(const io::Json& json, std::string_view what) {
  const auto whole = [&](const char* name) { return io::json_member<std::int64_t>(json, what, name); };
  const auto number = [&](const char* name) { return io::json_member<double>(json, what, name); };
  const bool is_gap_known = !io::json_member<io::Json>(json, what, "gap").is_null();
  FrankWolfeProgress point{whole("epoch"),
                           whole("iteration"),
                           number("objective"),
                           is_gap_known ? number("gap") : std::numeric_limits<double>::infinity(),
                           number("step"),
                           number("seconds"),
                           {}};
  const io::Json& gap = io::json_member<io::Json>(json, what, "independent_gap");
  if (!gap.is_null()) point.independent_gap = impl::gap_estimate_of_json(gap, std::string(what));
  return point;
}

}  // namespace sporos
