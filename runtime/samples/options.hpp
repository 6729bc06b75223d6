// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/samples/point_request.hpp>

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace sporos::runtime {

/// How points are written.
enum class PointFormat { csv, npy };

/// The most numbers that one sample may have.
inline constexpr std::int64_t most_numbers = std::int64_t{1} << 28;

/// The options that say which points.
std::vector<OptionEntry> point_options();

/// `sporos sample` with the sampling of that name, or any.
Usage sample_usage(const std::string& sampling = "SAMPLING");

/// Everything that `sporos sample` is told.
struct SampleOptions {
  std::string sampling;  ///< its name
  OptionTable table;
};

/// Reads the arguments behind `sporos sample`. Throws Help where that is asked for, std::invalid_argument for what is
/// no option; values are looked at later.
SampleOptions parse_sample_options(std::span<const std::string> arguments);

/// The points that the options ask for, where none come before them. Throws std::invalid_argument, naming option, value
/// and what was expected, where there are no such points.
PointRequest points_from(const SampleOptions& options);

}  // namespace sporos::runtime

/// Names of the formats.
template <>
struct sporos::ChoiceNames<sporos::runtime::PointFormat> {
  static constexpr std::string_view what = "format";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<runtime::PointFormat>>(
      {{"csv", runtime::PointFormat::csv}, {"npy", runtime::PointFormat::npy}});
};
