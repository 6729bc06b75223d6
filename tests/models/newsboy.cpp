// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files.hpp"

#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/inventory/newsboy.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace newsboy_tests {

using namespace sporos;
using models::Demand, models::DemandTable, models::Newsboy, models::NewsboyCase;
using Space = Kokkos::DefaultExecutionSpace;

static_assert(DescribedCase<NewsboyCase> && StatesDraws<Newsboy>);

NewsboyCase newsboy_buying(std::int64_t quantity) {
  auto newsboy = default_model<NewsboyCase>();
  newsboy.quantity = quantity;
  return newsboy;
}

// Finds the quantity with the largest mean profit by trying all quantities.
std::int64_t best_by_trying(NewsboyCase newsboy, const Demand& demand) {
  std::int64_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (newsboy.quantity = 0; newsboy.quantity <= demand.largest(); ++newsboy.quantity) {
    const double profit = *newsboy.exact_means(demand)[0];
    if (profit <= most + 1e-9) continue;
    most = profit;
    best = newsboy.quantity;
  }
  return best;
}

// Counts misses over all quantities of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and
// applications in parallel Monte Carlo simulation, under common random numbers; each interval misses with probability
// 10^-6.
int misses(const Demand& simulated, const Demand& expected) {
  const DemandTable<Space::memory_space> table(simulated);
  std::vector<Newsboy> models;
  for (std::int64_t quantity = 0; quantity <= 50; ++quantity) models.push_back(newsboy_buying(quantity).model(table));
  Plan plan;
  plan.replications = 20000;
  plan.confidence = 1 - 1e-6;
  const auto result = simulate(Space(), std::span<const Newsboy>(models), plan);
  int count = 0;
  for (std::int64_t quantity = 0; quantity <= 50; ++quantity) {
    const auto exact = newsboy_buying(quantity).exact_means(expected);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const auto& estimate = result.points[static_cast<std::size_t>(quantity)].responses[i];
      count += std::abs(estimate.mean - *exact[i]) > estimate.half_width + 1e-12;
    }
  }
  return count;
}

TEST(Newsboy, EstimatesAreTheExactMeans) {
  const Demand demand = models::newspaper_demand();
  EXPECT_EQ(misses(demand, demand), 0);
  Demand other = demand;  // on one day in a hundred demand is for many more newspapers
  other.probabilities[22] -= 0.01;
  other.probabilities[49] += 0.01;
  EXPECT_GT(misses(other, demand), 0) << "control";
}

TEST(Newsboy, ProfitIsThatOfThePapersAlgorithm) {
  for (const std::int64_t bought : {0, 7, 24, 50}) {
    const Newsboy newsboy{0.5, 1, 0.2, bought, {}};
    for (const double demand : {0.0, 6.0, 7.0, 8.0, 49.0}) {
      const auto b = static_cast<double>(bought);
      const double profit = b < demand ? 0.5 * b : 0.5 * demand - 0.3 * (b - demand);
      EXPECT_NEAR(newsboy.responses_to(demand)[0], profit, 1e-12);
    }
  }
}

TEST(Newsboy, BestQuantityIsThatOfTryingAll) {
  const Demand demand = models::newspaper_demand();
  EXPECT_EQ(newsboy_buying(0).best_quantity(demand), 26);
  EXPECT_NEAR(*newsboy_buying(26).exact_means(demand)[0], 8.424, 1e-12);
  for (const double cost : {0.25, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0, 1.5}) {
    auto newsboy = newsboy_buying(0);
    newsboy.cost = cost;
    EXPECT_EQ(newsboy.best_quantity(demand), best_by_trying(newsboy, demand)) << cost;
  }
}

TEST(Newsboy, TheSampleFileIsTheBuiltInDemand) {
  std::vector<std::string> notes;
  const Demand read = models::read_demand(test::sample_file("demand.csv"), notes),
               built_in = models::newspaper_demand();
  EXPECT_EQ(read.values, built_in.values);
  EXPECT_EQ(read.probabilities, built_in.probabilities);
  EXPECT_EQ(default_model<NewsboyCase>().load(notes).probabilities, built_in.probabilities);
  EXPECT_EQ(notes, std::vector<std::string>());
}

TEST(Newsboy, ReadsProbabilitiesInAnyColumn) {
  const test::TemporaryFile file("probability,demand\n0.25,3\n0.75,10\n");
  std::vector<std::string> notes;
  const Demand demand = models::read_demand(file.path(), notes);
  EXPECT_EQ(demand.values, (std::vector<double>{3, 10}));
  EXPECT_EQ(demand.probabilities, (std::vector<double>{0.25, 0.75}));
}

TEST(Newsboy, SaysWhatIsWrongWithAFile) {
  const auto read = [](const std::string& path) {
    std::vector<std::string> notes;
    return models::read_demand(path, notes);
  };
  const auto refusal = [&](const std::string& contents) { return test::refusal_of(read, contents); };
  const std::string columns = ", expected demand and frequency (in percent), or demand and probability";
  EXPECT_EQ(refusal("demand,frequency\n1,40\n2,60\n"), "");
  EXPECT_EQ(refusal(""), " is empty, expected a line of column names and a line for each demand");
  EXPECT_EQ(refusal("demand,frequency\n"), ": no row follows the names, expected one for each demand");
  EXPECT_EQ(refusal("demand,share\n1,1\n"), ", line 1: the columns are 'demand, share'" + columns);
  EXPECT_EQ(refusal("demand,frequency,probability\n1,1,1\n"),
            ", line 1: the columns are 'demand, frequency, probability'" + columns);
  EXPECT_EQ(refusal("demand,frequency\n1,40\n2,59\n"), ": the sum of column 'frequency' is 99, expected 100");
  EXPECT_EQ(refusal("demand,probability\n1,40\n2,60\n"), ": the sum of column 'probability' is 100, expected 1");
  EXPECT_EQ(refusal("demand,frequency\n2,40\n1,60\n"),
            ", line 3: demand is 1, expected more than 2, the demand on the line before");
  EXPECT_EQ(refusal("demand,frequency\n2,40\n2,60\n"),
            ", line 3: demand is 2, expected more than 2, the demand on the line before");
  EXPECT_EQ(refusal("demand,frequency\n1,-40\n2,140\n"),
            ", line 2: frequency is -40, expected a finite number of at least 0");
  EXPECT_EQ(refusal("demand,frequency\n1,nan\n2,60\n"),
            ", line 2: frequency is nan, expected a finite number of at least 0");
  EXPECT_EQ(refusal("demand,frequency\n1.5,40\n2,60\n"),
            ", line 2: demand is '1.5', expected a whole number from 0 to 1000000000");
  EXPECT_EQ(refusal("demand,frequency\n1,4O\n2,60\n"),
            ", line 2: 'frequency' is '4O', expected a number: write it without the unit");
}

std::string refusal_of_check(const NewsboyCase& newsboy) {
  try {
    newsboy.check(models::newspaper_demand());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Newsboy, SaysWhatIsWrongWithParameters) {
  EXPECT_EQ(refusal_of_check(newsboy_buying(0)), "");
  EXPECT_EQ(refusal_of_check(newsboy_buying(50)), "");
  const std::string expected = ", expected a whole number from 0 to the largest demand in the table, 50";
  EXPECT_EQ(refusal_of_check(newsboy_buying(51)), "quantity is 51" + expected);
  EXPECT_EQ(refusal_of_check(newsboy_buying(-1)), "quantity is -1" + expected);
  auto newsboy = newsboy_buying(20);
  newsboy.salvage = 0.5;
  EXPECT_EQ(refusal_of_check(newsboy), "salvage is 0.5, expected a number below the cost, 0.5");
  newsboy.cost = -1;
  EXPECT_EQ(refusal_of_check(newsboy), "cost is -1, expected a finite number of at least 0");
}

}  // namespace newsboy_tests
