// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/sum_tree.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sporos::models {

/// Selected rows in parts, of which each process has some neighbouring ones. How they are cut depends on the number of
/// rows and on how many sums there are over each part, and on nothing else.
class RowParts {
 public:
  /// Of no rows.
  RowParts() : RowParts({nullptr, 0}, 1, alone) {}

  /// Parts with `sums` sums over each. Where it is one, every process has it.
  RowParts(const RowSelection& rows, std::int64_t sums, Processes& processes)
      : m_rows(rows), m_count(parts_of(rows.count, sums)) {
    const std::int64_t share = (rows.count + m_count - 1) / m_count;
    m_rows_of_part = (std::max<std::int64_t>(share, 1) + 31) / 32 * 32;
    m_processes = m_count > 1 && processes.count() > 1 ? &processes : &alone;
  }

  /// All rows.
  const RowSelection& rows() const { return m_rows; }
  /// Rows of each part but the last ones, which may have fewer or none; a multiple of 32.
  std::int64_t rows_of_part() const { return m_rows_of_part; }
  /// Number of parts.
  std::int64_t count() const { return m_count; }
  /// Those that share the parts.
  Processes& processes() const { return *m_processes; }
  /// The parts of a process.
  PartRange of_process(int rank) const { return parts_of_process(*m_processes, rank, m_count); }
  /// The parts of this process.
  PartRange own() const { return of_process(m_processes->rank()); }
  /// The rows of some parts.
  RowSelection rows_of(const PartRange& parts) const { return m_rows.between(place(parts.first), place(parts.end)); }

  /// The place of a part's first row.
  std::int64_t place(std::int64_t part) const { return std::min(part * m_rows_of_part, m_rows.count); }

 private:
  // A power of two, so that as many processes have one node of the parts' tree each; few enough for the memory of their
  // sums, and rows enough in one for a minibatch to be one part.
  static std::int64_t parts_of(std::int64_t rows, std::int64_t sums) {
    constexpr std::int64_t most_numbers = std::int64_t{1} << 22, least_rows = 1536;
    const std::int64_t most = std::max<std::int64_t>(1, std::min({most_parts, most_numbers / sums, rows / least_rows}));
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)));
  }

  RowSelection m_rows;
  std::int64_t m_count, m_rows_of_part;
  Processes* m_processes;
};

}  // namespace sporos::models
