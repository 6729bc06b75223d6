// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/text_file.hpp>

#include "harness/folder.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>

namespace sporos::io {
namespace checkpoint_tests {

const Json run = {{"command", "simulate"}, {"plan", {{"seed", 1}, {"sizes", {1, 2, 3}}}}};

class CheckpointTest : public ::testing::Test {
 protected:
  // Message with which a checkpoint of the run `other` is refused; empty if it is accepted.
  std::string whole_refusal(const Json& other = run) const {
    try {
      const Checkpoint checkpoint(m_path, other);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  // The message of whole_refusal() without its beginning, which is the name of the checkpoint.
  std::string refusal(const Json& other = run) const {
    const std::string message = whole_refusal(other);
    return message.empty() ? "" : message.substr(in_quotes(m_path).size() + 1);
  }

  void write(const Json& state) const { Checkpoint(m_path, run).write(state); }

  test::Folder m_folder;
  std::string m_path = m_folder / "state";
};

TEST_F(CheckpointTest, KeepsAStateToTheLastBit) {
  const Json state = {{"third", 1.0 / 3}, {"tiny", std::numeric_limits<double>::denorm_min()}, {"zero", -0.0}};
  EXPECT_FALSE(Checkpoint(m_path, run).state());
  write(state);
  const Checkpoint checkpoint(m_path, run);
  ASSERT_TRUE(checkpoint.state());
  for (const char* name : {"third", "tiny", "zero"}) {
    EXPECT_EQ(bits_text((*checkpoint.state())[name].get<double>()), bits_text(state[name].get<double>()));
  }
  checkpoint.remove();
  EXPECT_FALSE(std::filesystem::exists(m_path));
}

TEST_F(CheckpointTest, LeavesNothingButItself) {
  write("first");
  write("second");
  EXPECT_EQ(m_folder.files(), std::vector<std::string>{"state"});
}

TEST_F(CheckpointTest, OfAnotherRunIsRefusedWithTheFirstDifference) {
  write("a state");
  EXPECT_EQ(refusal({{"command", "fit"}, {"plan", run["plan"]}}),
            "is the checkpoint of another run: command is 'simulate' in it, expected 'fit'");
  EXPECT_EQ(refusal({{"command", "simulate"}, {"plan", {{"seed", 1}, {"sizes", {1, 2, 4}}}}}),
            "is the checkpoint of another run: plan.sizes[2] is '3' in it, expected '4'");
  EXPECT_EQ(refusal({{"command", "simulate"}}),
            "is the checkpoint of another run: plan is '{\"seed\":1,\"sizes\":[1,2,3]}' in it, expected missing");
  EXPECT_EQ(refusal(), "");
  const Json in_another_order = {{"plan", run["plan"]}, {"command", "simulate"}};
  EXPECT_EQ(refusal(in_another_order), "");
}

TEST_F(CheckpointTest, OfAnotherVersionIsRefused) {
  m_folder.write("state", "sporos checkpoint 2\nwhatever will come\n");
  EXPECT_EQ(refusal(), "is a checkpoint of version 2, expected version 1");
}

TEST_F(CheckpointTest, ThatIsNoneIsRefusedAndStays) {
  for (const std::string text : {"", "my thesis\n", "sporos"}) {
    m_folder.write("state", text);
    EXPECT_EQ(refusal(), "is not a checkpoint of Sporos: choose another file");
    EXPECT_EQ(read_text_file(m_path), text);
  }
  m_folder.write("state", "sporos checkpoint\n");
  EXPECT_EQ(refusal(), "is a damaged checkpoint: it has no version; delete it to restart the run");
}

// A change of any byte and any truncation is detected.
TEST_F(CheckpointTest, ThatIsDamagedIsRefused) {
  write({{"numbers", {0.1, 0.2}}});
  const std::string text = read_text_file(m_path);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string flipped = text;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    m_folder.write("state", flipped);
    EXPECT_NE(refusal(), "") << "byte " << i;
    m_folder.write("state", text.substr(0, i));
    EXPECT_NE(refusal(), "") << "length " << i;
  }
  m_folder.write("state", text + "\n");
  EXPECT_EQ(refusal(),
            "is a damaged checkpoint: its checksum does not match its contents; delete it to restart the run");
  m_folder.write("state", text);
  EXPECT_EQ(refusal(), "");
}

TEST_F(CheckpointTest, IsOfOneRunAtATime) {
  {
    const Checkpoint first(m_path, run);
    EXPECT_EQ(refusal(), "is in use by another run: wait until that run ends, or choose another file");
    std::filesystem::create_symlink(m_path, m_folder / "link");
    first.write("a state");
    EXPECT_THROW(Checkpoint(m_folder / "link", run), std::invalid_argument);
  }
  EXPECT_EQ(refusal(), "");
}

// A run that is killed releases its checkpoint, and leaves the file of its lock.
TEST_F(CheckpointTest, IsFreeOnceItsRunIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Checkpoint checkpoint(m_path, run);
    checkpoint.write("of the child");
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(m_path + ".lock"));
  EXPECT_EQ(Checkpoint(m_path, run).state(), Json("of the child"));
  EXPECT_FALSE(std::filesystem::exists(m_path + ".lock"));
}

TEST_F(CheckpointTest, CannotBeWhereNoFileCanBe) {
  EXPECT_THROW(Checkpoint("", run), WriteError);
  EXPECT_THROW(Checkpoint(m_folder / "", run), WriteError);
  EXPECT_THROW(Checkpoint(m_folder / "nowhere/state", run), WriteError);
  EXPECT_THROW(Checkpoint("/dev/full", run), std::invalid_argument);
  EXPECT_THROW(Checkpoint(m_folder.path(), run), std::invalid_argument);
  EXPECT_EQ(m_folder.files().size(), 0u);
  EXPECT_FALSE(std::filesystem::exists("/dev/full.lock"));
}

// A write fails, as on a full disk. The previous checkpoint is still there.
TEST_F(CheckpointTest, ThatCannotBeWrittenLeavesTheOneBefore) {
  std::signal(SIGXFSZ, SIG_IGN);
  const Checkpoint checkpoint(m_path, run);
  checkpoint.write("small");
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &little);
  EXPECT_THROW(checkpoint.write(std::string(10000, 'x')), WriteError);
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"state", "state.lock"}));
  EXPECT_NE(read_text_file(m_path).find("small"), std::string::npos);
}

TEST_F(CheckpointTest, ReplacesWhatAKilledRunLeftUnfinished) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Checkpoint checkpoint(m_path, run);
    m_folder.write("state.new", "half a st");
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"state.lock", "state.new"}));
  write("a state");
  EXPECT_EQ(m_folder.files(), std::vector<std::string>{"state"});
}

TEST_F(CheckpointTest, LeavesFilesOfOthersAlone) {
  for (const char* name : {"state.lock", "state.new"}) {
    for (const char* contents : {"another's", ""}) {
      const std::string path = m_folder.write(name, contents);
      std::filesystem::permissions(path, std::filesystem::perms(0644));
      EXPECT_NE(refusal(), "") << name;
      EXPECT_EQ(m_folder.files(), std::vector<std::string>{name});
      EXPECT_EQ(read_text_file(path), contents);
      std::filesystem::remove(path);
    }
    std::filesystem::create_symlink("nowhere", m_folder / name);
    EXPECT_NE(refusal(), "") << name;
    EXPECT_TRUE(std::filesystem::is_symlink(m_folder / name));
    std::filesystem::remove(m_folder / name);
  }
}

TEST_F(CheckpointTest, SaysWhichFileIsInItsWay) {
  const std::string lock = m_folder.write("state.lock", "another's");
  EXPECT_EQ(whole_refusal(), "'" + lock + "' exists and is not a lock file of Sporos: delete or rename it");
  std::filesystem::remove(lock);
  const std::string unfinished = m_folder.write("state.new", "another's");
  EXPECT_EQ(whole_refusal(), "'" + unfinished + "' exists, but no interrupted run left it: delete or rename it");
}

TEST_F(CheckpointTest, StaysWhereALinkLeads) {
  std::filesystem::create_symlink("elsewhere", m_path);
  write("a state");
  EXPECT_TRUE(std::filesystem::is_symlink(m_path));
  EXPECT_EQ(m_folder.files(), (std::vector<std::string>{"elsewhere", "state"}));
  EXPECT_EQ(Checkpoint(m_path, run).state(), Json("a state"));
}

}  // namespace checkpoint_tests
}  // namespace sporos::io
