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

/// Writes a file with the responses of all replications: those of replication 0 at each design point, then those of
/// replication 1, and so on. The columns are the parameters that vary, the replication, and the responses. The format
/// is CSV, or a matrix of doubles in NPY; numbers read back to the last bit. The file is written while the experiment
/// runs, with a buffer of 1 MiB, and appears with all of its contents or not at all.
class ResponseFile {
 public:
  /// Throws std::invalid_argument if the name does not end in .csv or .npy, and io::WriteError if the file is not
  /// writable now.
  ResponseFile(const std::string& path, const ModelDescription& model, const std::vector<ParameterValues>& design);

  /// Writes the responses of some replications.
  void add(const ReplicationRows& rows);

  /// Completes the file, which then appears under its name.
  void finish();

  /// Removes what has been written. Call it if the program ends immediately.
  void discard() const { m_contents.discard(); }

 private:
  void append_csv_row(const ReplicationRows& rows, std::size_t place, std::int64_t row);
  void append_npy_row(const ReplicationRows& rows, std::size_t place, std::int64_t row);

  bool m_is_npy;
  std::vector<std::string> m_columns;
  std::vector<std::string> m_texts;            // beginning of a point's CSV rows: its varying parameters
  std::vector<std::vector<double>> m_numbers;  // beginning of a point's NPY rows
  std::int64_t m_rows = 0;
  std::string m_pending;  // rows that are not yet written
  std::vector<double> m_row;
  io::OutputFile m_file;
  io::OutputFile::Contents m_contents;
};

}  // namespace sporos::runtime
