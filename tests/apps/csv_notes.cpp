// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every argument of every command that reads CSV understands a byte-order mark, ';', decimal commas and CRLF, takes the
// same numbers from such a file as from a plain one, and says how it was read.
#include "file_arguments.hpp"
#include "refusal.hpp"

#include <sporos/core/io/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace csv_notes_tests {

using io::Json;

constexpr auto program = "sporos-serial";

// An argument that reads CSV, and a command with it: words that begin with '@' are files in the folder.
struct Reader {
  std::string words, argument;  // of the commands that begin with these words
  std::string file, line;
  bool tells_on_stderr = false;  // where standard output is data, and of one format
};

void PrintTo(const Reader& reader, std::ostream* stream) { *stream << reader.words << " " << reader.argument; }

const std::vector<Reader> readers = {
    {"simulate", "--design", "design", "simulate mmck --customers 20 --replications 64 --design @design"},
    {"simulate newsboy", "--demand", "demand", "simulate newsboy --quantity 2 --replications 64 --demand @demand"},
    {"simulate pert", "--network", "network", "simulate pert --replications 64 --network @network"},
    {"optimize", "--start", "start", "optimize portfolio --returns @returns --epochs 1 --start @start"},
    {"optimize portfolio", "--returns", "returns", "optimize portfolio --returns @returns --epochs 1"},
    {"optimize portfolio", "--parameters", "parameters", "optimize portfolio --parameters @parameters --epochs 1"},
    {"optimize portfolio", "--covariance", "covariance", "optimize portfolio --covariance @covariance --epochs 1"},
    {"optimize portfolio", "--bounds", "bounds", "optimize portfolio --returns @returns --epochs 1 --bounds @bounds"},
    {"optimize newsvendor", "--products", "products", "optimize newsvendor --products @products"},
    {"optimize newsvendor", "--resources", "resources",
     "optimize newsvendor --products @products --resources @resources --amounts @amounts --epochs 1 --gap-batches 0"},
    {"optimize newsvendor", "--amounts", "amounts",
     "optimize newsvendor --products @products --resources @resources --amounts @amounts --epochs 1 --gap-batches 0"},
    {"optimize newsvendor", "--demands", "demands",
     "optimize newsvendor --demands @demands --cost 1 --price 3 --salvage 0.2"},
    {"optimize classification", "DATA", "data.csv", "optimize classification @data.csv"},
    {"optimize classification", "--data", "data.csv", "optimize classification --data @data.csv"},
    {"predict", "DATA", "data.csv", "predict @model @data.csv", true},
    {"fit", "DATA", "returns", "fit @returns --column A --components 1"},
    {"sample", "--extend", "points", "sample sobol --dimensions 2 --points 2 --extend @points", true}};

// That read JSON.
const std::vector<std::pair<std::string, std::string>> others = {{"simulate", "--plan"},
                                                                 {"simulate radiation", "--case"},
                                                                 {"simulate network", "--case"},
                                                                 {"optimize network", "--case"},
                                                                 {"select network", "--case"},
                                                                 {"describe network", "--case"},
                                                                 {"simulate germinal-centre", "CASE"},
                                                                 {"optimize", "--resume"},
                                                                 {"predict", "MODEL"}};

const std::vector<std::pair<std::string, std::string>> plain_files = {
    {"design", "servers,arrival_rate\n1,0.5\n2,1.5\n"},
    {"demand", "demand,probability\n1,0.25\n2,0.5\n4,0.25\n"},
    {"network", "activity,from,to,distribution\na,1,2,uniform(1 2.5)\nb,2,3,constant(1)\n"},
    {"start", "asset,weight\nA,0.75\nB,0.25\n"},
    {"returns", "A,B\n0.011,0.02\n-0.03,0.014\n0.02,-0.01\n0.012,0.021\n-0.013,0.001\n0.004,0.006\n"},
    {"parameters", "asset,mean,deviation,f\nA,0.25,1.5,0.5\nB,0.5,2.5,0.125\n"},
    {"covariance", "asset,mean,A,B\nA,0.25,2.5,0.5\nB,0.5,0.5,1.5\n"},
    {"bounds", "asset,low,high\nA,0.125,0.5\n"},
    {"products",
     "product,cost,holding,price,demand\nrye,1.1,0.1,3.2,normal(120 25)\nroll,0.15,0,0.55,normal(600 90)\n"},
    {"resources", "resource,capacity\noven,300.5\n"},
    {"amounts", "product,oven\nrye,1.4\nroll,0.25\n"},
    {"demands", "rye,roll\n1.5,2\n2,3.5\n4,1\n"},
    {"data.csv", "x,class\n0.5,no\n1.5,yes\n-0.25,no\n2.5,yes\n1.25,no\n0.75,yes\n"}};

// The same table by a byte-order mark, semicolons, decimal commas and CRLF; a distribution's numbers keep their points.
std::string other_form(const std::string& text) {
  std::string form = std::regex_replace(text, std::regex(","), ";");
  form = std::regex_replace(form, std::regex("([0-9])\\.([0-9]+)(?![^;\n]*\\))"), "$1,$2");
  return "\xEF\xBB\xBF" + std::regex_replace(form, std::regex("\n"), "\r\n");
}

// Without what differs from run to run, and the notes.
void reduce(Json& json) {
  if (json.is_object()) {
    for (const char* name : {"run", "seconds", "notes"}) json.erase(name);
  }
  for (Json& member : json) {
    if (member.is_structured()) reduce(member);
  }
}

class CsvNotes : public testing::TestWithParam<Reader> {
 protected:
  CsvNotes() {
    for (const auto& [name, text] : plain_files) m_folder.write(name, text);
    m_folder.write("points", run(program, words("sample sobol --dimensions 2 --points 2")).out);
    run(program, words("optimize classification " + (m_folder / "data.csv") + " --model " + (m_folder / "model")));
  }

  Outcome outcome(const std::string& more) const {
    std::vector<std::string> arguments;
    for (const auto& word : words(GetParam().line + more)) {
      arguments.push_back(word.starts_with('@') ? m_folder / word.substr(1) : word);
    }
    const Outcome outcome = run(program, arguments);
    EXPECT_EQ(outcome.status, 0) << GetParam().line << more << ": " << outcome.error;
    return outcome;
  }

  Folder m_folder;
};

TEST_P(CsvNotes, SayHowTheFileWasRead) {
  const Reader& reader = GetParam();
  const std::string path = m_folder / reader.file, plain = contents_of(path), other = other_form(plain);
  const bool has_commas = std::regex_search(other, std::regex("[0-9],[0-9]"));
  const std::string note = path + " has a byte-order mark, ';' between its fields, " +
                           (has_commas ? "decimal commas, " : "") + "lines that end with CRLF";
  EXPECT_TRUE(has_commas || reader.file == "network");

  const std::string form = reader.tells_on_stderr ? "" : " --format json";
  const Outcome before = outcome(form), table_before = outcome("");
  for (const Outcome* control : {&before, &table_before}) {
    EXPECT_EQ((control->out + control->error).find(" between its fields"), std::string::npos) << "of a plain file";
  }
  m_folder.write(reader.file, other);
  const Outcome after = outcome(form);
  if (reader.tells_on_stderr) {
    EXPECT_NE(after.error.find(note), std::string::npos) << after.error;
    EXPECT_EQ(after.out, before.out);
    return;
  }
  EXPECT_NE(outcome("").out.find("\n" + note + "\n"), std::string::npos) << outcome("").out;
  Json json = Json::parse(after.out), expected = Json::parse(before.out);
  const Json notes = json.contains("notes") ? json["notes"] : json.at("data").at("notes");
  EXPECT_EQ(std::count(notes.begin(), notes.end(), Json(note)), 1) << notes;
  reduce(json);
  reduce(expected);
  EXPECT_EQ(json, expected);
}

INSTANTIATE_TEST_SUITE_P(Of, CsvNotes, testing::ValuesIn(readers));

TEST(CsvNotesTable, HasEveryArgumentThatReadsCsv) {
  for (const FileArgument& argument : file_arguments()) {
    if (!argument.is_read()) continue;
    const auto is_it = [&](const std::string& words, const std::string& name) {
      return argument.is_of(words) && argument.argument == name;
    };
    const auto known = std::count_if(readers.begin(), readers.end(),
                                     [&](const Reader& reader) { return is_it(reader.words, reader.argument); }) +
                       std::count_if(others.begin(), others.end(),
                                     [&](const auto& other) { return is_it(other.first, other.second); });
    EXPECT_EQ(known, 1) << argument.command << ' ' << argument.argument;
  }
}

}  // namespace csv_notes_tests
}  // namespace sporos::test
