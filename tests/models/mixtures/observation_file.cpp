// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples in files: the choice of the column, and the messages for files without a sample.
#include "models/files.hpp"

#include <sporos/models/mixtures/observation_file.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sporos::test {
namespace observation_file_tests {

using Numbers = std::vector<double>;
using models::read_observations;

TEST(ObservationFile, IsAListOfNumbers) {
  const TemporaryFile file("1.5\n-2e3\n1.5");
  const auto read = read_observations(file.path());
  EXPECT_EQ(read.path, file.path());
  EXPECT_EQ(read.column, "");
  EXPECT_EQ(read.sample.values, (Numbers{1.5, -2000, 1.5}));
  EXPECT_TRUE(read.sample.weights.empty());
}

TEST(ObservationFile, HasTheOnlyColumnOfNumbers) {
  const TemporaryFile one("speed\n3\n4\n"), two("name,speed\n5,3\nx,4\n");
  for (const auto* file : {&one, &two}) {
    const auto read = read_observations(file->path());
    EXPECT_EQ(read.column, "speed");
    EXPECT_EQ(read.sample.values, (Numbers{3, 4}));
  }
}

TEST(ObservationFile, HasTheColumnsThatAreAskedFor) {
  const TemporaryFile file("a,b,times\n1,2,3\n4,5,0\n");
  const auto read = read_observations(file.path(), "b", "times");
  EXPECT_EQ(read.column, "b");
  EXPECT_EQ(read.weight_column, "times");
  EXPECT_EQ(read.sample.values, (Numbers{2, 5}));
  EXPECT_EQ(read.sample.weights, (Numbers{3, 0}));
}

TEST(ObservationFile, LeavesOutMissingValuesAndDates) {
  const TemporaryFile file("Date,id,y\n20240102,7,1.5\n20240103,8,NA\n20240104,9,2\n");
  const auto read = read_observations(file.path(), {"", "", {"id"}, true});
  EXPECT_EQ(read.column, "y");
  EXPECT_EQ(read.sample.values, (Numbers{1.5, 2}));
  EXPECT_EQ(read.notes, (std::vector<std::string>{"columns that hold dates are ignored: Date",
                                                  "rows left out because a value is missing: 1"}));
  EXPECT_EQ(read_observations(file.path(), "Date").sample.values[0], 20240102);
  const TemporaryFile list("1\n?\n2\n"), unnamed("3,4\n5,6\n");
  EXPECT_EQ(read_observations(list.path(), {"", "", {}, true}).sample.values, (Numbers{1, 2}));
  EXPECT_EQ(read_observations(unnamed.path(), {"2", "", {}, false, false}).sample.values, (Numbers{4, 6}));
}

TEST(ObservationFile, FindsTheOnlyColumnBesideTheWeights) {
  const TemporaryFile file("times,a\n3,1\n2,4\n");
  const auto read = read_observations(file.path(), "", "times");
  EXPECT_EQ(read.column, "a");
  EXPECT_EQ(read.sample.values, (Numbers{1, 4}));
}

std::string refusal(const std::string& contents, const std::string& column = "", const std::string& weights = "") {
  return refusal_of([&](const std::string& path) { read_observations(path, column, weights); }, contents);
}

TEST(ObservationFile, ThatIsNoneIsRefused) {
  EXPECT_EQ(refusal(""), " is empty, expected a line of column names and a line for each observation");
  EXPECT_EQ(refusal("y\n"), ": no row follows the names, expected one for each observation");
  EXPECT_EQ(refusal("y\n1\nnone\n"),
            ", line 3: 'y' is 'none', expected a number: leave the field empty, or write NA, if there is no value; "
            "use --column to name another column, or --ignore to leave one out");
  EXPECT_EQ(refusal("y\n1\nnan\n"),
            ", line 3: 'y' is 'nan', expected a number; use --missing drop to leave such rows out");
  EXPECT_EQ(refusal("y\n1\n-inf\n"), ", line 3: 'y' is -inf, expected a finite number");
  EXPECT_EQ(refusal("y\n1\n1e999\n"), ", line 3: 'y' is '1e999', expected a number that fits double precision");
  EXPECT_EQ(refusal("y,z\n1,2\n3\n", "y"), ", line 3: 1 field, expected 2: y, z");
  EXPECT_EQ(refusal("1,2\n3,4\n"),
            ", line 1: column 1 is called '1', a number, as if the line were a row; write names, or use "
            "--no-header");
  EXPECT_EQ(refusal("a,b\nx,y\n"), ": no column holds numbers, expected a column of observations");
}

TEST(ObservationFile, OfAListThatIsNoneIsRefused) {
  EXPECT_EQ(refusal("1\n2\ntwo\n"), ", line 3: observation is 'two', expected a number");
  EXPECT_EQ(refusal("1\ninf\n"), ", line 2: observation is inf, expected a finite number");
  EXPECT_EQ(refusal("nan\n1\n"), ", line 1: observation is nan, expected a finite number");
  EXPECT_EQ(refusal("1\n2 3\n"), ", line 2: observation is '2 3', expected a number");
}

TEST(ObservationFile, WithoutTheColumnsThatAreWantedIsRefused) {
  EXPECT_EQ(refusal("a,b\n1,2\n"), " has 2 columns of numbers, expected --column to name one of these: a, b");
  EXPECT_EQ(refusal("a,b\n1,2\n", "c"), ", line 1: there is no column 'c', expected one of these: a, b");
  EXPECT_EQ(refusal("a,b\n1,2\n", "a", "c"), ", line 1: there is no column 'c', expected one of these: a, b");
  EXPECT_EQ(refusal("a,b\n1,2\n", "a", "a"),
            ", line 1: column 'a' holds the weights, expected another column of observations");
  EXPECT_EQ(refusal("a,b\nx,2\n", "", "b"),
            ": no column besides the weights holds numbers, expected a column of observations");
  const auto ignoring = [](const std::string& column, const std::vector<std::string>& ignored) {
    return refusal_of(
        [&](const std::string& path) {
          read_observations(path, {column, "", ignored});
        },
        "velocity\n1\n2.5\n");
  };
  EXPECT_EQ(ignoring("", {"velocity"}), ", line 1: all columns are ignored, expected a column of observations");
  EXPECT_EQ(refusal_of(
                [](const std::string& path) {
                  read_observations(path, {"v", "", {"v"}});
                },
                "v,w\n1,x\n2,y\n"),
            ", line 1: column 'v' is both ignored and read, expected one of the two");
  EXPECT_EQ(
      refusal_of(
          [](const std::string& path) {
            read_observations(path, {"", "", {"v"}});
          },
          "v,w\n1,x\n2,y\n"),
      ", line 2: 'w' is 'x', expected a number; use --column to name another column, or --ignore to leave one out");
  EXPECT_EQ(refusal("1\n2\n", "a"),
            ", line 1: there is no column 'a', because the file is a list of numbers without names");
  EXPECT_EQ(refusal("1\n2\n", "", "w"),
            ", line 1: there is no column 'w', because the file is a list of numbers without names");
}

TEST(ObservationFile, WithBadWeightsIsRefused) {
  EXPECT_EQ(refusal("a,w\n1,2\n1,-1\n", "a", "w"), ", line 3: 'w' is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal("a,w\n1,0\n1,0\n", "a", "w"), ": sum of all weights is 0, expected a positive number");
}

}  // namespace observation_file_tests
}  // namespace sporos::test
