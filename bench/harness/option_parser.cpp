// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "option_parser.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace sporos::bench {

OptionParser::OptionParser(const std::string& description, const std::string& name)
    : m_app(std::make_unique<CLI::App>(description, name)) {}
OptionParser::~OptionParser() = default;

OptionParser::Option OptionParser::Option::positive() {
  m_option.check(CLI::PositiveNumber);
  return *this;
}
OptionParser::Option OptionParser::Option::non_negative() {
  m_option.check(CLI::NonNegativeNumber);
  return *this;
}
OptionParser::Option OptionParser::Option::between(std::int64_t least, std::int64_t most) {
  m_option.check(CLI::Range(least, most));
  return *this;
}
OptionParser::Option OptionParser::Option::one_of(const std::vector<std::string>& names) {
  m_option.check(CLI::IsMember(names));
  return *this;
}
OptionParser::Option OptionParser::Option::separated_by_commas() {
  m_option.delimiter(',');
  return *this;
}
OptionParser::Option OptionParser::Option::required() {
  m_option.required();
  return *this;
}

OptionParser::Option OptionParser::add(const std::string& name, const Place& place, const std::string& description) {
  return std::visit([&](auto* value) { return Option(*m_app->add_option(name, *value, description)); }, place);
}

void OptionParser::add_flag(const std::string& name, bool& value, const std::string& description) {
  m_app->add_flag(name, value, description);
}

void OptionParser::allow_extras() { m_app->allow_extras(); }

std::optional<int> OptionParser::parse(int argc, char** argv) {
  try {
    m_app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return m_app->exit(error);
  }
  return std::nullopt;
}

std::vector<std::string> OptionParser::remaining() const { return m_app->remaining(); }

std::string OptionParser::get_name() const { return m_app->get_name(); }

}  // namespace sporos::bench
