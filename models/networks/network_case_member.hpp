// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The parts of a case's JSON text, as network_files.cpp reads them.
namespace sporos::models {

/// A value in the JSON text of a case, together with its path, such as stations.triage.servers. All errors are
/// io::JsonError with one sentence that begins with the path.
class CaseMember {
 public:
  /// `json` must outlive this object. The path of the whole case is empty.
  CaseMember(const io::Json& json, std::string path) : m_json(&json), m_path(std::move(path)) {}

  /// Throws an error: the path, the value and what was expected instead.
  [[noreturn]] void refuse(const std::string& expected) const;
  /// Throws an error with `message`, a full sentence.
  [[noreturn]] void fail(const std::string& message) const { throw io::JsonError(*m_json, message); }

  /// Path from the case, such as stations.triage.servers.
  const std::string& path() const { return m_path; }
  bool is_object() const { return m_json->is_object(); }  ///< whether the value is an object
  bool is_list() const { return m_json->is_array(); }     ///< whether the value is a list
  bool is_text() const { return m_json->is_string(); }    ///< whether the value is a string
  bool is_number() const { return m_json->is_number(); }  ///< whether the value is a number

  /// Refuses any value but an object with no other members than `names`.
  void check_members(std::initializer_list<std::string_view> names) const;
  /// Returns a member of an object, if there is one of this name.
  std::optional<CaseMember> find(std::string_view name) const;
  /// Returns a member of an object, and refuses an object without it.
  CaseMember at(std::string_view name) const;
  /// Returns the members of an object with their names, or the elements of a list with empty names.
  std::vector<std::pair<std::string, CaseMember>> all() const;

  std::string text() const;                    ///< a string; refuses other values
  double number() const;                       ///< a number; refuses other values
  bool truth() const;                          ///< true or false; refuses other values
  int whole(double least, double most) const;  ///< a whole number from `least` to `most`; refuses other values

 private:
  std::string path_of(std::string_view name) const;

  const io::Json* m_json;
  std::string m_path;
};

}  // namespace sporos::models
