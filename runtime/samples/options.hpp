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

/// Formats of a file of points.
enum class PointFormat { csv, npy };

/// Maximum number of points times dimensions in a sample.
inline constexpr std::int64_t max_numbers = std::int64_t{1} << 28;

/// The options that select points.
std::vector<OptionEntry> point_options();

/// Usage of `sporos sample` with the sampling called `sampling`, or with any.
Usage sample_usage(const std::string& sampling = "SAMPLING");

/// Arguments of `sporos sample`.
struct SampleOptions {
  std::string sampling;  ///< name of the sampling
  OptionTable table;
};

/// Parses the arguments after `sporos sample`. Throws Help if they request help, and std::invalid_argument if an
/// argument is not an option; values are checked later.
SampleOptions parse_sample_options(std::span<const std::string> arguments);

/// Returns the points that the options select, starting with the first. Throws std::invalid_argument, with a message
/// that states the option, its value and the expected range, if there are no such points.
PointRequest points_from(const SampleOptions& options);

}  // namespace sporos::runtime

/// Names of the formats.
template <>
struct sporos::ChoiceNames<sporos::runtime::PointFormat> {
  static constexpr std::string_view what = "format";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<runtime::PointFormat>>(
      {{"csv", runtime::PointFormat::csv}, {"npy", runtime::PointFormat::npy}});
};
