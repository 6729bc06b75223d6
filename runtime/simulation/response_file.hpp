// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/io/output_file.hpp>
#include <sporos/core/replication/replication_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// A file with the responses of all replications: of replication 0 at each design point, of replication 1, and so on.
/// The columns are the parameters that vary, the replication, and the responses. As CSV, or as a matrix of doubles in
/// NPY; numbers read back to the last bit. It is written while the experiment runs, in memory for some thousand rows,
/// and appears with all of its contents or not at all.
class ResponseFile {
 public:
  /// Throws std::invalid_argument for a name that does not end in .csv or .npy, and io::WriteError where the file could
  /// not be written now.
  ResponseFile(const std::string& path, const ModelDescription& model, const std::vector<ParameterValues>& design);

  /// Writes the responses of some replications.
  void add(const ReplicationRows& rows);

  /// Lets the file appear.
  void finish();

  /// Removes what there is, where the program ends at once.
  void discard() const { m_contents.discard(); }

 private:
  void append_csv_row(const ReplicationRows& rows, std::size_t place, std::int64_t row);
  void append_npy_row(const ReplicationRows& rows, std::size_t place, std::int64_t row);

  bool m_is_npy;
  std::vector<std::string> m_columns;
  std::vector<std::string> m_texts;            // of a point's varying parameters, as a CSV row begins
  std::vector<std::vector<double>> m_numbers;  // the same for NPY
  std::int64_t m_rows = 0;
  std::string m_pending;  // what has not been written yet
  std::vector<double> m_row;
  io::OutputFile m_file;
  io::OutputFile::Contents m_contents;
};

}  // namespace sporos::runtime
