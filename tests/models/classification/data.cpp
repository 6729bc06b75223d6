// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks data files, the messages for bad ones, and the steps between a file and a problem.
#include "../files.hpp"
#include "tables.hpp"

#include <harness/binomial_band.hpp>

#include <sporos/models/classification/data_files.hpp>
#include <sporos/models/classification/preparation.hpp>
#include <sporos/models/classification/rows_to_predict.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace data_tests {

using namespace sporos;
using models::DenseRows, models::SparseRows;

TEST(DataFiles, LibsvmRowsAreThoseOfTheFile) {
  const test::TemporaryFile file("+1 1:0.5 3:-2e-3\n-1\n1  2:0 5:1 # a comment\n-1\t1:1 \n");
  const auto read = models::read_libsvm(file.path());
  EXPECT_EQ(read.labels, (std::vector<double>{1, 0, 1, 0}));
  EXPECT_EQ(read.classes[0], "-1");
  EXPECT_EQ(read.classes[1], "1");
  EXPECT_EQ(read.features.columns, 5);
  EXPECT_EQ(read.features.starts, (std::vector<std::int64_t>{0, 2, 2, 3, 4}));
  EXPECT_EQ(read.features.indices, (std::vector<std::int32_t>{0, 2, 4, 0}));
  EXPECT_EQ(read.features.values, (std::vector<double>{0.5, -2e-3, 1, 1}));
  EXPECT_NO_THROW(read.features.check());
  EXPECT_EQ(models::read_libsvm(file.path(), 9).features.columns, 9);
}

TEST(DataFiles, ClassesAreInAscendingOrder) {
  const test::TemporaryFile file("10 1:1\n2 1:1\n");
  const auto read = models::read_libsvm(file.path());
  EXPECT_EQ(read.classes[0], "2");
  EXPECT_EQ(read.labels, (std::vector<double>{1, 0}));
}

TEST(DataFiles, SaysWhatIsWrongWithLibsvm) {
  const auto refusal = [](const std::string& text) {
    return test::refusal_of([](const std::string& path) { models::read_libsvm(path); }, text);
  };
  EXPECT_EQ(refusal("1 1:1\n0 1:2\n"), "");
  EXPECT_EQ(refusal(""), " is empty, expected a line for each row");
  EXPECT_EQ(refusal("1 1:1\n0 0:2\n"),
            ", line 2, column 3: feature index is '0', expected a whole number from 1 to 2147483647");
  EXPECT_EQ(refusal("1 1:1\n0 -3:2\n"),
            ", line 2, column 3: feature index is '-3', expected a whole number from 1 to 2147483647");
  EXPECT_EQ(refusal("1 2147483648:1\n"),
            ", line 1, column 3: feature index is '2147483648', expected a whole number from 1 to 2147483647");
  EXPECT_EQ(refusal("1 1:1 7:1 3:1\n"), ", line 1, column 11: feature index is 3 after 7, expected ascending indices");
  EXPECT_EQ(refusal("1 3:1 3:1\n"), ", line 1, column 7: feature index is 3 after 3, expected ascending indices");
  EXPECT_EQ(refusal("1 3:nan\n"), ", line 1, column 5: value is 'nan', expected a finite number");
  EXPECT_EQ(refusal("1 3:1e999\n"), ", line 1, column 5: value is '1e999', expected a finite number");
  EXPECT_EQ(refusal("1 3:\n"), ", line 1, column 5: value is '', expected a finite number");
  EXPECT_EQ(refusal("1 3\n"), ", line 1, column 3: feature is '3', expected index:value");
  EXPECT_EQ(refusal("1 1:1\n\n0 1:1\n"), ", line 2, column 1: the line has no entries, expected a label and features");
  EXPECT_EQ(refusal("nan 1:1\n"), ", line 1, column 1: label is 'nan', expected a finite number");
  EXPECT_EQ(refusal("1:1\n"), ", line 1, column 1: label is '1:1', expected a finite number");
  EXPECT_EQ(refusal("1 1:1\r\n0 1:1\r\n"), ", line 1, column 5: value is '1?', expected a finite number");
  EXPECT_EQ(refusal("1 1:1\n2 1:1\n3 1:1\n"),
            ", line 3, column 1: label is '3', expected '1' or '2', the two classes of the rows before");
  EXPECT_EQ(refusal("1 1:1\n+1 1:1\n"), ": all 2 rows are of class '1', expected two classes");
  EXPECT_EQ(
      refusal("1 1:1\n0 1:0.12"),
      ", line 2, column 9: the last line has no line break, as in a truncated file; add one if the line is complete");
}

TEST(DataFiles, CsvRowsAreThoseOfTheFile) {
  const test::TemporaryFile file("a,kind,b\n1,yes,2\n3,no,-4.5\n");
  const auto read = models::read_classified_csv(file.path(), "kind");
  EXPECT_EQ(read.labels, (std::vector<double>{1, 0}));
  EXPECT_EQ(read.classes[1], "yes");
  EXPECT_EQ(read.features.columns, 2);
  EXPECT_EQ(read.features.values, (std::vector<double>{1, 2, 3, -4.5}));
  EXPECT_EQ(read.feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read.label_name, "kind");
}

TEST(DataFiles, ClassesOfACsvUsuallyStandInItsLastColumn) {
  const test::TemporaryFile file("a,b,kind\n1,2,yes\n3,-4.5,no\n");
  const auto read = models::read_classified_csv(file.path(), "");
  EXPECT_EQ(read.label_name, "kind");
  EXPECT_EQ(read.features.values, (std::vector<double>{1, 2, 3, -4.5}));
}

const std::string mixed_columns = "id,age,sex,kind\n1,30,f,yes\n2,NA,m,no\n3,50,,no\n4,40,f,?\n5,20,f,no\n";

TEST(DataFiles, ColumnsOfTextsMakeAFeatureForEachLevel) {
  const test::TemporaryFile file("sex,a,grade,kind\nm,1,2,yes\nf,2,10,no\nm,3,2,no\n");
  const auto read = models::read_classified_csv(file.path(), "", {{}, {"grade"}});
  EXPECT_EQ(read.feature_names, (std::vector<std::string>{"sex = f", "sex = m", "a", "grade = 10", "grade = 2"}));
  EXPECT_EQ(read.features.values, (std::vector<double>{0, 1, 1, 0, 1, 1, 0, 2, 1, 0, 0, 1, 3, 0, 1}));
  EXPECT_EQ(read.columns[0].levels, (std::vector<std::string>{"f", "m"}));
  EXPECT_EQ(read.notes.size(), 2u);
  EXPECT_EQ(read.notes[0], "column 'sex' holds 2 categories, one feature each: f, m");
}

TEST(DataFiles, RowsWithMissingValuesAreLeftOut) {
  const test::TemporaryFile file(mixed_columns);
  const auto read = models::read_classified_csv(file.path(), "", {{"id"}, {}, models::MissingValues::drop});
  EXPECT_EQ(read.feature_names, (std::vector<std::string>{"age", "sex = f"}));
  EXPECT_EQ(read.features.values, (std::vector<double>{30, 1, 20, 1}));
  EXPECT_EQ(read.notes.back(), "rows left out because a value is missing: 3");
}

TEST(DataFiles, MeansStandForMissingValues) {
  const test::TemporaryFile file(mixed_columns);
  auto read = models::read_classified_csv(file.path(), "", {{"id"}, {}, models::MissingValues::mean});
  EXPECT_EQ(read.labels, (std::vector<double>{1, 0, 0, 0}));  // the row without a class is left out
  EXPECT_TRUE(std::isnan(read.features.values[3]));
  const auto means = models::means_of_known(read.features, {0, 1, 2});
  EXPECT_EQ(means, (std::vector<double>{40, 0.5, 0.5}));
  models::fill_missing(read.features, means);
  EXPECT_EQ(read.features.values, (std::vector<double>{30, 1, 0, 40, 0, 1, 50, 0.5, 0.5, 20, 1, 0}));
  EXPECT_EQ(read.notes.back(), "missing values replaced by means: 1 in 'age', 1 in 'sex'");
}

TEST(DataFiles, WithoutNamesHaveNumberedColumns) {
  const test::TemporaryFile file("1,2,0\n3,4,1\n");
  const auto read = models::read_classified_csv(file.path(), "", {{}, {}, models::MissingValues::refuse, false});
  EXPECT_EQ(read.label_name, "3");
  EXPECT_EQ(read.feature_names, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(read.features.values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(DataFiles, SaysWhichColumnsAreNoFeatures) {
  const auto refusal = [](const std::string& text, const models::FeatureReading& reading = {}) {
    return test::refusal_of([&](const std::string& path) { models::read_classified_csv(path, "z", reading); }, text);
  };
  const std::string ignored = "; use --ignore to leave it out",
                    expected = ", expected numbers or at most 50 categories";
  EXPECT_EQ(
      refusal("a,z\nAnn,0\nBob,1\nCid,1\n"),
      ", from line 2 on: 'a' has 3 different values in as many rows, like a column of names" + expected + ignored);
  EXPECT_EQ(refusal("a,z\n20240102,0\n20240103,1\n"), ", from line 2 on: 'a' holds dates" + expected + ignored);
  std::string names = "a,z\n";
  for (int i = 0; i < 102; ++i) names += "name" + std::to_string(i % 51) + "," + std::to_string(i % 2) + "\n";
  EXPECT_EQ(refusal(names), ", from line 2 on: 'a' has more than 50 different values" + expected + ignored);
  EXPECT_EQ(refusal("a,z\nx,0\n3,1\n"),
            ", line 3: 'a' is '3', a number, expected text, as on line 2; use --category to treat the values as "
            "categories, or --ignore to leave the column out");
  EXPECT_EQ(refusal("a,z\nx,0\n3,1\n", {{}, {"a"}}), "");
  EXPECT_EQ(refusal("a,z\n1,0\n2,1\n", {{"b"}}),
            ", line 1: there is no column 'b', expected the name of a column to ignore");
  EXPECT_EQ(refusal("a,z\n1,0\n2,1\n", {{"z"}}), ", line 1: column 'z' has the classes and cannot be ignored");
  EXPECT_EQ(refusal("a,z\n,0\n,1\n", {{}, {}, models::MissingValues::drop}),
            ": every row has a missing value, expected at least one complete row");
  EXPECT_EQ(refusal("a,2\n1,0\n2,1\n"),
            ", line 1: column 2 is called '2', a number, as if the line were a row; write "
            "names, or use --no-header");
}

const models::KnownRows some_known{2, {"a", "b"}, {"no", "yes"}, "kind"};

TEST(RowsToPredict, AreInTheOrderOfTheModel) {
  const test::TemporaryFile file("b,kind,a\n2,yes,1\n-4.5,yes,3\n");
  const auto read = models::read_csv_to_predict(file.path(), some_known, "", true);
  EXPECT_EQ(read.features.values, (std::vector<double>{1, 2, 3, -4.5}));
  EXPECT_EQ(read.labels, (std::vector<double>{1, 1}));
  EXPECT_TRUE(models::read_csv_to_predict(file.path(), some_known, "", false).labels.empty());
  const models::KnownRows unnamed{3, {}, {"2", "1"}, ""};
  const test::TemporaryFile libsvm("+1 1:2\n2 2:5\n");
  const auto sparse = models::read_libsvm_to_predict(libsvm.path(), unnamed, true);
  EXPECT_EQ(sparse.features.columns, 3);
  EXPECT_EQ(sparse.labels, (std::vector<double>{1, 0}));
}

TEST(RowsToPredict, AreReadAsTheModelWasLearned) {
  const models::KnownRows known{3,      {"age", "sex = f", "sex = m"},      {"no", "yes"},
                                "kind", {{"age", {}}, {"sex", {"f", "m"}}}, {40, 0.75, 0.25}};
  const test::TemporaryFile file("sex,extra,age\nm,1,20\nx,2,NA\n,3,50\n");
  const auto filled = models::read_csv_to_predict(file.path(), known, "", true, {{}, {}, models::MissingValues::mean});
  EXPECT_EQ(filled.features.values, (std::vector<double>{20, 0, 1, 40, 0, 0, 50, 0.75, 0.25}));
  EXPECT_EQ(filled.notes,
            (std::vector<std::string>{
                "columns that are not in the model are ignored: 'extra'",
                "missing values in 'age': 1, replaced by means of the model",
                "missing values in 'sex': 1, replaced by means of the model",
                "values of 'sex' that are not in the model: 1, the first 'x' on line 3; their features are 0"}));
  const auto open = models::read_csv_to_predict(file.path(), known, "", true, {{}, {}, models::MissingValues::drop});
  EXPECT_TRUE(std::isnan(open.features.values[3]));
  EXPECT_EQ(open.features.rows(), 3);
}

TEST(RowsToPredict, SayWhatIsWrongWithThem) {
  const auto refusal = [](const std::string& text, const std::string& label = "") {
    return test::refusal_of(
        [&](const std::string& path) { models::read_csv_to_predict(path, some_known, label, true); }, text);
  };
  EXPECT_EQ(refusal("a,b\n1,2\n"), "");
  EXPECT_EQ(refusal("a,b,c\n1,2,3\n"), "");
  EXPECT_EQ(refusal("a,c\n1,2\n"), ", line 1: there is no column 'b', expected one for each feature of the model");
  EXPECT_EQ(refusal("a,b\n1,2\n", "sort"), ", line 1: there is no column 'sort', expected one with the classes");
  EXPECT_EQ(refusal("a,b,kind\n1,2,maybe\n"),
            ", line 2: 'kind' is 'maybe', expected 'no' or 'yes', the classes of the model");
  EXPECT_EQ(
      refusal("a,b\n1,2\n3"),
      ", line 3, column 2: the last line has no line break, as in a truncated file; add one if the line is complete");
  const auto libsvm = [](const std::string& path) { models::read_libsvm_to_predict(path, some_known, false); };
  EXPECT_EQ(test::refusal_of(libsvm, "7 1:1\n8 3:1\n"), ": there are 3 features, expected 2, as in the model");
  EXPECT_EQ(test::refusal_of(libsvm, "7 1:1\n8 2:\n"), ", line 2, column 5: value is '', expected a finite number");
}

TEST(DataFiles, SaysWhatIsWrongWithCsv) {
  const auto refusal = [](const std::string& text) {
    return test::refusal_of([](const std::string& path) { models::read_classified_csv(path, "z"); }, text);
  };
  EXPECT_EQ(refusal("a,z\n1,0\n2,1\n"), "");
  EXPECT_EQ(refusal(""), " is empty, expected a line of column names and a line for each row");
  EXPECT_EQ(refusal("a,b\n1,0\n2,1\n"), ", line 1: there is no column 'z', expected one with the classes");
  EXPECT_EQ(refusal("z\n1\n2\n"), ", line 1: there is no feature besides 'z', expected at least one");
  EXPECT_EQ(refusal("a,z\nnan,0\n2,1\n"),
            ", line 2: 'a' is 'nan', expected a value; use --missing to drop such rows or to replace missing values");
  EXPECT_EQ(refusal("a,z\n1,\n2,1\n"), ", line 2: 'z' is empty, expected a class");
  EXPECT_EQ(refusal("a,z\n1,0\n2,1\n2,2\n"),
            ", line 4: 'z' is '2', expected '0' or '1', the two classes of the rows before");
  EXPECT_EQ(refusal("a,z\n1,0\n2,0\n"), ": all 2 rows are of class '0', expected two classes");
  EXPECT_EQ(refusal("a,z\n1,0\n2,1\n3\n"), ", line 4: 1 field, expected 2: a, z");
  EXPECT_EQ(
      refusal("a,z\n1,0\n2,1\n3,1"),
      ", line 4, column 4: the last line has no line break, as in a truncated file; add one if the line is complete");
}

TEST(Preparation, SplitsEveryRowOnce) {
  const auto split = models::split_rows(1000, 0.25, 7);
  EXPECT_EQ(split.test.size(), 250u);
  std::vector<int> seen(1000);
  for (const auto& side : {split.training, split.test}) {
    for (const std::int64_t i : side) ++seen[static_cast<std::size_t>(i)];
  }
  EXPECT_EQ(seen, std::vector<int>(1000, 1));
  EXPECT_EQ(models::split_rows(1000, 0.25, 7).test, split.test);
  EXPECT_NE(models::split_rows(1000, 0.25, 8).test, split.test);
  for (const double share : {0.0, 1.0, 0.0001, -1.0, std::nan("")}) {
    EXPECT_THROW(models::split_rows(1000, share, 1), std::invalid_argument) << share;
  }
}

TEST(Preparation, EveryRowIsAsLikelyToBeHeldBack) {
  constexpr int seeds = 2000;
  std::vector<int> counts(10);
  for (int seed = 0; seed < seeds; ++seed) {
    for (const std::int64_t i : models::split_rows(10, 0.3, static_cast<std::uint64_t>(seed)).test) {
      ++counts[static_cast<std::size_t>(i)];
    }
  }
  const double error = 1e-6;  // error probability of each of the ten rows
  const auto [least, most] = test::binomial_band(seeds, 0.3, error / 2);
  for (const int count : counts) {
    EXPECT_GT(count, least);
    EXPECT_LT(count, most);
  }
  EXPECT_GT(least, 0.24 * seeds);  // would find a row held back with probability 0.2
}

TEST(Preparation, DenseAndSparseRowsAreEachOther) {
  const auto table = test::real_table(9, 5);
  const DenseRows rows{table.columns, table.values};
  const SparseRows expected = test::sparse_rows(table), made = sparse(rows);
  EXPECT_EQ(made.starts, expected.starts);
  EXPECT_EQ(made.indices, expected.indices);
  EXPECT_EQ(made.values, expected.values);
  EXPECT_EQ(dense(made).values, rows.values);
  EXPECT_EQ(dense(made).columns, rows.columns);
}

TEST(Preparation, SelectsRowsOfEveryKind) {
  const auto table = test::real_table(9, 5);
  const std::vector<std::int64_t> rows = {1, 4, 8};
  const DenseRows dense = select_rows(DenseRows{table.columns, table.values}, rows);
  const SparseRows sparse = select_rows(test::sparse_rows(table), rows);
  const SparseRows expected = test::sparse_rows({dense.columns, dense.values});
  EXPECT_EQ(dense.rows(), 3);
  EXPECT_EQ(dense.values[5], table.at(4, 0));
  EXPECT_EQ(sparse.starts, expected.starts);
  EXPECT_EQ(sparse.indices, expected.indices);
  EXPECT_EQ(sparse.values, expected.values);
}

TEST(Preparation, PacksZerosAndOnes) {
  const auto table = test::binary_table(7, 130);
  const auto sparse = test::sparse_rows(table);
  EXPECT_TRUE(models::is_binary(sparse.values));
  EXPECT_EQ(models::packed(sparse).words, test::packed_rows(table).words);
  EXPECT_FALSE(models::is_binary({1, 0, 0.5}));
  EXPECT_THROW(models::packed(test::sparse_rows({1, {1, 2}})), std::invalid_argument);
}

TEST(Preparation, StandardizesColumns) {
  DenseRows table{3, {1, 0.1, 10, 2, 0.1, 10, 3, 0.1, 40}};
  const auto before = table;
  const auto standard = models::standardization_of(table);
  standard.apply(table);
  for (std::size_t j = 0; j < 3; ++j) {
    double mean = 0, square = 0;
    for (std::size_t i = j; i < 9; i += 3) mean += table.values[i] / 3, square += table.values[i] * table.values[i] / 3;
    EXPECT_NEAR(mean, 0, 1e-15);
    EXPECT_NEAR(square, j == 1 ? 0 : 1, 1e-14);
  }
  const std::vector<double> weights = {0.5, -1, 2, 0.25}, raw = standard.weights_before(weights);
  for (std::size_t i = 0; i < 9; i += 3) {
    double margin = weights[3], as_before = raw[3];
    for (std::size_t j = 0; j < 3; ++j) {
      margin += weights[j] * table.values[i + j];
      as_before += raw[j] * before.values[i + j];
    }
    EXPECT_NEAR(as_before, margin, 1e-13);
  }
}

TEST(Preparation, RefusesFeaturesWhoseSquaresAreTooLarge) {
  for (const double large : {1e308, 1e160}) {
    EXPECT_THROW(models::standardization_of(DenseRows{1, {large, -large}}), std::invalid_argument) << large;
    EXPECT_THROW(models::standardization_of(sparse(DenseRows{1, {large, -large}})), std::invalid_argument) << large;
  }
  for (const double fine : {1e150, 1e-310}) {
    const auto standard = models::standardization_of(DenseRows{1, {fine, -fine}});
    EXPECT_TRUE(standard.scales[0] > 0 && standard.scales[0] < 1e151) << fine;
  }
}

TEST(Preparation, SparseRowsKeepTheirZeros) {
  const auto table = test::real_table(50, 4);
  SparseRows sparse = test::sparse_rows(table);
  const auto standard = models::standardization_of(sparse);
  const auto dense = models::standardization_of(DenseRows{table.columns, table.values});
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(standard.scales[j], dense.scales[j], 1e-14);
  EXPECT_EQ(standard.means, std::vector<double>(4));
  const auto first = sparse.values[0];
  standard.apply(sparse);
  EXPECT_EQ(sparse.values[0], first / standard.scales[static_cast<std::size_t>(sparse.indices[0])]);
}

}  // namespace data_tests
