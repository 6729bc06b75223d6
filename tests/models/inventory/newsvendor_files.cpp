// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Newsvendors read from files, and a message of one line for each error in them.
#include "models/files.hpp"

#include <sporos/models/inventory/newsvendor_files.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {
namespace newsvendor_files_tests {

struct Texts {
  std::string products =
      "product,cost,holding,price,mean,deviation\n"
      "bread,1,0.25,3,40,10\n"
      "milk,0.5,-0.25,2,60,0\n";
  std::string resources = "resource,capacity\nmoney,50\nspace,90\n";
  std::string amounts = "product,space,money\nbread,2,1\nmilk,0,0.5\n";
  std::string demands = {};
};

models::NamedNewsvendor read(const Texts& texts) {
  const TemporaryFile products(texts.products), resources(texts.resources), amounts(texts.amounts),
      demands(texts.demands);
  return models::read_newsvendor(products.path(), resources.path(), amounts.path(),
                                 texts.demands.empty() ? "" : demands.path());
}

/// Error message, with P, R, A or D for the file that it names.
std::string refusal(const Texts& texts) {
  const TemporaryFile products(texts.products), resources(texts.resources), amounts(texts.amounts),
      demands(texts.demands);
  try {
    models::read_newsvendor(products.path(), resources.path(), amounts.path(),
                            texts.demands.empty() ? "" : demands.path());
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    for (const auto& [path, letter] : {std::pair(products.path(), "P"), std::pair(resources.path(), "R"),
                                       std::pair(amounts.path(), "A"), std::pair(demands.path(), "D")}) {
      if (message.starts_with(path)) return letter + message.substr(path.size());
    }
    return message;
  }
  return "";
}

std::string refusal_of_products(const std::string& text) { return refusal({.products = text}); }
std::string refusal_of_product(const std::string& line) {
  return refusal_of_products("product,cost,holding,price,mean,deviation\nbread,1,0.25,3,40,10\n" + line + "\n");
}
std::string refusal_of_demand(const std::string& demand) {
  return refusal_of_products("product,cost,holding,price,demand\nbread,1,1,3,poisson(3)\nmilk,1,1,3,\"" + demand +
                             "\"\n");
}

TEST(NewsvendorFiles, TellHowTheyAreRead) {
  EXPECT_TRUE(read({}).notes.empty());
  const auto notes =
      read({.products = "product;cost;holding;price;mean;deviation\nbread;1;0,25;3;40;10\nmilk;0,5;-0,25;2;60;0\n",
            .amounts = "product;space;money\nbread;2;1\nmilk;0;0,5\n"})
          .notes;
  ASSERT_EQ(notes.size(), 2u);
  for (const auto& note : notes) EXPECT_NE(note.find("';'"), std::string::npos) << note;
}

TEST(NewsvendorFiles, AreRead) {
  const auto [newsvendor, products, resources, notes] = read({});
  EXPECT_EQ(products, (std::vector<std::string>{"bread", "milk"}));
  EXPECT_EQ(resources, (std::vector<std::string>{"money", "space"}));
  EXPECT_EQ(newsvendor.products.cost, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(newsvendor.products.holding, (std::vector<double>{0.25, -0.25}));
  EXPECT_EQ(newsvendor.products.price, (std::vector<double>{3, 2}));
  EXPECT_TRUE(newsvendor.products.all_normal());
  EXPECT_EQ(newsvendor.products.demand[0].parameters[1], 10);
  EXPECT_EQ(newsvendor.resources.capacity, (std::vector<double>{50, 90}));
  EXPECT_EQ(newsvendor.resources.amounts, (std::vector<double>{1, 0.5, 2, 0}));
}

TEST(NewsvendorFiles, HaveDemandsOfEveryKind) {
  Texts texts;
  texts.products = "demand,product,price,cost,holding\n\"gamma(4,9)\",bread,3,1,0\n\"empirical(1,5,2)\",milk,2,1,0\n";
  auto demand = read(texts).newsvendor.products.demand;
  EXPECT_EQ(demand[0].kind, DistributionKind::gamma);
  EXPECT_EQ(demand[1].values, (std::vector<double>{1, 5, 2}));
  texts.products = "product,price,cost,holding\nbread,3,1,0\nmilk,2,1,0\n";
  texts.demands = "milk,bread\n60,40\n55,38.5\n72,41\n";
  demand = read(texts).newsvendor.products.demand;
  EXPECT_EQ(demand[0].kind, DistributionKind::empirical);
  EXPECT_EQ(demand[0].values, (std::vector<double>{40, 38.5, 41}));
  EXPECT_EQ(demand[1].values, (std::vector<double>{60, 55, 72}));
}

TEST(NewsvendorFiles, SayWhatIsWrongWithProducts) {
  const std::string columns = "expected product, cost, holding, price, and mean and deviation or demand";
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal_of_product("milk,1,0,2,60,-5"),
            "P, line 3: 'deviation' is -5, expected a finite number of at least 0");
  EXPECT_EQ(refusal_of_product("milk,1,0,2,nan,5"), "P, line 3: 'mean' is nan, expected a finite number");
  EXPECT_EQ(refusal_of_product("milk,,0,2,60,5"), "P, line 3: 'cost' is empty, expected a number");
  EXPECT_EQ(refusal_of_product("milk,l,0,2,60,5"), "P, line 3: 'cost' is 'l', expected a number");
  EXPECT_EQ(refusal_of_product("milk,1,0,2,60"),
            "P, line 3: 5 fields, expected 6: product, cost, holding, price, mean, deviation");
  EXPECT_EQ(refusal_of_product("milk,1,-2,2,60,5"),
            "P, line 3: 'price' and holding are 0 together, expected a number above 0; otherwise the objective is not "
            "convex");
  EXPECT_EQ(refusal_of_product("bread,1,0,2,60,5"), "P, line 3: 'product' is 'bread', which occurs twice");
  EXPECT_EQ(refusal_of_product(",1,0,2,60,5"), "P, line 3: 'product' is empty, expected the name of a product");
  EXPECT_EQ(refusal_of_products(""), "P is empty, expected a line of column names and a line for each product");
  EXPECT_EQ(refusal_of_products("product,cost,price,mean,deviation\nbread,1,2,3,4\n"),
            "P, line 1: there is no column 'holding', " + columns);
  EXPECT_EQ(refusal_of_products("product,cost,holding,price,mean,deviation,colour\nbread,1,2,3,4,5,6\n"),
            "P, line 1: the columns are 'product, cost, holding, price, mean, deviation, colour', " + columns);
  EXPECT_EQ(refusal_of_products("product,cost,holding,price,mean\nbread,1,2,3,4\n"),
            "P, line 1: the columns are 'product, cost, holding, price, mean', expected either mean and deviation, or "
            "demand, or neither of these and a file of demands");
  EXPECT_EQ(refusal_of_demand("poisson(2)"), "");
  EXPECT_EQ(
      refusal_of_demand("uniform(1,2)"),
      "P, line 3: 'demand' is 'uniform(1,2)': distribution is uniform, expected normal, gamma, poisson or empirical");
  EXPECT_EQ(refusal_of_demand("gamma(0,2)"),
            "P, line 3: 'demand' is 'gamma(0,2)': shape is 0, expected a positive finite number");
}

TEST(NewsvendorFiles, HaveSenses) {
  using models::ResourceSense;
  const auto resources = read({.resources = "resource,sense,capacity\nmoney,=,-50\nspace,>=,90\n",
                               .amounts = "product,space,money\nbread,2,-1\nmilk,-3,0.5\n"})
                             .newsvendor.resources;
  EXPECT_EQ(resources.senses, (std::vector{ResourceSense::exactly, ResourceSense::at_least}));
  const auto rows = resources.at_most();
  EXPECT_EQ(rows.capacity, (std::vector<double>{-50, 50, -90}));
  EXPECT_EQ(rows.amounts, (std::vector<double>{-1, 0.5, 1, -0.5, -2, 3}));
}

TEST(NewsvendorFiles, SayWhatIsWrongWithResources) {
  const auto of_resources = [](const std::string& text) { return refusal({.resources = text}); };
  EXPECT_EQ(of_resources("resource,capacity\nmoney,-1\nspace,2\n"), "");
  EXPECT_EQ(of_resources("resource,capacity,sense\nmoney,1,>=\nspace,2,<\n"),
            "R, line 3: 'sense' is '<', expected <=, >= or =");
  EXPECT_EQ(of_resources("resource,capacity\nmoney,1\nmoney,2\n"),
            "R, line 3: 'resource' is 'money', which occurs twice");
  EXPECT_EQ(of_resources("resource,capacity\nmoney,1\n"), "A, line 1: column 'space' is not the name of a resource");
  EXPECT_EQ(of_resources("resource,capacity\nmoney,1\nspace,2\ntime,9\n"), "A, line 1: resource 'time' has no column");
  EXPECT_EQ(of_resources("resource,capacity,colour\nmoney,1,2\n"),
            "R, line 1: there are 3 columns, expected resource and capacity, and sense unless all are <=");
  EXPECT_EQ(of_resources("resource,limit\nmoney,1\n"),
            "R, line 1: there is no column 'capacity', expected resource and capacity, and sense unless all are <=");
}

TEST(NewsvendorFiles, SayWhatIsWrongWithAmounts) {
  const auto of_amounts = [](const std::string& lines) {
    return refusal({.amounts = "product,money,space\n" + lines});
  };
  EXPECT_EQ(of_amounts("bread,1,2\nmilk,1,-1\n"), "");
  EXPECT_EQ(of_amounts("bread,1,2\nmilk,inf,1\n"), "A, line 3: 'money' is inf, expected a finite number");
  EXPECT_EQ(of_amounts("bread,1,2\nmilk,0,0\n"),
            "A, line 3: 'product' is 'milk', expected a product that some resource bounds from above");
  EXPECT_EQ(refusal({.resources = "resource,capacity,sense\nmoney,50,<=\nspace,9,>=\n",
                     .amounts = "product,money,space\nbread,1,2\nmilk,-1,2\n"}),
            "A, line 3: 'product' is 'milk', expected a product that some resource bounds from above");
  EXPECT_EQ(of_amounts("bread,1,0\nmilk,1,0\n"),
            "A: column 'space' is 0 in all rows, expected at least one product that uses the resource");
  EXPECT_EQ(of_amounts("bread,1,1\n"), "A: there is 1 row, expected one for each product of the products file, 2");
  EXPECT_EQ(of_amounts("bread,1,1\nmilk,1,1\negg,1,1\n"),
            "A, line 4: 'product' is 'egg', expected only the 2 products of the products file");
  EXPECT_EQ(of_amounts("milk,1,1\nbread,1,1\n"),
            "A, line 2: 'product' is 'milk', expected 'bread', as in the order of the products file");
}

TEST(NewsvendorFiles, SayWhatIsWrongWithDemands) {
  const auto of_demands = [](const std::string& text) {
    return refusal({.products = "product,cost,holding,price\nbread,1,1,3\nmilk,1,1,3\n", .demands = text});
  };
  const std::string dropped = "; use --missing drop to leave such periods out";
  EXPECT_EQ(of_demands("bread,milk\n1,2\n"), "");
  EXPECT_EQ(of_demands("bread,milk\n1,\n"), "D, line 2: 'milk' is empty, expected a number" + dropped);
  EXPECT_EQ(of_demands("bread,milk\n1,2\n3\n"), "D, line 3: 1 field, expected 2: bread, milk");
  EXPECT_EQ(of_demands("bread,milk\nnan,2\n"), "D, line 2: 'bread' is 'nan', expected a number" + dropped);
  EXPECT_EQ(of_demands("bread\n1\n"), "D, line 1: product 'milk' has no column");
  EXPECT_EQ(of_demands("bread,milk,egg\n1,2,3\n"),
            "D, line 1: column 'egg' is not the name of a product; use --ignore to leave it out");
  EXPECT_EQ(of_demands("bread,milk,day\n1,2,x\n"), "");
  EXPECT_EQ(
      of_demands("bread,milk,id\n1,2,7\n"),
      "D: column 'id' has the name of a row identifier and holds whole numbers; use --ignore to leave the column out");
  EXPECT_EQ(refusal({.demands = "bread,milk\n1,2\n"}),
            "P, line 1: the columns are 'product, cost, holding, price, mean, deviation', expected either mean and "
            "deviation, or demand, or neither of these and a file of demands");
}

}  // namespace newsvendor_files_tests
}  // namespace sporos::test
