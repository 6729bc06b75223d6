// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// How a command uses the file that an argument names.
enum class FileUse {
  reads,         ///< reads it as input
  resumes,       ///< continues from the state in it
  writes,        ///< replaces it
  saves,         ///< replaces it by a state; may be the file with the resumed state
  keeps,         ///< uses it for checkpoints, with companion files next to it
  writes_series  ///< writes several files whose names begin with the argument
};

/// A file that an argument names.
struct NamedFile {
  std::string argument;  ///< name of the argument in messages
  std::string path;      ///< path as the user wrote it
  FileUse use;           ///< how the command uses the file
};

/// All files that the arguments of a command name.
using NamedFiles = std::vector<NamedFile>;

/// Throws std::invalid_argument if a file that is read would be written, or if a file would be written twice. Standard
/// output and the companions of checkpoints are included. Files are compared by identity and not by path, so that links
/// are followed. Character devices, such as terminals and /dev/null, do not conflict: they hold no data that could be
/// lost.
void check_files(const NamedFiles& files);

/// Value of an option as the user wrote it; empty if the option is not given.
using OptionText = std::optional<std::string>;

/// Aspect of a run that an option affects.
enum class Decides {
  result,  ///< the computation
  end,     ///< the end of the run, the reported results, the location of data; may change when a run is continued
  run      ///< written files and threads; not stored in checkpoints and states
};

/// How often an option may be given.
enum class Occurrence {
  once,
  repeated,             ///< several times
  value_may_be_missing  ///< once, and possibly without a value, which is then empty
};

/// An option of a command.
struct OptionEntry {
  std::string group;  ///< heading in the command's help
  std::string name;   ///< name without dashes
  /// Placeholder of the value in the help. Empty for a flag, whose text is then "on".
  std::string value;
  std::string help;                          ///< description for the help
  std::optional<FileUse> file = {};          ///< use of the file that the value names, if it names one
  Decides decides = Decides::result;         ///< aspect that the option affects
  Occurrence occurrence = Occurrence::once;  ///< how often it may be given
};

/// An option that names a file of data. The same data in another place do not affect the result.
inline OptionEntry data_file(const std::string& group, const std::string& name, const std::string& help) {
  return {group, name, "FILE", help, FileUse::reads, Decides::end};
}

/// Options of a command and the values that the user has given, by name.
class OptionTable {
 public:
  /// Creates a table in which no option is given.
  explicit OptionTable(std::vector<OptionEntry> entries = {});

  /// Options in the order of the help.
  const std::vector<OptionEntry>& entries() const { return m_entries; }
  /// Value of an option that is not repeated. Throws std::out_of_range if there is no such option.
  OptionText& text(const std::string& name) { return m_texts.at(name); }
  /// Value of an option that is not repeated. Throws std::out_of_range if there is no such option.
  const OptionText& text(const std::string& name) const { return m_texts.at(name); }
  /// All values of an option that is repeated. Throws std::out_of_range if there is no such option.
  std::vector<std::string>& list(const std::string& name) { return m_lists.at(name); }
  /// All values of an option that is repeated. Throws std::out_of_range if there is no such option.
  const std::vector<std::string>& list(const std::string& name) const { return m_lists.at(name); }
  /// Returns the value of an option, or all values of a repeated one with a line for each; empty if it is not given.
  OptionText given(const OptionEntry& entry) const;
  /// Whether an option that is not repeated is given; false if the command has no such option.
  bool has(const std::string& name) const {
    const auto found = m_texts.find(name);
    return found != m_texts.end() && found->second.has_value();
  }

  /// Returns an integer in [least, most], or `otherwise` if the option is not given. This and the following functions
  /// throw std::invalid_argument, naming the option, if the value is not valid.
  std::int64_t whole(const std::string& name, std::int64_t otherwise, std::int64_t least,
                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  /// Returns an integer from 0 to 2^64 - 1, or `otherwise`.
  std::uint64_t seed(const std::string& name, std::uint64_t otherwise) const;
  /// Returns a finite number of at least `least`, or `otherwise`.
  double number(const std::string& name, double otherwise, double least) const;
  /// Returns a finite number above 0, or `otherwise`.
  double positive(const std::string& name, double otherwise) const;
  /// Returns whether the value is "on" and not "off", or `otherwise`.
  bool is_on(const std::string& name, bool otherwise) const;
  /// Returns one of the values of Choice, or `otherwise`.
  template <class Choice>
  Choice choice(const std::string& name, Choice otherwise) const {
    return has(name) ? parse_choice<Choice>(*text(name)) : otherwise;
  }

  /// Throws std::invalid_argument if the option `name` is given and `fits` is false. The message says that it is
  /// expected only with `with`.
  void refuse_unless(bool fits, const std::string& name, const std::string& with) const;

 private:
  std::vector<OptionEntry> m_entries;
  std::map<std::string, OptionText> m_texts;
  std::map<std::string, std::vector<std::string>> m_lists;
};

/// Returns the seconds of --time-limit in `table`; infinity if it is not given.
double time_limit_of(const OptionTable& table);

/// Throws std::invalid_argument on all processes if one has other options than the first, except devices, or data of
/// another digest: all processes of a computation need the same task. Collective.
void check_same_task(const OptionTable& table, std::uint64_t digest);

/// Returns the entries with `decides` set to `what`.
std::vector<OptionEntry> deciding(Decides what, std::vector<OptionEntry> entries);

/// Concatenates the entries of these lists.
std::vector<OptionEntry> entries_of(std::initializer_list<std::vector<OptionEntry>> lists);

}  // namespace sporos::runtime
