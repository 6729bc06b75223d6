// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_parser.hpp>
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

/// Everything that `sporos sample` is told, as the user wrote it.
struct SampleOptions {
  std::string sampling;
  OptionText points, dimensions, set, seed, engine, primes, mapping, extend, threads, device, format, output;
};

/// Adds the options that say which points to `app`; what the user gives goes to `options`.
void add_points(CLI::App& app, SampleOptions& options);

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
