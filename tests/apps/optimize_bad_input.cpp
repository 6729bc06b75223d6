// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize`: bad input is refused with one line.
#include "optimizations.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sporos::test {
namespace optimize_bad_input_tests {

class BadOptimization : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadOptimization, IsRefusedInOneLine) {
  expect_refusal(sporos("optimize " + GetParam().line), GetParam().message);
}

const std::string one_source = "expected one of --returns, --prices, --parameters, --covariance, --assets";

INSTANTIATE_TEST_SUITE_P(
    Problems, BadOptimization,
    ::testing::Values(
        Refusal{"", "no problem is given: expected sporos optimize PROBLEM [OPTION...]"},
        Refusal{"--seed 1 portfolio", "no problem is given: expected sporos optimize PROBLEM [OPTION...]"},
        Refusal{"portfolo", "unknown problem or model 'portfolo': did you mean 'portfolio'?"},
        Refusal{"mmk", "unknown problem or model 'mmk': did you mean 'mmck'?"},
        Refusal{"knapsack", "unknown problem or model 'knapsack': `sporos optimize --help` lists all"},
        Refusal{"pert", "pert has a parameter that names a file, expected a model with numeric parameters only"},
        Refusal{"portfolio --assets 5 --varient x", "unknown option '--varient': did you mean '--variant'?"},
        Refusal{"portfolio --assets 5 more", "unexpected 'more': expected sporos optimize PROBLEM [OPTION...]"},
        Refusal{"portfolio --assets", "--assets is given without a value"},
        Refusal{"portfolio --assets 5 --assets 6", "--assets is given 2 times, expected once"},
        Refusal{"portfolio", "no returns are given: " + one_source},
        Refusal{"portfolio --assets 5 --returns x", "--returns and --assets are given, " + one_source},
        Refusal{"portfolio --assets 0", "--assets is '0', expected a whole number from 1 to 10000000"},
        Refusal{"portfolio --assets 5 --days all", "--days is given, expected it only with --returns or --prices"},
        Refusal{"portfolio --returns x --instance-seed 2", "--instance-seed is given, expected it only with --assets"},
        Refusal{"portfolio --returns /nowhere.csv", "cannot read '/nowhere.csv': No such file or directory"},
        Refusal{
            "portfolio --returns " + daily_returns + " --sample-size 5",
            "--sample-size is given, expected it only with --days drawn or, for given means and covariances, --moments "
            "sampled: nothing is sampled otherwise"},
        Refusal{"portfolio --assets 3 --moments exact --gap-batches 4",
                "--gap-batches is given, expected it only with --days drawn or, for given means and covariances, "
                "--moments sampled: nothing is sampled otherwise"},
        Refusal{"portfolio --returns " + daily_returns + " --moments exact",
                "--moments is given, expected it only with --parameters, --covariance or --assets"},
        Refusal{"newsvendor --product-count 4000 --resource-count 4000",
                "there are 4000 resources, where those with = count twice, and 4000 products, expected at most 3000 of "
                "either: each iteration solves a linear program whose rows are the smaller of these numbers, in a time "
                "that grows with its cube; omit resources that do not bind, or merge some"},
        Refusal{"portfolio --assets 5 --risk-aversion 0", "--risk-aversion is '0', expected a positive finite number"},
        Refusal{"newsvendor", "no products are given: expected --products, --demands or --product-count"},
        Refusal{"newsvendor --products x --resources y", "--resources is given, expected it only with --amounts"},
        Refusal{"newsvendor --products x --amounts y", "--amounts is given, expected it only with --resources"},
        Refusal{"newsvendor --products x --demands y --cost 1",
                "--cost is given, expected it only with --demands and without --products"},
        Refusal{"newsvendor --demands x --cost 1",
                "--price is not given: expected it with --demands and without --products"},
        Refusal{"newsvendor --demands x --cost 1 --price 2 --holding 1 --salvage 0.5",
                "--holding is given, expected it only with no --salvage"},
        Refusal{"newsvendor --demands x --cost 1 --price 2 --salvage 2.5",
                "--price plus --holding, or minus --salvage, is -0.5, expected a number above 0"},
        Refusal{"newsvendor --product-count 5 --demands x",
                "--product-count and --demands are given, expected one of them"},
        Refusal{"newsvendor --tightness 1 --products x --resources x --amounts y",
                "--tightness is given, expected it only with --product-count"},
        Refusal{"newsvendor --product-count 5 --tightness 0", "--tightness is '0', expected a positive finite number"},
        Refusal{"newsvendor --product-count 1000000 --resource-count 101",
                "--resource-count is '101', expected a whole number from 1 to 100"}));

const std::string portfolio = "portfolio --assets 5 ";

INSTANTIATE_TEST_SUITE_P(
    Options, BadOptimization,
    ::testing::Values(
        Refusal{portfolio + "--region ball",
                "unknown region 'ball': expected one of full-investment, budget, l1-ball, l2-ball, box, k-sparse"},
        Refusal{portfolio + "--region box --limit 2",
                "--limit is given, expected it only with a region other than box"},
        Refusal{portfolio + "--limit 0", "--limit is '0', expected a positive finite number"},
        Refusal{portfolio + "--region budget --low 0.1",
                "--low is given, expected it only with --region full-investment or box"},
        Refusal{portfolio + "--region l1-ball --bounds x",
                "--bounds is given, expected it only with --region full-investment or box"},
        Refusal{portfolio + "--low 2", "--low is 2, expected at most the largest weight, 1"},
        Refusal{portfolio + "--low 0.25", "sum of the lower bounds is 1.25, expected at most the total, 1"},
        Refusal{portfolio + "--high 0.125", "sum of the upper bounds is 0.625, expected at least the total, 1"},
        Refusal{portfolio + "--bounds /nowhere.csv", "cannot read '/nowhere.csv': No such file or directory"},
        Refusal{portfolio + "--gap-iterations -1", "--gap-iterations is '-1', " + natural_number},
        Refusal{portfolio + "--gap-procedure both",
                "unknown replications procedure 'both': expected one of multiple, two, single"},
        Refusal{portfolio + "--gap-procedure two --gap-batches 5",
                "number of gap batches is 5, expected an even number of at least 4 for two replications"},
        Refusal{portfolio + "--region box --low 1 --high 0.5", "--low is 1, expected at most the largest weight, 0.5"},
        Refusal{portfolio + "--region k-sparse", "--nonzeros is not given: expected it with --region k-sparse"},
        Refusal{portfolio + "--region k-sparse --nonzeros 9",
                "number of nonzero coordinates is 9, expected a number from 1 to the dimension, 5"},
        Refusal{portfolio + "--variant fast", "unknown variant 'fast': expected one of vanilla, away-step, pairwise"},
        Refusal{portfolio + "--step-rule fast",
                "unknown step rule 'fast': expected one of open-loop, restarting, exact, short-step, adaptive"},
        Refusal{"newsvendor --product-count 5 --step-rule exact",
                "step rule is exact, expected another one: the problem is not quadratic"},
        Refusal{portfolio + "--step-rule short-step",
                "step rule is short-step, expected another one: the problem has no Lipschitz constant of its gradient"},
        Refusal{portfolio + "--epochs -1", "--epochs is '-1', " + natural_number},
        Refusal{portfolio + "--iterations 0", "--iterations is '0', " + positive_number},
        Refusal{portfolio + "--sample-size 2.5", "--sample-size is '2.5', " + positive_number},
        Refusal{portfolio + "--sample-growth nan", "--sample-growth is 'nan', expected a finite number of at least 0"},
        Refusal{portfolio + "--sample-growth 90",
                "sample growth is 90, expected an exponent for which the last sample is at most 1e15"},
        Refusal{portfolio + "--momentum yes", "--momentum is 'yes', expected on or off"},
        Refusal{portfolio + "--seed -1", "--seed is '-1', expected a whole number from 0 to 18446744073709551615"},
        Refusal{portfolio + "--gap-tolerance -1", "--gap-tolerance is '-1', expected a finite number of at least 0"},
        Refusal{portfolio + "--time-limit 0", "--time-limit is '0', expected a positive finite number"},
        Refusal{portfolio + "--gap-batches 1", "number of gap batches is 1, expected at least 2, or 0 for no estimate"},
        Refusal{portfolio + "--gap-confidence 2", "confidence is 2, expected a number between 0 and 1, such as 0.95"},
        Refusal{portfolio + "--record-interval 0", "--record-interval is '0', " + positive_number},
        Refusal{portfolio + "--format xml", "unknown format 'xml': expected one of table, json, csv"},
        Refusal{portfolio + "--weights a.csv --output a.csv",
                "--output is 'a.csv', which --weights writes: expected another file"},
        Refusal{portfolio + "--weights /nowhere/a.csv", "cannot write '/nowhere/a.csv': No such file or directory"},
        Refusal{portfolio + "--start x --resume y", "--start is given with --resume, expected one of them"}));

/// An option, the contents of its file, and the expected message after the file's path.
struct BadFile {
  std::string option, contents, message;
};

void PrintTo(const BadFile& file, std::ostream* stream) { *stream << file.option << ": " << file.contents; }

class BadFiles : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadFiles, AreRefusedInOneLine) {
  const auto& [option, contents, message] = GetParam();
  const Folder folder;
  const std::string path = folder.write("bad.csv", contents);
  const bool is_next_to = option == "--start" || option == "--bounds";
  const std::string problem = option == "--demands" ? "newsvendor --cost 1 --price 2 "
                              : is_next_to          ? "portfolio --assets 3 "
                                                    : "portfolio ";
  expect_refusal(sporos("optimize " + problem + option + " " + path + " --weights " + folder / "w.csv"),
                 path + message);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"bad.csv"});
}

const std::string dropped = "; use --missing drop to leave such days out";

INSTANTIATE_TEST_SUITE_P(
    Portfolio, BadFiles,
    ::testing::Values(
        BadFile{"--returns", "date,a,b\n1,0.1,0.2\n2,,0.3\n", ", line 3: 'a' is empty, expected a number" + dropped},
        BadFile{"--returns", "a,b\n0.1,0.2\n0.1\n", ", line 3: 1 field, expected 2: a, b"},
        BadFile{"--returns", "a,b\n0.1,nan\n0.2,0.3\n", ", line 2: 'b' is 'nan', expected a number" + dropped},
        BadFile{"--returns", "a,b\n0.1,0.2\n0.3,1%\n",
                ", line 3: 'b' is '1%', expected a number: write a percentage as a plain number, 0.05 for 5%; use "
                "--ignore to leave the column out"},
        BadFile{"--returns", "a,b\n0.1,0.2\n", ": line 2 is the only row, expected at least 2 days"},
        BadFile{"--parameters", "asset,mean,deviation\na,0,1\nb,0,-1\n",
                ", line 3: 'deviation' is -1, expected a finite number of at least 0"},
        BadFile{"--parameters", "asset,mean\na,0\n",
                ", line 1: the columns begin with 'asset, mean', expected asset, mean, deviation and a column for each "
                "common factor"},
        BadFile{"--covariance", "asset,mean,a,b\na,0,1,0\n",
                ", line 1: column 'b' has no row, expected a row for each asset"},
        BadFile{"--bounds", "asset,low,high\nasset 9,0,1\n",
                ", line 2: 'asset' is 'asset 9', expected an asset of the returns"},
        BadFile{"--bounds", "asset,low,high\nasset 1,0,1\nasset 1,0,1\n",
                ", line 3: 'asset' is 'asset 1', which occurs twice"},
        BadFile{"--bounds", "asset,low,high\nasset 1,0.5,0.25\n",
                ", line 2: 'high' is 0.25, expected at least the low bound, 0.5"},
        BadFile{"--bounds", "asset,low\nasset 1,0\n",
                ", line 1: there is no column 'high', expected asset, low and high"},
        BadFile{"--demands", "bread,milk\n10,20\n30,many\n",
                ", line 3: 'milk' is 'many', expected a number; use --ignore to leave the column out"},
        BadFile{"--demands", "date\n2024\n", ", line 1: there is no product, expected a column for each"},
        BadFile{"--start", "asset,weight\nasset 9,1\n",
                ", line 2: 'asset' is 'asset 9', expected one of the problem's assets"},
        BadFile{"--start", "asset,weight\nasset 1,1\nasset 1,0\n",
                ", line 3: 'asset' is 'asset 1', which occurs twice"},
        BadFile{"--start", "asset,weight\nasset 1,inf\n", ", line 2: 'weight' is inf, expected a finite number"},
        BadFile{"--start", "asset,share\nasset 1,1\n",
                ", line 1: the columns are 'asset, share', expected asset, weight"},
        BadFile{"--resume", "{\"problem\"", " is not JSON: error at line 1, column 11, in problem"},
        BadFile{"--resume", "{}", ", line 1, has no member 'problem'"},
        BadFile{"--resume", R"({"problem": "newsvendor"})",
                ", line 1, was saved for the problem 'newsvendor', expected portfolio"}));

TEST(Start, OutsideTheRegionIsRefused) {
  const Folder folder;
  const std::string path = folder.write("w.csv", "asset,weight\nasset 1,0.5\nasset 2,0.75\n");
  expect_refusal(sporos("optimize portfolio --assets 3 --start " + path),
                 "violation of a constraint by the start is 0.25, expected 0: the start lies outside the region");
}

/// Files of a newsvendor, the name of the bad one, and the expected message after its path.
struct BadNewsvendor {
  std::string bad, products, resources, amounts, message;
};

void PrintTo(const BadNewsvendor& files, std::ostream* stream) { *stream << files.message; }

class BadNewsvendors : public ::testing::TestWithParam<BadNewsvendor> {};

TEST_P(BadNewsvendors, AreRefusedInOneLine) {
  const Folder folder;
  const auto path_of = [&](const std::string& name, const std::string& contents) {
    return " --" + name + " " + folder.write(name + ".csv", contents);
  };
  const auto& files = GetParam();
  expect_refusal(sporos("optimize newsvendor" + path_of("products", files.products) +
                        path_of("resources", files.resources) + path_of("amounts", files.amounts)),
                 folder / (files.bad + ".csv") + files.message);
}

const std::string products = "product,cost,holding,price,mean,deviation\nbread,1,0,3,40,10\nmilk,1,0,2,60,5\n";
const std::string resources = "resource,capacity\nmoney,50\nspace,90\n";
const std::string amounts = "product,money,space\nbread,1,2\nmilk,1,1\n";

INSTANTIATE_TEST_SUITE_P(
    Newsvendor, BadNewsvendors,
    ::testing::Values(
        BadNewsvendor{"amounts", products, resources, "product,money,space\nbread,1,2\nmilk,0,0\n",
                      ", line 3: 'product' is 'milk', expected a product that some resource bounds from above"},
        BadNewsvendor{"amounts", products, resources, "product,money,space\nbread,1,0\nmilk,1,0\n",
                      ": column 'space' is 0 in all rows, expected at least one product that uses the resource"},
        BadNewsvendor{"amounts", products, resources, "product,money,space\nbread,1,1\n",
                      ": there is 1 row, expected one for each product of the products file, 2"},
        BadNewsvendor{"amounts", products, resources, "product,money\nbread,1\nmilk,1\n",
                      ", line 1: resource 'space' has no column"},
        BadNewsvendor{"resources", products, "resource,capacity,sense\nmoney,5,=\nspace,1,==\n", amounts,
                      ", line 3: 'sense' is '==', expected <=, >= or ="},
        BadNewsvendor{"products", products + "egg,1,0,2,60,-5\n", resources, amounts,
                      ", line 4: 'deviation' is -5, expected a finite number of at least 0"},
        BadNewsvendor{"products", products + "egg,1,-2,2,60,5\n", resources, amounts,
                      ", line 4: 'price' and holding are 0 together, expected a number above 0; otherwise the "
                      "objective is not convex"},
        BadNewsvendor{"products", "product,cost,holding,price\nbread,1,0,3\n", resources, amounts,
                      ", line 1: the columns are 'product, cost, holding, price', expected either mean and deviation, "
                      "or demand, or neither of these and a file of demands"}));

// Saves the state of a run, and resumes it with changed options, data or states.
class Resumption : public ::testing::Test {
 protected:
  std::string after_replacing(const std::string& text, const std::string& other) {
    std::string contents = contents_of(m_state);
    contents.replace(contents.find(text), text.size(), other);
    return m_folder.write("changed.json", contents);
  }
  Outcome resumed(const std::string& path, const std::string& more = "") {
    return sporos("optimize portfolio --resume " + path + " " + more);
  }

  Folder m_folder;
  std::string m_returns = m_folder.write("returns.csv", "a,b\n0.1,0.2\n0.3,0.25\n0.2,0.1\n");
  std::string m_state = m_folder / "state.json";
  std::string m_report =
      optimized_text("portfolio --returns " + m_returns + " --epochs 1 --iterations 1 --save-state " + m_state);
};

TEST_F(Resumption, RefusesOtherOptions) {
  expect_refusal(resumed(m_state, "--iterations 2"),
                 "--iterations is '2', but the run in " + m_state + " has '1': omit --iterations");
  expect_refusal(resumed(m_state, "--step-rule adaptive"),
                 "--step-rule is 'adaptive', but the run in " + m_state + " has none: omit --step-rule");
  EXPECT_EQ(resumed(m_state, "--iterations 1 --epochs 3 --gap-tolerance 0.1").status, 0);
}

TEST_F(Resumption, RefusesOtherData) {
  m_folder.write("returns.csv", "a,b\n0.1,0.2\n0.3,0.25\n0.2,0.11\n");
  const std::string message = m_state + " was saved by a run with other data: expected the same data files";
  expect_refusal(resumed(m_state), message);
  expect_refusal(resumed(m_state, "--returns " + daily_returns), message);
  expect_refusal(resumed(m_state, "--assets 2"),
                 "--assets is '2', but the run in " + m_state + " has none: omit --assets");
}

TEST_F(Resumption, FindsDataThatHaveMoved) {
  const std::string moved = m_folder / "moved.csv";
  std::filesystem::rename(m_returns, moved);
  expect_refusal(resumed(m_state), "cannot read '" + m_returns + "': No such file or directory");
  EXPECT_EQ(resumed(m_state, "--returns " + moved).status, 0);
}

TEST_F(Resumption, RefusesAChangedState) {
  std::string path = after_replacing("\"window\"", "\"widow\"");
  expect_refusal(resumed(path), path + ", line 1: state has no member 'window'");
  path = after_replacing("\"epoch\":1", "\"epoch\":-1");
  expect_refusal(resumed(path), "epoch of the start is -1, expected at most the number of epochs, 1");
  path = after_replacing("\"solution\":[", "\"solution\":[null,");
  expect_refusal(resumed(path), path + ", line 1: state: solution[0] is 'null', expected a number");
  path = after_replacing("\"solution\":[", "\"solution\":[0,");
  expect_refusal(resumed(path), "dimension of the start is 3, expected that of the problem, 2");
}

}  // namespace optimize_bad_input_tests
}  // namespace sporos::test
