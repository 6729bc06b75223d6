// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The state of an estimation of steady-state means as JSON, which is read back with the same bits.
namespace sporos {

/// State from which an estimation can be resumed.
struct SteadyStateState {
  SteadyStateProgress progress{};  ///< progress of the estimation
  SeriesRuns::State runs;          ///< state of its runs
};

/// Version of the state that is written and read.
inline constexpr std::int64_t steady_state_version = 1;

namespace impl {

inline std::string hexadecimal(const std::vector<unsigned char>& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

inline std::vector<unsigned char> bytes_of(const std::string& text, const std::string& what) {
  std::vector<unsigned char> bytes(text.size() / 2);
  bool fits = text.size() % 2 == 0;
  for (std::size_t i = 0; fits && i < bytes.size(); ++i) {
    const char* const end = text.data() + 2 * i + 2;
    fits = std::from_chars(text.data() + 2 * i, end, bytes[i], 16).ptr == end;
  }
  if (!fits) throw std::invalid_argument(what + ": runs is not a string of hexadecimal bytes");
  return bytes;
}

}  // namespace impl

/// Returns the state as JSON, with an entry of "series" for each series and each of its runs:
/// {"version", "observations", "next_look", "excess", "segments", "runs": hexadecimal bytes, "series": [[{"block_size",
/// "pending_count", "pending", "blocks"}...]...]}
inline io::Json json_of(const SteadyStateState& state) {
  io::Json series = io::Json::array();
  for (const auto& runs : state.runs.series) {
    io::Json list = io::Json::array();
    for (const BlockedSeries::State& run : runs) {
      list.push_back({{"block_size", run.block_size},
                      {"pending_count", run.pending_count},
                      {"pending", run.pending},
                      {"blocks", run.blocks}});
    }
    series.push_back(std::move(list));
  }
  return {{"version", steady_state_version},
          {"observations", state.progress.observations},
          {"next_look", state.progress.next_look},
          {"excess", io::json_number(state.progress.excess)},
          {"segments", state.runs.segments.segments},
          {"runs", impl::hexadecimal(state.runs.segments.runs)},
          {"series", std::move(series)}};
}

/// Reads a state written by json_of; `what` names it in messages. Throws std::invalid_argument if `json` is no such
/// state.
inline SteadyStateState steady_state_of_json(const io::Json& json, const std::string& what) {
  const auto version = io::json_member<std::int64_t>(json, what, "version");
  if (version != steady_state_version) {
    throw io::JsonError(json.at("version"),
                        fmt::format("{}: version is {}, expected {}", what, version, steady_state_version));
  }
  SteadyStateState state;
  const bool has_excess = !io::json_member<io::Json>(json, what, "excess").is_null();
  state.progress = {
      io::json_member<std::int64_t>(json, what, "observations"), io::json_member<std::int64_t>(json, what, "next_look"),
      has_excess ? io::json_member<double>(json, what, "excess") : std::numeric_limits<double>::infinity()};
  state.runs.segments = {io::json_member<std::int64_t>(json, what, "segments"),
                         impl::bytes_of(io::json_member<std::string>(json, what, "runs"), what)};
  for (const io::Json& runs : io::json_list(json, what, "series")) {
    const std::string name = fmt::format("{}: series[{}]", what, state.runs.series.size());
    if (!runs.is_array()) throw io::JsonError(runs, name + " is not a list");
    auto& list = state.runs.series.emplace_back();
    for (const io::Json& run : runs) {
      const std::string place = fmt::format("{}[{}]", name, list.size());
      list.push_back({io::json_member<std::int64_t>(run, place, "block_size"),
                      io::json_member<std::int64_t>(run, place, "pending_count"),
                      io::json_member<double>(run, place, "pending"), io::json_numbers(run, place, "blocks")});
    }
  }
  return state;
}

}  // namespace sporos
