// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/networks/network_case_unit.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

namespace {

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array<TimeUnit, 5> time_units{{{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};

std::string names_of_units() {
  std::string names;
  for (const TimeUnit& unit : time_units) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  return names;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The parts of a text such as "8 h".
struct Quantity {
  std::optional<double> number;
  std::string_view unit;
};
Quantity quantity_of(std::string_view text) {
  const auto blank = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  return {io::number_of<double>(trimmed(text.substr(0, blank))), trimmed(text.substr(blank))};
}

double checked_seconds_of(const CaseMember& member, std::string_view unit) {
  const auto seconds = CaseUnit::seconds_of(unit);
  if (!seconds) member.refuse("one of the units " + names_of_units());
  return *seconds;
}

double checked_time(const CaseMember& member, double time) {
  if (!std::isfinite(time) || time < 0) member.refuse("a finite time of at least 0");
  return time;
}

// Splits a text at the commas outside of parentheses.
std::vector<std::string_view> components(std::string_view text) {
  std::vector<std::string_view> found;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == ')')) depth += text[i] == '(' ? 1 : -1;
    if (i < text.size() && !(text[i] == ',' && depth == 0)) continue;
    found.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return found;
}

DistributionChoice distribution(const CaseMember& member, std::string_view text) {
  try {
    return parse_distribution(text);
  } catch (const std::invalid_argument& error) {
    member.fail(fmt::format("{} is {}: {}", member.path(), io::in_quotes(member.text()), error.what()));
  }
}

}  // namespace

std::optional<double> CaseUnit::seconds_of(std::string_view name) {
  const auto found = std::ranges::find(time_units, name, &TimeUnit::name);
  return found == time_units.end() ? std::nullopt : std::optional(found->seconds);
}

CaseUnit::CaseUnit(const CaseMember& member) : m_seconds(checked_seconds_of(member, member.text())) {}

// Returns how many of this unit `unit` is.
double CaseUnit::units_of(const CaseMember& member, std::string_view unit) const {
  return checked_seconds_of(member, unit) / m_seconds;
}

std::optional<double> CaseUnit::time_of(std::string_view text) const {
  const auto [number, unit] = quantity_of(text);
  if (!number || unit.empty()) return number;
  const auto seconds = seconds_of(unit);
  return seconds ? std::optional(*number * *seconds / m_seconds) : std::nullopt;
}

double CaseUnit::time(const CaseMember& member) const {
  if (member.is_number()) return checked_time(member, member.number());
  const std::string text = member.text();
  const auto [number, unit] = quantity_of(text);
  if (!number || unit.empty()) member.refuse("a number, or a string such as '8 h'");
  return checked_time(member, *number * units_of(member, unit));
}

double CaseUnit::rate(const CaseMember& member) const {
  if (member.is_number()) return member.number();
  const std::string text = member.text();
  const auto slash = text.find('/');
  const auto number = io::number_of<double>(trimmed(std::string_view(text).substr(0, slash)));
  if (!number || slash == std::string::npos) member.refuse("a number, or a string such as '12 / h'");
  return *number / units_of(member, trimmed(std::string_view(text).substr(slash + 1)));
}

NetworkDuration CaseUnit::duration(const CaseMember& member) const {
  NetworkDuration duration;
  if (member.is_number()) {
    duration.distribution.parameters = {member.number()};
    return duration;
  }
  if (!member.is_text()) member.refuse("a number, or a distribution such as 'exponential(0.5)'");
  const std::string text = member.text();
  if (const auto first = text.find_first_not_of(" \t");
      first != std::string::npos && std::string_view("0123456789.").find(text[first]) != std::string_view::npos) {
    duration.distribution.parameters = {time(member)};
    return duration;
  }
  const auto end = std::min(text.rfind(')'), text.size() - 1) + 1;
  const std::string_view unit = trimmed(std::string_view(text).substr(std::min(end, text.size())));
  if (!unit.empty()) duration.unit = units_of(member, unit);
  duration.distribution = distribution(member, std::string_view(text).substr(0, end));
  return duration;
}

// Parses a duration or a mixture.
NetworkDuration CaseUnit::part(const CaseMember& member) const {
  constexpr std::string_view begin = "mixture(";
  const std::string text = member.is_text() ? std::string(trimmed(member.text())) : "";
  const auto end = text.rfind(')');
  if (!text.starts_with(begin) || end == std::string::npos) return duration(member);
  const std::string_view unit = trimmed(std::string_view(text).substr(end + 1));
  NetworkDuration mixture;
  bool is_first = true;
  for (const std::string_view component : components(std::string_view(text).substr(0, end).substr(begin.size()))) {
    const auto colon = component.rfind(':');
    const auto probability = colon > component.rfind(')') && colon != std::string_view::npos
                                 ? io::number_of<double>(trimmed(component.substr(colon + 1)))
                                 : std::nullopt;
    if (!probability) member.refuse("components such as 'exponential(0.5):0.4', separated by commas");
    NetworkDuration& of = is_first ? mixture : mixture.mixed.emplace_back();
    of.probability = *probability;
    if (!unit.empty()) of.unit = units_of(member, unit);
    of.distribution = distribution(member, component.substr(0, colon));
    is_first = false;
  }
  return mixture;
}

NetworkDuration CaseUnit::sum(const CaseMember& member) const {
  if (!member.is_list()) return part(member);
  const auto parts = member.all();
  if (parts.empty()) member.refuse("a number, a distribution such as 'exponential(0.5)', or a list of such parts");
  NetworkDuration sum = part(parts.front().second);
  for (std::size_t i = 1; i < parts.size(); ++i) sum.more.push_back(part(parts[i].second));
  return sum;
}

}  // namespace sporos::models
