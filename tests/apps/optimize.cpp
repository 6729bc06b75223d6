// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize`: solutions compared with exact optima, and reports.
#include "optimizations.hpp"
#include "refusal.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/models/finance/portfolio_files.hpp>
#include <sporos/models/finance/portfolio_optimum.hpp>
#include <sporos/models/inventory/newsvendor_optimum.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace optimize_tests {

constexpr double rounding = 1e-12;  // relative tolerance

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

const Json& resources_of(const Json& report) { return report["tables"]["resources"]["rows"]; }

double number(const Json& report, const std::string& name) { return report.at("findings").at(name).get<double>(); }

// Gradient of A / 2 times the variance minus the mean, over all days.
std::vector<double> daily_gradient(const models::HistoricalReturns& returns, const std::vector<double>& w,
                                   double aversion) {
  const std::size_t d = w.size();
  const auto days = static_cast<double>(returns.days());
  std::vector<double> mean(d), gradient(d);
  for (std::size_t i = 0; i < returns.values.size(); ++i) mean[i % d] += returns.values[i] / days;
  for (std::size_t first = 0; first < returns.values.size(); first += d) {
    double earned = 0;
    for (std::size_t j = 0; j < d; ++j) earned += w[j] * (returns.values[first + j] - mean[j]);
    for (std::size_t j = 0; j < d; ++j) {
      gradient[j] += aversion * earned * (returns.values[first + j] - mean[j]) / (days - 1);
    }
  }
  for (std::size_t j = 0; j < d; ++j) gradient[j] -= mean[j];
  return gradient;
}

// Value of A / 2 times the variance minus the mean over all days, and the duality gap on {w >= 0, Σw = 1}.
struct DailyPortfolio {
  double objective, gap;
};

DailyPortfolio daily_portfolio(const models::HistoricalReturns& returns, const std::vector<double>& w,
                               double aversion) {
  const std::size_t d = w.size();
  const auto days = static_cast<double>(returns.days());
  std::vector<double> mean(d);
  for (std::size_t i = 0; i < returns.values.size(); ++i) mean[i % d] += returns.values[i] / days;
  double variance = 0;
  for (std::size_t first = 0; first < returns.values.size(); first += d) {
    double earned = 0;
    for (std::size_t j = 0; j < d; ++j) earned += w[j] * (returns.values[first + j] - mean[j]);
    variance += earned * earned / (days - 1);
  }
  const std::vector<double> gradient = daily_gradient(returns, w, aversion);
  return {aversion / 2 * variance - dot(w, mean),
          dot(gradient, w) - *std::min_element(gradient.begin(), gradient.end())};
}

TEST(PortfolioOfAllDays, IsOptimalByAGapOfOurOwn) {
  const auto returns = models::read_returns(daily_returns);
  constexpr double tolerance = 1e-9;  // default
  for (const double aversion : {10.0, 40.0}) {
    const auto report =
        optimized("portfolio --returns " + daily_returns + " --risk-aversion " + std::to_string(aversion));
    std::vector<double> w(returns.names.size());
    for (const auto& [name, share] : solution_of(report)) {
      const auto place = std::find(returns.names.begin(), returns.names.end(), name);
      w.at(static_cast<std::size_t>(place - returns.names.begin())) = share;
    }
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, rounding);
    EXPECT_GE(*std::min_element(w.begin(), w.end()), 0);
    const auto [objective, gap] = daily_portfolio(returns, w, aversion);
    EXPECT_NEAR(number(report, "objective"), objective, rounding);
    EXPECT_NEAR(number(report, "gap"), gap, rounding);
    EXPECT_LE(gap, tolerance);
    EXPECT_EQ(report["stopped_by"], "gap");
    const double mean = number(report, "mean_return"), deviation = number(report, "standard_deviation");
    EXPECT_NEAR(aversion / 2 * deviation * deviation - mean, objective, rounding);
  }
}

// Assets with similar deviations and means, so that the optimum holds many of them.
models::NamedNormalReturns independent_assets(int count, double shift) {
  models::NamedNormalReturns named;
  for (int j = 0; j < count; ++j) {
    named.names.push_back(fmt::format("N{}", j));
    named.returns.means.push_back(shift + 0.05 * j);
    named.returns.deviations.push_back(1 + 0.02 * ((7 * j) % count));
  }
  return named;
}

void expect_near_optimum(double shift, models::BudgetRule budget) {
  const Folder folder;
  const auto assets = independent_assets(12, shift);
  const bool all = budget == models::BudgetRule::one;
  const auto report =
      optimized("portfolio --moments sampled --epochs 40 --iterations 40 --sample-size 1000 --gap-batch-size 500" +
                std::string(all ? " --region full-investment" : " --region budget") + " --parameters " +
                folder.write("assets.csv", models::normal_returns_text(assets)));
  const auto best = models::best_diagonal_portfolio(assets.returns, budget);
  EXPECT_NEAR(number(report, "optimum"), best.value, rounding);
  const double distance = number(report, "suboptimality");
  EXPECT_EQ(distance, number(report, "exact_objective") - number(report, "optimum"));
  EXPECT_GE(distance, -rounding);
  std::vector<double> start(12);
  start[0] = all ? 1 : 0;
  EXPECT_LE(distance, 0.1 * (assets.returns.objective(start) - best.value));
  EXPECT_LE(number(report, "independent_gap_low"), number(report, "independent_gap"));
  EXPECT_LE(number(report, "independent_gap"), number(report, "independent_gap_high"));
  EXPECT_LE(distance, number(report, "independent_gap_high"));
}

const std::string six_assets =
    "asset,mean,a0,a1,a2,a3,a4,a5\n"
    "a0,0.1379,0.0292,0.00332,0.01197,-0.02875,-0.02387,0.00502\n"
    "a1,-0.0572,0.00332,0.01089,-0.01582,-0.00094,0.00194,-0.00866\n"
    "a2,0.1414,0.01197,-0.01582,0.09594,-0.06001,0.00345,0.01432\n"
    "a3,0.048,-0.02875,-0.00094,-0.06001,0.07444,0.00621,-0.01019\n"
    "a4,-0.0749,-0.02387,0.00194,0.00345,0.00621,0.03934,-0.01349\n"
    "a5,0.0186,0.00502,-0.00866,0.01432,-0.01019,-0.01349,0.01982\n";

// Reference: the smallest objective in each region by cvxpy 1.6 with Clarabel, to 1e-13.
TEST(QuadraticProgram, IsSolvedExactlyInEveryRegion) {
  struct Case {
    const char* region;
    double least;
  };
  const Folder folder;
  const std::string line =
      "portfolio --risk-aversion 20 --covariance " + folder.write("six.csv", six_assets) + " --region ";
  for (const auto& [region, least] : {Case{"full-investment", -0.072609833113},
                                      {"full-investment --low 0.05 --high 0.3", -0.061478570936},
                                      {"budget", -0.072609833113},
                                      {"box --low -0.2 --high 0.4", -0.074192657424},
                                      {"l1-ball --limit 1.5", -0.092376081465},
                                      {"l2-ball --limit 0.8", -0.091137860099},
                                      {"k-sparse --nonzeros 2 --limit 0.5", -0.072609833113}}) {
    const double tolerance = 1e-9 * std::abs(least);
    const auto report = optimized(fmt::format("{}{} --gap-tolerance {}", line, region, tolerance));
    EXPECT_NEAR(number(report, "objective"), least, tolerance + 1e-12) << region;
    EXPECT_LE(number(report, "gap"), tolerance) << region;
    EXPECT_EQ(report["stopped_by"], "gap") << region;
    EXPECT_EQ(report["settings"]["moments"], "exact");
    EXPECT_TRUE(report["findings"]["independent_gap"].is_null());
  }
  const auto sampled = optimized(line + "full-investment --moments sampled --epochs 5 --gap-batches 4");
  EXPECT_EQ(sampled["settings"]["moments"], "sampled");
  EXPECT_GT(number(sampled, "exact_objective"), -0.072609833113);
}

// The minimum is known for a diagonal covariance. An asset without risk is cash.
TEST(QuadraticProgram, OfIndependentAssetsIsThatOfTheory) {
  const Folder folder;
  auto assets = independent_assets(12, 0.1);
  assets.returns.deviations[3] = 0;
  const auto best = models::best_diagonal_portfolio(assets.returns, models::BudgetRule::one);
  const auto report = optimized("portfolio --parameters " + folder.write("p.csv", models::normal_returns_text(assets)));
  EXPECT_NEAR(number(report, "objective"), best.value, 1e-10);
  EXPECT_NEAR(number(report, "optimum"), best.value, rounding);
}

TEST(SampledPortfolio, ComesNearTheExactOptimumAndBoundsTheDistance) {
  expect_near_optimum(0.1, models::BudgetRule::one);
  expect_near_optimum(-0.4, models::BudgetRule::at_most_one);  // the optimum uses less than the whole budget
}

TEST(PortfolioRegion, IsKept) {
  const auto solution_in = [](const std::string& region) {
    return numbered_solution(
        optimized("portfolio --assets 30 --gap-batches 0 --epochs 4 --iterations 20 --region " + region));
  };
  const auto sum_of = [](const std::vector<double>& w, double power) {
    return std::accumulate(w.begin(), w.end(), 0.0,
                           [&](double sum, double share) { return sum + std::pow(std::abs(share), power); });
  };
  EXPECT_NEAR(sum_of(solution_in("full-investment --limit 2"), 1), 2, rounding);
  EXPECT_LE(sum_of(solution_in("budget --limit 0.5"), 1), 0.5 * (1 + rounding));
  EXPECT_NEAR(sum_of(solution_in("l1-ball"), 1), 1, 0.2);
  EXPECT_NEAR(sum_of(solution_in("l2-ball --limit 3"), 2), 9, 2);
  EXPECT_NEAR(sum_of(solution_in("k-sparse --nonzeros 5 --limit 0.5"), 1), 2.5, rounding);
  for (const double share : solution_in("box --low -0.5 --high 0.25")) {
    EXPECT_GE(share, -0.5);
    EXPECT_LE(share, 0.25);
  }
}

// Weights in a report by asset, zeros included.
std::map<std::string, double> weights_of(const Json& report, const std::vector<std::string>& names) {
  std::map<std::string, double> weights;
  for (const auto& name : names) weights[name] = 0;
  for (const auto& [name, weight] : solution_of(report)) weights.at(name) = weight;
  return weights;
}

// Duality gap on {low <= w <= high, Σw = 1}. Its linear oracle sorts the gradient.
double bounded_gap(const models::HistoricalReturns& returns, const std::vector<double>& w, double low, double high) {
  const std::vector<double> gradient = daily_gradient(returns, w, 10);
  std::vector<std::size_t> order(w.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return gradient[a] < gradient[b]; });
  double least = 0, left = 1 - low * static_cast<double>(w.size());
  for (const std::size_t i : order) {
    const double more = std::min(left, high - low);
    least += gradient[i] * (low + more);
    left -= more;
  }
  return dot(gradient, w) - least;
}

TEST(BoundedPortfolio, IsOptimalByAGapOfOurOwn) {
  const auto returns = models::read_returns(daily_returns);
  const auto report = optimized("portfolio --returns " + daily_returns + " --low 0.001 --high 0.1");
  std::vector<double> w;
  const auto weights = weights_of(report, returns.names);
  for (const auto& name : returns.names) w.push_back(weights.at(name));
  EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, rounding);
  EXPECT_GE(*std::min_element(w.begin(), w.end()), 0.001 - rounding);
  EXPECT_LE(*std::max_element(w.begin(), w.end()), 0.1 + rounding);
  const double gap = bounded_gap(returns, w, 0.001, 0.1);
  EXPECT_NEAR(number(report, "gap"), gap, rounding);
  EXPECT_LE(gap, 1e-9);
}

TEST(BoundedPortfolio, TakesBoundsFromAFile) {
  const Folder folder;
  const auto returns = models::read_returns(daily_returns);
  const std::string bounds = folder.write("bounds.csv", "asset,low,high\nS001,0.05,0.06\nS002,0.2,0.2\n");
  const auto report = optimized("portfolio --returns " + daily_returns + " --high 0.3 --bounds " + bounds);
  const auto weights = weights_of(report, returns.names);
  EXPECT_NEAR(weights.at("S001"), 0.06, rounding);  // 0.43 without bounds
  EXPECT_NEAR(weights.at("S002"), 0.2, rounding);
  EXPECT_EQ(report["settings"]["bounds"], bounds);
}

// Expected cost of order quantities x of products with normal demand, by the normal loss function.
double expected_cost(const models::NewsvendorProducts& products, const std::vector<double>& x) {
  double cost = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto [mean, deviation, unused, also_unused] = products.demand[j].parameters;
    const double z = (x[j] - mean) / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double missing = deviation * (density - z * std::erfc(z / std::numbers::sqrt2) / 2);
    cost += products.cost[j] * x[j] + products.holding[j] * (missing + x[j] - mean) + products.price[j] * missing;
  }
  return cost;
}

TEST(Newsvendor, ComesNearTheExactOptimumAndBoundsTheDistance) {
  const auto instance = models::generated_newsvendor(3, 20, 1, 0.8);
  const double optimum = expected_cost(instance.products, models::newsvendor_optimum(instance).quantities);
  const auto report = optimized("newsvendor --product-count 20 --tightness 0.8 --instance-seed 3 --epochs 25");
  EXPECT_NEAR(number(report, "optimum"), optimum, rounding * optimum);
  const auto x = numbered_solution(report);
  EXPECT_NEAR(number(report, "exact_objective"), expected_cost(instance.products, x), rounding * optimum);
  const double distance = number(report, "suboptimality");
  EXPECT_GE(distance, 0);
  EXPECT_LE(distance, 1e-3 * optimum);
  EXPECT_LE(distance, number(report, "independent_gap_high"));
  const auto& resource = resources_of(report)[0];
  EXPECT_NEAR(resource["use"].get<double>(), dot(instance.resources.amounts, x), rounding * optimum);
  EXPECT_EQ(resource["capacity"], instance.resources.capacity[0]);
  EXPECT_EQ(resource["is_binding"], true);
}

// Files of a generated newsvendor with one resource, and a second resource that does not bind.
std::string with_a_slack_resource(const Folder& folder, const models::NewsvendorCase& instance) {
  const auto& [products, resources] = instance;
  std::string sold = "product,cost,holding,price,mean,deviation\n", amounts = "product,money,space\n";
  for (std::size_t j = 0; j < products.cost.size(); ++j) {
    const auto name = fmt::format("product {}", j + 1);
    const auto [mean, deviation, unused, also_unused] = products.demand[j].parameters;
    io::append_csv_row(sold,
                       {name, io::shortest_text(products.cost[j]), io::shortest_text(products.holding[j]),
                        io::shortest_text(products.price[j]), io::shortest_text(mean), io::shortest_text(deviation)});
    io::append_csv_row(amounts, {name, io::shortest_text(resources.amounts[j]), "1"});
  }
  return "newsvendor --products " + folder.write("products.csv", sold) + " --amounts " +
         folder.write("amounts.csv", amounts) + " --resources " +
         folder.write("resources.csv",
                      "resource,capacity\nmoney," + io::shortest_text(resources.capacity[0]) + "\nspace,1e6\n");
}

TEST(Newsvendor, OfFilesWithSeveralResourcesComesNearTheExactOptimum) {
  const Folder folder;
  const auto instance = models::generated_newsvendor(4, 20, 1);
  const double optimum = expected_cost(instance.products, models::newsvendor_optimum(instance).quantities);
  const auto report = optimized(with_a_slack_resource(folder, instance) + " --epochs 25");
  EXPECT_TRUE(report["findings"]["optimum"].is_null());  // no exact optimum is known for several resources
  const double distance = number(report, "exact_objective") - optimum;
  EXPECT_GE(distance, 0);
  EXPECT_LE(distance, 1e-3 * optimum);
  EXPECT_LE(distance, number(report, "independent_gap_high"));
  EXPECT_EQ(resources_of(report)[0]["resource"], "money");
  EXPECT_EQ(resources_of(report)[0]["is_binding"], true);
  EXPECT_EQ(resources_of(report)[1]["is_binding"], false);
}

// The constraint requires more money than is optimal, and product 1 gives some back. At the optimum f_j' = λ a_j.
TEST(Newsvendor, OfFilesKeepsToSensesAndSigns) {
  const Folder folder;
  auto instance = models::generated_newsvendor(4, 10, 1, 1.4);
  instance.resources.amounts[0] = -0.5;
  const models::NewsvendorProducts& sold = instance.products;
  const models::NewsvendorResources& shared = instance.resources;
  const auto quantities_at = [&](double lambda) {
    std::vector<double> x;
    for (std::size_t j = 0; j < sold.cost.size(); ++j) {
      const double u = (sold.price[j] - sold.cost[j] + lambda * shared.amounts[j]) / (sold.price[j] + sold.holding[j]);
      const auto [mean, deviation, unused, also_unused] = sold.demand[j].parameters;
      x.push_back(std::max(0.0, mean + deviation * math::normal_quantile(std::clamp(u, 1e-300, 1 - 1e-16))));
    }
    return x;
  };
  double low = 0, high = 10;
  for (int step = 0; step < 60; ++step) {
    const double lambda = (low + high) / 2;
    (dot(shared.amounts, quantities_at(lambda)) < shared.capacity[0] ? low : high) = lambda;
  }
  EXPECT_GT(low, 0.01);
  const double optimum = expected_cost(sold, quantities_at(low));
  std::string text = with_a_slack_resource(folder, instance);
  for (const std::string sense : {">=", "="}) {
    const std::string resources =
        folder.write("senses.csv", "resource,capacity,sense\nmoney," + io::shortest_text(shared.capacity[0]) + "," +
                                       sense + "\nspace,2000,<=\n");
    const auto report =
        optimized(text.substr(0, text.find(" --resources")) + " --resources " + resources + " --epochs 25");
    const double distance = number(report, "exact_objective") - optimum;
    EXPECT_GE(distance, -1e-9 * optimum) << sense;
    EXPECT_LE(distance, 2e-3 * optimum) << sense;
    EXPECT_EQ(resources_of(report)[0]["sense"], sense);
    EXPECT_EQ(resources_of(report)[0]["is_binding"], true);
  }
  expect_refusal(sporos("optimize " + text.substr(0, text.find(" --resources")) + " --resources " +
                        folder.write("none.csv", "resource,capacity,sense\nmoney,1e6,>=\nspace,1000,<=\n")),
                 "no quantities meet the capacities of all resources, expected other capacities or amounts");
}

TEST(Newsvendor, TakesDemandsThereWere) {
  const Folder folder;
  const std::string files = "newsvendor --products " + folder.write("p.csv", "product,cost,holding,price\na,1,0,4\n") +
                            " --resources " + folder.write("r.csv", "resource,capacity\nspace,100\n") + " --amounts " +
                            folder.write("a.csv", "product,space\na,1\n") + " --demands " +
                            folder.write("d.csv", "a\n10\n20\n30\n40\n");
  const auto report = optimized(files);
  // Linear interpolation of the observations is the uniform distribution on (10, 40), whose upper quartile is optimal.
  const double optimum = 32.5 + 4 * 7.5 * 7.5 / (2 * 30);
  EXPECT_NEAR(number(report, "optimum"), optimum, rounding * optimum);
  EXPECT_NEAR(number(report, "exact_objective"), optimum, 0.1);
}

TEST(Newsvendor, WithoutResourcesOrdersQuantiles) {
  const Folder folder;
  const std::string demands = folder.write("d.csv", "period,rye,wheat\n1,40,7\n2,10,5\n3,30,9\n4,20,6\n");
  const auto quantities = [](const Json& report) {
    const auto solution = solution_of(report);
    const std::map<std::string, double> by_name(solution.begin(), solution.end());
    return std::pair(by_name.at("rye"), by_name.at("wheat"));
  };
  // Quantiles of 10, 20, 30, 40 and of 5, 6, 7, 9 with linear interpolation, at (4 - 1) / 4 and at (4 - 1) / (4 - 0.5).
  EXPECT_EQ(quantities(optimized("newsvendor --cost 1 --price 4 --demands " + demands)), std::pair(32.5, 7.5));
  const auto salvaged = quantities(optimized("newsvendor --cost 1 --price 4 --salvage 0.5 --demands " + demands));
  EXPECT_NEAR(salvaged.first, 10 + 30 * 6 / 7.0, 1e-12);
  EXPECT_NEAR(salvaged.second, 7 + 2 * (6 / 7.0 * 3 - 2), 1e-12);

  const std::string products = folder.write(
      "p.csv",
      "product,cost,holding,price,demand\nrye,1,0,4,\"empirical(40 10 30 20)\"\nwheat,2,0,4,\"normal(50, 8)\"\n");
  const auto report = optimized("newsvendor --products " + products);
  EXPECT_EQ(quantities(report).first, 32.5);
  EXPECT_NEAR(quantities(report).second, 50, 1e-12);
  EXPECT_EQ(number(report, "gap"), 0);
  EXPECT_EQ(number(report, "iterations"), 0);
}

TEST(Newsvendor, OfDemandsThereWereKeepsToResources) {
  const Folder folder;
  const std::string line = "newsvendor --cost 1 --price 4 --demands " +
                           folder.write("d.csv", "rye,wheat\n40,7\n10,5\n30,9\n20,6\n") + " --resources " +
                           folder.write("r.csv", "resource,capacity\nflour,30\n") + " --amounts " +
                           folder.write("a.csv", "product,flour\nrye,1\nwheat,1\n");
  const auto report = optimized(line);
  EXPECT_EQ(resources_of(report)[0]["is_binding"], true);
  EXPECT_LE(resources_of(report)[0]["use"].get<double>(), 30 * (1 + rounding));
  const double distance = number(report, "suboptimality"), bound = number(report, "bound");
  EXPECT_LE(distance, bound);
  EXPECT_LE(bound, 0.01 * number(report, "exact_objective"));
}

TEST(Bakery, HasABoundThatMeansSomething) {
  const auto report = optimized(bakery + " --epochs 25");
  EXPECT_LE(number(report, "bound"), 0.005 * number(report, "exact_objective"));
  EXPECT_LE(number(report, "distance"), number(report, "bound"));
  EXPECT_LT(number(report, "bound"), number(report, "independent_gap_high"));
}

TEST(Bakery, ComesWithTheProject) {
  const auto report = optimized(bakery + " --epochs 5");
  EXPECT_EQ(report["settings"]["dimension"], 8);
  EXPECT_EQ(resources_of(report).size(), 3u);
  const auto solution = solution_of(report);
  EXPECT_NE(std::ranges::find(solution, "rye bread", &std::pair<std::string, double>::first), solution.end());
}

TEST(Variants, AndStepRulesAllDescend) {
  for (const std::string variant : {"vanilla", "away-step", "pairwise"}) {
    for (const std::string rule : {"open-loop", "restarting", "exact", "adaptive"}) {
      const auto report = optimized("portfolio --returns " + daily_returns + " --epochs 20 --variant " + variant +
                                    " --step-rule " + rule);
      EXPECT_LT(number(report, "gap"), 0.5 * trajectory_of(report)[0]["gap"].get<double>()) << variant << ' ' << rule;
      EXPECT_EQ(report["settings"]["variant"], variant);
      EXPECT_EQ(report["settings"]["step_rule"], rule);
    }
  }
}

}  // namespace optimize_tests
}  // namespace sporos::test
