// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_case_member.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sporos::models {

void CaseMember::refuse(const std::string& expected) const {
  fail(fmt::format("{} is {}, expected {}", m_path.empty() ? "the case" : m_path, io::in_quotes(m_json->dump()),
                   expected));
}

void CaseMember::check_members(std::initializer_list<std::string_view> names) const {
  if (!is_object()) refuse(fmt::format("an object with the members {}", fmt::join(names, ", ")));
  for (const auto& [name, value] : m_json->items()) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw io::JsonError(value, fmt::format("{} is unknown, expected only {}{}", path_of(name),
                                           m_path.empty() ? "" : m_path + " with ", fmt::join(names, ", ")));
  }
}

std::optional<CaseMember> CaseMember::find(std::string_view name) const {
  const auto found = m_json->find(name);
  if (found == m_json->end()) return std::nullopt;
  return CaseMember(*found, path_of(name));
}

CaseMember CaseMember::at(std::string_view name) const {
  if (const auto member = find(name)) return *member;
  fail(path_of(name) + " is missing");
}

std::vector<std::pair<std::string, CaseMember>> CaseMember::all() const {
  std::vector<std::pair<std::string, CaseMember>> members;
  if (is_object()) {
    for (const auto& [name, value] : m_json->items()) members.emplace_back(name, CaseMember(value, path_of(name)));
  } else if (is_list()) {
    for (std::size_t i = 0; i < m_json->size(); ++i)
      members.emplace_back("", CaseMember((*m_json)[i], fmt::format("{}[{}]", m_path, i)));
  }
  return members;
}

std::string CaseMember::text() const {
  if (!is_text()) refuse("a string");
  return m_json->get<std::string>();
}

double CaseMember::number() const {
  if (!is_number()) refuse("a number");
  return m_json->get<double>();
}

bool CaseMember::truth() const {
  if (!m_json->is_boolean()) refuse("true or false");
  return m_json->get<bool>();
}

int CaseMember::whole(double least, double most) const {
  const double number = is_number() ? m_json->get<double>() : std::nan("");
  if (!(number >= least && number <= most && number == std::floor(number)))
    refuse(fmt::format("a whole number from {} to {}", least, most));
  return static_cast<int>(number);
}

std::string CaseMember::path_of(std::string_view name) const {
  std::string shown = io::in_quotes(name);
  shown = shown.substr(1, shown.size() - 2);
  return m_path.empty() ? shown : m_path + "." + shown;
}

}  // namespace sporos::models
