// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/npy.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A file of points, as `sporos sample` writes them: CSV or NPY, told apart by their contents. Goes through the points
/// one after the other.
class PointFile {
 public:
  /// Reads the file. Throws std::invalid_argument, naming it, where it cannot be read or holds no points.
  explicit PointFile(const std::string& path);
  PointFile(const PointFile&) = delete;
  PointFile& operator=(const PointFile&) = delete;

  /// For messages.
  const std::string& path() const { return m_path; }
  /// Coordinates of a point.
  std::int64_t dimensions() const;
  /// The next points, `most` at most, one after the other; none at the end of the file. Throws std::invalid_argument,
  /// naming line and column, for what is no point.
  std::vector<double> next(std::int64_t most);
  /// In which ways the file, as far as it was read, is not plain CSV; empty where it is.
  std::string note() const { return m_rows ? m_rows->note() : ""; }

 private:
  std::string m_path, m_contents;       // none of CSV, whose rows have it
  std::optional<io::NamedRows> m_rows;  // of CSV
  std::optional<io::NpyMatrix> m_matrix;
  std::int64_t m_next = 0;  // row of the matrix
};

/// What the coordinates are called in a file: u1, u2, …
std::string coordinate_name(std::int64_t coordinate);

}  // namespace sporos::runtime
