// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All JSON files that the programs read. A file that would be misread or cause a crash is refused with the true reason.
#include "classifications.hpp"
#include "file_arguments.hpp"
#include "germinal_centre_cases.hpp"
#include "harness/long_tests.hpp"
#include "refusal.hpp"

#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::test {
namespace json_files_tests {

const std::string sample_data = SPOROS_SAMPLE_DATA "/";
const std::string calibration = "calibrate --engine ranlux24-0 --consumers 1 --draws 4096 --rounds 1 --memory 1";
const std::string newsvendor = "optimize newsvendor --product-count 2 --epochs 1 --gap-batches 0";
const std::string portfolio = "optimize portfolio --returns " + sample_data + "returns.csv --epochs 1 --iterations 1";
const std::string learning = "optimize classification " + breast_cancer + " --iterations 1";

// The network erlang_a.json with a shorter day.
const std::string erlang_a = [] {
  std::string text = contents_of(sample_data + "networks/erlang_a.json");
  const std::string day = "\"20 h\"";
  return text.replace(text.find(day), day.size(), "\"2 h\"");
}();

enum class Versioned { yes, no };

// An argument that names a JSON file.
struct Reader {
  std::string words, argument;  // first words of the commands that have it, and the argument
  std::string line;             // a command line, with {} for the file
  std::string maker;            // a command line that writes such a file, with {} for it; empty if there is an example
  std::string example = "";     // contents of the example
  Versioned is_versioned = Versioned::yes;
  std::size_t max_mebibytes = io::max_mebibytes_of_text;  // larger files are not read
};

void PrintTo(const Reader& reader, std::ostream* stream) { *stream << reader.line; }

std::string with_file(std::string line, const std::string& path) { return line.replace(line.find("{}"), 2, path); }

const std::vector<Reader> readers = {
    {"simulate", "--plan", "simulate --plan {}", "simulate pi --replications 2 --format json --output {}"},
    {"replay", "--plan", "replay --replication 0 --plan {}", "simulate pi --replications 2 --format json --output {}"},
    {"compare-samplings", "--plan", "compare-samplings --samplings antithetic --plan {}",
     "simulate pi --replications 2 --format json --output {}"},
    {"simulate radiation", "--case", "simulate radiation --photons 64 --case {}", "",
     contents_of(sample_data + "plates.json"), Versioned::no},
    {"simulate germinal-centre", "CASE", "simulate germinal-centre {} --hours 0.1", "",
     small_germinal_centres([](auto&) {}), Versioned::no},
    {"simulate network", "--case", "simulate network --replications 2 --case {}", "", erlang_a, Versioned::no},
    {"describe network", "--case", "describe network --case {}", "", erlang_a, Versioned::no},
    {"optimize network", "--case",
     "optimize network --case {} --over stations.agents.speed=1:2 --minimize wait_at_agents --replications 20 "
     "--final-replications 10",
     "", erlang_a, Versioned::no},
    {"select network", "--case",
     "select network --case {} --over stations.agents.servers=40:41 --smallest wait_at_agents --delta 100 "
     "--first-stage 5",
     "", erlang_a, Versioned::no},
    {"optimize", "--resume", "optimize portfolio --resume {}", portfolio + " --save-state {}"},
    {"optimize", "--resume", "optimize newsvendor --resume {}", newsvendor + " --save-state {}"},
    {"optimize", "--resume", "optimize classification --resume {}", learning + " --save-state {}"},
    {"predict", "MODEL", "predict {} " + breast_cancer, learning + " --model {}"},
    {"merge", "PART", "merge {}", "simulate pi --replications 2 --part 1/1 --output {}", "", Versioned::no, 4096},
    {"calibrate", "--constants", calibration + " --stored --constants {}", calibration + " --constants {}", "",
     Versioned::no, 1}};

// Arguments that name files of other formats.
const std::set<std::string> other_readers = {
    "--design",   "--demand",    "--network", "--start",  "--returns", "--prices", "--parameters", "--covariance",
    "--products", "--resources", "--amounts", "--bounds", "--demands", "DATA",     "--data",       "--extend"};

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string deep_lists(std::size_t depth) { return repeated("[", depth) + repeated("]", depth); }
std::string deep_objects(std::size_t depth) { return repeated("{\"a\":", depth) + '1' + repeated("}", depth); }

const std::string too_deep = "is nested too deeply, expected at most 100 levels of lists and objects";

// A function that makes a fault in the text of a valid file, and the end of the expected message.
struct Fault {
  std::function<std::string(const std::string&)> make;
  std::string message;
};

// Text of an object with `member` inserted as the first member.
std::string with_member(std::string text, const std::string& member) {
  return text.insert(text.find('{') + 1, member + ',');
}

std::vector<Fault> faults() {
  std::vector<Fault> list = {
      {[](const std::string&) { return ""; }, "is empty, expected JSON"},
      {[](const std::string&) { return repeated("[", 1'000'000); }, too_deep},
      {[](const std::string& text) { return with_member(text, R"("x":1,"x":1)"); }, "has 'x' twice in one object"},
      {[](const std::string& text) { return with_member(text, R"("y":[{"x":1,"x":[]}])"); }, "has 'x' twice in y[0]"},
  };
  const std::size_t depth = are_tests_long() ? 1'000'000 : 100'000;
  for (const auto& deep : {deep_lists(depth), deep_objects(depth)}) {
    list.push_back({[deep](const std::string&) { return deep; }, too_deep});
    list.push_back({[deep](const std::string& text) { return with_member(text, "\"x\":" + deep); }, too_deep});
  }
  return list;
}

class JsonFile : public ::testing::TestWithParam<Reader> {
 protected:
  // Contents of a valid file.
  std::string whole() const {
    const Reader& reader = GetParam();
    if (reader.maker.empty()) return reader.example;
    const std::string path = m_folder / "made.json";
    const auto outcome = run(first_program, words(with_file(reader.maker, path)));
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return contents_of(path);
  }

  Outcome read(const std::string& text) const {
    return run(first_program, words(with_file(GetParam().line, m_folder.write("file.json", text))));
  }

  void refused(const std::string& text, const std::string& message) const {
    const std::string path = m_folder / "file.json";
    const std::size_t most = GetParam().max_mebibytes;
    const bool is_read = text.size() <= most << 20;
    const std::string between = message.starts_with(',') ? "" : " ";
    expect_refusal(read(text), is_read ? path + between + message
                                       : fmt::format("cannot read '{}': it is larger than {} MiB", path, most));
  }

  Folder m_folder;
};

TEST_P(JsonFile, IsRefusedWhereItWouldBeMisread) {
  const std::string text = whole();
  const auto taken = read(text);
  EXPECT_EQ(taken.status, 0) << taken.error;  // the control
  EXPECT_EQ(taken.signal, 0);
  for (const auto& [make, message] : faults()) refused(make(text), message);
  const std::string closed = text.substr(0, text.find_last_of('}') + 1);
  const auto place_after = [](const std::string& before) {
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    return fmt::format("line {}, column {}", line, before.size() - (before.rfind('\n') + 1) + 1);
  };
  const std::string end = place_after(closed);
  refused(closed + "}", "has text after its JSON, expected its end at " + end);
  refused(closed + "{}", "has text after its JSON, expected its end at " + end);
  const std::string open = closed.substr(0, closed.size() - 1);
  refused(open, "is not JSON: error at " + place_after(open));
  const std::string zero = m_folder.write("file.json", closed + '\0' + "more");
  const Outcome outcome = run(first_program, words(with_file(GetParam().line, zero)));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.error.find("there is a byte 0"), std::string::npos) << outcome.error;
}

// Readers name the line and the member of every value, which tests/broken_files/json.cpp checks. This test checks that
// the programs pass these on.
TEST_P(JsonFile, WithAValueOfAnotherTypeIsRefusedWithItsLine) {
  const io::Json json = io::Json::parse(whole());
  std::vector<std::string> places{"/" + json.begin().key()};
  if (json.contains("settings")) places = {"/subject", "/settings/seed"};  // a result
  if (json.contains("state")) places.push_back("/state/solution");
  for (const std::string& place : places) {
    io::Json changed = json;
    changed[io::Json::json_pointer(place)] = true;
    const std::string text = changed.dump(1);
    const std::string name = place.substr(place.rfind('/') + 1);
    const auto before = text.substr(0, text.find(fmt::format("\"{}\": true", name)));
    const Outcome outcome = read(text);
    EXPECT_EQ(outcome.status, 2);
    const std::string expected =
        fmt::format("file.json, line {}: ", 1 + std::count(before.begin(), before.end(), '\n'));
    EXPECT_NE(outcome.error.find(expected), std::string::npos) << expected << '\n' << outcome.error;
    EXPECT_NE(outcome.error.find(name), std::string::npos) << outcome.error;
  }
}

TEST_P(JsonFile, OfAnUnknownVersionIsRefused) {
  if (GetParam().is_versioned == Versioned::no) GTEST_SKIP() << "has no version, or one of its own";
  const std::string known = "\"" SPOROS_VERSION "\"";
  const std::string text = whole();
  const auto place = text.find(known);
  ASSERT_NE(place, std::string::npos);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  const std::string line_of_version = fmt::format(", line {},", line);
  for (const std::string version : {"9.9.9", "0.0.9", "0.1", "new", ""}) {
    std::string other = text;
    refused(other.replace(place, known.size(), '"' + version + '"'),
            line_of_version + " is of version '" + version + "' of Sporos, expected one from 0.1.0 to " SPOROS_VERSION);
  }
  std::string other = text;
  refused(other.replace(text.find("\"sporos\""), 8, "\"spores\""), ", line 1, has no member 'sporos'");
}

INSTANTIATE_TEST_SUITE_P(Readers, JsonFile, ::testing::ValuesIn(readers));

// A checksum protects checkpoints, so that only contents with a valid checksum can be misread.
class CheckpointFile : public ::testing::TestWithParam<std::string> {};

TEST_P(CheckpointFile, IsRefusedWhereItWouldBeMisread) {
  const Folder folder;
  for (const auto& [make, message] : faults()) {
    std::string text = "sporos checkpoint 1\n" + make("{}") + '\n';
    text += io::bits_text(io::checksum(text)) + '\n';
    const std::string path = folder.write("state", text);
    const std::string reason = message.starts_with("is empty") ? "is not JSON: error at line 3, column 1" : message;
    expect_refusal(run(first_program, words(GetParam() + " --checkpoint " + path)), '\'' + path + "' " + reason);
    EXPECT_EQ(contents_of(path), text);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, CheckpointFile,
                         ::testing::Values("simulate pi --replications 2",
                                           "simulate radiation --case " + sample_data + "plates.json",
                                           "simulate germinal-centre " + sample_data +
                                               "germinal_centre.json --hours 0.1",
                                           newsvendor, portfolio, learning, "fit " + sample_data + "galaxies.csv",
                                           "select mm1 --customers 5 --over service-rate=1,2 --largest time_in_queue "
                                           "--delta 1"));

TEST(JsonFiles, AreReadByTheseArguments) {
  for (const FileArgument& each : file_arguments()) {
    const FileArgument argument = each.of_simulation();
    if (!argument.is_read() || other_readers.contains(argument.argument)) continue;
    EXPECT_TRUE(std::any_of(
        readers.begin(), readers.end(),
        [&](const Reader& reader) { return argument.is_of(reader.words) && reader.argument == argument.argument; }))
        << argument.command << ' ' << argument.argument;
  }
}

class EmptyArgument : public ::testing::TestWithParam<Refusal> {};

// Each word of the line is an argument, and "_" stands for an empty one.
TEST_P(EmptyArgument, IsRefused) {
  auto arguments = words(GetParam().line);
  std::replace(arguments.begin(), arguments.end(), std::string("_"), std::string());
  expect_refusal(run(first_program, arguments), GetParam().message + ": is a variable of the shell not set?");
}

INSTANTIATE_TEST_SUITE_P(
    Commands, EmptyArgument,
    ::testing::Values(Refusal{"_", "the argument after sporos is empty, expected a value"},
                      Refusal{"simulate _", "the argument after 'simulate' is empty, expected a value"},
                      Refusal{"simulate pert --network _", "the argument after '--network' is empty, expected a value"},
                      Refusal{"simulate pert --network=", "'--network=' is empty, expected a value"},
                      Refusal{"simulate pi --output _ --seed 1",
                              "the argument after '--output' is empty, expected a value"},
                      Refusal{"simulate pi -o _", "the argument after '-o' is empty, expected a value"},
                      Refusal{"fit _", "the argument after 'fit' is empty, expected a value"},
                      Refusal{"predict model.json _", "the argument after 'model.json' is empty, expected a value"},
                      Refusal{"describe _", "the argument after 'describe' is empty, expected a value"}));

}  // namespace json_files_tests
}  // namespace sporos::test
