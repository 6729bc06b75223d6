// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize classification` and `sporos predict`: bad input is refused with one line.
#include "classifications.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sporos::test {
namespace classification_bad_input_tests {

class BadClassification : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadClassification, IsRefusedInOneLine) {
  expect_refusal(sporos("optimize classification " + GetParam().line), GetParam().message);
}

const std::string on_data = breast_cancer + " ";

INSTANTIATE_TEST_SUITE_P(
    Options, BadClassification,
    ::testing::Values(
        Refusal{"", "no data are given: expected a file after classification"},
        Refusal{on_data + "more", "unexpected 'more': expected sporos optimize classification DATA [OPTION...]"},
        Refusal{on_data + "--data x", "--data and DATA are given: expected one of them"},
        Refusal{on_data + "--bach-size 5", "unknown option '--bach-size': did you mean '--batch-size'?"},
        Refusal{on_data + "--colour red",
                "unknown option '--colour': `sporos optimize classification --help-all` lists the options"},
        Refusal{on_data + "--memory", "--memory is given without a value"},
        Refusal{on_data + "--memory 0", "--memory is '0', " + positive_number},
        Refusal{on_data + "--memory 10001", "memory is 10001, expected from 1 to 10000 pairs"},
        Refusal{on_data + "--batch-size 0", "--batch-size is '0', " + positive_number},
        Refusal{on_data + "--batch-size 428", "--batch-size is 428, expected at most the number of training rows, 427"},
        Refusal{on_data + "--hessian-batch-size 428",
                "--hessian-batch-size is 428, expected at most the number of training rows, 427"},
        Refusal{on_data + "--pair-interval 0", "--pair-interval is '0', " + positive_number},
        Refusal{on_data + "--regularization 1",
                "--regularization is given, expected it only with --pair-source gradient-differences"},
        Refusal{on_data + "--iterations -1", "--iterations is '-1', " + natural_number},
        Refusal{on_data + "--step 0", "--step is '0', expected a positive finite number"},
        Refusal{on_data + "--step-rule fast",
                "unknown step rule 'fast': expected one of harmonic, square-root, constant, line-search"},
        Refusal{on_data + "--limit-steps yes", "--limit-steps is 'yes', expected on or off"},
        Refusal{on_data + "--skip-up-to 1",
                "cosine up to which pairs are skipped is 1, expected a number of at least 0 and below 1"},
        Refusal{on_data + "--optimizer newton", "unknown optimizer 'newton': expected one of sqn, lbfgs"},
        Refusal{on_data + "--optimizer lbfgs --step 1", "--step is given, expected it only with --optimizer sqn"},
        Refusal{on_data + "--wolfe-decrease 0.1", "--wolfe-decrease is given, expected it only with --optimizer lbfgs"},
        Refusal{on_data + "--optimizer lbfgs --wolfe-curvature 1",
                "curvature of the line search is 1, expected a number between the decrease and 1"},
        Refusal{on_data + "--penalty -1", "--penalty is '-1', expected a finite number of at least 0"},
        Refusal{on_data + "--gradient-tolerance nan",
                "--gradient-tolerance is 'nan', expected a finite number of at least 0"},
        Refusal{on_data + "--time-limit 0", "--time-limit is '0', expected a positive finite number"},
        Refusal{on_data + "--record-interval 0", "--record-interval is '0', " + positive_number}));

INSTANTIATE_TEST_SUITE_P(
    Data, BadClassification,
    ::testing::Values(
        Refusal{"/nowhere.csv", "cannot read '/nowhere.csv': No such file or directory"},
        Refusal{on_data + "--label kind",
                breast_cancer + ", line 1: there is no column 'kind', expected one with the classes"},
        Refusal{on_data + "--data-format arff", "unknown data format 'arff': expected one of csv, libsvm"},
        Refusal{on_data + "--data-format libsvm --label x",
                "--label is given, expected it only with CSV: in LIBSVM's format the label comes first"},
        Refusal{
            on_data + "--test-share 1",
            "share of test rows is 1, expected a share that leaves some of 569 rows for training and some for tests"},
        Refusal{on_data + "--test-share 0 --split-seed 2",
                "--split-seed is given, expected it only with a --test-share above 0"},
        Refusal{on_data + "--storage disk", "unknown storage 'disk': expected one of double, float, bits, sparse"},
        Refusal{on_data + "--storage bits",
                "--storage is bits, expected another one: not all features in " + breast_cancer + " are 0 or 1"},
        Refusal{on_data + "--standardize maybe", "--standardize is 'maybe', expected on or off"},
        Refusal{on_data + "--model a.json --output a.json",
                "--output is 'a.json', which --model writes: expected another file"},
        Refusal{on_data + "--model /nowhere/a.json", "cannot write '/nowhere/a.json': No such file or directory"}));

TEST(BitsThatAreStandardized, AreRefused) {
  const Folder folder;
  const std::string path = folder.write("rows.txt", "1 1:1\n0 2:1\n1 2:1\n0 1:1\n");
  expect_refusal(sporos("optimize classification " + path + " --storage bits --standardize on"),
                 "--standardize is on, expected off with --storage bits, which are 0 or 1");
}

/// Name and contents of a data file, and the expected message after its path.
struct BadFile {
  std::string name, contents, message;
};

void PrintTo(const BadFile& file, std::ostream* stream) { *stream << file.contents; }

class BadRows : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadRows, AreRefusedInOneLine) {
  const auto& [name, contents, message] = GetParam();
  const Folder folder;
  const std::string path = folder.write(name, contents);
  expect_refusal(sporos("optimize classification " + path + " --test-share 0 --model " + folder / "model.json"),
                 path + message);
  EXPECT_EQ(folder.files(), std::vector<std::string>{name});
}

INSTANTIATE_TEST_SUITE_P(
    Libsvm, BadRows,
    ::testing::Values(
        BadFile{"a.txt", "", " is empty, expected a line for each row"},
        BadFile{"a.txt", "1 1:1\n0 1:1\n2 1:1\n",
                ", line 3, column 1: label is '2', expected '1' or '0', the two classes of the rows before"},
        BadFile{"a.txt", "1 1:1\n1 1:2\n", ": all 2 rows are of class '1', expected two classes"},
        BadFile{"a.txt", "1 1:1\n0 0:2\n",
                ", line 2, column 3: feature index is '0', expected a whole number from 1 to 2147483647"},
        BadFile{"a.txt", "1 1:1\n0 2:1 1:2\n",
                ", line 2, column 7: feature index is 1 after 2, expected ascending indices"},
        BadFile{"a.txt", "1 1:1\n0 2:nan\n", ", line 2, column 5: value is 'nan', expected a finite number"},
        BadFile{"a.txt", "1 1:1\n0 1:2 3:\n", ", line 2, column 9: value is '', expected a finite number"},
        BadFile{"a.txt", "1 1:1\n0 1:2 3",
                ", line 2, column 8: the last line has no line break, as in a truncated file; add one if the line is "
                "complete"}));

INSTANTIATE_TEST_SUITE_P(
    Csv, BadRows,
    ::testing::Values(
        BadFile{"a.csv", "", " is empty, expected a line of column names and a line for each row"},
        BadFile{"a.csv", "a,b,kind\n", ": no row follows the names, expected one for each row"},
        BadFile{"a.csv", "kind\nx\ny\n", ", line 1: there is no feature besides 'kind', expected at least one"},
        BadFile{"a.csv", "a,b,kind\n1,2,x\n1,3,y\n4,5,z\n",
                ", line 4: 'kind' is 'z', expected 'x' or 'y', the two classes of the rows before"},
        BadFile{"a.csv", "a,b,kind\n1,2,x\n1,3,x\n", ": all 2 rows are of class 'x', expected two classes"},
        BadFile{
            "a.csv", "a,b,kind\n1,nan,x\n1,3,y\n",
            ", line 2: 'b' is 'nan', expected a value; use --missing to drop such rows or to replace missing values"},
        BadFile{
            "a.csv", "a,b,kind\n1,2,x\n1,,y\n",
            ", line 3: 'b' is empty, expected a value; use --missing to drop such rows or to replace missing values"},
        BadFile{"a.csv", "a,name,kind\n1,p,x\n1,q,y\n2,r,y\n",
                ", from line 2 on: 'name' has 3 different values in as many rows, like a column of names, expected "
                "numbers or at most 50 categories; use --ignore to leave it out"},
        BadFile{"a.csv", "when,a,kind\n2024-01-02,1,x\n2024-01-03,2,y\n",
                ", from line 2 on: 'when' holds dates, expected numbers or at most 50 categories; use --ignore to "
                "leave it out"},
        BadFile{"a.csv", "a,b,kind\n1,2,x\n1,2a,y\n",
                ", line 3: 'b' is '2a', expected a number: write it without the unit; use --category to treat the "
                "values as categories, or --ignore to leave the column out"},
        BadFile{"a.csv", "1,2,0\n3,4,1\n",
                ", line 1: column 1 is called '1', a number, as if the line were a row; write names, or use "
                "--no-header"},
        BadFile{"a.csv", "a,b,kind\n1,2,x\n1,3\n", ", line 3: 2 fields, expected 3: a, b, kind"},
        BadFile{"a.csv", "a,b,kind\n1,2,x\n1,3,y",
                ", line 3, column 6: the last line has no line break, as in a truncated file; add one if the line is "
                "complete"}));

TEST(RowsToLearnFrom, OfOneClassOnlyAreRefused) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "a,kind\n1,x\n2,x\n3,y\n4,x\n");
  bool is_refused = false;
  for (int seed = 0; seed < 20 && !is_refused; ++seed) {
    const auto outcome =
        sporos("optimize classification " + path + " --test-share 0.25 --split-seed " + std::to_string(seed));
    if (outcome.status == 0) continue;
    is_refused = true;
    expect_refusal(outcome, path +
                                ": all 3 training rows are of class 'x', expected two classes: give another "
                                "--split-seed or a smaller --test-share");
  }
  EXPECT_TRUE(is_refused);
}

// The reader accepts these values, but they are too large for the optimizer's arithmetic.
TEST(NotFinite, IsOneLineAndNoModel) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "a,kind\n1e308,x\n-1e308,y\n1e308,x\n-1e308,y\n");
  const auto outcome =
      sporos("optimize classification " + path + " --test-share 0 --standardize off --model " + folder / "model.json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(lines_of(outcome.error), 1);
  EXPECT_NE(outcome.error.find("no model is written"), std::string::npos) << outcome.error;
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.csv"});
}

// A model that was learned from two named features, and the data from which it was learned.
class Prediction : public ::testing::Test {
 protected:
  // Expects that `predict` refuses the file `name` of these rows with `message` after its path.
  void expect_refused(const std::string& name, const std::string& rows, const std::string& message,
                      const std::string& more = "") {
    const std::string path = m_folder.write(name, rows);
    expect_refusal(sporos("predict " + m_model + " " + path + " " + more), path + message);
  }
  std::string with(const std::string& member, const Json& value) {
    Json json = Json::parse(contents_of(m_model));
    json[member] = value;
    return m_folder.write("changed.json", json.dump());
  }
  std::string refused_model(const std::string& path) {
    const auto outcome = sporos("predict " + path + " " + m_learned);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.error), 1);
    EXPECT_EQ(outcome.error.find("sporos: " + path), 0u) << outcome.error;
    return outcome.error.substr(8 + path.size());
  }

  Folder m_folder;
  std::string m_learned = m_folder.write("learn.csv", "a,b,kind\n1,0.5,x\n0,2,y\n3,0,y\n-1,1,x\n2,2,x\n");
  std::string m_model = m_folder / "model.json";
  std::string m_report = optimized_text("classification " + m_learned + " --test-share 0 --model " + m_model);
};

TEST_F(Prediction, RefusesBadArguments) {
  expect_refusal(sporos("predict"), "no model is given: expected sporos predict MODEL DATA [OPTION...]");
  expect_refusal(sporos("predict " + m_model), "no data are given: expected sporos predict MODEL DATA [OPTION...]");
  expect_refusal(sporos("predict a b c"), "unexpected 'c': expected sporos predict MODEL DATA [OPTION...]");
  expect_refusal(sporos("predict a b --lable x"), "unknown option '--lable': did you mean '--label'?");
  expect_refusal(sporos("predict /nowhere b"), "cannot read '/nowhere': No such file or directory");
  expect_refusal(sporos("predict " + m_model + " " + m_learned + " -o /nowhere/a"),
                 "cannot write '/nowhere/a': No such file or directory");
  expect_refusal(sporos("pradict"), "unknown command 'pradict': did you mean 'predict'?");
}

TEST_F(Prediction, RefusesOtherFeatures) {
  expect_refused("r.csv", "a,kind\n1,x\n",
                 ", line 1: there is no column 'b', expected one for each feature of the model");
  expect_refused("r.csv", "a,c\n1,2\n", ", line 1: there is no column 'b', expected one for each feature of the model");
  expect_refused("r.csv", "a,b\n1,2\n", ", line 1: there is no column 'kind', expected one with the classes",
                 "--label kind");
  expect_refused("r.txt", "1 1:1 5:2\n", ": there are 5 features, expected 2, as in the model", "--labels off");
}

TEST_F(Prediction, RefusesBadRows) {
  expect_refused(
      "r.csv", "a,b\n1,nan\n",
      ", line 2: 'b' is 'nan', expected a value; use --missing to drop such rows or to replace missing values");
  expect_refused("r.csv", "a,b\n1\n", ", line 2: 1 field, expected 2: a, b");
  expect_refused("r.csv", "", " is empty, expected a line of column names and a line for each row");
  expect_refused("r.csv", "a,b,kind\n1,2,z\n",
                 ", line 2: 'kind' is 'z', expected 'x' or 'y', the classes of the model");
  expect_refused("r.txt", "1 1:1\n", ", line 1, column 1: label is '1', expected 'x' or 'y', the classes of the model");
}

TEST_F(Prediction, RefusesWhatIsNoModel) {
  EXPECT_EQ(refused_model(m_folder.write("m.json", "{}")), ", line 1, has no member 'kind'\n");
  const std::string model = contents_of(m_model);
  EXPECT_EQ(refused_model(m_folder.write("m.json", model.substr(0, model.size() / 2))).find(" is not JSON: error at"),
            0u);
  EXPECT_EQ(refused_model(m_learned).find(" is not JSON: error at"), 0u);
  EXPECT_EQ(refused_model(with("kind", "forest")),
            ", line 1, is a model of the kind 'forest', expected logistic classification\n");
  EXPECT_EQ(refused_model(with("coefficients", {1.0})), ", line 1: coefficients has 1 entries, expected 2\n");
  EXPECT_EQ(refused_model(with("coefficients", {1.0, nullptr})),
            ", line 1: coefficients[1] is 'null', expected a number\n");
  EXPECT_EQ(refused_model(with("features", {"a"})), ", line 1: features has 1 entries, expected 2\n");
  EXPECT_EQ(refused_model(with("classes", {"x", 3})), ", line 1: classes[1] is '3', expected a string\n");
  EXPECT_EQ(refused_model(with("intercept", nullptr)), ", line 1: intercept is 'null', expected a number\n");
}

TEST_F(Prediction, IsNotResumedFromAnotherProblem) {
  const std::string path = m_folder.write("state.json", R"({"problem": "portfolio"})");
  expect_refusal(sporos("optimize classification --resume " + path),
                 path + ", line 1, was saved for the problem 'portfolio', expected classification");
}

// A saved run cannot be resumed with other data or options.
TEST_F(Prediction, ResumptionRefusesOtherDataAndOptions) {
  const std::string state = m_folder / "state.json";
  const std::string line = "classification " + m_learned + " --test-share 0 --iterations 3 --save-state " + state;
  optimized_text(line);
  const auto resumed = [&](const std::string& more) {
    return sporos("optimize classification --resume " + state + more);
  };
  EXPECT_EQ(resumed(" --iterations 5").status, 0);
  expect_refusal(resumed(" --step 3"), "--step is '3', but the run in " + state + " has none: omit --step");
  expect_refusal(resumed(" --data " + breast_cancer),
                 state + " was saved by a run with other data: expected the same data files");
  m_folder.write("learn.csv", "a,b,kind\n1,0.5,x\n0,2,y\n3,0,y\n-1,1,y\n2,2,x\n");
  expect_refusal(resumed(""), state + " was saved by a run with other data: expected the same data files");
}

}  // namespace classification_bad_input_tests
}  // namespace sporos::test
