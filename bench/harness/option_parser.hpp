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

/// Options of a program. One source file includes CLI11 for all programs, because CLI11 takes 5 s to compile.
class OptionParser {
 public:
  /// Pointer to the variable that receives an option's value.
  using Place =
      std::variant<int*, std::int64_t*, std::uint64_t*, double*, std::optional<double>*, std::string*,
                   std::vector<int>*, std::vector<std::int64_t>*, std::vector<double>*, std::vector<std::string>*>;

  /// Validation of an option's values. Each member function returns the option, so that calls can be chained.
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

  /// Adds an option with a value, or a positional argument if the name has no dashes.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description = "") {
    return add(name, &value, description);
  }
  /// Adds an option without a value. A name `!--name` sets `value` to false.
  void add_flag(const std::string& name, bool& value, const std::string& description);
  /// Leaves unknown arguments to `remaining`.
  void allow_extras();
  /// Reads the arguments. Returns the exit status if the program has to end, after help or an error message.
  std::optional<int> parse(int argc, char** argv);
  /// Arguments that the parser did not recognize.
  std::vector<std::string> remaining() const;
  /// Name of the program.
  std::string get_name() const;

 private:
  Option add(const std::string& name, const Place& place, const std::string& description);

  std::unique_ptr<CLI::App> m_app;
};

}  // namespace sporos::bench
