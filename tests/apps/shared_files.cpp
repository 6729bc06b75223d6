// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that a command reads or writes although no argument names them, and files that are pipes, devices or links.
#include "optimizations.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace sporos::test {
namespace shared_files_tests {

constexpr auto network = "activity,from,to,distribution\na,1,2,constant(1)\n";

class SharedFiles : public ::testing::Test {
 protected:
  // Runs `line` with `option`, which writes the file `name`. Returns the path of the file.
  std::string result(const std::string& line, const std::string& option, const std::string& name) const {
    auto arguments = words(line);
    arguments.insert(arguments.end(), {option, m_folder / name});
    const auto outcome = run(first_program, arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return m_folder / name;
  }

  // Expects that the words of `line` are refused, and that the file `path` does not change.
  void refused(const std::string& line, const std::string& path, const std::string& message) const {
    const std::string before = contents_of(path);
    expect_refusal(run(first_program, words(line)), message);
    EXPECT_EQ(contents_of(path), before);
  }

  Folder m_folder;
};

TEST_F(SharedFiles, OfPlansAndDesigns) {
  const std::string path = m_folder.write("network.csv", network);
  const std::string plan =
      result("simulate pert --replications 2 --format json --network " + path, "--output", "plan.json");
  const std::string message = "--output is '" + path + "', which --network of the design reads: expected another file";
  refused("simulate --plan " + plan + " --output " + path, path, message);
  const std::string design = m_folder.write("design.csv", "network\n" + path + "\n");
  refused("simulate pert --design " + design + " --output " + path, path, message);
}

TEST_F(SharedFiles, OfStates) {
  const std::string returns = m_folder.write("returns.csv", contents_of(daily_returns));
  const std::string state =
      result("optimize portfolio --iterations 1 --epochs 1 --returns " + returns, "--save-state", "state.json");
  refused("optimize portfolio --resume " + state + " --weights " + returns, returns,
          "--weights is '" + returns + "', which --returns of " + state + " reads: expected another file");
}

TEST_F(SharedFiles, AStateGoesOnInItsPlace) {
  const std::string line = "optimize newsvendor --product-count 5 --gap-batches 0 --epochs ";
  const std::string state = result(line + "1", "--save-state", "state.json");
  const std::string first = contents_of(state);
  EXPECT_EQ(
      run(first_program, words("optimize newsvendor --epochs 2 --resume " + state + " --save-state " + state)).status,
      0);
  EXPECT_NE(contents_of(state), first);
}

TEST_F(SharedFiles, OfCheckpoints) {
  const std::string path = m_folder / "state";
  for (const std::string& companion : {path + ".lock", path + ".new"}) {
    expect_refusal(run(first_program, words("simulate pi --checkpoint " + path + " --output " + companion)),
                   "--output is '" + companion + "', which --checkpoint writes: expected another file");
  }
  EXPECT_EQ(m_folder.files().size(), 0u);
}

// Links are followed even if the target does not exist yet.
TEST_F(SharedFiles, ThroughLinksToWhatIsNotThere) {
  const std::string link = m_folder / "link", target = m_folder / "target";
  std::filesystem::create_symlink("target", link);
  const std::string line = "optimize newsvendor --product-count 2 --epochs 1 --gap-batches 0 ";
  expect_refusal(run(first_program, words(line + "--weights " + target + " --output " + link)),
                 "--output is '" + link + "', which --weights writes: expected another file");
  EXPECT_EQ(run(first_program, words(line + "--weights " + link)).status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_NE(contents_of(target), "");
}

TEST_F(SharedFiles, WithStandardOutput) {
  const std::string path = m_folder.write("data.csv", "x\n1\n2\n3\n");
  expect_refusal(run(first_program, {"fit", path}, path),
                 "DATA is '" + path + "', which standard output writes: expected another file");
  EXPECT_EQ(contents_of(path), "x\n1\n2\n3\n");
}

TEST_F(SharedFiles, MayBeDevices) {
  const auto outcome =
      run(first_program, words("optimize newsvendor --product-count 2 --epochs 1 --gap-batches 0 --weights "
                               "/dev/null --save-state /dev/null --output /dev/null"));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
}

// Conflicts are found before anything is read: nobody writes to the pipe.
TEST_F(SharedFiles, AreFoundBeforeAnythingIsRead) {
  const std::string pipe = m_folder / "pipe", design = m_folder.write("design.csv", "servers\n2\n");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  refused("simulate --plan " + pipe + " --design " + design + " --output " + design, design,
          "--output is '" + design + "', which --design reads: expected another file");
  expect_refusal(run(first_program, {"fit", pipe, "--output", pipe}),
                 "--output is '" + pipe + "', which DATA reads: expected another file");
}

}  // namespace shared_files_tests
}  // namespace sporos::test
