// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos::models::impl {

/// One `index:value` entry of a line.
struct LibsvmEntry {
  std::int32_t index;  // counted from 1
  double value;
};

/// Parses a line of a LIBSVM file. Throws std::invalid_argument, naming file, line and column.
class LibsvmLine {
 public:
  LibsvmLine(const std::string& path, std::size_t number, std::string_view text)
      : m_path(path), m_number(number), m_text(text.substr(0, text.find('#'))) {
    std::string_view word = next_word();
    if (word.empty()) refuse(m_word, "the line has no entries, expected a label and features");
    m_label = io::shortest_text(finite_number("label", word, m_word));
  }

  /// The class of the row, as the shortest text of its number.
  const std::string& label() const { return m_label; }

  [[noreturn]] void refuse_label(std::string_view why) const { refuse(0, fmt::format("label {}", why)); }

  /// The next feature, if one follows.
  std::optional<LibsvmEntry> next() {
    const std::string_view word = next_word();
    if (word.empty()) return std::nullopt;
    const auto colon = word.find(':');
    if (colon == std::string_view::npos) {
      refuse(m_word, fmt::format("feature is {}, expected index:value", io::in_quotes(word)));
    }
    const std::int32_t index = index_of(word.substr(0, colon));
    m_index = index;
    return LibsvmEntry{index, finite_number("value", word.substr(colon + 1), m_word + colon + 1)};
  }

 private:
  [[noreturn]] void refuse(std::size_t place, std::string_view why) const {
    throw std::invalid_argument(fmt::format("{}, line {}, column {}: {}", m_path, m_number, place + 1, why));
  }

  // Returns the text up to the next blank and sets m_word to its position.
  std::string_view next_word() {
    m_word = std::min(m_text.find_first_not_of(" \t", m_place), m_text.size());
    m_place = std::min(m_text.find_first_of(" \t", m_word), m_text.size());
    return m_text.substr(m_word, m_place - m_word);
  }

  std::int32_t index_of(std::string_view text) const {
    const auto index = io::number_of<std::int32_t>(text);
    if (!index || *index < 1) {
      refuse(m_word, fmt::format("feature index is {}, expected a whole number from 1 to {}", io::in_quotes(text),
                                 std::numeric_limits<std::int32_t>::max()));
    }
    if (*index <= m_index) {
      refuse(m_word, fmt::format("feature index is {} after {}, expected ascending indices", *index, m_index));
    }
    return *index;
  }

  double finite_number(std::string_view what, std::string_view text, std::size_t place) const {
    const bool has_plus = text.starts_with('+') && !text.starts_with("+-");
    const auto value = io::number_of<double>(text.substr(has_plus ? 1 : 0));
    if (!value || !std::isfinite(*value)) {
      refuse(place, fmt::format("{} is {}, expected a finite number", what, io::in_quotes(text)));
    }
    return *value;
  }

  const std::string& m_path;
  std::size_t m_number;
  std::string_view m_text;
  std::size_t m_place = 0, m_word = 0;
  std::int32_t m_index = 0;
  std::string m_label;
};

}  // namespace sporos::models::impl
