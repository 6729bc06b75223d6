// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_parser.hpp>

#include <sporos/core/execution/choice.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace sporos::runtime {

/// An option that a command takes.
struct OptionEntry {
  std::string group;  ///< of the command's help
  std::string name;   ///< without its dashes
  std::string value;  ///< what stands behind it in the help; empty for one without a value, whose text is then "on"
  std::string help;   ///< what it does
};

/// The options of a command and what the user has given for them, by name.
class OptionTable {
 public:
  /// With none given.
  explicit OptionTable(std::vector<OptionEntry> entries);

  /// In the order of the help.
  const std::vector<OptionEntry>& entries() const { return m_entries; }
  /// What was given; throws std::out_of_range for what is no option.
  OptionText& text(const std::string& name) { return m_texts.at(name); }
  /// The same.
  const OptionText& text(const std::string& name) const { return m_texts.at(name); }
  /// Whether it was given.
  bool has(const std::string& name) const { return text(name).has_value(); }

  /// A whole number, or `otherwise`. This and what follows throw std::invalid_argument, naming the option, for a text
  /// that is none.
  std::int64_t whole(const std::string& name, std::int64_t otherwise, std::int64_t least,
                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  /// From 0 to 2^64 - 1.
  std::uint64_t seed(const std::string& name, std::uint64_t otherwise) const;
  /// A finite number of at least `least`.
  double number(const std::string& name, double otherwise, double least) const;
  /// A finite number above 0.
  double positive(const std::string& name, double otherwise) const;
  /// on or off.
  bool is_on(const std::string& name, bool otherwise) const;
  /// One of the choices.
  template <class Choice>
  Choice choice(const std::string& name, Choice otherwise) const {
    return has(name) ? parse_choice<Choice>(*text(name)) : otherwise;
  }

  /// Throws std::invalid_argument where an option is given that does not fit the others: it does `with` something else.
  void refuse_unless(bool fits, const std::string& name, const std::string& with) const;

 private:
  std::vector<OptionEntry> m_entries;
  std::map<std::string, OptionText> m_texts;
};

/// The seconds that --time-limit of `table` gives; infinitely many where it is not given.
double time_limit_of(const OptionTable& table);

/// Throws std::invalid_argument on all processes where one has other options than the first, devices aside, or data of
/// another digest: what processes compute together, each must be asked for. Collective.
void check_same_task(const OptionTable& table, std::uint64_t digest);

/// Adds the options to `app`; what the user gives goes to `table`.
void add(CLI::App& app, OptionTable& table);

}  // namespace sporos::runtime
