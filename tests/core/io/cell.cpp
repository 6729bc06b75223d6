// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/cell.hpp>

#include <gtest/gtest.h>

namespace sporos::io {
namespace cell_tests {

TEST(Cell, SaysThatAValueIsMissing) {
  for (const char* cell : {"", "NA", "na", "N/A", "NaN", "nan", "-nan", "null", "NULL", "nil", "#N/A", "<NA>", "?"}) {
    EXPECT_TRUE(is_missing(cell)) << cell;
  }
  for (const char* cell : {"0", "-", "none", "None", "Nancy", "n", "NAN5", "??", "no", "nullable"}) {
    EXPECT_FALSE(is_missing(cell)) << cell;
  }
}

TEST(Cell, IsADate) {
  for (const char* cell : {"20240102", "2024-01-02", "2024/1/2", "02.01.2024", "2.1.2024", "31/12/2024", "12/31/2024",
                           "2024-01", "2024-01-02T00:00", "2024-01-02 23:59:59.5+01:00", "2024-02-29"}) {
    EXPECT_TRUE(is_date(cell)) << cell;
  }
  for (const char* cell : {"", "2024", "20240132", "20241301", "2023-02-29", "2024-13", "17991231", "22000101", "12.5",
                           "20240102.5", "202401021", "32/12/2024", "2024-01-02x", "2024-01-02 noon", "1.5.24"}) {
    EXPECT_FALSE(is_date(cell)) << cell;
  }
}

TEST(Cell, NamesOfDatesHaveAnyCase) {
  for (const char* name : {"date", "Date", "DATE", "day", "Timestamp"}) EXPECT_TRUE(is_name_of_dates(name)) << name;
  for (const char* name : {"dates of birth", "d", "today", ""}) EXPECT_FALSE(is_name_of_dates(name)) << name;
}

}  // namespace cell_tests
}  // namespace sporos::io
