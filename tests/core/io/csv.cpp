// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/named_rows.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sporos::io {
namespace csv_tests {

using namespace std::string_literals;

using Rows = std::vector<std::vector<std::string>>;

std::string refusal(const std::string& text) {
  try {
    parse_csv("f", text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

// All numbers and the note of a file, or the message of its refusal.
std::string numbers(const std::string& text) {
  std::string found;
  try {
    NamedRows rows("f", text, {});
    while (rows.next()) {
      for (std::size_t i = 0; i < rows.names().size(); ++i) found += shortest_text(rows.number(i)) + " ";
    }
    return found + rows.note();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Csv, ReadsNamesAndRows) {
  const auto file = parse_csv("f", "a, b ,\"c,d\"\n1,2,3\n 4\t,,\"\"\"\"\n");
  EXPECT_EQ(file.path, "f");
  EXPECT_EQ(file.names, (std::vector<std::string>{"a", "b", "c,d"}));
  EXPECT_EQ(file.rows, (Rows{{"1", "2", "3"}, {"4", "", "\""}}));
}

TEST(Csv, NeedsNoLastLineEnd) { EXPECT_EQ(parse_csv("f", "a\n1\n2").rows, (Rows{{"1"}, {"2"}})); }

TEST(Csv, BlankLinesAtTheEndDoNotCount) {
  EXPECT_EQ(parse_csv("f", "a\n1\n\n\r\n").rows, Rows{{"1"}});
  EXPECT_EQ(parse_csv("f", "a\n1\n \n\t").rows, Rows{{"1"}});
  EXPECT_EQ(parse_csv("f", "a\tb\n1\t").rows, (Rows{{"1", ""}}));
  EXPECT_EQ(parse_csv("f", "a\n\n1\n").rows, (Rows{{""}, {"1"}}));
  EXPECT_EQ(refusal("a,b\n1,2\n\n1,2\n"), "f, line 3: 1 field, expected 2: a, b");
}

TEST(Csv, NamesWhatItRefuses) {
  EXPECT_EQ(refusal("").substr(0, 11), "f is empty,");
  EXPECT_EQ(refusal("a\n").substr(0, 20), "f: no row follows th");
  EXPECT_EQ(refusal("\n1\n"), "f, line 1: no parameter is named");
  EXPECT_EQ(refusal("\n\n"), "f, line 1: no parameter is named");
  EXPECT_EQ(refusal("a,\n1,2\n"),
            "f, line 1: column 2 has no name; give it one, or delete the separator at the end of each line");
  EXPECT_EQ(refusal("a,b,a\n1,2,3\n"), "f, line 1: column 'a' occurs twice");
  EXPECT_EQ(refusal("a,b\n1,2\n3\n"), "f, line 3: 1 field, expected 2: a, b");
}

// From these fields, a reader could take numbers that they do not contain.
TEST(Csv, QuotesStandAtTheEndsOfFieldsOrAreDoubled) {
  const std::string inner =
                        " has a quote that is neither doubled nor at an end of the field, which CSV (RFC 4180) "
                        "does not allow",
                    open = " begins with a quote that is never closed, which CSV (RFC 4180) does not allow";
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"a,b\n1,11\"2\n", "f, line 2: 'b'" + inner},
      {"a,b\n1,\"1\"2\n", "f, line 2: 'b'" + inner},
      {"a,b\n1,\"1\"\"\n", "f, line 2: 'b'" + open},
      {"a,b\n1,\"1\n", "f, line 2: 'b'" + open},
      {"a,b\n\"1\" \"2\",3\n", "f, line 2: 'a'" + inner},
      {"a,b\n1,2\\\"\n", "f, line 2: 'b'" + inner},
      {"a,b\n\"1\n\n2\",\"3\n4\n", "f, line 4: 'b'" + open},
      {"a,b\n\"1\n2\",3\n5,6\"\n", "f, line 4: 'b'" + inner},
      {"a\"b\n1\n", "f, line 1: column 1" + inner},
      {"a,b\n1,\"\n", "f, line 2: 'b'" + open},
      {"a,b\n1,2\"", "f, line 2: 'b'" + inner},
      {"a,b\n1,\"2\"x", "f, line 2: 'b'" + inner}};
  for (const auto& [text, fault] : faults) EXPECT_EQ(refusal(text), fault) << text;
}

TEST(Csv, LinesEndWithLineFeeds) {
  const std::string after =
      " begins after a carriage return (CR) that does not end the line, which CSV (RFC 4180) "
      "does not allow";
  EXPECT_EQ(refusal("a\r1\r2\r"), "f, line 1: column 2" + after);
  EXPECT_EQ(refusal("a,b\n1,2\r3,4\n"), "f, line 2: column 3" + after);
  EXPECT_EQ(refusal("a,b\n1,2\r\t\n"), "f, line 2: column 3" + after);
  EXPECT_EQ(refusal("a,b\n1,2\r3"), "f, line 2: column 3" + after);
  EXPECT_EQ(refusal("a\n1\r\"2\n3\"\n"), "f, line 2: column 2" + after);
  EXPECT_EQ(parse_csv("f", "a\n\"1\r\"\n").rows, Rows{{"1\r"}});
}

TEST(Csv, ReadsQuotedLineEndsAndCountsLines) {
  NamedRows rows("f", "\"a\nb\",c\n\"1\n2\n3\",4\n5,x\n", {});
  EXPECT_EQ(rows.names()[0], "a\nb");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.line(), 3u);
  EXPECT_EQ(rows.field(0), "1\n2\n3");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.line(), 6u);
  EXPECT_EQ(refusal("\"a\nb\",c\n\"1\n2\",3\n4\n"), "f, line 5: 1 field, expected 2: a\nb, c");
}

TEST(Csv, UnderstandsAndSaysHowAFileIsWritten) {
  const std::string marked = "\xEF\xBB\xBF";
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a,b\n1.5,2\n", "1.5 2 "},
      {marked + "a,b\n1.5,2\n", "1.5 2 f has a byte-order mark"},
      {"a,b\r\n1.5,2\r\n", "1.5 2 f has lines that end with CRLF"},
      {"a;b\n1.5;2\n", "1.5 2 f has ';' between its fields"},
      {"a;b\n1,5;-2,25e3\n", "1.5 -2250 f has ';' between its fields, decimal commas"},
      {"a\tb\n1,5\t2\n", "1.5 2 f has tabs between its fields, decimal commas"},
      {"a;\"b,c\"\n1,5;2,5\n", "1.5 2.5 f has ';' between its fields, decimal commas"},
      {marked + "a;b\r\n1,5;2\r\n",
       "1.5 2 f has a byte-order mark, ';' between its fields, decimal commas, lines that end with CRLF"},
      {"a\n1,5\n", "f, line 2: 2 fields, expected 1: a"},
      {"a,b\n\"1,5\",2\n", "f, line 2: 'a' is '1,5', expected a number: write a decimal point"},
      {"a;b\n1,5;2.5\n", "f, line 2: 'b' is '2.5', expected a decimal comma, as on line 2"},
      {"a;b\n1.5;2\n1;2,5\n", "f, line 3: 'b' is '2,5', expected a decimal point, as on line 2"},
      {"a;b\n1.234,5;2\n", "f, line 2: 'a' is '1.234,5', expected a number: write it without thousands separators"},
      {"a;b\n1,234,567;2\n", "f, line 2: 'a' is '1,234,567', expected a number: write it without thousands separators"},
      {"sep=;\na;b\n+1,5;+2\n", "1.5 2 f has a line that names its separator, ';' between its fields, decimal commas"},
      {",a,b\n7,1.5,2\n", "1.5 2 f has a first column without a name, an index, which is left out"},
      {"# x\na,b\n1,2\n",
       "f, line 1: the line begins with '#', like a comment; delete comment lines, or delete the '#' "
       "if the line names the columns"},
      {"a,b\n# x\n1,2\n", "f, line 2: 1 field, expected 2: a, b; delete comment lines"},
      {"a;b,c\n1;2,5\n",
       "f, line 1: the separator may be ',' or ';'; put fields that contain the other one in quotes"}};
  for (const auto& [text, expected] : files) EXPECT_EQ(numbers(text), expected) << text;
}

TEST(Csv, IsInUtf8) {
  EXPECT_EQ(parse_csv("f", "M\xC3\xBCnchen,\xE2\x82\xAC\n1,\xF0\x9F\x8C\xBE\n").names[0], "M\xC3\xBCnchen");
  for (const auto* mark : {"\xFF\xFE", "\xFE\xFF"}) {
    EXPECT_EQ(refusal(mark + "a\n1\n"s),
              "f begins with a byte-order mark of UTF-16, expected UTF-8: convert it by "
              "iconv -f UTF-16 -t UTF-8");
  }
  EXPECT_EQ(refusal("a\0\n\0001\0\n\0"s),
            "f, line 1: there is a byte 0, as in UTF-16 and in binary files, expected UTF-8");
  const std::string latin =
      "the byte 0xFC is not UTF-8; if the file is in Latin-1 (ISO 8859-1), convert it by iconv "
      "-f ISO-8859-1 -t UTF-8";
  EXPECT_EQ(refusal("M\xFCnchen\n1\n"), "f, line 1: " + latin);
  EXPECT_EQ(refusal("name,of,city\n1,2,3\n4,5,M\xFC\n"), "f, line 3: " + latin);
  for (const auto* broken : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
    EXPECT_NE(refusal("a,b\n1,"s + broken).find(" is not UTF-8; "), std::string::npos) << broken;
  }
}

TEST(Csv, ReadsFilesWithoutNames) {
  const auto file = parse_csv("f", "1,5;2\n3,5;4\n", {"column", "row", false});
  EXPECT_EQ(file.names, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(file.rows, (Rows{{"1,5", "2"}, {"3,5", "4"}}));
  EXPECT_EQ(parse_csv("f", "7\n", {"column", "row", false}).rows, Rows{{"7"}});
}

TEST(Csv, NamesAFileThatIsNotThere) { EXPECT_THROW(read_csv("/nowhere/at/all"), std::invalid_argument); }

TEST(Csv, WritesWhatItReads) {
  const std::vector<std::vector<std::string>> records = {
      {"plain", "with, comma", "with space", "quo\"te", "\"", "line\nend", "a;b", "tab\tb", " blank ", "back\\slash"},
      {"1", "-0.5", "", "\"\"", "\r\n", "\\\"", "\\n", "x\r", "\\", ";"}};
  std::string text;
  for (const auto& record : records) append_csv_row(text, record);
  const auto file = parse_csv("f", text);
  EXPECT_EQ(file.names, records[0]);
  EXPECT_EQ(file.rows, Rows{records[1]});
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
  std::string empty;
  append_csv_row(empty, {"a"});
  append_csv_row(empty, {""});
  EXPECT_EQ(parse_csv("f", empty).rows, Rows{{""}});
}

}  // namespace csv_tests
}  // namespace sporos::io
