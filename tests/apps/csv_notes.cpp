// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every argument that reads CSV accepts a byte-order mark, ';', decimal commas and CRLF. It reads the same numbers from
// such a file as from a plain one, and a note reports the format.
#include "csv_readers.hpp"
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

// Arguments that read JSON.
const std::vector<std::pair<std::string, std::string>> others = {
    {"simulate", "--plan"},           {"replay", "--plan"},           {"compare-samplings", "--plan"},
    {"simulate radiation", "--case"}, {"simulate network", "--case"}, {"optimize network", "--case"},
    {"select network", "--case"},     {"describe network", "--case"}, {"simulate germinal-centre", "CASE"},
    {"optimize", "--resume"},         {"predict", "MODEL"},           {"merge", "PART"}};

// The table with a byte-order mark, semicolons, decimal commas and CRLF. Numbers of distributions keep their points.
std::string other_form(const std::string& text) {
  std::string form = std::regex_replace(text, std::regex(","), ";");
  form = std::regex_replace(form, std::regex("([0-9])\\.([0-9]+)(?![^;\n]*\\))"), "$1,$2");
  return "\xEF\xBB\xBF" + std::regex_replace(form, std::regex("\n"), "\r\n");
}

// Removes the notes and the members that differ from run to run.
void reduce(Json& json) {
  if (json.is_object()) {
    for (const char* name : {"run", "seconds", "seconds_in_replications", "notes"}) json.erase(name);
  }
  for (Json& member : json) {
    if (member.is_structured()) reduce(member);
  }
}

class CsvNotes : public testing::TestWithParam<CsvReader> {
 protected:
  CsvNotes() { write_csv_files(m_folder); }

  Outcome outcome(const std::string& more) const {
    const Outcome outcome = run(first_program, arguments_in(m_folder, GetParam().line + more));
    EXPECT_EQ(outcome.status, 0) << GetParam().line << more << ": " << outcome.error;
    return outcome;
  }

  Folder m_folder;
};

TEST_P(CsvNotes, SayHowTheFileWasRead) {
  const CsvReader& reader = GetParam();
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
  const Json notes =
      json.contains("data") ? json["data"].value("notes", json.value("notes", Json())) : json.at("notes");
  EXPECT_EQ(std::count(notes.begin(), notes.end(), Json(note)), 1) << notes;
  reduce(json);
  reduce(expected);
  EXPECT_EQ(json, expected);
}

INSTANTIATE_TEST_SUITE_P(Of, CsvNotes, testing::ValuesIn(csv_readers));

TEST(CsvNotesTable, HasEveryArgumentThatReadsCsv) {
  for (const FileArgument& each : file_arguments()) {
    const FileArgument argument = each.of_simulation();
    if (!argument.is_read()) continue;
    const auto is_it = [&](const std::string& words, const std::string& name) {
      return argument.is_of(words) && argument.argument == name;
    };
    const auto known = std::count_if(csv_readers.begin(), csv_readers.end(),
                                     [&](const CsvReader& reader) { return is_it(reader.words, reader.argument); }) +
                       std::count_if(others.begin(), others.end(),
                                     [&](const auto& other) { return is_it(other.first, other.second); });
    EXPECT_EQ(known, 1) << argument.command << ' ' << argument.argument;
  }
}

}  // namespace csv_notes_tests
}  // namespace sporos::test
