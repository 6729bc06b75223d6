// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csv.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos::io {

/// Position and description of an error in a CSV text.
struct CsvFault {
  std::size_t line;   ///< line number, from 1
  std::size_t field;  ///< index of the field in its record, from 0
  std::string why;    ///< description as a predicate: "has ..."
};

/// Largest number of fields in a record.
inline constexpr std::size_t max_csv_fields = 10'000'000;

/// Iterates over the records of a text in the format of RFC 4180, which libcsv parses in strict mode. Blanks around
/// unquoted fields and blank lines at the end are ignored, and lines may end with LF or CRLF. The memory for a record
/// is bounded by max_csv_fields and the record's characters.
class CsvRecords {
 public:
  /// Starts before the first record of `text`, which must outlive this object.
  CsvRecords(std::string_view text, char separator) : m_text(without_blank_end(text, separator)) {
    if (csv_init(&m_parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0) throw std::bad_alloc();
    csv_set_delim(&m_parser, static_cast<unsigned char>(separator));
  }
  CsvRecords(const CsvRecords&) = delete;             ///< not copyable: the state of the parser has no copy
  CsvRecords& operator=(const CsvRecords&) = delete;  ///< not copyable: the state of the parser has no copy
  ~CsvRecords() { csv_free(&m_parser); }

  /// Whether all records have been read.
  bool at_end() const { return m_text.empty(); }

  /// Line on which the record that next() read last begins, from 1.
  std::size_t line() const { return m_line; }

  /// Fields of the record that next() read last, valid until its next call. A blank line is one empty field.
  const std::vector<std::string_view>& fields() const { return m_fields; }

  /// Reads the next record, which must exist. Returns the error in it, if there is one.
  std::optional<CsvFault> next() {
    m_characters.clear();
    m_ends.clear();
    m_is_complete = false;
    m_has_too_many = false;
    m_line = m_field_line = m_line_after;
    while (!m_is_complete && !m_text.empty()) {
      const std::string_view line = m_text.substr(0, std::min(m_text.find('\n'), m_text.size() - 1) + 1);
      const std::size_t end = line.find_last_not_of("\r\n") + 1;
      if (!parse(line.substr(0, end))) {
        return malformed(m_line_after, "has a quote that is neither doubled nor at an end of the field");
      }
      if (m_is_complete) {
        return malformed(m_line_after, "begins after a carriage return (CR) that does not end the line");
      }
      parse(line.substr(end));
      m_text.remove_prefix(line.size());
      ++m_line_after;
    }
    if (!m_is_complete && csv_fini(&m_parser, take_field, end_record, this) != 0) {
      return malformed(m_field_line, "begins with a quote that is never closed");
    }
    check();
    if (m_has_too_many) {
      return fault(m_line, "is one too many, expected at most " + std::to_string(max_csv_fields) + " fields in a line");
    }
    set_fields();
    return std::nullopt;
  }

 private:
  // Returns `text` without the blank lines at its end.
  static std::string_view without_blank_end(std::string_view text, char separator) {
    const std::size_t end = text.find_last_not_of(separator == '\t' ? "\r\n " : "\r\n \t") + 1;
    return text.substr(0, std::min(text.find('\n', end), text.size() - 1) + 1);
  }

  bool parse(std::string_view text) {
    const std::size_t done = csv_parse(&m_parser, text.data(), text.size(), take_field, end_record, this);
    check();
    return done == text.size();
  }

  void check() {
    if (m_failure) std::rethrow_exception(m_failure);
    if (csv_error(&m_parser) == CSV_ENOMEM) throw std::bad_alloc();
  }

  CsvFault fault(std::size_t line, std::string why) const { return {line, m_ends.size(), std::move(why)}; }
  CsvFault malformed(std::size_t line, const std::string& why) const {
    return fault(line, why + ", which CSV (RFC 4180) does not allow");
  }

  // libcsv is a C library, so exceptions must not pass through it.
  static void take_field(void* text, std::size_t size, void* records) {
    auto& self = *static_cast<CsvRecords*>(records);
    if (self.m_is_complete) return;  // a field after the end of the record, which next() refuses
    if (self.m_ends.size() == max_csv_fields) {
      self.m_has_too_many = true;
      return;
    }
    try {
      self.m_characters.append(static_cast<const char*>(text), size);
      self.m_ends.push_back(self.m_characters.size());
    } catch (...) {
      self.m_failure = std::current_exception();
    }
    self.m_field_line = self.m_line_after;
  }

  static void end_record(int, void* records) { static_cast<CsvRecords*>(records)->m_is_complete = true; }

  void set_fields() {
    m_fields.clear();
    if (m_ends.empty()) m_ends.push_back(0);
    std::size_t begin = 0;
    for (const std::size_t end : m_ends) {
      m_fields.push_back(std::string_view(m_characters).substr(begin, end - begin));
      begin = end;
    }
  }

  csv_parser m_parser;
  std::string_view m_text;          // text that has not been read
  std::string m_characters;         // characters of the record's fields, concatenated
  std::vector<std::size_t> m_ends;  // end of each field in m_characters
  std::vector<std::string_view> m_fields;
  bool m_is_complete = false;    // whether the record is complete
  bool m_has_too_many = false;   // whether the record has too many fields
  std::size_t m_line = 0;        // line on which the record begins
  std::size_t m_field_line = 0;  // line on which the field that is being read begins
  std::size_t m_line_after = 1;  // line after those that have been read
  std::exception_ptr m_failure;
};

}  // namespace sporos::io
