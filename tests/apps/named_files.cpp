// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No command writes to a file that it reads, or twice to one: every pair of arguments of every command.
#include "refusal.hpp"

#include <sporos/runtime/options/named_files.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace sporos::test {
namespace {

using runtime::FileEntry, runtime::FileUse;

constexpr auto program = "sporos-serial";

// The words behind the spaces of lines that begin with `beginning`, such as names of models in a list of them.
std::vector<std::string> first_words(const std::string& text, const std::string& beginning) {
  std::vector<std::string> found;
  const std::regex line("(^|\n)" + beginning + "([a-z0-9-]+)  ");
  for (auto match = std::sregex_iterator(text.begin(), text.end(), line); match != std::sregex_iterator(); ++match) {
    found.push_back((*match)[2]);
  }
  return found;
}

// All commands that have options, as the program lists them.
std::vector<std::string> commands() {
  std::vector<std::string> list{"predict", "fit", "sample sobol", "calibrate", "info"};
  for (const auto& model : first_words(run(program, {"list"}).out, "")) {
    if (model != "model") list.push_back("simulate " + model);
  }
  for (const auto& problem : first_words(run(program, {"optimize", "--help"}).out, "  ")) {
    list.push_back("optimize " + problem);
  }
  return list;
}

const std::string& help_of(const std::string& command) {
  static std::map<std::string, std::string> known;
  const auto [help, is_new] = known.emplace(command, "");
  if (!is_new) return help->second;
  const auto outcome = run(program, words(command + " --help"));
  EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.error;
  help->second = outcome.out;
  return help->second;
}

// An option as a line of the help begins it.
bool has_option(const std::string& help, const std::string& option) {
  return help.find(option + " FILE") != std::string::npos || help.find(option + " PREFIX") != std::string::npos;
}

std::vector<FileEntry> entries_of(const std::string& command) {
  const std::string& help = help_of(command);
  std::vector<FileEntry> entries;
  for (const FileEntry& entry : runtime::file_entries()) {
    const bool is_option = entry.argument.starts_with("--");
    if (entry.tells_of(command) && (!is_option || has_option(help, std::string(entry.argument)))) {
      entries.push_back(entry);
    }
  }
  return entries;
}

bool is_read(const FileEntry& entry) { return entry.use == FileUse::reads || entry.use == FileUse::resumes; }

// Two arguments that must not name one file; the second is written.
struct Pair {
  FileEntry first, second;
};

std::vector<Pair> pairs_of(const std::string& command) {
  const auto entries = entries_of(command);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < entries.size(); ++j) {
      const bool is_pair = !is_read(entries[j]) && (is_read(entries[i]) || i < j);
      const bool goes_on = entries[i].use == FileUse::resumes && entries[j].use == FileUse::saves;
      if (is_pair && !goes_on) pairs.push_back({entries[i], entries[j]});
    }
  }
  return pairs;
}

// A command whose positional arguments, and these two arguments, name files.
std::vector<std::string> arguments_of(const std::string& command, const Pair& pair, const std::string& first,
                                      const std::string& second) {
  std::vector<std::string> positionals, options;
  for (const FileEntry& entry : entries_of(command)) {
    const std::string name(entry.argument);
    const bool is_first = name == pair.first.argument, is_second = name == pair.second.argument;
    const std::string path = is_first ? first : is_second ? second : "/nowhere";
    if (!name.starts_with("--")) {
      if (command != "optimize classification" || is_first) positionals.push_back(path);  // it has --data, too
    } else if (is_first || is_second) {
      options.insert(options.end(), {name, path});
    }
  }
  auto arguments = words(command);
  arguments.insert(arguments.end(), positionals.begin(), positionals.end());
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

// A folder with a file, and other ways to it. Its name is such that it can be one of a series.
class SharedFile {
 public:
  SharedFile() {
    for (const char* folder : {"links", "hard"}) std::filesystem::create_directory(m_folder / folder);
    m_folder.write(name, contents);
    std::filesystem::create_symlink("../" + name, m_folder / ("links/" + name));
    std::filesystem::create_hard_link(m_folder / name, m_folder / ("hard/" + name));
  }

  // What an argument of that use names, in one of the folders, so that it means the file.
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

class Command : public ::testing::TestWithParam<std::string> {};

TEST_P(Command, NeverWritesToAFileThatItReadsOrTwiceToOne) {
  for (const Pair& pair : pairs_of(GetParam())) {
    const std::string first(pair.first.argument), second(pair.second.argument);
    const SharedFile shared;
    for (const char* folder : {"", "/hard/..", "/links", "/hard"}) {
      const auto outcome = run(program, arguments_of(GetParam(), pair, shared.path("", pair.first.use),
                                                     shared.path(folder, pair.second.use)));
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

// The control: files of their own are not refused, nor is a state that goes on in its place.
TEST_P(Command, TakesFilesOfTheirOwn) {
  const Folder folder;
  std::vector<std::string> positionals, options;
  for (const FileEntry& entry : entries_of(GetParam())) {
    const std::string name(entry.argument);
    const std::string file = entry.use == FileUse::saves ? "--resume" : name == "--picture" ? name + ".svg" : name;
    const std::string path = folder / file.substr(file.find_first_not_of('-'));
    if (name.starts_with("--")) options.push_back(name);
    (name.starts_with("--") ? options : positionals).push_back(path);
    if (is_read(entry)) folder.write(path.substr(folder.path().size() + 1), "nothing");
  }
  auto arguments = words(GetParam());
  arguments.insert(arguments.end(), positionals.begin(), positionals.end());
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (help_of(GetParam()).find("--threads N") != std::string::npos) {
    arguments.insert(arguments.end(), {"--threads", "none"});
  }
  const auto outcome = run(program, arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.error;
  EXPECT_EQ(outcome.error.find("expected another file"), std::string::npos) << outcome.error;
}

TEST_P(Command, KnowsWhatItDoesWithEveryFile) {
  const std::string& help = help_of(GetParam());
  const std::regex option("(--[a-z-]+) (FILE|PREFIX)");
  for (auto match = std::sregex_iterator(help.begin(), help.end(), option); match != std::sregex_iterator(); ++match) {
    EXPECT_TRUE(runtime::file_use(GetParam(), (*match)[1].str())) << (*match)[1];
  }
}

INSTANTIATE_TEST_SUITE_P(All, Command, ::testing::ValuesIn(commands()), [](const auto& command) {
  return std::regex_replace(command.param, std::regex("[^a-z0-9]"), "_");
});

TEST(FileEntries, AreEachOfSomeCommand) {
  const auto all = commands();
  for (const FileEntry& entry : runtime::file_entries()) {
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const std::string& command) {
      const auto found = entries_of(command);
      return std::any_of(found.begin(), found.end(), [&](const FileEntry& other) {
        return other.words == entry.words && other.argument == entry.argument;
      });
    });
    EXPECT_TRUE(is_known) << entry.words << ' ' << entry.argument;
  }
}

}  // namespace
}  // namespace sporos::test
