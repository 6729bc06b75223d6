// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/result.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Formats a count with its noun: "1 row", "2 rows".
inline std::string plural(std::int64_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Describes how a run ended: "stopped by gap", "interrupted".
inline std::string end_text(std::string_view reason) {
  return reason == "interrupted" ? "interrupted" : fmt::format("stopped by {}", reason);
}

/// Returns a line on a run that ended early: "Stopped by time limit after 12 of 30 runs."; empty if `reason` is empty.
inline std::string early_end_line(std::string_view reason, const std::string& done) {
  if (reason.empty()) return "";
  return fmt::format("{} after {}.\n", reason == "interrupted" ? "Interrupted" : fmt::format("Stopped by {}", reason),
                     done);
}

/// Returns a line on a run that ended early; empty if `reason` is empty.
inline std::string early_end_line(std::optional<StopReason> reason, const std::string& done) {
  return early_end_line(reason ? name_of(*reason) : std::string_view(), done);
}

/// Returns why a run ended: `reason` if it ended early, else `otherwise`.
inline std::string end_of_run(std::optional<StopReason> reason, std::string_view otherwise) {
  return std::string(reason ? name_of(*reason) : otherwise);
}

/// Formats a number with three significant digits.
inline std::string short_text(double value) { return fmt::format("{:.3g}", value); }

/// Returns the text without leading and trailing blanks.
inline std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Joins the lines of a text with blanks and removes final line ends.
inline std::string in_one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// Pads numbers with blanks so that their decimal points are aligned in a column.
inline std::vector<std::string> lined_up(std::vector<std::string> numbers) {
  const auto after = [](const std::string& number) {
    const auto point = number.find_first_of(".e");
    return point == std::string::npos ? 0 : number.size() - point;
  };
  std::size_t max_after = 0, width = 0;
  for (const auto& number : numbers) max_after = std::max(max_after, after(number));
  for (auto& number : numbers) {
    number.append(max_after - after(number), ' ');
    width = std::max(width, number.size());
  }
  for (auto& number : numbers) number.insert(0, width - number.size(), ' ');
  return numbers;
}

/// Returns the first points of a trajectory, then ever fewer, and the last one.
template <class Point>
std::vector<Point> some_of(const std::vector<Point>& trajectory) {
  std::vector<Point> points;
  for (std::size_t i = 0; i + 1 < trajectory.size(); i = i < 2 ? i + 1 : 2 * i) points.push_back(trajectory[i]);
  points.push_back(trajectory.back());
  return points;
}

/// Clock that measures the time of runs.
using Clock = std::chrono::steady_clock;

/// Returns the seconds that have passed since `start`.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Formats a duration for users: 0.53 s, 42 s, 3 min 5 s, 2 h 10 min.
inline std::string duration_text(double seconds) {
  constexpr double few_seconds = 10, minute = 60, hour = 3600;
  if (seconds < few_seconds) return fmt::format("{:.2g} s", seconds);
  if (seconds < minute) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds < 1e15 ? seconds : 1e15);
  if (seconds < hour) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace sporos::runtime
