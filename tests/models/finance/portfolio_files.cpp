// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../files.hpp"

#include <sporos/models/finance/portfolio_files.hpp>
#include <sporos/models/finance/portfolio_instances.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace portfolio_files_tests {

using namespace sporos;
using models::NormalReturns;

TEST(PortfolioFiles, TheSampleFileIsWhatTheGeneratorMakes) {
  const std::string path = test::sample_file("returns.csv");
  const auto invented = models::invented_daily_returns(200, 400, 1);
  const bool is_same = io::read_text_file(path) == models::returns_text(invented);
  EXPECT_TRUE(is_same);
  const auto read = models::read_returns(path);
  EXPECT_EQ(read.names, invented.names);
  EXPECT_EQ(read.dates, invented.dates);
  EXPECT_EQ(read.values, invented.values);
}

TEST(PortfolioFiles, InventedReturnsHaveHeavierTailsThanNormalOnes) {
  const auto returns = models::invented_daily_returns(200, 400, 1);
  double square = 0, fourth = 0;
  for (const double value : returns.values) {
    square += value * value;
    fourth += value * value * value * value;
  }
  const double count = static_cast<double>(returns.values.size());
  EXPECT_GT(std::sqrt(square / count), 0.01);
  EXPECT_LT(std::sqrt(square / count), 0.04);
  EXPECT_GT(fourth * count / (square * square), 4);
  EXPECT_EQ(returns.dates.front(), "2023-01-02");
  EXPECT_EQ(returns.dates[5], "2023-01-09");
}

TEST(PortfolioFiles, ThePapersInstanceIsTheSameForEverySize) {
  const auto small = models::paper_portfolio(10, 3), large = models::paper_portfolio(5000, 3);
  double mean = 0, deviation = 0;
  for (std::size_t j = 0; j < 5000; ++j) {
    ASSERT_LT(std::abs(large.means[j]), 1);
    ASSERT_GT(large.deviations[j], 0);
    ASSERT_LT(large.deviations[j], 0.025);
    mean += large.means[j] / 5000;
    deviation += large.deviations[j] / 5000;
  }
  EXPECT_NEAR(mean, 0, 5 * std::sqrt(1.0 / 3 / 5000));
  EXPECT_NEAR(deviation, 0.0125, 5 * 0.025 * std::sqrt(1.0 / 12 / 5000));
  EXPECT_TRUE(std::equal(small.means.begin(), small.means.end(), large.means.begin()));
  EXPECT_TRUE(std::equal(small.deviations.begin(), small.deviations.end(), large.deviations.begin()));
  EXPECT_THROW(models::paper_portfolio(0, 1), std::invalid_argument);
}

TEST(PortfolioFiles, ReturnsWithoutDates) {
  const test::TemporaryFile file("A,B\n0.5,1e-3\n-0.25,0\n");
  const auto returns = models::read_returns(file.path());
  EXPECT_EQ(returns.names, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(returns.values, (std::vector<double>{0.5, 1e-3, -0.25, 0}));
  EXPECT_TRUE(returns.dates.empty());
}

// Columns whose names or values are dates are not returns, although they may be numbers.
TEST(PortfolioFiles, DatesAreNoReturns) {
  for (const std::string dates :
       {"Date,20240102,20240103", "DATE,1,2", "day,x,y", "when,2024-01-02,2024-01-03", "t,02.01.2024,03.01.2024",
        "index,20240102,20240103", "time,2024-01-02T00:00,2024-01-03T00:00"}) {
    std::vector<std::string> column(3);
    std::size_t part = 0;
    for (const char c : dates) c == ',' ? ++part, void() : column[part].push_back(c);
    const test::TemporaryFile file(column[0] + ",A\n" + column[1] + ",0.5\n" + column[2] + ",-0.25\n");
    const auto read = models::read_returns_file(file.path());
    EXPECT_EQ(read.returns.names, std::vector<std::string>{"A"}) << dates;
    EXPECT_EQ(read.returns.dates, (std::vector<std::string>{column[1], column[2]})) << dates;
    EXPECT_EQ(read.notes, std::vector<std::string>{"column '" + column[0] + "' holds dates and is not an asset"})
        << dates;
  }
  const test::TemporaryFile asset("DAY,A\n0.125,0.5\n0.25,-0.25\n");
  EXPECT_EQ(models::read_returns(asset.path()).names[0], "DAY");
}

TEST(PortfolioFiles, ColumnsMayBeIgnoredOrWithoutNames) {
  const test::TemporaryFile named("date,A,B,C\nx,1,0.2,z\ny,3,-0.4,z\n"),
      unnamed("20240102,0.5,-2.5\n20240103,0.25,3\n");
  EXPECT_EQ(models::read_returns_file(named.path(), {{"C", "A"}}).returns.names, std::vector<std::string>{"B"});
  EXPECT_EQ(models::read_returns_file(unnamed.path(), {{}, false}).returns.names, (std::vector<std::string>{"2", "3"}));
}

TEST(PortfolioFiles, SaysWhatIsWrongWithReturns) {
  const auto refusal = [](const std::string& text) { return test::refusal_of(models::read_returns, text); };
  const std::string dropped = "; use --missing drop to leave such days out",
                    ignored = "; use --ignore to leave the column out";
  EXPECT_EQ(refusal("date,A,B\nx,0.1,0.2\ny,0.2,0.1\n"), "");
  EXPECT_EQ(refusal("date,A,B\nx,0.1,0.2\ny,,0.1\n"), ", line 3: 'A' is empty, expected a number" + dropped);
  EXPECT_EQ(refusal("date,A,B\nx,0.1,nan\ny,0.2,0.1\n"), ", line 2: 'B' is 'nan', expected a number" + dropped);
  EXPECT_EQ(refusal("date,A,B\nx,0.1,0.2\ny,0.2,-inf\n"), ", line 3: 'B' is -inf, expected a finite number");
  EXPECT_EQ(refusal("A,B\n0.1,0.2\n0.2,N/A\n"), ", line 3: 'B' is 'N/A', expected a number" + dropped);
  EXPECT_EQ(refusal("A,B\n0.1,0.2\n0.2\n"), ", line 3: 1 field, expected 2: A, B");
  EXPECT_EQ(refusal("A,cash\n0.1,0.02\n0.2,0.02\n"), "");
  EXPECT_EQ(refusal("A,B\n0.1,0.2\n"), ": line 2 is the only row, expected at least 2 days");
  EXPECT_EQ(refusal("A,A\n1,2\n2,3\n"), ", line 1: column 'A' occurs twice; if the line is a row, use --no-header");
  EXPECT_EQ(refusal("A,date\n-0.1,2\n0.2,3\n"),
            ", line 1: column 'date' is column 2, expected dates only in the first column" + ignored);
  EXPECT_EQ(refusal("A,Traded\n-0.1,20240102\n0.2,20240103\n"),
            ", line 1: column 'Traded' is column 2, expected dates only in the first column" + ignored);
  EXPECT_EQ(refusal("T,A\n2024-01-02,0.1\n3,0.2\n"),
            ", line 3: 'T' is '3', expected a date, as in most rows; delete rows of totals" + ignored);
  EXPECT_EQ(refusal("0.5,0.25\n1,2\n2,3\n"),
            ", line 1: column 1 is called '0.5', a number, as if the line were a row; write names, or use "
            "--no-header");
  EXPECT_EQ(refusal("date\n1\n2\n"), ", line 1: there is no asset besides 'date', expected at least one");
  EXPECT_EQ(refusal("A,B\n0.1,-0.2\n0.2,1e308\n"),
            ": return of asset 'B' on day 2 is 1e+308, expected a finite number from -1e150 to 1e150");
  EXPECT_EQ(refusal("A\n"), ": no row follows the names, expected one for each day");
  EXPECT_EQ(refusal(""), " is empty, expected a line of asset names and a line for each day");
}

TEST(PortfolioFiles, NormalReturnsComeBackToTheBit) {
  const models::NamedNormalReturns named{
      {"A, Inc.", "B"}, {"market", "oil"}, {{1.0 / 3, -0.1}, {0, 1e-300}, {0.1, 0.2, 0.3, -1.0 / 7}}};
  const test::TemporaryFile file(models::normal_returns_text(named));
  const auto read = models::read_normal_returns(file.path());
  EXPECT_EQ(read.names, named.names);
  EXPECT_EQ(read.factors, named.factors);
  EXPECT_EQ(read.returns.means, named.returns.means);
  EXPECT_EQ(read.returns.deviations, named.returns.deviations);
  EXPECT_EQ(read.returns.loadings, named.returns.loadings);
}

TEST(PortfolioFiles, SaysWhatIsWrongWithNormalReturns) {
  const auto refusal = [](const std::string& text) { return test::refusal_of(models::read_normal_returns, text); };
  const std::string columns = "asset,mean,deviation";
  EXPECT_EQ(refusal(columns + "\nA,1,2\n"), "");
  EXPECT_EQ(refusal(columns + ",f\nA,1,2,3\n"), "");
  EXPECT_EQ(refusal("asset,mean,sigma\nA,1,2\n"),
            ", line 1: the columns begin with 'asset, mean, sigma', expected asset, mean, deviation and a column for "
            "each common factor");
  EXPECT_EQ(refusal(columns + "\nA,1,-2\n"), ", line 2: 'deviation' is -2, expected a finite number of at least 0");
  EXPECT_EQ(refusal(columns + "\nA,1,2\nA,1,2\n"), ", line 3: 'asset' is 'A', which occurs twice");
  EXPECT_EQ(refusal(columns + "\n,1,2\n"), ", line 2: 'asset' is empty, expected the name of an asset");
  EXPECT_EQ(refusal(columns + ",f\nA,1,2,\n"), ", line 2: 'f' is empty, expected a number");
  EXPECT_EQ(refusal(columns + ",f\nA,1,2\n"), ", line 2: 3 fields, expected 4: asset, mean, deviation, f");
}

// Covariance of assets i and j, from the gradient of the objective.
double covariance(const NormalReturns& returns, std::size_t i, std::size_t j) {
  std::vector<double> w(returns.means.size(), 0.0);
  w[j] = 1;
  return returns.gradient(w)[i] + returns.means[i];
}

TEST(PortfolioFiles, CovarianceIsThatOfTheFile) {
  const test::TemporaryFile file("asset,mean,A,B,C\nA,1,4,2,2\nB,2,2,1,1\nC,3,2,1,5\n");  // covariance of rank 2
  const auto read = models::read_covariance(file.path());
  EXPECT_EQ(read.returns.means, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(read.returns.factors(), 2);
  const double expected[3][3] = {{4, 2, 2}, {2, 1, 1}, {2, 1, 5}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(covariance(read.returns, i, j), expected[i][j], 1e-14);
  }
}

TEST(PortfolioFiles, SaysWhatIsWrongWithACovariance) {
  const auto refusal = [](const std::string& text) { return test::refusal_of(models::read_covariance, text); };
  const std::string columns = "asset,mean,A,B\n", row_a = "A,0,1,0.5\n";
  EXPECT_EQ(refusal(columns + row_a + "B,0,0.5,1\n"), "");
  EXPECT_EQ(refusal(columns + row_a + "B,0,0.4,1\n"),
            ", line 3: covariance of 'B' and 'A' is 0.4, expected 0.5, as on the other side of the diagonal");
  EXPECT_EQ(
      refusal(columns + "A,0,1,2\nB,0,2,1\n"),
      ", line 3: covariance of 'B' and 'A' is 2, expected a number from -1 to 1 with the variances 1 and 1, as in "
      "a positive semidefinite matrix; if it is a correlation, multiply it by both standard deviations");
  EXPECT_EQ(refusal("asset,mean,A,B\nA,0.047,0.04,0.3\nB,0.05,0.3,0.09\n"),
            ", line 3: covariance of 'B' and 'A' is 0.3, expected a number from -0.06 to 0.06 with the variances 0.04 "
            "and 0.09, as in a positive semidefinite matrix; if it is a correlation, multiply it by both standard "
            "deviations");
  EXPECT_EQ(
      refusal("asset,mean,A,B,C\nA,0,1,-0.9,-0.9\nB,0,-0.9,1,-0.9\nC,0,-0.9,-0.9,1\n"),
      ", line 4: covariance of 'C' and 'B' is -0.9, expected a value that makes the matrix positive semidefinite");
  EXPECT_EQ(refusal(columns + row_a + "B,0,0.5,-1\n"),
            ", line 3: covariance of 'B' and 'B' is -1, expected a variance of at least 0");
  EXPECT_EQ(refusal(columns + row_a + "C,0,0.5,1\n"),
            ", line 3: 'asset' is 'C', expected 'B', as in the order of the columns");
  EXPECT_EQ(refusal(columns + row_a), ", line 1: column 'B' has no row, expected a row for each asset");
  EXPECT_EQ(refusal(columns + row_a + "B,0,0.5,1\nC,0,0.5,1\n"),
            ", line 4: 'asset' is 'C', expected an asset that has a column");
  EXPECT_EQ(refusal(columns + row_a + "B,0,0.5,nan\n"), ", line 3: 'B' is nan, expected a finite number");
}

}  // namespace portfolio_files_tests
