// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/samples/task.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/npy.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

namespace sporos::runtime {

/// A file of points, as `sporos sample` writes them: CSV or NPY, distinguished by the contents. Points are read
/// sequentially.
class PointFile {
 public:
  /// Reads the file. Throws std::invalid_argument, naming the file, if it cannot be read or has no points.
  explicit PointFile(const std::string& path);
  PointFile(const PointFile&) = delete;
  PointFile& operator=(const PointFile&) = delete;

  /// Path of the file, for messages.
  const std::string& path() const { return m_path; }
  /// Number of coordinates of a point.
  std::int64_t dimensions() const;
  /// Returns the coordinates of the next points, at most `most` of them, point by point; empty at the end of the file.
  /// Throws std::invalid_argument, naming line and column, if an entry is not valid.
  std::vector<double> next(std::int64_t most);
  /// Describes in which ways the part of the file read so far is not plain CSV; empty if it is.
  std::string note() const { return m_rows ? m_rows->note() : ""; }

 private:
  std::string m_path, m_contents;       // the contents of CSV are moved to m_rows
  std::optional<io::NamedRows> m_rows;  // rows of a CSV file
  std::optional<io::NpyMatrix> m_matrix;
  std::int64_t m_next = 0;  // next row of the matrix
};

/// Returns the name of a coordinate in a file: u1, u2, …
std::string coordinate_name(std::int64_t coordinate);

}  // namespace sporos::runtime
