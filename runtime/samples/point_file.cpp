// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/samples/point_file.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::size_t max_mebibytes = 8192;  // text of the largest sample has at most this size

// Checks the names in the first line of a file. Without them, its first point would be taken for names.
void check_names(const std::string& path, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string expected = coordinate_name(static_cast<std::int64_t>(i));
    if (names[i] == expected) continue;
    throw std::invalid_argument(fmt::format("{}, line 1: column {} is called {}, expected '{}'", path, i + 1,
                                            io::in_quotes(names[i]), expected));
  }
}

}  // namespace

std::string coordinate_name(std::int64_t coordinate) { return fmt::format("u{}", coordinate + 1); }

PointFile::PointFile(const std::string& path)
    : m_path(path), m_contents(io::read_text_file(path, max_mebibytes, io::FileContents::bytes)) {
  if (m_contents.starts_with(io::npy_mark)) {
    m_matrix = io::parse_npy(m_path, m_contents);
    return;
  }
  m_rows.emplace(m_path, std::move(m_contents), io::CsvContents{"coordinate", "point"});
  check_names(m_path, m_rows->names());
}

std::int64_t PointFile::dimensions() const {
  return m_matrix ? m_matrix->columns : static_cast<std::int64_t>(m_rows->names().size());
}

std::vector<double> PointFile::next(std::int64_t most) {
  std::vector<double> numbers;
  for (std::int64_t points = 0; points < most; ++points) {
    if (m_matrix) {
      if (m_next == m_matrix->rows) break;
      for (std::int64_t i = 0; i < m_matrix->columns; ++i) numbers.push_back((*m_matrix)(m_next, i));
      ++m_next;
    } else {
      if (!m_rows->next()) break;
      for (std::size_t i = 0; i < m_rows->names().size(); ++i) numbers.push_back(m_rows->number(i));
    }
  }
  return numbers;
}

}  // namespace sporos::runtime
