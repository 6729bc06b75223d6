// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sporos::bench {

/// The options of a program. CLI11 reads them, in one source for all programs: it takes 5 s to be compiled.
class OptionParser {
 public:
  /// Where a value goes.
  using Place =
      std::variant<int*, std::int64_t*, std::uint64_t*, double*, std::optional<double>*, std::string*,
                   std::vector<int>*, std::vector<std::int64_t>*, std::vector<double>*, std::vector<std::string>*>;

  /// What is demanded of an option's values; each call returns the option.
  class Option {
   public:
    explicit Option(CLI::Option& option) : m_option(option) {}

    Option positive();
    Option non_negative();
    Option between(std::int64_t least, std::int64_t most);
    Option one_of(const std::vector<std::string>& names);
    Option separated_by_commas();
    Option required();

   private:
    CLI::Option& m_option;
  };

  OptionParser(const std::string& description, const std::string& name);
  ~OptionParser();
  OptionParser(const OptionParser&) = delete;
  OptionParser& operator=(const OptionParser&) = delete;

  /// An option with a value, or without dashes what stands alone.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description = "") {
    return add(name, &value, description);
  }
  /// One without a value; `!--name` sets false.
  void add_flag(const std::string& name, bool& value, const std::string& description);
  /// Leaves unknown arguments to `remaining`.
  void allow_extras();
  /// Reads the arguments; the exit status where the program is to end, after help or a complaint.
  std::optional<int> parse(int argc, char** argv);
  /// Arguments that were not known.
  std::vector<std::string> remaining() const;
  /// The program's name.
  std::string get_name() const;

 private:
  Option add(const std::string& name, const Place& place, const std::string& description);

  std::unique_ptr<CLI::App> m_app;
};

}  // namespace sporos::bench
