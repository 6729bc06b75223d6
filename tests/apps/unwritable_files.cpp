// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If one of the output files cannot be written, nothing goes to standard output either.
#include "classifications.hpp"
#include "file_arguments.hpp"
#include "germinal_centre_cases.hpp"
#include "process.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>
#include <vector>

namespace sporos::test {
namespace unwritable_files_tests {

// A command that takes a moment, and its options that name output files.
struct Writer {
  std::string command, arguments;
  std::vector<std::string> options;
};

const std::string calibration = "--engine ranlux24-0 --consumers 1 --draws 4096 --rounds 1 --memory 1";

// Contents of the file that `line` writes. The last option of `line` names the file.
std::string written_by(const std::string& line) {
  const Folder folder;
  EXPECT_EQ(run(first_program, words(line + ' ' + folder / "file")).status, 0) << line;
  return contents_of(folder / "file");
}

// Writes the files that some commands read. Each is computed only once.
void make_files(const Folder& folder) {
  static const std::string model = written_by("optimize classification " + breast_cancer + " --iterations 1 --model");
  static const std::string constants = written_by("calibrate " + calibration + " --constants");
  folder.write("cells.json", small_germinal_centres([](auto&) {}));
  folder.write("model.json", model);
  folder.write("constants.json", constants);
  static const std::string part = written_by("simulate pi --replications 2 --part 1/1 --output");
  folder.write("part.json", part);
}

std::vector<Writer> writers(const Folder& folder) {
  const std::string all = SPOROS_SAMPLE_DATA "/", cells = folder / "cells.json", model = folder / "model.json";
  return {
      {"simulate pi", "--replications 2", {"--output", "--responses", "--report", "--checkpoint"}},
      {"merge", folder / "part.json", {"--output", "--report"}},
      {"steady-state mm1", "--observations 20000", {"--output", "--picture", "--report", "--checkpoint"}},
      {"sensitivity mm1",
       "--customers 2 --uncertain arrival_rate=0.3:0.7 --base-points 16 --replications 2",
       {"--output", "--report", "--checkpoint"}},
      {"input-uncertainty mm1",
       "--customers 2 --input 'arrival_rate=rate(" + all + "old_faithful.csv)' --outer-samples 40 --replications 2",
       {"--output", "--report", "--checkpoint"}},
      {"rare-event mm1", "--event 'number in system >= 5' --chains 50 --runs 2", {"--output", "--report"}},
      {"multilevel call-options", "--rmse 0.5", {"--output", "--report"}},
      {"stratify pi", "--draws 1 --strata 1:4 --replications 64", {"--output", "--report"}},
      {"array-rqmc mm1", "--chain-steps 1 --chains 16", {"--output", "--report"}},
      {"compare-samplings pi", "--draws 1 --samplings antithetic", {"--output"}},
      {"replay pi", "--draws 1 --replication 0", {"--output"}},
      {"replay network", "--replication 0", {"--output", "--log"}},
      {"simulate network", "--replications 2", {"--timeline"}},
      {"simulate radiation",
       "--photons 64 --case " + all + "plates.json",
       {"--output", "--report", "--picture", "--profile", "--checkpoint"}},
      {"simulate germinal-centre",
       cells + " --hours 0.1",
       {"--output", "--report", "--picture", "--section", "--snapshots", "--checkpoint"}},
      {"optimize newsvendor",
       "--product-count 2 --epochs 1 --gap-batches 0",
       {"--output", "--weights", "--save-state", "--report", "--checkpoint"}},
      {"optimize classification",
       breast_cancer + " --iterations 1",
       {"--output", "--model", "--save-state", "--report", "--checkpoint"}},
      {"optimize mm1",
       "--customers 5 --over service-rate=1:2 --minimize time_in_queue --replications 100",
       {"--output", "--picture", "--surface", "--report", "--checkpoint"}},
      {"select mm1",
       "--customers 5 --over service-rate=1,2 --largest time_in_queue --delta 1",
       {"--output", "--picture", "--report", "--checkpoint"}},
      {"compare-solvers",
       "--solvers adam --problems mm1 --macroreplications 2 --budget 300 --post-replications 20 --bootstraps 5",
       {"--output", "--report"}},
      {"problems", "", {"--output"}},
      {"fit", all + "galaxies.csv --components 1 --starts 1", {"--output", "--picture", "--report", "--checkpoint"}},
      {"sample sobol", "--points 2 --dimensions 2", {"--output"}},
      {"predict", model + ' ' + breast_cancer, {"--output"}},
      {"calibrate",
       calibration + " --stored --constants " + folder / "constants.json",
       {"--output", "--report", "--picture"}},
      {"calibrate", calibration, {"--constants"}},
      {"info", "", {"--output"}},
  };
}

struct PipeOutcome {
  int status;
  std::string out;
};

// Runs the program with standard output in a pipe while no file can grow, as on a full disk.
PipeOutcome run_on_full_disk(const std::string& line) {
  const std::string command = "ulimit -f 0; trap '' XFSZ; " + path_of(first_program) + " " + line + " 2>/dev/null";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string out;
  for (int c; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  return {WEXITSTATUS(::pclose(pipe)), out};
}

class UnwritableFiles : public ::testing::Test {
 protected:
  void SetUp() override { make_files(m_folder); }

  Folder m_folder;
};

TEST_F(UnwritableFiles, LeaveStandardOutputEmpty) {
  for (const auto& [command, arguments, options] : writers(m_folder)) {
    for (const std::string& option : options) {
      const bool is_picture =
          option == "--picture" || option == "--section" || option == "--surface" || option == "--timeline";
      const std::string path = m_folder / (is_picture ? "x.svg" : option == "--responses" ? "x.csv" : "x");
      const auto outcome = run_on_full_disk(command + ' ' + arguments + ' ' + option + ' ' + path);
      EXPECT_EQ(outcome.status, 2) << command << ' ' << option;
      EXPECT_EQ(outcome.out, "") << command << ' ' << option;
      EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"cells.json", "constants.json", "model.json", "part.json"}))
          << command << ' ' << option;
    }
  }
}

// Control: without an output file, the same commands succeed.
TEST_F(UnwritableFiles, AreWhatKeepsThem) {
  for (const auto& [command, arguments, options] : writers(m_folder)) {
    if (options.front() == "--constants") continue;  // without it, constants are written elsewhere
    const auto outcome = run_on_full_disk(command + ' ' + arguments);
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_NE(outcome.out, "") << command;
  }
}

TEST(WritingOptions, AreAllTried) {
  const Folder folder;
  std::set<std::string> tried;
  for (const auto& [command, arguments, options] : writers(folder)) {
    for (const std::string& option : options) tried.insert(words(command).front() + ' ' + option);
  }
  for (const FileArgument& argument : file_arguments()) {
    if (argument.is_read()) continue;
    const std::string option = words(argument.command).front() + ' ' + argument.argument;
    EXPECT_TRUE(tried.contains(option)) << option;
  }
}

}  // namespace unwritable_files_tests
}  // namespace sporos::test
