// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize classification` and `sporos predict`: the models that they find, and their files.
#include "classifications.hpp"
#include "result_json.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace classification_tests {

using Names = std::vector<std::string>;

Json learned(const Folder& folder, const std::string& line, const std::string& program = first_program) {
  optimized_text(line + " --model " + folder / "model.json", "json", program);
  return Json::parse(contents_of(folder / "model.json"));
}

/// Row of scores for the rows learned from, or for those held back.
const Json& scores(const Json& result, const std::string& part = "learned from") {
  for (const Json& row : rows_of(result, "scores")) {
    if (row.at("part") == part) return row;
  }
  throw std::out_of_range("no scores of rows " + part);
}

std::vector<double> coefficients(const Json& model) {
  auto numbers = model["coefficients"].get<std::vector<double>>();
  numbers.push_back(model["intercept"].get<double>());
  return numbers;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance,
                 const std::string& what = "") {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t j = 0; j < found.size(); ++j) EXPECT_NEAR(found[j], expected[j], tolerance) << what << ": " << j;
}

// Reference values by scikit-learn; tests/procedures/classification_reference.cpp documents them.
constexpr double min_objective = 0.09959137548470548;
constexpr double rows_classified_right = 561, rows_in_all = 569;

TEST(Lbfgs, FindsWhatScikitLearnFinds) {
  const Folder folder;
  const auto model = learned(folder, on_all_rows("--optimizer lbfgs --penalty 0.01"));
  const auto& run = model["learned"];
  EXPECT_NEAR(run["findings"]["objective"].get<double>(), min_objective, 1e-12);
  EXPECT_EQ(run["stopped_by"], "gradient");
  EXPECT_EQ(scores(run)["accuracy"].get<double>(), rows_classified_right / rows_in_all);
  const auto& standardized = model["standardization"];
  EXPECT_NEAR(standardized["intercept"].get<double>(), -0.4952696910897791, 1e-5);
  EXPECT_NEAR(standardized["coefficients"][0].get<double>(), 0.4160541730425871, 1e-5);
  EXPECT_NEAR(standardized["coefficients"][29].get<double>(), 0.18914817742372464, 1e-5);
  double intercept = standardized["intercept"];
  for (std::size_t j = 0; j < 30; ++j) {
    const double slope = standardized["coefficients"][j].get<double>() / standardized["scales"][j].get<double>();
    EXPECT_NEAR(model["coefficients"][j].get<double>(), slope, 1e-12 * std::abs(slope)) << j;
    intercept -= slope * standardized["means"][j].get<double>();
  }
  EXPECT_NEAR(model["intercept"].get<double>(), intercept, 1e-10);
}

TEST(Sqn, ComesNearInTheUsualIterations) {
  const auto report = optimized(on_all_rows("--penalty 0.01"));
  const Json& found = report["findings"];
  EXPECT_EQ(found["iterations"], 2000);
  EXPECT_LT(found["objective"].get<double>(), 1.001 * min_objective);
  EXPECT_EQ(found["pairs_stored"], 199);
  EXPECT_EQ(found["gradients"], 2000);
  EXPECT_EQ(rows_of(report, "trajectory").size(), 21u);
  EXPECT_EQ(rows_of(report, "trajectory").back()["objective"], found["objective"]);
}

// Four rows that a linear function of a and b separates, and 60 rows of which all exposed ones are in class 1.
const std::string separable = "a,b,y\n0,1,1\n0,1,1\n2,1,0\n1,1,0\n";

std::string exposed_rows() {
  std::string text = "x,exposed,y\n";
  for (std::int64_t i = 0; i < 60; ++i) {
    const double x = 4 * some_share(i) - 2;
    const bool is_exposed = i % 3 == 0;
    text += fmt::format("{},{},{}\n", x, is_exposed ? 1 : 0, is_exposed || x + 3 * some_share(100 + i) > 1.5 ? 1 : 0);
  }
  return text;
}

TEST(Separation, IsReportedWithoutPenalty) {
  const Folder folder;
  const std::string tail = " --test-share 0 --penalty 0 --optimizer ";
  const std::string complete = "classification " + folder.write("complete.csv", separable) + tail;
  const std::string quasi = "classification " + folder.write("quasi.csv", exposed_rows()) + tail;
  for (const std::string method : {"lbfgs", "sqn --iterations 100"}) {
    const Json found = optimized(complete + method)["findings"];
    EXPECT_EQ(found["separation"], "complete") << method;
    EXPECT_EQ(found["separation_checked_by"], "margins");
    const Json other = optimized(quasi + method);
    EXPECT_EQ(other["findings"]["separation"], "quasi-complete") << method;
    EXPECT_EQ(other["findings"]["separation_checked_by"], "linear program");
    EXPECT_EQ(rows_of(other, "separation")[0]["coefficient"], "exposed");
    EXPECT_EQ(rows_of(other, "separation")[0]["direction"], 1.0);
  }
  const std::string table = optimized_text(quasi + "lbfgs", "table");
  EXPECT_NE(table.find("\nquasi-complete separation: a linear function of 'exposed'"), std::string::npos) << table;
  EXPECT_NE(table.find("give a positive --penalty, or remove such a feature\n"), std::string::npos) << table;
  EXPECT_NE(optimized_text(complete + "lbfgs", "table").find("\ncomplete separation: "), std::string::npos);
  // Control: without that feature the classes overlap.
  const Json none = optimized(quasi + "lbfgs --ignore exposed");
  EXPECT_EQ(none["findings"]["separation"], "none");
  EXPECT_EQ(rows_of(none, "separation"), Json::array());
}

TEST(Separation, IsNotLookedForWithAPenalty) {
  const Folder folder;
  const std::string line =
      "classification " + folder.write("complete.csv", separable) + " --test-share 0 --optimizer lbfgs";
  const Json report = optimized(line);
  EXPECT_TRUE(report["findings"]["separation"].is_null());
  EXPECT_FALSE(report["tables"].contains("separation"));
  EXPECT_EQ(optimized_text(line, "table").find("separation"), std::string::npos);
}

// Separation is found in every storage of the rows, and on all features of real data, which 30 coefficients separate.
TEST(Separation, IsFoundInEveryStorage) {
  const Folder folder;
  const std::string path = folder.write("rows.txt", binary_rows(60, 8, 0.5) + "+1 9:1\n-1 1:1\n");
  std::string kind;
  for (const std::string storage : {"double", "float", "bits", "sparse"}) {
    const Json found =
        optimized("classification " + path +
                  " --test-share 0 --optimizer lbfgs --penalty 0 --standardize off --storage " + storage)["findings"];
    if (kind.empty()) kind = found["separation"];
    EXPECT_EQ(found["separation"], kind) << storage;
    EXPECT_NE(found["separation"], "none") << "feature 9 alone is in class +1";
  }
  EXPECT_EQ(optimized(on_all_rows("--optimizer lbfgs --penalty 0"))["findings"]["separation"], "complete");
}

TEST(Report, CountsTheRowsThatAreHeldBack) {
  const auto report = optimized("classification " + breast_cancer + " --split-seed 3 --test-share 0.3");
  const Json& test = scores(report, "held back");
  EXPECT_EQ(test["rows"], 170);
  EXPECT_EQ(scores(report)["rows"], 399);
  EXPECT_GT(test["accuracy"], 0.93);
  EXPECT_GT(test["area_under_curve"], 0.98);
  EXPECT_EQ(report["settings"]["second_class"], "malignant");
  const int right = test["first_as_first"].get<int>() + test["second_as_second"].get<int>();
  EXPECT_EQ(right + test["first_as_second"].get<int>() + test["second_as_first"].get<int>(), 170);
  EXPECT_EQ(test["accuracy"].get<double>(), right / 170.0);
}

TEST(Report, SaysWhatTheTableShows) {
  const std::string table = optimized_text("classification " + breast_cancer, "table");
  for (const std::string part :
       {"569 rows of 30 features", "'benign' and 'malignant'", "142 rows held back by seed 1", "\nlearned from    427 ",
        "\nheld back       142 ", "\nstandardized features        yes\n", "\nstorage of features          double\n",
        "stochastic quasi-Newton with harmonic steps from 2, limited", "2000 iterations, stopped by iterations",
        "norm of the gradient", "pairs skipped", "limited steps", "benign as malignant", "log-loss"}) {
    EXPECT_NE(table.find(part), std::string::npos) << part << "\nin\n" << table;
  }
  const auto file = io::parse_csv("csv", optimized_text("classification " + breast_cancer, "csv"));
  EXPECT_EQ(file.rows.size(), 21u);
  EXPECT_EQ(file.names.front(), "iteration");
}

TEST(Storage, ChangesNothingButRounding) {
  const Folder folder;
  const std::string path = folder.write("rows.txt", binary_rows(300, 70, 0.4));
  const std::string line = "classification " + path + " --test-share 0 --optimizer lbfgs --standardize off";
  const auto bits = learned(folder, line);
  EXPECT_EQ(bits["learned"]["findings"]["storage"], "bits");
  EXPECT_LT(bits["learned"]["findings"]["bytes"], 300 * 70 / 2);  // 128 bits per row
  EXPECT_EQ(bits["standardization"], nullptr);
  for (const std::string storage : {"double", "float", "sparse"}) {
    const auto other = learned(folder, line + " --storage " + storage);
    EXPECT_EQ(other["learned"]["findings"]["storage"], storage);
    expect_near(coefficients(other), coefficients(bits), 1e-5, storage);
  }
}

TEST(Storage, IsSparseWhereThatIsSmallAndKeepsZeros) {
  const Folder folder;
  std::string rows = binary_rows(200, 60, 0.1);
  rows += "+1 1:0.5 60:3\n";
  const std::string path = folder.write("rows.txt", rows);
  const auto model = learned(folder, "classification " + path + " --optimizer lbfgs --standardize on");
  EXPECT_EQ(model["learned"]["findings"]["storage"], "sparse");
  EXPECT_EQ(model["standardization"]["means"], Json(std::vector<double>(60)));
  EXPECT_NE(model["standardization"]["scales"][0], 1.0);
}

TEST(Formats, GiveTheSameModel) {
  const Folder folder;
  const std::string csv = folder.write("rows.csv", "a,b,kind\n1,0.5,-1\n0,2,1\n3,0,1\n-1,1,-1\n2,2,-1\n");
  const std::string svm = folder.write("rows.txt", "-1 1:1 2:0.5\n1 2:2\n1 1:3\n-1 1:-1 2:1\n-1 1:2 2:2\n");
  const std::string options = " --test-share 0 --optimizer lbfgs";
  const auto of_csv = learned(folder, "classification " + csv + options + " --storage double");
  const auto of_svm = learned(folder, "classification " + svm + options + " --storage double");
  EXPECT_EQ(of_csv["coefficients"], of_svm["coefficients"]);
  EXPECT_EQ(of_csv["features"], Json(Names{"a", "b"}));
  EXPECT_EQ(of_csv["label"], "kind");
  EXPECT_EQ(of_svm["features"], nullptr);
  const auto named = learned(folder, "classification " + csv + options + " --label kind --data-format csv");
  EXPECT_EQ(named["coefficients"], of_csv["coefficients"]);
}

TEST(Intercept, IsZeroWhereThereIsNone) {
  const Folder folder;
  const auto model = learned(folder, on_all_rows("--optimizer lbfgs --intercept off --standardize off --penalty 1"));
  EXPECT_EQ(model["intercept"], 0.0);
  EXPECT_EQ(model["learned"]["settings"]["intercept"], false);
}

// One set of options for each path through the optimizers.
const Names some_lines{
    "--iterations 60", "--iterations 60 --storage float --step-rule line-search --step 1",
    "--iterations 60 --limit-steps off --step 0.2 --damp-below 0.9 --memory 3 --step-rule square-root",
    "--iterations 12 --optimizer lbfgs --memory 4"};

TEST(SameBits, FromRunToRun) {
  for (const auto& line : some_lines) {
    for (const auto& program : programs()) {
      const auto part = [&] {
        return lasting_part(optimized("classification " + breast_cancer + " " + line, program));
      };
      EXPECT_EQ(part(), part()) << program << ": " << line;
    }
  }
}

TEST(Backends, AgreeToRounding) {
  const Folder folder;
  for (const auto& line : some_lines) {
    const auto serial = coefficients(learned(folder, on_all_rows(line + " --standardize on")));
    for (const auto& program : programs()) {
      const std::string threads = program == "sporos-openmp" ? " --threads 2" : "";
      expect_near(coefficients(learned(folder, on_all_rows(line + threads), program)), serial, 1e-6, program + line);
    }
  }
}

TEST(Resume, HasTheBitsOfASingleRun) {
  const Folder folder;
  const auto files_of = [&](const std::string& arguments, const std::string& name) {
    optimized_text("classification " + arguments + " --save-state " + folder / name);
    return contents_of(folder / name);
  };
  for (const auto& line : some_lines) {
    const std::string given = breast_cancer + " " + line;
    const std::string whole = files_of(given, "whole.json");
    std::string half = given;
    half.replace(half.find("--iterations ") + 13, 2, "07");
    EXPECT_NE(files_of(half, "half.json"), whole) << line;
    const std::string most = line.substr(13, 2);
    EXPECT_EQ(files_of("--resume " + folder / "half.json --iterations " + most, "resumed.json"), whole) << line;
  }
}

TEST(Predict, HasTheScoresOfTheReport) {
  const Folder folder;
  const auto model = learned(folder, on_all_rows("--optimizer lbfgs"));
  const auto outcome = sporos("predict " + folder / "model.json " + breast_cancer + " -o " + folder / "told.csv");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.error, "");
  const auto file = io::read_csv(folder / "told.csv");
  EXPECT_EQ(file.names, (Names{"probability of malignant", "class"}));
  ASSERT_EQ(file.rows.size(), 569u);
  const Json& found = scores(model["learned"]);
  int malignant = 0;
  for (const auto& row : file.rows) {
    EXPECT_EQ(row[1] == "malignant", io::parse_number<double>("p", row[0]) >= 0.5);
    malignant += row[1] == "malignant";
  }
  EXPECT_EQ(malignant, found["first_as_second"].get<int>() + found["second_as_second"].get<int>());
  const std::string accuracy = fmt::format("{:.4f}", found["accuracy"].get<double>());
  EXPECT_NE(outcome.out.find(" 569    " + accuracy), std::string::npos) << outcome.out;
  EXPECT_EQ(lines_of(outcome.out), 2);
}

TEST(Predict, FindsFeaturesByTheirNamesAndNeedsNoClasses) {
  const Folder folder;
  const std::string learn = folder.write("learn.csv", "a,b,kind\n1,0.5,x\n0,2,y\n3,0,y\n-1,1,x\n2,2,x\n");
  learned(folder, "classification " + learn + " --test-share 0 --optimizer lbfgs");
  const auto reported = [&](const std::string& rows, const std::string& more = "") {
    return sporos("predict " + folder / "model.json " + folder.write("rows.csv", rows) + more);
  };
  const auto first = reported("a,b\n1,0.5\n0,2\n");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.error, "");
  EXPECT_EQ(reported("b,kind,a\n0.5,x,1\n2,y,0\n").out, first.out);
  EXPECT_EQ(reported("kind,a,b\nx,1,0.5\nx,0,2\n").error.substr(0, 9), "rows     ");  // scores of a single class
  EXPECT_EQ(reported("kind,a,b\nother,1,0.5\nx,0,2\n", " --labels off").out, first.out);
  EXPECT_EQ(reported("sort,a,b\nx,1,0.5\ny,0,2\n", " --label sort").out, first.out);
  const std::string svm = folder.write("rows.txt", "7 1:1 2:0.5\n7 2:2\n");
  EXPECT_EQ(sporos("predict " + folder / "model.json " + svm + " --labels off").out, first.out);
}

// A file as users have it, with names, texts, missing values, semicolons and decimal commas.
TEST(Columns, AreLeftOutFilledAndMadeFeatures) {
  const Folder folder;
  const std::string passengers =
      "name;age;sex;survived\n\"Ann \"\"A\"\"\";20,5;f;yes\nBob;NA;m;no\nCid;40;m;no\nDot;21,5;f;yes\nEve;?;f;yes\n";
  const std::string given =
      folder.write("learn.csv", passengers) + " --ignore name --missing mean --test-share 0 --optimizer lbfgs";
  const auto model = learned(folder, "classification " + given);
  EXPECT_EQ(model["features"], Json({"age", "sex = f", "sex = m"}));
  EXPECT_EQ(model["columns"][1], Json({{"name", "sex"}, {"levels", {"f", "m"}}}));
  EXPECT_EQ(model["missing"], "mean");
  EXPECT_NEAR(model["means"][0].get<double>(), 82.0 / 3, 1e-12);
  const std::string reported = sporos("optimize classification " + given).out;
  for (const auto* note :
       {"has ';' between its fields, decimal commas\n", "\ncolumn 'sex' holds 2 categories, one feature each: f, m\n",
        "\nmissing values replaced by means: 2 in 'age'\n"}) {
    EXPECT_NE(reported.find(note), std::string::npos) << reported;
  }
  const std::string rows = folder.write("rows.csv", "cabin,sex,age\n1,f,20\n2,x,\n");
  const auto outcome = sporos("predict " + folder / "model.json " + rows);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(lines_of(outcome.out), 3);
  EXPECT_EQ(outcome.error,
            "columns that are not in the model are ignored: 'cabin'\n"
            "missing values in 'age': 1, replaced by means of the model\n"
            "values of 'sex' that are not in the model: 1, the first 'x' on line 3; their features are 0\n");
  const auto open = sporos("predict " + folder / "model.json " + rows + " --missing drop");
  EXPECT_EQ(open.out.substr(open.out.size() - 2), ",\n");  // no prediction
}

TEST(Columns, OfAModelOfAVersionBeforeAreNumbers) {
  const Folder folder;
  Json model = learned(folder, on_all_rows("--optimizer lbfgs"));
  const std::string now = sporos("predict " + folder / "model.json " + breast_cancer).out;
  for (const auto* member : {"columns", "missing", "means"}) model.erase(member);
  EXPECT_EQ(sporos("predict " + folder.write("old.json", model.dump()) + " " + breast_cancer).out, now);
}

// Computed from probabilities, which are 0 and 1 here, the log-loss would be infinite or 0.
TEST(LogLoss, IsFiniteWhereMarginsAre) {
  const Folder folder;
  const std::string learn = folder.write("learn.csv", "a,kind\n-1,x\n1,y\n-2,x\n2,y\n");
  learned(folder, "classification " + learn + " --test-share 0 --optimizer lbfgs");
  const auto outcome = sporos("predict " + folder / "model.json " + folder.write("far.csv", "a,kind\n1e6,x\n-1,x\n") +
                              " -o " + folder / "out.csv");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.find(" inf"), std::string::npos) << outcome.out;
}

TEST(GradientTolerance, NotReachedIsExitStatus2WithResults) {
  const auto outcome = sporos("optimize " + on_all_rows("--optimizer lbfgs --iterations 3 --gradient-tolerance 1e-6"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.out.find("3 iterations, stopped by iterations"), std::string::npos);
  EXPECT_EQ(outcome.error.find("sporos: gradient tolerance not reached: the gradient norm is "), 0u);
  EXPECT_EQ(lines_of(outcome.error), 1);
  EXPECT_EQ(optimized(on_all_rows("--gradient-tolerance 0.1 --record-interval 10"))["stopped_by"], "gradient");
}

TEST(TimeLimit, StopsWithResults) {
  const auto report = optimized(on_all_rows("--iterations 1000000000 --time-limit 0.05"));
  EXPECT_EQ(report["stopped_by"], "time limit");
  EXPECT_GT(report["findings"]["iterations"], 0);
}

// Constant steps without the safeguard (--limit-steps) diverge.
TEST(Divergence, StopsWithTheReasonAndWritesNothing) {
  const Folder folder;
  const std::string line = "optimize classification " + breast_cancer + " --model " +
                           folder / "model.json --save-state " + folder / "state.json --output " + folder / "report";
  const auto outcome = sporos(line + " --step-rule constant --limit-steps off");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.error), 1);
  EXPECT_NE(outcome.error.find(" after iteration 100, from 0.693 after iteration 0: it diverges, no model is written: "
                               "--limit-steps on or a smaller --step may help"),
            std::string::npos)
      << outcome.error;
  EXPECT_EQ(folder.files(), Names{});
  EXPECT_EQ(sporos(line).status, 0);
  EXPECT_EQ(folder.files(), (Names{"model.json", "report", "state.json"}));
}

std::string endless(const Folder& folder) {
  const std::string threads = starts_gpu() ? "" : "--threads 1 ";  // a device has its own threads
  return "optimize " + on_all_rows(threads + "--iterations 1000000000 --format json --output ") + folder / "r.json" +
         " --model " + folder / "model.json --save-state " + folder / "s.json";
}

TEST(Kill, LeavesNoFile) {
  const Folder folder;
  Process process("sporos", words(endless(folder)));
  process.wait_for_interruption();
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  EXPECT_EQ(folder.files(), Names{});
}

// On a terminal, the program shows a progress line. After Ctrl-C it writes the model of the iterations so far.
TEST(Terminal, ShowsProgressAndTakesCtrlC) {
  const Folder folder;
  std::string screen;
  EXPECT_EQ(interrupted_on_terminal(words(endless(folder)), screen), 128 + SIGINT);
  EXPECT_NE(screen.find("\r\x1b[Kclassification: iteration "), std::string::npos) << screen;
  EXPECT_NE(screen.find("\r\x1b[Ksporos: interrupted after "), std::string::npos) << screen;
  const auto report = Json::parse(contents_of(folder / "r.json"));
  EXPECT_EQ(report["stopped_by"], "interrupted");
  EXPECT_EQ(Json::parse(contents_of(folder / "model.json"))["learned"]["findings"], report["findings"]);
}

TEST(Help, NamesEveryOption) {
  EXPECT_NE(sporos("optimize --help").out.find("classification  "), std::string::npos);
  const std::string help = sporos("optimize classification --help-all").out;
  for (const std::string part : {"--optimizer NAME", "--limit-steps on|off", "--wolfe-curvature C", "--model FILE",
                                 "--test-share S", "default: 0.25", "LIBSVM"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part;
  }
  EXPECT_NE(sporos("predict --help").out.find("-o,--output FILE"), std::string::npos);
}

}  // namespace classification_tests
}  // namespace sporos::test
