// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

/// Random mutations of texts. They depend on a seed only, so that they are the same on every machine.
namespace sporos::test {

/// Random draws that do not depend on the standard library's distributions.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : m_engine(seed) {}

  /// A number from 0 to `count` − 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(m_engine() % count); }
  /// True once in `count` times on average.
  bool once_in(std::size_t count) { return below(count) == 0; }
  /// One of `texts`.
  template <std::size_t count>
  std::string_view one_of(const std::array<std::string_view, count>& texts) {
    return texts[below(count)];
  }

 private:
  std::mt19937_64 m_engine;
};

/// Texts that readers may stumble over: delimiters of the formats, near-numbers, bytes that are not text.
inline constexpr auto stumbling_blocks = std::to_array<std::string_view>({"\"",
                                                                          "\"\"",
                                                                          ",",
                                                                          ";",
                                                                          "\t",
                                                                          "\n",
                                                                          "\r",
                                                                          "\r\n",
                                                                          "\\",
                                                                          "\\\"",
                                                                          " ",
                                                                          ".",
                                                                          "-",
                                                                          "+",
                                                                          "e",
                                                                          "E5",
                                                                          "0",
                                                                          "7",
                                                                          "x",
                                                                          "N",
                                                                          "NaN",
                                                                          "inf",
                                                                          "-inf",
                                                                          "1e999",
                                                                          "1e-999",
                                                                          "0x10",
                                                                          "1_000",
                                                                          "--1",
                                                                          ".5",
                                                                          "1.",
                                                                          "1e",
                                                                          "1,5",
                                                                          "1.234,5",
                                                                          "11\"2",
                                                                          "1d5",
                                                                          "\xEF\xBB\xBF",
                                                                          "\xFF",
                                                                          "\xC3",
                                                                          "\xED\xA0\x80",
                                                                          "{",
                                                                          "}",
                                                                          "[",
                                                                          "]",
                                                                          ":",
                                                                          "#",
                                                                          "null",
                                                                          "true",
                                                                          "'",
                                                                          "%s",
                                                                          "99999999999999999999",
                                                                          "-0",
                                                                          "\x7F",
                                                                          "\x01"});

/// Makes one change in `text`.
inline void mutate_once(std::string& text, Draws& draws) {
  const std::size_t place = draws.below(text.size() + 1);
  const std::size_t length = 1 + draws.below(draws.once_in(4) ? 40 : 3);
  switch (draws.below(7)) {
    case 0:
      text.insert(place, draws.one_of(stumbling_blocks));
      break;
    case 1:
      text.replace(place, 1, draws.one_of(stumbling_blocks));
      break;
    case 2:
      text.erase(place, length);
      break;
    case 3:
      text.insert(place, text.substr(draws.below(text.size() + 1), length));
      break;
    case 4:
      text.insert(place, 1, static_cast<char>(draws.below(256)));
      break;
    case 5:
      text.resize(place);
      break;
    default:
      if (place < text.size()) text[place] = static_cast<char>(text[place] ^ (1 << draws.below(8)));
  }
}

/// The text after one to four changes.
inline std::string mutated(std::string text, Draws& draws) {
  for (std::size_t changes = 1 + draws.below(4); changes > 0; --changes) mutate_once(text, draws);
  return text;
}

/// Number of inputs for a test that gets `share` percent of all inputs. The environment variable SPOROS_BROKEN_FILES
/// sets the number of all inputs; the default number suits every run of the tests.
inline std::size_t inputs(std::size_t share) {
  constexpr std::size_t default_value = 2000, percent = 100;
  const char* const given = std::getenv("SPOROS_BROKEN_FILES");
  return (given != nullptr ? std::strtoull(given, nullptr, 10) : default_value) * share / percent;
}

}  // namespace sporos::test
