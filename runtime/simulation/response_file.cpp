// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_file.hpp>

#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/npy.hpp>
#include <sporos/core/io/number.hpp>

#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

namespace sporos::runtime {

namespace {

constexpr std::size_t bytes_of_write = std::size_t{1} << 20;
constexpr std::size_t header_bytes = 128;  // size for NPY that suffices for any number of rows

bool is_npy(const std::string& path) {
  if (path.ends_with(".npy")) return true;
  if (path.ends_with(".csv")) return false;
  throw std::invalid_argument(
      fmt::format("--responses is {}, expected a file whose name ends in .csv or .npy", io::in_quotes(path)));
}

double number_of(const ParameterDescription& parameter, const ParameterValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw std::invalid_argument(fmt::format(
      "--responses: {} names another file at each design point, expected .csv, since .npy holds numbers only",
      parameter.flag()));
}

}  // namespace

ResponseFile::ResponseFile(const std::string& path, const ModelDescription& model,
                           const std::vector<ParameterValues>& design)
    : m_is_npy(is_npy(path)), m_texts(design.size()), m_numbers(design.size()), m_file(path), m_contents(m_file) {
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    if (!varies(design, i)) continue;
    m_columns.push_back(model.parameters[i].name);
    for (std::size_t point = 0; point < design.size(); ++point) {
      if (m_is_npy) {
        m_numbers[point].push_back(number_of(model.parameters[i], design[point][i]));
      } else {
        m_texts[point] += io::csv_field(text_of(design[point][i])) + ',';
      }
    }
  }
  m_columns.emplace_back("replication");
  for (auto& response : model.response_names(design.front())) m_columns.push_back(std::move(response));
  if (m_is_npy) {
    m_contents.check_seekable();
    m_pending = io::npy_header(0, static_cast<std::int64_t>(m_columns.size()), header_bytes);
  } else {
    io::append_csv_row(m_pending, m_columns);
  }
}

void ResponseFile::append_csv_row(const ReplicationRows& rows, std::size_t place, std::int64_t row) {
  auto end = std::back_inserter(m_pending);
  fmt::format_to(end, "{}{}", m_texts[rows.points[place]], rows.first + row);
  for (std::size_t response = 0; response < rows.responses; ++response) {
    fmt::format_to(end, ",{}", rows(place, row, response));
  }
  m_pending += '\n';
}

void ResponseFile::append_npy_row(const ReplicationRows& rows, std::size_t place, std::int64_t row) {
  m_row = m_numbers[rows.points[place]];
  m_row.push_back(static_cast<double>(rows.first + row));
  for (std::size_t response = 0; response < rows.responses; ++response) m_row.push_back(rows(place, row, response));
  io::append_npy_numbers(m_pending, m_row);
}

void ResponseFile::add(const ReplicationRows& rows) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    for (std::size_t place = 0; place < rows.points.size(); ++place) {
      if (row >= rows.counts[place]) continue;
      m_is_npy ? append_npy_row(rows, place, row) : append_csv_row(rows, place, row);
      ++m_rows;
      if (m_pending.size() < bytes_of_write) continue;
      m_contents.append(m_pending);
      m_pending.clear();
    }
  }
}

void ResponseFile::finish() {
  m_contents.append(m_pending);
  if (m_is_npy) {
    m_contents.replace_beginning(io::npy_header(m_rows, static_cast<std::int64_t>(m_columns.size()), header_bytes));
  }
  m_contents.finish();
}

}  // namespace sporos::runtime
