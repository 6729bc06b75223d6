// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

/// Parses JSON and finds the lines of its values.
namespace sporos::io {

/// Largest nesting depth of lists and objects in JSON that is read. No file of Sporos needs more than ten levels, and
/// functions that traverse JSON (copies, comparisons) recurse once per level.
inline constexpr std::size_t max_json_depth = 100;

/// Largest number of members of an object that is read. Finding a member takes linear time.
inline constexpr std::size_t max_json_members = 10'000;

/// Parses `text` as JSON; `what` names it in messages. Throws std::invalid_argument, with the position, if it is not
/// JSON, is nested deeper than max_json_depth, has an object with more than max_json_members members or with a
/// duplicate member, or has anything but blanks after its end.
Json parse_json(std::string_view what, std::string_view text);

/// JSON together with its source text, so that messages name lines.
class JsonText {
 public:
  /// Parses `text`, the contents of the file `path`. Throws the same exceptions as parse_json.
  JsonText(std::string path, std::string text)
      : m_path(std::move(path)), m_text(std::move(text)), m_json(parse_json(m_path, m_text)) {}

  /// Path of the file, with which messages begin.
  const std::string& path() const { return m_path; }

  /// Returns `read(json, path)`. If `read` throws a JsonError about a part of `json`, throws it again as
  /// std::invalid_argument with the line: "FILE, line 3: plan: seed is ...".
  template <class Read>
  auto read(const Read& read) const {
    try {
      return read(m_json, m_path);
    } catch (const JsonError& error) {
      throw std::invalid_argument(with_line(error));
    }
  }

 private:
  std::string with_line(const JsonError& error) const;

  std::string m_path, m_text;
  Json m_json;
};

}  // namespace sporos::io
