// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/sum_tree.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sporos::models {

/// Selected rows divided into parts. Each process has some adjacent parts. The division depends only on the number of
/// rows and on the number of sums over each part.
class RowParts {
 public:
  /// Parts of an empty selection.
  RowParts() : RowParts({nullptr, 0}, 1, single_process) {}

  /// Divides `rows` into parts with `sums` sums over each. If there is only one part, every process has it.
  RowParts(const RowSelection& rows, std::int64_t sums, Processes& processes)
      : m_rows(rows), m_count(parts_of(rows.count, sums)) {
    const std::int64_t share = (rows.count + m_count - 1) / m_count;
    m_rows_of_part = (std::max<std::int64_t>(share, 1) + 31) / 32 * 32;
    m_processes = m_count > 1 && processes.count() > 1 ? &processes : &single_process;
  }

  /// All selected rows.
  const RowSelection& rows() const { return m_rows; }
  /// Number of rows in each part, a multiple of 32. The last parts may have fewer or none.
  std::int64_t rows_of_part() const { return m_rows_of_part; }
  /// Number of parts.
  std::int64_t count() const { return m_count; }
  /// The processes that share the parts.
  Processes& processes() const { return *m_processes; }
  /// The parts of a process.
  PartRange of_process(int rank) const { return parts_of_process(*m_processes, rank, m_count); }
  /// The parts of this process.
  PartRange own() const { return of_process(m_processes->rank()); }
  /// The rows of a range of parts.
  RowSelection rows_of(const PartRange& parts) const { return m_rows.between(place(parts.first), place(parts.end)); }

  /// Place of the first row of a part in the selection.
  std::int64_t place(std::int64_t part) const { return std::min(part * m_rows_of_part, m_rows.count); }

 private:
  // Returns a power of two, so that the same number of processes each have one node of the tree of parts. The memory
  // for the sums limits the number of parts, and parts have so many rows that a minibatch is a single part.
  static std::int64_t parts_of(std::int64_t rows, std::int64_t sums) {
    constexpr std::int64_t max_numbers = std::int64_t{1} << 22, min_rows = 1536;
    const std::int64_t most = std::max<std::int64_t>(1, std::min({max_parts, max_numbers / sums, rows / min_rows}));
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)));
  }

  RowSelection m_rows;
  std::int64_t m_count, m_rows_of_part;
  Processes* m_processes;
};

}  // namespace sporos::models
