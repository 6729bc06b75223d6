// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/table.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace sporos::io {
namespace table_tests {

TEST(Table, AlignsColumns) {
  Table table({{"name", Table::Column::text}, {"value", Table::Column::number}, {"", Table::Column::text}});
  table.add_row({"π", "3.14"});
  table.add_row({"minus ten", "-10", "x"});
  EXPECT_EQ(table.text(),
            "name       value\n"
            "π           3.14\n"
            "minus ten    -10  x\n");
}

TEST(TextToPrecision, ShowsAsManyDigitsAsTheHalfWidthHas) {
  EXPECT_EQ(text_to_precision(3.58306188, 0.00123), "3.5831");
  EXPECT_EQ(text_to_precision(0.00123, 0.00123), "0.0012");
  EXPECT_EQ(text_to_precision(3.58306188, 12.3), "4");
  EXPECT_EQ(text_to_precision(123456.7, 1234), "123457");
  EXPECT_EQ(text_to_precision(0, 0.1), "0.00");
}

TEST(TextToPrecision, TurnsScientificWhereDecimalsWouldBeMany) {
  EXPECT_EQ(text_to_precision(1.23456e-20, 1e-23), "1.2346e-20");
  EXPECT_EQ(text_to_precision(1e-23, 1e-23), "1.0e-23");
  EXPECT_EQ(text_to_precision(1.23456e200, 1e198), "1.235e+200");
}

TEST(TextToPrecision, TakesNoHalfWidthThatRoundingMade) {
  EXPECT_EQ(text_to_precision(8.36 - 2e-15, 1.3e-15), "8.36");
  EXPECT_EQ(text_to_precision(1.3e-15, 1.3e-15), "1.3e-15");
  EXPECT_EQ(text_to_precision(8.36, 1.3e-12), "8.3600000000000e+00") << "this one may be real";
}

TEST(TextToPrecision, HasSixDigitsWithoutAHalfWidth) {
  EXPECT_EQ(text_to_precision(1.0 / 3, 0), "0.333333");
  EXPECT_EQ(text_to_precision(1.0 / 3, std::numeric_limits<double>::infinity()), "0.333333");
  EXPECT_EQ(text_to_precision(1.0 / 3, std::numeric_limits<double>::quiet_NaN()), "0.333333");
  EXPECT_EQ(text_to_precision(std::numeric_limits<double>::infinity(), 1), "inf");
}

}  // namespace table_tests
}  // namespace sporos::io
