// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>
#include <sporos/models/networks/network_case_member.hpp>

#include <optional>
#include <string_view>

/// Times in the JSON text of a case.
namespace sporos::models {

/// The unit of time of a case. It parses times, rates and durations: plain numbers are in this unit, strings can have
/// another one.
class CaseUnit {
 public:
  /// The second.
  CaseUnit() = default;
  /// The unit that `member` names. Refuses other names.
  explicit CaseUnit(const CaseMember& member);

  /// Returns the seconds of a unit by its name, if there is one.
  static std::optional<double> seconds_of(std::string_view name);

  /// Parses a time: a number, or a string with a unit such as "8 h". Refuses other values and negative times.
  double time(const CaseMember& member) const;
  /// Parses the text of a time. Returns nothing if it is none.
  std::optional<double> time_of(std::string_view text) const;
  /// Parses a rate: a number in the reciprocal unit, or a string with a unit such as "12 / h".
  double rate(const CaseMember& member) const;
  /// Parses a constant, a time with a unit, or a string in the format of parse_distribution, optionally followed by a
  /// unit.
  NetworkDuration duration(const CaseMember& member) const;
  /// Parses a duration, a mixture such as "mixture(exponential(1):0.4, exponential(9):0.6) min", or a list of both as
  /// their sum.
  NetworkDuration sum(const CaseMember& member) const;

 private:
  double units_of(const CaseMember& member, std::string_view unit) const;
  NetworkDuration part(const CaseMember& member) const;

  double m_seconds = 1;
};

}  // namespace sporos::models
