// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/csv.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sporos::io {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string refusal(const std::string& text) {
  try {
    parse_csv("f", text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Csv, ReadsNamesAndRows) {
  const auto file = parse_csv("f", "a, b ,\"c,d\"\n1,2,3\n 4\t,,\"\"\"\"\n");
  EXPECT_EQ(file.path, "f");
  EXPECT_EQ(file.names, (std::vector<std::string>{"a", "b", "c,d"}));
  EXPECT_EQ(file.rows, (Rows{{"1", "2", "3"}, {"4", "", ""}}));
}

TEST(Csv, NeedsNoLastLineEnd) { EXPECT_EQ(parse_csv("f", "a\n1\n2").rows, (Rows{{"1"}, {"2"}})); }

TEST(Csv, NamesWhatItRefuses) {
  EXPECT_EQ(refusal("").substr(0, 11), "f is empty,");
  EXPECT_EQ(refusal("a\n").substr(0, 20), "f: no row follows th");
  EXPECT_EQ(refusal("\n1\n"), "f, line 1: no parameter is named");
  EXPECT_EQ(refusal("a,\n1,2\n"), "f, line 1: column 2 has no name");
  EXPECT_EQ(refusal("a,b,a\n1,2,3\n"), "f, line 1: column 'a' comes twice");
  EXPECT_EQ(refusal("a,b\n1,2\n3\n"), "f, line 3: 1 field, expected 2: a, b");
  EXPECT_EQ(refusal("a\n1\n2\\x\n"), "f, line 3: unknown escape sequence");
  EXPECT_EQ(refusal("a\n1\n2\r\n").substr(0, 40), "f, line 3: the line ends as on Windows (");
  for (const auto* mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"}) {
    EXPECT_EQ(refusal(std::string(mark).append("a\n1\n")).substr(0, 32), "f begins with a byte-order mark;");
  }
}

TEST(Csv, NamesAFileThatIsNotThere) { EXPECT_THROW(read_csv("/nowhere/at/all"), std::invalid_argument); }

TEST(Csv, WritesWhatItReads) {
  const std::vector<std::string> names{"plain", "with, comma", "with space"}, row{"1", "-0.5", ""};
  std::string text;
  append_csv_row(text, names);
  append_csv_row(text, row);
  const auto file = parse_csv("f", text);
  EXPECT_EQ(file.names, names);
  EXPECT_EQ(file.rows, Rows{row});
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
}

}  // namespace
}  // namespace sporos::io
