// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <muParser.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::size_t longest_text = 1000;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns a name as an identifier for the parser, with a letter for a digit at the beginning. It has the same length,
// so that positions in the text stay valid.
std::string identifier_of(std::string_view name) {
  std::string identifier(name);
  for (char& c : identifier) {
    if (!is_of_word(c)) c = '_';
  }
  if (!name.empty() && name[0] >= '0' && name[0] <= '9') identifier[0] = static_cast<char>('A' + (name[0] - '0'));
  return identifier;
}

char joined(char c) { return c == ' ' || c == '-' ? '_' : c; }

// Returns the length of the longest of the names that matches whole words at `place` of the text; 0 if none does.
std::size_t length_of_name_at(std::string_view text, std::size_t place, std::span<const std::string> names) {
  if (place > 0 && is_of_word(text[place - 1])) return 0;
  std::size_t longest = 0;
  for (const std::string& name : names) {
    const std::string_view found = text.substr(place, name.size());
    const std::size_t end = place + name.size();
    if (name.size() <= longest || !is_same_name(found, name) || (end < text.size() && is_of_word(text[end]))) continue;
    longest = name.size();
  }
  return longest;
}

// Returns the text with each name replaced by its identifier.
std::string with_identifiers(std::string_view text, std::span<const std::string> names) {
  std::string replaced(text);
  for (std::size_t place = 0; place < text.size();) {
    const std::size_t length = length_of_name_at(text, place, names);
    if (length > 0) replaced.replace(place, length, identifier_of(text.substr(place, length)));
    place += std::max<std::size_t>(length, 1);
  }
  return replaced;
}

std::string list_of(std::span<const std::string> names) {
  constexpr std::size_t max_shown = 12;
  const auto shown = names.first(std::min(names.size(), max_shown));
  return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > max_shown ? " and others" : "");
}

}  // namespace

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return joined(x) == joined(y); });
}

Expression::Expression(std::string what, std::string_view text, std::span<const std::string> names)
    : m_what(std::move(what)),
      m_text(text),
      m_values(names.size(), 1.0),
      m_is_used(names.size(), false),
      m_parser(std::make_unique<mu::Parser>()) {
  if (text.size() > longest_text) {
    throw std::invalid_argument(
        fmt::format("{} is an expression of {} characters, expected at most {}", m_what, text.size(), longest_text));
  }
  const std::string replaced = with_identifiers(text, names);
  if (const auto place = replaced.find("**"); place != std::string::npos) {
    refuse("'**' is no operator of an expression, write '^' for a power", place);
  }
  // An assignment would change the value of a name.
  for (auto place = replaced.find('='); place != std::string::npos; place = replaced.find('=', place + 2)) {
    const bool compares = replaced[place + 1] == '=' ||
                          (place > 0 && std::string_view("<>!").find(replaced[place - 1]) != std::string_view::npos);
    if (!compares) refuse("'=' is no operator of an expression", place);
  }
  try {
    for (std::size_t i = 0; i < names.size(); ++i) m_parser->DefineVar(identifier_of(names[i]), &m_values[i]);
    m_parser->SetExpr(replaced);
    const auto used = m_parser->GetUsedVar();
    for (std::size_t i = 0; i < names.size(); ++i) m_is_used[i] = used.contains(identifier_of(names[i]));
    for (const auto& [name, variable] : used) {
      if (variable == nullptr) {
        refuse(fmt::format("{} is none of the names {}", io::in_quotes(name), list_of(names)), replaced.find(name));
      }
    }
    m_parser->Eval();
    if (m_parser->GetNumResults() > 1) refuse("there are several expressions", replaced.find(','));
  } catch (const mu::Parser::exception_type& error) {
    const bool has_ended = error.GetCode() == mu::ecUNEXPECTED_EOF || text.empty();
    const auto place = static_cast<std::size_t>(std::max(error.GetPos(), 0));
    refuse(has_ended ? "it ends too early" : "it cannot be read", has_ended ? text.size() : place);
  }
}

Expression::Expression(Expression&&) noexcept = default;
Expression::~Expression() = default;

void Expression::refuse(const std::string& why, std::size_t place) const {
  throw std::invalid_argument(fmt::format("{} is {}, expected an expression: {} (character {})", m_what,
                                          io::in_quotes(m_text), why, std::min(place, m_text.size()) + 1));
}

bool Expression::uses_any(std::size_t begin, std::size_t end) const {
  return std::any_of(m_is_used.begin() + static_cast<std::ptrdiff_t>(begin),
                     m_is_used.begin() + static_cast<std::ptrdiff_t>(end), [](bool is_used) { return is_used; });
}

double Expression::operator()(std::span<const double> values) {
  std::copy(values.begin(), values.end(), m_values.begin());
  return m_parser->Eval();
}

}  // namespace sporos::runtime
