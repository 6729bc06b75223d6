// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files as practitioners have them, each with its right answer. Nothing else is taken for an observation, an asset or a
// product, and each refusal names the cell or the column, and the remedy.
#include "../models/files.hpp"

#include <sporos/models/classification/data_files.hpp>
#include <sporos/models/finance/portfolio_files.hpp>
#include <sporos/models/inventory/newsvendor_files.hpp>
#include <sporos/models/mixtures/observation_file.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sporos::test {
namespace field_tests {

using Names = std::vector<std::string>;

std::string field(const std::string& name) { return SPOROS_FIELD_DATA "/" + name + ".csv"; }

// Message with which a reader refuses a file, without its path; empty if the file is read.
template <class Read>
std::string refusal(const std::string& name, const Read& read) {
  try {
    read(field(name));
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    return message.substr(message.rfind(field(name), 0) == 0 ? field(name).size() : 0);
  }
  return "";
}

const auto read_classes = [](const std::string& path) { models::read_classified_csv(path, ""); };
const auto read_assets = [](const std::string& path) { models::read_returns_file(path); };
const auto read_sample = [](const std::string& path) { models::read_observations(path); };

TEST(FieldFiles, DatesAreNoAssets) {
  for (const char* name : {"d_year", "d_excel", "d_tz"}) {
    const auto read = models::read_returns_file(field(name));
    EXPECT_EQ(read.returns.names, (Names{"DAX", "SMI"})) << name;
    EXPECT_EQ(read.returns.days(), 40) << name;
    ASSERT_EQ(read.notes.size(), 1u) << name;
    EXPECT_NE(read.notes[0].find("holds dates and is not an asset"), std::string::npos) << read.notes[0];
  }
  EXPECT_EQ(refusal("d_epoch", read_assets),
            ": column 't' holds points in time, 694224000 to 697593600, in seconds or milliseconds since 1970; "
            "use --ignore to leave the column out");
  EXPECT_EQ(models::read_returns_file(field("d_epoch"), {{"t"}}).returns.names, (Names{"DAX", "SMI"}));
}

TEST(FieldFiles, PercentagesAreRefused) {
  EXPECT_EQ(refusal("eu_percent", read_assets),
            ", line 2: 'DAX' is '-0,928%', expected a number: write a percentage as a plain number, 0.05 for 5%; "
            "use --ignore to leave the column out");
  EXPECT_EQ(refusal("eu_percent", read_sample),
            ", line 2: 'DAX' is '-0,928%', expected a number: write a percentage as a plain number, 0.05 for 5%; "
            "use --column to name another column, or --ignore to leave one out");
}

TEST(FieldFiles, YearsAndWeeksAreNoProducts) {
  const auto read = models::read_newsvendor_demands(field("dem_year"), {1, 0, 3});
  EXPECT_EQ(read.product_names, Names{"loaves"});
  EXPECT_EQ(read.notes, Names{"columns of dates and times are ignored: 'year', 'week'"});
  EXPECT_EQ(read.newsvendor.products.demand[0].values.size(), 104u);
}

TEST(FieldFiles, DatesAreNoObservations) {
  const auto read = models::read_observations(field("dates_mixed"));
  EXPECT_EQ(read.column, "n");
  EXPECT_EQ(read.notes, Names{"columns that hold dates are ignored: value"});
  EXPECT_EQ(refusal("abbey", read_sample),
            " has 2 columns of numbers, expected --column to name one of these: rownames, dat");
}

TEST(FieldFiles, AnIndexWithoutANameIsLeftOut) {
  const auto read = models::read_classified_csv(field("bw_index"), "low");
  EXPECT_EQ(read.feature_names, (Names{"age", "lwt", "race", "smoke", "ptl", "ht", "ui", "ftv", "bwt"}));
  EXPECT_EQ(read.labels.size(), 189u);
  EXPECT_EQ(read.notes, Names{field("bw_index") + " has a first column without a name, an index, which is left out"});
}

TEST(FieldFiles, GermanNumbersAreNoCategories) {
  constexpr auto end =
      ", expected a number: write it without thousands separators; use --category to treat the values as categories, "
      "or --ignore to leave the column out";
  EXPECT_EQ(refusal("c_de", read_classes), std::string(", line 2: 'age' is '2.338,2'") + end);
  EXPECT_EQ(refusal("c_de_round", read_classes), std::string(", line 2: 'age' is '1.900,0'") + end);
}

TEST(FieldFiles, CommentsAreRefused) {
  for (const auto& read : {std::function<void(const std::string&)>(read_sample), {read_assets}, {read_classes}}) {
    EXPECT_EQ(refusal("comment", read),
              ", line 1: the line begins with '#', like a comment; delete comment lines, or delete the '#' if the "
              "line names the columns");
  }
}

}  // namespace field_tests
}  // namespace sporos::test
