// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/named_files.hpp>

#include <sporos/core/execution/choice.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The value of an option as the user wrote it; nothing where it is not given.
using OptionText = std::optional<std::string>;

/// What an option decides.
enum class Decides {
  result,  ///< what is computed
  end,     ///< when that ends, what is looked at, where the data are: can be given anew where a run goes on
  run      ///< which files are written, on which threads: nothing that a checkpoint or a state tells of
};

/// How often an option is given.
enum class Occurrence {
  once,
  repeated,             ///< several times
  value_may_be_missing  ///< once, and then without a value, too, which is an empty one
};

/// An option that a command takes.
struct OptionEntry {
  std::string group;  ///< of the command's help
  std::string name;   ///< without its dashes
  std::string value;  ///< what stands behind it in the help; empty for one without a value, whose text is then "on"
  std::string help;   ///< what it does
  std::optional<FileUse> file = {};          ///< what is done with the file that the value names, where it does
  Decides decides = Decides::result;         ///< what it is for
  Occurrence occurrence = Occurrence::once;  ///< how often it is given
};

/// An option that names a file of data: another place of the same data decides nothing.
inline OptionEntry data_file(const std::string& group, const std::string& name, const std::string& help) {
  return {group, name, "FILE", help, FileUse::reads, Decides::end};
}

/// The options of a command and what the user has given for them, by name.
class OptionTable {
 public:
  /// With none given.
  explicit OptionTable(std::vector<OptionEntry> entries = {});

  /// In the order of the help.
  const std::vector<OptionEntry>& entries() const { return m_entries; }
  /// What was given, for one that is not repeated; throws std::out_of_range for what is no option.
  OptionText& text(const std::string& name) { return m_texts.at(name); }
  /// The same.
  const OptionText& text(const std::string& name) const { return m_texts.at(name); }
  /// All that was given for an option that is repeated.
  std::vector<std::string>& list(const std::string& name) { return m_lists.at(name); }
  /// The same.
  const std::vector<std::string>& list(const std::string& name) const { return m_lists.at(name); }
  /// All that was given for an option, as one text: the values of one that is repeated, a line each.
  OptionText given(const OptionEntry& entry) const;
  /// Whether it was given; false for what is no option of the command.
  bool has(const std::string& name) const {
    const auto found = m_texts.find(name);
    return found != m_texts.end() && found->second.has_value();
  }

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
  std::map<std::string, std::vector<std::string>> m_lists;
};

/// The seconds that --time-limit of `table` gives; infinitely many where it is not given.
double time_limit_of(const OptionTable& table);

/// Throws std::invalid_argument on all processes where one has other options than the first, devices aside, or data of
/// another digest: what processes compute together, each must be asked for. Collective.
void check_same_task(const OptionTable& table, std::uint64_t digest);

/// The same entries, of options that decide `what`.
std::vector<OptionEntry> deciding(Decides what, std::vector<OptionEntry> entries);

/// The entries of these lists, one after the other.
std::vector<OptionEntry> entries_of(std::initializer_list<std::vector<OptionEntry>> lists);

}  // namespace sporos::runtime
