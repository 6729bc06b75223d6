// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/number.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace sporos::io {
namespace number_tests {

template <class Number>
std::string refusal(std::string_view text) {
  try {
    parse_number<Number>("x", text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ParseNumber, ReadsWholeTexts) {
  EXPECT_EQ(parse_number<double>("x", "-2.5e-3"), -2.5e-3);
  EXPECT_EQ(parse_number<double>("x", "4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::isnan(parse_number<double>("x", "nan")));
  EXPECT_EQ(parse_number<double>("x", "-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number<std::int64_t>("x", "-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_number<std::uint64_t>("x", "18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ((parse_number<int>("x", "7", 7, 7)), 7);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const auto* text : {"", " 1", "1 ", "1x", "x", "+1", "0x10", "1,5", "--1", "e5", "1e"}) {
    EXPECT_EQ(refusal<double>(text), "x is '" + std::string(text) + "', expected a number");
  }
  EXPECT_EQ(refusal<double>("-1e999"), "x is '-1e999', expected a number that fits double precision");
  EXPECT_EQ(refusal<std::int64_t>("1.0"), "x is '1.0', expected a whole number");
  EXPECT_EQ(refusal<std::int64_t>("9223372036854775808"),
            "x is '9223372036854775808', expected a whole number from -9223372036854775808 to 9223372036854775807");
  EXPECT_EQ(refusal<std::uint64_t>("-1"), "x is '-1', expected a whole number from 0 to 18446744073709551615");
  EXPECT_THROW((parse_number<int>("x", "8", 1, 7)), std::invalid_argument);
  EXPECT_THROW((parse_number<int>("x", "0", 1, 7)), std::invalid_argument);
}

TEST(NumberText, ReadsBackAsTheSameBits) {
  for (const double value : {0.0, -0.0, 0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 9007199254740993.0, -2.5}) {
    EXPECT_EQ(bits_text(parse_number<double>("x", shortest_text(value))), bits_text(value));
    EXPECT_EQ(bits_text(std::strtod(hexadecimal_text(value).c_str(), nullptr)), bits_text(value));
  }
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(hexadecimal_text(3), "0x1.8p+1");
  EXPECT_EQ(bits_text(1.0), "3ff0000000000000");
  EXPECT_EQ(bits_text(std::uint64_t{0xabc}), "0000000000000abc");
}

TEST(InQuotes, IsOneShortLine) {
  EXPECT_EQ(in_quotes("a b"), "'a b'");
  EXPECT_EQ(in_quotes("a\nb\x7f"), "'a?b?'");
  EXPECT_EQ(in_quotes(std::string(1000, 'x')), "'" + std::string(60, 'x') + "...'");
  // The two bytes of "ä" at the limit stay together.
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "\u00e4" + "yz"), "'" + std::string(59, 'x') + "...'");
}

}  // namespace number_tests
}  // namespace sporos::io
