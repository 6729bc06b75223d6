// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <string>

namespace sporos::test {
namespace output_tests {

using Json = nlohmann::ordered_json;

constexpr auto endless = "simulate pi --draws 100 --replications 4000000000000000 --format json";
constexpr auto short_run = "simulate pi --replications 2 --format csv";

std::vector<std::string> with_output(const std::string& line, const std::string& path) {
  auto arguments = words(line);
  arguments.insert(arguments.end(), {"--output", path});
  return arguments;
}

void expect_failed_write(const Outcome& outcome, const std::string& message) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: cannot write " + message + "\n");
}

TEST(Output, IsWhatStandardOutputWouldBe) {
  const Folder folder;
  const auto outcome = run("sporos", with_output(short_run, folder / "result.csv"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.error, "");
  EXPECT_EQ(contents_of(folder / "result.csv"), sporos(short_run).out);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"result.csv"});
}

TEST(Output, ReplacesAFileAndKeepsItsModeAndLinksToIt) {
  const Folder folder;
  const std::string path = folder.write("result.csv", "old");
  ::chmod(path.c_str(), 0640);
  std::filesystem::create_symlink("result.csv", folder / "link");
  EXPECT_EQ(run("sporos", with_output(short_run, folder / "link")).status, 0);
  EXPECT_EQ(contents_of(path), sporos(short_run).out);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  struct stat now;
  ASSERT_EQ(::stat(path.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 0777, 0640u);
}

TEST(Output, CanBeADeviceOrStandardOutput) {
  EXPECT_EQ(run("sporos", with_output(short_run, "/dev/null")).status, 0);
  EXPECT_EQ(run("sporos", with_output(short_run, "/dev/stdout")).out, sporos(short_run).out);
  EXPECT_EQ(run("sporos", with_output(short_run, "-")).out, sporos(short_run).out);
}

TEST(FullDisk, IsReported) {
  const std::string full = "No space left on device";
  expect_failed_write(run("sporos", with_output(short_run, "/dev/full")), "'/dev/full': " + full);
  expect_failed_write(run("sporos", words(short_run), "/dev/full"), "standard output: " + full);
  expect_failed_write(run("sporos", {"list"}, "/dev/full"), "standard output: " + full);
  expect_failed_write(run("sporos", {"--help"}, "/dev/full"), "standard output: " + full);
}

// A limit on file sizes simulates a full disk. The output would replace an existing file.
TEST(FullDisk, LeavesTheOldFile) {
  const Folder folder;
  const std::string path = folder.write("result.csv", "old");
  const std::string command = "ulimit -f 0; trap '' XFSZ; exec " + std::string(SPOROS_PROGRAM_FOLDER) + "/sporos " +
                              short_run + " --output " + path + " 2>/dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(contents_of(path), "old");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"result.csv"});
}

TEST(ClosedOutput, IsReported) {
  const std::string program = std::string(SPOROS_PROGRAM_FOLDER) + "/sporos ";
  const auto status_of = [](const std::string& command) { return WEXITSTATUS(std::system(command.c_str())); };
  EXPECT_EQ(status_of(program + short_run + " >&- 2>/dev/null"), 2);
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // The reader closes the pipe before anything is written.
  EXPECT_EQ(status_of("{ sleep 0.3; " + program + short_run + " 2>/dev/null; } > " + pipe + " & writer=$!; : < " +
                      pipe + "; wait $writer"),
            2);
}

TEST(OutputKill, LeavesNoFile) {
  const Folder folder;
  Process process("sporos", with_output(endless, folder / "result.json"));
  process.wait_for_interruption();
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  EXPECT_EQ(folder.files(), std::vector<std::string>{});
}

class Interruption : public ::testing::TestWithParam<int> {};

TEST_P(Interruption, KeepsTheResultsOfWholeBatches) {
  const Folder folder;
  const std::string path = folder / "result.json";
  Process process("sporos", with_output(endless, path));
  process.wait_until_it_computes();
  process.send(GetParam());
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + GetParam());
  EXPECT_EQ(outcome.out, "");
  const auto json = Json::parse(contents_of(path));
  EXPECT_EQ(json["stopped_by"], "interrupted");
  const std::string replications = json["findings"]["replications"].dump();
  const std::string unit = replications == "1" ? " replication" : " replications";
  EXPECT_EQ(outcome.error, "sporos: interrupted after " + replications + unit + ", whose results are written\n");
  const auto again = sporos("simulate pi --draws 100 --format json --replications " + replications);
  EXPECT_EQ(Json::parse(again.out)["findings"]["digest"], json["findings"]["digest"]);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interruption, ::testing::Values(SIGINT, SIGTERM));

TEST(SecondInterruption, EndsTheProgramAtOnce) {
  const Folder folder;
  Process process(first_program, with_output("simulate pi --draws 100000000000000 --replications 1", folder / "never"));
  process.wait_for_interruption();
  process.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that the program receives two signals
  process.send(SIGINT);
  EXPECT_EQ(process.wait().signal, SIGINT);
  EXPECT_EQ(folder.files(), std::vector<std::string>{});
}

// On a terminal, the program shows a progress line and stops after Ctrl-C.
TEST(OutputTerminal, ShowsProgressAndTakesCtrlC) {
  const Folder folder;
  const std::string path = folder / "result.json";
  std::string screen;
  EXPECT_EQ(interrupted_on_terminal(with_output(endless, path), screen), 128 + SIGINT);
  EXPECT_NE(screen.find("\r\x1b[Kpi: "), std::string::npos) << screen;
  EXPECT_NE(screen.find(" of 4000000000000000 replications, 0 %, "), std::string::npos) << screen;
  EXPECT_NE(screen.find("\r\x1b[Ksporos: interrupted after "), std::string::npos) << screen;  // clears the line
  EXPECT_EQ(Json::parse(contents_of(path))["stopped_by"], "interrupted");
}

}  // namespace output_tests
}  // namespace sporos::test
