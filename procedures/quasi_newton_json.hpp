// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

/// Options, state and trajectory of the quasi-Newton methods as JSON. Doubles are read back with the same bits, so that
/// a run resumed from a written state equals a run resumed from the state itself. Values that are not finite become
/// null.
namespace sporos {

/// Returns all options of correction pairs as JSON.
inline io::Json json_of(const CorrectionPairOptions& options) {
  return {{"memory", options.memory}, {"skip_up_to", options.skip_up_to}, {"damp_below", options.damp_below}};
}

/// Returns all options of stochastic quasi-Newton as JSON.
inline io::Json json_of(const SqnOptions& options) {
  return {{"step_rule", name_of(options.step_rule)},
          {"step", options.step},
          {"iterations", options.iterations},
          {"batch_size", options.batch_size},
          {"pair_source", name_of(options.pair_source)},
          {"pair_interval", options.pair_interval},
          {"hessian_batch_size", options.hessian_batch_size},
          {"pairs", json_of(options.pairs)},
          {"regularization", options.regularization},
          {"limit_steps", options.limit_steps},
          {"longest_move", io::json_number(options.longest_move)},
          {"seed", options.seed},
          {"time_limit", io::json_number(options.time_limit)},
          {"gradient_tolerance", options.gradient_tolerance},
          {"record_interval", options.record_interval},
          {"evaluation_size", options.evaluation_size}};
}

/// Returns all options of L-BFGS as JSON.
inline io::Json json_of(const LbfgsOptions& options) {
  const io::Json line_search = {{"decrease", options.line_search.decrease},
                                {"curvature", options.line_search.curvature},
                                {"max_evaluations", options.line_search.max_evaluations}};
  return {{"iterations", options.iterations},
          {"sample_size", options.sample_size},
          {"seed", options.seed},
          {"pairs", json_of(options.pairs)},
          {"line_search", line_search},
          {"time_limit", io::json_number(options.time_limit)},
          {"gradient_tolerance", options.gradient_tolerance},
          {"record_interval", options.record_interval}};
}

/// Returns counts of a quasi-Newton method's work as JSON.
inline io::Json json_of(const QuasiNewtonCounts& counts) {
  return {{"pairs_stored", counts.pairs.stored},   {"pairs_damped", counts.pairs.damped},
          {"pairs_skipped", counts.pairs.skipped}, {"limited_steps", counts.limited_steps},
          {"gradients", counts.gradients},         {"hessian_products", counts.hessian_products}};
}

/// Returns a point of a trajectory as JSON.
inline io::Json json_of(const QuasiNewtonProgress& point) {
  return {{"iteration", point.iteration},
          {"objective", io::json_number(point.objective)},
          {"gradient_norm", io::json_number(point.gradient_norm)},
          {"step", io::json_number(point.step)},
          {"counts", json_of(point.counts)},
          {"seconds", io::json_number(point.seconds)}};
}

/// Returns the state as JSON:
/// {"solution": [x...], "iteration", "step", "pairs": [{"s": [...], "y": [...]}...], "counts": {...}, "sum": [...],
///  "average": [...], "is_watched"}
inline io::Json json_of(const QuasiNewtonState& state) {
  io::Json pairs = io::Json::array();
  for (const auto& [s, y] : state.pairs) pairs.push_back({{"s", s}, {"y", y}});
  return {{"solution", state.solution}, {"iteration", state.iteration},    {"step", state.step},
          {"pairs", std::move(pairs)},  {"counts", json_of(state.counts)}, {"sum", state.sum},
          {"average", state.average},   {"is_watched", state.is_watched}};
}

/// Reads counts written by json_of; `what` names them in messages. Throws std::invalid_argument if members are missing
/// or have a wrong type.
inline QuasiNewtonCounts quasi_newton_counts_of_json(const io::Json& json, std::string_view what) {
  const auto count = [&](std::string_view name) { return io::json_member<std::int64_t>(json, what, name); };
  return {{count("pairs_stored"), count("pairs_damped"), count("pairs_skipped")},
          count("limited_steps"),
          count("gradients"),
          count("hessian_products")};
}

/// Reads a state written by json_of; errors are those of quasi_newton_counts_of_json. The method checks whether the
/// state fits problem and options.
inline QuasiNewtonState quasi_newton_state_of_json(const io::Json& json, std::string_view what) {
  QuasiNewtonState state;
  state.solution = io::json_numbers(json, what, "solution");
  state.iteration = io::json_member<std::int64_t>(json, what, "iteration");
  state.step = io::json_member<double>(json, what, "step");
  const io::Json& pairs = io::json_list(json, what, "pairs");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string pair = fmt::format("{}: pairs[{}]", what, i);
    state.pairs.push_back({io::json_numbers(pairs[i], pair, "s"), io::json_numbers(pairs[i], pair, "y")});
  }
  state.counts =
      quasi_newton_counts_of_json(io::json_member<io::Json>(json, what, "counts"), fmt::format("{}: counts", what));
  state.sum = io::json_numbers(json, what, "sum");
  state.average = io::json_numbers(json, what, "average");
  state.is_watched = io::json_member<bool>(json, what, "is_watched");
  return state;
}

/// Reads a point written by json_of, whose numbers must all be finite; errors are those of quasi_newton_state_of_json.
inline QuasiNewtonProgress quasi_newton_progress_of_json(const io::Json& json, std::string_view what) {
  const auto number = [&](const char* name) { return io::json_member<double>(json, what, name); };
  return {
      io::json_member<std::int64_t>(json, what, "iteration"),
      number("objective"),
      number("gradient_norm"),
      number("step"),
      number("seconds"),
      quasi_newton_counts_of_json(io::json_member<io::Json>(json, what, "counts"), fmt::format("{}: counts", what))};
}

}  // namespace sporos
