// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos fit`: bad input is refused with one line.
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace sporos::test {
namespace fit_bad_input_tests {

const std::string six_numbers = "y\n1\n2\n2.5\n4\n7\n9\n";

/// Checks that invalid options are refused before a file is written.
class BadFitOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadFitOptions, AreRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.write("y.csv", six_numbers);
  expect_refusal(sporos("fit " + path + " --output " + folder / "out " + GetParam().line), GetParam().message);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"y.csv"});
}

const std::string whole_numbers = "', expected a whole number from 1 to 64 or a range of them, as in 1:10";

INSTANTIATE_TEST_SUITE_P(
    Fit, BadFitOptions,
    ::testing::Values(Refusal{"--components 0", "--components is '0" + whole_numbers},
                      Refusal{"--components 5:2", "--components is '5:2" + whole_numbers},
                      Refusal{"--components 0:2", "--components is '0:2" + whole_numbers},
                      Refusal{"--components 1:65", "--components is '1:65" + whole_numbers},
                      Refusal{"--components 1:2:3", "--components is '1:2:3" + whole_numbers},
                      Refusal{"--components some", "--components is 'some" + whole_numbers},
                      Refusal{"--components 1.5", "--components is '1.5" + whole_numbers},
                      Refusal{"--components", "--components is given without a value"},
                      Refusal{"--starts -1", "--starts is '-1', " + natural_number},
                      Refusal{"--starts 100001", "number of starts is 100001, expected a number from 0 to 100000"},
                      Refusal{"--starts 0 --nelder-mead-starts 0",
                              "numbers of starts of EM and of Nelder-Mead are 0, expected one of them positive"},
                      Refusal{"--nelder-mead-coefficients cheng",
                              "unknown Nelder-Mead coefficients 'cheng': expected one of original, adaptive"},
                      Refusal{"--floor 0", "--floor is '0', expected a positive finite number"},
                      Refusal{"--missing mean", "--missing is 'mean', expected refuse or drop"},
                      Refusal{"--floor nan", "--floor is 'nan', expected a positive finite number"},
                      Refusal{"--criterion dic", "unknown criterion 'dic': expected one of bic, aic, icl"},
                      Refusal{"--precision half", "unknown precision 'half': expected one of double, single"},
                      Refusal{"--seed one", "--seed is 'one', expected a whole number from 0 to 18446744073709551615"},
                      Refusal{"--format xml", "unknown format 'xml': expected one of table, json, csv"},
                      Refusal{"--threads 0 --threads 1", "--threads is given 2 times, expected once"},
                      Refusal{"--picture y.pdf",
                              "picture is 'y.pdf', expected a file name that ends with .svg or .png"},
                      Refusal{"--picture /nowhere/y.svg", "cannot write '/nowhere/y.svg': No such file or directory"},
                      Refusal{"--picture y.svg --picture y.svg",
                              "--picture is 'y.svg', which --picture writes: expected another file"},
                      Refusal{"--picture", "--picture is given without a value"},
                      Refusal{"--picture y.svg --column", "--column is given without a value"},
                      Refusal{"--colum y", "unknown option '--colum': did you mean '--column'?"},
                      Refusal{"more", "unexpected 'more': expected sporos fit DATA [OPTION...]"}));

TEST(BadFit, NeedsDataAndAPlaceToWrite) {
  expect_refusal(sporos("fit"), "no data are given: expected sporos fit DATA [OPTION...]");
  expect_refusal(sporos("fit --components 2"), "no data are given: expected sporos fit DATA [OPTION...]");
  expect_refusal(sporos("fit /nowhere.csv"), "cannot read '/nowhere.csv': No such file or directory");
  expect_refusal(sporos("fit /nowhere.csv --output /nowhere/a"),
                 "cannot write '/nowhere/a': No such file or directory");
}

/// Contents of a data file, options, and the expected message after the file's path.
struct BadSample {
  std::string contents, options, message;
};

void PrintTo(const BadSample& sample, std::ostream* stream) { *stream << sample.contents << sample.options; }

class BadSamples : public ::testing::TestWithParam<BadSample> {};

TEST_P(BadSamples, AreRefusedInOneLine) {
  const auto& [contents, options, message] = GetParam();
  const Folder folder;
  const std::string path = folder.write("y.csv", contents);
  expect_refusal(sporos("fit " + path + " --output " + folder / "out " + options), path + message);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"y.csv"});
}

INSTANTIATE_TEST_SUITE_P(
    Fit, BadSamples,
    ::testing::Values(
        BadSample{"", "", " is empty, expected a line of column names and a line for each observation"},
        BadSample{"y\n", "", ": no row follows the names, expected one for each observation"},
        BadSample{"y\n1\nnone\n", "",
                  ", line 3: 'y' is 'none', expected a number: leave the field empty, or write NA, if there is no "
                  "value; use --column to name another column, or --ignore to leave one out"},
        BadSample{"y\n1\nnan\n", "",
                  ", line 3: 'y' is 'nan', expected a number; use --missing drop to leave such rows out"},
        BadSample{"date,y\n2024-01-02,x\n", "", ": no column holds numbers, expected a column of observations"},
        BadSample{"1,2\n3,4\n", "",
                  ", line 1: column 1 is called '1', a number, as if the line were a row; write names, or use "
                  "--no-header"},
        BadSample{"1\n2\n-inf\n", "", ", line 3: observation is -inf, expected a finite number"},
        BadSample{"a,b\n1,2\n", "", " has 2 columns of numbers, expected --column to name one of these: a, b"},
        BadSample{"a,b\n1,2\n", "--column c", ", line 1: there is no column 'c', expected one of these: a, b"},
        BadSample{"a,b\n1,2\n1,-2\n", "--column a --weights b",
                  ", line 3: 'b' is -2, expected a finite number of at least 0"},
        BadSample{"y\n3\n3\n3\n3\n3\n", "--components 1",
                  ": deviation of the observations is 0, expected a positive number: all of them are 3"},
        BadSample{"y\n1e308\n-1e308\n1\n2\n3\n", "--components 1",
                  ": the squares of observations from -1e+308 to 1e+308 are too large for double precision, expected "
                  "values below 1e150"},
        BadSample{"y\n1e-310\n2e-310\n3e-310\n", "--components 1",
                  ": observations from 1e-310 to 3e-310 are too close to each other, or to 0, for double precision to "
                  "compute their deviation"},
        BadSample{
            six_numbers, "--components 3",
            ": number of observations is 6, expected at least 8, the number of parameters of 3 components; with 6, "
            "set components to at most 2"},
        BadSample{
            six_numbers, "",
            ": number of observations is 6, expected at least 29, the number of parameters of 10 components; with 6, "
            "set components to at most 2"},
        BadSample{
            six_numbers, "--components 1:2 --floor 1e-300",
            ": floor of the deviations is 1e-300, expected a finite number of at least 3.2e-14, the resolution of "
            "doubles at 9"},
        BadSample{six_numbers, "--components 1:2 --floor 1e300",
                  ": floor of the deviations is 1e+300, expected less than the deviation of the sample, 2.85409"}));

}  // namespace fit_bad_input_tests
}  // namespace sporos::test
