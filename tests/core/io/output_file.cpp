// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/text_file.hpp>

#include "harness/folder.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace sporos::io {
namespace output_file_tests {

class OutputFileTest : public ::testing::Test {
 protected:
  test::Folder m_folder;
};

TEST_F(OutputFileTest, AppearsWhenItIsWritten) {
  const std::string path = m_folder / "result";
  const OutputFile file(path);
  EXPECT_EQ(m_folder.files().size(), 0u);
  file.write("first");
  EXPECT_EQ(read_text_file(path), "first");
  file.write("second");
  EXPECT_EQ(read_text_file(path), "second");
  EXPECT_EQ(m_folder.files().size(), 1u);
}

TEST_F(OutputFileTest, TakesNamesAsLongAsTheyCanBe) {
  constexpr std::size_t longest_name = 255;
  const OutputFile file(m_folder / std::string(longest_name, 'x'));
  file.write("text");
  EXPECT_EQ(m_folder.files().size(), 1u);
}

// Control: a file that has a name while it is written remains.
TEST_F(OutputFileTest, LeavesNothingOfAProcessThatIsKilled) {
  if (const int file = impl::open_unnamed(m_folder.path()); file >= 0) {
    ::close(file);
  } else {
    GTEST_SKIP() << "the file system has no files without a name";
  }
  const auto killed = [&](const std::string& temporary) {
    const OutputFile file(m_folder / "result", temporary);
    OutputFile::Contents contents(file);
    contents.append("half");
    std::raise(SIGKILL);
  };
  EXPECT_EXIT(killed(""), ::testing::KilledBySignal(SIGKILL), "^$");
  EXPECT_TRUE(m_folder.files().empty());
  EXPECT_EXIT(killed("half"), ::testing::KilledBySignal(SIGKILL), "^$");
  EXPECT_EQ(m_folder.files(), std::vector<std::string>{"half"});
}

TEST_F(OutputFileTest, FailsWhereTheFolderHasGone) {
  std::filesystem::create_directory(m_folder / "folder");
  const OutputFile file(m_folder / "folder/result");
  std::filesystem::remove(m_folder / "folder");
  EXPECT_THROW(file.write("text"), WriteError);
  EXPECT_EQ(m_folder.files().size(), 0u);
}

TEST_F(OutputFileTest, RefusesWhatCannotBeWritten) {
  EXPECT_THROW(OutputFile(""), WriteError);
  EXPECT_THROW(OutputFile{m_folder.path()}, WriteError);
  EXPECT_THROW(OutputFile(m_folder / ""), WriteError);
  EXPECT_THROW(OutputFile(m_folder / "nowhere/result"), WriteError);
  EXPECT_EQ(m_folder.files().size(), 0u);
}

TEST_F(OutputFileTest, FollowsLinks) {
  std::filesystem::create_directory(m_folder / "folder");
  std::filesystem::create_symlink("folder/second", m_folder / "first");
  std::filesystem::create_symlink("third", m_folder / "folder/second");
  const OutputFile file(m_folder / "first");
  for (const char* text : {"to nothing", "to a file"}) {
    file.write(text);
    EXPECT_EQ(read_text_file(m_folder / "folder/third"), text);
    EXPECT_TRUE(std::filesystem::is_symlink(m_folder / "first"));
    EXPECT_TRUE(std::filesystem::is_symlink(m_folder / "folder/second"));
  }
}

TEST_F(OutputFileTest, FollowsALinkThatCameLater) {
  const OutputFile file(m_folder / "result");
  std::filesystem::create_symlink("elsewhere", m_folder / "result");
  file.write("text");
  EXPECT_TRUE(std::filesystem::is_symlink(m_folder / "result"));
  EXPECT_EQ(read_text_file(m_folder / "elsewhere"), "text");
}

TEST_F(OutputFileTest, RefusesLinksInACircle) {
  std::filesystem::create_symlink("second", m_folder / "first");
  std::filesystem::create_symlink("first", m_folder / "second");
  EXPECT_THROW(OutputFile(m_folder / "first"), WriteError);
}

TEST_F(OutputFileTest, WritesDevicesDirectly) {
  OutputFile("/dev/null").write("text");
  try {
    OutputFile("/dev/full").write("text");
    FAIL() << "a full device was written";
  } catch (const WriteError& error) {
    EXPECT_STREQ(error.what(), "cannot write '/dev/full': No space left on device");
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace output_file_tests
}  // namespace sporos::io
