// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells that a person reads as a number, or as a missing one, in each row of a column of numbers, for each reader of
// tables. Each is refused, and the message names the cell. No reader takes another column, or a category, instead.
#include "../models/files.hpp"

#include <sporos/core/io/near_number.hpp>
#include <sporos/models/classification/rows_to_predict.hpp>
#include <sporos/models/finance/portfolio_files.hpp>
#include <sporos/models/inventory/demand.hpp>
#include <sporos/models/inventory/newsvendor_files.hpp>
#include <sporos/models/mixtures/observation_file.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::test {
namespace cells_tests {

// A cell and a part of its message, which is empty for a cell that is plainly a text.
struct BadCell {
  std::string text;
  std::string_view remedy;
};

const std::vector<BadCell> bad_cells = {{".", "write NA"},
                                        {"-", "write NA"},
                                        {"missing", "write NA"},
                                        {"none", "write NA"},
                                        {"#DIV/0!", "write NA"},
                                        {"<0.5", "a bound is not a value"},
                                        {"5.1 ms", "without the unit"},
                                        {"5ms", "without the unit"},
                                        {"12%", "a percentage"},
                                        {"$5", "without the currency"},
                                        {"5 \xE2\x82\xAC", "without the currency"},
                                        {"(5)", "a negative number"},
                                        {"1 234", "thousands separators"},
                                        {"1.628,5", "thousands separators"},
                                        {"1'628", "thousands separators"},
                                        {"1,628", "thousands separators"},
                                        {"1,5", "a decimal point"},
                                        {"\xE2\x88\x92"
                                         "7",
                                         "write the sign as '-'"},
                                        {"x", ""},
                                        {"--7", ""}};

// A reader, with the names of a table's columns and its rows. The bad cells are placed in `column`.
struct Reader {
  std::string name, names;
  std::vector<std::vector<std::string>> rows;
  std::size_t column;
  std::function<void(const std::string&)> read;
};

std::vector<Reader> readers() {
  const std::vector<std::vector<std::string>> numbers = {
      {"0.3", "-0.02", "2"}, {"-0.1", "0.01", "1"}, {"0.2", "0.03", "1"}, {"-0.4", "0.05", "3"}, {"0.5", "-0.01", "1"}};
  std::vector<std::vector<std::string>> classes = numbers;
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i].push_back(i % 2 == 0 ? "no" : "yes");
  std::vector<std::vector<std::string>> named;
  for (std::size_t i = 0; i < numbers.size(); ++i) named.push_back({"n" + std::to_string(i), "0.5", "1", "2"});
  const std::vector<std::vector<std::string>> days = {
      {"2024-01-01", "5.5", "7"}, {"2024-01-02", "6", "9"}, {"2024-01-03", "4", "8"}, {"2024-01-04", "3", "5"}};
  const models::KnownRows known{3, {"a", "b", "c"}, {"no", "yes"}, "y", {}, {1, 1, 1}};
  return {
      {"a sample, its column chosen", "day,v,shop", days, 1, [](const auto& path) { models::read_observations(path); }},
      {"a sample, its column named", "day,v,shop", days, 1,
       [](const auto& path) { models::read_observations(path, "v"); }},
      {"weights", "day,v,w", days, 2, [](const auto& path) { models::read_observations(path, "v", "w"); }},
      {"features", "a,b,c,y", classes, 0, [](const auto& path) { models::read_classified_csv(path, ""); }},
      {"features with means for missing ones", "a,b,c,y", classes, 1,
       [](const auto& path) {
         models::read_classified_csv(path, "", {{}, {}, models::MissingValues::mean});
       }},
      {"rows to predict", "a,b,c,y", classes, 1,
       [known](const auto& path) { models::read_csv_to_predict(path, known, "", true); }},
      {"returns", "A,B,C", numbers, 1, [](const auto& path) { models::read_returns_file(path, {{"C"}}); }},
      {"prices", "date,A,B", days, 2,
       [](const auto& path) {
         models::read_returns_file(path, {{}, true, true, true});
       }},
      {"demands", "day,rye,roll", days, 2,
       [](const auto& path) {
         models::read_newsvendor_demands(path, {1, 0, 3});
       }},
      {"demands, those missing dropped", "day,rye,roll", days, 1,
       [](const auto& path) {
         models::read_newsvendor_demands(path, {1, 0, 3}, "", "", {{}, true});
       }},
      {"normal returns", "asset,mean,deviation,f", named, 2,
       [](const auto& path) { models::read_normal_returns(path); }},
      {"a demand",
       "demand,frequency",
       {{"1", "20"}, {"2", "30"}, {"4", "50"}},
       1,
       [](const auto& path) {
         std::vector<std::string> notes;
         models::read_demand(path, notes);
       }},
      {"products",
       "product,cost,holding,price,demand",
       {{"a", "1", "0", "3", "poisson(9)"}, {"b", "1", "0", "3", "poisson(9)"}},
       1,
       [](const auto& path) { models::read_newsvendor(path, "", ""); }}};
}

std::string text_of(const Reader& reader) {
  std::string text = reader.names + '\n';
  for (const auto& row : reader.rows) io::append_csv_row(text, row);
  return text;
}

std::string name_of_column(const Reader& reader) {
  std::string_view names = reader.names;
  for (std::size_t i = 0; i < reader.column; ++i) names.remove_prefix(names.find(',') + 1);
  return std::string(names.substr(0, names.find(',')));
}

TEST(BadCells, AreRefusedInEachRowByEachReader) {
  std::size_t tried = 0;
  for (Reader reader : readers()) {
    const std::string whole = refusal_of(reader.read, text_of(reader));
    const bool is_chosen = reader.name == "a sample, its column chosen";
    EXPECT_TRUE(is_chosen || whole.empty()) << reader.name << whole;  // control
    for (std::size_t row = 0; row < reader.rows.size(); ++row) {
      for (const auto& [cell, remedy] : bad_cells) {
        SCOPED_TRACE(reader.name + ", row " + std::to_string(row) + ", " + cell);
        Reader broken = reader;
        broken.rows[row][broken.column] = cell;
        const std::string message = refusal_of(broken.read, text_of(broken));
        EXPECT_NE(message.find(", line " + std::to_string(row + 2) + ":"), std::string::npos) << message;
        EXPECT_NE(message.find("'" + cell + "'"), std::string::npos) << message;
        EXPECT_NE(message.find(name_of_column(reader)), std::string::npos) << message;
        EXPECT_NE(message.find(remedy), std::string::npos) << message;
        ++tried;
      }
    }
    reader.rows[0][reader.column] = "+" + reader.rows[0][reader.column];
    const bool is_positive = reader.rows[0][reader.column][1] != '-';
    EXPECT_TRUE(is_chosen || !is_positive || refusal_of(reader.read, text_of(reader)).empty()) << reader.name;
  }
  EXPECT_GT(tried, 1000u);
}

// Identifiers, dates and totals, for each reader that chooses its columns itself.
struct Identifier {
  std::string name;
  std::function<std::string(int)> cell;
};

TEST(Identifiers, AreNoQuantities) {
  const auto number = [](double first, double step) {
    return [=](int i) { return fmt::format("{:.0f}", first + i * step); };
  };
  const std::vector<Identifier> identifiers = {
      {"X", number(1, 1)},
      {"X", number(0, 1)},
      {"rownames", number(7, 3)},
      {"Unnamed: 0", number(0, 1)},
      {"id", [](int i) { return std::to_string(842302 + 7919 * (i % 7)); }},
      {"yyyymm", [](int i) { return std::to_string(202401 + 100 * (i / 12) + i % 12); }},
      {"when", [](int i) { return std::to_string(202401 + 100 * (i / 12) + i % 12); }},
      {"t", number(694224000, 86400)},
      {"t", number(1704067200000, 86400000)},
      {"serial", number(33604, 1)},
      {"when", [](int i) { return fmt::format("2024-01-{:02d}", i + 1); }},
      {"when", [](int i) { return fmt::format("202401{:02d}", i + 1); }},
      {"when", [](int i) { return fmt::format("{:02d}.01.2024 12:30", i + 1); }}};
  const auto table_with = [](const Identifier& identifier, bool is_first) {
    std::string text = is_first ? identifier.name + ",a,y\n" : "a," + identifier.name + ",y\n";
    for (int i = 0; i < 24; ++i) {
      const std::string value = fmt::format("{:.2f}", 0.3 * ((i * 4) % 9 - 4)), cell = identifier.cell(i);
      text += (is_first ? cell + ',' + value : value + ',' + cell) + (i % 2 == 0 ? ",0.5\n" : ",-0.25\n");
    }
    return text;
  };
  for (const auto& identifier : identifiers) {
    for (const bool is_first : {true, false}) {
      const std::string table = table_with(identifier, is_first);
      SCOPED_TRACE(table.substr(0, 40));
      const TemporaryFile file(table);
      std::vector<std::string> taken;
      const auto take = [&](const auto& read) {
        try {
          for (const auto& name : read()) taken.push_back(name);
        } catch (const std::invalid_argument& error) {
          const std::string message = error.what();
          EXPECT_NE(message.find(identifier.name), std::string::npos) << message;
          EXPECT_NE(message.find("--ignore"), std::string::npos) << message;
        }
      };
      take([&] { return models::read_returns_file(file.path()).returns.names; });
      take([&] { return models::read_newsvendor_demands(file.path(), {1, 0, 3}).product_names; });
      take([&] { return models::read_classified_csv(file.path(), "").feature_names; });
      take([&] { return std::vector{models::read_observations(file.path(), {"", "", {"a", "y"}}).column}; });
      EXPECT_EQ(std::count(taken.begin(), taken.end(), identifier.name), 0);
      EXPECT_EQ(models::read_returns_file(file.path(), {{identifier.name}}).returns.assets(), 2);
    }
  }
}

TEST(Identifiers, AreNotSeenInQuantities) {
  const TemporaryFile file("demand,a\n1,7\n2,5\n4,9\n3,7\n5,12\n6,3\n"),
      sales("a,b\n1990,3\n2005,2\n1996,8\n2011,9\n2000,1\n");
  EXPECT_EQ(models::read_newsvendor_demands(file.path(), {1, 0, 3}).product_names.size(), 2u);
  EXPECT_EQ(models::read_newsvendor_demands(sales.path(), {1, 0, 3}).product_names.size(), 2u);
  const TemporaryFile list("y\n1\n2\n3\n4\n5\n");
  EXPECT_EQ(models::read_observations(list.path()).sample.values.size(), 5u);
}

TEST(Totals, AreNoObservations) {
  const auto refusal = [](const std::string& last, const auto& read) {
    return refusal_of(read, "day,v,w\n2024-01-01,5,0.1\n2024-01-02,6,0.2\n2024-01-03,7,0.3\n" + last + '\n');
  };
  const std::vector<std::function<void(const std::string&)>> all = {
      [](const std::string& path) { models::read_observations(path, "v"); },
      [](const std::string& path) {
        models::read_observations(path, {"", "", {"w"}});
      },
      [](const std::string& path) {
        models::read_returns_file(path, {{}, true, false, true});
      },
      [](const std::string& path) { models::read_classified_csv(path, "v", {{"day"}}); },
      [](const std::string& path) {
        models::read_newsvendor_demands(path, {1, 0, 3});
      }};
  for (const auto& read : all) {
    for (const char* last : {"Total,18,0.6", "sum,18,0.6", "Average,6,0.2"}) {
      const std::string message = refusal(last, read);
      EXPECT_NE(message.find(", line 5: 'day' is '" + std::string(last).substr(0, 3)), std::string::npos) << message;
      EXPECT_NE(message.find("delete"), std::string::npos) << message;
    }
  }
  EXPECT_EQ(refusal("2024-01-04,8,0.4", all[0]), "");
}

TEST(Prices, AreNoReturns) {
  const auto refusal = [](const std::string& text) {
    return refusal_of([](const std::string& path) { models::read_returns_file(path); }, text);
  };
  EXPECT_EQ(refusal("A,B\n100.5,0.01\n101.25,0.02\n99.75,-0.01\n"),
            ": column 'A' holds numbers from 99.75 to 101.25, which look like prices, not returns; use --prices to "
            "read prices, use --ignore to leave the column out, or divide returns in percent by 100");
  EXPECT_EQ(refusal("A,B\n0.001,0.01\n0.0012,0.02\n0.0011,-0.01\n"), "");
  const TemporaryFile prices("date,A\n2024-01-01,100\n2024-01-02,NA\n2024-01-03,110\n2024-01-04,99\n");
  const auto read = models::read_returns_file(prices.path(), {{}, true, true, true});
  ASSERT_EQ(read.returns.values.size(), 2u);
  EXPECT_NEAR(read.returns.values[0], 0.1, 1e-15);
  EXPECT_NEAR(read.returns.values[1], -0.1, 1e-15);
  EXPECT_EQ(read.returns.dates, (std::vector<std::string>{"2024-01-03", "2024-01-04"}));
  EXPECT_EQ(read.notes, std::vector<std::string>{"days left out because a value is missing: 1"});
  const auto of_prices = [](const std::string& path) { models::read_returns_file(path, {{}, true, false, true}); };
  EXPECT_EQ(refusal_of(of_prices, "date,A\n2024-01-03,100\n2024-01-02,99\n2024-01-01,98\n"),
            ": the dates go from '2024-01-03' to '2024-01-01', expected the oldest prices first");
  EXPECT_EQ(refusal_of(of_prices, "date,A\n31/12/2020,100\n30/12/2020,99\n29/12/2020,98\n"),
            ": the dates go from '31/12/2020' to '29/12/2020', expected the oldest prices first");
  EXPECT_EQ(refusal_of(of_prices, "date,A\n01/15/2021,100\n12/31/2020,99\n12/30/2020,98\n"),
            ": the dates go from '01/15/2021' to '12/30/2020', expected the oldest prices first");
  EXPECT_EQ(refusal_of(of_prices, "A\n100\n0\n98\n"), ", line 3: 'A' is 0, expected a price above 0");
}

TEST(Thousands, AreRefusedWhereTheyMayBeDecimals) {
  const auto refusal = [](const std::string& text) {
    return refusal_of([](const std::string& path) { models::read_observations(path, "sales"); }, text);
  };
  EXPECT_EQ(
      refusal("sales;shop\n937;1\n1.628;2\n2.100;1\n"),
      ", line 3: 'sales' is '1.628', which may be 1628 with a thousands separator or a number with decimals, and no "
      "other number of the file shows which; write 1628 or 1.6280");
  EXPECT_EQ(refusal("sales;shop\n937;1\n1.628;2\n2.15;1\n"), "");
  EXPECT_EQ(refusal("sales;shop\n937;1\n1.628;2\n0.125;1\n"), "");
  EXPECT_EQ(refusal("sales,shop\n937,1\n1.628,2\n2.100,1\n"), "");
  EXPECT_EQ(refusal("sales;shop\n937;1\n1.628561746555765;2\n2.100;1\n"), "");
  const TemporaryFile list("-2.389561746555765\n1.628\n+1.5\n");
  EXPECT_EQ(models::read_observations(list.path()).sample.values.size(), 3u);
}

TEST(DefaultExports, OfPandasRAndSpreadsheetsAreRead) {
  const auto read = [](const std::string& text) {
    const TemporaryFile file(text);
    return models::read_returns_file(file.path());
  };
  const std::string rest[] = {",0.5,0.1\n", ",-0.25,0.2\n", ",0.125,-0.1\n"};
  const auto indexed = [&](const std::array<std::string, 3>& index, const std::string& name = "") {
    return name + ",A,B\n" + index[0] + rest[0] + index[1] + rest[1] + index[2] + rest[2];
  };
  for (const auto& index : {std::array<std::string, 3>{"0", "1", "2"},
                            {"1", "2", "3"},
                            {"7", "3", "90"},
                            {"Mazda RX4", "Datsun 710", "Valiant"},
                            {"\"1\"", "\"2\"", "\"3\""}}) {
    EXPECT_EQ(read(indexed(index, index[0][0] == '"' ? "\"\"" : "")).returns.names,
              (std::vector<std::string>{"A", "B"}))
        << index[0];
  }
  const auto dated = read(indexed({"2024-01-01", "2024-01-02", "2024-01-03"}));
  EXPECT_EQ(dated.returns.dates[2], "2024-01-03");
  EXPECT_EQ(read("sep=;\nA;B\n0,5;0,1\n-0,25;0,2\n").returns.values, (std::vector<double>{0.5, 0.1, -0.25, 0.2}));
  for (const auto& index : {std::array<std::string, 3>{"1", "1", "2"}, {"a", "a", "b"}, {"0.5", "1.5", "2.5"}}) {
    EXPECT_THROW(read(indexed(index)), std::invalid_argument) << index[0];
  }
}

TEST(Thousands, HaveGroupsOfThreeDigits) {
  for (const char* text : {"1.628", "1,628", "12.345.678", "1.628,5", "1 234", "1'234.5", "999.000"}) {
    EXPECT_TRUE(io::impl::has_thousands(text)) << text;
  }
  for (const char* text :
       {"0.125", "1.62", "1.6285", "2.389561746555765", "1628.500", "1.628.5", "1.628,5x", "1.", "12"}) {
    EXPECT_FALSE(io::impl::has_thousands(text)) << text;
  }
}

TEST(RowForms, AreThoseOfTheFirstLine) {
  using models::RowForm;
  EXPECT_EQ(models::row_form("+1 3:0.5 7:1\n"), RowForm::libsvm);
  EXPECT_EQ(models::row_form("1\t3:0.5\n"), RowForm::libsvm);
  EXPECT_EQ(models::row_form("1\n-1 2:1\n"), RowForm::label);
  EXPECT_EQ(models::row_form("5.1,3.5,1.4,0.2,Iris-setosa\n"), RowForm::csv);
  EXPECT_EQ(models::row_form("time;y\n12:30;0\n"), RowForm::csv);
  EXPECT_EQ(models::row_form("A11 6 A34 A43 1169\n"), RowForm::neither);
}

}  // namespace cells_tests
}  // namespace sporos::test
