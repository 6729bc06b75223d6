// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No command writes to a file that it reads, or twice to one file. The tests try every pair of arguments of every
// command.
#include "file_arguments.hpp"
#include "no_backend.hpp"
#include "refusal.hpp"

#include <sporos/core/sampling/sampling.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace named_files_tests {

using runtime::FileUse;

// Words after `beginning` in the lines of a text, such as the names in a list of models. Two spaces follow each word.
std::vector<std::string> first_words(const std::string& text, const std::string& beginning) {
  std::vector<std::string> found;
  const std::regex line("(^|\n)" + beginning + "([a-z0-9-]+)  ");
  for (auto match = std::sregex_iterator(text.begin(), text.end(), line); match != std::sregex_iterator(); ++match) {
    found.push_back((*match)[2]);
  }
  return found;
}

const std::string& help_of(const std::string& command) {
  static std::map<std::string, std::string> known;
  const auto [help, is_new] = known.emplace(command, "");
  if (!is_new) return help->second;
  const auto outcome = ending_of(words(command + " --help-all"));
  EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.error;
  help->second = outcome.out;
  return help->second;
}

// Whether the help of a command lists models.
bool is_about_models(const std::string& command) { return help_of(command).find("The models:") != std::string::npos; }

// All commands with options, each with all of its models, problems or samplings.
std::vector<std::string> commands() {
  std::vector<std::string> list;
  for (const apps::Command& command : apps::commands()) {
    const std::string name(command.name);
    if (name == "simulate") {
      for (const auto& model : first_words(run(first_program, {"list"}).out, "")) {
        if (model != "model") list.push_back("simulate " + model);
      }
    } else if (name == "optimize") {
      for (const auto& problem : first_words(help_of(name), "  ")) list.push_back("optimize " + problem);
    } else if (is_about_models(name)) {
      for (const auto& model : first_words(help_of(name), "  ")) list.push_back(name + ' ' + model);
    } else if (name == "sample") {
      for (const auto& sampling : ChoiceNames<Sampling>::values) list.push_back("sample " + std::string(sampling.name));
    } else if (help_of(name).find("--") != std::string::npos) {
      list.push_back(name);
    }
  }
  return list;
}

std::vector<FileArgument> arguments_with_files(const std::string& command) {
  std::vector<FileArgument> found;
  for (const FileArgument& argument : file_arguments()) {
    if (argument.command == command) found.push_back(argument);
  }
  return found;
}

// Whether no earlier command in the list has the same file arguments.
bool has_arguments_of_its_own(const std::string& command) {
  static const std::set<std::string> first_of_their_kind = [] {
    std::set<std::set<std::pair<std::string, FileUse>>> kinds;
    std::set<std::string> first;
    for (const std::string& each : commands()) {
      std::set<std::pair<std::string, FileUse>> kind;
      for (const FileArgument& argument : arguments_with_files(each)) kind.emplace(argument.argument, argument.use);
      if (kinds.insert(kind).second) first.insert(each);
    }
    return first;
  }();
  return first_of_their_kind.contains(command);
}

// Two arguments that must not name the same file. The second one is written.
struct Pair {
  FileArgument first, second;
};

std::vector<Pair> pairs_of(const std::string& command) {
  const auto entries = arguments_with_files(command);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < entries.size(); ++j) {
      const bool is_pair = !entries[j].is_read() && (entries[i].is_read() || i < j);
      const bool goes_on = entries[i].use == FileUse::resumes && entries[j].use == FileUse::saves;
      if (is_pair && !goes_on) pairs.push_back({entries[i], entries[j]});
    }
  }
  return pairs;
}

// A command line in which the positional arguments and the two arguments of the pair name files.
std::vector<std::string> arguments_of(const std::string& command, const Pair& pair, const std::string& first,
                                      const std::string& second) {
  std::vector<std::string> positionals, options;
  for (const FileArgument& entry : arguments_with_files(command)) {
    const std::string& name = entry.argument;
    const bool is_first = name == pair.first.argument, is_second = name == pair.second.argument;
    const std::string path = is_first ? first : is_second ? second : "/nowhere";
    if (!name.starts_with("--")) {
      if (command != "optimize classification" || is_first) positionals.push_back(path);  // the command also has --data
    } else if (is_first || is_second) {
      options.insert(options.end(), {name, path});
    }
  }
  auto arguments = words(command);
  arguments.insert(arguments.end(), positionals.begin(), positionals.end());
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

// A folder with a file, a symbolic link and a hard link to it. The name of the file can be one of a series.
class SharedFile {
 public:
  SharedFile() {
    for (const char* folder : {"links", "hard"}) std::filesystem::create_directory(m_folder / folder);
    m_folder.write(name, contents);
    std::filesystem::create_symlink("../" + name, m_folder / ("links/" + name));
    std::filesystem::create_hard_link(m_folder / name, m_folder / ("hard/" + name));
  }

  // Path of the file through one of the folders, as the value of an argument with this use.
  std::string path(const std::string& folder, FileUse use) const {
    return m_folder.path() + folder + (use == FileUse::writes_series ? "/x" : "/" + name);
  }

  void expect_unchanged() const {
    EXPECT_EQ(contents_of(m_folder / name), contents);
    EXPECT_TRUE(std::filesystem::is_symlink(m_folder / ("links/" + name)));
    EXPECT_EQ(std::filesystem::hard_link_count(m_folder / name), 2u);
    EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"hard", "links", name}));
  }

 private:
  static inline const std::string name = "x-0-000001.00-cells.vtk", contents = "nobody else's\n";

  Folder m_folder;
};

Outcome outcome_of(const std::vector<std::string>& arguments) {
  const Ending ending = ending_of(arguments);
  EXPECT_FALSE(ending.has_started);
  return {ending.status, 0, ending.out, ending.error};
}

class Command : public ::testing::TestWithParam<std::string> {};

// All commands share the code that compares files. Therefore links are tried only once for each set of file arguments.
// The first pair runs the program; the others run its command line in this process.
TEST_P(Command, NeverWritesToAFileThatItReadsOrTwiceToOne) {
  std::vector<std::string> folders{""};
  if (has_arguments_of_its_own(GetParam())) folders.insert(folders.end(), {"/hard/..", "/links", "/hard"});
  bool is_first = true;
  for (const Pair& pair : pairs_of(GetParam())) {
    const std::string first(pair.first.argument), second(pair.second.argument);
    const SharedFile shared;
    for (const std::string& folder : folders) {
      const auto arguments =
          arguments_of(GetParam(), pair, shared.path("", pair.first.use), shared.path(folder, pair.second.use));
      const Outcome outcome = is_first ? run(first_program, arguments) : outcome_of(arguments);
      is_first = false;
      SCOPED_TRACE(GetParam() + ": " + first + " and " + second + " through '" + folder + "'");
      EXPECT_EQ(outcome.status, 2);
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(lines_of(outcome.error), 1);
      EXPECT_NE(outcome.error.find(": expected another file\n"), std::string::npos) << outcome.error;
      for (const auto& argument : {first, second}) {
        EXPECT_NE(outcome.error.find(argument), std::string::npos) << outcome.error;
      }
      shared.expect_unchanged();
    }
  }
}

// Control: distinct files are accepted, and so is a saved state that replaces the one that is resumed.
TEST_P(Command, TakesFilesOfTheirOwn) {
  const Folder folder;
  std::vector<std::string> positionals, options;
  for (const FileArgument& entry : arguments_with_files(GetParam())) {
    const std::string& name = entry.argument;
    const std::string file = entry.use == FileUse::saves                  ? "--resume"
                             : name == "--picture" || name == "--surface" ? name + ".svg"
                                                                          : name;
    const std::string path = folder / file.substr(file.find_first_not_of('-'));
    if (name.starts_with("--")) options.push_back(name);
    (name.starts_with("--") ? options : positionals).push_back(path);
    if (entry.is_read()) folder.write(path.substr(folder.path().size() + 1), "nothing");
  }
  auto arguments = words(GetParam());
  arguments.insert(arguments.end(), positionals.begin(), positionals.end());
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (help_of(GetParam()).find("--threads N") != std::string::npos) {
    arguments.insert(arguments.end(), {"--threads", "none"});
  }
  const auto outcome = run(first_program, arguments);
  EXPECT_EQ(outcome.status, GetParam() == "problems" ? 0 : 2) << outcome.error;  // `problems` reads nothing
  EXPECT_EQ(outcome.error.find("expected another file"), std::string::npos) << outcome.error;
}

// Options that name files according to the help.
std::set<std::string> file_options(const std::string& help) {
  std::set<std::string> names;
  const std::regex option("(--[a-z-]+) (FILE|PREFIX)");
  for (auto match = std::sregex_iterator(help.begin(), help.end(), option); match != std::sregex_iterator(); ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

TEST_P(Command, KnowsWhatItDoesWithEveryFile) {
  std::set<std::string> known;
  for (const FileArgument& argument : arguments_with_files(GetParam())) {
    if (argument.argument.starts_with("--")) known.insert(argument.argument);
  }
  EXPECT_EQ(known, file_options(help_of(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(All, Command, ::testing::ValuesIn(commands()), [](const auto& command) {
  return std::regex_replace(command.param, std::regex("[^a-z0-9]"), "_");
});

// A new option requires only its entry, which states the file use: conflicts are found without other code.
TEST(NewOption, IsCheckedByItsEntryAlone) {
  const Folder folder;
  const std::string file = folder / "file";
  folder.write("file", "nobody else's");
  const auto given = [&](std::optional<FileUse> use) {
    const runtime::Usage usage{
        "new", "sporos new", "", "", {}, {{"", "in", "FILE", "", FileUse::reads}, {"", "out", "FILE", "", use}}};
    const std::vector<std::string> arguments{"--in", file, "--out", file};
    return runtime::parsed(usage, arguments);
  };
  EXPECT_THROW(given(FileUse::writes), std::invalid_argument);
  EXPECT_THROW(given(FileUse::keeps), std::invalid_argument);
  // Control: if nothing is written, there is nothing to refuse.
  EXPECT_NO_THROW(given(FileUse::reads));
  EXPECT_NO_THROW(given(std::nullopt));
}

TEST(FileArguments, AreOfCommandsThatTheProgramLists) {
  const auto all = commands();
  for (const FileArgument& argument : file_arguments()) {
    EXPECT_TRUE(std::find(all.begin(), all.end(), argument.command) != all.end()) << argument.command;
  }
}

}  // namespace named_files_tests
}  // namespace sporos::test
