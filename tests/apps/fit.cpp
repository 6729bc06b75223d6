// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos fit`: the mixtures that it finds, and its reports.
#include "optimizations.hpp"
#include "result_json.hpp"

#include <sporos/core/io/format.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>

namespace sporos::test {
namespace fit_tests {

/// Quantiles of a logistic distribution around `centre`, one per line.
std::string group(int count, double centre, double scale) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const double p = (i + 0.5) / count;
    text += fmt::format("{}\n", centre + scale * std::log(p / (1 - p)));
  }
  return text;
}

/// Two separate groups: 60 values around 0 and 40 around 20.
std::string two_groups() { return group(60, 0, 0.5) + group(40, 20, 1); }

/// Report of a fit, which must succeed.
std::string fitted_text(const std::string& line, const std::string& format, const std::string& program = "sporos") {
  const auto outcome = run(program, words("fit " + line + " --format " + format));
  EXPECT_EQ(outcome.status, 0) << line;
  EXPECT_EQ(outcome.error, "") << line;
  return outcome.out;
}

Json fitted(const std::string& line, const std::string& program = "sporos") {
  return Json::parse(fitted_text(line, "json", program));
}

/// Number of components that was chosen.
int chosen_of(const Json& result) { return result.at("findings").at("components").get<int>(); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Fit : public ::testing::Test {
 protected:
  Folder m_folder;
  std::string m_groups = m_folder.write("groups.csv", "y\n" + two_groups());
};

// The component has the mean and the deviation of the sample, with standard errors s/√n and s/√(2n). The log-likelihood
// is L = −n/2 (ln 2πs² + 1).
TEST_F(Fit, OfOneComponentIsTheSampleItself) {
  const std::string path = m_folder.write("y.csv", "1\n2\n4\n9\n");
  const double variance = 9.5, n = 4, deviation = std::sqrt(variance);
  const double expected = -n / 2 * (std::log(2 * std::numbers::pi * variance) + 1);
  const auto fit = fitted(path + " --components 1");
  const auto& size = rows_of(fit, "sizes")[0];
  constexpr double tolerance = 1e-12, tolerance_of_errors = 1e-6;
  EXPECT_NEAR(size["log_likelihood"].get<double>(), expected, tolerance);
  EXPECT_NEAR(size["bic"].get<double>(), -2 * expected + 2 * std::log(n), tolerance);
  EXPECT_NEAR(size["aic"].get<double>(), -2 * expected + 4, tolerance);
  EXPECT_NEAR(size["icl"].get<double>(), size["bic"].get<double>(), tolerance);
  const auto& component = rows_of(fit, "mixture")[0];
  EXPECT_EQ(component["weight"], 1.0);
  EXPECT_NEAR(component["mean"].get<double>(), 4, tolerance);
  EXPECT_NEAR(component["deviation"].get<double>(), deviation, tolerance);
  EXPECT_NEAR(component["mean_standard_error"].get<double>(), deviation / std::sqrt(n), tolerance_of_errors);
  EXPECT_NEAR(component["deviation_standard_error"].get<double>(), deviation / std::sqrt(2 * n), tolerance_of_errors);
}

TEST_F(Fit, FindsTwoGroupsOnEveryBackend) {
  for (const auto& program : programs()) {
    const auto fit = fitted(m_groups + " --components 1:3", program);
    EXPECT_EQ(chosen_of(fit), 2) << program;
    const auto &size = rows_of(fit, "sizes")[1], &mixture = rows_of(fit, "mixture");
    constexpr double tolerance = 1e-6;
    EXPECT_NEAR(mixture[0]["weight"].get<double>(), 0.6, tolerance);
    EXPECT_NEAR(mixture[0]["mean"].get<double>(), 0, tolerance);
    EXPECT_NEAR(mixture[1]["mean"].get<double>(), 20, tolerance);
    const auto& mixtures = rows_of(fit, "mixtures");
    ASSERT_EQ(mixtures.size(), 6u);
    EXPECT_EQ(mixtures[1]["components"], 2);
    EXPECT_EQ(mixtures[1]["mean"], mixture[0]["mean"]);
    EXPECT_EQ(size["starts"], 22);
    EXPECT_EQ(rows_of(fit, "starts").size(), 3 * 22u);
    EXPECT_EQ(size["is_chosen"], true);
    EXPECT_GT(size["reached"].get<int>(), 2);
    EXPECT_EQ(fit["stopped_by"], "convergence");
  }
}

TEST_F(Fit, MovesSimplicesByTheCoefficientsThatAreNamed) {
  const std::string simplex = m_groups + " --components 2 --starts 0 --nelder-mead-starts 1";
  const auto adaptive = fitted(simplex), original = fitted(simplex + " --nelder-mead-coefficients original");
  EXPECT_EQ(adaptive["settings"]["nelder_mead_coefficients"], "adaptive");
  EXPECT_EQ(original["settings"]["nelder_mead_coefficients"], "original");
  EXPECT_NE(rows_of(original, "starts")[0]["evaluations"], rows_of(adaptive, "starts")[0]["evaluations"]);
  EXPECT_NEAR(rows_of(original, "sizes")[0]["log_likelihood"].get<double>(),
              rows_of(adaptive, "sizes")[0]["log_likelihood"].get<double>(), 1e-6);
}

TEST_F(Fit, IsATableForPeople) {
  const std::string text = fitted_text(m_groups + " --components 1:2 --starts 3 --nelder-mead-starts 1", "table");
  EXPECT_EQ(
      text.find(m_groups + ": 100 observations of 'y'\nNormal mixtures of 1 to 2 components, by 3 starts of EM and 1 "
                           "of Nelder-Mead for each number, seed 1, double precision\n"),
      0u);
  for (const std::string part :
       {"\ncomponents  log-likelihood     BIC     AIC     ICL  reached  spread  remark\n",
        "\nreached: starts that ended within 0.1 of the largest log-likelihood\nspread: how far below the largest "
        "log-likelihood the worst start ended\n",
        "\nThe mixture of 2 components, whose BIC is the smallest\n", "\nmean of the sample       ",
        "\ncomponent  weight  standard error   mean  standard error  deviation  standard error\n        1   0.600     "
        "      "
        "0.049",
        "  chosen\n", " s on "}) {
    EXPECT_TRUE(contains(text, part)) << part << "\nin\n" << text;
  }
  EXPECT_FALSE(contains(text, "floor of the likelihood"));
  EXPECT_FALSE(contains(fitted_text(m_groups + " --components 2", "table"), "smallest"));
}

TEST_F(Fit, IsTheSameOfAListAndOfWeights) {
  const std::string list = m_folder.write("list.txt", two_groups() + two_groups());
  std::string weighted = "y,w\n";
  for (const char c : two_groups()) weighted += c == '\n' ? std::string(",2\n") : std::string(1, c);
  const auto expected = fitted(list + " --components 2");
  const auto found = fitted(m_folder.write("w.csv", weighted) + " --components 2 --weights w");
  EXPECT_EQ(found["findings"]["observations"], 200.0);
  EXPECT_EQ(found["title"], "100 observations of 'y', of total weight 200");
  constexpr double tolerance = 1e-9;
  const auto number = [](const Json& fit, const char* name) { return rows_of(fit, "sizes")[0].at(name).get<double>(); };
  for (const char* name : {"log_likelihood", "bic", "icl"}) {
    EXPECT_NEAR(number(found, name), number(expected, name), tolerance * std::abs(number(expected, name))) << name;
  }
}

TEST_F(Fit, SaysHowTheFileWasRead) {
  std::string dated = "Date;y\r\n20240101;NA\r\n";
  std::istringstream numbers(two_groups());
  for (std::string y; std::getline(numbers, y);) {
    std::replace(y.begin(), y.end(), '.', ',');
    dated += "20240102;" + y + "\r\n";
  }
  const auto report = fitted(m_folder.write("dated.csv", dated) + " --components 2 --missing drop");
  const auto expected = fitted(m_groups + " --components 2");
  EXPECT_EQ(report["findings"]["digest"], expected["findings"]["digest"]);
  EXPECT_EQ(report["notes"],
            Json({m_folder / "dated.csv has ';' between its fields, decimal commas, lines that end with CRLF",
                  "columns that hold dates are ignored: Date", "rows left out because a value is missing: 1"}));
  EXPECT_EQ(expected["notes"], Json::array());
}

TEST_F(Fit, GivesTheSameBytesAgain) {
  const auto report = [&](const std::string& more) {
    Json json = fitted(m_groups + " --components 1:3 " + more);
    for (const char* name : {"seconds", "machine"}) EXPECT_EQ(json.erase(name), 1u);
    return json;
  };
  const Json once = report("");
  EXPECT_EQ(once.dump(), report("").dump());
  EXPECT_EQ(once["settings"]["column"], "y");
  EXPECT_EQ(once["settings"]["seed"], 1);
  EXPECT_NE(once.dump(), report("--seed 2").dump());
}

TEST_F(Fit, InSinglePrecisionIsNear) {
  const auto value = [&](const char* precision) {
    const auto fit = fitted(m_groups + " --components 2 --precision " + precision);
    EXPECT_EQ(fit["settings"]["precision"], precision);
    return rows_of(fit, "sizes")[0]["log_likelihood"].get<double>();
  };
  const double expected = value("double");
  constexpr double tolerance = 1e-5;
  EXPECT_NEAR(value("single"), expected, tolerance * std::abs(expected));
}

// With ties, the likelihood grows without bound as a component narrows onto them.
TEST_F(Fit, TellsComponentsAtTheFloor) {
  std::string ties = two_groups();
  for (int i = 0; i < 20; ++i) ties += "7\n";
  const std::string path = m_folder.write("ties.txt", ties);
  const auto fit = fitted(path + " --components 3 --floor 0.01 --starts 1 --nelder-mead-starts 0");
  EXPECT_EQ(fit["findings"]["floor"], 0.01);
  EXPECT_EQ(rows_of(fit, "sizes")[0]["components_at_floor"], 1);
  const auto& component = rows_of(fit, "mixture")[1];
  EXPECT_EQ(component["is_at_floor"], true);
  EXPECT_EQ(component["deviation"], 0.01);
  EXPECT_TRUE(component["deviation_standard_error"].is_null());
  EXPECT_FALSE(component["weight_standard_error"].is_null());
  const std::string text =
      fitted_text(path + " --components 3 --floor 0.01 --starts 1 --nelder-mead-starts 0", "table");
  EXPECT_TRUE(
      contains(text, "starts at floor: starts that ended with a component whose deviation is the floor, 0.01\n"));
  EXPECT_TRUE(contains(text, "3 components: all starts ended at the floor, which determines the log-likelihood; "));
  EXPECT_TRUE(contains(text, "; use --bayesian, a prior that keeps deviations away from 0, or try ")) << text;
  EXPECT_TRUE(contains(text, "  chosen, at the floor\n")) << text;
}

// 24 values with ties and an outlier (Venables and Ripley). The fits of largest likelihood suggest one component. Those
// above the floor suggest two, and their BIC is that of scikit-learn (tests/procedures/mixture_fit.cpp).
TEST_F(Fit, KeepsAFitAboveTheFloor) {
  const std::string path = m_folder.write("chem.csv",
                                          "2.9\n3.1\n3.4\n3.4\n3.7\n3.7\n2.8\n2.5\n2.4\n2.4\n2.7\n2.2\n5.28\n3.37\n3."
                                          "03\n3.03\n28.95\n3.77\n3.4\n2.2\n3.5\n3.6\n"
                                          "3.7\n3.7\n");
  const Json report = fitted(path + " --components 1:2");
  EXPECT_EQ(chosen_of(report), 2);
  const Json& size = rows_of(report, "sizes")[1];
  EXPECT_NEAR(size["bic"].get<double>(), 78.355, 1e-3);
  EXPECT_EQ(size["starts_at_floor"], 21);
  EXPECT_GT(size["best_at_floor"].get<double>(), size["log_posterior"].get<double>());
  ASSERT_EQ(report["notes"].size(), 1u);
  EXPECT_TRUE(
      contains(report["notes"][0], "2 components: starts that ended at the floor have a larger log-likelihood"));
  const std::string text = fitted_text(path + " --components 1:2", "table");
  EXPECT_TRUE(contains(text, report["notes"][0].get<std::string>() + "\n")) << text;
  EXPECT_EQ(fitted(path + " --components 1:2 --bayesian")["notes"],
            Json({"no standard errors: the observed information is singular"}));
  const Json equal = fitted(path + " --components 1:2 --deviations equal");
  EXPECT_EQ(equal["settings"]["deviations"], "equal");
  EXPECT_EQ(rows_of(equal, "sizes")[1]["parameters"], 4);
  EXPECT_EQ(rows_of(equal, "sizes")[1]["starts_at_floor"], 0);
}

TEST_F(Fit, WithAPriorTellsIt) {
  const std::string line = m_groups + " --components 1:2 --bayesian";
  const auto report = fitted(line);
  EXPECT_EQ(report["settings"]["bayesian"], true);
  EXPECT_EQ(report["findings"]["prior_shape"], 3.0);
  const auto& size = rows_of(report, "sizes")[1];
  EXPECT_NE(size["log_posterior"], size["log_likelihood"]);
  const std::string text = fitted_text(line, "table");
  EXPECT_TRUE(contains(text, ", under the prior of Fraley and Raftery\n")) << text;
  EXPECT_TRUE(contains(text, "\nprior: weight of the centre in observations                  0.01\n")) << text;
  EXPECT_TRUE(contains(text, "  log-posterior  ")) << text;
}

TEST_F(Fit, ChoosesByTheCriterion) {
  for (const std::string criterion : {"bic", "aic", "icl"}) {
    const auto fit = fitted(m_groups + " --components 1:4 --criterion " + criterion);
    double least = std::numeric_limits<double>::infinity();
    int chosen = 0;
    for (const auto& size : rows_of(fit, "sizes")) {
      if (size[criterion] >= least) continue;
      least = size[criterion];
      chosen = size["components"];
    }
    EXPECT_EQ(chosen_of(fit), chosen) << criterion;
  }
}

TEST_F(Fit, AsCsvHasALineForEachSize) {
  const std::string text = fitted_text(m_groups + " --components 2:4", "csv");
  EXPECT_EQ(lines_of(text), 4);
  EXPECT_EQ(
      text.find("components,parameters,log_likelihood,log_posterior,bic,aic,icl,starts,reached,spread,em,"
                "nelder_mead,starts_at_floor,best_at_floor,components_at_floor,is_chosen,remark,stopped_by\n2,5,"),
      0u);
}

TEST_F(Fit, IsDrawnInEveryFormat) {
  const std::string svg = m_folder / "fit.svg", png = m_folder / "fit.png";
  fitted_text(m_groups + " --components 2 --picture " + svg + " --picture " + png, "table");
  EXPECT_TRUE(contains(contents_of(svg), "100 observations, 2 normal components"));
  EXPECT_EQ(contents_of(png).find("PNG"), 1u);
}

TEST_F(Fit, IsBootstrapped) {
  const Json report = fitted(m_groups + " --components 1:3 --starts 3 --bootstrap 39 --confidence 0.9");
  EXPECT_EQ(report["settings"]["bootstrap"], 39);
  EXPECT_EQ(report["settings"]["confidence"], 0.9);
  EXPECT_EQ(rows_of(report, "tests")[0]["p_value"], 0.025);  // one component is not enough
  EXPECT_EQ(report["findings"]["enough_components"], 2);
  const Json& intervals = rows_of(report, "intervals");
  ASSERT_EQ(intervals.size(), report["findings"]["components"]);
  EXPECT_LT(intervals[0]["mean_low"], intervals[0]["mean_high"]);
  const std::string table = fitted_text(m_groups + " --components 1:2 --starts 3 --bootstrap 19", "table");
  EXPECT_NE(table.find("\nBootstrap test for one more component\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\n95 % bootstrap intervals of the components\n"), std::string::npos) << table;
  EXPECT_FALSE(fitted(m_groups + " --components 1")["tables"].contains("intervals"));
}

// On a terminal, the program shows a progress line. After Ctrl-C it writes the best fits so far.
TEST_F(Fit, ShowsProgressAndTakesCtrlC) {
  const std::string output = m_folder / "r.json";
  std::string screen;
  const auto line = words("fit " + m_groups + " --components 8:9 --starts 1000 --format json -o " + output);
  EXPECT_EQ(interrupted_on_terminal(line, screen), 128 + SIGINT);
  const std::string first_method = starts_gpu() ? "" : "EM, iteration ";  // a GPU may have left it behind
  EXPECT_TRUE(contains(screen, "\r\x1b[Kfit: " + first_method)) << screen;
  EXPECT_TRUE(contains(screen, "sporos: interrupted: the best fits so far are written")) << screen;
  const auto fit = Json::parse(contents_of(output));
  EXPECT_EQ(fit["stopped_by"], "interrupted");
  EXPECT_EQ(rows_of(fit, "sizes").size(), 2u);
}

TEST(FitHelp, NamesEveryOption) {
  EXPECT_TRUE(contains(sporos("--help").out, "  sporos fit DATA  "));
  const std::string help = sporos("fit --help-all").out;
  for (const std::string part :
       {"--components K|FIRST:LAST", "--bayesian", "--floor D", "default: 1:10", "--column NAME"}) {
    EXPECT_TRUE(contains(help, part)) << part;
  }
}

}  // namespace fit_tests
}  // namespace sporos::test
