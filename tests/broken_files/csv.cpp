// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CSV and LIBSVM files, valid and broken. No reader crashes, and each number that one takes from a file is a number
// there by an independent grammar.
#include "../models/files.hpp"
#include "mutations.hpp"
#include "references.hpp"

#include <sporos/core/io/named_rows.hpp>
#include <sporos/models/classification/data_files.hpp>
#include <sporos/models/classification/rows_to_predict.hpp>
#include <sporos/models/finance/portfolio_files.hpp>
#include <sporos/models/inventory/demand.hpp>
#include <sporos/models/inventory/newsvendor_files.hpp>
#include <sporos/models/mixtures/observation_file.hpp>
#include <sporos/models/projects/network.hpp>

#include <gtest/gtest.h>

#include <boost/tokenizer.hpp>

#include <cmath>
#include <functional>
#include <iterator>
#include <regex>

namespace sporos::test {
namespace broken_csv_tests {

using Records = ReferenceCsv::Records;

struct Document {
  Records records;  // names of the columns, then rows
  char separator;
  std::string text;
};

// A random field that is valid in any CSV file.
std::string random_text(Draws& draws) {
  static constexpr auto parts = std::to_array<std::string_view>(
      {"a", "b", "Z", " ", ",", ";", "\"", "\n", "\r\n", "\\", "\xC3\xA9", "\xE2\x82\xAC", "0", "-", "NA"});
  std::string text = "t";
  for (std::size_t i = draws.below(5); i > 0; --i) text += draws.one_of(parts);
  return text + "t";
}

std::string random_number(Draws& draws, char point) {
  std::string number = draws.once_in(3) ? "-" : "";
  number += std::to_string(draws.below(1000));
  if (!draws.once_in(3)) number += point + std::to_string(draws.below(1000));
  if (draws.once_in(5)) number += draws.once_in(2) ? "e-3" : "E12";
  return number;
}

std::string quoted(const std::string& field) { return '"' + std::regex_replace(field, std::regex("\""), "\"\"") + '"'; }

Document random_document(Draws& draws) {
  const char separator = std::string_view(",;\t")[draws.below(3)];
  const char point = separator != ',' && draws.once_in(2) ? ',' : '.';
  const std::string end = draws.once_in(3) ? "\r\n" : "\n";
  const std::size_t columns = 2 + draws.below(4), rows = 1 + draws.below(6);
  Document document{{}, separator, draws.once_in(4) ? "\xEF\xBB\xBF" : ""};
  for (std::size_t i = 0; i <= rows; ++i) {
    document.records.emplace_back();
    for (std::size_t j = 0; j < columns; ++j) {
      const bool shows_decimals = i == 1 && j + 1 == columns;  // otherwise 610,400 may have a thousands separator
      const std::string field = i == 0 ? "n" + std::to_string(j) + (draws.once_in(3) ? random_text(draws) : "")
                                : shows_decimals ? std::string("0") + point + '5'
                                : j == 0         ? random_text(draws)
                                                 : random_number(draws, point);
      const bool is_quoted = draws.once_in(4) || field.find_first_of(",;\t\"\r\n") != std::string::npos;
      document.text += (j == 0 ? "" : std::string(1, separator)) + (is_quoted ? quoted(field) : field);
      document.records.back().push_back(field);
    }
    document.text += end;
  }
  return document;
}

// Fields and numbers that a reader takes from a file. It refuses a file by std::invalid_argument.
struct Taken {
  Records records;
  std::vector<std::vector<std::optional<double>>> numbers;
  std::string note;
};

Taken taken_by_sporos(const std::string& text) {
  io::NamedRows rows("f", text, {});
  Taken taken{{rows.names()}, {}, {}};
  while (rows.next()) {
    taken.records.emplace_back();
    taken.numbers.emplace_back();
    for (std::size_t j = 0; j < rows.names().size(); ++j) {
      taken.records.back().emplace_back(rows.field(j));
      taken.numbers.back().push_back(io::number_of<double>(rows.number_text(j)));
    }
  }
  taken.note = rows.note();
  return taken;
}

// Control: an earlier reader of Sporos, for which backslashes escape and quotes may stand anywhere.
Taken taken_by_tokenizer(const std::string& text) {
  Taken taken;
  if (text.empty()) throw std::invalid_argument("empty");
  std::string_view left = text;
  while (!left.empty()) {
    const auto end = std::min(left.find('\n'), left.size());
    std::string line(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    taken.records.emplace_back();
    taken.numbers.emplace_back();
    try {
      for (const auto& field : boost::tokenizer<boost::escaped_list_separator<char>>(line)) {
        taken.records.back().push_back(field);
        taken.numbers.back().push_back(io::number_of<double>(field));
      }
    } catch (const boost::escaped_list_error& error) {
      throw std::invalid_argument(error.what());
    }
  }
  taken.numbers.erase(taken.numbers.begin());
  return taken;
}

char separator_of(const std::string& note) {
  if (note.find("';' between") != std::string::npos) return ';';
  return note.find("tabs between") != std::string::npos ? '\t' : ',';
}

// Removes empty lines at the end, which are no rows, and rows of one empty field there, which look like them.
Records without_empty_end(Records records) {
  while (!records.empty() && records.back() == std::vector<std::string>{""}) records.pop_back();
  return records;
}

// Describes what was taken from the text although it is not there; empty if nothing was.
std::string invention(std::string text, const Taken& taken) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  const char separator = separator_of(taken.note), point = taken.note.find("commas") != std::string::npos ? ',' : '.';
  const auto records = ReferenceCsv(text, separator).records();
  if (!records) return "a file that is no CSV";
  Records expected = without_empty_end(*records);
  if (taken.note.find("an index, which is left out") != std::string::npos) {
    for (auto& record : expected) record.erase(record.begin());
  }
  if (without_empty_end(expected) != without_empty_end(taken.records)) return "other fields";
  for (std::size_t i = 0; i < taken.numbers.size(); ++i) {
    for (std::size_t j = 0; j < taken.numbers[i].size(); ++j) {
      const auto number = taken.numbers[i][j];
      if (!number || !std::isfinite(*number)) continue;  // all readers refuse these
      const std::string& field = taken.records[i + 1][j];
      if (number != reference_number(field, point) && number != reference_number(field)) return "a number in " + field;
    }
  }
  return "";
}

TEST(BrokenFiles, WholeCsvIsReadAsItWasWritten) {
  Draws draws(1);
  for (std::size_t i = inputs(10); i > 0; --i) {
    const Document document = random_document(draws);
    Taken taken;
    ASSERT_NO_THROW(taken = taken_by_sporos(document.text)) << document.text;
    EXPECT_EQ(taken.records, document.records) << document.text;
    for (const auto& row : taken.numbers) EXPECT_TRUE(row[0] == std::nullopt && row.back()) << document.text;
    std::string written;
    for (const auto& record : document.records) io::append_csv_row(written, record);
    EXPECT_EQ(taken_by_sporos(written).records, document.records) << written;
  }
}

// Number of broken files that a reader takes, and number of files from which it takes what is not there.
struct Counts {
  std::size_t taken = 0, invented = 0;
  std::string first;
};

template <class Reader>
Counts counts(const Reader& reader, std::size_t count) {
  Counts counts;
  Draws draws(2);
  for (; count > 0; --count) {
    const std::string text = mutated(random_document(draws).text, draws);
    try {
      const Taken taken = reader(text);
      ++counts.taken;
      const std::string fault = invention(text, taken);
      if (fault.empty()) continue;
      if (counts.invented++ == 0) counts.first = fault + " from\n" + text;
    } catch (const std::invalid_argument&) {
    }
  }
  return counts;
}

TEST(BrokenFiles, NoNumberIsTakenFromBrokenCsv) {
  const std::size_t count = inputs(40);
  const Counts found = counts(taken_by_sporos, count);
  EXPECT_EQ(found.invented, 0u) << found.first;
  EXPECT_GT(found.taken, count / 10);  // many changes leave a file valid
  EXPECT_LT(found.taken, count);
}

TEST(BrokenFiles, ReaderThatTakesThemIsFound) { EXPECT_GT(counts(taken_by_tokenizer, inputs(5)).invented, 0u); }

// Readers of files whose columns have a meaning, each with a valid file.
TEST(BrokenFiles, ReadersOfTablesRefuseOrTake) {
  const models::KnownRows known{2, {"a", "c = x"}, {"no", "yes"}, "z", {{"a", {}}, {"c", {"x"}}}, {1, 0.5}};
  const models::FeatureReading filling{{}, {}, models::MissingValues::mean};
  const std::string list = "1\n2.5\n3\n4\n", table = "a,c,z\n1,x,no\n2,y,yes\n,x,no\n4,y,yes\n";
  const std::vector<std::pair<std::string, std::function<void(const std::string&)>>> readers = {
      {table, [&](const std::string& path) { models::read_classified_csv(path, "z", filling); }},
      {table, [&](const std::string& path) { models::read_csv_to_predict(path, known, "", true, filling); }},
      {list, [](const std::string& path) { models::read_observations(path); }},
      {"day,y,w\n2024-01-02,1.5,2\n2024-01-03,NA,1\n2024-01-04,3,1\n",
       [](const std::string& path) {
         models::read_observations(path, {"", "w", {}, true});
       }},
      {"Date,A,B\n20240102,0.01,0.02\n20240103,-0.03,0\n",
       [](const std::string& path) { models::read_returns_file(path); }},
      {"asset,mean,deviation,f\nA,1,2,3\nB,4,5,6\n",
       [](const std::string& path) { models::read_normal_returns(path); }},
      {"asset,mean,A,B\nA,1,2,1\nB,2,1,3\n", [](const std::string& path) { models::read_covariance(path); }},
      {"demand,frequency\n1,50\n2,50\n",
       [](const std::string& path) {
         std::vector<std::string> notes;
         models::read_demand(path, notes);
       }},
      {"activity,from,to,distribution\na,1,2,\"gamma(2, 3)\"\nb,2,3,uniform(1;2)\n", [](const std::string& path) {
         std::vector<std::string> notes;
         models::read_network(path, notes);
       }}};
  Draws draws(3);
  std::size_t refused = 0;
  const std::size_t count = inputs(15);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [whole, read] = readers[i % readers.size()];
    refused += refusal_of(read, mutated(whole, draws)).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, count / 10);
}

// Whether each line has a label and index:value pairs. The order of the indices is not checked.
bool is_libsvm(const std::string& text) {
  static const std::string number = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?";
  static const std::regex line("[ \\t]*" + number + "([ \\t]+[0-9]+:" + number + ")*[ \\t]*(#[^\n]*)?");
  std::string_view left = text;
  while (!left.empty()) {
    const auto end = left.find('\n');
    if (end == std::string_view::npos || !std::regex_match(left.begin(), left.begin() + static_cast<long>(end), line)) {
      return false;
    }
    left.remove_prefix(end + 1);
  }
  return !text.empty();
}

TEST(BrokenFiles, NoNumberIsTakenFromBrokenLibsvm) {
  Draws draws(4);
  std::size_t taken = 0;
  for (std::size_t i = inputs(10); i > 0; --i) {
    std::string whole;
    for (std::size_t row = 0; row < 4; ++row) {
      whole += row % 2 == 0 ? "-1" : "+1";
      for (std::size_t index = 1 + draws.below(3); index < 9; index += 1 + draws.below(4)) {
        whole += " " + std::to_string(index) + ":" + random_number(draws, '.');
      }
      whole += draws.once_in(5) ? " # note\n" : "\n";
    }
    ASSERT_EQ(refusal_of([](const std::string& path) { models::read_libsvm(path); }, whole), "") << whole;
    const std::string text = mutated(whole, draws);
    const bool is_taken = refusal_of([](const std::string& path) { models::read_libsvm(path); }, text).empty();
    EXPECT_TRUE(!is_taken || is_libsvm(text)) << text;
    taken += is_taken;
  }
  EXPECT_GT(taken, 0u);
}

}  // namespace broken_csv_tests
}  // namespace sporos::test
