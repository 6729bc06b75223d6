// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/math/count.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::io {

/// Human-readable text table. Columns of text are aligned to the left, columns of numbers to the right.
class Table {
 public:
  /// Content of a column.
  enum class Column { text, number };

  /// Creates a table with these columns and a line of their names.
  explicit Table(std::vector<std::pair<std::string, Column>> columns) {
    std::vector<std::string> names;
    for (auto& [name, kind] : columns) {
      names.push_back(std::move(name));
      m_kinds.push_back(kind);
    }
    m_widths.resize(m_kinds.size(), 0);
    add_row(std::move(names));
  }

  /// Adds a row; missing fields at its end are empty.
  void add_row(std::vector<std::string> fields) {
    fields.resize(m_kinds.size());
    for (std::size_t i = 0; i < fields.size(); ++i) m_widths[i] = std::max(m_widths[i], width_of(fields[i]));
    m_rows.push_back(std::move(fields));
  }

  /// Returns the lines of the table, each with its line end.
  std::string text() const {
    std::string lines;
    for (const auto& row : m_rows) lines += line_of(row) + '\n';
    return lines;
  }

 private:
  // Number of UTF-8 characters, not bytes.
  static std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }

  std::string line_of(const std::vector<std::string>& row) const {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(m_widths[i] - width_of(row[i]), ' ');
      line += i > 0 ? "  " : "";
      line += m_kinds[i] == Column::text ? row[i] + space : space + row[i];
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

  std::vector<Column> m_kinds;
  std::vector<std::size_t> m_widths;
  std::vector<std::vector<std::string>> m_rows;
};

/// Returns `value` with as many decimals as the half-width has if it is shown with two significant digits. Uses six
/// significant digits if the half-width is zero, not finite, or less than the rounding error of the value.
inline std::string text_to_precision(double value, double half_width) {
  constexpr double rounding = 1e-14;
  if (!(half_width > rounding * std::abs(value)) || std::isinf(half_width) || !std::isfinite(value)) {
    return fmt::format("{:.6g}", value);
  }
  const int decimals = 1 - static_cast<int>(bounded_count(std::floor(std::log10(half_width))));
  constexpr int max_decimals = 12;
  constexpr double largest = 1e12;
  if (std::abs(value) < largest && half_width < largest && decimals <= max_decimals) {
    return fmt::format("{:.{}f}", value, std::max(decimals, 0));
  }
  const int leading = value == 0 ? -decimals : static_cast<int>(bounded_count(std::floor(std::log10(std::abs(value)))));
  return fmt::format("{:.{}e}", value, std::clamp(leading + decimals, 1, 16));
}

}  // namespace sporos::io
