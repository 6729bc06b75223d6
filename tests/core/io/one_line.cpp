// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/one_line.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sporos::io {
namespace one_line_tests {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(OneLine, LeavesTextAsItIs) {
  for (const std::string text : {"", "a b", "größer als 5 °C", "日本語 😀"}) EXPECT_EQ(one_line(text), text);
}

TEST(OneLine, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(one_line("a\nb"), "a b");
  EXPECT_EQ(one_line(std::string("\x1b[31m\r\t\x7f\0", 9)), "\\x1b[31m\\x0d\\x09\\x7f\\x00");
  EXPECT_EQ(one_line("\xc2\x9b"), "\\xc2\\x9b");  // a control character, C1
}

TEST(OneLine, ShowsBytesThatAreNoText) {
  EXPECT_EQ(one_line("a\xff z"), "a\\xff z");
  EXPECT_EQ(one_line("\xc3"), "\\xc3");                             // half a character
  EXPECT_EQ(one_line("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(one_line("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");  // beyond U+10FFFF
  EXPECT_EQ(one_line("\xe4\xf6\xfc"), "\\xe4\\xf6\\xfc") << "Latin-1 umlauts";
}

TEST(OneLine, IsNeverLongerThanPromised) {
  EXPECT_EQ(one_line("0123456789abcdef", 11), "0123...cdef");
  for (const std::string part : {"x", "é", "日", "😀", "\x01", "\xff"}) {
    for (const int times : {100, 499, 500, 501, 1'000'000}) {
      const std::string line = one_line("what is " + repeated(part, times) + ", expected less");
      EXPECT_LE(line.size(), longest_message);
      EXPECT_EQ(line, one_line(line)) << "characters are whole";
      EXPECT_TRUE(line.starts_with("what is "));
      EXPECT_TRUE(line.ends_with(", expected less"));
    }
  }
}

}  // namespace one_line_tests
}  // namespace sporos::io
