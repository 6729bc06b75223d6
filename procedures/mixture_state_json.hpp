// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/mixture_fit_journal.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The state of a fit as JSON, which is read back with the same bits.
namespace sporos {

namespace impl {

/// A number, or a string if JSON has no such number.
inline io::Json exact_json(double value) {
  return std::isfinite(value) ? io::Json(value) : io::Json(io::shortest_text(value));
}

inline double exact_number(const io::Json& json, std::string_view what) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return io::parse_number<double>(what, json.get<std::string>());
  throw io::JsonError(json, fmt::format("{} is {}, expected a number", what, io::in_quotes(json.dump())));
}

inline io::Json exact_json(const std::vector<double>& values) {
  io::Json list = io::Json::array();
  for (const double value : values) list.push_back(exact_json(value));
  return list;
}

inline std::vector<double> exact_numbers(const io::Json& json, std::string_view what, std::string_view name) {
  std::vector<double> values;
  const std::string path = fmt::format("{}: {}", what, name);
  for (const auto& value : io::json_list(json, what, name)) values.push_back(exact_number(value, path));
  return values;
}

inline io::Json json_of(const models::EmFit& fit) {
  return {{"parameters", exact_json(models::parameters_of(fit.mixture))},
          {"log_likelihood", exact_json(fit.log_likelihood)},
          {"log_posterior", exact_json(fit.log_posterior)},
          {"iterations", fit.iterations},
          {"has_converged", fit.has_converged}};
}

inline models::EmFit em_fit_of_json(const io::Json& json, std::string_view what) {
  const auto parameters = exact_numbers(json, what, "parameters");
  const auto number = [&](const char* name) {
    return exact_number(io::json_member<io::Json>(json, what, name), fmt::format("{}: {}", what, name));
  };
  return {models::mixture_of(parameters.data(), parameters.size() / 3), number("log_likelihood"),
          number("log_posterior"), io::json_member<std::int64_t>(json, what, "iterations"),
          io::json_member<bool>(json, what, "has_converged")};
}

inline io::Json json_of(const std::vector<models::EmFit>& fits) {
  io::Json list = io::Json::array();
  for (const auto& fit : fits) list.push_back(json_of(fit));
  return list;
}

inline std::vector<models::EmFit> em_fits_of_json(const io::Json& json, std::string_view what) {
  std::vector<models::EmFit> fits;
  for (const auto& fit : json) fits.push_back(em_fit_of_json(fit, what));
  return fits;
}

inline io::Json json_of(const NelderMeadStatus& s) {
  return {static_cast<int>(s.wanted),
          s.position,
          static_cast<int>(s.stopped_by),
          s.evaluations,
          s.iterations,
          s.restarts,
          s.oriented_restarts,
          s.shrinks,
          exact_json(s.reflected),
          exact_json(s.converged),
          s.is_collapsed,
          s.has_mean,
          exact_json(s.mean),
          exact_json(s.squared_slope),
          exact_json(s.decrease)};
}

inline NelderMeadStatus nelder_mead_status_of_json(const io::Json& json, std::string_view what) {
  constexpr std::size_t members = 15;
  if (!json.is_array() || json.size() != members) {
    throw std::invalid_argument(fmt::format("{}: status is {}, expected 15 numbers", what, io::in_quotes(json.dump())));
  }
  const auto whole = [&](std::size_t i) { return json[i].is_number_integer() ? json[i].get<std::int64_t>() : 0; };
  const auto number = [&](std::size_t i) { return exact_number(json[i], what); };
  const auto is_true = [&](std::size_t i) { return json[i] == true; };
  const auto is_within = [&](std::size_t i, std::int64_t last) { return whole(i) >= 0 && whole(i) <= last; };
  if (!is_within(0, static_cast<std::int64_t>(NelderMeadPoint::best_again)) || !is_within(1, INT32_MAX) ||
      !is_within(2, static_cast<std::int64_t>(StoppedBy::not_finite))) {
    throw std::invalid_argument(
        fmt::format("{}: status is {}, expected the number of a point, a position and the "
                    "number of a reason to stop first",
                    what, io::in_quotes(json.dump())));
  }
  return {static_cast<NelderMeadPoint>(whole(0)),
          static_cast<std::int32_t>(whole(1)),
          static_cast<StoppedBy>(whole(2)),
          whole(3),
          whole(4),
          whole(5),
          whole(6),
          whole(7),
          number(8),
          number(9),
          is_true(10),
          is_true(11),
          number(12),
          number(13),
          number(14)};
}

inline io::Json json_of(const NelderMeadState& state) {
  io::Json vertices = io::Json::array();
  for (const auto& vertex : state.vertices) vertices.push_back(exact_json(vertex));
  return {{"vertices", std::move(vertices)},
          {"values", exact_json(state.values)},
          {"value_evaluations", state.value_evaluations},
          {"centroid", exact_json(state.centroid)},
          {"steps", exact_json(state.steps)},
          {"status", json_of(state.status)}};
}

inline NelderMeadState nelder_mead_state_of_json(const io::Json& json, std::string_view what) {
  NelderMeadState state;
  for (const auto& vertex : io::json_list(json, what, "vertices")) {
    state.vertices.emplace_back();
    for (const auto& value : vertex)
      state.vertices.back().push_back(exact_number(value, fmt::format("{}: vertices", what)));
  }
  state.values = exact_numbers(json, what, "values");
  for (const double count : exact_numbers(json, what, "value_evaluations")) {
    state.value_evaluations.push_back(static_cast<std::int64_t>(count));
  }
  state.centroid = exact_numbers(json, what, "centroid");
  state.steps = exact_numbers(json, what, "steps");
  state.status = nelder_mead_status_of_json(io::json_member<io::Json>(json, what, "status"), what);
  return state;
}

}  // namespace impl

/// Returns {"finished": [[fit...]...], "open": [fit...], "simplices": [simplex...]}.
inline io::Json json_of(const MixtureFitState& state) {
  io::Json finished = io::Json::array(), simplices = io::Json::array();
  for (const auto& fits : state.finished) finished.push_back(impl::json_of(fits));
  for (const auto& simplex : state.simplices) simplices.push_back(impl::json_of(simplex));
  return {{"finished", std::move(finished)}, {"open", impl::json_of(state.open)}, {"simplices", std::move(simplices)}};
}

/// Reads a state written by json_of; `what` names it in messages. Throws std::invalid_argument if members are missing
/// or have a wrong type. The fit checks whether the state fits sample and options.
inline MixtureFitState mixture_fit_state_of_json(const io::Json& json, std::string_view what) {
  MixtureFitState state;
  for (const auto& fits : io::json_list(json, what, "finished")) {
    state.finished.push_back(impl::em_fits_of_json(fits, fmt::format("{}: finished", what)));
  }
  state.open = impl::em_fits_of_json(io::json_list(json, what, "open"), fmt::format("{}: open", what));
  for (const auto& simplex : io::json_list(json, what, "simplices")) {
    state.simplices.push_back(impl::nelder_mead_state_of_json(simplex, fmt::format("{}: simplices", what)));
  }
  return state;
}

}  // namespace sporos
